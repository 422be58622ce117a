"""Natural batches: of each game one commit is in flight, and what waits meanwhile goes into the next.

Nothing waits for a batch to fill, and no batch spans games.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import structlog
from prometheus_client import Counter, Histogram

from scoreline.ingestion.v1.ingestion_service_pb2 import IngestResponse
from services.eventlog.append import Appended, Incoming
from services.eventlog.log import EventLog
from services.ingestion.bus import EventPublisher
from services.ingestion.patience import TRANSIENT, pause
from services.ingestion.rules import decide, digest_of

log: structlog.stdlib.BoundLogger = structlog.get_logger()

_MOST_MESSAGES = 256
_MOST_BYTES = 1024 * 1024

_events = Counter("scoreline_ingestion_events", "Events that the log took, by provider.", ["provider"])
_batch_size = Histogram(
    "scoreline_ingestion_batch_messages", "Messages in one commit.", buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)


@dataclass
class _Waiting:
    message: Incoming
    deadline: float
    answer: "asyncio.Future[IngestResponse]"


class GameBatches:
    """Appends messages to the games' logs and publishes what came of them, in order. An async context manager."""

    def __init__(self, event_log: EventLog, publisher: EventPublisher, commits: int) -> None:
        """`commits`: how many games commit at a time; as many as there are connections for it."""
        self._log = event_log
        self._publisher = publisher
        self._turns = asyncio.Semaphore(commits)
        self._games: dict[str, deque[_Waiting]] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def add(self, message: Incoming, deadline: float) -> "asyncio.Future[IngestResponse]":
        """Queue a message for its game; the future has its answer after the commit.

        It fails with what the rules refuse the message for, or, when the database is away until `deadline` in the
        loop's time, with one of the TRANSIENT errors. A cancelled message may still be committed.
        """
        answer: asyncio.Future[IngestResponse] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(message, deadline, answer)
        game_id = message.observation.game_id
        queue = self._games.get(game_id)
        if queue is not None:
            queue.append(waiting)
        else:
            self._games[game_id] = queue = deque((waiting,))
            task = asyncio.create_task(self._run(game_id, queue))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return answer

    async def _run(self, game_id: str, queue: deque[_Waiting]) -> None:
        failures = 0
        try:
            while queue:
                try:
                    async with self._turns:
                        await self._commit_next(game_id, queue)
                    failures = 0
                except TRANSIENT as error:
                    log.warning("database away; messages wait", game_id=game_id, messages=len(queue), error=str(error))
                    _give_up_when_over(queue, error)
                    await asyncio.sleep(pause(failures))
                    failures += 1
        finally:
            del self._games[game_id]
            for waiting in queue:
                waiting.answer.cancel()

    async def _commit_next(self, game_id: str, queue: deque[_Waiting]) -> None:
        """Commit the next batch, or message by message if one of them is bad; what is committed leaves the queue."""
        batch = _next_batch(queue)
        try:
            await self._commit(game_id, batch, queue)
        except TRANSIENT:
            raise
        except Exception:
            for waiting in batch:
                try:
                    await self._commit(game_id, [waiting], queue)
                except TRANSIENT:
                    raise
                except Exception as error:
                    _leave(queue, waiting)
                    _fail(waiting, error)

    async def _commit(self, game_id: str, batch: Sequence[_Waiting], queue: deque[_Waiting]) -> None:
        if not batch:
            return
        done = await self._log.append(game_id, [waiting.message for waiting in batch], decide, digest_of)
        _leave(queue, batch[-1])
        self._tell(batch, done)

    def _tell(self, batch: Sequence[_Waiting], done: Iterable[Appended]) -> None:
        _batch_size.observe(len(batch))
        for waiting, appended in zip(batch, done, strict=True):
            if appended.events:
                self._publisher.publish(appended.events)
                _events.labels(waiting.message.raw.provider).inc(len(appended.events))
            if not waiting.answer.done():
                waiting.answer.set_result(appended.answer)


def _next_batch(queue: deque[_Waiting]) -> list[_Waiting]:
    """Give what goes into one commit; whom nobody waits for any more leaves."""
    while queue and queue[0].answer.done():
        queue.popleft()
    batch: list[_Waiting] = []
    size = 0
    for waiting in queue:
        size += len(waiting.message.raw.payload)
        if batch and (size > _MOST_BYTES or len(batch) == _MOST_MESSAGES):
            break
        if not waiting.answer.done():
            batch.append(waiting)
    return batch


def _leave(queue: deque[_Waiting], last: _Waiting) -> None:
    """Take everything up to a message out of the queue."""
    while queue.popleft() is not last:
        pass


def _give_up_when_over(queue: deque[_Waiting], error: Exception) -> None:
    """Fail all of a game when one has waited for too long: those who send again then keep their order."""
    present = asyncio.get_running_loop().time()
    if any(waiting.deadline <= present for waiting in queue if not waiting.answer.done()):
        while queue:
            _fail(queue.popleft(), error)


def _fail(waiting: _Waiting, error: Exception) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(error)
        waiting.answer.exception()  # its reader may be gone, which is no reason to complain
