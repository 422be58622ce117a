"""Everything that runs on one machine: started in order, watched, stopped in reverse order."""

import asyncio
from pathlib import Path
from types import TracebackType
from typing import Self

from services.runtime.local.child import Child, ChildSpec, Notice, Tell
from services.runtime.local.engine import MakeEngine
from services.runtime.local.errors import EngineUnreachable
from services.runtime.local.folder import DataFolder

STOP_WITHIN = 10.0  # seconds, for all children together
REACHED_WITHIN = 30.0  # seconds, for a server that was given by its URL


def _nobody_listens(notice: Notice) -> None:
    pass


class Stack:
    """The children that run on one data folder, which nobody else can use as long as the stack is entered.

        async with Stack(Path(".scoreline"), tell=show) as stack:
            database = await stack.engine(postgres_server)
            await stack.start(ChildSpec(name="api", argv=[...], env={"DATABASE": database}, ready=probe))
            await forever

    Enter it in an event loop whose thread lives as long as the stack: on Linux the children end with that
    thread, however it ends.

    Args:
        path: the data folder; made when it is not there.
        tell: called when a child crashed, could not be started again, or is ready again; the log has it too.

    Attributes:
        folder: the data folder, with ports and log files by name; once the stack is entered.
        children: the running children by name, in the order of their start.
    """

    folder: DataFolder

    def __init__(self, path: Path, *, tell: Tell = _nobody_listens) -> None:
        self._path = path
        self._tell = tell
        self.children: dict[str, Child] = {}

    async def __aenter__(self) -> Self:
        """Takes the data folder.

        Raises:
            FolderInUse: another stack runs on it.
            FolderUnusable: it cannot be made, written or locked.
        """
        self.folder = DataFolder(self._path)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.stop()
        finally:
            self.folder.close()

    async def engine(self, make: MakeEngine) -> str:
        """Starts an engine, or finds the one that a URL was given for, and returns its URL when it answers.

        Raises:
            LocalError: it cannot run here, did not become ready, or does not answer at its URL.
        """
        engine = await make(self.folder)
        if engine.child:
            await self.start(engine.child)
            return engine.url
        last = "no answer"
        try:
            async with asyncio.timeout(REACHED_WITHIN):
                while True:
                    try:
                        await engine.ready()
                        return engine.url
                    except Exception as error:
                        last = type(error).__name__
                        await asyncio.sleep(0.2)
        except TimeoutError:
            raise EngineUnreachable(engine.setting, REACHED_WITHIN, last) from None

    async def start(self, *specs: ChildSpec) -> None:
        """Starts children one after the other, each when the one before is ready.

        Raises:
            ChildFailed: one ended before it was ready, or was not ready in time; those before it run on.
        """
        for spec in specs:
            if spec.name in self.children:
                raise ValueError(f"a child named {spec.name} is there already")
            child = Child(spec, self.folder.log(spec.name), self._tell)
            self.children[spec.name] = child
            try:
                await child.start()
            except BaseException:
                del self.children[spec.name]
                raise

    async def stop(self) -> None:
        """Stops all children, the last first, within 10 s. Cancelled, it kills those that still run."""
        clock = asyncio.get_running_loop().time
        deadline = clock() + STOP_WITHIN
        try:
            while self.children:
                name, child = next(reversed(self.children.items()))
                # Half of what is left, so that one that hangs leaves time to all that follow.
                await child.stop(within=(deadline - clock()) / 2)
                del self.children[name]
        finally:
            for child in self.children.values():
                child.kill()
