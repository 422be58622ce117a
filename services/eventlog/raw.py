"""Raw messages as they came from providers."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b

from psycopg import AsyncConnection

# Above this a payload is kept in parts; it is also the most that ingestion reads.
PAYLOAD_LIMIT = 4 * 1024 * 1024
_PART = 1024 * 1024


@dataclass(frozen=True)
class Raw:
    """One message: `payload` byte for byte; of typed events (`typed`) the serialised observation."""

    provider: str
    request_id: str
    received_at: datetime
    typed: bool
    payload: bytes

    @cached_property
    def digest(self) -> bytes:
        """Digest of the payload, to tell a repeated request from one that reuses its id."""
        return blake2b(self.payload, digest_size=16).digest()


@dataclass(frozen=True)
class Answered:
    """What an earlier message with the same request id was answered; empty while it was not yet."""

    raw_id: int
    digest: bytes
    answer: bytes


async def insert_raw(connection: AsyncConnection, raw_id: int, raw: Raw, answer: bytes | None) -> None:
    """Keep a message under a number taken before. Raises UniqueViolation when the request id is taken."""
    whole = len(raw.payload) <= PAYLOAD_LIMIT
    await connection.execute(
        "INSERT INTO log.raw (raw_id, provider, request_id, received_at, typed, digest, size_bytes, payload, answer) "
        "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (
            raw_id,
            raw.provider,
            raw.request_id or None,
            raw.received_at,
            raw.typed,
            raw.digest,
            len(raw.payload),
            raw.payload if whole else None,
            answer,
        ),
    )
    if whole:
        return
    for part, start in enumerate(range(0, len(raw.payload), _PART)):
        await connection.execute(
            "INSERT INTO log.raw_chunks (raw_id, part, bytes) VALUES (%s, %s, %s)",
            (raw_id, part, raw.payload[start : start + _PART]),
        )


async def read_payload(connection: AsyncConnection, raw_id: int) -> bytes | None:
    """Give a message's bytes, None when there is no such message."""
    cursor = await connection.execute("SELECT payload FROM log.raw WHERE raw_id = %s", (raw_id,))
    row = await cursor.fetchone()
    if row is None or row[0] is not None:
        return bytes(row[0]) if row else None
    cursor = await connection.execute(
        "SELECT bytes FROM log.raw_chunks WHERE raw_id = %s ORDER BY part", (raw_id,)
    )
    return b"".join([part async for (part,) in cursor])
