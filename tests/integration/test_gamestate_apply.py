"""Gamestate brings games up to their logs, whatever becomes of the bus, of replicas and of the engines."""

import asyncio
import os
import random
import signal
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from nats.aio.msg import Msg
from psycopg import OperationalError

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.source_pb2 import Observation
from scoreline.game.v1.state_pb2 import GameState, GameUpdate
from scoreline.game.v1.stats_pb2 import GameStatistics
from scoreline.gamestate.v1.gamestate_service_pb2 import GetGameRequest, ListHeadsResponse
from services.gamestate.apply.applier import Applier
from services.gamestate.apply.memory import Memory
from services.gamestate.apply.step import Steps
from services.gamestate.store.games import Games
from services.gamestate.sweeper import Sweeper
from tests.support.gamestate import Rig, basket, becomes, rig, season, shown


@pytest_asyncio.fixture(scope="module")
async def engines(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rig]:
    async with rig(tmp_path_factory.mktemp("gamestate")) as made:
        yield made


async def assert_whole(engines: Rig, game_id: str) -> None:
    """The game is stored as its log folds, with one update for each seq."""
    fold = await engines.fold(game_id)
    ((epoch, state, statistics),) = await engines.rows(
        "SELECT epoch, state, statistics FROM gamestate.games WHERE game_id = %s", game_id
    )
    fold.epoch = str(epoch)
    assert GameState.FromString(state) == fold.state()  # pyright: ignore[reportArgumentType]
    assert GameStatistics.FromString(statistics) == fold.statistics()  # pyright: ignore[reportArgumentType]
    updates = await engines.rows("SELECT seq, update FROM gamestate.updates WHERE game_id = %s ORDER BY seq", game_id)
    assert [seq for seq, _ in updates] == list(range(1, fold.seq + 1))
    for seq, stored in updates:
        update = GameUpdate.FromString(stored)  # pyright: ignore[reportArgumentType]
        assert (update.seq, update.epoch) == (seq, epoch)
    plays = await engines.rows("SELECT play_id FROM gamestate.plays WHERE game_id = %s", game_id)
    assert {play_id for (play_id,) in plays} == set(fold.entries)


def tampered(events: list[Event], seed: int) -> list[Event]:
    """What a bad bus makes of it: a fifth is lost, a fifth comes twice, and what is near to another changes places."""
    chance = random.Random(seed)
    heard = [event for event in events for _ in range(chance.choice((0, 1, 1, 1, 2)))]
    return [event for _, _, event in sorted((at + chance.uniform(0, 6), at, event) for at, event in enumerate(heard))]


async def test_lost_doubled_and_reordered_messages_change_nothing(engines: Rig) -> None:
    games = {f"tampered-{number}": await engines.tell(season(f"tampered-{number}", 60, number)) for number in range(4)}
    engines.updates.clear()
    async with engines.replica():
        heard = [tampered(events, number) for number, events in enumerate(games.values())]
        for turn in range(max(map(len, heard))):
            for events in heard:
                if turn < len(events):
                    engines.publish(events[turn])
            await asyncio.sleep(0.002)
        for game_id, events in games.items():
            await engines.until_applied(game_id, len(events))
            await assert_whole(engines, game_id)

            async def all_heard(game_id: str = game_id, count: int = len(events)) -> bool:
                return {update.seq for update in engines.updates if update.game_id == game_id} >= set(
                    range(1, count + 1)
                )

            await becomes(all_heard)


async def test_what_is_published_is_what_is_stored(engines: Rig) -> None:
    events = await engines.tell(season("published", 30))
    engines.updates.clear()
    async with engines.replica():
        for event in events:
            engines.publish(event)
        await engines.until_applied("published", len(events))

        async def all_heard() -> bool:
            return len([update for update in engines.updates if update.game_id == "published"]) >= len(events)

        await becomes(all_heard)
    heard = [update for update in engines.updates if update.game_id == "published"]
    assert [update.seq for update in heard] == list(range(1, len(events) + 1)), "in order, each once"
    assert all(update.times.HasField("published_at") for update in heard)
    stored = await engines.rows("SELECT update FROM gamestate.updates WHERE game_id = 'published' ORDER BY seq")
    assert [GameUpdate.FromString(update) for (update,) in stored] == heard  # pyright: ignore[reportArgumentType]


async def test_replicas_on_the_same_games_apply_each_event_once(engines: Rig) -> None:
    games = [f"shared-{number}" for number in range(3)]
    async with engines.replica(), engines.replica(), engines.replica():
        for game_id in games:
            told = season(game_id, 40)
            for start in range(0, len(told), 3):  # appended while it is applied
                for event in await engines.tell(told[start : start + 3]):
                    engines.publish(event)
        for game_id in games:
            await engines.until_applied(game_id, (await engines.fold(game_id)).seq)
            await assert_whole(engines, game_id)


