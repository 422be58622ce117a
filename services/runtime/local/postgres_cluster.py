"""The files of one PostgreSQL server: who owns them, how they are made, and who still works in them."""

import asyncio
import os
import pwd
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, STDOUT
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from services.runtime.local import launch
from services.runtime.local.child import last_lines
from services.runtime.local.errors import ChildExited, FolderUnusable

# PostgreSQL refuses to run as root. For root it runs as an account that every system has; none is made.
_UNPRIVILEGED = "nobody"

# What a server that starts inside its folder calls it. A path through the folders above, such as /root, would
# need rights that the unprivileged account does not have, and that nobody wants to give it.
_FROM_INSIDE = "/proc/self/cwd"

_GONE_WITHIN = 10.0  # seconds
_LOOK_EVERY = 0.05  # seconds

# Texts sort and compare by code point, the same on every machine, whatever C library or ICU it has.
_INITDB = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
# The socket is guarded by its folder, which only the owner and root can enter.
_AUTH = ("--auth-local=trust", "--auth-host=scram-sha-256")


class Cluster:
    """A folder with a server's files, which may not be there yet.

    Attributes:
        path: the folder.
        account: user and group id that the server runs as and that own the folder; None for our own.
        own_name: the folder as the server calls it, which has to be started with it as the working folder.

    Raises:
        FolderUnusable: this process can neither run as the folder's owner nor give it to somebody else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.account: tuple[int, int] | None = None
        self.own_name = str(path)
        if os.geteuid() == 0:
            if sys.platform != "linux":
                raise FolderUnusable("PostgreSQL does not run as root on this platform; start as another user")
            entry = pwd.getpwnam(_UNPRIVILEGED)
            self.account = (entry.pw_uid, entry.pw_gid)
            self.own_name = _FROM_INSIDE
        elif path.exists() and path.stat().st_uid != os.geteuid():
            owner = path.stat().st_uid
            raise FolderUnusable(
                f"{path} belongs to the user with the id {owner}, as after a start by root; "
                "start as that user or as root again, or give another data folder"
            )

    async def create(self, initdb: Path, *, owner: str, log: Path) -> None:
        """Makes the files at the first start. Killed in between, it begins anew at the next.

        Args:
            initdb: the program.
            owner: the role that may do everything in the server.
            log: the file that gets what initdb writes.

        Raises:
            ChildExited: initdb failed.
            FolderUnusable: the files cannot be given to the account.
        """
        if self.path.exists():
            self._own(self.path)
            return
        new = self.path.with_name(f"{self.path.name}.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o700)
        self._own(new)
        directory = self.own_name if self.account else str(new)
        argv = [str(initdb), "-D", directory, f"--username={owner}", *_INITDB, *_AUTH]
        with log.open("wb") as out:
            process = await asyncio.create_subprocess_exec(
                *launch.command(argv, account=self.account), stdin=DEVNULL, stdout=out, stderr=STDOUT, cwd=new
            )
            try:
                status = await process.wait()
            finally:
                if process.returncode is None:
                    process.kill()
        if status != 0:
            raise ChildExited("initdb", f"ended with status {status}", log, last_lines(log))
        new.rename(self.path)

    async def clear(self) -> None:
        """Sees that nobody works in the files, on which only the holder of the data folder starts a server.

        A server that is just ending, because the process that started it was killed, is waited for. Children
        that outlive their server are killed: they work for nobody, and keep a new server out. A pid file that
        is there after that is stale, and removed, because its pid may be somebody else's by now.

        Raises:
            FolderUnusable: a server that somebody else started works in the folder.
        """
        if sys.platform != "linux":
            return  # the server's own checks have to do
        pid_file = self.path / "postmaster.pid"
        deadline = asyncio.get_running_loop().time() + _GONE_WITHIN
        while workers := set(self._workers()):
            if asyncio.get_running_loop().time() > deadline:
                raise FolderUnusable(f"PostgreSQL still works in {self.path}, as process {min(workers)}; stop it first")
            if workers.isdisjoint(_first_number(pid_file)):
                for worker in workers:
                    with suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)
            await asyncio.sleep(_LOOK_EVERY)
        pid_file.unlink(missing_ok=True)

    def _workers(self) -> Iterator[int]:
        """The processes of PostgreSQL in the folder; each has a group of its own, so that no group tells."""
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with suppress(OSError):  # it ended meanwhile, or is another user's
                    program, folder = (process / "comm").read_text(), process / "cwd"
                    if program == "postgres\n" and folder.samefile(self.path):
                        yield int(process.name)

    def _own(self, folder: Path) -> None:
        """Gives the folder and all in it to the account, also when they were copied there by root."""
        if self.account is None or folder.stat().st_uid == self.account[0]:
            return
        try:
            for inside, folders, files in os.walk(folder):
                for name in (*folders, *files):
                    os.chown(Path(inside, name), *self.account, follow_symlinks=False)
            os.chown(folder, *self.account)  # last, so that one that was interrupted is done again
        except OSError as error:
            raise FolderUnusable(
                f"PostgreSQL does not run as root, and {folder} cannot be given to the account "
                f"{_UNPRIVILEGED}: {error.strerror}; start as another user"
            ) from error


def _first_number(pid_file: Path) -> set[int]:
    try:
        return {int(pid_file.read_text().split("\n", 1)[0])}
    except (FileNotFoundError, ValueError):
        return set()
