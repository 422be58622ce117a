"""The bare bus: a nats-py JetStream publish, acknowledge and consume of the same bytes, with nothing around it."""

import asyncio
import time
from typing import Any, cast

from nats.aio.client import Client
from nats.js.api import ConsumerConfig, StreamConfig

_WINDOW = 256
_MESSAGES = 10_000


async def bare_rate(nats_url: str, payload: bytes) -> float:
    """Publish, acknowledge and consume messages of `payload`, at most 256 not acknowledged; give messages a second."""
    bus = Client()
    await bus.connect(nats_url)
    stream = cast("Any", bus).jetstream(publish_async_max_pending=_WINDOW)
    try:
        await stream.add_stream(StreamConfig(name="BENCH", subjects=["bench.bare"]))
        consumer = await stream.pull_subscribe("bench.bare", "bench", config=ConsumerConfig(max_ack_pending=-1))
        began = time.perf_counter()
        await asyncio.gather(_publish(stream, payload), _consume(consumer))
        return _MESSAGES / (time.perf_counter() - began)
    finally:
        await stream.delete_stream("BENCH")
        await bus.close()


async def _publish(stream: Any, payload: bytes) -> None:
    for _ in range(_MESSAGES):
        await stream.publish_async("bench.bare", payload)
    await stream.publish_async_completed()


async def _consume(consumer: Any) -> None:
    taken = 0
    while taken < _MESSAGES:
        for message in await consumer.fetch(_WINDOW, timeout=10):
            await message.ack()
            taken += 1
