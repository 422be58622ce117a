"""The HTTP server as a service of the process."""

import asyncio
import contextlib
import socket

import uvicorn
from starlette.types import ASGIApp

from services.gateway.health import Health
from services.gateway.live import Live
from services.gateway.settings import GatewaySettings

_LARGEST_HEADERS = 96 * 1024  # bytes; a resume token of many games is long


class WebServer:
    """uvicorn under `services.runtime.service.run`, which has the signals and says when to stop."""

    def __init__(self, settings: GatewaySettings, app: ASGIApp, *, health: Health, live: Live) -> None:
        self._settings = settings
        self._health = health
        self._live = live
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                lifespan="off",
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                h11_max_incomplete_event_size=_LARGEST_HEADERS,
            )
        )
        self._ticking: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Listens, not yet ready. Gives the port. Raises OSError when it is taken."""
        config = self._server.config
        config.load()
        self._server.lifespan = config.lifespan_class(config)
        listener = socket.create_server(
            (self._settings.host, self._settings.port),
            family=socket.AF_INET6 if ":" in self._settings.host else socket.AF_INET,
            reuse_port=self._settings.reuse_port,
        )
        await self._server.startup(sockets=[listener])
        self._ticking = asyncio.create_task(self._server.main_loop())
        return int(listener.getsockname()[1])

    async def set_serving(self, serving: bool) -> None:
        """What /readyz says."""
        self._health.serving = serving

    async def drain_and_stop(self, grace_s: float) -> None:
        """Takes nothing new, ends the event streams, and cuts off what is open after `grace_s` seconds."""
        self._health.serving = False
        self._live.drain()
        self._server.should_exit = True
        if self._ticking is not None:
            await self._ticking
        # uvicorn waits for open connections without a limit of its own; its limit is in whole seconds.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await self._server.shutdown()
