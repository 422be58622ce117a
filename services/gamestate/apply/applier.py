"""The apply loop: games that have something to do take turns."""

import asyncio

import structlog
from prometheus_client import Counter

from scoreline.game.v1.event_pb2 import Event
from services.gamestate.apply.inbox import Inbox
from services.gamestate.apply.memory import Memory
from services.gamestate.apply.step import Steps

log: structlog.stdlib.BoundLogger = structlog.get_logger()

_failed = Counter("scoreline_gamestate_failed", "Steps that failed and are tried again.")


class Applier:
    """Applies events of any game, each game by one worker at a time.

    What is heard while a game is applied waits for its next turn, and is then applied together. A step that fails
    takes nothing with it: the game is folded from its log again, after a pause that grows, and no other game waits.
    """

    def __init__(self, steps: Steps, memory: Memory) -> None:
        self._steps = steps
        self._memory = memory
        self._inboxes: dict[str, Inbox] = {}
        self._turns: asyncio.Queue[Inbox] = asyncio.Queue()

    def hear(self, event: Event) -> None:
        """Take an event from the bus: in any order, perhaps again, perhaps not at all."""
        self._inbox(event.game_id).put(event)

    def look(self, game_id: str) -> None:
        """Let a game be brought up to its log, unless it is being applied anyway: what is late is not lost."""
        if game_id not in self._inboxes:
            self._inbox(game_id).behind = True

    async def catch_up(self, game_id: str) -> None:
        """Bring a game up to its log as it is now. Raises what its step raised."""
        inbox = self._inbox(game_id)
        inbox.behind = True
        await inbox.settled.wait()
        if inbox.error:
            raise inbox.error

    def forget(self, game_id: str) -> None:
        """Forget what is in memory of a game, because its row has become something else."""
        self._memory.forget(game_id)

    def applied(self, game_id: str) -> int:
        """Give the seq that a game is known here to be applied to; the truth may be higher."""
        return self._memory.applied(game_id)

    async def work(self) -> None:
        """Work until cancelled; several may work side by side."""
        while True:
            inbox = await self._turns.get()
            try:
                await self._steps.step(inbox)
            except Exception as error:
                self._retry(inbox, error)
                continue
            inbox.succeeded()
            if inbox.waiting:
                self._turns.put_nowait(inbox)
            else:
                del self._inboxes[inbox.game_id]

    def _inbox(self, game_id: str) -> Inbox:
        inbox = self._inboxes.get(game_id)
        if inbox is None:
            # What is in an inbox has its turn or is being worked on: a new one is put in line.
            inbox = self._inboxes[game_id] = Inbox(game_id)
            self._turns.put_nowait(inbox)
        return inbox

    def _retry(self, inbox: Inbox, error: Exception) -> None:
        # The commit may or may not have happened: only the row knows.
        self._memory.forget(inbox.game_id)
        pause = inbox.failed(error)
        _failed.inc()
        log.warning("apply failed", game=inbox.game_id, error=str(error), kind=type(error).__name__, retry_in_s=pause)
        asyncio.get_running_loop().call_later(pause, self._turns.put_nowait, inbox)
