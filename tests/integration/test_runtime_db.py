"""Migrations and the pool, against a real PostgreSQL."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import psycopg
import psycopg_pool
import pytest
import pytest_asyncio
from sqlalchemy.exc import ProgrammingError

from services.runtime.db.migrate import migrate
from services.runtime.db.pool import Pool, is_whole, open_pool
from services.runtime.errors import DependencyAway, Fault, fault_of
from services.runtime.local import Stack, postgres_server
from services.runtime.local.ports import free_port

LONGEST_WAIT = 60  # seconds; an upper bound for waiting, never a figure

FIRST = '''
"""First."""
from alembic import op
revision = "0001"
down_revision = None
def upgrade() -> None:
    op.execute("CREATE TABLE goals (id int PRIMARY KEY)")
    op.execute("INSERT INTO {room}.goals VALUES (1)")
'''
BROKEN = '''
"""Second, which fails half way."""
from alembic import op
revision = "0002"
down_revision = "0001"
def upgrade() -> None:
    op.execute("CREATE TABLE cards (id int PRIMARY KEY)")
    op.execute("SELECT 1 / nothing")
'''


@dataclass
class Database:
    """A running PostgreSQL."""

    url: str
    stack: Stack

    def kill(self) -> None:
        """Ends it without a warning; the stack starts it again."""
        (child,) = self.stack.children.values()
        os.kill(cast("int", child.pid), signal.SIGKILL)


@pytest_asyncio.fixture(scope="module")
async def database(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Database]:
    async with Stack(tmp_path_factory.mktemp("postgres")) as stack:
        yield Database(await stack.engine(postgres_server), stack)


def make_room(folder: Path, room: str, *versions: str) -> str:
    """Writes migrations as a package and gives its name."""
    package = folder / f"{room}_migrations"
    (package / "versions").mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").touch()
    (package / "env.py").write_text(
        f'from services.runtime.db.environment import run_migrations\nrun_migrations("{room}")\n'
    )
    for number, version in enumerate(versions, 1):
        (package / "versions" / f"{number:04}_made.py").write_text(version.replace("{room}", room))
    return package.name


async def rows(url: str, query: str) -> list[tuple[object, ...]]:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        return await (await connection.execute(query.encode())).fetchall()


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


async def test_each_room_migrates_by_itself(database: Database, importable: Path):
    for room in ("red", "blue"):
        package = make_room(importable, room, FIRST)
        await migrate(database.url, package)
        await migrate(database.url, package)  # a second time changes nothing
        assert await rows(database.url, f"SELECT id FROM {room}.goals") == [(1,)]
        assert await rows(database.url, f"SELECT version_num FROM {room}.alembic_version") == [("0001",)]


async def test_a_failed_migration_leaves_nothing(database: Database, importable: Path):
    await migrate(database.url, make_room(importable, "green", FIRST))
    with pytest.raises(ProgrammingError):
        await migrate(database.url, make_room(importable, "green", FIRST, BROKEN))
    assert await rows(database.url, "SELECT version_num FROM green.alembic_version") == [("0001",)]
    assert await rows(database.url, "SELECT to_regclass('green.cards')") == [(None,)]


async def test_replicas_that_start_together_take_turns(database: Database, importable: Path):
    slow = FIRST + '    op.execute("SELECT pg_sleep(0.2)")\n'
    package = make_room(importable, "yellow", slow)
    program = (
        "import asyncio\nfrom services.runtime.db.migrate import migrate\n"
        f"asyncio.run(migrate({database.url!r}, {package!r}))"
    )
    replicas = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, env={**os.environ, "PYTHONPATH": str(importable)}
        )
        for _ in range(3)
    ]
    async with asyncio.timeout(LONGEST_WAIT):
        assert [await replica.wait() for replica in replicas] == [0, 0, 0]
    assert await rows(database.url, "SELECT id FROM yellow.goals") == [(1,)]


async def test_connections_commit_by_themselves_and_have_time_outs(database: Database):
    async with open_pool(database.url, min_size=1, max_size=1) as pool, pool.connection() as connection:
        assert connection.autocommit
        settings = await connection.execute("SELECT name, setting FROM pg_settings WHERE name LIKE '%timeout'")
        told = dict(await settings.fetchall())
    assert told["idle_in_transaction_session_timeout"] == "300"
    assert "0" not in {told[f"{what}_timeout"] for what in ("lock", "statement", "transaction")}


async def test_a_pipeline_takes_many_statements_at_once(database: Database):
    async with open_pool(database.url, min_size=1, max_size=1) as pool, pool.connection() as connection:
        for _ in range(3):  # also when the statement has been prepared
            async with connection.transaction(), connection.pipeline():
                cursors = [await connection.execute("SELECT %s::int", [number]) for number in range(20)]
                assert [await cursor.fetchone() for cursor in cursors] == [(number,) for number in range(20)]


async def test_a_transaction_that_stands_still_is_ended(database: Database):
    async with open_pool(database.url, min_size=1, max_size=2) as pool:

        async def stand_still() -> None:
            async with pool.connection() as connection, connection.transaction():
                await connection.execute("SELECT pg_advisory_xact_lock(1)")
                async with pool.connection() as other:
                    await other.execute("SELECT pg_advisory_xact_lock(1)")  # granted once the first is ended
                await connection.execute("SELECT 1")

        with pytest.raises((psycopg.OperationalError, psycopg.errors.IdleInTransactionSessionTimeout)) as caught:
            await asyncio.wait_for(stand_still(), LONGEST_WAIT)
        assert isinstance(fault_of(caught.value), DependencyAway)
        async with pool.connection() as connection:
            await connection.execute("SELECT 1")


async def test_a_connection_that_the_server_ended_is_not_handed_out(database: Database):
    async with open_pool(database.url, min_size=8, max_size=8) as pool:
        async with pool.connection() as connection:
            await connection.execute("SELECT 1")
        await rows(
            database.url,
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
        )
        for _ in range(16):
            async with pool.connection() as connection:
                await connection.execute("SELECT 1")


async def failure(pool: Pool) -> Fault | None:
    """What a caller of a short statement is told; None when it went well."""
    try:
        async with pool.connection() as connection:
            await connection.execute("SELECT 1")
    except psycopg.Error as error:
        return fault_of(error)
    return None


async def test_a_pool_outlives_a_killed_server(database: Database):
    async with open_pool(database.url, min_size=2, max_size=2) as pool:
        database.kill()
        async with asyncio.timeout(LONGEST_WAIT):
            while (fault := await failure(pool)) is not None:
                assert isinstance(fault, DependencyAway)
            while not is_whole(pool):
                await asyncio.sleep(0.05)


async def test_a_pool_that_is_used_up_says_so(database: Database):
    async with open_pool(database.url, min_size=1, max_size=1) as pool, pool.connection():
        with pytest.raises(psycopg_pool.PoolTimeout):
            async with pool.connection(timeout=0.05):
                pass


async def test_migrations_wait_for_a_server_that_is_away():
    nobody = f"postgresql://scott:tiger@127.0.0.1:{free_port()}/scoreline"
    waiting = asyncio.create_task(migrate(nobody, "services.eventlog.migrations"))
    done, _ = await asyncio.wait([waiting], timeout=0.5)
    assert not done
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
