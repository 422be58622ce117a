"""A process from its settings to its exit code."""

import asyncio
import os
import signal
import sys
import urllib.request
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import grpc
import orjson
import pytest
import pytest_asyncio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime.local.ports import free_port
from services.runtime.rpc.channel import open_channel

LONGEST_WAIT = 30  # seconds; an upper bound for waiting, never a figure

SERVICE = """
import asyncio, sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from services.runtime.rpc.server import RpcServer
from services.runtime.service import run
from services.runtime.settings import ServiceSettings


class Settings(ServiceSettings):
    needs: str = "nothing"


async def fail_later() -> None:
    await asyncio.sleep(0.2)
    raise RuntimeError("a loop broke")


@asynccontextmanager
async def app(settings: Settings) -> AsyncIterator[RpcServer]:
    print("opening", flush=True)
    try:
        if settings.needs == "what never comes":
            await asyncio.Event().wait()
        async with asyncio.TaskGroup() as tasks:
            if settings.needs == "a loop":
                tasks.create_task(fail_later())
            yield RpcServer(settings, services=["demo.Service"])
    finally:
        print("closed", flush=True)


run("demo", Settings, app)
"""


class Demo:
    """A running demo service and what it told."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.log: list[dict[str, object]] = []

    async def told(self, event: str) -> dict[str, object]:
        """The next line of that event."""
        assert self.process.stderr
        async with asyncio.timeout(LONGEST_WAIT):
            while line := await self.process.stderr.readline():
                if not line.startswith(b"{"):
                    continue  # the core of gRPC has a log of its own
                self.log.append(orjson.loads(line))
                if self.log[-1]["event"] == event:
                    return self.log[-1]
        raise AssertionError(f"it never told {event}: {self.log}")

    async def ended(self) -> tuple[int, str]:
        """Exit code and standard output."""
        async with asyncio.timeout(LONGEST_WAIT):
            output, _ = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, output.decode()


Start = Callable[..., Awaitable[Demo]]


@pytest_asyncio.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts the demo service with the settings that are given by name."""
    program = tmp_path / "demo.py"
    program.write_text(SERVICE)
    processes: list[Process] = []

    async def start_one(**settings: str) -> Demo:
        environment = {f"SCORELINE_{name.upper()}": value for name, value in settings.items()}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(program)),
            env={**os.environ, "SCORELINE_LOG_FORMAT": "json", **environment},
            stdout=PIPE,
            stderr=PIPE,
        )
        processes.append(process)
        return Demo(process)

    yield start_one
    for process in processes:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def health(port: object, service: str) -> int:
    async with open_channel(f"127.0.0.1:{port}") as channel:
        stub = cast("Any", health_pb2_grpc.HealthStub(channel))
        answer: health_pb2.HealthCheckResponse = await stub.Check(health_pb2.HealthCheckRequest(service=service))
        return answer.status


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_in_order(start: Start, number: signal.Signals):
    demo = await start()
    serving = await demo.told("serving")
    for service in ("live", "ready", "demo.Service"):
        assert await health(serving["port"], service) == health_pb2.HealthCheckResponse.SERVING

    demo.process.send_signal(number)

    assert await demo.ended() == (0, "opening\nclosed\n")


async def test_it_is_not_ready_while_it_waits_to_stop(start: Start):
    demo = await start(drain_wait="600")
    port = (await demo.told("serving"))["port"]
    demo.process.send_signal(signal.SIGTERM)
    async with asyncio.timeout(LONGEST_WAIT):
        while await health(port, "ready") == health_pb2.HealthCheckResponse.SERVING:
            await asyncio.sleep(0.02)
    assert await health(port, "live") == health_pb2.HealthCheckResponse.SERVING

    demo.process.send_signal(signal.SIGTERM)  # a second one waits no longer

    assert await demo.ended() == (0, "opening\nclosed\n")


async def test_a_signal_ends_it_while_it_waits_for_a_dependency(start: Start):
    demo = await start(needs="what never comes")
    assert demo.process.stdout
    assert await demo.process.stdout.readline() == b"opening\n"
    demo.process.send_signal(signal.SIGTERM)
    assert await demo.ended() == (0, "closed\n")


async def test_a_loop_that_fails_ends_it_with_an_error(start: Start):
    demo = await start(needs="a loop")
    failed = await demo.told("failed")
    assert "a loop broke" in str(failed["exception"])
    assert await demo.ended() == (1, "opening\nclosed\n")


async def test_a_port_that_is_taken_ends_it_with_an_error(start: Start):
    first = await start()
    port = str((await first.told("serving"))["port"])
    second = await start(port=port)
    failed = await second.told("failed")
    assert port in str(failed["exception"])
    assert (await second.ended())[0] == 1
    first.process.send_signal(signal.SIGTERM)
    assert (await first.ended())[0] == 0


async def test_processes_can_share_a_port(start: Start):
    port = str(free_port())
    pair = [await start(port=port, reuse_port="true") for _ in range(2)]
    for each in pair:
        assert str((await each.told("serving"))["port"]) == port
    for each in pair:
        each.process.send_signal(signal.SIGTERM)
        assert (await each.ended())[0] == 0


async def test_bad_settings_are_named_without_their_values(start: Start):
    demo = await start(port="hunter2", log_format="xml")
    async with asyncio.timeout(LONGEST_WAIT):
        output, told = await demo.process.communicate()
    assert demo.process.returncode == 2
    assert output == b""
    assert b"SCORELINE_PORT" in told
    assert b"SCORELINE_LOG_FORMAT" in told
    assert b"hunter2" not in told


async def test_metrics_are_served(start: Start):
    metrics_port = free_port()
    demo = await start(metrics_port=str(metrics_port))
    port = (await demo.told("serving"))["port"]
    with pytest.raises(grpc.aio.AioRpcError):
        await health(port, "nobody")

    def read() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=LONGEST_WAIT) as answer:
            return answer.read().decode()

    page = await asyncio.to_thread(read)
    counted = 'grpc_server_handled_total{grpc_code="NOT_FOUND",grpc_method="Check",grpc_service="grpc.health.v1.Health"'
    assert counted in page
    demo.process.send_signal(signal.SIGTERM)
    assert (await demo.ended())[0] == 0
