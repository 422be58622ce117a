"""Faults and their form on the wire."""

import asyncio
from typing import cast

import grpc
import nats.errors
import psycopg
import psycopg_pool
import pytest
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]

from services.runtime.errors import (
    DependencyAway,
    FieldsInvalid,
    GameNotFound,
    Internal,
    error_info_of,
    fault_of,
)

CLIENT_DEFAULT = 8192  # bytes of trailers that a gRPC client takes by default


def test_a_fault_tells_code_reason_and_metadata():
    status = GameNotFound("no game nhl-1", metadata={"game_id": "nhl-1"}).status()

    info = error_info_of(status)
    assert status.code == grpc.StatusCode.NOT_FOUND.value[0]
    assert (status.message, info.domain, info.reason) == ("no game nhl-1", "scoreline.dev", "GAME_NOT_FOUND")
    assert dict(info.metadata) == {"game_id": "nhl-1"}


def test_violations_and_the_time_to_wait_are_details():
    violations = [("a", "too long"), ("b[2].c", "missing")]
    status = FieldsInvalid("two fields", violations=violations, retry_after=1.5).status()

    bad_request = error_details_pb2.BadRequest()
    retry = error_details_pb2.RetryInfo()
    assert any(detail.Unpack(bad_request) for detail in status.details)
    assert any(detail.Unpack(retry) for detail in status.details)
    assert [(found.field, found.description) for found in bad_request.field_violations] == violations
    assert retry.retry_delay.ToMilliseconds() == 1500


def test_a_status_fits_into_trailers_whatever_a_caller_sent():
    violations = [(f"plays[{number}].text", "ü" * 1000) for number in range(1000)]
    fault = FieldsInvalid("ü" * 10_000, metadata={"fields": "x" * 10_000}, violations=violations)

    status = fault.status()

    bad_request = error_details_pb2.BadRequest()
    assert any(detail.Unpack(bad_request) for detail in status.details)
    told = len(bad_request.field_violations)
    assert told > 0
    assert error_info_of(status).metadata["violations_omitted"] == str(1000 - told)
    assert as_trailers(status) < CLIENT_DEFAULT


def as_trailers(status: status_pb2.Status) -> int:
    """Bytes of a status as headers: the details in base64, the message with %-escapes."""
    message = sum(1 if byte < 0x7F else 3 for byte in status.message.encode())
    return message + status.ByteSize() * 4 // 3


@pytest.mark.parametrize(
    ("error", "dependency"),
    [
        (psycopg.OperationalError("connection refused for user scott"), "postgresql"),
        (psycopg.errors.LockNotAvailable("lock"), "postgresql"),
        (psycopg.errors.IdleInTransactionSessionTimeout("idle"), "postgresql"),
        (psycopg_pool.PoolTimeout("no connection"), "postgresql"),
        (nats.errors.ConnectionClosedError(), "nats"),
        (nats.errors.TimeoutError(), "nats"),
    ],
)
def test_an_outage_can_be_tried_again(error: Exception, dependency: str):
    fault = fault_of(error)

    assert isinstance(fault, DependencyAway)
    assert fault.metadata == {"dependency": dependency}
    assert fault.retry_after
    assert "scott" not in str(fault.status())


@pytest.mark.parametrize("error", [ValueError("password=tiger"), psycopg.errors.UniqueViolation("password=tiger")])
def test_an_unexpected_error_keeps_its_text_to_itself(error: Exception):
    fault = fault_of(error)

    assert isinstance(fault, Internal)
    assert "tiger" not in str(fault.status())


def test_a_fault_stays_what_it_is():
    fault = GameNotFound("no game")
    assert fault_of(fault) is fault


def test_another_service_that_is_away_is_a_dependency():
    def failed(code: grpc.StatusCode) -> Exception:
        return cast("Exception", grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "down"))

    assert isinstance(fault_of(failed(grpc.StatusCode.UNAVAILABLE)), DependencyAway)
    assert isinstance(fault_of(failed(grpc.StatusCode.DATA_LOSS)), Internal)


def test_a_time_out_of_ours_is_no_outage():
    assert isinstance(fault_of(asyncio.QueueFull()), Internal)
