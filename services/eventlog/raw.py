"""Raw messages as they came from providers."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import blake2b

from psycopg import AsyncConnection

from services.runtime.db.pool import Row

# Above this a payload is kept in parts; it is also the most that ingestion reads.
PAYLOAD_LIMIT = 4 * 1024 * 1024
_PART = 1024 * 1024


class RequestIdReused(ValueError):
    """A request id came again with another payload."""

    def __init__(self, request_id: str) -> None:
        super().__init__(f"request id {request_id!r} was used with another payload")
        self.request_id = request_id


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


async def keep_raw(connection: AsyncConnection[Row], raw: Raw) -> Answered:
    """Keep a message without an answer, inside the caller's transaction; one that was kept before stays as it is.

    Gives its number, and the answer where it was kept and answered before. Raises RequestIdReused.
    """
    whole = len(raw.payload) <= PAYLOAD_LIMIT
    cursor = await connection.execute(
        "INSERT INTO log.raw (provider, request_id, received_at, typed, digest, size_bytes, payload) "
        "VALUES (%s, %s, %s, %s, %s, %s, %b) ON CONFLICT (provider, request_id) DO NOTHING RETURNING raw_id",
        (
            raw.provider,
            raw.request_id or None,
            raw.received_at,
            raw.typed,
            raw.digest,
            len(raw.payload),
            raw.payload if whole else None,
        ),
    )
    row = await cursor.fetchone()
    if row is None:
        return await _kept_before(connection, raw)
    if not whole:
        for part, start in enumerate(range(0, len(raw.payload), _PART)):
            await connection.execute(
                "INSERT INTO log.raw_chunks (raw_id, part, bytes) VALUES (%s, %s, %b)",
                (row[0], part, raw.payload[start : start + _PART]),
            )
    return Answered(row[0], raw.digest, b"")


async def _kept_before(connection: AsyncConnection[Row], raw: Raw) -> Answered:
    cursor = await connection.execute(
        "SELECT raw_id, digest, coalesce(answer, '') FROM log.raw WHERE provider = %s AND request_id = %s",
        (raw.provider, raw.request_id),
    )
    row = await cursor.fetchone()
    assert row is not None
    earlier = Answered(*row)
    if earlier.digest != raw.digest:
        raise RequestIdReused(raw.request_id)
    return earlier


async def read_payload(connection: AsyncConnection[Row], raw_id: int) -> bytes | None:
    """Give a message's bytes, None when there is no such message."""
    cursor = await connection.execute("SELECT payload FROM log.raw WHERE raw_id = %s", (raw_id,), binary=True)
    row = await cursor.fetchone()
    if row is None:
        return None
    if row[0] is not None:
        return bytes(row[0])
    cursor = await connection.execute(
        "SELECT bytes FROM log.raw_chunks WHERE raw_id = %s ORDER BY part", (raw_id,), binary=True
    )
    return b"".join([part async for (part,) in cursor])
