"""Time of day, always with its zone."""

from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp


def now() -> datetime:
    """The time now, in UTC, to the microsecond."""
    return datetime.now(UTC)


def to_timestamp(time: datetime) -> Timestamp:
    """The same time as a message. Raises ValueError when it has no zone."""
    if time.tzinfo is None:
        raise ValueError("the time has no zone")
    message = Timestamp()
    message.FromDatetime(time)
    return message


def to_datetime(message: Timestamp) -> datetime:
    """The same time in UTC; nanoseconds are cut to microseconds. Raises ValueError outside the years 1 to 9999."""
    return message.ToDatetime(tzinfo=UTC)
