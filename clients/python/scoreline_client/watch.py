"""One watch: a stream that outlives its connections."""

import asyncio
import random
from collections.abc import AsyncGenerator
from typing import TypeAlias

import grpc.aio

from scoreline.fanout.v1.fanout_service_pb2 import Freshness, Item, SubscribeRequest, SubscribeResponse
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceStub
from scoreline_client.chain import Chain, Gap
from scoreline_client.errors import final_error, retry_after

_FIRST_WAIT = 0.1  # seconds at most before the second attempt; doubles with each
_LONGEST_WAIT = 5.0  # seconds
_OPEN_WITHIN = 10.0  # seconds for the first response
_MISSED_HEARTBEATS = 3  # after which a silent stream counts as broken

# Quoted where it is used: generic in the stubs only.
Call: TypeAlias = "grpc.aio.UnaryStreamCall[SubscribeRequest, SubscribeResponse]"
Metadata: TypeAlias = tuple[tuple[str, str], ...]


class Watch:
    """What happens in the games that are watched, in order, each once, across breaks of the connection.

    Attributes:
        token: resumes behind the last item that was given out, in this process or another.
        freshness: whether the server's data is fresh, apart from whether the connection lives.
        connected: whether the stream is open.
    """

    def __init__(self, channel: grpc.aio.Channel, request: SubscribeRequest, metadata: Metadata) -> None:
        """Use `ScorelineClient.watch`."""
        self._stub = FanoutServiceStub(channel)
        self._request = request
        self._metadata = metadata
        self._chain = Chain()
        self._silence = _OPEN_WITHIN  # seconds without a response that end a connection
        self._leave_at: float | None = None  # loop time, when the server asked to connect again
        self._attempts = 0  # since the stream last caught up
        self.token = request.resume_token
        self.freshness = Freshness.FRESHNESS_FRESH
        self.connected = False

    async def __aiter__(self) -> AsyncGenerator[Item]:
        """Items until the caller stops. To end the call at once then, iterate inside `contextlib.aclosing`.

        A snapshot that comes in parts is given out whole. Raises ScorelineError when the server refuses for good.
        """
        while True:
            wait = 0.0
            call = self._open()
            try:
                while (response := await self._read(call)) is not None:
                    items, gap = self._chain.take(response.items)
                    for item in items[:-1] if gap is None else items:
                        yield self._noted(item)
                    if gap is not None:
                        raise gap
                    self.token = response.resume_token or self.token
                    if items:
                        yield self._noted(items[-1])
            except grpc.aio.AioRpcError as error:
                if (final := final_error(error)) is not None:
                    raise final from error
                wait = retry_after(error)
            except (Gap, TimeoutError):
                pass  # the last token brings what is missing
            finally:
                # A call that is left alone is never ended by itself (grpc/grpc #43462).
                call.cancel()
                self.connected = False
            await self._back_off(wait)

    def _open(self) -> Call:
        self._request.resume_token = self.token
        self._silence, self._leave_at = _OPEN_WITHIN, None
        return self._stub.Subscribe(self._request, metadata=self._metadata)

    async def _read(self, call: Call) -> SubscribeResponse | None:
        """The next response; None when the stream ended or is to be left. Raises TimeoutError when it is silent."""
        silent_at = asyncio.get_running_loop().time() + self._silence
        leave_at = self._leave_at
        try:
            async with asyncio.timeout_at(silent_at if leave_at is None else min(silent_at, leave_at)):
                response = await call.read()
        except TimeoutError:
            if leave_at is not None:
                return None
            raise
        return response if isinstance(response, SubscribeResponse) else None

    def _noted(self, item: Item) -> Item:
        """The item, after what concerns the watch itself was taken from it."""
        match item.WhichOneof("kind"):
            case "accepted":
                self.connected = True
                self._silence = item.accepted.heartbeat.ToNanoseconds() / 1e9 * _MISSED_HEARTBEATS
            case "caught_up":
                self._attempts = 0
            case "source_status":
                recovered = item.source_status.freshness == Freshness.FRESHNESS_RECOVERED
                self.freshness = Freshness.FRESHNESS_FRESH if recovered else item.source_status.freshness
            case "reconnect":
                within = item.reconnect.within.ToNanoseconds() / 1e9
                self._leave_at = asyncio.get_running_loop().time() + random.uniform(0, within)
            case _:
                pass
        return item

    async def _back_off(self, at_least: float) -> None:
        longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2**self._attempts)
        self._attempts = min(self._attempts + 1, 16)
        await asyncio.sleep(at_least + random.uniform(0, longest))
