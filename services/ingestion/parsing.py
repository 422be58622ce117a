"""Reads payloads: small ones at once, larger ones in other processes, so that a large document stalls no other game."""

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

import structlog

from scoreline.game.v1.source_pb2 import Observation
from services.ingestion.providers import PROVIDERS, Unreadable
from services.ingestion.providers.scoreline import Violation, check
from services.runtime.errors import DependencyAway, FieldsInvalid
from services.runtime.rpc.validation import validate

log: structlog.stdlib.BoundLogger = structlog.get_logger()

Result = TypeVar("Result")

_LARGE = 64 * 1024  # bytes
_ATTEMPTS = 3


class _Read(NamedTuple):
    """What a worker found, in a form that every pickle can carry: exceptions with own constructors cannot."""

    observations: list[bytes]
    unreadable: tuple[str, str] | None = None


class Parser:
    """Turns payloads into observations. An async context manager, which runs the worker processes.

    Start it before gRPC: what the workers are forked from must hold no gRPC object.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._workers = self._hire()

    async def __aenter__(self) -> Self:
        await self._work(os.getpid)  # the first one is there before the first document
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def observe(self, provider: str, payload: bytes) -> list[Observation]:
        """Read a provider's payload. Raises Unreadable, and DependencyAway when the workers keep dying."""
        if len(payload) <= _LARGE:
            return PROVIDERS[provider].observe(payload)
        read = await self._work(_observe, provider, payload)
        if read.unreadable:
            raise Unreadable(*read.unreadable)
        return [Observation.FromString(observation) for observation in read.observations]

    async def violations(self, observation: Observation, payload: bytes) -> list[Violation]:
        """Give everything that is wrong with a typed observation, whose serialised form is `payload`."""
        if len(payload) <= _LARGE:
            return _violations(observation)
        return await self._work(_violations_of, payload)

    async def _work(self, task: Callable[..., Result], *args: object) -> Result:
        loop = asyncio.get_running_loop()
        for _ in range(_ATTEMPTS):
            workers = self._workers
            try:
                return await loop.run_in_executor(workers, task, *args)
            except BrokenProcessPool:
                if workers is self._workers:
                    log.warning("a parser died; starting new ones")
                    self._workers = self._hire()
                    workers.shutdown(wait=False)
        raise DependencyAway("the parsers died; try again", metadata={"dependency": "parsers"}, retry_after=1.0)

    def _hire(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([__name__])
        return ProcessPoolExecutor(self._processes, mp_context=context, initializer=_begin)


def _begin() -> None:
    """Make a worker end with its parent, however that ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)


def _observe(provider: str, payload: bytes) -> _Read:
    try:
        return _Read([found.SerializeToString() for found in PROVIDERS[provider].observe(payload)])
    except Unreadable as error:
        return _Read([], (error.path, error.message))


def _violations_of(payload: bytes) -> list[Violation]:
    return _violations(Observation.FromString(payload))


def _violations(observation: Observation) -> list[Violation]:
    try:
        validate(observation)
    except FieldsInvalid as fault:
        return [*fault.violations, *check(observation)]
    return check(observation)
