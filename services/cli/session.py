"""What the commands share: which stack they speak to, and how they say what went wrong."""

import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import grpc.aio
from cyclopts import Parameter

from services.cli.mesh import Endpoints
from services.runtime.errors import metadata_of, reason_of
from services.runtime.rpc.channel import open_channel

DEFAULT_DATA = Path(os.environ.get("SCORELINE_DATA") or "~/.scoreline")

Data = Annotated[Path, Parameter(name="--data", help="Data folder of the stack; SCORELINE_DATA sets the default.")]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for programs.")]


@asynccontextmanager
async def channel_to(target: str) -> AsyncGenerator[grpc.aio.Channel]:
    """Open a channel for the length of a command."""
    channel = open_channel(target)
    try:
        yield channel
    finally:
        await channel.close()


def operator(endpoints: Endpoints) -> tuple[tuple[str, str], ...]:
    """Metadata of calls that an operator makes."""
    return (("authorization", f"Bearer {endpoints.operator_key}"),)


def explain(error: grpc.RpcError) -> str:
    """A failed call in one line: reason, words, and what it is about."""
    assert isinstance(error, grpc.aio.AioRpcError)
    about = ", ".join(f"{key} {value}" for key, value in sorted(metadata_of(error).items()) if key != "request_id")
    reason = reason_of(error) or error.code().name
    return f"{reason}: {error.details()}" + (f" ({about})" if about else "")


def complain(message: str) -> int:
    """Say what went wrong on standard error; the exit code of a command that failed."""
    print(f"scoreline: {message}", file=sys.stderr)
    return 1
