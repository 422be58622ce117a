"""The servicers of ingestion: they decode, call and encode."""

import asyncio
import re
import secrets
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import datetime
from typing import Any, TypeAlias

import grpc.aio

from scoreline.ingestion.v1 import dead_letter_service_pb2 as letters
from scoreline.ingestion.v1 import dead_letter_service_pb2_grpc as letters_rpc
from scoreline.ingestion.v1 import ingestion_service_pb2 as ingestion
from scoreline.ingestion.v1 import ingestion_service_pb2_grpc as ingestion_rpc
from scoreline.ingestion.v1 import provider_key_service_pb2 as keys
from scoreline.ingestion.v1 import provider_key_service_pb2_grpc as keys_rpc
from services.eventlog.log import EventLog
from services.ingestion.errors import DeadLetterNotFound, ProviderKeyNotFound, ProviderUnknown
from services.ingestion.intake import Intake
from services.ingestion.keyring import Keyring, digest_of_secret
from services.ingestion.providers import PROVIDERS
from services.ingestion.refusal import count_refusal
from services.ingestion.store import DeadLetters, ProviderKeys
from services.ingestion.stream import MessageStream
from services.runtime.auth.principal import principal
from services.runtime.clock import now, to_datetime
from services.runtime.errors import DependencyAway, Fault, FieldsInvalid, PageTokenInvalid
from services.runtime.paging import decode_token, encode_token

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"  # quoted: generic in the stubs only

# Messages that these get are validated by the intake: what is wrong with them is kept, or ends no stream.
CHECKS_ITSELF = frozenset(f"/scoreline.ingestion.v1.IngestionService/{method}" for method in ("Ingest", "IngestStream"))
_COMPETITION_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PAGE = 50


class IngestionServicer(ingestion_rpc.IngestionServiceServicer):
    """Takes messages."""

    def __init__(self, intake: Intake, keyring: Keyring, patience: float, draining: asyncio.Event) -> None:
        self._intake = intake
        self._keyring = keyring
        self._patience = patience
        self._draining = draining

    async def Ingest(self, request: ingestion.IngestRequest, context: Context) -> ingestion.IngestResponse:
        """Take one message."""
        deadline = self._deadline(context.time_remaining())
        try:
            async with asyncio.timeout_at(deadline):
                sender = await self._keyring.sender(principal(), deadline)
                return await self._intake.conclude(await self._intake.accept(sender, request, deadline))
        except TimeoutError as error:
            away = DependencyAway(
                "not done in time; send it again under the same request id",
                metadata={"dependency": "postgresql"},
                retry_after=1.0,
            )
            count_refusal(request.provider, away)
            raise away from error
        except Fault as fault:
            count_refusal(request.provider, fault)
            raise

    async def IngestStream(
        self, request_iterator: AsyncIterator[ingestion.IngestStreamRequest], context: Context
    ) -> AsyncGenerator[ingestion.IngestStreamResponse]:
        """Take messages one after another."""
        caller = principal()
        stream = MessageStream(
            self._intake,
            request_iterator,
            authenticate=lambda: self._keyring.sender(caller, self._deadline(None)),
            deadline=lambda: self._deadline(None),
        )
        async for acknowledgement in stream.acknowledgements(self._draining):
            yield acknowledgement

    def _deadline(self, remaining: float | None) -> float:
        """Until when a message waits, in the loop's time: a little less than the call, to be able to say so."""
        patience = self._patience if remaining is None else min(self._patience, remaining * 0.9)
        return asyncio.get_running_loop().time() + patience


