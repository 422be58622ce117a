"""Who sends, told from the key that a call came with."""

import asyncio
import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from scoreline.ingestion.v1.provider_key_service_pb2 import ProviderKey
from services.ingestion.patience import patiently
from services.ingestion.store import ProviderKeys
from services.runtime.auth.principal import Principal, PrincipalKind
from services.runtime.clock import now, to_timestamp
from services.runtime.errors import KeyInvalid, KeyMissing

# Unknown keys are remembered too, so that a connector with a wrong one does not occupy the database.
_MOST_REMEMBERED = 10_000


@dataclass(frozen=True)
class Sender:
    """What a caller may send: for one provider, or any for None; of some competitions, or any when none is named."""

    provider: str | None
    competition_ids: frozenset[str] = frozenset()


_OPERATOR = Sender(None)


class _Remembered(NamedTuple):
    key: ProviderKey | None
    sender: Sender | None
    until: float  # in the loop's time


class Keyring:
    """Looks keys up and remembers them for some seconds."""

    def __init__(self, keys: ProviderKeys, cache_s: float) -> None:
        self._keys = keys
        self._cache_s = cache_s
        self._remembered: dict[bytes, _Remembered] = {}

    async def sender(self, caller: Principal, deadline: float) -> Sender:
        """Tell who the caller is. Raises KeyMissing and KeyInvalid."""
        if caller.kind is PrincipalKind.OPERATOR:
            return _OPERATOR
        if not caller.bearer:
            raise KeyMissing("the call needs a key as `authorization: Bearer <key>`")
        digest = digest_of_secret(caller.bearer)
        found = self._remembered.get(digest)
        if found is None or found.until <= asyncio.get_running_loop().time():
            found = await self._look_up(digest, deadline)
        key, sender = found.key, found.sender
        ended = key is not None and (
            key.HasField("revoke_time") or (key.HasField("expire_time") and _is_over(key.expire_time))
        )
        if sender is None or ended:
            raise KeyInvalid("the key is not known, was revoked or has expired")
        return sender

    def forget(self) -> None:
        """Look every key up again, since one was revoked."""
        self._remembered.clear()

    async def _look_up(self, digest: bytes, deadline: float) -> _Remembered:
        # From before the question, so that a revocation meanwhile is not remembered away.
        until = asyncio.get_running_loop().time() + self._cache_s
        key = await patiently(lambda: self._keys.find(digest), deadline)
        if len(self._remembered) >= _MOST_REMEMBERED:
            self._remembered.clear()
        sender = Sender(key.provider, frozenset(key.competition_ids)) if key else None
        found = self._remembered[digest] = _Remembered(key, sender, until)
        return found


def digest_of_secret(secret: str) -> bytes:
    """What is kept of a secret. It is random and long, so that a plain digest cannot be turned back."""
    return hashlib.sha256(secret.encode()).digest()


def _is_over(time: Timestamp) -> bool:
    present = to_timestamp(now())
    return (time.seconds, time.nanos) <= (present.seconds, present.nanos)
