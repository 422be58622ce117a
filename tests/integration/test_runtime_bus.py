"""The bus, against a real nats-server that is killed and started again."""

import asyncio
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from prometheus_client import REGISTRY

from services.runtime.local.ports import free_port
from services.runtime.nats.bus import Bus

LONGEST_WAIT = 30  # seconds; an upper bound for waiting, never a figure


@dataclass
class Server:
    """A nats-server on one port and one folder, that can be killed and started again."""

    binary: str
    folder: Path
    port: int = field(default_factory=free_port)
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            self.binary,
            *("-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", str(self.folder)),
            stderr=asyncio.subprocess.DEVNULL,
        )

    async def kill(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            await self.process.wait()
            self.process = None


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    binary = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
    assert binary, "there is no nats-server"
    made = Server(binary, tmp_path)
    yield made
    await made.kill()


class Listener:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def hear(self, message: Msg) -> None:
        self.heard.append(message.data.decode())

    def has(self, payload: str) -> Callable[[], bool]:
        return lambda: payload in self.heard


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONGEST_WAIT):
        while not condition():
            await asyncio.sleep(0.01)


async def say_until_heard(bus: Bus, listener: Listener, payload: str) -> None:
    """Publishes until one came through: how anything goes over a bus that may lose messages."""
    async with asyncio.timeout(LONGEST_WAIT):
        while payload not in listener.heard:
            bus.publish("ev.x.g", payload.encode())
            await asyncio.sleep(0.02)


def dropped(reason: str) -> float:
    return REGISTRY.get_sample_value("scoreline_bus_dropped_total", {"reason": reason}) or 0.0


async def test_messages_arrive_in_order_with_their_headers(server: Server):
    await server.start()
    heard: list[tuple[bytes, dict[str, str] | None]] = []

    async def hear(message: Msg) -> None:
        heard.append((message.data, message.headers))

    async with await Bus.connect(server.url, "hears") as hears, await Bus.connect(server.url, "says") as says:
        await hears.subscribe("ev.>", hear)
        await say_until_subscribed(says, hears)
        heard.clear()
        for seq in range(500):
            says.publish("ev.x.g", str(seq).encode(), {"game": "g", "seq": str(seq)})
        await until(lambda: len(heard) >= 500)
    assert heard == [(str(seq).encode(), {"game": "g", "seq": str(seq)}) for seq in range(500)]


async def say_until_subscribed(says: Bus, hears: Bus) -> None:
    """The server has taken the subscriptions made so far on `hears` once it brings a message of a later one."""
    probe = Listener()
    await hears.subscribe("probe", probe.hear)
    async with asyncio.timeout(LONGEST_WAIT):
        while not probe.heard:
            says.publish("probe", b"?")
            await asyncio.sleep(0.01)


async def test_both_ends_outlive_a_killed_server(server: Server):
    await server.start()
    listener = Listener()

    async with await Bus.connect(server.url, "hears") as hears, await Bus.connect(server.url, "says") as says:
        await hears.subscribe("ev.>", listener.hear)
        await say_until_heard(says, listener, "before")

        await server.kill()
        await until(lambda: not hears.connected and not says.connected)
        says.publish("ev.x.g", b"meanwhile")

        await server.start()
        await say_until_heard(says, listener, "after")
        assert hears.connected
        assert says.connected


async def test_a_server_that_comes_late_is_taken(server: Server):
    listener = Listener()
    async with await Bus.connect(server.url, "early") as bus:
        assert not bus.connected
        await bus.subscribe("ev.>", listener.hear)
        await bus.ensure_streams()
        bus.publish("ev.x.g", b"waiting")

        await server.start()
        await until(listener.has("waiting"))
        await until_streams(server.url, {"EV", "UPD"})


async def until_streams(url: str, names: set[str]) -> None:
    client = Client()
    await client.connect(servers=url)
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            while names - {info.config.name for info in await JetStreamContext(client).streams_info()}:
                await asyncio.sleep(0.05)
    finally:
        await client.close()


