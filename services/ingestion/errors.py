"""Errors of ingestion that are part of the contract."""

import grpc

from scoreline.errors.v1.reason_pb2 import Reason
from services.runtime.errors import Fault


class ProviderUnknown(Fault):
    """There is no adapter of that name."""

    code = grpc.StatusCode.INVALID_ARGUMENT
    reason = Reason.REASON_PROVIDER_UNKNOWN


class PayloadUnreadable(Fault):
    """The payload is not what its provider sends."""

    code = grpc.StatusCode.INVALID_ARGUMENT
    reason = Reason.REASON_PAYLOAD_UNREADABLE


class PayloadTooLarge(Fault):
    """The payload is over the limit."""

    code = grpc.StatusCode.INVALID_ARGUMENT
    reason = Reason.REASON_PAYLOAD_TOO_LARGE


class EventIdReused(Fault):
    """The event id was used with other content."""

    code = grpc.StatusCode.ALREADY_EXISTS
    reason = Reason.REASON_EVENT_ID_REUSED


class RequestIdReused(Fault):
    """The request id was used with another payload."""

    code = grpc.StatusCode.ALREADY_EXISTS
    reason = Reason.REASON_REQUEST_ID_REUSED


class ProviderConflict(Fault):
    """The game comes from another provider."""

    code = grpc.StatusCode.FAILED_PRECONDITION
    reason = Reason.REASON_PROVIDER_CONFLICT


class DeadLetterNotFound(Fault):
    """No dead letter of that id."""

    code = grpc.StatusCode.NOT_FOUND
    reason = Reason.REASON_DEAD_LETTER_NOT_FOUND


class ProviderKeyNotFound(Fault):
    """No provider key of that id."""

    code = grpc.StatusCode.NOT_FOUND
    reason = Reason.REASON_PROVIDER_KEY_NOT_FOUND
