"""Readers that are slow, stuck or gone, over a real bus and real gRPC."""

import asyncio
import gc
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest
from prometheus_client import REGISTRY

from scoreline.fanout.v1.fanout_service_pb2 import SubscribeRequest, Target
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceStub
from services.fanout.domain.run import MOST_UPDATES, Run
from services.runtime.local import Stack, nats_server
from tests.support.fanout import HOME, Reader, Replica, Stand, becomes, plain_channel, stand_on

G = [Target(game_id="g")]


@pytest.fixture(scope="module")
async def nats_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    async with Stack(tmp_path_factory.mktemp("fanout")) as stack:
        yield await stack.engine(nats_server)


@pytest.fixture
async def stand(nats_url: str) -> AsyncGenerator[Stand]:
    async with stand_on(nats_url) as stand:
        yield stand


@pytest.fixture
async def replica(stand: Stand) -> AsyncGenerator[Replica]:
    async with stand.replica() as replica:
        yield replica


def counted(name: str) -> float:
    return REGISTRY.get_sample_value(f"scoreline_fanout_{name}") or 0.0


def kept() -> int:
    """Updates that all runs in this process keep."""
    return sum(each.last + 1 - each.first for each in gc.get_objects() if isinstance(each, Run))


async def test_a_stuck_reader_holds_nobody_up_costs_little_and_misses_nothing(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with plain_channel(replica.target) as channel, replica.stream(G) as swift:
        stuck = Reader(FanoutServiceStub(channel).Subscribe(SubscribeRequest(targets=G)))
        await swift.until("caught_up")
        await stuck.until("caught_up")
        total = 8 * MOST_UPDATES
        for _ in range(total):
            stand.happen("g", padding=4000)
            await asyncio.sleep(0.0005)
        assert await swift.seqs(total) == list(range(1, total + 1))
        assert kept() <= 3 * MOST_UPDATES
        assert await stuck.seqs(total) == list(range(1, total + 1))
        stuck.call.cancel()


async def test_clients_that_vanish_leave_nothing_behind(stand: Stand, replica: Replica) -> None:
    for game_id in ("g", "h"):
        stand.kept.new(game_id)
    await asyncio.sleep(0.2)
    base = len(asyncio.all_tasks())
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(plain_channel(replica.target)) for _ in range(20)]
        targets = [*G, Target(game_id="h"), Target(team_id=HOME)]
        calls = [
            FanoutServiceStub(channel).Subscribe(SubscribeRequest(targets=targets))
            for channel in channels
            for _ in range(10)
        ]
        await asyncio.gather(*(Reader(call).until("caught_up") for call in calls))
        assert counted("streams") == 200
        assert counted("games") == 2
        for _ in range(20):
            stand.happen("g")
    await becomes(lambda: counted("streams") == 0)
    assert counted("games") == 0
    await becomes(lambda: len(asyncio.all_tasks()) <= base)
    await becomes(lambda: kept() == 0)
    stand.happen("g")
    async with replica.stream(G) as reader:
        assert len(await reader.until("caught_up")) == 3


async def test_a_client_that_vanishes_while_it_opens_leaves_nothing_behind(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    for _ in range(100):
        async with replica.stream(G):
            await asyncio.sleep(0.001)
    await becomes(lambda: counted("streams") == counted("games") == 0)


async def test_deliveries_that_come_together_are_one_write(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
        writes, deliveries = counted("writes_total"), counted("deliveries_total")
        for _ in range(500):
            stand.happen("g")
        await reader.seqs(500)
        assert counted("deliveries_total") - deliveries == 500
        assert counted("writes_total") - writes < 250


async def test_a_crowd_that_comes_back_shares_a_few_reads(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    positions: dict[int, str] = {}
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
        for seq in range(1, 21):
            stand.happen("g")
            await reader.seqs(seq)
            positions[seq] = reader.token
    for _ in range(80):
        stand.happen("g", heard=False)

    async def come_back(seq: int) -> None:
        async with replica.stream(G, resume_token=positions[seq]) as reader:
            assert await reader.seqs(100) == list(range(seq + 1, 101))

    stand.kept.reads.clear()
    await asyncio.gather(*(come_back(seq) for seq in positions for _ in range(10)))
    assert stand.kept.reads["ListUpdates"] < 20
