"""Errors that end a watch."""

import grpc
import grpc.aio
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]

_STATUS_METADATA_KEY = "grpc-status-details-bin"
_FINAL = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.OUT_OF_RANGE,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)


class ScorelineError(Exception):
    """The server refuses the call, and would again.

    Attributes:
        code: gRPC's code, such as NOT_FOUND.
        reason: Scoreline's reason, such as "TARGET_NOT_FOUND"; `scoreline.errors.v1` lists all. Empty if none came.
        metadata: what belongs to the reason, such as {"targets": "game:x"}.
    """

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, metadata: dict[str, str]) -> None:
        super().__init__(f"{code.name} {reason}: {message}" if reason else f"{code.name}: {message}")
        self.code = code
        self.reason = reason
        self.metadata = metadata


def final_error(error: grpc.aio.AioRpcError) -> ScorelineError | None:
    """The error to raise; None when the same call may succeed later."""
    if error.code() not in _FINAL:
        return None
    info = error_details_pb2.ErrorInfo()
    for detail in _status(error).details:
        if detail.Unpack(info):
            break
    return ScorelineError(error.code(), info.reason, error.details() or "", dict(info.metadata))


def retry_after(error: grpc.aio.AioRpcError) -> float:
    """Seconds that the server asks to wait; 0 if it does not say."""
    retry = error_details_pb2.RetryInfo()
    for detail in _status(error).details:
        if detail.Unpack(retry):
            return retry.retry_delay.ToNanoseconds() / 1e9
    return 0.0


def _status(error: grpc.aio.AioRpcError) -> status_pb2.Status:
    for key, value in error.trailing_metadata() or ():
        if key == _STATUS_METADATA_KEY and isinstance(value, bytes):
            return status_pb2.Status.FromString(value)
    return status_pb2.Status()
