"""A game folded from its log.

The state is a sum over the living plays, kept in the order in which they happened: a play that is inserted late,
changed or taken away is added and subtracted where it stands. So any order of arrival ends in the same state, and a
correction costs no more than a new play. The log decides what the newest revision of a play is; a fold takes each
event as it comes and reads no clock.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

from scoreline.game.v1.event_pb2 import ChangeKind, Event, HeaderChange, PlayChange
from scoreline.game.v1.header_pb2 import GameStatus, Header, RosterEntry, Score
from scoreline.game.v1.play_pb2 import Phase, Play, PlayClass, PlayStatus, Position
from scoreline.game.v1.source_pb2 import Times
from scoreline.game.v1.state_pb2 import Adjustment, CorrectionKind, GameState, GameUpdate, PhaseScore, TimelineEntry
from scoreline.game.v1.stats_pb2 import GameStatistics
from services.gamestate.domain.place import Place, place_of
from services.gamestate.domain.sports import SPORTS, Sport
from services.gamestate.domain.tally import Credits, Tally, counted_points_of, deltas, merge, summed

ENDED = (GameStatus.GAME_STATUS_FINAL, GameStatus.GAME_STATUS_ABANDONED, GameStatus.GAME_STATUS_DELETED)
_NOT_BEGUN = (
    GameStatus.GAME_STATUS_UNSPECIFIED,
    GameStatus.GAME_STATUS_SCHEDULED,
    GameStatus.GAME_STATUS_PRE_GAME,
    GameStatus.GAME_STATUS_POSTPONED,
)
_LAST_PLAYS = 10
JOINED = "joined in progress"


@dataclass(slots=True)
class Entry:
    """A play as the fold knows it, living or retracted."""

    play: Play
    place: Place
    seq: int
    late: bool = False
    retracted: bool = False
    reason: str = ""
    credits: Credits = field(default_factory=dict[tuple[str, str, int], int])


class Fold:
    """One game at one position of its log."""

    def __init__(self, game_id: str, epoch: str = "") -> None:
        self.game_id = game_id
        self.epoch = epoch
        self.seq = 0
        self.header = Header()
        self.entries: dict[str, Entry] = {}
        self.changed: set[str] = set()
        self.corrections = 0
        self._sport: Sport | None = None
        self._living: list[Place] = []
        self._scoring: list[Place] = []
        self._reviews: set[str] = set()
        self._tally = Tally()
        self._roster: dict[str, RosterEntry] = {}
        self._opening: HeaderChange | None = None
        self._adjustment = (0, 0)
        self._corrected_after_final = False
        self._times = Times()

    # -- events in ---------------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> GameUpdate:
        """Take the next event of the log and say what it did. Raises ValueError when it is not the next one."""
        if event.game_id != self.game_id or event.seq != self.seq + 1:
            raise ValueError(f"{self.game_id} is at {self.seq}; the event is {event.game_id} {event.seq}")
        before, status = self.score(), self.header.status
        self.seq = event.seq
        self._times = event.times
        self._sport = self._sport or SPORTS.get(event.sport)
        update = GameUpdate(game_id=self.game_id, seq=event.seq, epoch=self.epoch, event=event, times=event.times)
        match event.WhichOneof("change"):
            case "play":
                self._apply_play(event.play, update)
            case "header":
                self._apply_header(event.header, update)
            case "roster":
                self._roster = {entry.player_id: entry for entry in event.roster.entries}
            case _:
                pass
        self._finish(update, before, status)
        return update

    def _apply_play(self, change: PlayChange, update: GameUpdate) -> None:
        play_id = change.play.play_id
        old = self.entries.get(play_id)
        was_living = old is not None and not old.retracted
        if change.kind == ChangeKind.CHANGE_KIND_DELETE and old is None:
            return
        if old and was_living:
            self._take_away(old)
        if change.kind == ChangeKind.CHANGE_KIND_DELETE and old:
            entry = Entry(old.play, old.place, self.seq, old.late, retracted=True, reason=old.reason)
            update.event.play.play.CopyFrom(old.play)
        else:
            entry = Entry(change.play, place_of(change.play.position, play_id), self.seq, bool(old and old.late))
            entry.retracted = change.play.status == PlayStatus.PLAY_STATUS_CANCELLED
        if entry.retracted:
            entry.reason = change.reason or entry.reason or self._review_at(entry.play.position)
        else:
            entry.late = entry.late or (old is None and bool(self._living) and entry.place < self._living[-1])
            self._put(entry)
        self.entries[play_id] = entry
        self.changed.add(play_id)
        self._settle_opening()
        self._tell_play(update, old, entry, was_living, change.reason)

    def _put(self, entry: Entry) -> None:
        entry.credits = summed(self._sport.credits(entry.play, self.header)) if self._sport else {}
        self._tally.add(entry.play, entry.credits)
        insort(self._living, entry.place)
        if entry.play.HasField("scored"):
            insort(self._scoring, entry.place)
        if entry.play.play_class == PlayClass.PLAY_CLASS_REVIEW:
            self._reviews.add(entry.play.play_id)

    def _take_away(self, entry: Entry) -> None:
        self._tally.add(entry.play, entry.credits, -1)
        del self._living[bisect_left(self._living, entry.place)]
        if entry.play.HasField("scored"):
            del self._scoring[bisect_left(self._scoring, entry.place)]
        self._reviews.discard(entry.play.play_id)

    def _apply_header(self, change: HeaderChange, update: GameUpdate) -> None:
        if change.opening:
            self._opening = change
        if change.current:
            sides = (self.header.home.team_id, self.header.away.team_id)
            self.header = change.header
            if sides != (self.header.home.team_id, self.header.away.team_id):
                self._credit_anew(update)
        self._settle_opening()

    def _credit_anew(self, update: GameUpdate) -> None:
        """The sides are known, or known better: what plays are worth may hang on them."""
        before: Credits = {}
        after: Credits = {}
        for entry in [self.entries[place.play_id] for place in self._living]:
            merge(before, entry.credits)
            self._take_away(entry)
            self._put(entry)
            merge(after, entry.credits)
        update.statistics.extend(deltas(before, after))

    def _settle_opening(self) -> None:
        """Points scored before the game was joined: the oldest score told, less the plays known up to that place."""
        if self._opening is None:
            return
        known = self._running(place_of(self._opening.as_of, "\U0010ffff"))
        told = self._opening.header.score
        self._adjustment = max(0, told.home - known[0]), max(0, told.away - known[1])

    def _review_at(self, position: Position) -> str:
        """Why a play went that the provider took away without a word: a review at the same moment of the game."""
        for play_id in sorted(self._reviews):
            review = self.entries[play_id].play
            at = review.position
            if (at.period, at.clock_ms) == (position.period, position.clock_ms) and at.HasField("clock_ms"):
                return review.text or review.kind
        return ""

    # -- what is told ------------------------------------------------------------------------------------------------

    def _tell_play(self, update: GameUpdate, old: Entry | None, new: Entry, was_living: bool, reason: str) -> None:
        credits_before = old.credits if old and was_living else {}
        update.statistics.extend(deltas(credits_before, {} if new.retracted else new.credits))
        if not new.retracted:
            at = bisect_left(self._living, new.place)
            update.after_play_id = self._living[at - 1].play_id if at else ""
            update.late = new.late and not was_living
        if new.play.HasField("scored") and not new.retracted:
            update.score_at_play.CopyFrom(self._total(self._running(new.place)))
        worth_before = counted_points_of(old.play) if old and was_living else (0, 0)
        worth_after = (0, 0) if new.retracted else counted_points_of(new.play)
        if worth_before != worth_after or (old and was_living and old.place != new.place and any(worth_after)):
            first = min(new.place, old.place) if old and was_living else new.place
            behind = [place for place in self._scoring[bisect_right(self._scoring, first) :] if place != new.place]
            update.scores_changed_from = behind[0].play_id if behind else ""
        kind = _correction(old, new, was_living)
        if kind is not None:
            self._correct(update, new.play.play_id, kind, new.reason or reason)
            if old and old.play != new.play:
                update.correction.play_before.CopyFrom(old.play)

    def _correct(self, update: GameUpdate, play_id: str, kind: CorrectionKind, reason: str) -> None:
        self.corrections += 1
        self._corrected_after_final = self._corrected_after_final or self.header.status in ENDED
        update.correction.play_id, update.correction.kind, update.correction.reason = play_id, kind, reason

    def _finish(self, update: GameUpdate, before: Score, status: GameStatus) -> None:
        after = self.score()
        if not update.HasField("correction") and (after.home < before.home or after.away < before.away):
            self._correct(update, "", CorrectionKind.CORRECTION_KIND_CANCELLED, "the provider's score went back")
        update.score_before.CopyFrom(before)
        update.score.CopyFrom(after)
        update.confirmed_score.CopyFrom(self.confirmed_score())
        update.phases.extend(self.phases())
        update.status = self.header.status
        update.position.CopyFrom(self.position())
        if update.HasField("correction"):
            update.correction.score_before.CopyFrom(before)
            update.correction.score_after.CopyFrom(after)
        began = status in _NOT_BEGUN and self.header.status == GameStatus.GAME_STATUS_LIVE
        ended = status not in ENDED and self.header.status in ENDED
        update.notable = before != after or began or ended
        update.team_ids.extend(side.team_id for side in (self.header.home, self.header.away) if side.team_id)

    # -- the state ---------------------------------------------------------------------------------------------------

    def _running(self, place: Place) -> tuple[int, int]:
        """Points of living plays up to and at a place, phases that stand apart left out."""
        at = bisect_right(self._scoring, place)
        if 2 * at < len(self._scoring):
            return self._points(self._scoring[:at])
        # Most that is asked for is near the end: taking away what stands behind is shorter than adding up.
        (home, away), behind = self._tally.score(), self._points(self._scoring[at:])
        return home - behind[0], away - behind[1]

    def _points(self, places: list[Place]) -> tuple[int, int]:
        points = [counted_points_of(self.entries[place.play_id].play) for place in places]
        return sum(home for home, _ in points), sum(away for _, away in points)

    def _total(self, points: tuple[int, int]) -> Score:
        return Score(home=points[0] + self._adjustment[0], away=points[1] + self._adjustment[1])

    def score(self) -> Score:
        """Score in play, with what was scored before the game was joined and the winner's goal of a shoot-out."""
        score = self._total(self._tally.score())
        if self.header.score_includes_shootout_winner and self.header.status in ENDED:
            home, away = self._tally.apart(Phase.PHASE_SHOOTOUT)
            score.home += home > away
            score.away += away > home
        return score

    def confirmed_score(self) -> Score:
        """The score without provisional plays."""
        score, (home, away) = self.score(), self._tally.provisional()
        return Score(home=score.home - home, away=score.away - away)

    def phases(self) -> list[PhaseScore]:
        """Score of each phase, what was scored before the game was joined counted in the phase where it was joined."""
        if self._opening is None or not any(self._adjustment):
            return self._tally.phases()
        return self._tally.phases((self._opening.as_of.phase, self._adjustment))

    def position(self) -> Position:
        """Where the game stands: the provider's own place or the last play's, whichever is further."""
        last = self.entries[self._living[-1].play_id].play.position if self._living else Position()
        own = self.header.position
        if (own.period, own.clock_ms) > (last.period, last.clock_ms):
            return own
        return last

    def statistics(self) -> GameStatistics:
        """Statistics of teams and players."""
        return self._tally.statistics(self.header, self._roster)

    def living(self) -> Sequence[Play]:
        """Living plays in order of the game, as a view."""
        return _Living(self.entries, self._living)

    def state(self) -> GameState:
        """The state as it stands."""
        state = GameState(game_id=self.game_id, seq=self.seq, epoch=self.epoch, header=self.header)
        state.score.CopyFrom(self.score())
        state.confirmed_score.CopyFrom(self.confirmed_score())
        state.phases.extend(self.phases())
        state.periods.extend(self._tally.periods())
        state.position.CopyFrom(self.position())
        if any(self._adjustment):
            points = Score(home=self._adjustment[0], away=self._adjustment[1])
            state.adjustments.append(Adjustment(reason=JOINED, points=points))
        state.last_plays.extend(self._last_plays())
        state.play_count = len(self._living)
        state.correction_count = self.corrections
        state.corrected_after_final = self._corrected_after_final
        state.accepted_at.CopyFrom(self._times.accepted_at)
        if self._sport:
            self._sport.situate(state, self.living())
        return state

    def _last_plays(self) -> list[Play]:
        plays: list[Play] = []
        for place in reversed(self._living):
            play = self.entries[place.play_id].play
            if play.play_class != PlayClass.PLAY_CLASS_ACTION:
                plays.append(play)
            if len(plays) == _LAST_PLAYS:
                break
        return plays[::-1]

    def timeline(self, *, retracted: bool = False) -> Iterator[TimelineEntry]:
        """Plays in order with the running score; with `retracted` also those taken away, at the place they had."""
        home = away = 0
        for entry in sorted(self.entries.values(), key=lambda entry: entry.place):
            if entry.retracted and not retracted:
                continue
            if not entry.retracted:
                points = counted_points_of(entry.play)
                home, away = home + points[0], away + points[1]
            line = TimelineEntry(play=entry.play, score=self._total((home, away)), seq=entry.seq)
            line.retracted, line.reason, line.late = entry.retracted, entry.reason, entry.late
            yield line


class _Living(Sequence[Play]):
    """The living plays, looked up one at a time: who asks needs only the last few of thousands."""

    def __init__(self, entries: dict[str, Entry], places: list[Place]) -> None:
        self._entries, self._places = entries, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> list[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | list[Play]:
        if isinstance(index, slice):
            return [self._entries[place.play_id].play for place in self._places[index]]
        return self._entries[self._places[index].play_id].play

    def __reversed__(self) -> Iterator[Play]:
        for place in reversed(self._places):
            yield self._entries[place.play_id].play


def _correction(old: Entry | None, new: Entry, was_living: bool) -> CorrectionKind | None:
    if old is None or (new.retracted and not was_living):
        return None
    if new.retracted:
        return CorrectionKind.CORRECTION_KIND_CANCELLED
    if not was_living:
        return CorrectionKind.CORRECTION_KIND_REINSTATED
    if old.play.status == PlayStatus.PLAY_STATUS_PROVISIONAL and new.play.status == PlayStatus.PLAY_STATUS_CONFIRMED:
        return CorrectionKind.CORRECTION_KIND_CONFIRMED
    return CorrectionKind.CORRECTION_KIND_UPDATED
