"""The floor: what two commits, two publishes and one write cost, with nothing of ours between them."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import grpc
import grpc.aio
import nats
import psycopg

_METHOD = "/bench.Floor/Watch"
_LANES = 20


async def floor(postgres: str, nats_url: str, payload: bytes, rate: float, seconds: float) -> list[float]:
    """Send `payload` the shortest way a stored, carried and delivered event can go, at a rate; give the seconds it took."""
    bus = await nats.connect(nats_url)
    connections = [await psycopg.AsyncConnection.connect(postgres, autocommit=True) for _ in range(2 * _LANES)]
    arrived: asyncio.Queue[bytes] = asyncio.Queue()
    latencies: list[float] = []
    server, port = await _server(arrived)
    try:
        await connections[0].execute("CREATE TABLE IF NOT EXISTS bench_floor (at float8, payload bytea)")
        first, second = asyncio.Queue[Any](), asyncio.Queue[Any]()
        for connection in connections:
            (first if first.qsize() < _LANES else second).put_nowait(connection)

        async def carry(message: Any) -> None:
            async with _borrowed(second) as connection:
                await connection.execute("INSERT INTO bench_floor VALUES (%s, %s)", (0.0, message.data))
            await bus.publish("floor.2", message.data)

        async def write(message: Any) -> None:
            arrived.put_nowait(message.data)

        await bus.subscribe("floor.1", cb=_spawned(carry))
        await bus.subscribe("floor.2", cb=write)
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            reading = asyncio.create_task(_read(channel, latencies))
            await _send(bus, first, payload, rate, seconds)
            await asyncio.sleep(1)
            reading.cancel()
        await connections[0].execute("DROP TABLE bench_floor")
    finally:
        await server.stop(0)
        for connection in connections:
            await connection.close()
        await bus.close()
    return latencies


class _borrowed:
    def __init__(self, connections: "asyncio.Queue[Any]") -> None:
        self._connections = connections

    async def __aenter__(self) -> Any:
        self._taken = await self._connections.get()
        return self._taken

    async def __aexit__(self, *_: object) -> None:
        self._connections.put_nowait(self._taken)


def _spawned(handler: Any) -> Any:
    tasks: set[asyncio.Task[None]] = set()

    async def callback(message: Any) -> None:
        task = asyncio.create_task(handler(message))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    return callback


async def _send(bus: Any, connections: "asyncio.Queue[Any]", payload: bytes, rate: float, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def one() -> None:
        async with _borrowed(connections) as connection:
            at = time.time()
            await connection.execute("INSERT INTO bench_floor VALUES (%s, %s)", (at, payload))
        await bus.publish("floor.1", at.hex().encode().ljust(32) + payload)

    async with asyncio.TaskGroup() as tasks:
        for number in range(int(rate * seconds)):
            ahead = began + number / rate - loop.time()
            if ahead > 0:
                await asyncio.sleep(ahead)
            tasks.create_task(one())


async def _server(arrived: "asyncio.Queue[bytes]") -> tuple[grpc.aio.Server, int]:
    async def watch(_: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> AsyncIterator[bytes]:
        while True:
            yield await arrived.get()

    handler = grpc.unary_stream_rpc_method_handler(watch)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Floor", {"Watch": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    return server, port


async def _read(channel: grpc.aio.Channel, latencies: list[float]) -> None:
    call = channel.unary_stream(_METHOD)(b"")
    try:
        async for data in call:
            latencies.append(time.time() - float.fromhex(data[:32].decode().strip()))
    finally:
        call.cancel()
