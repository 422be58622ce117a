"""What fanout reads from gamestate."""

import asyncio
from collections.abc import Sequence
from typing import TypeVar

import grpc.aio
import structlog
from google.protobuf.message import Message

from scoreline.gamestate.v1 import gamestate_service_pb2 as gamestate
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceStub
from services.fanout import metrics
from services.fanout.domain.items import GameSnapshot, encode_snapshot
from services.fanout.domain.run import MOST_UPDATES
from services.fanout.errors import PositionUnknown
from services.fanout.single_flight import SingleFlight
from services.runtime.errors import DependencyAway, Fault, GameNotFound, reason_of

_ANSWER_WITHIN = 5.0  # seconds
_HEADS_WITHIN = 2.0  # seconds
_AT_ONCE = 32  # reads for streams, so that many who resume leave gamestate time for others
_TEAM_GAMES = 20  # of a team: those in play, then those that changed last

log: structlog.stdlib.BoundLogger = structlog.get_logger()

Request = TypeVar("Request", bound=Message)
Answer = TypeVar("Answer", bound=Message)

_snapshots = metrics.reads.labels("snapshot")
_pages = metrics.reads.labels("updates")
_teams = metrics.reads.labels("team")


class Gamestate:
    """Reads from gamestate, each done once for all streams that want it at the same moment.

    Every method raises DependencyAway when gamestate does not answer within 5 seconds.
    """

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = GamestateServiceStub(channel)
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._snapshots = SingleFlight(self._read_snapshot)
        self._updates = SingleFlight(self._read_updates)
        self._team_games = SingleFlight(self._read_team_games)

    async def snapshot(self, game_id: str) -> GameSnapshot:
        """The newest snapshot of a game. Raises GameNotFound."""
        return await self._snapshots.get(game_id)

    async def updates(self, game_id: str, after_seq: int) -> gamestate.ListUpdatesResponse:
        """At most 256 updates behind a seq. Raises PositionUnknown when the game has not come that far."""
        return await self._updates.get((game_id, after_seq))

    async def team_games(self, team_id: str) -> Sequence[gamestate.GameSummary]:
        """Games of a team, those in play first, then by their last change; empty when the team is not known."""
        return await self._team_games.get(team_id)

    async def heads(self) -> gamestate.ListHeadsResponse:
        """Newest version of each game that is live or changed lately."""
        try:
            return await self._stub.ListHeads(gamestate.ListHeadsRequest(), timeout=_HEADS_WITHIN)
        except grpc.aio.AioRpcError as error:
            raise _fault(error) from error

    async def _read_snapshot(self, game_id: str) -> GameSnapshot:
        _snapshots.inc()
        answer = await self._ask(self._stub.GetGame, gamestate.GetGameRequest(game_id=game_id))
        return encode_snapshot(answer.state, answer.statistics)

    async def _read_updates(self, key: tuple[str, int]) -> gamestate.ListUpdatesResponse:
        _pages.inc()
        game_id, after_seq = key
        request = gamestate.ListUpdatesRequest(game_id=game_id, after_seq=after_seq, page_size=MOST_UPDATES)
        return await self._ask(self._stub.ListUpdates, request)

    async def _read_team_games(self, team_id: str) -> Sequence[gamestate.GameSummary]:
        _teams.inc()
        request = gamestate.ListGamesRequest(team_id=team_id, page_size=_TEAM_GAMES)
        return (await self._ask(self._stub.ListGames, request)).games

    async def _ask(self, method: "grpc.aio.UnaryUnaryMultiCallable[Request, Answer]", request: Request) -> Answer:
        async with self._at_once:
            try:
                return await method(request, timeout=_ANSWER_WITHIN, wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                raise _fault(error) from error


def _fault(error: grpc.aio.AioRpcError) -> Fault:
    match reason_of(error):
        case "GAME_NOT_FOUND":
            return GameNotFound(error.details() or "no such game")
        case "POSITION_UNKNOWN":
            return PositionUnknown(error.details() or "no such position")
        case _:
            log.warning("gamestate does not answer", code=error.code().name, error=error.details())
            return DependencyAway(
                "gamestate does not answer; try again", metadata={"dependency": "gamestate"}, retry_after=1.0
            )
