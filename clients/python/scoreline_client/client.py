"""The connection to Scoreline."""

from collections.abc import Iterable
from datetime import timedelta
from types import TracebackType
from typing import Self

import grpc
import grpc.aio

from scoreline.fanout.v1.fanout_service_pb2 import SubscribeRequest, Target
from scoreline_client.watch import Watch

_OPTIONS: list[tuple[str, str | int]] = [
    ("grpc.lb_policy_name", "round_robin"),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.max_metadata_size", 32 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # A peer that froze is noticed after 8 seconds; keepalive_timeout_ms alone does nothing.
    ("grpc.keepalive_time_ms", 5_000),
    ("grpc.keepalive_timeout_ms", 3_000),
    ("grpc.http2.ping_timeout_ms", 3_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # Without probing the window stays small: a slow reader holds the server back instead of filling buffers.
    ("grpc.http2.bdp_probe", 0),
]


class ScorelineClient:
    """A client of Scoreline's streams. An async context manager; leaving it ends all watches.

        async with ScorelineClient("localhost:50053") as client:
            async for item in client.watch(games=["nhl-2023020001"]):
                print(item)

    Attributes:
        channel: the connection, for the generated stubs of `scoreline.*`.
    """

    channel: grpc.aio.Channel

    def __init__(self, target: str, *, key: str = "", credentials: grpc.ChannelCredentials | None = None) -> None:
        """A client that connects when it is entered.

        Args:
            target: `host:port`, or a gRPC name such as `dns:///scoreline:50053`.
            key: sent as `authorization: Bearer <key>`; none for servers with public reads.
            credentials: for TLS; without them the connection is plain.
        """
        self._target = target
        self._metadata = (("authorization", f"Bearer {key}"),) if key else ()
        self._credentials = credentials

    async def __aenter__(self) -> Self:
        if self._credentials is None:
            self.channel = grpc.aio.insecure_channel(self._target, options=_OPTIONS)
        else:
            self.channel = grpc.aio.secure_channel(self._target, self._credentials, options=_OPTIONS)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.channel.close()

    def watch(
        self,
        *,
        games: Iterable[str] = (),
        teams: Iterable[str] = (),
        token: str = "",
        heartbeat: float | None = None,
        skip_snapshot: bool = False,
    ) -> Watch:
        """Watches games and all games of teams; iterate over it with `async for`.

        Args:
            games: ids of games.
            teams: ids of teams.
            token: of an earlier watch of the same targets, to go on behind it.
            heartbeat: seconds between heartbeats, 0.5 to 30; the server's default if None.
            skip_snapshot: begin with what happens from now on.
        """
        request = SubscribeRequest(resume_token=token, skip_snapshot=skip_snapshot)
        request.targets.extend(Target(game_id=game) for game in games)
        request.targets.extend(Target(team_id=team) for team in teams)
        if heartbeat is not None:
            request.heartbeat.FromTimedelta(timedelta(seconds=heartbeat))
        return Watch(self.channel, request, self._metadata)
