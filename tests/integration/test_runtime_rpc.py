"""What every call goes through, over real connections on loopback."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from typing import Any, cast

import grpc
import pytest
import pytest_asyncio
import structlog
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import error_details_pb2  # pyright: ignore[reportMissingTypeStubs]
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2
from prometheus_client import REGISTRY
from pydantic import SecretStr

from scoreline.fanout.v1 import fanout_service_pb2 as fanout
from scoreline.fanout.v1 import fanout_service_pb2_grpc as fanout_rpc
from scoreline.gamestate.v1 import gamestate_service_pb2 as gamestate
from scoreline.gamestate.v1 import gamestate_service_pb2_grpc as gamestate_rpc
from scoreline.ingestion.v1 import ingestion_service_pb2 as ingestion
from scoreline.ingestion.v1 import ingestion_service_pb2_grpc as ingestion_rpc
from services.runtime.auth import policy
from services.runtime.auth.principal import PrincipalKind, principal
from services.runtime.errors import GameNotFound, metadata_of, reason_of, status_of
from services.runtime.request_id import request_id
from services.runtime.rpc.channel import cancelling, open_channel
from services.runtime.rpc.server import RpcServer
from services.runtime.rpc.validation import validate
from services.runtime.settings import ServiceSettings

LONGEST_WAIT = 20  # seconds; an upper bound for waiting, never a figure
OPERATOR = (("authorization", "Bearer operator-s3cret"),)
SERVICES = [
    "scoreline.gamestate.v1.GamestateService",
    "scoreline.ingestion.v1.IngestionService",
    "scoreline.fanout.v1.FanoutService",
]
INGEST_STREAM = "/scoreline.ingestion.v1.IngestionService/IngestStream"
GOOD = ingestion.IngestRequest(provider="nhl", payload=b"{}")


# The servicers leave out what no test calls, which gRPC answers with UNIMPLEMENTED.
# pyright: reportAbstractUsage=false


class Gamestate(gamestate_rpc.GamestateServiceServicer):
    """Games whose ids say what happens."""

    async def GetGame(self, request: gamestate.GetGameRequest, context: Any) -> gamestate.GetGameResponse:
        if request.game_id == "unknown":
            raise GameNotFound("no game unknown", metadata={"game_id": "unknown"})
        if request.game_id == "broken":
            raise ZeroDivisionError("the secret of the servicer")
        if request.game_id == "whoami":
            response = gamestate.GetGameResponse()
            response.state.game_id = f"{principal().kind.name} {request_id()}"
            assert structlog.contextvars.get_contextvars() == {"request_id": request_id()}
            return response
        return gamestate.GetGameResponse()

    async def RebuildGame(self, request: gamestate.RebuildGameRequest, context: Any) -> gamestate.RebuildGameResponse:
        assert principal().kind is PrincipalKind.OPERATOR
        return gamestate.RebuildGameResponse(seq=1)


def numbered(number: int, message: ingestion.IngestRequest | None = None) -> ingestion.IngestStreamRequest:
    """A request of one message."""
    return ingestion.IngestStreamRequest(messages=[ingestion.NumberedMessage(message_number=number, message=message)])


def acknowledged(request: ingestion.IngestStreamRequest, sign: int = 1) -> ingestion.IngestStreamResponse:
    """The acknowledgement of its message, its number with a sign."""
    number = sign * request.messages[0].message_number
    return ingestion.IngestStreamResponse(acknowledgements=[ingestion.Acknowledgement(message_number=number)])


class Ingestion(ingestion_rpc.IngestionServiceServicer):
    """Acknowledges."""

    async def IngestStream(
        self, request_iterator: AsyncIterable[ingestion.IngestStreamRequest], context: Any
    ) -> AsyncIterator[ingestion.IngestStreamResponse]:
        async for request in request_iterator:
            yield acknowledged(request)


class Fanout(fanout_rpc.FanoutServiceServicer):
    """One response after another, as fast as they are taken, or one and then silence."""

    def __init__(self) -> None:
        self.opened = 0
        self.closed = 0
        self.closing = asyncio.Condition()

    async def Subscribe(
        self, request: fanout.SubscribeRequest, context: Any
    ) -> AsyncIterator[fanout.SubscribeResponse]:
        self.opened += 1
        try:
            quiet = request.targets[0].game_id == "quiet"
            while True:
                yield fanout.SubscribeResponse(server_time=Timestamp(seconds=1), resume_token="x" * 60_000)
                if quiet:
                    await asyncio.Event().wait()
        finally:
            self.closed += 1
            async with self.closing:
                self.closing.notify_all()

    async def all_closed(self) -> None:
        async with asyncio.timeout(LONGEST_WAIT), self.closing:
            await self.closing.wait_for(lambda: self.opened == self.closed)


@dataclass
class Running:
    """A server with its servicers, and a channel to it."""

    server: RpcServer
    channel: grpc.aio.Channel
    fanout: Fanout = field(default_factory=Fanout)

    @property
    def games(self) -> Any:
        return gamestate_rpc.GamestateServiceStub(self.channel)

    @property
    def health(self) -> Any:
        return health_pb2_grpc.HealthStub(self.channel)


async def start(*, ingestion_servicer: Any = None, **options: Any) -> Running:
    settings = ServiceSettings(operator_key=SecretStr("operator-s3cret"), port=0)
    server = RpcServer(settings, services=SERVICES, **options)
    viewers = Fanout()
    gamestate_rpc.add_GamestateServiceServicer_to_server(Gamestate(), server.grpc)
    ingestion_rpc.add_IngestionServiceServicer_to_server(ingestion_servicer or Ingestion(), server.grpc)
    fanout_rpc.add_FanoutServiceServicer_to_server(viewers, server.grpc)
    port = await server.start()
    await server.set_serving(True)
    return Running(server, open_channel(f"127.0.0.1:{port}"), viewers)


async def stop(running: Running) -> None:
    await running.channel.close()
    await running.server.drain_and_stop(0)


@pytest_asyncio.fixture(scope="module")
async def running() -> AsyncIterator[Running]:
    started = await start()
    yield started
    await stop(started)


async def refusal(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await asyncio.wait_for(call, LONGEST_WAIT)
    return caught.value


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_a_fault_arrives_with_its_reason(running: Running):
    error = await refusal(running.games.GetGame(gamestate.GetGameRequest(game_id="unknown")))

    assert error.code() is grpc.StatusCode.NOT_FOUND
    assert error.details() == "no game unknown"
    assert reason_of(error) == "GAME_NOT_FOUND"
    assert metadata_of(error) == {"game_id": "unknown"}


async def test_an_unexpected_error_arrives_without_its_text(running: Running):
    call = running.games.GetGame(gamestate.GetGameRequest(game_id="broken"), metadata=(("x-request-id", "r-1"),))
    error = await refusal(call)

    assert (error.code(), reason_of(error)) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert metadata_of(error) == {"request_id": "r-1"}
    assert "secret" not in repr(error)


async def test_every_violation_is_listed(running: Running):
    request = gamestate.ListPlaysRequest(game_id="no spaces", page_size=-1)
    error = await refusal(running.games.ListPlays(request))

    bad_request = error_details_pb2.BadRequest()
    status = status_of(error)
    assert status is not None
    assert any(detail.Unpack(bad_request) for detail in status.details)
    assert {found.field for found in bad_request.field_violations} == {"game_id", "page_size"}
    assert all(found.description for found in bad_request.field_violations)
    assert (reason_of(error), metadata_of(error)) == ("FIELDS_INVALID", {"fields": "game_id, page_size"})


async def test_a_violation_deep_in_a_list_is_named_by_its_path(running: Running):
    request = fanout.SubscribeRequest(targets=[fanout.Target(game_id="good"), fanout.Target(game_id="not good")])
    call = fanout_rpc.FanoutServiceStub(running.channel).Subscribe(request)
    error = await refusal(call.read())

    assert metadata_of(error) == {"fields": "targets[1].game_id"}


@pytest.mark.parametrize("offered", ["r-2026/11:30", None, "two words", "x" * 129])
async def test_the_request_id_comes_back_or_a_new_one_does(running: Running, offered: str | None):
    metadata = (("x-request-id", offered),) if offered else ()
    call = running.games.GetGame(gamestate.GetGameRequest(game_id="whoami"), metadata=metadata)
    response = await call
    trailers = dict(await call.trailing_metadata())

    assert trailers["x-request-id"] == response.state.game_id.removeprefix("ANONYMOUS ")
    assert (trailers["x-request-id"] == offered) is (offered == "r-2026/11:30")
    assert trailers["x-request-id"]


async def test_calls_at_the_same_time_keep_their_ids_apart(running: Running):
    ids = [f"r-{number}" for number in range(50)]
    request = gamestate.GetGameRequest(game_id="whoami")
    calls = [running.games.GetGame(request, metadata=(("x-request-id", each),)) for each in ids]
    told = [(await call).state.game_id for call in calls]
    assert told == [f"ANONYMOUS {each}" for each in ids]


async def test_operators_methods_need_the_operators_key(running: Running):
    request = gamestate.RebuildGameRequest(game_id="nhl-1")

    assert reason_of(await refusal(running.games.RebuildGame(request))) == "KEY_MISSING"
    wrong = running.games.RebuildGame(request, metadata=(("authorization", "Bearer wrong"),))
    assert reason_of(await refusal(wrong)) == "KEY_INVALID"
    assert (await running.games.RebuildGame(request, metadata=OPERATOR)).seq == 1


async def test_streams_need_a_key_too(running: Running):
    call = ingestion_rpc.IngestionServiceStub(running.channel).IngestStream()
    assert reason_of(await refusal(call.read())) == "KEY_MISSING"


async def test_who_may_not_call_is_not_told_what_is_wrong_with_the_request(running: Running):
    error = await refusal(running.games.RebuildGame(gamestate.RebuildGameRequest(game_id="no spaces")))
    assert reason_of(error) == "KEY_MISSING"


async def test_a_method_without_a_policy_is_refused(running: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(policy.POLICY, "/scoreline.gamestate.v1.GamestateService/AuditGame")
    call = running.games.AuditGame(gamestate.AuditGameRequest(game_id="nhl-1"), metadata=OPERATOR)
    assert (await refusal(call)).code() is grpc.StatusCode.PERMISSION_DENIED


async def test_a_method_that_does_not_exist_is_unimplemented(running: Running):
    nothing = cast("Any", running.channel).unary_unary("/scoreline.gamestate.v1.GamestateService/Nothing")
    call = nothing(b"")
    assert (await refusal(call)).code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_bad_message_ends_a_stream(running: Running):
    call = ingestion_rpc.IngestionServiceStub(running.channel).IngestStream(metadata=OPERATOR)
    async with cancelling(call):
        await call.write(numbered(1, GOOD))
        answer = await call.read()
        assert isinstance(answer, ingestion.IngestStreamResponse)
        assert answer.acknowledgements[0].message_number == 1
        await call.write(numbered(2))
        error = await refusal(call.read())
    assert (reason_of(error), metadata_of(error)) == ("FIELDS_INVALID", {"fields": "messages[0].message"})


async def test_a_servicer_that_checks_itself_sees_bad_messages():
    class Lenient(Ingestion):
        async def IngestStream(
            self, request_iterator: AsyncIterable[ingestion.IngestStreamRequest], context: Any
        ) -> AsyncIterator[ingestion.IngestStreamResponse]:
            async for request in request_iterator:
                try:
                    validate(request)
                    yield acknowledged(request)
                except Exception:
                    yield acknowledged(request, sign=-1)

    started = await start(checks_itself=frozenset({INGEST_STREAM}), ingestion_servicer=Lenient())

    async def sent() -> AsyncIterator[ingestion.IngestStreamRequest]:
        yield numbered(1, GOOD)
        yield numbered(2)
        yield numbered(3, GOOD)

    call = ingestion_rpc.IngestionServiceStub(started.channel).IngestStream(sent(), metadata=OPERATOR)
    assert [answer.acknowledgements[0].message_number async for answer in call] == [1, -2, 3]
    await stop(started)


@pytest.mark.parametrize("game_id", ["quiet", "busy"])
async def test_a_stream_that_is_left_is_cleaned_up(running: Running, game_id: str):
    """Both when the handler waits for something to say and when a write waits for its reader."""
    labels = {
        "grpc_type": "server_stream",
        "grpc_service": "scoreline.fanout.v1.FanoutService",
        "grpc_method": "Subscribe",
        "grpc_code": "CANCELLED",
    }
    before = counted("grpc_server_handled_total", **labels)
    request = fanout.SubscribeRequest(targets=[fanout.Target(game_id=game_id)])
    async with cancelling(fanout_rpc.FanoutServiceStub(running.channel).Subscribe(request)) as call:
        async for response in call:
            assert response.HasField("server_time")
            break
    await running.fanout.all_closed()
    async with asyncio.timeout(LONGEST_WAIT):
        while counted("grpc_server_handled_total", **labels) == before:
            await asyncio.sleep(0.01)
    assert counted("grpc_server_handled_total", **labels) == before + 1


async def test_calls_are_counted_by_code(running: Running):
    labels = {
        "grpc_type": "unary",
        "grpc_service": "scoreline.gamestate.v1.GamestateService",
        "grpc_method": "GetGame",
    }
    started = counted("grpc_server_started_total", **labels)
    missing = counted("grpc_server_handled_total", **labels, grpc_code="NOT_FOUND")
    await running.games.GetGame(gamestate.GetGameRequest(game_id="nhl-1"))
    await refusal(running.games.GetGame(gamestate.GetGameRequest(game_id="unknown")))

    assert counted("grpc_server_started_total", **labels) == started + 2
    assert counted("grpc_server_handled_total", **labels, grpc_code="NOT_FOUND") == missing + 1


async def test_a_large_message_passes(running: Running):
    call = ingestion_rpc.IngestionServiceStub(running.channel).IngestStream(metadata=OPERATOR)
    async with cancelling(call):
        message = ingestion.IngestRequest(provider="nhl", payload=bytes(8 * 1024 * 1024))
        await call.write(numbered(9, message))
        answer = await call.read()
        assert isinstance(answer, ingestion.IngestStreamResponse)
        assert answer.acknowledgements[0].message_number == 9


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection_lists_the_services(running: Running, version: str):
    call = running.channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )()
    async with cancelling(call):
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        listed = await call.read()
        await call.write(reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICES[0]))
        described = await call.read()
    assert isinstance(listed, reflection_pb2.ServerReflectionResponse)
    assert isinstance(described, reflection_pb2.ServerReflectionResponse)
    assert {*SERVICES, "grpc.health.v1.Health"} <= {each.name for each in listed.list_services_response.service}
    assert described.file_descriptor_response.file_descriptor_proto


async def test_health_tells_life_from_readiness():
    started = await start()

    async def status(service: str) -> str:
        answer = await started.health.Check(health_pb2.HealthCheckRequest(service=service))
        return health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status)

    everything = ["", "live", "ready", *SERVICES]
    assert {await status(service) for service in everything} == {"SERVING"}
    await started.server.set_serving(False)
    assert await status("live") == "SERVING"
    assert {await status(service) for service in everything if service != "live"} == {"NOT_SERVING"}
    unknown = await refusal(started.health.Check(health_pb2.HealthCheckRequest(service="nobody")))
    assert unknown.code() is grpc.StatusCode.NOT_FOUND
    await stop(started)


async def test_it_is_ready_only_while_its_dependencies_are_there():
    dependency = asyncio.Event()
    dependency.set()
    started = await start(ready_when=dependency.is_set)
    watch = started.health.Watch(health_pb2.HealthCheckRequest(service="ready"))
    async with cancelling(watch):
        told = [(await asyncio.wait_for(watch.read(), LONGEST_WAIT)).status]
        for change in (dependency.clear, dependency.set):
            change()
            told.append((await asyncio.wait_for(watch.read(), LONGEST_WAIT)).status)
            live = await started.health.Check(health_pb2.HealthCheckRequest(service="live"))
            assert live.status == health_pb2.HealthCheckResponse.SERVING
    serving = health_pb2.HealthCheckResponse.ServingStatus
    assert told == [serving.SERVING, serving.NOT_SERVING, serving.SERVING]
    await stop(started)


async def test_draining_tells_open_streams_and_cuts_off_what_stays():
    started = await start()
    request = fanout.SubscribeRequest(targets=[fanout.Target(game_id="quiet")])
    call = fanout_rpc.FanoutServiceStub(started.channel).Subscribe(request)
    await call.read()
    assert not started.server.draining.is_set()

    await started.server.drain_and_stop(0.2)

    assert started.server.draining.is_set()
    await started.fanout.all_closed()
    assert (await refusal(call.read())).code() is grpc.StatusCode.UNAVAILABLE
    await started.channel.close()
