"""Games as they stand."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString, NamedTuple

from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import GameStatistics
from scoreline.gamestate.v1.gamestate_service_pb2 import GameSummary, GetGameResponse, Head, ListGamesRequest
from services.runtime.clock import to_timestamp
from services.runtime.db.pool import Pool

IN_PLAY = frozenset({GameStatus.GAME_STATUS_LIVE, GameStatus.GAME_STATUS_BREAK})
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class GamePosition(NamedTuple):
    """A place in the list of games."""

    in_play: int
    changed_us: int  # microseconds since 1970
    game_id: str


class Version(NamedTuple):
    """What a game's row was folded to."""

    seq: int
    epoch: str


class Games:
    """The table of games. A row is there from the first apply on; until that has ended its seq is 0."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def version(self, game_id: str) -> Version | None:
        """Give the version of a game, None when it has no row."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT applied_seq, epoch FROM gamestate.games WHERE game_id = %s", (game_id,)
            )
            row = await cursor.fetchone()
            return Version(*row) if row else None

    async def open(self, game_id: str, sport: str, epoch: str, time: datetime) -> Version:
        """Make the row of a game that has none, and give its version, which may be another replica's."""
        async with self._pool.connection() as connection:
            await connection.execute(
                "INSERT INTO gamestate.games (game_id, sport, epoch, update_time) VALUES (%s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                (game_id, sport, epoch, time),
            )
        version = await self.version(game_id)
        if version is None:
            raise LookupError(f"{game_id} has just been deleted")
        return version

    async def applied(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Give the seq of each of these games that has a row."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT game_id, applied_seq FROM gamestate.games WHERE game_id = ANY(%s)", (list(game_ids),)
            )
            return dict(await cursor.fetchall())

    async def get(self, game_id: str) -> GetGameResponse | None:
        """Give a game's state and statistics, None when nothing of it was applied."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(binary=True)
            await cursor.execute(
                "SELECT state, statistics FROM gamestate.games WHERE game_id = %s AND applied_seq > 0", (game_id,)
            )
            row = await cursor.fetchone()
        if row is None:
            return None
        return GetGameResponse(state=GameState.FromString(row[0]), statistics=GameStatistics.FromString(row[1]))

    async def page(
        self, request: ListGamesRequest, behind: GamePosition | None, limit: int
    ) -> list[tuple[GamePosition, GameSummary]]:
        """Give games of a list, those in play first, then by their last change, newest first."""
        conditions: list[LiteralString] = ["applied_seq > 0"]
        values: list[Any] = []
        if request.team_id:
            conditions.append("(home_team_id = %s OR away_team_id = %s)")
            values += [request.team_id, request.team_id]
        if request.statuses:
            conditions.append("status = ANY(%s)")
            values.append(list(request.statuses))
        if behind:
            conditions.append("(in_play, update_time, game_id) < (%s, %s, %s)")
            values += [bool(behind.in_play), _EPOCH + timedelta(microseconds=behind.changed_us), behind.game_id]
        query = (
            "SELECT in_play, update_time, game_id, state FROM gamestate.games WHERE "
            + " AND ".join(conditions)
            + " ORDER BY in_play DESC, update_time DESC, game_id DESC LIMIT %s"
        )
        async with self._pool.connection() as connection:
            cursor = connection.cursor(binary=True)
            await cursor.execute(query, (*values, limit))
            rows = await cursor.fetchall()
        return [
            (
                GamePosition(int(in_play), (time - _EPOCH) // timedelta(microseconds=1), game_id),
                _summary(GameState.FromString(state), time),
            )
            for in_play, time, game_id, state in rows
        ]

    async def heads(self, changed_since: datetime) -> list[Head]:
        """Give the newest version of each game that is in play or changed since then, by game id."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT game_id, applied_seq, epoch, home_team_id, away_team_id, status FROM gamestate.games "
                "WHERE (in_play OR update_time >= %s) AND applied_seq > 0 ORDER BY game_id",
                (changed_since,),
            )
            rows = await cursor.fetchall()
        return [
            Head(game_id=game_id, seq=seq, epoch=epoch, team_ids=[team for team in (home, away) if team], status=status)
            for game_id, seq, epoch, home, away, status in rows
        ]


def _summary(state: GameState, update_time: datetime) -> GameSummary:
    return GameSummary(
        game_id=state.game_id,
        seq=state.seq,
        epoch=state.epoch,
        header=state.header,
        score=state.score,
        position=state.position,
        update_time=to_timestamp(update_time),
        phases=state.phases,
    )
