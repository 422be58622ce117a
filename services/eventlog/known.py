"""What the log knows of a game, as far as a batch of messages needs it, in one statement."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from psycopg import AsyncConnection

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.source_pb2 import Observation
from services.eventlog.index import GameIndex, KnownPlay, Mark
from services.eventlog.raw import Answered, Raw
from services.runtime.db.pool import Row

_READ = """
    SELECT game.*, play.*, event.*, answer.*
    FROM (SELECT) AS one
    LEFT JOIN (
        SELECT writes, last_seq, nullif(last_accepted_at, '-infinity'), provider, sport, competition_id,
            newest_revision, newest_digest, opening_revision, opening_digest, header_changes, roster_digest,
            roster_changes, versions
        FROM log.games WHERE game_id = %(game_id)s
    ) AS game ON true
    CROSS JOIN (
        SELECT array_agg(play_id), array_agg(scope), array_agg(revision), array_agg(digest), array_agg(deleted),
            array_agg(changes)
        FROM log.play_index WHERE game_id = %(game_id)s
    ) AS play
    CROSS JOIN (
        SELECT array_agg(event) FROM log.events WHERE game_id = %(game_id)s AND event_id = ANY(%(event_ids)s)
    ) AS event
    CROSS JOIN (
        SELECT array_agg(provider), array_agg(request_id), array_agg(raw_id), array_agg(digest),
            array_agg(coalesce(answer, ''))
        FROM unnest(%(providers)s::text[], %(request_ids)s::text[]) AS asked (provider, request_id)
        JOIN log.raw USING (provider, request_id)
    ) AS answer
"""


class Message(Protocol):
    """What of a message decides what has to be known."""

    @property
    def raw(self) -> Raw: ...
    @property
    def observation(self) -> Observation: ...
    @property
    def raw_id(self) -> int: ...


@dataclass
class Known:
    """What the log knows, at one moment.

    Attributes:
        index: of all plays; the rules bring it up to what they decide.
        writes: how often the game was written to.
        last_seq, last_accepted_at: of the newest event; 0 and None before the first.
        answers: by (provider, request id), what earlier messages with the batch's request ids were answered.
    """

    index: GameIndex
    writes: int = 0
    last_seq: int = 0
    last_accepted_at: datetime | None = None
    answers: dict[tuple[str, str], Answered] = field(default_factory=dict[tuple[str, str], Answered])


async def read_known(
    connection: AsyncConnection[Row], game_id: str, batch: Sequence[Message], digest_of: Callable[[Event], bytes]
) -> Known:
    """Read what the log knows of a game; a game it does not know has 0 writes."""
    reports = [report for message in batch for report in message.observation.plays]
    asked = [message.raw for message in batch if message.raw.request_id and not message.raw_id]
    cursor = await connection.execute(
        _READ,
        {
            "game_id": game_id,
            "event_ids": [report.event_id for report in reports if report.event_id],
            "providers": [raw.provider for raw in asked],
            "request_ids": [raw.request_id for raw in asked],
        },
        binary=True,
    )
    row = await cursor.fetchone()
    assert row is not None
    return _known(game_id, row, digest_of)


def _known(game_id: str, row: Row, digest_of: Callable[[Event], bytes]) -> Known:
    game, plays, events, answers = row[:14], row[14:20], row[20], row[21:]
    index = GameIndex(game_id)
    known = Known(index)
    if game[0] is not None:
        (
            known.writes,
            known.last_seq,
            known.last_accepted_at,
            index.provider,
            index.sport,
            index.competition_id,
            *marks,
            changes,
            roster,
            rosters,
            versions,
        ) = game
        revision, digest, opening_revision, opening_digest = marks
        index.newest_header = Mark(revision, digest)
        index.opening_header = None if opening_revision is None else Mark(opening_revision, opening_digest)
        index.header_changes, index.roster_digest, index.roster_changes = changes, roster, rosters
        index.versions = versions
    if plays[0]:
        index.plays = {play_id: KnownPlay(*rest) for play_id, *rest in zip(*plays, strict=True)}
    for stored in events or ():
        event = Event.FromString(stored)
        index.event_digests[event.event_id] = digest_of(event)
    if answers[0]:
        for provider, request_id, *rest in zip(*answers, strict=True):
            known.answers[provider, request_id] = Answered(*rest)
    return known
