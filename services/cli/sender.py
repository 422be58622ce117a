"""Sends messages to ingestion over one stream and sees to it that each is acknowledged, whatever dies meanwhile."""

import asyncio
import itertools
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import grpc
from google.rpc.status_pb2 import Status

from scoreline.game.v1.source_pb2 import Observation
from scoreline.ingestion.v1.ingestion_service_pb2 import (
    Acknowledgement,
    IngestRequest,
    IngestResponse,
    IngestStreamRequest,
    NumberedMessage,
)
from scoreline.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from services.cli.mesh import Endpoints
from services.cli.session import channel_to, operator

if TYPE_CHECKING:  # known to type checkers only
    from scoreline.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceAsyncStub

_IN_FLIGHT = 256
_REQUEST_BYTES = 1024 * 1024
_PAUSE = 0.2  # seconds before a broken stream is opened again
# Sending again would end the same way; the last one is a message over what gRPC takes.
_FINAL = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
)

Metadata = tuple[tuple[str, str], ...]


class Refused(Exception):
    """Ingestion refused a message; `status` carries the reason."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.message)
        self.status = status


class Sender:
    """A sender for one provider, in the order of `send`. At most 256 messages wait for their acknowledgement."""

    def __init__(self, stub: "IngestionServiceAsyncStub", provider: str, metadata: Metadata) -> None:
        self._stub, self._provider, self._metadata = stub, provider, metadata
        self._run = uuid.uuid4().hex[:12]
        self._number = 0
        self._waiting: dict[int, tuple[NumberedMessage, asyncio.Future[IngestResponse]]] = {}
        self._more = asyncio.Event()
        self._room = asyncio.Semaphore(_IN_FLIGHT)
        self._ended: grpc.RpcError | None = None

    @classmethod
    @asynccontextmanager
    async def to(
        cls, endpoints: Endpoints, provider: str, metadata: Metadata | None = None
    ) -> AsyncGenerator["Sender"]:
        """Open a sender with the operator's key, or with the given metadata.

        What is not acknowledged at the end is given up.
        """
        async with channel_to(endpoints.ingestion) as channel:
            sender = cls(IngestionServiceStub(channel), provider, metadata or operator(endpoints))
            streaming = asyncio.create_task(sender._stream())
            try:
                yield sender
            finally:
                streaming.cancel()
                await asyncio.wait({streaming})

    async def send(self, content: bytes | Observation) -> asyncio.Future[IngestResponse]:
        """Send a message, when there is room.

        The future is its answer; it raises Refused, or, as does this, the RpcError that ends everything.
        """
        await self._room.acquire()
        if self._ended is not None:
            raise self._ended
        self._number += 1
        message = IngestRequest(provider=self._provider, request_id=f"{self._run}-{self._number}")
        if isinstance(content, bytes):
            message.payload = content
        else:
            message.observation.CopyFrom(content)
        answer = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda _: self._room.release())
        self._waiting[self._number] = (NumberedMessage(message_number=self._number, message=message), answer)
        self._more.set()
        return answer

    async def settle(self) -> None:
        """Wait until everything sent so far is acknowledged or refused."""
        answers = [answer for _, answer in self._waiting.values()]
        if answers:
            await asyncio.wait(answers)

    async def _stream(self) -> None:
        """Keep a stream open; after a break, everything that is not acknowledged goes out again, with the same ids."""
        while True:
            call = self._stub.IngestStream(self._requests(), metadata=self._metadata)
            try:
                async for response in call:
                    for acknowledgement in response.acknowledgements:
                        self._settle_one(acknowledgement)
            except grpc.RpcError as error:
                if error.code() in _FINAL:
                    self._give_up(error)
                    return
            finally:
                call.cancel()
            await asyncio.sleep(_PAUSE)

    async def _requests(self) -> AsyncIterator[IngestStreamRequest]:
        """What is to be sent, in order: all that gathered while the last request was written, in one."""
        sent = 0
        while True:
            self._more.clear()
            ready = [message for number, (message, _) in self._waiting.items() if number > sent]
            while ready:
                size = itertools.accumulate(message.ByteSize() for message in ready)
                count = max(1, sum(1 for total in size if total <= _REQUEST_BYTES))
                sent = ready[count - 1].message_number
                yield IngestStreamRequest(messages=ready[:count])
                ready = ready[count:]
            await self._more.wait()

    def _settle_one(self, acknowledgement: Acknowledgement) -> None:
        _, answer = self._waiting.pop(acknowledgement.message_number, (None, None))
        if answer is None or answer.done():
            return
        if acknowledgement.HasField("error"):
            answer.set_exception(Refused(acknowledgement.error))
        else:
            answer.set_result(acknowledgement.result)

    def _give_up(self, error: grpc.RpcError) -> None:
        self._ended = error
        for _, answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        self._waiting.clear()
