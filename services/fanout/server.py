"""The servicer of fanout."""

from collections.abc import AsyncGenerator
from typing import TypeAlias

import grpc
import grpc.aio

from scoreline.fanout.v1.fanout_service_pb2 import Freshness, Item, SourceStatus, SubscribeRequest
from services.fanout import metrics
from services.fanout.domain.targets import Targets
from services.fanout.domain.token import Token, TokenSigner, TokenUnreadable
from services.fanout.errors import ResumeTokenInvalid
from services.fanout.games import LiveGames
from services.fanout.gamestate import Gamestate
from services.fanout.opening import join_targets
from services.fanout.source import Source
from services.fanout.stream import Stream
from services.runtime.errors import Draining

SERVICE = "scoreline.fanout.v1.FanoutService"
_SHORTEST_HEARTBEAT, _LONGEST_HEARTBEAT = 0.5, 30.0  # seconds

Context: TypeAlias = "grpc.aio.ServicerContext[SubscribeRequest, bytes]"  # quoted: generic in the stubs only

RawHandler: TypeAlias = "grpc.RpcMethodHandler[SubscribeRequest, bytes]"


class FanoutServicer:
    """Opens streams, and speaks to all that are open."""

    def __init__(self, gamestate: Gamestate, signer: TokenSigner, heartbeat: float) -> None:
        """`heartbeat`: seconds, for streams that do not ask for another."""
        self._gamestate = gamestate
        self._signer = signer
        self._heartbeat = heartbeat
        self._streams: set[Stream] = set()
        self._draining = False
        self.games = LiveGames(gamestate)
        self.source = Source(gamestate, self.games, self._tell)

    def add_to(self, server: grpc.aio.Server) -> None:
        """Serves. Responses are bytes already: those of an update are made once for all streams."""
        subscribe: RawHandler = grpc.unary_stream_rpc_method_handler(
            self.subscribe, request_deserializer=SubscribeRequest.FromString, response_serializer=None
        )
        handler = grpc.method_handlers_generic_handler(SERVICE, {"Subscribe": subscribe})
        server.add_generic_rpc_handlers((handler,))

    async def subscribe(self, request: SubscribeRequest, context: Context) -> AsyncGenerator[bytes]:
        """One stream, from Accepted on."""
        token = self._token(request)
        stream = Stream(Targets(request.targets), self.games, self._signer, self._heartbeat_of(request))
        try:
            await join_targets(stream.subscription, token, self.games, self._gamestate)
            if self._draining:
                raise Draining("the process stops; connect again")
            first = stream.start(token, skip_snapshot=request.skip_snapshot)
            if self.source.status.freshness != Freshness.FRESHNESS_FRESH:
                stream.subscription.tell(Item(source_status=self.source.status))
            self._streams.add(stream)
            metrics.streams.set(len(self._streams))
            yield first
            while True:
                yield await stream.next()
        finally:
            stream.close()
            self.games.leave(stream.subscription)
            self._streams.discard(stream)
            metrics.streams.set(len(self._streams))

    def drain(self, within: float) -> None:
        """Sends all streams away within so many seconds, and lets no new one in."""
        self._draining = True
        for stream in self._streams:
            stream.drain(within)

    def _tell(self, status: SourceStatus) -> None:
        for stream in self._streams:
            stream.subscription.tell(Item(source_status=status))

    def _token(self, request: SubscribeRequest) -> Token | None:
        if not request.resume_token:
            return None
        try:
            return self._signer.read(request.resume_token)
        except TokenUnreadable as error:
            raise ResumeTokenInvalid(str(error)) from error

    def _heartbeat_of(self, request: SubscribeRequest) -> float:
        if not request.HasField("heartbeat"):
            return self._heartbeat
        asked = request.heartbeat.seconds + request.heartbeat.nanos / 1e9
        return min(max(asked, _SHORTEST_HEARTBEAT), _LONGEST_HEARTBEAT)
