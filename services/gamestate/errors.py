"""Errors of gamestate's own."""

import grpc

from scoreline.errors.v1.reason_pb2 import Reason
from services.runtime.errors import Fault


class PositionUnknown(Fault):
    """The seq is behind the newest one."""

    code = grpc.StatusCode.OUT_OF_RANGE
    reason = Reason.REASON_POSITION_UNKNOWN


class LogBroken(Fault):
    """The log of a game has a gap."""

    code = grpc.StatusCode.FAILED_PRECONDITION
    reason = Reason.REASON_LOG_BROKEN


class HistoryBroken(Exception):
    """What is stored of a game has a hole, or is further than its log. An audit tells more, a rebuild mends it."""
