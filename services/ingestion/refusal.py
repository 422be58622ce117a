"""What happens to a message that cannot be used: who may be told what, and what is kept of it."""

import structlog
from prometheus_client import Counter
from psycopg.errors import UniqueViolation

from scoreline.errors.v1.reason_pb2 import Reason
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestResponse
from services.eventlog import raw as raw_store
from services.eventlog.raw import Raw
from services.ingestion.domain import compare
from services.ingestion.errors import (
    EventIdReused,
    PayloadTooLarge,
    PayloadUnreadable,
    ProviderConflict,
    RequestIdReused,
)
from services.ingestion.patience import patiently
from services.ingestion.providers import PROVIDERS, Unreadable
from services.ingestion.store import DeadLetters
from services.runtime.errors import Fault, FieldsInvalid, Internal, fault_of

log: structlog.stdlib.BoundLogger = structlog.get_logger()

_refusals = Counter("scoreline_ingestion_refusals", "Messages refused, by provider and reason.", ["provider", "reason"])
_dead_letters = Counter("scoreline_ingestion_dead_letters", "Messages kept as dead.", ["provider", "reason"])

# What is wrong with the message itself. Everything else is the sender's, or passes.
_KEPT = (PayloadTooLarge, PayloadUnreadable, FieldsInvalid, EventIdReused, ProviderConflict, Internal)


class Refusals:
    """Refuses messages."""

    def __init__(self, dead_letters: DeadLetters) -> None:
        self._dead_letters = dead_letters

    async def refuse(
        self, error: Exception, raw: Raw, deadline: float, *, game_id: str = "", raw_id: int = 0
    ) -> IngestResponse:
        """Raise the Fault that an error is for the sender, with the id of the dead letter where the message is kept.

        Gives an answer only if the same message, under the same request id, could be used before.

        Args:
            error: why the message cannot be used.
            raw: the message.
            deadline: how long to wait for the database, in the loop's time.
            game_id: the game that it would have touched, if that is known.
            raw_id: its number, if it was kept already.
        """
        fault = _fault_for(error, raw, game_id)
        if not isinstance(fault, _KEPT):
            raise fault from error
        reason = reason_of(fault)
        message = storable(f"{type(error).__name__}: {error}" if isinstance(fault, Internal) else fault.message)
        try:
            buried = await patiently(lambda: self._dead_letters.bury(raw, game_id, reason, message, raw_id), deadline)
        except Exception as error_of_store:
            raise _fault_for(error_of_store, raw, game_id) from error
        if buried.answer:
            answer = IngestResponse.FromString(buried.answer)
            answer.repeated = True
            return answer
        _dead_letters.labels(raw.provider, reason).inc()
        log.info("dead letter", provider=raw.provider, reason=reason, dead_letter_id=buried.dead_letter_id)
        fault.metadata["dead_letter_id"] = str(buried.dead_letter_id)
        raise fault from error


def count_refusal(provider: str, fault: Fault) -> None:
    """Count what was not taken; a provider that does not exist has no name of its own in the metrics."""
    _refusals.labels(provider if provider in PROVIDERS else "", reason_of(fault)).inc()


def reason_of(fault: Fault) -> str:
    """Reason of a fault as it goes over the wire."""
    return Reason.Name(fault.reason).removeprefix("REASON_")


def storable(text: str) -> str:
    """The text without what neither a message nor PostgreSQL can hold: lone surrogates and NUL."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")


def _fault_for(error: Exception, raw: Raw, game_id: str) -> Fault:
    match error:
        case Unreadable():
            return PayloadUnreadable(
                storable(str(error)), metadata={"provider": raw.provider, "path": storable(error.path)}
            )
        case compare.EventIdReused():
            return EventIdReused(str(error), metadata={"event_id": error.event_id, "game_id": game_id})
        case compare.ProviderConflict():
            return ProviderConflict(str(error), metadata={"game_id": error.game_id, "provider": error.provider})
        case compare.SportUnknown():
            field = "header.sport"
            return FieldsInvalid(str(error), metadata={"fields": field}, violations=[(field, str(error))])
        case raw_store.RequestIdReused():
            return RequestIdReused(str(error), metadata={"request_id": error.request_id})
        case UniqueViolation():
            # An id that was made for one change was given explicitly to another.
            return EventIdReused("an event id is taken by another change of the game", metadata={"game_id": game_id})
        case _:
            return fault_of(error)
