"""Reads that many ask for at once, and that are done once."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class SingleFlight(Generic[Key, Value]):
    """Lets everybody who asks for a key while it is being read wait for the same read."""

    def __init__(self, read: Callable[[Key], Awaitable[Value]]) -> None:
        self._read = read
        self._flights: dict[Key, asyncio.Task[Value]] = {}

    async def get(self, key: Key) -> Value:
        """What `read(key)` gives or raises. Whoever is cancelled while waiting does not end it for the others."""
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = asyncio.create_task(self._fly(key))
        return await asyncio.shield(flight)

    async def _fly(self, key: Key) -> Value:
        try:
            return await self._read(key)
        finally:
            del self._flights[key]
