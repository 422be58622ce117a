"""What gamestate answers."""

from collections.abc import AsyncGenerator
from typing import Any

import grpc
import pytest
import pytest_asyncio

from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.play_pb2 import PlayClass
from scoreline.game.v1.state_pb2 import TimelineEntry
from scoreline.gamestate.v1 import gamestate_service_pb2 as pb
from services.runtime.errors import metadata_of, reason_of
from tests.support.gamestate import Gamestate, Rig, basket, opening, rig, season, shown

GAME = "reads"


@pytest_asyncio.fixture(scope="module")
async def engines(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rig]:
    async with rig(tmp_path_factory.mktemp("gamestate")) as made:
        await made.tell(season(GAME, 70))
        yield made


@pytest_asyncio.fixture(scope="module")
async def gamestate(engines: Rig) -> AsyncGenerator[Gamestate]:
    async with engines.replica() as stub:
        await stub.GetGame(pb.GetGameRequest(game_id=GAME))  # which applies it
        yield stub


async def all_plays(gamestate: Gamestate, request: pb.ListPlaysRequest) -> list[TimelineEntry]:
    plays: list[TimelineEntry] = []
    while True:
        page = await gamestate.ListPlays(request)
        plays += page.plays
        if not page.next_page_token:
            return plays
        assert len(page.plays) == request.page_size
        request.page_token = page.next_page_token


async def failed(call: "grpc.aio.UnaryUnaryCall[Any, Any]") -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value.code(), reason_of(caught.value)


async def test_a_game_is_what_its_log_folds_to(engines: Rig, gamestate: Gamestate) -> None:
    response = await gamestate.GetGame(pb.GetGameRequest(game_id=GAME))
    fold = await engines.fold(GAME)
    fold.epoch = response.state.epoch
    assert fold.epoch
    assert response.state == fold.state()
    assert response.statistics == fold.statistics()


@pytest.mark.parametrize("retracted", [False, True])
@pytest.mark.parametrize("page_size", [7, 1000])
async def test_plays_come_in_order_with_their_running_scores(
    engines: Rig, gamestate: Gamestate, page_size: int, retracted: bool
) -> None:
    fold = await engines.fold(GAME)
    expected = list(fold.timeline(retracted=retracted))
    assert len(expected) > 20
    assert any(line.retracted for line in expected) == retracted
    request = pb.ListPlaysRequest(game_id=GAME, page_size=page_size, include_retracted=retracted)
    assert await all_plays(gamestate, request) == expected
    request = pb.ListPlaysRequest(game_id=GAME, page_size=page_size, include_retracted=retracted, descending=True)
    assert await all_plays(gamestate, request) == expected[::-1]


async def test_plays_of_some_classes_keep_the_score_of_all(engines: Rig, gamestate: Gamestate) -> None:
    fold = await engines.fold(GAME)
    attempts = PlayClass.PLAY_CLASS_ATTEMPT
    expected = [line for line in fold.timeline() if line.play.play_class == attempts]
    request = pb.ListPlaysRequest(game_id=GAME, page_size=3, play_classes=[attempts])
    assert await all_plays(gamestate, request) == expected


async def test_plays_of_a_game_joined_in_progress_begin_at_the_score_it_had(engines: Rig, gamestate: Gamestate) -> None:
    joined = opening("joined")
    joined.header.score.home, joined.header.score.away = 10, 8
    joined.header_as_of.period, joined.header_as_of.order_key = 1, 3
    await engines.tell([joined, shown("joined", basket("joined", 4, 3)), shown("joined", basket("joined", 2, 2))])
    plays = (await gamestate.ListPlays(pb.ListPlaysRequest(game_id="joined"))).plays
    assert [(line.score.home, line.score.away) for line in plays] == [(10, 8), (13, 8)]
    assert list(plays) == list((await engines.fold("joined")).timeline())


