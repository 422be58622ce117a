"""One stream of messages: accepted in their order, acknowledged each after its commit."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from scoreline.ingestion.v1.ingestion_service_pb2 import (
    Acknowledgement,
    IngestStreamRequest,
    IngestStreamResponse,
    NumberedMessage,
)
from services.ingestion.intake import Intake, Pending
from services.ingestion.keyring import Sender
from services.ingestion.refusal import count_refusal
from services.runtime.errors import DependencyAway, Draining, Fault, FieldsInvalid, fault_of

# What is accepted and not yet acknowledged; above it the stream is not read.
_MOST_MESSAGES = 256
_MOST_BYTES = 16 * 1024 * 1024


class _Outcome(NamedTuple):
    """A message whose acknowledgement can be made: its number, size and provider, and what became of it."""

    number: int
    size: int
    provider: str
    accepted: Pending | Fault


class MessageStream:
    """Serves one call of IngestStream.

    Messages of different games are committed side by side, and their acknowledgements may overtake each other. The
    stream ends when the sender has ended it, when its key is no longer good, or when the process stops; in each case
    what was accepted is acknowledged before.
    """

    def __init__(
        self,
        intake: Intake,
        requests: AsyncIterator[IngestStreamRequest],
        authenticate: Callable[[], Awaitable[Sender]],
        deadline: Callable[[], float],
    ) -> None:
        self._intake = intake
        self._requests = requests
        self._authenticate = authenticate
        self._deadline = deadline
        self._done: asyncio.Queue[_Outcome | None] = asyncio.Queue()
        self._messages = 0
        self._bytes = 0
        self._room = asyncio.Event()

    async def acknowledgements(self, draining: asyncio.Event) -> AsyncGenerator[IngestStreamResponse]:
        """Give the acknowledgements. Raises KeyMissing, KeyInvalid and Draining behind the last one.

        Raises DependencyAway at once when a message could not be taken in time: that is no refusal, and the sender
        keeps its order by sending everything that is not acknowledged again.
        """
        reader = asyncio.create_task(self._read())
        stop = asyncio.create_task(_stop_reading(reader, draining))
        # The reader ends with this None, behind which only what was accepted before may still come.
        reader.add_done_callback(lambda _: self._done.put_nowait(None))
        try:
            while self._messages or not reader.done() or not self._done.empty():
                outcomes = [await self._done.get()]
                while not self._done.empty():
                    outcomes.append(self._done.get_nowait())
                ready = await asyncio.gather(
                    *(self._acknowledge(outcome) for outcome in outcomes if outcome is not None), return_exceptions=True
                )
                if taken := [each for each in ready if isinstance(each, Acknowledgement)]:
                    yield IngestStreamResponse(acknowledgements=taken)
                for failed in ready:
                    if isinstance(failed, BaseException):
                        raise failed
            if draining.is_set():
                raise Draining("the process stops; connect again", retry_after=0.5)
            await reader
        finally:
            reader.cancel()
            stop.cancel()
            await asyncio.gather(reader, stop, return_exceptions=True)

    async def _read(self) -> None:
        async for request in self._requests:
            sender = await self._authenticate()
            for message in request.messages:
                size = message.ByteSize()
                while self._messages and (self._messages >= _MOST_MESSAGES or self._bytes + size > _MOST_BYTES):
                    self._room.clear()
                    await self._room.wait()
                self._messages += 1
                self._bytes += size
                await self._accept(sender, message, size)

    async def _accept(self, sender: Sender, numbered: NumberedMessage, size: int) -> None:
        number, provider = numbered.message_number, numbered.message.provider

        def done(accepted: Pending | Fault) -> None:
            self._done.put_nowait(_Outcome(number, size, provider, accepted))

        try:
            if not numbered.HasField("message"):
                raise FieldsInvalid("message: is missing", violations=[("message", "is missing")])
            pending = await self._intake.accept(sender, numbered.message, self._deadline())
        except asyncio.CancelledError:
            # The process stops: the message gets no acknowledgement, and nobody waits for one.
            self._messages -= 1
            self._bytes -= size
            raise
        except Exception as error:
            done(fault_of(error))
            return
        left = len(pending.answers)
        if not left:
            done(pending)

        def count_down(_: object) -> None:
            nonlocal left
            left -= 1
            if not left:
                done(pending)

        for answer in pending.answers:
            answer.add_done_callback(count_down)

    async def _acknowledge(self, outcome: _Outcome) -> Acknowledgement:
        acknowledgement = Acknowledgement(message_number=outcome.number)
        try:
            if isinstance(outcome.accepted, Fault):
                raise outcome.accepted
            acknowledgement.result.CopyFrom(await self._intake.conclude(outcome.accepted))
        except Exception as error:
            self._refuse(acknowledgement, outcome.provider, fault_of(error))
        finally:
            self._messages -= 1
            self._bytes -= outcome.size
            self._room.set()
        return acknowledgement

    def _refuse(self, acknowledgement: Acknowledgement, provider: str, fault: Fault) -> None:
        count_refusal(provider, fault)
        if isinstance(fault, DependencyAway):
            raise fault
        acknowledgement.error.CopyFrom(fault.status())


async def _stop_reading(reader: "asyncio.Task[None]", draining: asyncio.Event) -> None:
    await draining.wait()
    reader.cancel()