async def test_a_replica_that_starts_goes_on_where_the_last_one_ended(engines: Rig) -> None:
    told = season("restarted", 60)
    async with engines.replica():
        first = await engines.tell(told[:40])
        for event in first:
            engines.publish(event)
        await engines.until_applied("restarted", 1)  # and it stops in the middle
    more = await engines.tell(told[40:])  # nobody hears of these
    async with engines.replica():
        await engines.until_applied("restarted", more[-1].seq)
        (event,) = await engines.tell([shown("restarted", basket("restarted", 900))])
        engines.publish(event)
        await engines.until_applied("restarted", event.seq)
    await assert_whole(engines, "restarted")


async def test_an_event_heard_again_has_its_update_published_again(engines: Rig) -> None:
    events = await engines.tell(season("again", 10))
    async with engines.replica():
        await engines.until_applied("again", len(events))
    async with engines.replica():  # it could not know whether the one before had published
        engines.updates.clear()

        async def heard() -> bool:
            engines.publish(events[3])
            return any((update.game_id, update.seq) == ("again", 4) for update in engines.updates)

        await becomes(heard)
    assert await engines.applied("again") == len(events)
    await assert_whole(engines, "again")


async def test_a_game_whose_log_is_broken_holds_no_other_up(engines: Rig) -> None:
    broken = await engines.tell(season("broken", 20))
    await engines.rows("UPDATE log.events SET event = 'no event' WHERE game_id = 'broken' AND seq = 5")
    async with engines.replica():
        whole = await engines.tell(season("unbroken", 20))
        await engines.until_applied("unbroken", len(whole))
        await assert_whole(engines, "unbroken")
        assert await engines.applied("broken") < 5
        restored = broken[4].SerializeToString()
        await engines.rows("UPDATE log.events SET event = %s WHERE game_id = 'broken' AND seq = 5", restored)
        await engines.until_applied("broken", len(broken))
        await assert_whole(engines, "broken")


async def test_a_game_of_the_log_is_applied_when_it_is_asked_for(engines: Rig) -> None:
    async with engines.replica() as stub:
        events = await engines.tell(season("asked", 10))
        response = await stub.GetGame(GetGameRequest(game_id="asked"))
        assert response.state.seq == len(events)


async def test_heads_tell_the_newest_versions(engines: Rig) -> None:
    heads: dict[str, int] = {}

    async def hear(message: Msg) -> None:
        for head in ListHeadsResponse.FromString(message.data).heads:
            heads[head.game_id] = head.seq

    await engines.bus.subscribe("heads", hear)
    events = await engines.tell(season("headed", 5))
    async with engines.replica():

        async def told() -> bool:
            return heads.get("headed") == len(events)

        await becomes(told)


@pytest.mark.chaos
@pytest.mark.parametrize("engine", ["postgres", "nats"])
async def test_a_killed_engine_loses_nothing(engines: Rig, engine: str) -> None:
    game_id, told = f"killed-{engine}", season(f"killed-{engine}", 60)
    async with engines.replica():
        for at, seen in enumerate(told):
            if at == 30:
                pid = engines.stack.children[engine].pid
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
            events = await until_told(engines, [seen])
            for event in events:
                engines.publish(event)
        await engines.until_applied(game_id, (await engines.fold(game_id)).seq)
        await assert_whole(engines, game_id)


async def until_told(engines: Rig, seen: list[Observation]) -> list[Event]:
    """Appends, again and again while the database is away."""
    while True:
        try:
            return await engines.tell(seen)
        except OperationalError:
            await asyncio.sleep(0.1)


async def test_a_row_that_was_put_back_is_brought_up_again(engines: Rig) -> None:
    """As by a backup of only this schema: what a replica has in memory is ahead of the row then."""
    events = await engines.tell(season("put-back", 20))
    memory = Memory(1000)
    applier = Applier(Steps(engines.pool, engines.log, memory, lambda update, payload: None), memory)
    worker = asyncio.create_task(applier.work())
    try:
        await applier.catch_up("put-back")
        assert await engines.applied("put-back") == len(events)
        await engines.rows("UPDATE gamestate.games SET applied_seq = 5 WHERE game_id = 'put-back'")
        await engines.rows("DELETE FROM gamestate.updates WHERE game_id = 'put-back' AND seq > 5")
        sweeper = Sweeper(engines.log, Games(engines.pool), applier)
        await sweeper.look()
        await sweeper.look()
        await engines.until_applied("put-back", len(events))
        await assert_whole(engines, "put-back")
    finally:
        worker.cancel()
