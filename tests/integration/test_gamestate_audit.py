"""An audit finds what does not hold, and a rebuild mends what is derived."""

from collections.abc import AsyncGenerator
from typing import LiteralString

import grpc
import pytest
import pytest_asyncio

from scoreline.game.v1.event_pb2 import Event
from scoreline.gamestate.v1 import gamestate_service_pb2 as pb
from services.runtime.errors import reason_of
from tests.support.gamestate import OPERATOR, Gamestate, Rig, basket, rig, season, shown

METADATA = (("authorization", f"Bearer {OPERATOR}"),)


@pytest_asyncio.fixture(scope="module")
async def engines(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rig]:
    async with rig(tmp_path_factory.mktemp("gamestate")) as made:
        yield made


@pytest_asyncio.fixture(scope="module")
async def gamestate(engines: Rig) -> AsyncGenerator[Gamestate]:
    async with engines.replica() as stub:
        yield stub


@pytest_asyncio.fixture
async def game(engines: Rig, gamestate: Gamestate, request: pytest.FixtureRequest) -> str:
    """A game of the test's own, applied."""
    game_id = "".join(letter if letter.isalnum() else "-" for letter in request.node.name)[-64:]
    events = await engines.tell(season(game_id, 40))
    for event in events:
        engines.publish(event)
    await engines.until_applied(game_id, len(events))
    return game_id


async def audit(gamestate: Gamestate, game_id: str) -> pb.AuditGameResponse:
    return await gamestate.AuditGame(pb.AuditGameRequest(game_id=game_id), metadata=METADATA)


async def rebuild(gamestate: Gamestate, game_id: str) -> pb.RebuildGameResponse:
    return await gamestate.RebuildGame(pb.RebuildGameRequest(game_id=game_id), metadata=METADATA)


def checks(response: pb.AuditGameResponse) -> set[str]:
    return {finding.check for finding in response.findings}


async def test_a_whole_game_has_no_findings(engines: Rig, gamestate: Gamestate, game: str) -> None:
    response = await audit(gamestate, game)
    newest = (await engines.fold(game)).seq
    assert (response.events, response.applied_seq, list(response.findings)) == (newest, newest, [])


PLANTED: list[tuple[LiteralString, set[str]]] = [
    (
        "UPDATE gamestate.games SET state = set_byte(state, 9, get_byte(state, 9) # 1) WHERE game_id = %s",
        {"fold_state"},
    ),
    ("UPDATE gamestate.games SET statistics = '' WHERE game_id = %s", {"fold_statistics"}),
    ("DELETE FROM gamestate.updates WHERE game_id = %s AND seq = 7", {"update_gap"}),
    ("UPDATE gamestate.updates SET update = update || 'x'::bytea WHERE game_id = %s AND seq = 7", {"fold_updates"}),
    (
        "UPDATE gamestate.updates SET update = (SELECT update FROM gamestate.updates AS other "
        "WHERE other.game_id = updates.game_id AND seq = 8) WHERE game_id = %s AND seq = 7",
        {"fold_updates"},
    ),
    (
        "INSERT INTO gamestate.updates SELECT game_id, seq + 1000, update FROM gamestate.updates "
        "WHERE game_id = %s AND seq = 7",
        {"fold_updates"},
    ),
    ("UPDATE gamestate.plays SET home_points = home_points + 1 WHERE game_id = %s", {"fold_plays"}),
    ("DELETE FROM gamestate.plays WHERE game_id = %s", {"fold_plays"}),
]


@pytest.mark.parametrize(("statement", "found"), PLANTED)
async def test_a_planted_fault_is_found_and_mended(
    engines: Rig, gamestate: Gamestate, game: str, statement: LiteralString, found: set[str]
) -> None:
    epoch = (await rebuild(gamestate, game)).epoch
    await engines.rows(statement, game)
    assert checks(await audit(gamestate, game)) == found
    response = await rebuild(gamestate, game)
    assert response.changed
    assert response.epoch != epoch
    assert not checks(await audit(gamestate, game))
    page = await gamestate.ListUpdates(pb.ListUpdatesRequest(game_id=game, page_size=1000))
    assert {update.epoch for update in page.updates} == {page.epoch} == {response.epoch}
    assert [update.seq for update in page.updates] == list(range(1, response.seq + 1))


