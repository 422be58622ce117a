"""The data folder of one stack: who holds it, and what has to be the same at the next start."""

import fcntl
import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

from services.runtime.local.errors import FolderInUse, FolderUnusable
from services.runtime.local.ports import free_port, is_free

_LOG_LIMIT = 16 << 20  # bytes


class DataFolder:
    """A data folder that this process holds until `close`; made, for its owner alone, when it is not there.

    The hold is a lock of the kernel, not a pid in a file, so that it ends with the process whatever ended it.

    Raises:
        FolderInUse: another process holds it.
        FolderUnusable: it cannot be made, written or locked.
    """

    def __init__(self, path: Path) -> None:
        try:
            self.path = path.expanduser().resolve()
        except (OSError, RuntimeError) as error:
            raise FolderUnusable(f"the data folder {path} cannot be used: {error}") from error
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.path / "logs").mkdir(exist_ok=True)
            self._lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise FolderUnusable(f"the data folder {self.path} cannot be used: {error.strerror}") from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._lock, 32).decode().strip()
            os.close(self._lock)
            if isinstance(error, BlockingIOError):
                raise FolderInUse(self.path, holder) from None
            raise FolderUnusable(f"the data folder {self.path} cannot be locked: {error.strerror}") from error
        self._ports: dict[str, int] = {}
        os.truncate(self._lock, 0)
        os.write(self._lock, f"{os.getpid()}\n".encode())  # only for the message to whom is refused

    def close(self) -> None:
        """Lets go of the folder. May be called once."""
        os.close(self._lock)

    def log(self, name: str) -> Path:
        """The log file of the child `name`; one that has grown over 16 MiB is put aside as `.1` first."""
        path = self.path / "logs" / f"{name}.log"
        if path.exists() and path.stat().st_size > _LOG_LIMIT:
            path.replace(path.with_suffix(".log.1"))
        return path

    def port(self, name: str) -> int:
        """The loopback port of `name`: the same at every start, unless somebody else has taken it since."""
        if name not in self._ports:  # from then on the one who listens there is ours
            remembered = self._remembered()
            ports: dict[str, int] = remembered.setdefault("ports", {})
            if name not in ports or not is_free(ports[name]):
                ports[name] = free_port(besides=ports.values())
                self._remember(remembered)
            self._ports[name] = ports[name]
        return self._ports[name]

    def secret(self, name: str) -> str:
        """A random password for `name`, the same at every start."""
        remembered = self._remembered()
        secrets_by_name: dict[str, str] = remembered.setdefault("secrets", {})
        if name not in secrets_by_name:
            secrets_by_name[name] = secrets.token_urlsafe(24)
            self._remember(remembered)
        return secrets_by_name[name]

    def short(self) -> Path:
        """A folder with a short path that everyone can enter, for what cannot lie in the data folder itself.

        It is the same at every start as long as it is there.
        """
        remembered = self._remembered()
        path = Path(remembered.get("short", ""))
        # Temporary folders get removed, and somebody else may have made one of the same name since.
        ours = path.is_absolute() and path.is_dir() and path.lstat().st_uid == os.geteuid()
        if not ours:
            # Not what TMPDIR says, which may be long, or closed to others.
            path = Path(tempfile.mkdtemp(prefix="scoreline-", dir="/tmp"))
            remembered["short"] = str(path)
            self._remember(remembered)
        path.chmod(0o711)
        return path

    def _remembered(self) -> dict[str, Any]:
        try:
            return json.loads((self.path / "remembered.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return {}  # a file that a power cut left empty too: all that it holds can be chosen anew

    def _remember(self, everything: dict[str, Any]) -> None:
        new = self.path / "remembered.json.new"
        new.unlink(missing_ok=True)
        new.touch(mode=0o600)  # it holds secrets
        new.write_text(json.dumps(everything, indent=2) + "\n")
        new.replace(self.path / "remembered.json")  # whole or not at all, also when we are killed here


def is_held(path: Path) -> bool:
    """Whether a stack runs on the data folder now."""
    try:
        lock = os.open(path.expanduser() / "lock", os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
