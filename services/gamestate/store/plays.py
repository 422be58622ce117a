"""Plays in their newest form."""

from dataclasses import dataclass
from typing import Any, LiteralString, NamedTuple

from scoreline.game.v1.header_pb2 import Score
from scoreline.game.v1.play_pb2 import Play
from scoreline.game.v1.state_pb2 import TimelineEntry
from services.gamestate.domain.fold import Entry
from services.gamestate.domain.place import Place
from services.gamestate.domain.tally import counted_points_of
from services.runtime.db.pool import Pool


class PlayRow(NamedTuple):
    """A row of the table, but for the game."""

    play_id: str
    period: int
    place: int
    play_class: int
    home_points: int  # what it adds to the running score: nothing when retracted or in a phase that stands apart
    away_points: int
    seq: int
    retracted: bool
    late: bool
    reason: str
    play: bytes


def play_row(entry: Entry) -> PlayRow:
    """Give the row of a play as a fold knows it."""
    home, away = (0, 0) if entry.retracted else counted_points_of(entry.play)
    period, place, play_id = entry.place
    return PlayRow(
        play_id,
        period,
        place,
        entry.play.play_class,
        home,
        away,
        entry.seq,
        entry.retracted,
        entry.late,
        entry.reason.replace("\0", ""),  # which PostgreSQL does not take in a text
        entry.play.SerializeToString(),
    )


@dataclass(frozen=True)
class PlayQuery:
    """Which plays of a game: at most `limit`, behind a place in the direction asked for, of these classes if any."""

    game_id: str
    behind: Place | None
    limit: int
    descending: bool = False
    retracted: bool = False
    play_classes: tuple[int, ...] = ()


class PlayPage(NamedTuple):
    """Plays with their places and running scores, and the version they belong to."""

    plays: list[tuple[Place, TimelineEntry]]
    seq: int


class Plays:
    """The table of plays."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def page(self, query: PlayQuery) -> PlayPage | None:
        """Give plays in order of the game, None for a game of which nothing was applied."""
        statement, values = _statement(query)
        async with self._pool.connection() as connection:
            cursor = connection.cursor(binary=True)
            await cursor.execute(statement, values)
            rows = await cursor.fetchall()
        if not rows:
            return None
        return PlayPage([_entry(*row[1:]) for row in rows if row[1] is not None], rows[0][0])


def _entry(
    period: int,
    order: int,
    play_id: str,
    home: int,
    away: int,
    seq: int,
    retracted: bool,
    reason: str,
    late: bool,
    play: bytes,
) -> tuple[Place, TimelineEntry]:
    score = Score(home=home, away=away)
    entry = TimelineEntry(
        play=Play.FromString(play), score=score, seq=seq, retracted=retracted, reason=reason, late=late
    )
    return Place(period, order, play_id), entry


def _statement(query: PlayQuery) -> tuple[LiteralString, list[Any]]:
    """One statement, so that scores, plays and version are of one moment."""
    conditions: list[LiteralString] = ["true"]
    values: list[Any] = [query.game_id]
    if not query.retracted:
        conditions.append("NOT retracted")
    if query.play_classes:
        conditions.append("play_class = ANY(%s)")
        values.append(list(query.play_classes))
    if query.behind:
        comparison: LiteralString = "<" if query.descending else ">"
        conditions.append("(period, place, play_id) " + comparison + " (%s, %s, %s)")
        values += query.behind
    direction: LiteralString = " DESC" if query.descending else ""
    order = "page.period" + direction + ", page.place" + direction + ", page.play_id" + direction
    statement = (
        "WITH running AS ("
        " SELECT *, sum(home_points) OVER timeline AS home, sum(away_points) OVER timeline AS away"
        " FROM gamestate.plays WHERE game_id = %s WINDOW timeline AS (ORDER BY period, place, play_id)"
        "), page AS ("
        " SELECT * FROM running AS page WHERE " + " AND ".join(conditions) + " ORDER BY " + order + " LIMIT %s"
        ") SELECT games.applied_seq, page.period, page.place, page.play_id,"
        " (page.home + games.opening_home)::int, (page.away + games.opening_away)::int,"
        " page.seq, page.retracted, page.reason, page.late, page.play"
        " FROM gamestate.games LEFT JOIN page ON true"
        " WHERE games.game_id = %s AND games.applied_seq > 0 ORDER BY " + order
    )
    return statement, [*values, query.limit, query.game_id]
