"""The Python client, against fanout on a real bus, and against connections that break and freeze."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

import grpc
import pytest
from prometheus_client import REGISTRY

from scoreline.fanout.v1.fanout_service_pb2 import Freshness, Item, SubscribeRequest, SubscribeResponse
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceServicer, add_FanoutServiceServicer_to_server
from scoreline_client import ScorelineClient, ScorelineError, Watch
from services.runtime.local import Stack, nats_server
from services.runtime.rpc.server import RpcServer
from services.runtime.settings import ServiceSettings
from tests.support.fanout import LONGEST_WAIT, Replica, Stand, becomes, stand_on


@pytest.fixture(scope="module")
async def nats_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    async with Stack(tmp_path_factory.mktemp("client")) as stack:
        yield await stack.engine(nats_server)


@pytest.fixture
async def stand(nats_url: str) -> AsyncGenerator[Stand]:
    async with stand_on(nats_url) as stand:
        stand.kept.new("g")
        yield stand


@pytest.fixture
async def replica(stand: Stand) -> AsyncGenerator[Replica]:
    async with stand.replica() as replica:
        yield replica


class Viewer:
    """Watches, and keeps what came."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.items: list[Item] = []

    def seqs(self) -> list[int]:
        kinds = [(item.WhichOneof("kind"), item) for item in self.items]
        return [
            (item.update if kind == "update" else item.correction).update.seq
            for kind, item in kinds
            if kind in ("update", "correction")
        ]

    def count(self, kind: str) -> int:
        return sum(item.WhichOneof("kind") == kind for item in self.items)

    async def run(self) -> None:
        async for item in self.watch:
            self.items.append(item)


@asynccontextmanager
async def viewer(target: str, **values: Any) -> AsyncGenerator[Viewer]:
    async with ScorelineClient(target) as client:
        viewer = Viewer(client.watch(games=["g"], **values))
        task = asyncio.create_task(viewer.run())
        try:
            await becomes(lambda: viewer.count("caught_up") > 0)
            yield viewer
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def test_watches_across_restarts_of_the_server(stand: Stand) -> None:
    async with stand.replica() as first:
        port = first.port
        async with viewer(first.target) as seen:
            for _ in range(10):
                stand.happen("g")
            await becomes(lambda: len(seen.seqs()) == 10)
            for lives in range(2, 5):
                await first.server.drain_and_stop(0)
                for _ in range(10):
                    stand.happen("g", correction="again" if lives == 3 else "")
                async with stand.replica(port):
                    await becomes(lambda lives=lives: seen.count("caught_up") == lives)
                    stand.happen("g")
                    await becomes(lambda: seen.seqs()[-1:] == [stand.kept.games["g"].seq])
            assert seen.seqs() == list(range(1, 44))
            assert seen.count("snapshot") == 1


async def test_leaving_in_the_middle_of_a_response_loses_nothing_of_it(stand: Stand, replica: Replica) -> None:
    async with viewer(replica.target) as seen:
        token = seen.watch.token
    for _ in range(100):
        stand.happen("g")
    await asyncio.sleep(0.2)
    async with ScorelineClient(replica.target) as client:
        for stop_at in (1, 50, 99, 100):  # resumed, all hundred come in one response
            watch = client.watch(games=["g"], token=token)
            async with aclosing(aiter(watch)) as items:
                async for item in items:
                    if item.update.update.seq == stop_at:
                        break
            async with viewer(replica.target, token=watch.token) as seen:
                assert set(seen.seqs()) >= set(range(stop_at + 1, 101))


async def test_what_does_not_exist_ends_the_watch(replica: Replica) -> None:
    async with ScorelineClient(replica.target) as client:
        with pytest.raises(ScorelineError) as raised:
            async for _ in client.watch(games=["x"], teams=["y"]):
                pass
    assert (raised.value.code, raised.value.reason) == (grpc.StatusCode.NOT_FOUND, "TARGET_NOT_FOUND")
    assert raised.value.metadata["targets"] == "game:x, team:y"


async def test_a_bad_token_ends_the_watch(replica: Replica) -> None:
    async with ScorelineClient(replica.target) as client:
        with pytest.raises(ScorelineError, match="RESUME_TOKEN_INVALID"):
            async for _ in client.watch(games=["g"], token="bad"):
                pass


