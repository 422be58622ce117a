"""Live games as server-sent events."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
import pytest

from scoreline.fanout.v1 import fanout_service_pb2 as fanout
from services.gateway.live import events
from services.ingestion.providers import scoreline
from services.runtime.errors import DependencyAway
from tests.support import soccer
from tests.support.gateways import Gateway, gateway
from tests.support.scripted_games import ScriptedGames, serving

LIVE = f"/live?game={soccer.GAME_ID}"


class Event(NamedTuple):
    """One event as a browser sees it: with the newest id so far."""

    kind: str
    id: str
    data: dict[str, Any]


class World(NamedTuple):
    """A game behind a gateway."""

    games: ScriptedGames
    gateway: Gateway
    http: httpx.AsyncClient


@pytest.fixture
async def world() -> AsyncGenerator[World]:
    games = ScriptedGames(scoreline.PROVIDER)
    await games.take(soccer.header())
    async with (
        serving(games) as target,
        gateway(target) as running,
        httpx.AsyncClient(base_url=running.url, trust_env=False, timeout=20) as http,
    ):
        yield World(games, running, http)


@asynccontextmanager
async def stream(http: httpx.AsyncClient, path: str = LIVE, token: str = "") -> AsyncGenerator[AsyncIterator[Event]]:
    headers = {"last-event-id": token} if token else {}
    async with http.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield _events(response)


async def _events(response: httpx.Response) -> AsyncIterator[Event]:
    fields: dict[str, str] = {}
    newest = ""
    async for line in response.aiter_lines():
        name, _, value = line.partition(": ")
        if line:
            assert name not in fields, "each item is one event, on one line"
            fields[name] = value
            newest = value if name == "id" else newest
        else:
            if "event" in fields:
                yield Event(fields["event"], newest, json.loads(fields["data"]))
            fields = {}


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        await asyncio.sleep(0.01)
    pytest.fail("it did not come to that")


async def test_a_stream_begins_at_once_and_tells_each_item_by_its_kind(world: World):
    async with stream(world.http) as heard:
        opening = [await anext(heard) for _ in range(3)]
        assert [event.kind for event in opening] == ["accepted", "snapshot", "caught_up"]
        assert opening[1].data["snapshot"]["state"]["score"] == {"home": 0, "away": 0}
        await world.games.take(soccer.goal("g1", 10))
        await world.games.take(soccer.no_goal("g1", "offside"))
        scored, taken_back = await anext(heard), await anext(heard)
    assert (scored.kind, scored.data["update"]["update"]["score"]["home"]) == ("update", 1)
    correction = taken_back.data["correction"]["update"]["correction"]
    assert (taken_back.kind, correction["kind"]) == ("correction", "CORRECTION_KIND_CANCELLED")
    assert correction["reason"] == "offside"


async def test_a_stream_goes_on_behind_the_last_id_with_every_seq_once(world: World):
    seqs: list[int] = []
    token = ""
    for round_ in range(3):
        async with stream(world.http, token=token) as heard:
            assert (await anext(heard)).kind == "accepted"
            for number in range(4):
                await world.games.take(soccer.goal(f"g{round_}-{number}", 10 + round_))
            async for event in heard:
                token = event.id
                if event.kind == "update":
                    seqs.append(int(event.data["update"]["update"]["seq"]))
                if len(seqs) == 5 * round_ + 4:
                    break
        await until(lambda: world.games.streams == 0)
        await world.games.take(soccer.goal(f"away-{round_}", 30))
    assert seqs == list(range(2, 16))
    assert world.games.tokens[0] == ""
    assert all(world.games.tokens[1:])


async def test_an_id_comes_with_the_last_item_of_a_response_only():
    item = fanout.Item(heartbeat=fanout.Heartbeat())
    response = fanout.SubscribeResponse(items=[item, fanout.Item(), item], resume_token="t")
    lines = events(response).decode().splitlines()
    assert [line for line in lines if line.startswith(("event", "id"))] == ["event: heartbeat"] * 2 + ["id: t"]
    # What this gateway does not know is not passed on, yet the position moves.
    assert events(fanout.SubscribeResponse(items=[fanout.Item()], resume_token="t")) == b"id: t\n\n"
    assert events(fanout.SubscribeResponse(items=[item])).count(b"id:") == 0


async def test_an_address_may_hold_the_id_and_the_header_is_newer(world: World):
    for path, token in ((f"{LIVE}&last_event_id=0", ""), (f"{LIVE}&last_event_id=0", "1")):
        async with stream(world.http, path, token) as heard:
            await anext(heard)
    assert world.games.tokens == ["0", "1"]


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/live", ["game"]),
        ("/live?games=x", ["games", "game"]),
        (f"{LIVE}&heartbeat=soon", ["heartbeat"]),
        (f"{LIVE}&heartbeat=nan", ["heartbeat"]),
        ("/live?game=a.b", ["targets[0].game_id"]),
    ],
)
async def test_what_is_wrong_with_an_address_is_named(world: World, path: str, fields: list[str]):
    response = await world.http.get(path)
    assert (response.status_code, response.json()["reason"]) == (400, "FIELDS_INVALID")
    assert [violation["field"] for violation in response.json()["violations"]] == fields


async def test_before_the_first_item_an_error_is_a_status(world: World):
    unknown = await world.http.get("/live?game=nobody")
    assert (unknown.status_code, unknown.json()["reason"]) == (404, "TARGET_NOT_FOUND")
    async with gateway("127.0.0.1:1") as alone, httpx.AsyncClient(base_url=alone.url, trust_env=False) as http:
        assert (await http.get(LIVE)).status_code == 503


async def test_later_an_error_is_an_event_and_the_end(world: World):
    async with stream(world.http) as heard:
        await anext(heard)
        world.games.error = DependencyAway("the bus is away")
        await world.games.take(soccer.goal("g1", 10))
        *_, last = [event async for event in heard]
    assert (last.kind, last.data["reason"]) == ("error", "DEPENDENCY_AWAY")


async def test_a_reader_who_leaves_ends_the_call_behind_it(world: World):
    async with stream(world.http) as heard:
        await anext(heard)
        assert world.games.streams == 1
    await until(lambda: world.games.streams == 0)


async def test_head_opens_nothing_that_stays(world: World):
    assert (await world.http.head(LIVE)).status_code == 200
    await until(lambda: world.games.streams == 0)


async def test_a_gateway_that_stops_sends_its_readers_elsewhere(world: World):
    async with stream(world.http) as heard:
        await anext(heard)
        stopping = asyncio.create_task(world.gateway.server.drain_and_stop(10))
        *_, last = [event async for event in heard]
        await stopping
    assert last.kind == "reconnect"
    assert world.games.streams == 0


async def test_who_does_not_read_is_waited_for_and_not_written_for(world: World):
    host, port = world.gateway.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=4096)
    writer.write(f"GET {LIVE} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    for number in range(1200):
        status = fanout.SourceStatus(detail=f"{number} " + "x" * 60_000)
        await world.games.say(fanout.Item(source_status=status))
    taken = -1
    while taken != world.games.written:
        taken = world.games.written
        await asyncio.sleep(0.5)
    # 70 MB were said; what waits in sockets and windows on the way is a few.
    assert taken < 600
    writer.close()
    await until(lambda: world.games.streams == 0)
