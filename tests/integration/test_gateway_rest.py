"""REST: the routes of gamestate as its annotations say, and every way of an annotation with a service of its own."""

from collections.abc import AsyncGenerator
from typing import Any, NamedTuple

import grpc.aio
import httpx
import pytest
from google.api import annotations_pb2, http_pb2  # pyright: ignore[reportMissingTypeStubs]
from google.protobuf import descriptor_pb2, descriptor_pool, duration_pb2, timestamp_pb2
from starlette.applications import Starlette

from services.gateway import rest
from services.gateway.problem import answer_problem
from services.ingestion.providers import scoreline
from services.runtime.errors import DependencyAway, Fault
from tests.support import soccer
from tests.support.gateways import gateway
from tests.support.scripted_games import ScriptedGames, serving

GAME = f"/v1/games/{soccer.GAME_ID}"


class World(NamedTuple):
    """A game behind a gateway."""

    games: ScriptedGames
    http: httpx.AsyncClient


@pytest.fixture
async def world() -> AsyncGenerator[World]:
    games = ScriptedGames(scoreline.PROVIDER)
    await games.take(soccer.header())
    await games.take(soccer.goal("g1", 10))
    async with (
        serving(games) as target,
        gateway(target) as running,
        httpx.AsyncClient(base_url=running.url, trust_env=False) as http,
    ):
        yield World(games, http)


async def test_a_game_is_json_with_the_contracts_names_and_zeros_are_told(world: World):
    response = await world.http.get(GAME)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    state = response.json()["state"]
    assert state["score"] == {"home": 1, "away": 0}
    assert state["seq"] == "2"
    assert state["header"]["status"] == "GAME_STATUS_LIVE"


async def test_an_etag_holds_until_the_answer_is_another_one(world: World):
    first = await world.http.get(GAME)
    tag = {"if-none-match": f'"other", W/{first.headers["etag"]}'}
    again = await world.http.get(GAME, headers=tag)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    await world.games.take(soccer.goal("g2", 20))
    changed = await world.http.get(GAME, headers=tag)
    assert changed.status_code == 200
    assert changed.json()["state"]["score"]["home"] == 2


async def test_head_is_get_without_the_body(world: World):
    head, get = await world.http.head(GAME), await world.http.get(GAME)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == get.headers["etag"]
    assert head.headers["content-length"] == get.headers["content-length"]


@pytest.mark.parametrize(
    "query", ["play_classes=PLAY_CLASS_DISCIPLINE", "playClasses=4", "play_classes=5&play_classes=4"]
)
async def test_enums_come_by_name_or_number_and_names_in_both_forms(world: World, query: str):
    await world.games.take(soccer.foul("f1", 12))
    response = await world.http.get(f"{GAME}/plays?{query}&include_retracted=true")
    assert [line["play"]["play_id"] for line in response.json()["plays"]] == ["f1"]


async def test_everything_that_is_wrong_with_a_query_is_told_at_once(world: World):
    query = "colour=red&descending=maybe&page_size=1&page_size=2&play_classes=GOAL&game_id=other&plays.x=1"
    response = await world.http.get(f"{GAME}/plays?{query}")
    assert response.status_code == 400
    problem = response.json()
    assert (problem["code"], problem["reason"]) == ("INVALID_ARGUMENT", "FIELDS_INVALID")
    told = {violation["field"]: violation["description"] for violation in problem["violations"]}
    assert told == {
        "colour": "is no parameter of this method",
        "descending": "is no bool",
        "page_size": "is given more than once",
        "play_classes": "is no scoreline.game.v1.PlayClass",
        "game_id": "is set by the path",
        "plays.x": "is no parameter of this method",
    }


async def test_what_a_service_refuses_keeps_its_reason_metadata_and_violations(world: World):
    unknown = await world.http.get("/v1/games/nobody", headers={"x-request-id": "seen-before"})
    assert unknown.status_code == 404
    assert unknown.json() == {
        "code": "NOT_FOUND",
        "reason": "GAME_NOT_FOUND",
        "message": "there is no game nobody",
        "metadata": {"game_id": "nobody"},
        "violations": [],
        "request_id": "seen-before",
    }
    bad = await world.http.get(f"{GAME}/plays?page_size=-1")
    assert bad.status_code == 400
    assert [violation["field"] for violation in bad.json()["violations"]] == ["page_size"]


async def test_request_id_and_key_go_through_and_the_id_comes_back(world: World):
    response = await world.http.get(GAME, headers={"x-request-id": "r-1", "authorization": "Bearer k"})
    assert response.headers["x-request-id"] == "r-1"
    assert response.headers["cache-control"] == "private, no-cache"
    assert world.games.metadata["x-request-id"] == "r-1"
    assert world.games.metadata["authorization"] == "Bearer k"
    assert len((await world.http.get(GAME)).headers["x-request-id"]) == 32


