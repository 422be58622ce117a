"""Append to one game's log: one transaction of two round trips, under the game's row lock.

The first round trip locks the row and reads what the log knows; the second writes raw messages, events, play index and
row. The lock makes the order of commits the order of the log.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from psycopg import AsyncConnection, AsyncCursor
from psycopg.types.json import Jsonb

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.source_pb2 import Observation
from scoreline.ingestion.v1.ingestion_service_pb2 import GameResult, IngestResponse
from services.eventlog.index import GameIndex, KnownPlay, Mark
from services.eventlog.raw import Answered, Raw, insert_raw
from services.runtime.clock import now, to_timestamp


@dataclass
class Incoming:
    """What one message says of one game, on its way into the log."""

    raw: Raw
    observation: Observation
    # Number of the raw message when it was kept before, as for a document that speaks of many games; 0 keeps it here.
    raw_id: int = 0
    asked_at_us: int | None = None


@dataclass
class Appended:
    """What became of a message in one game: its answer, and the events it made (none when the answer is an earlier one)."""

    answer: IngestResponse
    events: list[Event] = field(default_factory=list[Event])


# The rules of ingestion: what a message adds, given what the log knows; brings the index up to it.
Decide = Callable[[GameIndex, Incoming], list[Event]]
# Digest of an event's content, to tell an explicit event id that comes again with other content.
DigestOf = Callable[[Event], bytes]


class RequestIdReused(ValueError):
    """A request id came again with another payload."""

    def __init__(self, request_id: str) -> None:
        super().__init__(f"request id {request_id!r} was used with another payload")
        self.request_id = request_id


class _Questions(NamedTuple):
    """Cursors of the first round trip."""

    lock: AsyncCursor[Any]
    plays: AsyncCursor[Any]
    events: AsyncCursor[Any]
    answers: AsyncCursor[Any]
    raw_ids: AsyncCursor[Any]


async def append(
    connection: AsyncConnection[Any],
    game_id: str,
    batch: Sequence[Incoming],
    decide: Decide,
    digest_of: DigestOf,
) -> list[Appended]:
    """Append what a batch of messages adds to a game that has a row, in their order.

    What `decide` raises ends the transaction, and nothing of the batch is kept. Raises RequestIdReused, and
    UniqueViolation when a request id was taken meanwhile by a message for another game.
    """
    async with connection.pipeline(), connection.transaction():
        asked = await _ask(connection, game_id, batch)
        index, log_end = await _known(game_id, asked, digest_of)
        answers = {
            (provider, request_id): Answered(*rest)
            for provider, request_id, *rest in await asked.answers.fetchall()
        }
        raw_ids = [raw_id for (raw_id,) in await asked.raw_ids.fetchall()]
        before = dict(index.plays)
        done: list[Appended] = []
        for message, raw_id in zip(batch, raw_ids, strict=True):
            key = (message.raw.provider, message.raw.request_id)
            if earlier := answers.get(key):
                done.append(_repeat(message.raw, earlier))
                continue
            events = decide(index, message)
            taken = log_end.take(events, message, message.raw_id or raw_id)
            if not message.raw_id:
                await insert_raw(connection, raw_id, message.raw, taken.answer.SerializeToString())
            if message.raw.request_id:
                answers[key] = Answered(raw_id, message.raw.digest, taken.answer.SerializeToString())
            done.append(taken)
        await _write(connection, index, before, log_end, [event for taken in done for event in taken.events])
    return done


def _repeat(raw: Raw, earlier: Answered) -> Appended:
    if earlier.digest != raw.digest:
        raise RequestIdReused(raw.request_id)
    answer = IngestResponse.FromString(earlier.answer)
    answer.repeated = True
    return Appended(answer)


async def _ask(connection: AsyncConnection[Any], game_id: str, batch: Sequence[Incoming]) -> _Questions:
    reports = [report for message in batch for report in message.observation.plays]
    # A whole play list is compared with every play that is known, a single change only with its own.
    whole = any(message.observation.complete for message in batch)
    requests = [(message.raw.provider, message.raw.request_id) for message in batch if message.raw.request_id]
    return _Questions(
        lock=await connection.execute(
            "SELECT sport, competition_id, last_seq, nullif(last_accepted_at, '-infinity'), newest_revision, "
            "newest_digest, opening_revision, opening_digest, header_changes, roster_digest, roster_changes, versions "
            "FROM log.games WHERE game_id = %s FOR UPDATE",
            (game_id,),
        ),
        plays=await connection.execute(
            "SELECT play_id, scope, revision, digest, deleted, changes FROM log.play_index "
            "WHERE game_id = %s AND (%s OR play_id = ANY(%s))",
            (game_id, whole, [] if whole else list({report.play.play_id for report in reports})),
        ),
        events=await connection.execute(
            "SELECT event FROM log.events WHERE game_id = %s AND event_id = ANY(%s)",
            (game_id, [report.event_id for report in reports if report.event_id]),
        ),
        answers=await connection.execute(
            "SELECT provider, request_id, raw_id, digest, answer FROM log.raw "
            "WHERE request_id IS NOT NULL AND (provider, request_id) IN (SELECT * FROM unnest(%s::text[], %s::text[]))",
            ([provider for provider, _ in requests], [request_id for _, request_id in requests]),
        ),
        raw_ids=await connection.execute(
            "SELECT nextval('log.raw_raw_id_seq') FROM generate_series(1, %s)", (len(batch),)
        ),
    )


async def _known(game_id: str, asked: _Questions, digest_of: DigestOf) -> tuple[GameIndex, "_LogEnd"]:
    row = await asked.lock.fetchone()
    if row is None:
        raise LookupError(f"{game_id} has no row in the log")
    sport, competition_id, last_seq, accepted_at, revision, digest, opening, opening_digest, *rest = row
    header_changes, roster_digest, roster_changes, versions = rest
    index = GameIndex(
        game_id,
        sport=sport,
        competition_id=competition_id,
        plays={play_id: KnownPlay(*known) for play_id, *known in await asked.plays.fetchall()},
        newest_header=Mark(revision, digest),
        opening_header=None if opening is None else Mark(opening, opening_digest),
        header_changes=header_changes,
        roster_digest=roster_digest,
        roster_changes=roster_changes,
        versions=versions,
    )
    for (stored,) in await asked.events.fetchall():
        event = Event.FromString(stored)
        index.event_digests[event.event_id] = digest_of(event)
    return index, _LogEnd(last_seq, accepted_at)


class _LogEnd:
    """The end of the log, which gives each new event its seq and its time."""

    def __init__(self, last_seq: int, last_accepted_at: datetime | None) -> None:
        self.last_seq = last_seq
        # Never smaller than the event before it, whatever the clock does: "as of a time" is a prefix of the log.
        self.accepted_at = max(now(), last_accepted_at) if last_accepted_at else now()

    def take(self, events: list[Event], message: Incoming, raw_id: int) -> Appended:
        first = self.last_seq + 1
        accepted_at, received_at = to_timestamp(self.accepted_at), to_timestamp(message.raw.received_at)
        for seq, event in enumerate(events, first):
            event.seq = seq
            event.source.provider, event.source.raw_id = message.raw.provider, raw_id
            event.times.accepted_at.CopyFrom(accepted_at)
            event.times.received_at.CopyFrom(received_at)
        self.last_seq += len(events)
        result = GameResult(
            game_id=message.observation.game_id,
            first_seq=first if events else 0,
            events=len(events),
            last_seq=self.last_seq,
        )
        return Appended(IngestResponse(raw_id=raw_id, games=[result]), events)


async def _write(
    connection: AsyncConnection[Any],
    index: GameIndex,
    before: dict[str, KnownPlay],
    end: _LogEnd,
    events: list[Event],
) -> None:
    if events:
        await connection.execute(
            "INSERT INTO log.events (game_id, seq, event_id, raw_id, accepted_at, event) SELECT %s, seq, id, raw, %s, event "
            "FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::bytea[]) AS new (seq, id, raw, event)",
            (
                index.game_id,
                end.accepted_at,
                [event.seq for event in events],
                [event.event_id for event in events],
                [event.source.raw_id for event in events],
                [event.SerializeToString() for event in events],
            ),
        )
    changed = [(play_id, known) for play_id, known in index.plays.items() if before.get(play_id) is not known]
    if changed:
        await connection.execute(
            "INSERT INTO log.play_index (game_id, play_id, scope, revision, digest, deleted, changes) SELECT %s, * "
            "FROM unnest(%s::text[], %s::text[], %s::text[], %s::bytea[], %s::boolean[], %s::int[]) "
            "ON CONFLICT (game_id, play_id) DO UPDATE SET scope = excluded.scope, revision = excluded.revision, "
            "digest = excluded.digest, deleted = excluded.deleted, changes = excluded.changes",
            (
                index.game_id,
                [play_id for play_id, _ in changed],
                *map(list, zip(*(known for _, known in changed), strict=True)),
            ),
        )
    opening = index.opening_header
    await connection.execute(
        "UPDATE log.games SET sport = %s, competition_id = %s, last_seq = %s, last_accepted_at = "
        "CASE WHEN %s THEN %s ELSE last_accepted_at END, newest_revision = %s, newest_digest = %s, opening_revision = %s, "
        "opening_digest = %s, header_changes = %s, roster_digest = %s, roster_changes = %s, versions = %s WHERE game_id = %s",
        (
            index.sport,
            index.competition_id,
            end.last_seq,
            bool(events),
            end.accepted_at,
            index.newest_header.revision,
            index.newest_header.digest,
            opening and opening.revision,
            opening and opening.digest,
            index.header_changes,
            index.roster_digest,
            index.roster_changes,
            Jsonb(index.versions),
            index.game_id,
        ),
    )
