"""Errors in the gateway's answers: the rich status of gRPC as JSON, with the HTTP status that goes with its code."""

from typing import Any

import grpc
import grpc.aio
import orjson
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from services.runtime.errors import fault_of, status_of
from services.runtime.request_id import request_id

_CODES = {int(code.value[0]): code for code in grpc.StatusCode}
_HTTP_STATUS = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNAUTHENTICATED: 401,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
}
# What HTTP refuses before any call is made, in gRPC's words.
_REFUSALS = {404: "NOT_FOUND", 405: "UNIMPLEMENTED", 413: "RESOURCE_EXHAUSTED"}


def problem(error: Exception) -> dict[str, Any]:
    """An error as `{code, reason, message, metadata, violations: [{field, description}], request_id}`.

    It takes the rich status that a service sent; else what `fault_of` makes of the error.
    """
    return _problem(_status(error))


async def answer_problem(_: Request, error: Exception) -> Response:
    """The answer to a request whose handling raised `error`, with Retry-After where the status says when."""
    status = _status(error)
    headers: dict[str, str] = {}
    retry = error_details_pb2.RetryInfo()
    if any(detail.Unpack(retry) for detail in status.details):
        headers["retry-after"] = str(max(1, round(retry.retry_delay.ToTimedelta().total_seconds())))
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        headers["www-authenticate"] = "Bearer"
    return _response(_problem(status), _HTTP_STATUS.get(code, 500), headers)


async def answer_refusal(_: Request, error: Exception) -> Response:
    """The answer where HTTP itself says no: an unknown path, a method that the path does not take."""
    assert isinstance(error, HTTPException)
    body = _body(_REFUSALS.get(error.status_code, "INVALID_ARGUMENT"), error.detail)
    return _response(body, error.status_code, dict(error.headers or {}))


def _status(error: Exception) -> status_pb2.Status:
    sent = status_of(error) if isinstance(error, grpc.aio.AioRpcError) else None
    return sent or fault_of(error).status()


def _problem(status: status_pb2.Status) -> dict[str, Any]:
    info, bad_request = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        _ = detail.Unpack(info) or detail.Unpack(bad_request)
    return {
        **_body(_CODES.get(status.code, grpc.StatusCode.UNKNOWN).name, status.message, info.reason),
        "metadata": dict(info.metadata),
        "violations": [
            {"field": violation.field, "description": violation.description}
            for violation in bad_request.field_violations
        ],
    }


def _body(code: str, message: str, reason: str = "") -> dict[str, Any]:
    return {
        "code": code,
        "reason": reason,
        "message": message,
        "metadata": {},
        "violations": [],
        "request_id": request_id(),
    }


def _response(body: dict[str, Any], status: int, headers: dict[str, str]) -> Response:
    return Response(orjson.dumps(body), status, {**headers, "cache-control": "no-store"}, "application/json")