async def test_a_key_that_is_none_is_refused_here(world: World):
    response = await world.http.get(GAME, headers=[(b"authorization", b"Bearer \xe9")])
    assert (response.status_code, response.json()["reason"]) == (401, "KEY_INVALID")
    assert response.headers["www-authenticate"] == "Bearer"


async def test_unknown_paths_and_methods_are_the_same_json(world: World):
    missing, refused = await world.http.get("/v1/nothing"), await world.http.post(GAME)
    assert (missing.status_code, missing.json()["code"]) == (404, "NOT_FOUND")
    assert (refused.status_code, refused.json()["code"]) == (405, "UNIMPLEMENTED")
    assert "GET" in refused.headers["allow"]
    assert refused.json()["request_id"] == refused.headers["x-request-id"]


async def test_an_outage_says_when_to_try_again(world: World):
    world.games.error = DependencyAway("postgresql does not answer", retry_after=3)
    response = await world.http.get(GAME)
    assert (response.status_code, response.json()["reason"]) == (503, "DEPENDENCY_AWAY")
    assert response.headers["retry-after"] == "3"


async def test_a_service_that_is_away_is_an_outage():
    async with gateway("127.0.0.1:1") as running, httpx.AsyncClient(base_url=running.url, trust_env=False) as http:
        response = await http.get(GAME)
        assert (response.status_code, response.json()["reason"]) == (503, "DEPENDENCY_AWAY")


async def test_probes_tell_the_process_from_what_it_depends_on(world: World):
    ready = await world.http.get("/readyz")
    assert ready.status_code == 200
    assert ready.json() == {"status": "SERVING", "dependencies": {"gamestate": "SERVING", "fanout": "SERVING"}}
    async with gateway("127.0.0.1:1") as alone, httpx.AsyncClient(base_url=alone.url, trust_env=False) as http:
        assert (await http.get("/healthz")).status_code == 200
        away = await http.get("/readyz")
        assert (away.status_code, away.json()["dependencies"]["fanout"]) == (503, "UNAVAILABLE")


async def test_every_answer_has_the_headers_that_keep_a_browser_safe(world: World):
    for path in ("/", "/static/app.js", GAME, "/v1/nothing"):
        headers = (await world.http.get(path)).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path


# -- every way of an annotation, with a service that answers what it was asked ---------------------------------------

_PACKAGE = "scoreline.gateway_test.v1"


def _annotate(method: Any, rule: http_pb2.HttpRule) -> None:
    method.options.Extensions[annotations_pb2.http].CopyFrom(rule)


def _service() -> Any:
    """Descriptor of a service of annotated rpcs whose answer is their request."""
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="gateway_test.proto", package=_PACKAGE, syntax="proto3")
    file.dependency.extend([timestamp_pb2.DESCRIPTOR.name, duration_pb2.DESCRIPTOR.name])
    inner = file.message_type.add(name="Inner")
    inner.field.add(name="inner_id", number=1, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    inner.field.add(name="numbers", number=2, type=field.TYPE_INT64, label=field.LABEL_REPEATED)
    ask = file.message_type.add(name="Ask")
    message = {"type": field.TYPE_MESSAGE, "label": field.LABEL_OPTIONAL}
    ask.field.add(name="inner", number=1, type_name=f".{_PACKAGE}.Inner", **message)
    ask.field.add(name="words", number=2, type=field.TYPE_STRING, label=field.LABEL_REPEATED)
    ask.field.add(name="at", number=3, type_name=".google.protobuf.Timestamp", **message)
    ask.field.add(name="wait", number=4, type_name=".google.protobuf.Duration", **message)
    service = file.service.add(name="EchoService")
    rules = {
        "Make": http_pb2.HttpRule(post="/v1/things", body="*"),
        "Set": http_pb2.HttpRule(put="/v1/things/{inner.inner_id}", body="inner"),
        "Change": http_pb2.HttpRule(patch="/v1/things/{inner.inner_id}", body="*"),
        "Remove": http_pb2.HttpRule(delete="/v1/things/{inner.inner_id}"),
        "Retry": http_pb2.HttpRule(
            post="/v1/things/{inner.inner_id}:retry", additional_bindings=[{"get": "/v1/things/last"}]
        ),
        "Look": http_pb2.HttpRule(get="/v1/things/{inner.inner_id}"),
    }
    for name, rule in rules.items():
        kind = f".{_PACKAGE}.Ask"
        method = service.method.add(name=name, input_type=kind, output_type=kind)
        _annotate(method, rule)
    service.method.add(name="Hidden", input_type=f".{_PACKAGE}.Ask", output_type=f".{_PACKAGE}.Ask")
    pool = descriptor_pool.Default()
    pool.AddSerializedFile(file.SerializeToString())
    return pool.FindServiceByName(f"{_PACKAGE}.EchoService")


ECHO = _service()


@pytest.fixture
async def echo() -> AsyncGenerator[httpx.AsyncClient]:
    async def answer(request: bytes, context: Any) -> bytes:
        return request

    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_unary_rpc_method_handler(answer) for name in ECHO.methods_by_name
    }
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler(ECHO.full_name, methods)])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        app = Starlette(routes=rest.routes(channel, [ECHO], 5), exception_handlers={Fault: answer_problem})
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(base_url="http://gateway", transport=transport, trust_env=False) as http:
            yield http
    await server.stop(0)


