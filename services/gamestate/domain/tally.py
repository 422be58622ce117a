"""Sums over the living plays of a game: points and statistics, which plays are added to and taken away from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from scoreline.game.v1.header_pb2 import Header, RosterEntry, Score
from scoreline.game.v1.play_pb2 import Phase, Play, PlayStatus, Side
from scoreline.game.v1.state_pb2 import PeriodScore, PhaseScore
from scoreline.game.v1.stats_pb2 import GameStatistics, StatDelta, StatLine
from services.gamestate.domain.sports import Credit

# Decide a game, but are no points of its score.
APART = (Phase.PHASE_SHOOTOUT, Phase.PHASE_SUPER_OVER)
_HOME, _AWAY = Side.SIDE_HOME, Side.SIDE_AWAY

# (team id, player id or empty for the team itself, key) -> value.
Credits = dict[tuple[str, str, int], int]


def points_of(play: Play) -> tuple[int, int]:
    """Points of a play, home and away, those of a shoot-out included."""
    if not play.HasField("scored"):
        return 0, 0
    scored = play.scored
    return (scored.points if scored.side == _HOME else 0), (scored.points if scored.side == _AWAY else 0)


def counted_points_of(play: Play) -> tuple[int, int]:
    """Points that a play adds to the score of its game: none in a phase that stands apart."""
    return (0, 0) if play.position.phase in APART else points_of(play)


def summed(credits: Iterable[Credit]) -> Credits:
    """Add up what one play is worth."""
    total: Credits = {}
    for team_id, player_id, key, value in credits:
        merge(total, {(team_id, player_id, key): value})
    return total


def merge(total: Credits, credits: Credits) -> None:
    """Add what a play is worth to a total."""
    for key, value in credits.items():
        total[key] = total.get(key, 0) + value


def deltas(before: Credits, after: Credits) -> list[StatDelta]:
    """What statistics changed between two worths of a play, sorted."""
    changes = [(key, after.get(key, 0) - before.get(key, 0)) for key in sorted(before.keys() | after.keys())]
    return [
        StatDelta(subject_id=player_id or team_id, team_id=team_id, key=key, delta=delta)  # pyright: ignore[reportArgumentType]
        for (team_id, player_id, key), delta in changes
        if delta
    ]


class Tally:
    """The sums. Adding a play and taking it away again leaves nothing behind, whatever happened in between."""

    def __init__(self) -> None:
        # Period -> its living plays, and the points of home and away in it.
        self._periods: defaultdict[tuple[int, Phase], list[int]] = defaultdict(lambda: [0, 0, 0])
        self._score = [0, 0]
        self._provisional = [0, 0]
        self._values: defaultdict[tuple[str, str], dict[int, int]] = defaultdict(dict)
        # Lines of statistics as they were last told, for those whose values did not change since.
        self._lines: dict[tuple[str, str], StatLine] = {}
        self._names: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def add(self, play: Play, credits: Credits, sign: int = 1) -> None:
        """Add a play with what it is worth, or take it away with `sign` -1."""
        period = self._periods[play.position.period, play.position.phase]
        period[0] += sign
        if play.HasField("scored"):
            home, away = points_of(play)
            _add(period, 1, sign * home, sign * away)
            if play.position.phase not in APART:
                _add(self._score, 0, sign * home, sign * away)
                if play.status == PlayStatus.PLAY_STATUS_PROVISIONAL:
                    _add(self._provisional, 0, sign * home, sign * away)
        for (team_id, player_id, key), value in credits.items():
            values = self._values[team_id, player_id]
            values[key] = values.get(key, 0) + sign * value
            self._lines.pop((team_id, player_id), None)
        for participant in play.participants:
            if participant.player_id:
                spellings = self._names[participant.player_id]
                spellings[participant.name] = spellings.get(participant.name, 0) + sign

    def score(self) -> tuple[int, int]:
        """Points of all phases but those that stand apart."""
        return self._score[0], self._score[1]

    def provisional(self) -> tuple[int, int]:
        """Points of provisional plays among them."""
        return self._provisional[0], self._provisional[1]

    def apart(self, phase: Phase) -> tuple[int, int]:
        """Points of a phase that stands apart."""
        scores = [score for (_, of), score in self._periods.items() if of == phase]
        return sum(home for _, home, _ in scores), sum(away for _, _, away in scores)

    def _reached(self) -> list[tuple[int, Phase]]:
        """Periods that have living plays, in order; what is before the game is none."""
        return sorted(key for key, (plays, _, _) in self._periods.items() if plays and key[0])

    def periods(self) -> list[PeriodScore]:
        """Score of each period that has plays, in order."""
        scores = [(key, self._periods[key]) for key in self._reached()]
        return [
            PeriodScore(period=period, phase=phase, score=Score(home=home, away=away))
            for (period, phase), (_, home, away) in scores
        ]

    def phases(self, beside: tuple[Phase, tuple[int, int]] | None = None) -> list[PhaseScore]:
        """Score of each phase that has plays, in order of the phases; with points of a phase that no play explains."""
        totals: dict[Phase, list[int]] = {beside[0]: list(beside[1])} if beside else {}
        for period, phase in self._reached():
            _, home, away = self._periods[period, phase]
            _add(totals.setdefault(phase, [0, 0]), 0, home, away)
        return [
            PhaseScore(phase=phase, score=Score(home=home, away=away)) for phase, (home, away) in sorted(totals.items())
        ]

    def statistics(self, header: Header, roster: Mapping[str, RosterEntry]) -> GameStatistics:
        """All statistics that are not 0: teams home first, players by team and id, keys in order."""
        result = GameStatistics()
        for team in (header.home, header.away):
            line = self._line(team.team_id, "", team.name)
            if line.stats:
                result.teams.append(line)
        for team_id, player_id in sorted(self._values):
            if player_id:
                line = self._line(team_id, player_id, self._name(player_id, roster))
                if line.stats:
                    result.players.append(line)
        return result

    def _line(self, team_id: str, player_id: str, name: str) -> StatLine:
        line = self._lines.get((team_id, player_id))
        if line is None:
            line = StatLine(subject_id=player_id or team_id, team_id=team_id)
            for key, value in sorted(self._values.get((team_id, player_id), {}).items()):
                if value:
                    line.stats.add(key=key, value=value)  # pyright: ignore[reportArgumentType]
            self._lines[team_id, player_id] = line
        line.name = name
        return line

    def _name(self, player_id: str, roster: Mapping[str, RosterEntry]) -> str:
        if entry := roster.get(player_id):
            return entry.name
        # Plays may spell a name differently: the most frequent spelling, so that their order does not matter.
        spellings = self._names[player_id]
        return max(spellings, key=lambda name: (spellings[name], name), default="")


def _add(sums: list[int], at: int, home: int, away: int) -> None:
    sums[at] += home
    sums[at + 1] += away
