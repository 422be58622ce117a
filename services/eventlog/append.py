"""Append to one game's log: what is known, the rules, one write, and no transaction that waits for us in between.

The write moves the game's row only if nobody wrote to the game since it was known, else all is done again. It takes the
row's lock, so the order of commits is the order of the log; and a process that freezes meanwhile holds nothing. What is
known is remembered from the last write; after somebody else's, or where a constraint says that a request id or an event
id came before, it is read.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field

from psycopg import AsyncConnection
from psycopg.errors import SerializationFailure, UniqueViolation

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.source_pb2 import Observation
from scoreline.ingestion.v1.ingestion_service_pb2 import GameResult, IngestResponse
from services.eventlog.index import GameIndex
from services.eventlog.known import Known, read_known
from services.eventlog.memory import Memory
from services.eventlog.raw import Answered, Raw, RequestIdReused
from services.eventlog.write import Entries, adds_nothing, write
from services.runtime.clock import now, to_timestamp
from services.runtime.db.pool import Row

# Two more under the lock: where a game has no row yet there is nothing to lock, and others may make it.
_ATTEMPTS = 3
# The rules take longer than a frozen process may hold a row when a document has thousands of plays.
_PATIENT = "SET LOCAL idle_in_transaction_session_timeout = '2s'"


@dataclass
class Incoming:
    """What one message says of one game, on its way into the log."""

    raw: Raw
    observation: Observation
    # Number of the raw message when it was kept before, as for a document that speaks of many games; 0 keeps it here.
    raw_id: int = 0
    # When the connector asked for the document, in microseconds.
    asked_at_us: int | None = None
    # Competitions that the sender may speak of; empty is all.
    competition_ids: frozenset[str] = frozenset()


@dataclass
class Appended:
    """What became of a message in one game: its answer, and the events it made; an earlier answer has none."""

    answer: IngestResponse
    events: list[Event] = field(default_factory=list[Event])


# The rules of ingestion: what a message adds, given what the log knows; brings the index up to it.
Decide = Callable[[GameIndex, Incoming], list[Event]]
# Digest of an event's content, to tell an explicit event id that comes again with other content.
DigestOf = Callable[[Event], bytes]


async def append(
    connection: AsyncConnection[Row],
    memory: Memory,
    game_id: str,
    batch: Sequence[Incoming],
    decide: Decide,
    digest_of: DigestOf,
) -> list[Appended]:
    """Append what a batch of messages adds to a game, in their order.

    Raises RequestIdReused, what `decide` raises, and UniqueViolation when a made event id is taken; nothing of the
    batch is kept then. Raises OperationalError when the database is away, which leaves open whether it was kept.
    """
    raw_ids = await memory.numbers(connection, len(batch))
    if (known := memory.take(game_id)) is not None:
        done = await _try_remembered(connection, known, _Work(known, batch, raw_ids), decide)
        if done is not None:
            memory.keep(known)
            return done
    for attempt in range(_ATTEMPTS):
        try:
            async with connection.transaction() if attempt else nullcontext():
                if attempt:  # somebody else writes too: now under the row's lock, so that everyone's turn comes
                    await connection.execute(_PATIENT)
                    await connection.execute("SELECT FROM log.games WHERE game_id = %s FOR UPDATE", (game_id,))
                known = await read_known(connection, game_id, batch, digest_of)
                work = _Work(known, batch, raw_ids)
                done = work.take_all(decide)
                written = await write(connection, known, work.entries)
            if written:
                memory.keep(known)
                return done
        except UniqueViolation:
            # A message for another game took a request id since the read, so the next read has its answer.
            if attempt > 0:
                raise
    raise SerializationFailure(f"{game_id} is written to by too many")


async def _try_remembered(
    connection: AsyncConnection[Row], known: Known, work: "_Work", decide: Decide
) -> list[Appended] | None:
    """Decide by what is remembered and write; None when that does not hold, or the log has to be asked."""
    try:
        done = work.take_all(decide)
    except Exception:
        # Perhaps only by what is remembered: the log decides.
        return None
    if work.has_silent_ids or adds_nothing(known, work.entries):
        return None
    with suppress(UniqueViolation):
        if await write(connection, known, work.entries):
            return done
    return None


class _Work:
    """One attempt: the entries that a batch makes of what is known."""

    def __init__(self, known: Known, batch: Sequence[Incoming], raw_ids: Sequence[int]) -> None:
        self._known = known
        self._batch = batch
        self._raw_ids = raw_ids
        # Never smaller than the event before it, whatever the clock does: "as of a time" is a prefix of the log.
        accepted_at = max(now(), known.last_accepted_at) if known.last_accepted_at else now()
        self._accepted_at = to_timestamp(accepted_at)
        self.entries = Entries(accepted_at, known.last_seq, known.index.head())

    def take_all(self, decide: Decide) -> list[Appended]:
        return [self._take(message, raw_id, decide) for message, raw_id in zip(self._batch, self._raw_ids, strict=True)]

    @property
    def has_silent_ids(self) -> bool:
        """Whether an explicit event id made no event: only the log can say if it came before with other content."""
        told = self._known.index.event_digests
        return any(
            report.event_id and report.event_id not in told
            for message in self._batch
            for report in message.observation.plays
        )

    def _take(self, message: Incoming, new_raw_id: int, decide: Decide) -> Appended:
        if message.raw_id:
            return self._append(message, message.raw_id, decide)
        raw = message.raw
        earlier = self._known.answers.get((raw.provider, raw.request_id))
        if earlier and earlier.digest != raw.digest:
            raise RequestIdReused(raw.request_id)
        if earlier and earlier.answer:
            answer = IngestResponse.FromString(earlier.answer)
            answer.repeated = True
            return Appended(answer)
        # A message that was kept and not answered, such as a dead letter, keeps its number.
        raw_id = earlier.raw_id if earlier else new_raw_id
        done = self._append(message, raw_id, decide)
        stored = done.answer.SerializeToString()
        self.entries.raw.append((raw_id, raw, stored))
        if raw.request_id:
            self._known.answers[raw.provider, raw.request_id] = Answered(raw_id, raw.digest, stored)
        return done

    def _append(self, message: Incoming, raw_id: int, decide: Decide) -> Appended:
        events = decide(self._known.index, message)
        entries, raw = self.entries, message.raw
        first = entries.last_seq + 1
        received_at = to_timestamp(raw.received_at)
        for seq, event in enumerate(events, first):
            event.seq = seq
            event.source.provider, event.source.raw_id = raw.provider, raw_id
            event.times.accepted_at.CopyFrom(self._accepted_at)
            event.times.received_at.CopyFrom(received_at)
        entries.events.extend(events)
        entries.last_seq += len(events)
        result = GameResult(
            game_id=message.observation.game_id,
            first_seq=first if events else 0,
            events=len(events),
            last_seq=entries.last_seq,
        )
        return Appended(IngestResponse(raw_id=raw_id, games=[result]), events)
