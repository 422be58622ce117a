"""The last step before a child's own program: whose rights it has, and that it ends with its parent.

Run as a script in front of the program (`command` makes the line) and replaced by it, so that the child is
one process with one pid. A script and not `preexec_fn`, which runs Python between fork and exec and can
deadlock when the parent has threads. It runs at every start of a child, so it imports as little as it can.
"""

import os
import signal
import sys
from collections.abc import Sequence

if sys.platform == "linux":
    import ctypes

    # Loaded now, since the account that a child runs as may not be able to read our Python's files.
    _LIBC = ctypes.CDLL(None)

_PR_SET_PDEATHSIG = 1
_SAME = -1


def command(
    argv: Sequence[str], *, on_orphan: int = signal.SIGKILL, account: tuple[int, int] | None = None
) -> list[str]:
    """The command line that runs `argv` as a child of this process.

    Args:
        argv: the program and its arguments; the program is looked up on the PATH.
        on_orphan: the signal that the child gets when this process is gone (Linux only). The kernel sends it
            when the *thread* that started the child ends, so the event loop's thread has to outlive it.
        account: user and group id to run as; only root can give one.
    """
    uid, gid = account or (_SAME, _SAME)
    numbers = (os.getpid(), int(on_orphan), uid, gid)
    return [sys.executable, "-I", "-S", __file__, *map(str, numbers), *argv]


def die_with_parent(parent: int, on_orphan: int = signal.SIGKILL) -> None:
    """Has the kernel send this process `on_orphan` when its parent, the pid `parent`, ends; on Linux only."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(on_orphan))
        if os.getppid() != parent:
            os._exit(1)  # the parent ended before the kernel was asked, so no signal will come


def _main() -> None:
    parent, on_orphan, uid, gid = map(int, sys.argv[1:5])
    argv = sys.argv[5:]
    if uid != _SAME:
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
    die_with_parent(parent, on_orphan)  # after the change of user, which makes the kernel forget it
    for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored_by_python, signal.SIG_DFL)
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        sys.exit(f"{argv[0]} cannot be started: {error.strerror}")


if __name__ == "__main__":
    _main()
