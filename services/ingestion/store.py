"""Ingestion's own tables: providers' keys, and the dead letters."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from scoreline.ingestion.v1.dead_letter_service_pb2 import DeadLetter
from scoreline.ingestion.v1.provider_key_service_pb2 import ProviderKey
from services.eventlog.raw import Raw, keep_raw
from services.runtime.clock import to_timestamp
from services.runtime.db.pool import Pool, Row

_KEY = "key_id, provider, competition_ids, create_time, expire_time, revoke_time"
_LETTER = "dead_letter_id, provider, game_id, reason, message, receive_time, raw_id, size_bytes"


@dataclass(frozen=True)
class Buried:
    """A dead letter; or what its message was answered before, when it could still be used."""

    dead_letter_id: int
    answer: bytes = b""


class ProviderKeys:
    """The keys, each with the SHA-256 of its secret."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def add(self, key: ProviderKey, secret_digest: bytes, expire_time: datetime | None) -> ProviderKey:
        """Keep a new key and give it with the time it was made."""
        return _key(
            await self._one(
                "INSERT INTO ingestion.provider_keys "
                "(key_id, provider, competition_ids, secret_digest, create_time, expire_time) "
                f"VALUES (%s, %s, %s, %s, now(), %s) RETURNING {_KEY}",
                (key.key_id, key.provider, list(key.competition_ids), secret_digest, expire_time),
            )
        )

    async def find(self, secret_digest: bytes) -> ProviderKey | None:
        """Give the key of a secret, also one that has ended; None when there is none."""
        row = await self._one_or_none(
            f"SELECT {_KEY} FROM ingestion.provider_keys WHERE secret_digest = %s", (secret_digest,)
        )
        return _key(row) if row else None

    async def revoke(self, key_id: str) -> ProviderKey | None:
        """End a key, or leave it ended as it is; None when there is none."""
        row = await self._one_or_none(
            "UPDATE ingestion.provider_keys SET revoke_time = coalesce(revoke_time, now()) "
            f"WHERE key_id = %s RETURNING {_KEY}",
            (key_id,),
        )
        return _key(row) if row else None

    async def all(self) -> list[ProviderKey]:
        """Give every key, the newest first."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"SELECT {_KEY} FROM ingestion.provider_keys ORDER BY create_time DESC, key_id"
            )
            return [_key(row) async for row in cursor]

    async def _one(self, query: LiteralString, values: Sequence[object]) -> Row:
        row = await self._one_or_none(query, values)
        assert row is not None
        return row

    async def _one_or_none(self, query: LiteralString, values: Sequence[object]) -> Row | None:
        async with self._pool.connection() as connection:
            return await (await connection.execute(query, values)).fetchone()


class DeadLetters:
    """What could not be used; the bytes are in the log's raw store."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def bury(self, raw: Raw, game_id: str, reason: str, message: str, raw_id: int = 0) -> Buried:
        """Keep a message and why it could not be used, in one commit; `raw_id` is its number if it was kept before.

        The same message again, under the same request id, is the same dead letter. Raises RequestIdReused.
        """
        async with self._pool.connection() as connection, connection.transaction():
            if not raw_id:
                kept = await keep_raw(connection, raw)
                if kept.answer:
                    return Buried(0, kept.answer)
                raw_id = kept.raw_id
            cursor = await connection.execute(
                "INSERT INTO ingestion.dead_letters "
                "(raw_id, provider, game_id, reason, message, receive_time, size_bytes) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s) "
                "ON CONFLICT (raw_id) DO UPDATE SET raw_id = excluded.raw_id RETURNING dead_letter_id",
                (raw_id, raw.provider, game_id, reason, message, raw.received_at, len(raw.payload)),
            )
            row = await cursor.fetchone()
            assert row is not None
            return Buried(row[0])

    async def page(self, provider: str, before: int | None, size: int) -> list[DeadLetter]:
        """Give at most `size` dead letters with ids below `before`, the newest first; of all providers for ""."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"SELECT {_LETTER} FROM ingestion.dead_letters "
                f"WHERE dead_letter_id < %s {'AND provider = %s' if provider else ''} "
                "ORDER BY dead_letter_id DESC LIMIT %s",
                (before or 2**63 - 1, *([provider] if provider else []), size),
            )
            return [_letter(row) async for row in cursor]

    async def get(self, dead_letter_id: int) -> DeadLetter | None:
        """Give one, None when there is none."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                f"SELECT {_LETTER} FROM ingestion.dead_letters WHERE dead_letter_id = %s", (dead_letter_id,)
            )
            row = await cursor.fetchone()
            return _letter(row) if row else None


def _key(row: Row) -> ProviderKey:
    key_id, provider, competition_ids, create_time, expire_time, revoke_time = row
    return ProviderKey(
        key_id=key_id,
        provider=provider,
        competition_ids=competition_ids,
        create_time=to_timestamp(create_time),
        expire_time=expire_time and to_timestamp(expire_time),
        revoke_time=revoke_time and to_timestamp(revoke_time),
    )


def _letter(row: Row) -> DeadLetter:
    dead_letter_id, provider, game_id, reason, message, receive_time, raw_id, size_bytes = row
    return DeadLetter(
        dead_letter_id=dead_letter_id,
        provider=provider,
        game_id=game_id,
        reason=reason,
        message=message,
        receive_time=to_timestamp(receive_time),
        raw_id=raw_id,
        size_bytes=size_bytes,
    )
