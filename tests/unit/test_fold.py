"""The fold: a sum over living plays, whatever the order in which they became what they are."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreline.game.v1.event_pb2 import ChangeKind, Event, HeaderChange
from scoreline.game.v1.header_pb2 import GameStatus, Header, Roster, RosterEntry, Score, Team
from scoreline.game.v1.play_pb2 import (
    Participant,
    ParticipantRole,
    Phase,
    Play,
    PlayClass,
    PlayStatus,
    Position,
    Scored,
    Side,
)
from scoreline.game.v1.sports_pb2 import BasketballPlay
from scoreline.game.v1.state_pb2 import CorrectionKind, GameUpdate
from scoreline.game.v1.stats_pb2 import GameStatistics
from services.gamestate.domain.fold import JOINED, Fold
from services.gamestate.domain.place import place_of
from services.gamestate.domain.sports import SPORTS
from services.gamestate.domain.tally import APART
from tests.support.folding import essence

GAME = "game"
HEADER = Header(
    sport="basketball",
    status=GameStatus.GAME_STATUS_LIVE,
    home=Team(team_id="reds", name="Reds"),
    away=Team(team_id="blues", name="Blues"),
)
ROSTER = Roster(entries=[RosterEntry(player_id="p1", name="One", team_id="reds")])


def play_event(play: Play, kind: ChangeKind = ChangeKind.CHANGE_KIND_UPDATE, reason: str = "") -> Event:
    event = Event(game_id=GAME, sport="basketball")
    event.play.kind, event.play.reason = kind, reason
    event.play.play.CopyFrom(play)
    return event


def deletion(play_id: str, reason: str = "") -> Event:
    return play_event(Play(play_id=play_id), ChangeKind.CHANGE_KIND_DELETE, reason)


def header_event(header: Header, *, opening: bool = False) -> Event:
    event = Event(game_id=GAME, sport="basketball")
    event.header.CopyFrom(HeaderChange(header=header, current=True, opening=opening))
    return event


def roster_event(roster: Roster) -> Event:
    return Event(game_id=GAME, sport="basketball", roster=roster)


def fold_of(events: Sequence[Event]) -> tuple[Fold, list[GameUpdate]]:
    fold = Fold(GAME, "epoch")
    updates: list[GameUpdate] = []
    for seq, event in enumerate(events, 1):
        numbered = Event()
        numbered.CopyFrom(event)
        numbered.seq = seq
        updates.append(fold.apply(numbered))
    return fold, updates


def basket(play_id: str, order_key: int, points: int = 2, side: Side = Side.SIDE_HOME, period: int = 1) -> Play:
    team_id = "reds" if side == Side.SIDE_HOME else "blues"
    return Play(
        play_id=play_id,
        play_class=PlayClass.PLAY_CLASS_SCORE,
        kind="two_point_made",
        team_id=team_id,
        position=Position(period=period, phase=Phase.PHASE_REGULATION, order_key=order_key),
        scored=Scored(side=side, points=points),
        participants=[
            Participant(player_id="p1", name="P", role=ParticipantRole.PARTICIPANT_ROLE_SCORER, team_id=team_id)
        ],
        basketball=BasketballPlay(shot_value=points),
    )


# -- properties -------------------------------------------------------------------------------------------------------

_positions = st.builds(
    Position,
    period=st.integers(0, 3),
    phase=st.sampled_from([Phase.PHASE_REGULATION, Phase.PHASE_EXTRA_TIME, Phase.PHASE_SHOOTOUT]),
    clock_ms=st.none() | st.integers(0, 3),
    order_key=st.none() | st.integers(-2, 5),
)
_participants = st.builds(
    Participant,
    player_id=st.sampled_from(["p1", "p2", "p3", ""]),
    name=st.sampled_from(["Ann", "Bea"]),
    role=st.sampled_from([ParticipantRole.PARTICIPANT_ROLE_SCORER, ParticipantRole.PARTICIPANT_ROLE_ASSIST]),
    team_id=st.sampled_from(["reds", "blues"]),
)
_forms = st.builds(
    Play,
    play_class=st.sampled_from([PlayClass.PLAY_CLASS_SCORE, PlayClass.PLAY_CLASS_ACTION, PlayClass.PLAY_CLASS_REVIEW]),
    kind=st.sampled_from(["two_point_made", "rebound", "turnover"]),
    status=st.sampled_from(
        [
            PlayStatus.PLAY_STATUS_UNSPECIFIED,
            PlayStatus.PLAY_STATUS_PROVISIONAL,
            PlayStatus.PLAY_STATUS_CONFIRMED,
            PlayStatus.PLAY_STATUS_CANCELLED,
        ]
    ),
    position=_positions,
    team_id=st.sampled_from(["reds", "blues", ""]),
    participants=st.lists(_participants, max_size=3),
    scored=st.none()
    | st.builds(Scored, side=st.sampled_from([Side.SIDE_HOME, Side.SIDE_AWAY]), points=st.integers(1, 3)),
    basketball=st.none() | st.builds(BasketballPlay, shot_value=st.integers(0, 3)),
)


@st.composite
def _histories(draw: st.DrawFn) -> list[list[Event]]:
    """What happens to each play, in its order; and to the header and the roster, each in theirs."""
    histories: list[list[Event]] = [
        [header_event(Header(sport="basketball"))] * draw(st.integers(0, 1)) + [header_event(HEADER)],
        [roster_event(ROSTER)],
    ]
    for number in range(draw(st.integers(0, 8))):
        play_id = f"play{number}"
        history: list[Event] = []
        for form in draw(st.lists(st.none() | _forms, min_size=1, max_size=4)):
            if form is None:
                history.append(deletion(play_id))
                continue
            form.play_id = play_id
            history.append(play_event(form))
        histories.append(history)
    return histories


@st.composite
def _mixed(draw: st.DrawFn, histories: list[list[Event]]) -> list[Event]:
    """Put histories into one order that keeps each of them."""
    turns = draw(st.permutations([at for at, history in enumerate(histories) for _ in history]))
    left = [iter(history) for history in histories]
    return [next(left[turn]) for turn in turns]


_games = _histories().flatmap(lambda histories: st.tuples(_mixed(histories), _mixed(histories)))
_properties = settings(max_examples=50, deadline=None)


@_properties
@given(_games)
def test_any_order_that_keeps_each_plays_own_ends_in_the_same(orders: tuple[list[Event], list[Event]]) -> None:
    one, other = (fold_of(order)[0] for order in orders)
    assert essence(one) == essence(other)


@_properties
@given(_games)
def test_a_fold_is_the_sum_of_the_last_forms(orders: tuple[list[Event], list[Event]]) -> None:
    """Worked out here from the last forms alone, without ever taking anything away."""
    fold, _ = fold_of(orders[0])
    last = {event.play.play.play_id: event.play for event in orders[0] if event.HasField("play")}
    living = [
        change.play
        for change in last.values()
        if change.kind != ChangeKind.CHANGE_KIND_DELETE and change.play.status != PlayStatus.PLAY_STATUS_CANCELLED
    ]
    living.sort(key=lambda play: place_of(play.position, play.play_id))
    score = Score()
    expected: list[tuple[Play, Score]] = []
    for play in living:
        if play.position.phase not in APART:
            score.home += play.scored.points if play.scored.side == Side.SIDE_HOME else 0
            score.away += play.scored.points if play.scored.side == Side.SIDE_AWAY else 0
        expected.append((play, Score(home=score.home, away=score.away)))
    assert [(line.play, line.score) for line in fold.timeline()] == expected
    assert fold.score() == score
    values: Counter[tuple[str, str, int]] = Counter()
    for play in living:
        for credit in SPORTS["basketball"].credits(play, HEADER):
            values[credit.team_id, credit.player_id, credit.key] += credit.value
    assert _values(fold.statistics()) == {key: value for key, value in values.items() if value and key[0]}


@_properties
@given(_games, st.data())
def test_a_snapshot_and_the_tail_are_a_replay_from_the_start(
    orders: tuple[list[Event], list[Event]], data: st.DataObject
) -> None:
    """For a viewer too, who has the snapshot's statistics and score and gets only what each update changed."""
    events = [header_event(HEADER), *(event for event in orders[0] if not event.HasField("header"))]
    cut = data.draw(st.integers(1, len(events)))
    snapshot, _ = fold_of(events[:cut])
    whole, updates = fold_of(events)
    values = Counter(_values(snapshot.statistics()))
    for update in updates[cut:]:
        for delta in update.statistics:
            player_id = "" if delta.subject_id == delta.team_id else delta.subject_id
            values[delta.team_id, player_id, delta.key] += delta.delta
    assert {key: value for key, value in values.items() if value and key[0]} == _values(whole.statistics())
    assert (updates[-1].score if updates[cut:] else snapshot.score()) == whole.score()
    for seq, event in enumerate(events[cut:], cut + 1):
        event.seq = seq
        snapshot.apply(event)
    assert snapshot.state().SerializeToString() == whole.state().SerializeToString()
    assert snapshot.statistics().SerializeToString() == whole.statistics().SerializeToString()


