"""Write what a batch of messages adds to a game: one statement, all of it or nothing."""

from dataclasses import dataclass, field
from datetime import datetime

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from scoreline.game.v1.event_pb2 import Event
from services.eventlog.known import Known
from services.eventlog.raw import Raw
from services.runtime.db.pool import Row

_WRITE = """
    WITH moved AS (
        INSERT INTO log.games AS game (
            game_id, writes, last_seq, last_accepted_at, provider, sport, competition_id, newest_revision,
            newest_digest, opening_revision, opening_digest, header_changes, roster_digest, roster_changes, versions
        ) SELECT
            %(game_id)s, %(writes)s + 1, %(last_seq)s, coalesce(%(last_accepted_at)s, '-infinity'::timestamptz),
            %(provider)s, %(sport)s, %(competition_id)s, %(newest_revision)s, %(newest_digest)s, %(opening_revision)s,
            %(opening_digest)s, %(header_changes)s, %(roster_digest)s, %(roster_changes)s, %(versions)s
        WHERE %(writes)s = 0 OR EXISTS (SELECT FROM log.games WHERE game_id = %(game_id)s)
        ON CONFLICT (game_id) DO UPDATE SET
            writes = excluded.writes, last_seq = excluded.last_seq, last_accepted_at = excluded.last_accepted_at,
            provider = excluded.provider, sport = excluded.sport, competition_id = excluded.competition_id,
            newest_revision = excluded.newest_revision, newest_digest = excluded.newest_digest,
            opening_revision = excluded.opening_revision, opening_digest = excluded.opening_digest,
            header_changes = excluded.header_changes, roster_digest = excluded.roster_digest,
            roster_changes = excluded.roster_changes, versions = excluded.versions
        WHERE game.writes = %(writes)s AND game.last_seq = %(known_seq)s
        RETURNING game_id
    ), raw AS (
        INSERT INTO log.raw (
            raw_id, provider, request_id, received_at, typed, digest, payload, answer, size_bytes
        )
        SELECT new.*, length(new.payload) FROM moved, unnest(
            %(raw_ids)b::bigint[], %(providers)b::text[], %(request_ids)b::text[], %(received_at)b::timestamptz[],
            %(typed)b::boolean[], %(digests)b::bytea[], %(payloads)b::bytea[], %(answers)b::bytea[]
        ) AS new (raw_id, provider, request_id, received_at, typed, digest, payload, answer)
        ON CONFLICT (raw_id) DO UPDATE SET answer = excluded.answer WHERE raw.answer IS NULL
    ), event AS (
        INSERT INTO log.events (game_id, accepted_at, seq, event_id, raw_id, event)
        SELECT game_id, %(accepted_at)s, new.* FROM moved, unnest(
            %(seqs)b::bigint[], %(event_ids)b::text[], %(event_raw_ids)b::bigint[], %(events)b::bytea[]
        ) AS new
    ), play AS (
        INSERT INTO log.play_index (game_id, provider, play_id, scope, revision, digest, deleted, changes)
        SELECT game_id, %(provider)s, new.* FROM moved, unnest(
            %(play_ids)b::text[], %(scopes)b::text[], %(revisions)b::text[], %(play_digests)b::bytea[],
            %(deleted)b::boolean[], %(changes)b::int[]
        ) AS new
        ON CONFLICT (game_id, provider, play_id) DO UPDATE SET
            scope = excluded.scope, revision = excluded.revision, digest = excluded.digest,
            deleted = excluded.deleted, changes = excluded.changes
    )
    SELECT count(*) FROM moved
"""


@dataclass
class Entries:
    """What a batch adds to a game.

    Attributes:
        accepted_at: time of the events.
        last_seq: of the newest event.
        head: what the index was, its plays apart, before the batch.
        raw: number, message and serialised answer of each message to keep.
        events: new ones, in order.
    """

    accepted_at: datetime
    last_seq: int
    head: tuple[object, ...]
    raw: list[tuple[int, Raw, bytes]] = field(default_factory=list[tuple[int, Raw, bytes]])
    events: list[Event] = field(default_factory=list[Event])


def adds_nothing(known: Known, entries: Entries) -> bool:
    """Whether there is nothing to write, not even a revision: then `write` asks the log nothing either."""
    return not entries.raw and not entries.events and not known.index.learned and known.index.head() == entries.head


async def write(connection: AsyncConnection[Row], known: Known, entries: Entries) -> bool:
    """Write the entries and what the rules made of the index; False when somebody wrote to the game meanwhile.

    Brings `known` up to what was written.
    Raises UniqueViolation when a request id or an event id is taken.
    """
    if adds_nothing(known, entries):
        return True
    cursor = await connection.execute(
        _WRITE, {**_game_row(known, entries), **_raw_rows(entries), **_event_rows(entries), **_play_rows(known)}
    )
    row = await cursor.fetchone()
    if row is None or row[0] != 1:
        return False
    known.writes += 1
    known.last_seq = entries.last_seq
    if entries.events:
        known.last_accepted_at = entries.accepted_at
    return True


def _game_row(known: Known, entries: Entries) -> dict[str, object]:
    index = known.index
    opening = index.opening_header
    return {
        "game_id": index.game_id,
        "writes": known.writes,
        "known_seq": known.last_seq,
        "last_seq": entries.last_seq,
        "last_accepted_at": entries.accepted_at if entries.events else known.last_accepted_at,
        "accepted_at": entries.accepted_at,
        "provider": index.provider,
        "sport": index.sport,
        "competition_id": index.competition_id,
        "newest_revision": index.newest_header.revision,
        "newest_digest": index.newest_header.digest,
        "opening_revision": opening and opening.revision,
        "opening_digest": opening and opening.digest,
        "header_changes": index.header_changes,
        "roster_digest": index.roster_digest,
        "roster_changes": index.roster_changes,
        "versions": Jsonb(index.versions),
    }


def _raw_rows(entries: Entries) -> dict[str, object]:
    kept = [raw for _, raw, _ in entries.raw]
    return {
        "raw_ids": [raw_id for raw_id, _, _ in entries.raw],
        "providers": [raw.provider for raw in kept],
        "request_ids": [raw.request_id or None for raw in kept],
        "received_at": [raw.received_at for raw in kept],
        "typed": [raw.typed for raw in kept],
        "digests": [raw.digest for raw in kept],
        "payloads": [raw.payload for raw in kept],
        "answers": [answer for _, _, answer in entries.raw],
    }


def _event_rows(entries: Entries) -> dict[str, object]:
    return {
        "seqs": [event.seq for event in entries.events],
        "event_ids": [event.event_id for event in entries.events],
        "event_raw_ids": [event.source.raw_id for event in entries.events],
        "events": [event.SerializeToString() for event in entries.events],
    }


def _play_rows(known: Known) -> dict[str, object]:
    changed = known.index.learned
    scopes, revisions, digests, deleted, changes = (
        map(list, zip(*changed.values(), strict=True)) if changed else ([],) * 5
    )
    return {
        "play_ids": list(changed),
        "scopes": scopes,
        "revisions": revisions,
        "play_digests": digests,
        "deleted": deleted,
        "changes": changes,
    }