async def test_leaving_the_loop_leaves_no_stream_behind(stand: Stand, replica: Replica) -> None:
    async with ScorelineClient(replica.target) as client:
        for _ in range(20):
            async for _ in client.watch(games=["g"]):
                break
        await becomes(lambda: REGISTRY.get_sample_value("scoreline_fanout_streams") == 0)


async def test_tells_how_fresh_the_data_is(stand: Stand, replica: Replica) -> None:
    async with viewer(replica.target) as seen:
        assert (seen.watch.freshness, seen.watch.connected) == (Freshness.FRESHNESS_FRESH, True)
        stand.told = False
        await becomes(lambda: seen.watch.freshness == Freshness.FRESHNESS_STALE)
        stand.told = True
        await becomes(lambda: seen.watch.freshness == Freshness.FRESHNESS_FRESH)


async def test_moves_to_another_replica_when_one_stops(stand: Stand) -> None:
    async with (
        stand.replica() as first,
        stand.replica() as second,
        viewer(f"ipv4:{first.target},{second.target}") as seen,
    ):
        stopping = [asyncio.create_task(first.server.drain_and_stop(5))]
        await asyncio.sleep(0.1)
        for _ in range(5):
            stand.happen("g")
        await asyncio.wait(stopping)
        stand.happen("g")
        await becomes(lambda: len(seen.seqs()) == 6)
        assert seen.seqs() == list(range(1, 7))


class Proxy:
    """Passes bytes on; frozen, it keeps its connections open and passes nothing on them any more."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections = 0

    def freeze(self) -> None:
        for task in self._tasks:
            task.cancel()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        their_reader, their_writer = await asyncio.open_connection("127.0.0.1", self._port)
        for source, sink in ((reader, their_writer), (their_reader, writer)):
            task = asyncio.create_task(self._pump(source, sink))
            self._tasks.add(task)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
        sink.close()


async def test_a_frozen_connection_is_noticed_and_replaced(stand: Stand, replica: Replica) -> None:
    proxy = Proxy(replica.port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    async with server:
        async with viewer(f"127.0.0.1:{server.sockets[0].getsockname()[1]}", heartbeat=0.5) as seen:
            stand.happen("g")
            await becomes(lambda: seen.seqs() == [1])
            proxy.freeze()
            for _ in range(3):
                stand.happen("g")
            await becomes(lambda: seen.seqs() == [1, 2, 3, 4])
            assert proxy.connections > 1
        proxy.freeze()


class Forgetful(FanoutServiceServicer):
    """Leaves an update out on each stream but the last, and repeats others."""

    def __init__(self) -> None:
        self.tokens: list[str] = []

    async def Subscribe(self, request: SubscribeRequest, context: Any) -> AsyncGenerator[SubscribeResponse]:
        self.tokens.append(request.resume_token)
        after = int(request.resume_token or 0)
        first = SubscribeResponse()
        first.items.add().accepted.heartbeat.FromSeconds(5)
        yield first
        for seq in (max(after - 1, 1), after + 1, after + 2, after + 4):
            response = SubscribeResponse(resume_token=str(seq))
            delivery = response.items.add().update
            delivery.update.game_id, delivery.update.seq, delivery.prev_delivered_seq = "g", seq, seq - 1
            yield response
        await asyncio.sleep(LONGEST_WAIT)


async def test_a_hole_makes_it_resume_from_the_last_good_token() -> None:
    servicer = Forgetful()
    server = RpcServer(ServiceSettings(), services=["scoreline.fanout.v1.FanoutService"])
    add_FanoutServiceServicer_to_server(servicer, server.grpc)
    target = f"127.0.0.1:{await server.start()}"
    seqs: list[int] = []
    async with ScorelineClient(target) as client:
        async for item in client.watch(games=["g"]):
            if item.HasField("update"):
                seqs.append(item.update.update.seq)
            if len(seqs) == 6:
                break
    await server.drain_and_stop(0)
    assert seqs == [1, 2, 3, 4, 5, 6]
    assert servicer.tokens[:3] == ["", "2", "4"]