class ProviderKeyServicer(keys_rpc.ProviderKeyServiceServicer):
    """Makes and ends keys."""

    def __init__(self, store: ProviderKeys, keyring: Keyring) -> None:
        self._store = store
        self._keyring = keyring

    async def CreateProviderKey(
        self, request: keys.CreateProviderKeyRequest, context: Context
    ) -> keys.CreateProviderKeyResponse:
        """Make a key."""
        if request.provider not in PROVIDERS:
            known = ", ".join(sorted(PROVIDERS))
            raise ProviderUnknown(
                f"there is no provider {request.provider}", metadata={"provider": request.provider, "known": known}
            )
        for number, competition_id in enumerate(request.competition_ids):
            if not _COMPETITION_ID.fullmatch(competition_id):
                raise _invalid(f"competition_ids[{number}]", "must be 1 to 64 letters, digits, - and _")
        expire_time = _future(request)
        secret = secrets.token_urlsafe(32)
        key = keys.ProviderKey(
            key_id=secrets.token_hex(8), provider=request.provider, competition_ids=request.competition_ids
        )
        made = await self._store.add(key, digest_of_secret(secret), expire_time)
        return keys.CreateProviderKeyResponse(key=made, secret=secret)

    async def ListProviderKeys(
        self, request: keys.ListProviderKeysRequest, context: Context
    ) -> keys.ListProviderKeysResponse:
        """List all keys."""
        return keys.ListProviderKeysResponse(keys=await self._store.all())

    async def RevokeProviderKey(
        self, request: keys.RevokeProviderKeyRequest, context: Context
    ) -> keys.RevokeProviderKeyResponse:
        """End a key."""
        key = None if "\0" in request.key_id else await self._store.revoke(request.key_id)
        if key is None:
            raise ProviderKeyNotFound(f"there is no key {request.key_id!r}", metadata={"key_id": request.key_id})
        self._keyring.forget()
        return keys.RevokeProviderKeyResponse(key=key)


class DeadLetterServicer(letters_rpc.DeadLetterServiceServicer):
    """Shows what could not be used."""

    def __init__(self, store: DeadLetters, event_log: EventLog) -> None:
        self._store = store
        self._log = event_log

    async def ListDeadLetters(
        self, request: letters.ListDeadLettersRequest, context: Context
    ) -> letters.ListDeadLettersResponse:
        """List them, newest first."""
        if request.provider and request.provider not in PROVIDERS:
            raise _invalid("provider", "is none that there is an adapter for")
        size = request.page_size or _PAGE
        found = await self._store.page(request.provider, _position(request), size + 1)
        more = len(found) > size
        return letters.ListDeadLettersResponse(
            dead_letters=found[:size],
            next_page_token=encode_token(request, (found[size - 1].dead_letter_id,)) if more else "",
        )

    async def GetDeadLetter(
        self, request: letters.GetDeadLetterRequest, context: Context
    ) -> letters.GetDeadLetterResponse:
        """Show one."""
        letter = await self._store.get(request.dead_letter_id)
        payload = await self._log.payload(letter.raw_id) if letter else None
        if letter is None or payload is None:
            raise DeadLetterNotFound(
                f"there is no dead letter {request.dead_letter_id}",
                metadata={"dead_letter_id": str(request.dead_letter_id)},
            )
        return letters.GetDeadLetterResponse(dead_letter=letter, payload=payload)


def _future(request: keys.CreateProviderKeyRequest) -> datetime | None:
    if not request.HasField("expire_time"):
        return None
    try:
        expire_time = to_datetime(request.expire_time)
    except ValueError as error:
        raise _invalid("expire_time", "is not between the years 1 and 9999") from error
    if expire_time <= now():
        raise _invalid("expire_time", "is over")
    return expire_time


def _position(request: letters.ListDeadLettersRequest) -> int | None:
    match decode_token(request, request.page_token):
        case None:
            return None
        case (int() as before,):
            return before
        case _:
            raise PageTokenInvalid("the page token is not one of this list's", metadata={"field": "page_token"})


def _invalid(field: str, why: str) -> FieldsInvalid:
    return FieldsInvalid(f"{field}: {why}", metadata={"fields": field}, violations=[(field, why)])
