"""Fresh, end to end: link and data are told apart, and each update says where it is from and when."""

import os
import signal

from scoreline.fanout.v1.fanout_service_pb2 import Freshness, GameHead
from scoreline.game.v1.source_pb2 import Source
from services.cli.mesh import Endpoints
from services.runtime.clock import now, to_timestamp
from services.runtime.local import Stack
from tests.support.ingestion import goal, observed
from tests.support.items import kinds_of
from tests.support.mesh import Mesh


async def test_fresh_each_update_says_where_it_is_from_and_when(outside: Mesh) -> None:
    game_id = "fresh-times"
    last = await outside.tell(observed(game_id))
    async with outside.stream(game_id) as viewer:
        await viewer.until("caught_up")
        for number in range(1, 6):
            report = goal(number)
            report.play.occurred_at.CopyFrom(to_timestamp(now()))
            answer = await outside.send(observed(game_id, report, header=False))
            update = (await viewer.next("update")).update.update
            assert update.seq == last + number
            assert update.event.source == Source(provider="scoreline", raw_id=answer.raw_id)
            times, served = update.times, viewer.responses[-1].server_time
            told = (times.occurred_at, times.received_at, times.accepted_at, times.published_at, served)
            assert [time.ToNanoseconds() for time in told] == sorted(time.ToNanoseconds() for time in told)
            assert times.occurred_at == report.play.occurred_at


async def test_fresh_an_idle_stream_proves_that_it_is_whole(outside: Mesh) -> None:
    game_id = "fresh-idle"
    last = await outside.tell(observed(game_id, goal(1)))
    async with outside.stream(game_id, heartbeat=0.5) as viewer:
        await viewer.until("caught_up")
        for _ in range(3):
            assert list((await viewer.next()).heartbeat.heads) == [GameHead(game_id=game_id, seq=last)]


async def test_fresh_data_goes_stale_and_recovers_while_the_link_lives(
    mesh: tuple[Stack, Endpoints], outside: Mesh
) -> None:
    game_id = "fresh-stale"
    last = await outside.tell(observed(game_id))
    gamestate = mesh[0].children["gamestate"].pid
    assert gamestate
    async with outside.stream(game_id, heartbeat=0.5) as viewer:
        await viewer.until("caught_up")
        os.kill(gamestate, signal.SIGSTOP)
        try:
            status = (await viewer.next("update", "source_status")).source_status
            assert status.freshness == Freshness.FRESHNESS_STALE
            await outside.send(observed(game_id, goal(1), header=False))  # acknowledged all the same
            assert list((await viewer.next("update", "heartbeat")).heartbeat.heads) == [
                GameHead(game_id=game_id, seq=last)
            ]
        finally:
            os.kill(gamestate, signal.SIGCONT)
        told: set[str] = set()  # the play and the recovery come in either order
        while not told >= {"update", "FRESHNESS_RECOVERED"}:
            item = await viewer.next("update", "source_status")
            told.add("update" if item.HasField("update") else Freshness.Name(item.source_status.freshness))
    async with outside.stream(game_id) as viewer:
        assert "source_status" not in kinds_of(await viewer.until("caught_up"))
