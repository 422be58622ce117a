"""Errors that leave a service: one small class a reason, each with its code, and their form on the wire.

A service's own are in its `errors.py`; the reasons are in `scoreline.errors.v1`.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import grpc
import nats.errors
import psycopg
import structlog
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]

from scoreline.errors.v1.reason_pb2 import Reason
from services.runtime.request_id import request_id

DOMAIN = "scoreline.dev"
STATUS_METADATA_KEY = "grpc-status-details-bin"

# A status travels in the trailers, which many clients and proxies limit to 8 KiB in base64.
_LONGEST_MESSAGE = 400  # bytes, each of which may become three
_LONGEST_METADATA = 1024  # bytes of all values
_MOST_VIOLATIONS = 3072  # bytes of all violations

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Fault(Exception):
    """An error that is part of the contract.

    Attributes:
        code: the gRPC code; one a class.
        reason: the machine's reason; one a class.
        message: for developers; shown to callers, so it holds no secret.
        metadata: of the ErrorInfo, as the comment of the reason says.
        violations: (path of the field, what is wrong with it), for a BadRequest.
        retry_after: seconds after which the same call may succeed; None when repeating it is no use.
    """

    code: ClassVar[grpc.StatusCode] = grpc.StatusCode.INTERNAL
    reason: ClassVar[Reason] = Reason.REASON_INTERNAL

    def __init__(
        self,
        message: str,
        *,
        metadata: Mapping[str, str] | None = None,
        violations: Sequence[tuple[str, str]] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.metadata = dict(metadata or {})
        self.violations = tuple(violations)
        self.retry_after = retry_after

    def status(self) -> status_pb2.Status:
        """The error as it goes over the wire; what would be too long for trailers is cut."""
        number, _ = self.code.value
        status = status_pb2.Status(code=number, message=_cut(self.message, _LONGEST_MESSAGE))
        longest_value = _LONGEST_METADATA // max(len(self.metadata), 1)
        metadata = {name: _cut(value, longest_value) for name, value in self.metadata.items()}
        bad_request, omitted = _bad_request(self.violations)
        if omitted:
            metadata["violations_omitted"] = str(omitted)
        reason = Reason.Name(self.reason).removeprefix("REASON_")
        details: list[Message] = [error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)]
        if self.violations:
            details.append(bad_request)
        if self.retry_after is not None:
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromNanoseconds(int(self.retry_after * 1e9))
            details.append(retry)
        if request_id():
            details.append(error_details_pb2.RequestInfo(request_id=request_id()))
        for detail in details:
            status.details.add().Pack(detail)
        return status


class FieldsInvalid(Fault):
    """Fields break the rules of the contract."""

    code = grpc.StatusCode.INVALID_ARGUMENT
    reason = Reason.REASON_FIELDS_INVALID


class Internal(Fault):
    """A fault of our own; the caller learns the request id, the log has the rest."""

    code = grpc.StatusCode.INTERNAL
    reason = Reason.REASON_INTERNAL


class DependencyAway(Fault):
    """A store, the bus or another service does not answer."""

    code = grpc.StatusCode.UNAVAILABLE
    reason = Reason.REASON_DEPENDENCY_AWAY


class Draining(Fault):
    """The process stops."""

    code = grpc.StatusCode.UNAVAILABLE
    reason = Reason.REASON_DRAINING


class PageTokenInvalid(Fault):
    """The page token is not one of this list's."""

    code = grpc.StatusCode.INVALID_ARGUMENT
    reason = Reason.REASON_PAGE_TOKEN_INVALID


class KeyMissing(Fault):
    """The call needs a key."""

    code = grpc.StatusCode.UNAUTHENTICATED
    reason = Reason.REASON_KEY_MISSING


class KeyInvalid(Fault):
    """The key is unknown, revoked or expired."""

    code = grpc.StatusCode.UNAUTHENTICATED
    reason = Reason.REASON_KEY_INVALID


class KeyScope(Fault):
    """The key is good, but not for this."""

    code = grpc.StatusCode.PERMISSION_DENIED
    reason = Reason.REASON_KEY_SCOPE


class GameNotFound(Fault):
    """No game of that id."""

    code = grpc.StatusCode.NOT_FOUND
    reason = Reason.REASON_GAME_NOT_FOUND


_POSTGRESQL_AWAY = (
    psycopg.OperationalError,  # also time-outs of locks, of statements and of the pool
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.TransactionTimeout,
)
_AWAY = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED})


def fault_of(error: BaseException) -> Fault:
    """What the caller is told of an exception.

    An outage becomes DependencyAway. What nobody expected becomes Internal without its text, which may hold
    anything; it is logged here.
    """
    if isinstance(error, Fault):
        return error
    if isinstance(error, _POSTGRESQL_AWAY):
        return _away("postgresql", error)
    if isinstance(error, nats.errors.Error):
        return _away("nats", error)
    if isinstance(error, grpc.aio.AioRpcError) and error.code() in _AWAY:
        return _away("service", error)
    log.error("unexpected error", exc_info=error)
    return Internal("unexpected error; the log has it under the request id", metadata={"request_id": request_id()})


def status_of(error: grpc.RpcError) -> status_pb2.Status | None:
    """For callers: the rich status of a failed call; None when it carries none, as with a broken connection."""
    if not isinstance(error, grpc.aio.AioRpcError):
        return None
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_METADATA_KEY and isinstance(value, bytes):
            return status_pb2.Status.FromString(value)
    return None


def error_info_of(status: status_pb2.Status | None) -> error_details_pb2.ErrorInfo:
    """For callers: the ErrorInfo of a status; an empty one when there is none."""
    info = error_details_pb2.ErrorInfo()
    for detail in status.details if status else ():
        if detail.Unpack(info):
            break
    return info


def reason_of(error: grpc.RpcError) -> str:
    """For callers: the reason of a failed call, such as "GAME_NOT_FOUND"; empty when it has none."""
    return error_info_of(status_of(error)).reason


def metadata_of(error: grpc.RpcError) -> dict[str, str]:
    """For callers: the metadata of a failed call's ErrorInfo."""
    return dict(error_info_of(status_of(error)).metadata)


def _away(dependency: str, error: BaseException) -> DependencyAway:
    log.warning("dependency away", dependency=dependency, error=str(error), kind=type(error).__name__)
    return DependencyAway(
        f"{dependency} does not answer; try again", metadata={"dependency": dependency}, retry_after=1.0
    )


def _bad_request(violations: Sequence[tuple[str, str]]) -> tuple[error_details_pb2.BadRequest, int]:
    """The violations that fit, and how many did not."""
    bad_request = error_details_pb2.BadRequest()
    size = 0
    for index, (field, description) in enumerate(violations):
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=_cut(field, 256), description=_cut(description, 256)
        )
        size += violation.ByteSize() + 3
        if size > _MOST_VIOLATIONS:
            return bad_request, len(violations) - index
        bad_request.field_violations.append(violation)
    return bad_request, 0


def _cut(text: str, longest: int) -> str:
    """The text, or as much of it as fits into so many bytes."""
    encoded = text.encode()
    if len(encoded) <= longest:
        return text
    return encoded[: longest - 3].decode(errors="ignore") + "…"
