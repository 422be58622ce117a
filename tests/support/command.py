"""The command line as a person runs it: `scoreline` in a process of its own."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

_STARTED = "Ctrl-C ends it."


async def scoreline(*arguments: str | Path, timeout: float = 60) -> tuple[int, str, str]:
    """Run a command to its end; give exit code, standard output and standard error."""
    process = await _start(*arguments)
    try:
        async with asyncio.timeout(timeout):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        raise
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def scoreline_json(*arguments: str | Path, timeout: float = 60) -> Any:
    """Run a command that must succeed with `--json` and give what it printed."""
    code, out, err = await scoreline(*arguments, "--json", timeout=timeout)
    assert code == 0, err
    return json.loads(out)


class Up:
    """`scoreline up`, from its start to the moment it is ended."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.printed: list[str] = []

    @classmethod
    async def start(cls, data: Path, port: int, *more: str) -> "Up":
        """Start it and wait until it says that it is ready."""
        up = cls(await _start("up", "--data", data, "--port", str(port), *more))
        assert up._process.stdout is not None
        async with asyncio.timeout(90):
            while line := (await up._process.stdout.readline()).decode():
                up.printed.append(line.rstrip())
                if _STARTED in line:
                    return up
        raise AssertionError("\n".join(up.printed))

    async def end(self, how: signal.Signals) -> int:
        """Send a signal and wait for the end."""
        self._process.send_signal(how)
        async with asyncio.timeout(30):
            return await self._process.wait()


def processes_of(data: Path) -> list[int]:
    """Living processes that have the data folder in their environment or command line."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                told = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            except OSError:
                continue
            if str(data).encode() in told or str(data).replace("/", "%2F").encode() in told:
                found.append(int(entry.name))
    return found


async def _start(*arguments: str | Path) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "services.cli", *map(str, arguments), stdout=PIPE, stderr=PIPE
    )
