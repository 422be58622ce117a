"""MongoDB as the third engine: set up by itself, supervised and stopped, with the real server."""

import asyncio
import os
import platform
import signal
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pymongo import AsyncMongoClient, WriteConcern

from services.runtime.local import BinaryMissing, BinaryUnusable, DataFolder, EngineUnreachable, Stack, mongo_server
from services.runtime.local import stack as stack_module
from tests.integration.test_local import Listener, gone, living, pid_of

PARENT = """
import asyncio, sys
from pathlib import Path
from services.runtime.local import Stack, mongo_server

async def main():
    async with Stack(Path(sys.argv[1])) as stack:
        url = await stack.engine(mongo_server)
        print(stack.children["mongo"].pid, url, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture(autouse=True)
async def without_url(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where no mongod can run; where a package brings one, it has to be found."""
    monkeypatch.delenv("SCORELINE_MONGO_URL", raising=False)
    folder = DataFolder(tmp_path_factory.mktemp("probe"))
    try:
        await mongo_server(folder)
    except BinaryUnusable as error:
        pytest.skip(str(error))
    except BinaryMissing as error:
        if (sys.platform, platform.machine()) == ("linux", "x86_64"):
            raise
        pytest.skip(str(error))
    finally:
        folder.close()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
async def stack(tmp_path: Path, listener: Listener) -> AsyncIterator[Stack]:
    async with Stack(tmp_path / "data", tell=listener) as stack:
        yield stack


def connect(url: str, **options: Any) -> AsyncMongoClient[dict[str, Any]]:
    return AsyncMongoClient(url, **options)


async def write(client: AsyncMongoClient[dict[str, Any]], what: str) -> None:
    kept = client.get_default_database().get_collection("kept", write_concern=WriteConcern("majority"))
    await kept.insert_one({"what": what})


async def read(client: AsyncMongoClient[dict[str, Any]]) -> list[str]:
    return [found["what"] async for found in client.get_default_database()["kept"].find()]


async def test_second_start_goes_on_where_the_first_ended(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        url = await stack.engine(mongo_server)
        async with connect(url) as client:
            await write(client, "a goal")
        pid = pid_of(stack, "mongo")
    assert pid not in living()

    async with Stack(tmp_path) as stack:
        assert await stack.engine(mongo_server) == url
        async with connect(url) as client:
            assert await read(client) == ["a goal"]


async def test_a_replica_set_takes_transactions_and_tells_of_changes(stack: Stack) -> None:
    async with connect(await stack.engine(mongo_server)) as client:
        kept = client.get_default_database()["kept"]
        async with await kept.watch() as changes:
            async with client.start_session() as session, await session.start_transaction():
                await kept.insert_one({"what": "a goal"}, session=session)
                assert await read(client) == [], "it is not committed"
            change = await changes.next()
        assert change["fullDocument"]["what"] == "a goal"


async def test_it_stops_cleanly_while_a_client_waits(stack: Stack) -> None:
    url = await stack.engine(mongo_server)
    lock = stack.folder.path / "mongo" / "mongod.lock"
    async with (
        connect(url, serverSelectionTimeoutMS=100) as client,  # which says goodbye to a server that is gone
        await client.get_default_database().watch() as changes,
    ):
        waiting = asyncio.create_task(changes.next())
        await asyncio.sleep(0.2)  # by then it waits; if not, the test is only easier to pass
        assert lock.read_text().strip() == str(pid_of(stack, "mongo"))
        await stack.stop()
        assert lock.read_bytes() == b"", "it was killed; one that ends by itself takes its pid out"
        waiting.cancel()
        await asyncio.wait({waiting})


async def test_a_killed_server_is_restarted_and_told(stack: Stack, listener: Listener) -> None:
    async with connect(await stack.engine(mongo_server)) as client:
        await write(client, "a goal")
        killed = pid_of(stack, "mongo")
        os.kill(killed, signal.SIGKILL)
        crash = await listener.hears("mongo", "crashed")
        assert (crash.pid, crash.why) == (killed, "was ended by signal 9 (Killed)")
        restart = await listener.hears("mongo", "restarted")
        assert restart.pid == pid_of(stack, "mongo") != killed
        await write(client, "another goal")
        assert await read(client) == ["a goal", "another goal"]


async def test_the_set_moves_with_its_port(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        first = await stack.engine(mongo_server)
        taken = stack.folder.port("mongo")
        async with connect(first) as client:
            await write(client, "a goal")
    with socket.socket() as other:
        other.bind(("127.0.0.1", taken))
        async with Stack(tmp_path) as stack:
            second = await stack.engine(mongo_server)
            assert second != first
            async with connect(second) as client:
                await write(client, "another goal")
                assert await read(client) == ["a goal", "another goal"]
                assert client.nodes == {("127.0.0.1", stack.folder.port("mongo"))}


async def test_killed_parent_leaves_no_orphan_and_a_folder_to_start_on(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, tmp_path, stdout=PIPE)
    assert parent.stdout is not None
    pid, url = (await parent.stdout.readline()).decode().split()
    async with connect(url) as client:
        await write(client, "a goal")
    parent.kill()
    await parent.wait()
    async with Stack(tmp_path) as stack:  # at once, while the server may still be ending
        assert await stack.engine(mongo_server) == url
        async with connect(url) as client:
            assert await read(client) == ["a goal"]
    await gone({int(pid)})


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is nobody's address")
async def test_it_listens_on_one_address_only(stack: Stack) -> None:
    await stack.engine(mongo_server)
    port = stack.folder.port("mongo")
    socket.create_connection(("127.0.0.1", port)).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", port))
    assert f"mongodb-{port}.sock" not in os.listdir("/tmp")


async def test_a_url_starts_nothing(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = await stack.engine(mongo_server)
    monkeypatch.setenv("SCORELINE_MONGO_URL", url)
    async with Stack(tmp_path / "other") as other:
        assert await other.engine(mongo_server) == url
        assert not other.children
    assert not (tmp_path / "other" / "mongo").exists()


async def test_a_url_where_nobody_answers_is_named_by_its_setting(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack_module, "REACHED_WITHIN", 0.5)
    monkeypatch.setenv("SCORELINE_MONGO_URL", f"mongodb://fan:secret@127.0.0.1:{stack.folder.port('nobody')}")
    with pytest.raises(EngineUnreachable, match="SCORELINE_MONGO_URL") as failure:
        await stack.engine(mongo_server)
    assert "secret" not in str(failure.value)


async def test_a_binary_that_cannot_run_is_named_with_the_url_to_set_instead(
    stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.runtime.local.mongo._PACKAGE", "no-such-package")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BinaryMissing, match=r"no-such-package.*SCORELINE_MONGO_URL"):
        await stack.engine(mongo_server)

    binary = tmp_path / "mongod"
    binary.write_text("#!/bin/sh\necho 'error while loading shared libraries: libcurl.so.4: no' >&2; exit 127\n")
    binary.chmod(0o755)
    with pytest.raises(BinaryUnusable, match=r"library libcurl\.so\.4;.*SCORELINE_MONGO_URL"):
        await stack.engine(mongo_server)
