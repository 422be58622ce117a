"""Items of a stream, and what of them a test asks for."""

import asyncio
from collections.abc import AsyncIterator, Iterable

from scoreline.fanout.v1.fanout_service_pb2 import Item
from scoreline.game.v1.state_pb2 import GameUpdate
from tests.support.mesh import LONGEST_WAIT


def kinds_of(items: Iterable[Item]) -> list[str | None]:
    """Their kinds."""
    return [item.WhichOneof("kind") for item in items]


def updates_of(items: Iterable[Item]) -> list[GameUpdate]:
    """All that was delivered among them, corrections too."""
    delivered = [item.correction if item.HasField("correction") else item.update for item in items]
    return [delivery.update for delivery in delivered if delivery.update.seq]


async def next_of(watch: AsyncIterator[Item], kind: str) -> Item:
    """The next item of a kind. An update that stands before it is an error."""
    async with asyncio.timeout(LONGEST_WAIT):
        async for item in watch:
            if item.WhichOneof("kind") == kind:
                return item
            assert item.WhichOneof("kind") not in ("update", "correction"), item
    raise AssertionError("the watch has ended")
