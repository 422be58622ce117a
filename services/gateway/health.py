"""Health over HTTP, for probes that do not speak gRPC."""

import asyncio
from collections.abc import Mapping

import grpc.aio
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

_ANSWERED_WITHIN = 1.0  # seconds


class Health:
    """Health of the gateway.

    Attributes:
        serving: False while the process starts or stops.
    """

    def __init__(self, dependencies: Mapping[str, grpc.aio.Channel]) -> None:
        """`dependencies`: the services that the gateway cannot do without, by name."""
        self.serving = False
        self._checks = {
            name: channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=HealthCheckRequest.SerializeToString,
                response_deserializer=HealthCheckResponse.FromString,
            )
            for name, channel in dependencies.items()
        }

    async def live(self, _: Request) -> Response:
        """200 as long as the process answers."""
        return JSONResponse({"status": "SERVING"})

    async def ready(self, _: Request) -> Response:
        """200 when the gateway and all that it depends on are SERVING, else 503; with what each of them says."""
        answers = await asyncio.gather(*(self._ask(name) for name in self._checks))
        dependencies = dict(zip(self._checks, answers, strict=True))
        ready = self.serving and all(status == "SERVING" for status in answers)
        body = {"status": "SERVING" if ready else "NOT_SERVING", "dependencies": dependencies}
        return JSONResponse(body, 200 if ready else 503)

    async def _ask(self, name: str) -> str:
        try:
            answer = await self._checks[name](HealthCheckRequest(), timeout=_ANSWERED_WITHIN)
        except grpc.aio.AioRpcError as error:
            return error.code().name
        return HealthCheckResponse.ServingStatus.Name(answer.status)