async def test_a_page_token_is_bound_to_its_list(gamestate: Gamestate) -> None:
    first = await gamestate.ListPlays(pb.ListPlaysRequest(game_id=GAME, page_size=5))
    other = pb.ListPlaysRequest(game_id=GAME, page_size=5, descending=True, page_token=first.next_page_token)
    assert await failed(gamestate.ListPlays(other)) == (grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID")
    games = pb.ListGamesRequest(page_token=first.next_page_token)
    assert await failed(gamestate.ListGames(games)) == (grpc.StatusCode.INVALID_ARGUMENT, "PAGE_TOKEN_INVALID")


async def test_updates_come_behind_a_seq_without_a_gap(engines: Rig, gamestate: Gamestate) -> None:
    newest = (await engines.fold(GAME)).seq
    seqs: list[int] = []
    while True:
        page = await gamestate.ListUpdates(pb.ListUpdatesRequest(game_id=GAME, after_seq=len(seqs), page_size=30))
        assert page.newest_seq == newest
        assert {update.epoch for update in page.updates} <= {page.epoch}
        if not page.updates:
            break
        seqs += [update.seq for update in page.updates]
    assert seqs == list(range(1, newest + 1))


async def test_a_seq_behind_the_newest_is_unknown(engines: Rig, gamestate: Gamestate) -> None:
    newest = (await engines.fold(GAME)).seq
    page = await gamestate.ListUpdates(pb.ListUpdatesRequest(game_id=GAME, after_seq=newest))
    assert not page.updates
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await gamestate.ListUpdates(pb.ListUpdatesRequest(game_id=GAME, after_seq=newest + 1))
    assert (caught.value.code(), reason_of(caught.value)) == (grpc.StatusCode.OUT_OF_RANGE, "POSITION_UNKNOWN")
    assert metadata_of(caught.value) == {"game_id": GAME, "seq": str(newest + 1), "newest": str(newest)}


async def test_what_is_in_no_log_is_not_found(engines: Rig, gamestate: Gamestate) -> None:
    for call in (
        gamestate.GetGame(pb.GetGameRequest(game_id="nowhere")),
        gamestate.ListPlays(pb.ListPlaysRequest(game_id="nowhere")),
        gamestate.ListUpdates(pb.ListUpdatesRequest(game_id="nowhere")),
    ):
        assert await failed(call) == (grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND")
    assert not await engines.rows("SELECT FROM gamestate.games WHERE game_id = 'nowhere'")


async def test_games_in_play_come_first_then_the_newest_change(engines: Rig, gamestate: Gamestate) -> None:
    statuses = {
        "listed-over": GameStatus.GAME_STATUS_FINAL,
        "listed-live": GameStatus.GAME_STATUS_LIVE,
        "listed-break": GameStatus.GAME_STATUS_BREAK,
        "listed-later": GameStatus.GAME_STATUS_SCHEDULED,
    }
    for game_id, status in statuses.items():
        events = await engines.tell([opening(game_id, status)])
        await engines.until_applied(game_id, len(events))
    request = pb.ListGamesRequest(page_size=2)
    listed: list[str] = []
    while True:
        page = await gamestate.ListGames(request)
        assert len(page.games) <= 2
        listed += [game.game_id for game in page.games]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert [game_id for game_id in listed if game_id in statuses] == [
        "listed-break",
        "listed-live",
        "listed-later",
        "listed-over",
    ]
    assert len(listed) == len(set(listed))
    final = await gamestate.ListGames(pb.ListGamesRequest(statuses=[GameStatus.GAME_STATUS_FINAL]))
    assert [game.game_id for game in final.games] == ["listed-over"]


async def test_games_of_a_team_at_home_and_away(gamestate: Gamestate) -> None:
    for team_id in (f"{GAME}-reds", f"{GAME}-blues"):
        (game,) = (await gamestate.ListGames(pb.ListGamesRequest(team_id=team_id))).games
        whole = (await gamestate.GetGame(pb.GetGameRequest(game_id=GAME))).state
        assert (game.game_id, game.seq, game.epoch) == (GAME, whole.seq, whole.epoch)
        assert (game.header, game.score, game.position) == (whole.header, whole.score, whole.position)
        assert list(game.phases) == list(whole.phases)
    assert not (await gamestate.ListGames(pb.ListGamesRequest(team_id="nobody"))).games


async def test_heads_are_the_newest_versions(engines: Rig, gamestate: Gamestate) -> None:
    response = await gamestate.ListHeads(pb.ListHeadsRequest())
    heads = {head.game_id: head for head in response.heads}
    assert list(heads) == sorted(heads)
    state = (await gamestate.GetGame(pb.GetGameRequest(game_id=GAME))).state
    head = heads[GAME]
    assert (head.seq, head.epoch, head.status) == (state.seq, state.epoch, GameStatus.GAME_STATUS_LIVE)
    assert list(head.team_ids) == [f"{GAME}-reds", f"{GAME}-blues"]
    await engines.rows("UPDATE gamestate.games SET update_time = now() - interval '16 min', in_play = false")
    assert not (await gamestate.ListHeads(pb.ListHeadsRequest())).heads


async def test_only_an_operator_rebuilds_and_audits(gamestate: Gamestate) -> None:
    calls = (
        gamestate.RebuildGame(pb.RebuildGameRequest(game_id=GAME)),
        gamestate.AuditGame(pb.AuditGameRequest(game_id=GAME)),
    )
    for call in calls:
        assert await failed(call) == (grpc.StatusCode.UNAUTHENTICATED, "KEY_MISSING")
