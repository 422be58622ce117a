"""Errors of fanout."""

from collections.abc import Sequence

import grpc

from scoreline.errors.v1.reason_pb2 import Reason
from services.runtime.errors import Fault


class TargetNotFound(Fault):
    """Targets do not exist."""

    code = grpc.StatusCode.NOT_FOUND
    reason = Reason.REASON_TARGET_NOT_FOUND

    def __init__(self, targets: Sequence[str]) -> None:
        """`targets`: all that do not exist, as `game:<id>` and `team:<id>`."""
        listed = ", ".join(targets)
        super().__init__(f"no such targets: {listed}", metadata={"targets": listed})


class ResumeTokenInvalid(Fault):
    """The token is not one of ours or was changed."""

    code = grpc.StatusCode.INVALID_ARGUMENT
    reason = Reason.REASON_RESUME_TOKEN_INVALID

    def __init__(self, why: str) -> None:
        super().__init__(why, metadata={"field": "resume_token"})


class PositionUnknown(Fault):
    """A game's history does not have the position."""

    code = grpc.StatusCode.OUT_OF_RANGE
    reason = Reason.REASON_POSITION_UNKNOWN
