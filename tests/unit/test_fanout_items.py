"""Items as bytes."""

from scoreline.fanout.v1.fanout_service_pb2 import Heartbeat, Item, Snapshot, SubscribeResponse, Target
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.state_pb2 import GameState, GameUpdate
from scoreline.game.v1.stats_pb2 import GameStatistics
from services.fanout.domain.items import LARGEST_PART, closing, encode_snapshot, encode_update, encoded

REASONS = [Target(game_id="g"), Target(team_id="home")]


def items(*encoded: bytes) -> list[Item]:
    return list(SubscribeResponse.FromString(b"".join(encoded)).items)


def update(seq: int, status: GameStatus = GameStatus.GAME_STATUS_LIVE) -> GameUpdate:
    made = GameUpdate(game_id="g", seq=seq, epoch="1", status=status)
    made.event.sport = "soccer"
    made.score.home = 2
    return made


def test_joined_bytes_are_joined_items() -> None:
    response = SubscribeResponse.FromString(
        encode_update(update(1), REASONS, was_over=False)
        + encoded(Item(heartbeat=Heartbeat()))
        + encode_update(update(2), REASONS, was_over=False)
        + closing("token", 1_500_000_001)
    )
    assert [item.WhichOneof("kind") for item in response.items] == ["update", "heartbeat", "update"]
    assert response.resume_token == "token"
    assert (response.server_time.seconds, response.server_time.nanos) == (1, 500_000_001)


def test_a_delivery_has_one_update_with_all_reasons() -> None:
    (item,) = items(encode_update(update(7), REASONS, was_over=False))
    assert item.update.update == update(7)
    assert item.update.prev_delivered_seq == 6
    assert list(item.update.reasons) == REASONS


def test_what_corrects_goes_out_as_a_correction() -> None:
    corrects = update(7)
    corrects.correction.reason = "offside"
    (item,) = items(encode_update(corrects, REASONS, was_over=False))
    assert item.correction.update == corrects


def test_the_end_follows_the_update_that_ended_the_game() -> None:
    for status in (
        GameStatus.GAME_STATUS_FINAL,
        GameStatus.GAME_STATUS_ABANDONED,
        GameStatus.GAME_STATUS_DELETED,
    ):
        delivery, end = items(encode_update(update(7, status), REASONS, was_over=False))
        assert delivery.HasField("update")
        assert (end.game_end.game_id, end.game_end.seq) == ("g", 7)
        assert (end.game_end.score.home, end.game_end.status) == (2, status)


def test_a_correction_after_the_end_is_no_second_end() -> None:
    assert len(items(encode_update(update(8, GameStatus.GAME_STATUS_FINAL), REASONS, was_over=True))) == 1


def large_game(players: int) -> tuple[GameState, GameStatistics]:
    state = GameState(game_id="g", seq=5, epoch="1")
    state.header.home.team_id, state.header.away.team_id = "home", "away"
    for number in range(10):
        state.last_plays.add(play_id=f"p{number}", text="x" * 40_000)
    statistics = GameStatistics()
    for number in range(players):
        line = statistics.players.add(subject_id=f"player-{number}", name="n" * 200)
        for key in range(101, 120):
            line.stats.add(key=key, value=number)  # pyright: ignore[reportArgumentType]
    statistics.teams.add(subject_id="home")
    return state, statistics


def test_a_large_snapshot_comes_in_parts_that_merge_into_it() -> None:
    state, statistics = large_game(3000)
    snapshot = encode_snapshot(state, statistics)
    merged = Snapshot()
    for part in snapshot.parts:
        assert len(part) <= LARGEST_PART
        (item,) = items(part)
        assert not merged.last_part
        merged.MergeFrom(item.snapshot)
    assert len(snapshot.parts) > 2
    assert (merged.state, merged.statistics, merged.last_part) == (state, statistics, True)


def test_a_small_snapshot_is_one_item() -> None:
    snapshot = encode_snapshot(GameState(game_id="g", seq=5, epoch="1"), GameStatistics())
    (item,) = items(*snapshot.parts)
    assert item.snapshot.last_part
    assert item.snapshot.state.seq == snapshot.seq == 5


def test_the_snapshot_of_a_finished_game_says_that_it_is_over() -> None:
    state = GameState(game_id="g", seq=5, epoch="1")
    state.header.status = GameStatus.GAME_STATUS_FINAL
    _, end = items(*encode_snapshot(state, GameStatistics()).parts)
    assert (end.game_end.game_id, end.game_end.seq) == ("g", 5)
