"""The whole of Scoreline on one machine: engines and services as children of this process, on one data folder."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import grpc.aio
import httpx
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from services.runtime.local import ChildSpec, Probe, Stack, nats_server, postgres_server
from services.runtime.local.folder import is_held

SERVICES = ("ingestion", "gamestate", "fanout", "gateway")
_ENDPOINTS = "endpoints.json"
# Large messages come now and then: their memory goes back to the system, and not into an arena for each thread.
_MEMORY = {"MALLOC_ARENA_MAX": "2", "MALLOC_TRIM_THRESHOLD_": "1048576"}


class NothingRuns(Exception):
    """No stack runs on the data folder."""

    def __init__(self, data: Path) -> None:
        super().__init__(
            f"nothing runs on {data}: start it with `scoreline up --data {data}`, or name another with --data"
        )


@dataclass(frozen=True)
class Endpoints:
    """Where the services of a stack listen; the gRPC ones as targets, several replicas parted by commas."""

    gateway: str
    ingestion: str
    gamestate: str
    fanout: str
    nats: str
    postgres: str
    operator_key: str

    @classmethod
    def read(cls, data: Path) -> "Endpoints":
        """Read what the stack that runs on a data folder wrote. Raises NothingRuns."""
        try:
            if is_held(data):
                return cls(**json.loads((data.expanduser() / _ENDPOINTS).read_text()))
        except (OSError, ValueError, TypeError):
            pass
        raise NothingRuns(data)

    def write(self, folder: Path) -> None:
        """Write them for the command line, for the owner's eyes alone: they hold the operator's key."""
        _write_secret(folder / _ENDPOINTS, json.dumps(asdict(self), indent=2) + "\n")
        _write_secret(folder / "operator.key", self.operator_key + "\n")


async def start_mesh(stack: Stack, *, port: int = 0, replicas: Mapping[str, int] | None = None) -> Endpoints:
    """Start engines and services in order, each when the one before is ready, and say where they are.

    `port` is the gateway's, 0 for the one remembered in the folder. `replicas` tells how many processes of ingestion,
    gamestate and fanout to run; 1 each if it does not say. Raises LocalError when a child does not become ready.
    """
    folder = stack.folder
    env = {
        "SCORELINE_POSTGRES_URL": await stack.engine(postgres_server),
        "SCORELINE_NATS_URL": await stack.engine(nats_server),
        "SCORELINE_OPERATOR_KEY": folder.secret("operator_key"),
        "SCORELINE_TOKEN_KEY": folder.secret("token_key"),
    }
    counts = {service: (replicas or {}).get(service, 1) for service in SERVICES}
    targets: dict[str, str] = {}
    for service in SERVICES[:-1]:
        ports = [folder.port(_name(service, number)) for number in range(counts[service])]
        targets[service] = _target(ports)
        for number, its_port in enumerate(ports):
            await stack.start(_child(_name(service, number), service, its_port, env, _answers(its_port)))
        env[f"SCORELINE_{service.upper()}"] = targets[service]
    port = port or folder.port("gateway")
    await stack.start(_child("gateway", "gateway", port, env, _page_answers(port)))
    endpoints = Endpoints(
        gateway=f"http://127.0.0.1:{port}",
        nats=env["SCORELINE_NATS_URL"],
        postgres=env["SCORELINE_POSTGRES_URL"],
        operator_key=env["SCORELINE_OPERATOR_KEY"],
        **targets,
    )
    endpoints.write(folder.path)
    return endpoints


def _name(service: str, number: int) -> str:
    return f"{service}-{number + 1}" if number else service


def _target(ports: list[int]) -> str:
    addresses = [f"127.0.0.1:{port}" for port in ports]
    return addresses[0] if len(addresses) == 1 else "ipv4:" + ",".join(addresses)


def _child(name: str, service: str, port: int, env: Mapping[str, str], ready: Probe) -> ChildSpec:
    return ChildSpec(
        name=name,
        argv=[sys.executable, "-m", f"services.{service}"],
        env={**env, **_MEMORY, "SCORELINE_PORT": str(port)},
        ready=ready,
    )


def _answers(port: int) -> Probe:
    async def probe() -> None:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            check: grpc.aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse] = channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=HealthCheckRequest.SerializeToString,
                response_deserializer=HealthCheckResponse.FromString,
            )
            answer = await check(HealthCheckRequest(service="ready"), timeout=2)
            if answer.status != HealthCheckResponse.SERVING:
                raise ConnectionError("not serving yet")

    return probe


def _page_answers(port: int) -> Probe:
    async def probe() -> None:
        async with httpx.AsyncClient(trust_env=False) as client:
            (await client.get(f"http://127.0.0.1:{port}/readyz", timeout=2)).raise_for_status()

    return probe


def _write_secret(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)
    new.write_text(text)
    new.replace(path)
