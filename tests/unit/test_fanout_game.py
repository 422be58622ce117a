"""A game as it is heard, and one stream's way through it."""

from scoreline.fanout.v1.fanout_service_pb2 import Item, ResetReason, SubscribeResponse, Target
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.state_pb2 import GameState, GameUpdate
from scoreline.game.v1.stats_pb2 import GameStatistics
from services.fanout.domain.follow import Step
from services.fanout.domain.game import Game, Heard
from services.fanout.domain.items import GameSnapshot, encode_snapshot
from services.fanout.domain.run import MOST_UPDATES, Run
from services.fanout.domain.subscription import Subscription
from services.fanout.domain.targets import Targets
from services.fanout.domain.token import Position, Token


def update(seq: int, *, epoch: str = "1", teams: tuple[str, ...] = (), over: bool = False) -> GameUpdate:
    status = GameStatus.GAME_STATUS_FINAL if over else GameStatus.GAME_STATUS_LIVE
    return GameUpdate(game_id="g", seq=seq, epoch=epoch, team_ids=teams, status=status)


def snapshot(seq: int, *, epoch: str = "1") -> GameSnapshot:
    return encode_snapshot(GameState(game_id="g", seq=seq, epoch=epoch), GameStatistics())


def opened(seq: int) -> Game:
    game = Game("g")
    game.open(snapshot(seq))
    return game


class Reader:
    """A stream of one game, read item by item."""

    def __init__(self, game: Game, *targets: Target, token: Token | None = None) -> None:
        self.woken = 0
        self.subscription = Subscription(Targets(targets or [Target(game_id="g")]), self._wake)
        self.follow = self.subscription.follow(game)
        self.subscription.start(token, skip_snapshot=False)

    def _wake(self) -> None:
        self.woken += 1

    def read(self) -> list[Item]:
        return list(SubscribeResponse.FromString(b"".join(self.subscription.next_write().items)).items)

    def read_all(self) -> list[Item]:
        items: list[Item] = []
        while more := self.read():
            items += more
        return items

    def kinds(self) -> list[str | None]:
        return [item.WhichOneof("kind") for item in self.read()]


def behind(seq: int, *, epoch: str = "1", digest: str = Targets([Target(game_id="g")]).digest) -> Token:
    return Token(digest, {"g": Position("g", epoch, seq)})


def test_what_was_heard_before_the_snapshot_came_follows_it() -> None:
    game = Game("g")
    for seq in (4, 6, 5, 7):
        assert game.hear(update(seq)) is Heard.KNOWN
    game.open(snapshot(5))
    assert game.seq == 7


def test_updates_are_applied_in_order_however_they_come() -> None:
    game = opened(5)
    assert game.hear(update(7)) is Heard.GAP
    assert (game.seq, game.is_behind) == (5, True)
    assert game.hear(update(6)) is Heard.APPLIED
    assert game.seq == 7
    assert game.hear(update(7)) is Heard.KNOWN
    assert not game.is_behind


def test_a_head_reveals_a_lost_last_update() -> None:
    game = opened(5)
    assert game.hear_head("1", 5) is Heard.KNOWN
    assert game.hear_head("1", 6) is Heard.GAP
    assert game.hear(update(6)) is Heard.APPLIED
    assert game.hear_head("2", 1) is Heard.OTHER_EPOCH


def test_a_stream_is_woken_once_for_all_that_comes_before_it_writes() -> None:
    game = opened(5)
    reader = Reader(game)
    reader.read_all()
    reader.woken = 0
    for seq in range(6, 50):
        game.hear(update(seq))
    assert reader.woken == 1
    assert len(reader.read()) == 44


def test_a_slow_reader_is_caught_up_from_the_log() -> None:
    game = opened(0)
    reader = Reader(game)
    reader.read_all()
    for seq in range(1, 2 * MOST_UPDATES):
        game.hear(update(seq))
    assert reader.read() == []
    assert reader.subscription.reads.popleft() == (reader.follow, Step.UPDATES)
    reader.follow.give_updates([update(seq) for seq in range(1, MOST_UPDATES + 1)], reader.follow.game.seq)
    reader.subscription.ready(reader.follow)
    seqs = [item.update.update.seq for item in reader.read()]
    assert seqs == list(range(1, 2 * MOST_UPDATES))


def test_a_page_read_for_one_stream_serves_the_others() -> None:
    game = opened(9)
    first, second = Reader(game, token=behind(3)), Reader(game, token=behind(5))
    assert first.read() == []
    first.follow.give_updates([update(seq) for seq in range(3, 10)], 9)
    assert [item.update.update.seq for item in second.read() if item.HasField("update")] == [6, 7, 8, 9]
    assert not second.subscription.reads


def test_a_hole_in_the_log_is_a_reset_and_not_passed_over() -> None:
    game = opened(9)
    reader = Reader(game, token=behind(3))
    assert reader.read() == []
    reader.follow.give_updates([update(seq) for seq in range(5, 10)], reader.follow.game.seq)
    reader.subscription.ready(reader.follow)
    reset, shot, caught_up = reader.read()
    assert reset.reset.reason == ResetReason.RESET_REASON_POSITION_UNKNOWN
    assert shot.snapshot.state.seq == 9
    assert caught_up.caught_up.replayed == 0


