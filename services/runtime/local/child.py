"""One supervised child process: started, awaited, started again after a crash, stopped."""

import asyncio
import os
import signal
import time
from asyncio.subprocess import DEVNULL, STDOUT, Process
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import structlog

from services.runtime.local import launch
from services.runtime.local.errors import ChildExited, ChildNotReady

Probe = Callable[[], Awaitable[object]]
"""Returns once the child serves; raises any Exception while it does not yet."""

_PROBE_EVERY = 0.05  # seconds
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0  # seconds between a crash and the next start, doubled from try to try
_STEADY = 30.0  # seconds after which a child that crashes is again started without a long pause
_TOLD_LINES = 15

log = structlog.stdlib.get_logger(__name__)


async def _nothing() -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class ChildSpec:
    """How to run one child.

    Attributes:
        name: for logs and errors; its log file is called so.
        argv: the program, looked up on the PATH, and its arguments.
        ready: the probe for its readiness; called again and again until it returns.
        env: variables beside those of this process.
        cwd: its working folder; None for that of this process.
        ready_within: seconds from its start until it has to be ready.
        stop_signal: what asks it to end.
        grace: seconds from that signal until it is killed.
        on_orphan: the signal that it gets when this process ends without stopping it (Linux only).
        account: user and group id to run as; None for those of this process.
        clear: frees what an ended run may have left behind; called before each start and after the last end.
    """

    name: str
    argv: Sequence[str | Path]
    ready: Probe
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: Path | None = None
    ready_within: float = 30.0
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 5.0
    on_orphan: signal.Signals = signal.SIGKILL
    account: tuple[int, int] | None = None
    clear: Callable[[], Awaitable[None]] = _nothing


@dataclass(frozen=True)
class Notice:
    """Something that happened to a child that was ready before.

    Attributes:
        what: it crashed (and will be started again), a new start of it failed, or it is ready again.
        pid: of the process that crashed or is ready; None when there is none.
        why: how it ended, or why it did not start; empty when it is ready.
    """

    child: str
    what: Literal["crashed", "start_failed", "restarted"]
    pid: int | None = None
    why: str = ""


Tell = Callable[[Notice], None]


class Child:
    """A child in a session of its own: Ctrl-C does not reach it, and its group can be killed as a whole."""

    def __init__(self, spec: ChildSpec, log_file: Path, tell: Tell) -> None:
        self.spec = spec
        self.log_file = log_file
        self._tell = tell
        self._process: Process | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._refusal = ""

    @property
    def pid(self) -> int | None:
        """Of the running process, which leads a process group; None between a crash and the next start."""
        return self._process.pid if self._process else None

    async def start(self) -> None:
        """Starts it, waits until it is ready, and from then on starts it again whenever it ends.

        Raises:
            ChildExited: it ended before it was ready.
            ChildNotReady: it was not ready within the time limit; it is dead by then.
        """
        await self._launch()
        self._keeper = asyncio.create_task(self._keep(), name=f"keep {self.spec.name}")

    async def stop(self, within: float) -> None:
        """Asks it to end, waits for its grace or `within` seconds if that is less, and kills what is left."""
        try:
            if self._keeper:
                self._keeper.cancel()
                await asyncio.wait({self._keeper})
            await self._end(min(self.spec.grace, within))
            await self.spec.clear()
        except asyncio.CancelledError:
            self.kill()
            raise

    def kill(self) -> None:
        """Kills it and its process group at once and does not wait: for when there is no time to stop it."""
        if self._keeper:
            self._keeper.cancel()
        self._kill_group()

    async def _keep(self) -> None:
        pause = _FIRST_PAUSE
        while process := self._process:
            since = time.monotonic()
            status = await process.wait()
            await self._end(0)
            if time.monotonic() - since > _STEADY:
                pause = _FIRST_PAUSE
            self._notice(Notice(self.spec.name, "crashed", process.pid, _how_it_ended(status)))
            restarted = False
            while not restarted:
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
                restarted = await self._launch_again()

    async def _launch_again(self) -> bool:
        try:
            await self._launch()
        except Exception as error:  # whatever it was, the next try may go well, and giving up never does
            self._notice(Notice(self.spec.name, "start_failed", why=str(error)))
            return False
        self._notice(Notice(self.spec.name, "restarted", self.pid))
        return True

    async def _launch(self) -> None:
        spec = self.spec
        await spec.clear()
        line = launch.command([*map(str, spec.argv)], on_orphan=spec.on_orphan, account=spec.account)
        with self.log_file.open("ab") as out:
            begin = out.tell()
            self._process = await asyncio.create_subprocess_exec(
                *line,
                stdin=DEVNULL,
                stdout=out,
                stderr=STDOUT,
                env={**os.environ, **spec.env},
                cwd=spec.cwd,
                start_new_session=True,
            )
        try:
            await self._until_ready(self._process, begin)
        except BaseException:
            await self._end(0)
            await spec.clear()
            raise

    async def _until_ready(self, process: Process, begin: int) -> None:
        exited = asyncio.ensure_future(process.wait())
        ready = asyncio.ensure_future(self._first_success())
        try:
            await asyncio.wait({exited, ready}, timeout=self.spec.ready_within, return_when=asyncio.FIRST_COMPLETED)
            if exited.done():
                what = f"{_how_it_ended(exited.result())} before it was ready"
                raise ChildExited(self.spec.name, what, self.log_file, last_lines(self.log_file, begin))
            if not ready.done():
                what = f"was not ready within {self.spec.ready_within:g} s ({self._refusal})"
                raise ChildNotReady(self.spec.name, what, self.log_file, last_lines(self.log_file, begin))
            ready.result()
        finally:
            exited.cancel()
            ready.cancel()

    async def _first_success(self) -> None:
        self._refusal = "the probe did not return"
        while True:
            try:
                await self.spec.ready()
                return
            except Exception as error:  # says "not yet"
                self._refusal = f"{type(error).__name__}: {error}"
            await asyncio.sleep(_PROBE_EVERY)

    async def _end(self, grace: float) -> None:
        """Ends the process, if it still runs, within `grace` seconds, and then what is left of its group."""
        process = self._process
        if process is None:
            return
        try:
            if process.returncode is None and grace > 0:
                with suppress(ProcessLookupError):
                    process.send_signal(self.spec.stop_signal)
                async with asyncio.timeout(grace):
                    await process.wait()
        except TimeoutError:
            log.warning("child_killed", child=self.spec.name, pid=process.pid, grace_s=grace)
        finally:
            self._kill_group()
        await process.wait()
        self._process = None

    def _kill_group(self) -> None:
        if self._process:
            # The group has the pid of its leader, also after the leader has ended.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _notice(self, notice: Notice) -> None:
        level = log.info if notice.what == "restarted" else log.warning
        level(f"child_{notice.what}", child=notice.child, pid=notice.pid, why=notice.why, log=str(self.log_file))
        try:
            self._tell(notice)
        except Exception:  # who listens badly must not end the supervision
            log.exception("notice_not_taken", child=notice.child)


def last_lines(log_file: Path, begin: int = 0) -> list[str]:
    """The last lines of a log, at most 15, of what stands there from the byte `begin` on."""
    with log_file.open("rb") as file:
        file.seek(begin)
        return [line.decode(errors="replace").rstrip() for line in deque(file, _TOLD_LINES)]


def _how_it_ended(status: int) -> str:
    if status < 0:
        return f"was ended by signal {-status} ({signal.strsignal(-status)})"
    return f"ended with status {status}"
