"""Bring a game's row, plays and updates to what a fold has made of new events, if nobody else was faster."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from psycopg import AsyncConnection

from services.gamestate.domain.fold import Fold
from services.gamestate.store.games import IN_PLAY, Version
from services.gamestate.store.plays import PlayRow, play_row

# What changed comes as one JSON value and two arrays, because to encode an array for each column takes longer than the
# statement itself. Updates have no gap, so their number says their seq.
_ADVANCE = """
WITH moved AS (
    UPDATE gamestate.games SET applied_seq = %(seq)s, epoch = %(epoch)s, status = %(status)s, in_play = %(in_play)s,
        home_team_id = %(home_team_id)s, away_team_id = %(away_team_id)s, opening_home = %(opening_home)s,
        opening_away = %(opening_away)s, update_time = %(time)s, state = %(state)b, statistics = %(statistics)b
    WHERE game_id = %(game_id)s AND applied_seq = %(row_seq)s AND epoch = %(row_epoch)s
    RETURNING game_id
), told AS (
    INSERT INTO gamestate.updates (game_id, seq, update)
    SELECT moved.game_id, %(first_seq)s + number - 1, update
    FROM moved, unnest(%(updates)b::bytea[]) WITH ORDINALITY AS new (update, number)
), changed AS (
    INSERT INTO gamestate.plays (game_id, play_id, period, place, play_class, home_points, away_points, seq, retracted,
        late, reason, play)
    SELECT moved.game_id, new.* FROM moved, ROWS FROM (
        json_to_recordset(%(rows)s::json) AS (play_id text, period int, place bigint, play_class smallint,
            home_points int, away_points int, seq bigint, retracted boolean, late boolean, reason text),
        unnest(%(plays)b::bytea[])
    ) AS new
    ON CONFLICT (game_id, play_id) DO UPDATE SET period = excluded.period, place = excluded.place,
        play_class = excluded.play_class, home_points = excluded.home_points, away_points = excluded.away_points,
        seq = excluded.seq, retracted = excluded.retracted, late = excluded.late, reason = excluded.reason,
        play = excluded.play
)
SELECT count(*) FROM moved
"""
# The columns that come in the JSON value: all but the play itself.
_ROW = PlayRow._fields[:-1]


async def write(connection: AsyncConnection[Any], values: dict[str, Any]) -> bool:
    """Write the values of an `Advance`; False, and nothing written, if the row is not what it was."""
    cursor = await connection.execute(_ADVANCE, values)
    row = await cursor.fetchone()
    return row is not None and row[0] == 1


@dataclass(frozen=True)
class Advance:
    """A fold on its way into the tables.

    Attributes:
        row: what the row must have, or nothing is written.
        fold: what it will have.
        updates: those of the seqs up to the fold's, without a gap, serialised.
        play_ids: the plays that changed, or more.
        time: when.
    """

    row: Version
    fold: Fold
    updates: Sequence[bytes]
    play_ids: Collection[str]
    time: datetime

    async def write(self, connection: AsyncConnection[Any]) -> bool:
        """Write all of it in one statement if the row is still what it was; False, and nothing written, if not."""
        return await write(connection, self.values())

    def values(self) -> dict[str, Any]:
        """What the statement takes; to serialise a large game takes time that no transaction should wait for."""
        fold, state, header = self.fold, self.fold.state(), self.fold.header
        plays = [play_row(fold.entries[play_id]) for play_id in self.play_ids]
        return {
            "game_id": fold.game_id,
            "row_seq": self.row.seq,
            "row_epoch": self.row.epoch,
            "seq": fold.seq,
            "epoch": fold.epoch,
            "status": header.status,
            "in_play": header.status in IN_PLAY,
            "home_team_id": header.home.team_id,
            "away_team_id": header.away.team_id,
            "opening_home": sum(adjustment.points.home for adjustment in state.adjustments),
            "opening_away": sum(adjustment.points.away for adjustment in state.adjustments),
            "time": self.time,
            "state": state.SerializeToString(),
            "statistics": fold.statistics().SerializeToString(),
            "first_seq": fold.seq - len(self.updates) + 1,
            "updates": self.updates,
            "rows": orjson.dumps([dict(zip(_ROW, row, strict=False)) for row in plays]).decode(),
            "plays": [row.play for row in plays],
        }
