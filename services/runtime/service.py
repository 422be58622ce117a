"""From settings to a running process, and back down again."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Protocol, TypeVar

import structlog
import uvloop
from pydantic import ValidationError

from services.runtime import log as logs
from services.runtime.metrics import serve_metrics
from services.runtime.settings import ServiceSettings

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Service(Protocol):
    """What a process serves. `RpcServer` is one."""

    async def start(self) -> int:
        """Listens, not yet ready. Gives the port."""
        ...

    async def set_serving(self, serving: bool) -> None:
        """Says whether calls are welcome."""
        ...

    async def drain_and_stop(self, grace_s: float) -> None:
        """Takes nothing new and ends; what is still open after `grace_s` seconds is cut off."""
        ...


Settings = TypeVar("Settings", bound=ServiceSettings)
App = Callable[[Settings], AbstractAsyncContextManager[Service]]


def run(name: str, settings_type: type[Settings], app: App[Settings]) -> None:
    """Runs a service until SIGTERM or SIGINT and ends the process: 0 after an orderly end, 1 after a failure, 2 for bad
    settings.

    `app` opens everything in the order it depends on one another, waits for what is away, gives the service, and closes
    all in reverse. On a signal the service says NOT_SERVING, waits `drain_wait`, drains for `drain_grace`, and then
    `app` closes. A second signal cuts that short; so does a first one while `app` still opens.
    """
    try:
        settings = settings_type()
    except ValidationError as error:
        print(_told(error), file=sys.stderr)
        sys.exit(2)
    logs.configure(name, settings.log_format)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        sys.exit(runner.run(_Process(name, settings, app).run()))


class _Process:
    """One run of a service."""

    def __init__(self, name: str, settings: Settings, app: App[Settings]) -> None:
        self._name = name
        self._settings = settings
        self._open: AbstractAsyncContextManager[Service] = app(settings)
        self._stop = asyncio.Event()
        self._serving = False

    async def run(self) -> int:
        life = asyncio.create_task(self._live())
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal, number, life)
        try:
            await life
        except asyncio.CancelledError:
            log.info("stopped at once")
            return 0
        except BaseException as error:
            log.error("failed", exc_info=error)
            return 1
        log.info("stopped")
        return 0

    async def _live(self) -> None:
        settings = self._settings
        metrics = serve_metrics(settings.metrics_port, settings.host) if settings.metrics_port else nullcontext()
        with metrics:
            async with self._open as service:
                port = await service.start()
                await service.set_serving(True)
                self._serving = True
                # What lives from here to the end is not worth looking through at each collection.
                gc.collect()
                gc.freeze()
                log.info("serving", host=settings.host, port=port)
                await self._stop.wait()
                await service.set_serving(False)
                await asyncio.sleep(settings.drain_wait)
                await service.drain_and_stop(settings.drain_grace)

    def _on_signal(self, number: signal.Signals, life: asyncio.Task[None]) -> None:
        log.info("stopping", signal=number.name)
        if self._serving and not self._stop.is_set():
            self._stop.set()
        else:
            life.cancel()


def _told(error: ValidationError) -> str:
    lines = (f"SCORELINE_{'_'.join(map(str, found['loc'])).upper()}: {found['msg']}" for found in error.errors())
    return "\n".join(lines)
