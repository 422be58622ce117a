"""A gateway in this process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple

from services.gateway.app import app
from services.gateway.settings import GatewaySettings
from services.gateway.web_server import WebServer


class Gateway(NamedTuple):
    """A running gateway and its address."""

    url: str
    server: WebServer


@asynccontextmanager
async def gateway(target: str) -> AsyncGenerator[Gateway]:
    """Serves while the block runs, in front of a server at `target` that has both contracts."""
    async with app(GatewaySettings(port=0, gamestate=target, fanout=target)) as server:
        port = await server.start()
        await server.set_serving(True)
        try:
            yield Gateway(f"http://127.0.0.1:{port}", server)
        finally:
            await server.drain_and_stop(1)