@_properties
@given(_games)
def test_each_update_goes_on_from_the_one_before(orders: tuple[list[Event], list[Event]]) -> None:
    fold, updates = fold_of(orders[0])
    before = Score()
    for update in updates:
        assert update.score_before == before
        if update.HasField("correction"):
            assert (update.correction.score_before, update.correction.score_after) == (before, update.score)
        before = update.score
    assert before == fold.score()


def _values(statistics: GameStatistics) -> dict[tuple[str, str, int], int]:
    lines = [(line.team_id, "", line) for line in statistics.teams]
    lines += [(line.team_id, line.subject_id, line) for line in statistics.players]
    return {
        (team_id, player_id, stat.key): stat.value
        for team_id, player_id, line in lines
        if team_id
        for stat in line.stats
    }


# -- examples ---------------------------------------------------------------------------------------------------------


def test_an_event_that_is_not_the_next_is_refused() -> None:
    fold, _ = fold_of([header_event(HEADER)])
    for game_id, seq in ((GAME, 3), (GAME, 1), ("other", 2)):
        with pytest.raises(ValueError, match="is at 1"):
            fold.apply(Event(game_id=game_id, seq=seq))
    assert fold.seq == 1


def provisional(play: Play) -> Play:
    play.status = PlayStatus.PLAY_STATUS_PROVISIONAL
    return play


