"""The gRPC server of a service."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, cast

import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from services.runtime.auth.gate import Gate
from services.runtime.rpc.interceptor import CallInterceptor
from services.runtime.rpc.options import LARGEST_MESSAGE, server_options
from services.runtime.rpc.reflection import add_reflection
from services.runtime.settings import ServiceSettings

_HEALTH = "grpc.health.v1.Health"
LIVE = "live"
READY = "ready"
_ASK_EVERY = 0.5  # seconds


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
        ready_when: Callable[[], bool] = lambda: True,
        largest_request: int = LARGEST_MESSAGE,
    ) -> None:
        """A server that does not listen yet.

        Args:
            settings: where to listen, and who may call.
            services: full names of the services, for health and reflection.
            checks_itself: paths of methods whose servicer calls `validate` for each message, because a bad one is to be
                kept, or is not to end the call.
            ready_when: whether what the service depends on is there; asked twice a second.
            largest_request: bytes that are taken in before anybody asks whose they are.
        """
        self._address = f"{settings.host}:{settings.port}"
        self._services = tuple(services)
        self._ready_when = ready_when
        self._serving = False
        self._watcher: asyncio.Task[None] | None = None
        self.draining = asyncio.Event()
        self.grpc = grpc.aio.server(
            interceptors=[CallInterceptor(Gate(settings), checks_itself=checks_itself)],
            options=server_options(
                reuse_port=settings.reuse_port,
                max_connection_age=settings.max_connection_age,
                largest_request=largest_request,
            ),
        )
        self._health: Any = cast("Any", health).aio.HealthServicer()  # it has no types
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)  # pyright: ignore[reportUnknownMemberType]
        add_reflection(self.grpc, [*services, _HEALTH])

    async def start(self) -> int:
        """Listens; not yet ready. Gives the port. Raises RuntimeError when it is taken."""
        await self.set_serving(False)
        port = self.grpc.add_insecure_port(self._address)
        await self.grpc.start()
        await self._tell(LIVE, True)
        self._watcher = asyncio.create_task(self._watch_dependencies())
        return port

    async def set_serving(self, serving: bool) -> None:
        """Sets the health of the whole, of each service and of `ready`, which also asks its dependencies.

        `live` stays: a process is not better off for being started again.
        """
        self._serving = serving
        for service in ("", *self._services):
            await self._tell(service, serving)
        await self._tell(READY, serving and self._ready_when())

    async def drain_and_stop(self, grace_s: float) -> None:
        """Refuses new calls and waits for open ones, at most `grace_s` seconds; what is open then is cancelled."""
        await self.set_serving(False)
        if self._watcher is not None:
            self._watcher.cancel()
        self.draining.set()
        await self.grpc.stop(grace_s)

    async def _watch_dependencies(self) -> None:
        while True:
            await asyncio.sleep(_ASK_EVERY)
            await self._tell(READY, self._serving and self._ready_when())

    async def _tell(self, service: str, serving: bool) -> None:
        status = health_pb2.HealthCheckResponse.ServingStatus
        await self._health.set(service, status.SERVING if serving else status.NOT_SERVING)
