"""Finding an engine's program, and saying in words why one cannot run here."""

import asyncio
import errno
import platform
import re
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterable
from pathlib import Path

from services.runtime.local.errors import BinaryMissing, BinaryUnusable

_MISSING_LIBRARY = re.compile(r"error while loading shared libraries: ([^:\s]+)|Library not loaded: (\S+)")
_ANSWER_WITHIN = 20.0  # seconds


async def first_usable(program: str, places: Iterable[Path | None], *, package: str, setting: str) -> Path:
    """The first of `places` whose program runs on this machine.

    Args:
        program: its name, for the error.
        places: where it may be, best first; None and what is not there are passed over.
        package: the package that brings it, for the error.
        setting: the environment variable that takes a URL instead, for the error.

    Raises:
        BinaryMissing: it is in none of the places.
        BinaryUnusable: it is there and cannot run; tells of the first place.
    """
    failure: BinaryUnusable | None = None
    for binary in places:
        if binary is None or not binary.exists():
            continue
        reason = await why_unusable(binary)
        if reason is None:
            return binary
        failure = failure or BinaryUnusable(binary, reason, setting)
    raise failure or BinaryMissing(program, package, setting)


async def why_unusable(binary: Path) -> str | None:
    """Why the program cannot run here, naming the library or platform that it misses; None when it can.

    Asks it for its version, which makes the system load everything that it is linked with.
    """
    try:
        process = await asyncio.create_subprocess_exec(binary, "--version", stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    except OSError as error:
        return _why_not_started(error)
    try:
        async with asyncio.timeout(_ANSWER_WITHIN):
            _, stderr = await process.communicate()
    except TimeoutError:
        return "it does not answer when it is asked for its version"
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode == 0:
        return None
    complaint = stderr.decode(errors="replace").strip()
    library = _MISSING_LIBRARY.search(complaint)
    if library:
        return f"it misses the library {library[1] or library[2]}"
    return complaint or f"it ended with status {process.returncode} when it was asked for its version"


def _why_not_started(error: OSError) -> str:
    here = f"{platform.system()} {platform.machine()}"
    if error.errno == errno.ENOEXEC:
        return f"it is made for another platform than this one, {here}"
    if error.errno == errno.ENOENT:
        # The file is there, so what the system did not find is the loader that the file names.
        return f"it misses the loader of the system that it is made for, such as glibc's (this one is {here})"
    return error.strerror or str(error)