def cancelled(play: Play) -> Play:
    play.status = PlayStatus.PLAY_STATUS_CANCELLED
    return play


def confirmed(play: Play) -> Play:
    play.status = PlayStatus.PLAY_STATUS_CONFIRMED
    return play


@pytest.mark.parametrize(
    ("history", "kind"),
    [
        ([play_event(basket("a", 1))], None),
        ([play_event(basket("a", 1)), play_event(basket("a", 1, points=3))], "UPDATED"),
        ([play_event(provisional(basket("a", 1))), play_event(confirmed(basket("a", 1)))], "CONFIRMED"),
        ([play_event(basket("a", 1)), deletion("a")], "CANCELLED"),
        ([play_event(basket("a", 1)), play_event(cancelled(basket("a", 1)))], "CANCELLED"),
        ([play_event(basket("a", 1)), deletion("a"), play_event(basket("a", 1))], "REINSTATED"),
        ([play_event(basket("a", 1)), deletion("a"), deletion("a")], None),
        ([deletion("a")], None),
        ([play_event(cancelled(basket("a", 1)))], None),
        ([play_event(cancelled(basket("a", 1))), play_event(basket("a", 1))], "REINSTATED"),
    ],
)
def test_the_kind_of_a_correction(history: list[Event], kind: str | None) -> None:
    *_, update = fold_of([header_event(HEADER), *history])[1]
    told = CorrectionKind.Name(update.correction.kind).removeprefix("CORRECTION_KIND_")
    assert told == (kind or "UNSPECIFIED")
    assert update.HasField("correction") == (kind is not None)


def test_a_cancelled_score_says_what_why_and_both_scores() -> None:
    events = [header_event(HEADER), play_event(basket("a", 1)), play_event(basket("b", 2, 3)), deletion("a", "offside")]
    fold, updates = fold_of(events)
    correction = updates[-1].correction
    assert (correction.play_id, correction.reason) == ("a", "offside")
    assert (correction.score_before, correction.score_after) == (Score(home=5), Score(home=3))
    assert updates[-1].notable
    assert updates[-1].event.play.play == basket("a", 1), "the deletion tells the play as it last was"
    assert updates[-1].scores_changed_from == "b"
    retracted = [line for line in fold.timeline(retracted=True) if line.retracted]
    assert [(line.play.play_id, line.reason) for line in retracted] == [("a", "offside")]