async def test_a_rebuild_of_what_holds_changes_nothing(engines: Rig, gamestate: Gamestate, game: str) -> None:
    before = await engines.rows("SELECT * FROM gamestate.games WHERE game_id = %s", game)
    response = await rebuild(gamestate, game)
    assert not response.changed
    assert await engines.rows("SELECT * FROM gamestate.games WHERE game_id = %s", game) == before


async def test_after_a_rebuild_the_game_goes_on_in_its_new_epoch(engines: Rig, gamestate: Gamestate, game: str) -> None:
    await engines.rows("DELETE FROM gamestate.updates WHERE game_id = %s AND seq = 1", game)
    async with engines.replica():  # and a replica that knows nothing of the rebuild
        epoch = (await rebuild(gamestate, game)).epoch
        for number in range(900, 910):
            for event in await engines.tell([shown(game, basket(game, number))]):
                engines.publish(event)
        newest = (await engines.fold(game)).seq
        await engines.until_applied(game, newest)
    page = await gamestate.ListUpdates(pb.ListUpdatesRequest(game_id=game, page_size=1000))
    assert {update.epoch for update in page.updates} == {epoch}
    assert not checks(await audit(gamestate, game))


async def test_a_row_that_is_ahead_of_its_log_is_found_and_mended(
    engines: Rig, gamestate: Gamestate, game: str
) -> None:
    newest = (await engines.fold(game)).seq
    await engines.rows("DELETE FROM log.events WHERE game_id = %s AND seq = %s", game, newest)
    await engines.rows("UPDATE log.games SET last_seq = %s WHERE game_id = %s", newest - 1, game)
    assert checks(await audit(gamestate, game)) == {"log_gap"}
    response = await rebuild(gamestate, game)
    assert (response.changed, response.seq) == (True, newest - 1)
    assert not checks(await audit(gamestate, game))


async def test_a_gap_in_the_log_is_found(engines: Rig, gamestate: Gamestate, game: str) -> None:
    await engines.rows("DELETE FROM log.events WHERE game_id = %s AND seq = 9", game)
    assert checks(await audit(gamestate, game)) == {"log_gap"}
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await rebuild(gamestate, game)
    assert reason_of(refused.value) == "LOG_BROKEN"


async def test_a_log_out_of_order_is_found(engines: Rig, gamestate: Gamestate, game: str) -> None:
    event = (await engines.log.read(game, 8, 1))[0]
    event.times.accepted_at.FromSeconds(1)
    await engines.rows("UPDATE log.events SET event = %s WHERE game_id = %s AND seq = 9", stored(event), game)
    assert "log_order" in checks(await audit(gamestate, game))


async def test_an_event_id_that_comes_twice_is_found(engines: Rig, gamestate: Gamestate, game: str) -> None:
    eighth, ninth = await engines.log.read(game, 7, 2)
    ninth.event_id = eighth.event_id
    await engines.rows("UPDATE log.events SET event = %s WHERE game_id = %s AND seq = 9", stored(ninth), game)
    assert "log_duplicate" in checks(await audit(gamestate, game))


async def test_a_game_behind_its_log_is_found(engines: Rig, gamestate: Gamestate, game: str) -> None:
    await engines.rows("UPDATE gamestate.games SET epoch = epoch || 'x', applied_seq = 5 WHERE game_id = %s", game)
    # Its next update is there already, so that nobody can apply it.
    assert "behind" in checks(await audit(gamestate, game))
    assert (await rebuild(gamestate, game)).changed
    await engines.until_applied(game, (await engines.fold(game)).seq)
    assert not checks(await audit(gamestate, game))


async def test_a_game_of_no_log_is_not_found(gamestate: Gamestate) -> None:
    for call in (audit, rebuild):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(gamestate, "nowhere")
        assert reason_of(caught.value) == "GAME_NOT_FOUND"


def stored(event: Event) -> bytes:
    return event.SerializeToString()
