"""The floor: what two commits, two publishes and one write cost, with nothing of ours between them."""

import asyncio
import struct
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import grpc.aio
from nats.aio.msg import Msg

from services.runtime.db.pool import Pool, open_pool
from services.runtime.nats.bus import Bus

_SERVICE, _METHOD = "bench.Floor", "Watch"
_CONNECTIONS = 8
_AT = struct.Struct("<d")  # when the event was accepted, in front of its bytes


async def floor(postgres: str, nats_url: str, payload: bytes, rate: float, seconds: float) -> list[float]:
    """Send `payload` the shortest way in which an event can be stored, carried and delivered, at a rate.

    Gives the seconds that each took from its first commit on.
    """
    latencies: list[float] = []
    arrived: asyncio.Queue[bytes] = asyncio.Queue()
    async with (
        open_pool(postgres, min_size=_CONNECTIONS, max_size=_CONNECTIONS) as pool,
        await Bus.connect(nats_url, "bench-floor") as bus,
        _table(pool),
        _served(arrived) as call,
        asyncio.TaskGroup() as tasks,
    ):

        async def carry(message: Msg) -> None:
            tasks.create_task(_commit_and_publish(pool, bus, "floor.out", message.data))

        async def deliver(message: Msg) -> None:
            arrived.put_nowait(message.data)

        await bus.subscribe("floor.in", carry)
        await bus.subscribe("floor.out", deliver)
        reading = tasks.create_task(_read(call, latencies))

        async def one(_: int) -> None:
            data = _AT.pack(time.time()) + payload
            tasks.create_task(_commit_and_publish(pool, bus, "floor.in", data))

        await paced(one, rate, seconds)
        await asyncio.sleep(1)
        reading.cancel()
    return latencies


async def paced(one: Callable[[int], Awaitable[None]], rate: float, seconds: float) -> None:
    """Call `one` with 0, 1, 2 … at a rate, for some seconds; when it holds back, the rest comes later."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for number in range(int(rate * seconds)):
        ahead = began + number / rate - loop.time()
        if ahead > 0:
            await asyncio.sleep(ahead)
        await one(number)


async def _commit_and_publish(pool: Pool, bus: Bus, subject: str, data: bytes) -> None:
    async with pool.connection() as connection:
        await connection.execute("INSERT INTO bench_floor VALUES (%s)", (data,))
    bus.publish(subject, data)


@asynccontextmanager
async def _table(pool: Pool) -> AsyncGenerator[None]:
    async with pool.connection() as connection:
        await connection.execute("CREATE TABLE IF NOT EXISTS bench_floor (data bytea)")
    try:
        yield
    finally:
        async with pool.connection() as connection:
            await connection.execute("DROP TABLE bench_floor")


@asynccontextmanager
async def _served(arrived: "asyncio.Queue[bytes]") -> AsyncGenerator["grpc.aio.UnaryStreamCall[bytes, bytes]"]:
    """A stream that writes what arrives, one write each."""

    async def watch(_: bytes, __: object) -> AsyncIterator[bytes]:
        while True:
            yield await arrived.get()

    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_stream_rpc_method_handler(watch)  # pyright: ignore[reportArgumentType]
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, {_METHOD: handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        opened: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(f"/{_SERVICE}/{_METHOD}")
        call = opened(b"")
        try:
            yield call
        finally:
            call.cancel()
            await server.stop(0)


async def _read(call: "grpc.aio.UnaryStreamCall[bytes, bytes]", latencies: list[float]) -> None:
    async for data in call:
        latencies.append(time.time() - _AT.unpack_from(data)[0])  # noqa: PERF401
