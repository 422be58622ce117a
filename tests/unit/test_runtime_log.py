"""What a log line has, and what it never has. In a process of its own, because logging is configured once a process."""

import subprocess
import sys

import orjson
import pytest

PROGRAM = """
import logging, structlog
from services.runtime import log, request_id
from services.runtime.auth.principal import Principal, PrincipalKind

log.configure("demo", FORMAT)
request_id.take("call-7")
structlog.contextvars.bind_contextvars(request_id=request_id.request_id())
logger = structlog.get_logger()
logger.info("asked", game_id="nhl-1", authorization="Bearer hunter2", operator_key="hunter2")
logger.info("dialling postgresql://scott:hunter2@db/scoreline", caller=Principal(PrincipalKind.BEARER, "hunter2"))
logging.getLogger("library").warning("metadata was %s", "authorization: Bearer hunter2")
try:
    raise OSError("cannot reach nats://hunter2@bus:4222")
except OSError as error:
    logger.error("failed", exc_info=error)
"""


def lines(log_format: str) -> list[str]:
    program = PROGRAM.replace("FORMAT", repr(log_format))
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout == ""
    return ended.stderr.splitlines()


def test_each_line_is_one_object_with_service_and_request_id():
    objects = [orjson.loads(line) for line in lines("json")]

    assert [found["event"].split()[0] for found in objects] == ["asked", "dialling", "metadata", "failed"]
    assert {found["service"] for found in objects} == {"demo"}
    assert {found["request_id"] for found in objects} == {"call-7"}
    assert objects[0]["game_id"] == "nhl-1"
    assert "cannot reach" in objects[3]["exception"]


@pytest.mark.parametrize("log_format", ["json", "console"])
def test_no_line_holds_a_secret(log_format: str):
    told = "\n".join(lines(log_format))
    assert "call-7" in told
    assert "hunter2" not in told
