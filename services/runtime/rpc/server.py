"""The gRPC server of a service."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.runtime.auth.gate import Gate
from services.runtime.rpc.interceptor import CallInterceptor
from services.runtime.rpc.options import server_options
from services.runtime.rpc.reflection import add_reflection
from services.runtime.settings import ServiceSettings

_HEALTH = "grpc.health.v1.Health"
LIVE = "live"
READY = "ready"


class RpcServer:
    """A gRPC server with health, reflection and what every call goes through.

    Attributes:
        grpc: the server to which servicers are added before `start`.
        draining: is set when the process begins to stop; open streams say goodbye then.
    """

    def __init__(
        self,
        settings: ServiceSettings,
        *,
        services: Sequence[str],
        checks_itself: frozenset[str] = frozenset(),
    ) -> None:
        """A server that does not listen yet.

        Args:
            settings: where to listen, and who may call.
            services: full names of the services, for health and reflection.
            checks_itself: paths of methods whose servicer calls `validate` for each message, because a bad one is to be
                kept, or is not to end the call.
        """
        self._address = f"{settings.host}:{settings.port}"
        self._services = tuple(services)
        self.draining = asyncio.Event()
        self.grpc = grpc.aio.server(
            interceptors=[CallInterceptor(Gate(settings), checks_itself=checks_itself)],
            options=server_options(reuse_port=settings.reuse_port, max_connection_age=settings.max_connection_age),
        )
        self._health: Any = cast("Any", health).aio.HealthServicer()  # it has no types
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)  # pyright: ignore[reportUnknownMemberType]
        add_reflection(self.grpc, [*services, _HEALTH])

    async def start(self) -> int:
        """Listens; not yet ready. Gives the port. Raises RuntimeError when it is taken."""
        await self.set_serving(False)
        port = self.grpc.add_insecure_port(self._address)
        await self.grpc.start()
        await self._health.set(LIVE, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def set_serving(self, serving: bool) -> None:
        """Sets the health of the whole, of each service and of `ready`. `live` stays."""
        serving_status = health_pb2.HealthCheckResponse.ServingStatus
        status = serving_status.SERVING if serving else serving_status.NOT_SERVING
        for service in ("", READY, *self._services):
            await self._health.set(service, status)

    async def drain_and_stop(self, grace_s: float) -> None:
        """Refuses new calls and waits for open ones, at most `grace_s` seconds; what is open then is cancelled."""
        await self.set_serving(False)
        self.draining.set()
        await self.grpc.stop(grace_s)
