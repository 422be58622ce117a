"""Composition root of the gateway."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from scoreline.gamestate.v1 import gamestate_service_pb2
from services.gateway import rest
from services.gateway.edge import Edge
from services.gateway.health import Health
from services.gateway.live import Live
from services.gateway.problem import answer_problem, answer_refusal
from services.gateway.settings import GatewaySettings
from services.gateway.web_server import WebServer
from services.runtime.errors import Fault
from services.runtime.rpc.channel import open_channel

_STATIC = Path(__file__).with_name("static")
_GAMESTATE = gamestate_service_pb2.DESCRIPTOR.services_by_name["GamestateService"]


@asynccontextmanager
async def app(settings: GatewaySettings) -> AsyncGenerator[WebServer]:
    """The gateway, not yet listening. It does not wait for the services behind it: /readyz tells of them."""
    async with open_channel(settings.gamestate) as gamestate, open_channel(settings.fanout) as fanout:
        health = Health({"gamestate": gamestate, "fanout": fanout})
        live = Live(fanout, settings.call_timeout)
        routes: list[BaseRoute] = [
            *rest.routes(gamestate, [_GAMESTATE], settings.call_timeout),
            Route("/live", live, methods=["GET"]),
            Route("/healthz", health.live),
            Route("/readyz", health.ready),
            Route("/", _page),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ]
        web = Starlette(
            routes=routes,
            exception_handlers={
                HTTPException: answer_refusal,
                Fault: answer_problem,
                grpc.aio.AioRpcError: answer_problem,
                Exception: answer_problem,
            },
        )
        yield WebServer(settings, Edge(web), health=health, live=live)


async def _page(_: object) -> FileResponse:
    return FileResponse(_STATIC / "index.html")