async def test_streams_keep_what_was_published_and_come_back_with_the_server(server: Server, tmp_path: Path):
    await server.start()
    async with await Bus.connect(server.url, "says") as bus:
        await bus.ensure_streams()
        await until_streams(server.url, {"EV", "UPD"})
        bus.publish("upd.x.g", b"kept", {"Nats-Msg-Id": "g:1"})
        bus.publish("upd.x.g", b"kept", {"Nats-Msg-Id": "g:1"})
        bus.publish("upd.x.g", b"also kept", {"Nats-Msg-Id": "g:2"})
        assert await kept(server.url, 2) == 2

        await server.kill()
        shutil.rmtree(tmp_path)
        await server.start()
        await until_streams(server.url, {"EV", "UPD"})


async def kept(url: str, expected: int) -> int:
    """Messages in UPD, once there are as many as expected and a later request was answered."""
    client = Client()
    await client.connect(servers=url)
    jetstream = JetStreamContext(client)
    try:
        async with asyncio.timeout(LONGEST_WAIT):
            while (await jetstream.stream_info("UPD")).state.messages < expected:
                await asyncio.sleep(0.01)
        return (await jetstream.stream_info("UPD")).state.messages
    finally:
        await client.close()


async def test_what_does_not_fit_is_dropped_from_the_front_and_counted(server: Server):
    before = dropped("queue_full")
    listener = Listener()
    async with await Bus.connect(server.url, "early") as bus:
        await bus.subscribe("ev.>", listener.hear)
        for number in range(8192 + 10):
            bus.publish("ev.x.g", str(number).encode())
        assert dropped("queue_full") == before + 10

        await server.start()
        await until(listener.has(str(8192 + 9)))
    assert listener.heard == [str(number) for number in range(10, 8192 + 10)]


async def test_a_message_that_the_server_would_refuse_stops_nothing(server: Server):
    await server.start()
    before = dropped("refused")
    listener = Listener()
    async with await Bus.connect(server.url, "says") as bus:
        await bus.subscribe("ev.>", listener.hear)
        bus.publish("ev.x.g", bytes(2 * 1024 * 1024))
        await say_until_heard(bus, listener, "next")
    assert dropped("refused") == before + 1


async def test_a_listener_that_fails_hears_the_next_message(server: Server):
    await server.start()
    listener = Listener()

    async def hear(message: Msg) -> None:
        if message.data == b"bad":
            raise ValueError("bad")
        await listener.hear(message)

    async with await Bus.connect(server.url, "hears") as bus:
        await bus.subscribe("ev.>", hear)
        bus.publish("ev.x.g", b"bad")
        await say_until_heard(bus, listener, "good")


async def test_one_of_a_queue_hears_each_message(server: Server):
    await server.start()
    first, second = Listener(), Listener()
    async with await Bus.connect(server.url, "one") as one, await Bus.connect(server.url, "two") as two:
        await one.subscribe("ev.>", first.hear, queue="gamestate")
        await two.subscribe("ev.>", second.hear, queue="gamestate")
        await say_until_subscribed(one, one)
        await say_until_subscribed(one, two)
        said = [str(number) for number in range(200)]
        for each in said:
            one.publish("ev.x.g", each.encode())
        await until(lambda: len(first.heard) + len(second.heard) >= len(said))
    assert sorted(first.heard + second.heard) == sorted(said)


async def test_what_was_published_before_the_end_is_sent(server: Server):
    await server.start()
    listener = Listener()
    async with await Bus.connect(server.url, "hears") as hears:
        await hears.subscribe("ev.>", listener.hear)
        async with await Bus.connect(server.url, "says") as says:
            await say_until_subscribed(says, hears)
            for number in range(1000):
                says.publish("ev.x.g", str(number).encode())
        await until(lambda: len(listener.heard) >= 1000)
    assert listener.heard == [str(number) for number in range(1000)]


@pytest.mark.parametrize("started", [True, False])
async def test_closing_ends_also_while_the_server_is_away(server: Server, started: bool):
    if started:
        await server.start()
    bus = await Bus.connect(server.url, "short")
    await server.kill()
    bus.publish("ev.x.g", b"never")
    async with asyncio.timeout(LONGEST_WAIT):
        await bus.close()
    assert not bus.connected