async def test_a_body_is_the_whole_request(echo: httpx.AsyncClient):
    body = {"inner": {"innerId": "a", "numbers": ["1", 2]}, "words": ["x"], "wait": "1.500s"}
    response = await echo.post("/v1/things", json=body)
    assert response.json() == {"inner": {"inner_id": "a", "numbers": ["1", "2"]}, "words": ["x"], "wait": "1.500s"}
    assert "etag" not in response.headers
    assert response.headers["cache-control"] == "no-store"


async def test_a_body_is_one_field_and_path_and_query_the_rest(echo: httpx.AsyncClient):
    response = await echo.put("/v1/things/b?words=x&words=y&at=2026-01-02T03:04:05Z", json={"numbers": [7]})
    assert response.json() == {
        "inner": {"inner_id": "b", "numbers": ["7"]},
        "words": ["x", "y"],
        "at": "2026-01-02T03:04:05Z",
    }


async def test_the_path_wins_over_the_body(echo: httpx.AsyncClient):
    response = await echo.patch("/v1/things/right", json={"inner": {"inner_id": "wrong"}})
    assert response.json()["inner"]["inner_id"] == "right"


async def test_nested_and_repeated_fields_of_a_query(echo: httpx.AsyncClient):
    response = await echo.delete("/v1/things/d?inner.numbers=1&inner.numbers=-2&wait=3s")
    assert response.json() == {"inner": {"inner_id": "d", "numbers": ["1", "-2"]}, "words": [], "wait": "3s"}


async def test_a_verb_of_its_own_and_a_word_before_a_variable(echo: httpx.AsyncClient):
    assert (await echo.post("/v1/things/e:retry")).json()["inner"]["inner_id"] == "e"
    assert (await echo.get("/v1/things/last")).json() == {"words": []}
    assert (await echo.get("/v1/things/first")).json()["inner"]["inner_id"] == "first"


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "/v1/things", b"{", "body"),
        ("POST", "/v1/things", b'{"nothing": 1}', "body"),
        ("POST", "/v1/things", b"\xff", "body"),
        ("POST", "/v1/things?words=x", b"{}", "words"),
        ("PUT", "/v1/things/b?inner.numbers=1", b"{}", "inner.numbers"),
        ("GET", "/v1/things/b?inner.numbers=x", b"", "inner.numbers"),
        ("GET", "/v1/things/b?inner=x", b"", "inner"),
        ("GET", "/v1/things/b?at=today", b"", "at"),
        ("GET", "/v1/things/b?words.x=1", b"", "words.x"),
    ],
)
async def test_what_does_not_fit_is_named(echo: httpx.AsyncClient, method: str, path: str, body: bytes, field: str):
    response = await echo.request(method, path, content=body)
    assert response.status_code == 400
    assert [violation["field"] for violation in response.json()["violations"]] == [field]


async def test_a_body_over_the_limit_is_refused(echo: httpx.AsyncClient):
    assert (await echo.post("/v1/things", content=b" " * (4 * 1024 * 1024 + 1))).status_code == 413


def test_an_annotation_that_is_not_understood_stops_the_start():
    file = descriptor_pb2.FileDescriptorProto(name="gateway_test_2.proto", package=f"{_PACKAGE}2", syntax="proto3")
    file.message_type.add(name="Ask")
    method = file.service.add(name="S").method.add(name="M", input_type="Ask", output_type="Ask")
    rule = http_pb2.HttpRule(get="/v1/{name=things/*}")
    _annotate(method, rule)
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    service: Any = descriptor_pool.Default().FindServiceByName(f"{_PACKAGE}2.S")
    with pytest.raises(ValueError, match="does not know"):
        list(rest.bindings(service))
