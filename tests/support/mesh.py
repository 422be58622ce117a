"""A running stack as those outside see it: provider, reader of games, viewer."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import grpc

from scoreline.fanout.v1.fanout_service_pb2 import SubscribeRequest, Target
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceStub
from scoreline.game.v1.source_pb2 import Observation
from scoreline.game.v1.state_pb2 import GameState, GameUpdate, TimelineEntry
from scoreline.game.v1.stats_pb2 import GameStatistics
from scoreline.gamestate.v1.gamestate_service_pb2 import (
    AuditGameRequest,
    AuditGameResponse,
    GetGameRequest,
    GetGameResponse,
    ListPlaysRequest,
    ListUpdatesRequest,
)
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceStub
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestRequest, IngestResponse
from scoreline.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from services.cli.mesh import Endpoints
from services.cli.session import channel_to, operator
from tests.support.fanout import Reader

if TYPE_CHECKING:  # known to type checkers only
    from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceAsyncStub
    from scoreline.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceAsyncStub

LONGEST_WAIT = 60  # seconds; an upper bound for waiting, never a figure


def essence_of(state: GameState, statistics: GameStatistics, timeline: Iterable[TimelineEntry]) -> bytes:
    """Plays, timeline, score and statistics as bytes: the same for every order of arrival, served or in memory.

    Left out is what tells of the arrival itself (seqs, times, lateness, what was retracted on the way) and the epoch.
    """
    parts = [line.play.SerializeToString(deterministic=True) + line.score.SerializeToString() for line in timeline]
    lasting = GameState()
    lasting.CopyFrom(state)
    for field in ("seq", "epoch", "correction_count", "corrected_after_final", "accepted_at"):
        lasting.ClearField(field)
    parts.append(lasting.SerializeToString(deterministic=True))
    parts.append(statistics.SerializeToString(deterministic=True))
    return b"\0".join(parts)


class Mesh:
    """Speaks to the services of a stack with the operator's key. Enter it by `to`.

    Attributes:
        endpoints: where they listen.
    """

    def __init__(
        self, endpoints: Endpoints, ingestion: "IngestionServiceAsyncStub", gamestate: "GamestateServiceAsyncStub"
    ) -> None:
        self.endpoints = endpoints
        self._ingestion, self._gamestate = ingestion, gamestate
        self._key = operator(endpoints)

    @classmethod
    @asynccontextmanager
    async def to(cls, endpoints: Endpoints) -> AsyncGenerator["Mesh"]:
        """Hold connections to a stack for the length of a block."""
        async with AsyncExitStack() as channels:
            ingestion = await channels.enter_async_context(channel_to(endpoints.ingestion))
            gamestate = await channels.enter_async_context(channel_to(endpoints.gamestate))
            yield cls(endpoints, IngestionServiceStub(ingestion), GamestateServiceStub(gamestate))

    async def send(self, observation: Observation) -> IngestResponse:
        """Send typed events; give the answer."""
        request = IngestRequest(provider="scoreline", observation=observation)
        return await self._ingestion.Ingest(request, metadata=self._key, timeout=LONGEST_WAIT)

    async def tell(self, observation: Observation) -> int:
        """Send typed events and wait until they are applied; give the game's newest seq."""
        (result,) = (await self.send(observation)).games
        await self.applied(result.game_id, result.last_seq)
        return result.last_seq

    async def applied(self, game_id: str, at_least: int) -> int:
        """Wait until gamestate has applied the whole log, which has at least so many events; give their number.

        Services may be away meanwhile.
        """
        async with asyncio.timeout(LONGEST_WAIT):
            while True:
                try:
                    audit = await self.audit(game_id)
                    if audit.applied_seq == audit.events >= at_least:
                        return audit.events
                except grpc.aio.AioRpcError:
                    await asyncio.sleep(0.2)
                await asyncio.sleep(0.02)

    async def audit(self, game_id: str) -> AuditGameResponse:
        """What an operator is told of a game."""
        return await self._gamestate.AuditGame(AuditGameRequest(game_id=game_id), metadata=self._key, timeout=30)

    async def game(self, game_id: str) -> GetGameResponse:
        """A game as it stands."""
        return await self._gamestate.GetGame(GetGameRequest(game_id=game_id), timeout=30)

    async def plays(self, game_id: str, *, include_retracted: bool = False) -> list[TimelineEntry]:
        """All plays of a game, page by page."""
        request = ListPlaysRequest(game_id=game_id, include_retracted=include_retracted)
        plays: list[TimelineEntry] = []
        while True:
            page = await self._gamestate.ListPlays(request, timeout=30)
            plays.extend(page.plays)
            request.page_token = page.next_page_token
            if not request.page_token:
                return plays

    async def updates(self, game_id: str) -> list[GameUpdate]:
        """All updates of a game, page by page."""
        updates: list[GameUpdate] = []
        while True:
            request = ListUpdatesRequest(game_id=game_id, after_seq=len(updates), page_size=1000)
            page = await self._gamestate.ListUpdates(request, timeout=30)
            updates.extend(page.updates)
            if not page.updates or updates[-1].seq >= page.newest_seq:
                return updates

    async def essence(self, game_id: str) -> bytes:
        """What is served of a game, without what tells of its arrival."""
        game = await self.game(game_id)
        return essence_of(game.state, game.statistics, await self.plays(game_id))

    @asynccontextmanager
    async def stream(
        self, game_id: str, *, target: str = "", token: str = "", heartbeat: float = 5
    ) -> AsyncGenerator[Reader]:
        """An open stream of a game on a connection of its own, without a client that repairs anything.

        `target` names one replica of fanout, `heartbeat` is in seconds.
        """
        request = SubscribeRequest(targets=[Target(game_id=game_id)], resume_token=token)
        request.heartbeat.FromTimedelta(timedelta(seconds=heartbeat))
        async with channel_to(target or self.endpoints.fanout) as channel:
            call = FanoutServiceStub(channel).Subscribe(request)
            try:
                yield Reader(call)
            finally:
                call.cancel()
