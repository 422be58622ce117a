"""Kills children of a stack at random moments, and waits until they are back."""

import asyncio
import os
import random
import signal

from services.runtime.local import Stack


class Chaos:
    """A loop of kills. `killed` counts them by child."""

    def __init__(self, stack: Stack, names: list[str], chance: random.Random, pause: tuple[float, float]) -> None:
        self._stack, self._names, self._chance, self._pause = stack, names, chance, pause
        self.killed: dict[str, int] = dict.fromkeys(names, 0)

    async def run(self) -> None:
        """Kill one child after another, each in turn before any a second time, until cancelled."""
        while True:
            for name in self._chance.sample(self._names, len(self._names)):
                await asyncio.sleep(self._chance.uniform(*self._pause))
                await self.kill(name)

    async def kill_within(self, name: str, seconds: float) -> None:
        """Kill one child at a random moment within so many seconds."""
        await asyncio.sleep(self._chance.uniform(0, seconds))
        await self.kill(name)

    async def kill(self, name: str) -> None:
        """Kill one child with SIGKILL and wait until its supervisor has another one running."""
        child = self._stack.children[name]
        pid = child.pid
        if pid is None:
            return
        os.kill(pid, signal.SIGKILL)
        self.killed[name] += 1
        while child.pid in (None, pid):
            await asyncio.sleep(0.02)