def test_a_position_ahead_of_this_replica_waits_for_proof() -> None:
    game = opened(5)
    reader = Reader(game, token=behind(7))
    assert reader.read() == []
    assert reader.subscription.reads.popleft() == (reader.follow, Step.SNAPSHOT)
    reader.follow.give_snapshot(snapshot(8))
    reader.subscription.ready(reader.follow)
    assert reader.kinds() == ["caught_up"]
    reader.read()
    for seq in range(6, 10):
        game.hear(update(seq))
    assert [item.update.update.seq for item in reader.read()] == [8, 9]


def test_a_position_ahead_of_the_history_is_a_reset() -> None:
    game = opened(5)
    reader = Reader(game, token=behind(7))
    reader.read()
    reader.follow.give_snapshot(snapshot(5))
    reader.subscription.ready(reader.follow)
    reset, shot, _ = reader.read()
    assert reset.reset.reason == ResetReason.RESET_REASON_POSITION_UNKNOWN
    assert shot.snapshot.state.seq == 5


def test_another_epoch_is_a_reset_of_that_game() -> None:
    game = opened(5)
    reader = Reader(game, token=behind(5, epoch="0"))
    reset, shot, caught_up = reader.read()
    assert reset.reset.reason == ResetReason.RESET_REASON_EPOCH_CHANGED
    assert (shot.snapshot.state.epoch, caught_up.caught_up.replayed) == ("1", 0)
    reader.read()
    game.open(snapshot(2, epoch="2"))
    reset, shot = reader.read()
    assert reset.reset.reason == ResetReason.RESET_REASON_EPOCH_CHANGED
    assert (shot.snapshot.state.epoch, shot.snapshot.state.seq) == ("2", 2)


def test_other_targets_reset_the_games_that_the_token_does_not_have() -> None:
    token = Token("other targets", {"h": Position("h", "1", 3)})
    reset, shot, _ = Reader(opened(5), token=token).read()
    assert reset.reset.reason == ResetReason.RESET_REASON_TARGETS_CHANGED
    assert shot.snapshot.state.seq == 5


def test_other_targets_do_not_touch_the_games_that_stay() -> None:
    game = opened(5)
    assert Reader(game, token=behind(5, digest="other targets")).kinds() == ["caught_up"]


def test_a_catch_up_of_a_game_without_events_ends_too() -> None:
    shot, caught_up = Reader(opened(0)).read()
    assert (shot.snapshot.state.seq, caught_up.caught_up.replayed) == (0, 0)


def test_a_catch_up_without_any_game_ends_too() -> None:
    subscription = Subscription(Targets([Target(team_id="home")]), lambda: None)
    subscription.start(None, skip_snapshot=False)
    (item,) = SubscribeResponse.FromString(b"".join(subscription.next_write().items)).items
    assert item.HasField("caught_up")


def test_the_end_is_told_once_also_when_it_is_read_back() -> None:
    game = opened(9)
    reader = Reader(game, token=behind(6))
    reader.read()
    reader.follow.give_updates([update(6), update(7, over=True), update(8, over=True), update(9, over=True)], 9)
    reader.subscription.ready(reader.follow)
    ends = [item.game_end.seq for item in reader.read() if item.HasField("game_end")]
    assert ends == [7]
    later = Reader(game, token=behind(7))
    later.read()
    later.follow.give_updates([update(7, over=True), update(8, over=True), update(9, over=True)], 9)
    later.subscription.ready(later.follow)
    assert "game_end" not in later.kinds()


def test_reasons_follow_the_teams_that_become_known() -> None:
    game = opened(5)
    reader = Reader(game, Target(game_id="g"), Target(team_id="home"))
    reader.read_all()
    game.hear(update(6))
    game.hear(update(7, teams=("home", "away")))
    game.hear(update(8, teams=("home", "away")))
    told: list[tuple[int, int]] = []
    while items := reader.read():
        told += [(item.update.update.seq, len(item.update.reasons)) for item in items]
    if reader.subscription.reads:  # what was told in the old lane is read back for the new one
        reader.follow.give_updates([update(seq, teams=("home", "away")) for seq in range(5, 9)], reader.follow.game.seq)
        reader.subscription.ready(reader.follow)
        told += [(item.update.update.seq, len(item.update.reasons)) for item in reader.read()]
    assert [seq for seq, _ in told] == [6, 7, 8]
    assert [number for seq, number in told if seq > 6] == [2, 2]


def test_nothing_is_kept_of_a_stream_that_left() -> None:
    game = opened(5)
    readers = [Reader(game), Reader(game, Target(game_id="g"), Target(game_id="h"))]
    for reader in readers:
        reader.read_all()
    for reader in readers:
        reader.subscription.close()
        reader.woken = 0
    game.hear(update(6))
    assert not game.followers
    assert [reader.woken for reader in readers] == [0, 0]


def test_a_run_keeps_the_newest_and_never_gives_what_is_not_next() -> None:
    run = Run(1)
    for seq in range(1, MOST_UPDATES + 11):
        run.append(b"%d" % seq)
    assert (run.first, run.last) == (11, MOST_UPDATES + 10)
    assert run.after(9, 20, 1000) == []
    assert run.after(10, 12, 1000) == [b"11", b"12"]
    assert run.after(run.last, run.last + 5, 1000) == []
    assert run.after(10, 20, 1) == [b"11"]
