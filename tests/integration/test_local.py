"""The engines and the supervision of children, with the real servers in temporary folders."""

import asyncio
import os
import shutil
import signal
import socket
import stat
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import StreamConfig
from psycopg.conninfo import make_conninfo

from services.runtime.local import (
    BinaryMissing,
    BinaryUnusable,
    ChildExited,
    ChildNotReady,
    ChildSpec,
    EngineUnreachable,
    FolderInUse,
    Notice,
    Probe,
    Stack,
    nats_server,
    postgres_binaries,
    postgres_server,
)
from services.runtime.local import stack as stack_module
from services.runtime.local.binaries import first_usable, why_unusable

LONGEST_WAIT = 30  # seconds; an upper bound for waiting, never a figure

PARENT = """
import asyncio, sys
from pathlib import Path
from services.runtime.local import Stack, nats_server, postgres_server

async def main():
    async with Stack(Path(sys.argv[1])) as stack:
        await stack.engine(postgres_server)
        await stack.engine(nats_server)
        print(*(child.pid for child in stack.children.values()), flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


class Listener:
    """Keeps what a stack tells, so that a test can wait for it."""

    def __init__(self) -> None:
        self._queue = asyncio.Queue[Notice]()

    def __call__(self, notice: Notice) -> None:
        self._queue.put_nowait(notice)

    async def hears(self, child: str, what: str) -> Notice:
        async with asyncio.timeout(LONGEST_WAIT):
            while True:
                notice = await self._queue.get()
                if (notice.child, notice.what) == (child, what):
                    return notice


@pytest.fixture(autouse=True)
def without_urls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCORELINE_POSTGRES_URL", raising=False)
    monkeypatch.delenv("SCORELINE_NATS_URL", raising=False)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
async def stack(tmp_path: Path, listener: Listener) -> AsyncIterator[Stack]:
    async with Stack(tmp_path / "data", tell=listener) as stack:
        yield stack


async def at_once() -> None:
    """The readiness of a child that has none."""


def script(name: str, code: str, ready: Probe = at_once) -> ChildSpec:
    return ChildSpec(name=name, argv=[sys.executable, "-c", code], ready=ready)


def sleeper(name: str, ready: Probe = at_once) -> ChildSpec:
    return script(name, "import time; time.sleep(1000)", ready)


def living() -> dict[int, tuple[int, int]]:
    """The parent and the process group of each process that has not ended."""
    found: dict[int, tuple[int, int]] = {}
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            with suppress(OSError):  # it ended just now
                state, parent, group = (process / "stat").read_text().rpartition(")")[2].split()[:3]
                if state != "Z":
                    found[int(process.name)] = (int(parent), int(group))
    return found


def families(*leaders: int) -> set[int]:
    """These processes, the groups that they lead, and all that descend from those."""
    processes = living()
    found: set[int] = set()
    more = set(leaders)
    while more:
        found |= more
        more = {pid for pid, kin in processes.items() if not found.isdisjoint(kin)} - found
    return found


async def becomes(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONGEST_WAIT):
        while True:
            if condition():
                return
            await asyncio.sleep(0.05)


async def gone(pids: set[int]) -> None:
    await becomes(lambda: pids.isdisjoint(living()))


def pid_of(stack: Stack, name: str) -> int:
    pid = stack.children[name].pid
    assert pid is not None
    return pid


async def write_row(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        await connection.execute("CREATE TABLE IF NOT EXISTS kept (what text)")
        await connection.execute("INSERT INTO kept VALUES ('a goal')")


async def read_rows(url: str) -> list[str]:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        rows = await connection.execute("SELECT what FROM kept")
        return [row[0] for row in await rows.fetchall()]


async def publish(url: str) -> None:
    client = Client()
    await client.connect(url)
    jetstream = JetStreamContext(client)
    await jetstream.add_stream(StreamConfig(name="kept", subjects=["kept.>"]))  # pyright: ignore[reportUnknownMemberType]
    await jetstream.publish("kept.goal", b"a goal")
    await client.close()


async def read_message(url: str) -> bytes | None:
    client = Client()
    await client.connect(url)
    message = await JetStreamContext(client).get_msg("kept", 1)
    await client.close()
    return message.data


async def test_second_start_goes_on_where_the_first_ended(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        postgres_url, nats_url = await stack.engine(postgres_server), await stack.engine(nats_server)
        await write_row(postgres_url)
        await publish(nats_url)
        running = families(pid_of(stack, "postgres"), pid_of(stack, "nats"))
        assert len(running) > 2, "PostgreSQL has children of its own"
    assert running.isdisjoint(living())

    async with Stack(tmp_path) as stack:
        assert await stack.engine(postgres_server) == postgres_url
        assert await stack.engine(nats_server) == nats_url
        assert await read_rows(postgres_url) == ["a goal"]
        assert await read_message(nats_url) == b"a goal"


async def test_killed_engines_are_restarted_and_told(stack: Stack, listener: Listener) -> None:
    postgres_url, nats_url = await stack.engine(postgres_server), await stack.engine(nats_server)
    await write_row(postgres_url)
    await publish(nats_url)
    for name in ("postgres", "nats"):
        killed = pid_of(stack, name)
        os.kill(killed, signal.SIGKILL)
        crash = await listener.hears(name, "crashed")
        assert (crash.pid, crash.why) == (killed, "was ended by signal 9 (Killed)")
        restart = await listener.hears(name, "restarted")
        assert restart.pid == pid_of(stack, name) != killed
    assert await read_rows(postgres_url) == ["a goal"]
    assert await read_message(nats_url) == b"a goal"


async def test_postgres_is_set_up_as_promised(stack: Stack) -> None:
    url = await stack.engine(postgres_server)
    async with await psycopg.AsyncConnection.connect(url) as connection:
        for setting, value in {
            "server_encoding": "UTF8",
            "synchronous_commit": "on",
            "fsync": "on",
            "jit": "off",
            "listen_addresses": "",
            "TimeZone": "UTC",
        }.items():
            found = await connection.execute("SELECT current_setting(%s)", [setting])
            assert await found.fetchone() == (value,), setting
        found = await connection.execute(
            "SELECT string_agg(x, '' ORDER BY x), lower('É') FROM unnest('{b,ä,B}'::text[]) x"
        )
        assert await found.fetchone() == ("Bbä", "é")


async def test_postgres_listens_on_loopback_with_a_password(stack: Stack) -> None:
    url = await stack.engine(lambda folder: postgres_server(folder, loopback=True))
    await write_row(url)
    without_password = make_conninfo(url, password="guess")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        await psycopg.AsyncConnection.connect(without_password)


async def test_a_long_path_with_a_comma_gets_a_short_socket(tmp_path: Path) -> None:
    deep = tmp_path / "a,b" / ("long" * 25)
    async with Stack(deep) as stack:
        url = await stack.engine(postgres_server)
        await write_row(url)
        short = stack.folder.short()
    assert stat.S_IMODE((short / "socket").stat().st_mode) == 0o700
    async with Stack(deep) as stack:
        assert await stack.engine(postgres_server) == url
    shutil.rmtree(short)


@pytest.mark.skipif(os.geteuid() != 0, reason="another account is only needed for root")
async def test_programs_that_only_root_can_reach_are_copied(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(program: Path) -> bool:  # as in a folder under /root
        return False

    monkeypatch.setattr(postgres_binaries, "is_open_to_all", closed)
    await write_row(await stack.engine(postgres_server))
    short = stack.folder.short()
    running = os.readlink(f"/proc/{pid_of(stack, 'postgres')}/exe")
    assert Path(running).is_relative_to(short)
    await stack.stop()
    shutil.rmtree(short)


async def test_a_pid_file_that_names_a_living_stranger_is_stale(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        await stack.engine(postgres_server)
        pid_file = tmp_path / "postgres" / "postmaster.pid"
        stale = pid_file.read_text().replace(str(pid_of(stack, "postgres")), str(os.getpid()), 1)
    pid_file.write_text(stale)
    async with Stack(tmp_path) as stack:
        await stack.engine(postgres_server)


async def test_a_running_stack_keeps_a_second_one_out(stack: Stack) -> None:
    with pytest.raises(FolderInUse, match=f"in use by process {os.getpid()}"):
        async with Stack(stack.folder.path):
            pass
    await stack.start(sleeper("child"))
    assert pid_of(stack, "child") in living()


async def test_killed_parent_leaves_no_orphan_and_a_folder_to_start_on(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, tmp_path, stdout=PIPE)
    assert parent.stdout is not None
    leaders = {int(pid) for pid in (await parent.stdout.readline()).split()}
    assert len(leaders) == 2
    running = families(*leaders)
    parent.kill()
    await parent.wait()
    async with Stack(tmp_path) as stack:  # at once, while PostgreSQL may still be ending
        await stack.engine(postgres_server)
        await stack.engine(nats_server)
    await gone(running)


async def test_a_url_starts_nothing(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    postgres_url, nats_url = await stack.engine(postgres_server), await stack.engine(nats_server)
    monkeypatch.setenv("SCORELINE_POSTGRES_URL", postgres_url)
    monkeypatch.setenv("SCORELINE_NATS_URL", nats_url)
    async with Stack(tmp_path / "other") as other:
        assert await other.engine(postgres_server) == postgres_url
        assert await other.engine(nats_server) == nats_url
        assert not other.children
    assert not (tmp_path / "other" / "postgres").exists()


async def test_a_url_where_nobody_answers_is_named_by_its_setting(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack_module, "REACHED_WITHIN", 0.5)
    monkeypatch.setenv("SCORELINE_NATS_URL", f"nats://:secret@127.0.0.1:{stack.folder.port('nobody')}")
    with pytest.raises(EngineUnreachable, match="SCORELINE_NATS_URL") as failure:
        await stack.engine(nats_server)
    assert "secret" not in str(failure.value)


async def test_a_taken_port_is_changed_and_a_free_one_kept(tmp_path: Path) -> None:
    async with Stack(tmp_path) as stack:
        taken, free = stack.folder.port("taken"), stack.folder.port("free")
        assert taken != free
    with socket.create_server(("127.0.0.1", taken)):
        async with Stack(tmp_path) as stack:
            assert stack.folder.port("taken") not in (taken, free)
            assert stack.folder.port("free") == free
            with socket.create_server(("127.0.0.1", free)):
                assert stack.folder.port("free") == free, "it is ours who listens there"


async def test_children_stop_in_reverse_order_with_all_that_they_started(stack: Stack, tmp_path: Path) -> None:
    ended = tmp_path / "ended"
    code = (
        "import os, signal, subprocess, sys, time\n"
        "def end(*_):\n"
        f"    open({str(ended)!r}, 'a').write(sys.argv[1] + ' '); os._exit(0)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        f"open({str(tmp_path)!r} + '/up-' + sys.argv[1], 'w'); time.sleep(1000)\n"
    )
    names = ["first", "second", "third"]
    for name in names:

        async def up(file: Path = tmp_path / f"up-{name}") -> None:
            os.stat(file)

        await stack.start(ChildSpec(name=name, argv=[sys.executable, "-c", code, name], ready=up))
    running = families(*(pid_of(stack, name) for name in names))
    assert len(running) == 6
    await stack.stop()
    assert ended.read_text().split() == names[::-1]
    await gone(running)


async def test_a_child_that_ignores_its_signal_is_killed(stack: Stack, tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    code = f"import signal, time; signal.signal(15, signal.SIG_IGN); open({str(deaf)!r}, 'w'); time.sleep(1000)"

    async def ready() -> None:
        deaf.stat()

    await stack.start(replace(script("deaf", code, ready), grace=0.2))
    pid = pid_of(stack, "deaf")
    await stack.stop()
    assert pid not in living()


async def test_a_stop_that_is_cut_short_kills(stack: Stack, tmp_path: Path) -> None:
    stopping = tmp_path / "stopping"
    code = (
        "import signal, time\n"
        f"signal.signal(signal.SIGTERM, lambda *_: open({str(stopping)!r}, 'w'))\n"
        "print('up', flush=True)\n"
        "while True: time.sleep(1000)\n"
    )

    async def up() -> None:
        assert "up" in stack.children["second"].log_file.read_text()

    await stack.start(sleeper("first"), replace(script("second", code, up), grace=LONGEST_WAIT))
    running = {pid_of(stack, "first"), pid_of(stack, "second")}
    stop = asyncio.create_task(stack.stop())
    await becomes(stopping.exists)
    stop.cancel()
    await asyncio.wait({stop})
    assert stop.cancelled()
    await gone(running)


async def test_a_terminal_reaches_the_parent_only(stack: Stack) -> None:
    await stack.start(sleeper("child"))
    pid = pid_of(stack, "child")
    assert os.getpgid(pid) == os.getsid(pid) == pid


async def test_a_child_that_ends_before_it_is_ready_tells_its_last_lines(stack: Stack) -> None:
    async def never() -> None:
        raise ConnectionError

    with pytest.raises(ChildExited, match="ended with status 3") as failure:
        await stack.start(script("broken", "import sys; print('no such setting'); sys.exit(3)", never))
    assert failure.value.lines == ("no such setting",)


async def test_a_child_that_is_never_ready_is_ended(stack: Stack) -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    with pytest.raises(ChildNotReady, match=r"not ready within 0\.2 s \(the probe did not return\)"):
        await stack.start(replace(sleeper("slow", never), ready_within=0.2))
    assert "slow" not in stack.children


async def test_a_start_that_fails_after_a_crash_is_tried_again(
    stack: Stack, listener: Listener, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    code = f"import os, time; os.path.exists({str(broken)!r}) and exit(4)\nprint('up', flush=True); time.sleep(1000)"

    async def ready() -> None:
        assert "up" in stack.children["child"].log_file.read_text().splitlines()[-1:]

    await stack.start(script("child", code, ready))
    broken.touch()
    stack.children["child"].log_file.write_text("")
    os.kill(pid_of(stack, "child"), signal.SIGKILL)
    failure = await listener.hears("child", "start_failed")
    assert "ended with status 4" in failure.why
    broken.unlink()
    await listener.hears("child", "restarted")


async def test_a_binary_that_cannot_run_is_named_with_the_url_to_set_instead(tmp_path: Path) -> None:
    where = {"package": "some-server-bin", "setting": "SCORELINE_SOME_URL"}
    with pytest.raises(BinaryMissing, match=r"some-server-bin.*SCORELINE_SOME_URL"):
        await first_usable("some-server", [None, tmp_path / "absent"], **where)

    binary = tmp_path / "some-server"
    binary.write_text("#!/bin/sh\necho 'some: error while loading shared libraries: libssl.so.9: no' >&2; exit 127\n")
    binary.chmod(0o755)
    with pytest.raises(BinaryUnusable, match=r"library libssl\.so\.9;.*SCORELINE_SOME_URL"):
        await first_usable("some-server", [binary], **where)

    assert await first_usable("some-server", [binary, Path("/bin/true")], **where) == Path("/bin/true")
    binary.write_bytes(b"\x7fELF of another machine")
    assert "another platform" in (await why_unusable(binary) or "")
    binary.write_text("#!/no/such/loader\n")
    assert "loader" in (await why_unusable(binary) or "")