def test_a_play_taken_away_twice_keeps_its_reason() -> None:
    fold, _ = fold_of([play_event(basket("a", 1)), deletion("a", "offside"), deletion("a")])
    assert fold.entries["a"].reason == "offside"


def test_a_play_that_goes_without_a_word_has_the_review_at_its_moment_as_the_reason() -> None:
    goal, review = basket("a", 1), Play(play_id="r", play_class=PlayClass.PLAY_CLASS_REVIEW, text="No basket")
    goal.position.clock_ms = review.position.clock_ms = 500
    review.position.period = 1
    fold, _ = fold_of([play_event(goal), play_event(review), deletion("a")])
    assert fold.entries["a"].reason == "No basket"


def test_a_late_play_stands_in_its_place_and_says_what_it_changes() -> None:
    *_, late = fold_of([play_event(basket("a", 1)), play_event(basket("c", 3)), play_event(basket("b", 2))])[1]
    assert late.late
    assert late.after_play_id == "a"
    assert late.score_at_play == Score(home=4)
    assert late.scores_changed_from == "c"
    assert late.score == Score(home=6)


def test_a_shootout_changes_no_running_score_and_no_score() -> None:
    shots = [basket("a", 1, 1, period=5), basket("b", 3, 1, period=5), basket("c", 2, 1, period=5)]
    for shot in shots:
        shot.position.phase = Phase.PHASE_SHOOTOUT
    fold, updates = fold_of([header_event(HEADER), *map(play_event, shots)])
    assert fold.score() == Score()
    assert updates[-1].scores_changed_from == ""
    assert [(phase.phase, phase.score) for phase in fold.state().phases] == [(Phase.PHASE_SHOOTOUT, Score(home=3))]


def test_points_of_no_known_side_are_nobodys() -> None:
    fold, _ = fold_of([header_event(HEADER), play_event(basket("a", 1, side=Side.SIDE_UNSPECIFIED))])
    assert fold.score() == Score()


def test_a_game_joined_in_progress_opens_with_what_no_play_explains() -> None:
    opening = Header()
    opening.CopyFrom(HEADER)
    opening.score.home, opening.score.away = 10, 8
    event = header_event(opening, opening=True)
    event.header.as_of.CopyFrom(Position(period=1, order_key=5))
    events = [event, play_event(basket("later", 6))]
    fold, _ = fold_of(events)
    assert fold.score() == Score(home=12, away=8)
    assert [(it.reason, it.points) for it in fold.state().adjustments] == [(JOINED, Score(home=10, away=8))]
    fold, updates = fold_of([*events, play_event(basket("earlier", 4, 3))])
    assert fold.score() == Score(home=12, away=8), "an older play explains what the opening had to"
    assert [line.score for line in fold.timeline()] == [Score(home=10, away=8), Score(home=12, away=8)]
    assert not updates[-1].notable


def test_the_winner_of_a_shootout_has_one_more_once_it_is_over_where_the_provider_counts_so() -> None:
    shot = basket("a", 1, 1, Side.SIDE_AWAY, period=5)
    shot.position.phase = Phase.PHASE_SHOOTOUT
    live, final = Header(), Header()
    live.CopyFrom(HEADER)
    live.score_includes_shootout_winner = True
    final.CopyFrom(live)
    final.status = GameStatus.GAME_STATUS_FINAL
    fold, updates = fold_of([header_event(live), play_event(shot), header_event(final)])
    assert updates[1].score == Score()
    assert fold.score() == Score(away=1)
    assert updates[-1].notable


def test_what_changes_after_the_end_is_marked() -> None:
    final = Header()
    final.CopyFrom(HEADER)
    final.status = GameStatus.GAME_STATUS_FINAL
    fold, _ = fold_of([play_event(basket("a", 1)), header_event(final)])
    assert not fold.state().corrected_after_final
    fold, _ = fold_of([play_event(basket("a", 1)), header_event(final), deletion("a")])
    assert fold.state().corrected_after_final


def test_provisional_points_count_apart_until_they_are_confirmed() -> None:
    fold, _ = fold_of([play_event(provisional(basket("a", 1)))])
    assert (fold.score(), fold.confirmed_score()) == (Score(home=2), Score())
    fold, _ = fold_of([play_event(provisional(basket("a", 1))), play_event(confirmed(basket("a", 1)))])
    assert (fold.score(), fold.confirmed_score()) == (Score(home=2), Score(home=2))
