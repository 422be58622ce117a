"""Bring a game's row, plays and updates to what a fold has made of new events, if nobody else was faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import AsyncConnection

from services.gamestate.domain.fold import Fold
from services.gamestate.store.games import IN_PLAY, Version
from services.gamestate.store.plays import play_row

_ADVANCE = """
WITH moved AS (
    UPDATE gamestate.games SET applied_seq = %s, epoch = %s, status = %s, in_play = %s, home_team_id = %s,
        away_team_id = %s, opening_home = %s, opening_away = %s, update_time = %s, state = %b, statistics = %b
    WHERE game_id = %s AND applied_seq = %s AND epoch = %s
    RETURNING game_id
), told AS (
    INSERT INTO gamestate.updates (game_id, seq, update)
    SELECT moved.game_id, new.* FROM moved, unnest(%s::bigint[], %b::bytea[]) AS new
), changed AS (
    INSERT INTO gamestate.plays (game_id, play_id, period, place, play_class, home_points, away_points, seq, retracted,
        late, reason, play)
    SELECT moved.game_id, new.* FROM moved, unnest(%s::text[], %s::int[], %s::bigint[], %s::smallint[], %s::int[],
        %s::int[], %s::bigint[], %s::boolean[], %s::boolean[], %s::text[], %b::bytea[]) AS new
    ON CONFLICT (game_id, play_id) DO UPDATE SET period = excluded.period, place = excluded.place,
        play_class = excluded.play_class, home_points = excluded.home_points, away_points = excluded.away_points,
        seq = excluded.seq, retracted = excluded.retracted, late = excluded.late, reason = excluded.reason,
        play = excluded.play
)
SELECT count(*) FROM moved
"""
_PLAY_COLUMNS = 11


@dataclass(frozen=True)
class Advance:
    """A fold with the updates of what it has taken since `row`, (seq, serialised), and the plays that changed."""

    row: Version
    fold: Fold
    updates: Sequence[tuple[int, bytes]]
    play_ids: Sequence[str]
    time: datetime

    async def write(self, connection: AsyncConnection[Any]) -> bool:
        """Write all of it in one statement if the row is still what it was; False, and nothing written, if not."""
        cursor = await connection.execute(_ADVANCE, (*self._game(), *self._where(), *self._updates(), *self._plays()))
        row = await cursor.fetchone()
        return row is not None and row[0] == 1

    def _game(self) -> tuple[Any, ...]:
        state, header = self.fold.state(), self.fold.header
        return (
            self.fold.seq,
            self.fold.epoch,
            header.status,
            header.status in IN_PLAY,
            header.home.team_id,
            header.away.team_id,
            sum(adjustment.points.home for adjustment in state.adjustments),
            sum(adjustment.points.away for adjustment in state.adjustments),
            self.time,
            state.SerializeToString(),
            self.fold.statistics().SerializeToString(),
        )

    def _where(self) -> tuple[Any, ...]:
        return self.fold.game_id, self.row.seq, self.row.epoch

    def _updates(self) -> tuple[list[Any], list[Any]]:
        return [seq for seq, _ in self.updates], [update for _, update in self.updates]

    def _plays(self) -> list[list[Any]]:
        rows = [play_row(self.fold.entries[play_id]) for play_id in self.play_ids]
        return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(_PLAY_COLUMNS)]
