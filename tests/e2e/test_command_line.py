"""The commands of `scoreline`, as a person at a terminal runs them."""

import asyncio
import gzip
import json
import signal
import socket
from pathlib import Path

import pytest

from services.cli.mesh import Endpoints
from services.runtime.local import free_port
from tests.support.command import Up, processes_of, scoreline, scoreline_json

_NHL = "nhl/2024020843_play-by-play.json"


@pytest.mark.timeout(240)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_up_goes_on_where_it_ended_and_leaves_no_process(
    tmp_path: Path, feeds: Path, how: signal.Signals
) -> None:
    data = tmp_path / "data"
    up = await Up.start(data, free_port())
    fed = await scoreline_json("feed", feeds / _NHL, "--provider", "nhl", "--data", data)
    assert fed == {"messages": 1, "events": 363, "games": {"nhl-2024020843": 363}, "refused": {}}
    assert await up.end(how) == 0
    assert processes_of(data) == []
    code, _, err = await scoreline("audit", "--data", data)
    assert (code, "nothing runs" in err) == (1, True)
    again = await Up.start(data, free_port())
    try:
        fed = await scoreline_json("feed", feeds / _NHL, "--provider", "nhl", "--data", data)
        assert fed["events"] == 0, "a document that was sent before changes nothing"
        audit = await scoreline_json("audit", "--data", data)
        assert audit == {"games": 1, "events": 363, "findings": []}
    finally:
        await again.end(how)


@pytest.mark.timeout(240)
async def test_up_plays_the_demo_game(tmp_path: Path) -> None:
    data = tmp_path / "data"
    up = await Up.start(data, free_port(), "--demo")
    try:
        endpoints = Endpoints.read(data)
        assert any(endpoints.gateway in line for line in up.printed)
        assert (data / "operator.key").stat().st_mode & 0o777 == 0o600
        async with asyncio.timeout(30):
            while (await scoreline("watch", "team:scoreline-mci", "--once", "--data", data))[0]:
                await asyncio.sleep(0.5)
    finally:
        await up.end(signal.SIGINT)


async def test_a_damaged_recording_is_named(tmp_path: Path) -> None:
    cut = tmp_path / "cut.json.gz"
    cut.write_bytes(gzip.compress(b"{}" * 1000)[:20])
    code, _, err = await scoreline("fold", cut, "--provider", "nhl")
    assert code == 2
    assert "cut.json.gz" in err
    assert "Traceback" not in err


async def test_a_port_that_is_taken_is_named_with_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = await scoreline("up", "--data", tmp_path, "--port", str(taken.getsockname()[1]))
    assert code == 1
    assert "--port" in err


async def test_rebuild_and_audit_of_a_running_stack(mesh: object, feeds: Path, mesh_data: Path) -> None:
    await scoreline_json("feed", feeds / _NHL, "--provider", "nhl", "--data", mesh_data)
    code, out, err = await scoreline("rebuild", "nhl-2024020843", "--data", mesh_data)
    assert (code, out.strip()) == (0, "nhl-2024020843: unchanged at 363"), err
    code, out, err = await scoreline("rebuild", "--all", "--data", mesh_data)
    assert (code, "unchanged" in out) == (0, True), err
    code, out, err = await scoreline("rebuild", "nope", "--data", mesh_data)
    assert code == 1
    assert "GAME_NOT_FOUND" in err


async def test_fold_prints_what_a_recording_tells(feeds: Path) -> None:
    (game,) = await scoreline_json("fold", feeds / _NHL, "--provider", "nhl")
    assert (game["away"]["score"], game["home"]["score"], len(game["scoring"])) == (3, 2, 5)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("fold", "missing.json", "--provider", "nhl"), "missing.json"),
        (("fold", "missing.json", "--provider", "acme"), "nhl"),
        (("feed", "missing.json", "--provider", "nhl", "--data", "nowhere"), "scoreline up"),
        (("audit", "--data", "nowhere"), "scoreline up"),
        (("watch", "--data", "nowhere"), "game:ID"),
        (("rebuild", "--data", "nowhere"), "--all"),
        (("up", "--replicas", "fanout=no"), "'fanout=no'"),
        (("up", "--replicas", "fanout=0"), "'fanout=0'"),
        (("up", "--port", "70000"), "--port"),
        (("watch", "g", "--heartbeat", "nan"), "--heartbeat"),
        (("feed", "missing.json", "--provider", "nhl", "--speed", "nan"), "--speed"),
        (("feed", "--provider", "nhl"), "recording"),
    ],
)
async def test_a_wrong_call_is_told_what_to_do(arguments: tuple[str, ...], told: str) -> None:
    code, _, err = await scoreline(*arguments)
    assert code != 0
    assert told in err
    assert "Traceback" not in err


async def test_feed_tells_what_was_refused(mesh: object, mesh_data: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"game_id": "with space", "plays": []}')
    code, _, err = await scoreline("feed", tmp_path / "bad.json", "--provider", "scoreline", "--data", mesh_data)
    assert code == 1
    assert "game_id" in err


async def test_a_token_may_begin_like_an_option(mesh: object, mesh_data: Path) -> None:
    code, _, err = await scoreline("watch", "g", "--from", "-made-up", "--data", mesh_data)
    assert code == 1
    assert "RESUME_TOKEN_INVALID" in err


async def test_watch_resumes_from_a_token(mesh: object, mesh_data: Path, feeds: Path) -> None:
    await scoreline_json("feed", feeds / _NHL, "--provider", "nhl", "--data", mesh_data)
    code, out, err = await scoreline("watch", "nhl-2024020843", "--json", "--once", "--data", mesh_data)
    assert code == 0, err
    items = [json.loads(line) for line in out.splitlines()]
    assert [next(iter(item)) for item in items] == ["accepted", "snapshot", "game_end", "caught_up"]
    token = items[-1]["resume_token"]
    _, out, _ = await scoreline("watch", "nhl-2024020843", "--json", "--once", "--from", token, "--data", mesh_data)
    items = [json.loads(line) for line in out.splitlines()]
    assert items[0]["accepted"]["mode"] == "START_MODE_RESUMED"
    assert items[-1]["caught_up"]["replayed"] == "0"
