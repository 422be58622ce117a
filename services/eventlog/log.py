"""The log as its readers and writers see it."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from scoreline.game.v1.event_pb2 import Event
from services.eventlog.append import Appended, Decide, DigestOf, Incoming, append
from services.eventlog.memory import Memory
from services.eventlog.raw import Answered, Raw, keep_raw, read_payload
from services.runtime.db.pool import Pool


class LogHead(NamedTuple):
    """Newest entry of a game's log."""

    game_id: str
    last_seq: int


class EventLog:
    """The log of all games, in PostgreSQL."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._memory = Memory()

    async def append(
        self, game_id: str, batch: Sequence[Incoming], decide: Decide, digest_of: DigestOf
    ) -> list[Appended]:
        """Append what a batch of messages adds to one game; see `services.eventlog.append.append`."""
        async with self._pool.connection() as connection:
            return await append(connection, self._memory, game_id, batch, decide, digest_of)

    async def keep(self, raw: Raw) -> Answered:
        """Keep a raw message apart from any game; see `services.eventlog.raw.keep_raw`."""
        async with self._pool.connection() as connection, connection.transaction():
            return await keep_raw(connection, raw)

    async def answer(self, raw_id: int, answer: bytes) -> bytes:
        """Set the answer of a message that was kept before, if it has none, and give the one that it has now."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "UPDATE log.raw SET answer = coalesce(answer, %s) WHERE raw_id = %s RETURNING answer", (answer, raw_id)
            )
            row = await cursor.fetchone()
            if row is None:
                raise LookupError(f"there is no raw message {raw_id}")
            return row[0]

    async def payload(self, raw_id: int) -> bytes | None:
        """Give a raw message byte for byte, None when there is no such message."""
        async with self._pool.connection() as connection:
            return await read_payload(connection, raw_id)

    async def read(self, game_id: str, after_seq: int, limit: int) -> list[Event]:
        """Give at most `limit` events of a game behind a seq, in order."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT event FROM log.events WHERE game_id = %s AND seq > %s ORDER BY seq LIMIT %s",
                (game_id, after_seq, limit),
                binary=True,
            )
            return [Event.FromString(event) for (event,) in await cursor.fetchall()]

    async def heads(self, since: datetime | None = None) -> list[LogHead]:
        """Give the newest seq of every game that has events, or of those that took one since then."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT game_id, last_seq FROM log.games WHERE last_seq > 0 AND last_accepted_at >= "
                "coalesce(%s::timestamptz, '-infinity')",
                (since,),
            )
            return [LogHead(*row) for row in await cursor.fetchall()]
