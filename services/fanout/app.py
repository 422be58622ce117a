"""Composition root of fanout."""

import asyncio
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from services.fanout.bus import listen
from services.fanout.domain.token import TokenSigner
from services.fanout.gamestate import Gamestate
from services.fanout.server import SERVICE, FanoutServicer
from services.fanout.settings import FanoutSettings
from services.runtime.nats.bus import Bus
from services.runtime.rpc.channel import open_channel
from services.runtime.rpc.server import RpcServer

_GO_WITHIN = 0.5  # part of the time for draining that clients get to connect elsewhere

log: structlog.stdlib.BoundLogger = structlog.get_logger()


_LARGEST_REQUEST = 1024 * 1024  # bytes


@asynccontextmanager
async def app(settings: FanoutSettings) -> AsyncGenerator[RpcServer]:
    """All that fanout consists of. It starts without the bus and without gamestate, and says so on its streams."""
    async with (
        open_channel(settings.gamestate) as channel,
        await Bus.connect(settings.nats_url, "fanout") as bus,
        asyncio.TaskGroup() as tasks,
    ):
        servicer = FanoutServicer(Gamestate(channel), TokenSigner(_key(settings)), settings.heartbeat)
        server = RpcServer(
            settings,
            services=[SERVICE],
            ready_when=lambda: not servicer.source.is_down,
            largest_request=_LARGEST_REQUEST,
        )
        servicer.add_to(server.grpc)
        await listen(bus, servicer.games, servicer.source)
        loops = [
            tasks.create_task(servicer.source.watch()),
            tasks.create_task(_drain(server, servicer, settings.drain_grace * _GO_WITHIN)),
        ]
        try:
            yield server
        finally:
            for loop in loops:
                loop.cancel()


async def _drain(server: RpcServer, servicer: FanoutServicer, within: float) -> None:
    await server.draining.wait()
    servicer.drain(within)


def _key(settings: FanoutSettings) -> bytes:
    if settings.token_key is not None and settings.token_key.get_secret_value():
        return settings.token_key.get_secret_value().encode()
    log.warning("no SCORELINE_TOKEN_KEY: resume tokens end with this process")
    return secrets.token_bytes(32)
