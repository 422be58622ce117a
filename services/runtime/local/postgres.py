"""PostgreSQL, of which the services use the database `scoreline`."""

import os
import signal
from functools import partial
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from services.runtime.local.child import ChildSpec
from services.runtime.local.engine import Engine
from services.runtime.local.folder import DataFolder
from services.runtime.local.ports import LOOPBACK
from services.runtime.local.postgres_binaries import SETTING, postgres_and_initdb
from services.runtime.local.postgres_cluster import Cluster

_NAME = "scoreline"  # of the database and of the role that owns it
_SOCKET_PORT = 5432  # only a part of the socket's name as long as nothing listens on loopback
_LONGEST_SOCKET = 100  # bytes; the systems' own limits are 103 and 107
_ANSWER_WITHIN = 5  # seconds
_RECOVERED_WITHIN = 120.0  # seconds; after a crash it first goes through up to max_wal_size of its log

_SETTINGS = {
    # An acknowledged commit survives a crash of the server and of the machine.
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    # A laptop with two cores that does other things too: bounded memory, bounded log, and no just-in-time
    # compiler, which takes longer than it saves on short queries.
    "shared_buffers": "128MB",
    "max_connections": "100",
    "max_wal_size": "512MB",
    "max_worker_processes": "4",
    "max_parallel_workers": "2",
    "jit": "off",
    "random_page_cost": "1.1",
    # The same answers and the same log on every machine.
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
}


async def postgres_server(folder: DataFolder, *, loopback: bool = False) -> Engine:
    """PostgreSQL from `SCORELINE_POSTGRES_URL`, or else a server of our own with its files in the folder.

    It listens on a unix socket, which only this user (and root) can reach. With `loopback` it listens on a
    loopback port too, and the URL is that of the port and holds a password.

    Raises:
        BinaryMissing: there is neither a URL nor a server's program.
        BinaryUnusable: the program cannot run on this machine.
        FolderUnusable: the files belong to another user, or cannot be given to whom the server runs as.
        ChildExited: the files could not be made; carries what initdb wrote.
    """
    if url := os.environ.get(SETTING):
        return Engine(setting=SETTING, url=url, ready=partial(_answers, url))
    cluster = Cluster(folder.path / "postgres")
    postgres, initdb = await postgres_and_initdb(folder, cluster.account)
    await cluster.create(initdb, owner=_NAME, log=folder.log("initdb"))

    port = folder.port("postgres") if loopback else _SOCKET_PORT
    socket, server_socket = _socket_folder(folder, cluster, port)
    own_url = f"postgresql://{_NAME}@:{port}/{_NAME}?host={quote(str(socket), safe='')}"
    password = folder.secret("postgres") if loopback else None
    settings = {
        **_SETTINGS,
        "port": str(port),
        "unix_socket_directories": server_socket,
        "listen_addresses": LOOPBACK if loopback else "",
    }
    ready = partial(_serves_database, own_url, password)
    child = ChildSpec(
        name="postgres",
        argv=[postgres, "-D", cluster.own_name, *(f"--{name}={value}" for name, value in settings.items())],
        cwd=cluster.path,
        account=cluster.account,
        ready=ready,
        ready_within=_RECOVERED_WITHIN,
        stop_signal=signal.SIGINT,  # ends the connections; SIGTERM would wait for them
        on_orphan=signal.SIGQUIT,  # ends at once and takes its own children along, which SIGKILL would not
        clear=cluster.clear,
    )
    url = f"postgresql://{_NAME}:{password}@{LOOPBACK}:{port}/{_NAME}" if loopback else own_url
    return Engine(setting=SETTING, url=url, ready=ready, child=child)


def _socket_folder(folder: DataFolder, cluster: Cluster, port: int) -> tuple[Path, str]:
    """The socket's folder as clients call it, and as the server does, which may only see it from inside."""
    # PostgreSQL's clients take a comma in the folder's path for the start of another one.
    path = str(cluster.path / f".s.PGSQL.{port}")
    if len(os.fsencode(path)) <= _LONGEST_SOCKET and "," not in path:
        return cluster.path, "."
    short = folder.short() / "socket"
    short.mkdir(mode=0o700, exist_ok=True)
    if cluster.account:
        os.chown(short, *cluster.account)
    return short, str(short)


async def _answers(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url, connect_timeout=_ANSWER_WITHIN) as connection:
        await connection.execute("SELECT 1")


async def _serves_database(url: str, password: str | None) -> None:
    """Returns when the database answers; makes it at the first start, and sets its owner's password."""
    try:
        await _answers(url)
    except psycopg.OperationalError:
        await _create_database(url)
        await _answers(url)
    if password is not None:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            await connection.execute(
                sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(_NAME), sql.Literal(password))
            )


async def _create_database(url: str) -> None:
    maintenance = make_conninfo(url, dbname="postgres", connect_timeout=_ANSWER_WITHIN)
    async with await psycopg.AsyncConnection.connect(maintenance, autocommit=True) as connection:
        found = await connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_NAME])
        if await found.fetchone() is None:
            await connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(_NAME)))
