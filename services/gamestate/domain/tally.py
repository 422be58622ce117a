"""Sums over the living plays of a game: points and statistics, which plays are added to and taken away from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from scoreline.game.v1.header_pb2 import Header, RosterEntry, Score, Team
from scoreline.game.v1.play_pb2 import Phase, Play, PlayStatus, Side
from scoreline.game.v1.state_pb2 import PeriodScore, PhaseScore
from scoreline.game.v1.stats_pb2 import GameStatistics, Stat, StatDelta, StatLine
from services.gamestate.domain.sports import Credit

# Decide a game, but are no points of its score.
APART = (Phase.PHASE_SHOOTOUT, Phase.PHASE_SUPER_OVER)

Credits = Counter[tuple[str, str, int]]


def points_of(play: Play) -> tuple[int, int]:
    """Points of a play, home and away, those of a shoot-out included."""
    if not play.HasField("scored"):
        return 0, 0
    points = play.scored.points
    return (points, 0) if play.scored.side == Side.SIDE_HOME else (0, points)


def summed(credits: Iterable[Credit]) -> Credits:
    """Add up what one play is worth: (team id, player id or empty, key) to value."""
    total: Credits = Counter()
    for team_id, player_id, key, value in credits:
        total[team_id, player_id, key] += value
    return total


def deltas(before: Credits, after: Credits) -> list[StatDelta]:
    """What statistics changed between two worths of a play, sorted."""
    changes = [(key, after[key] - before[key]) for key in sorted(before.keys() | after.keys())]
    return [
        StatDelta(subject_id=player_id or team_id, team_id=team_id, key=key, delta=delta)  # pyright: ignore[reportArgumentType]
        for (team_id, player_id, key), delta in changes
        if delta
    ]


class Tally:
    """The sums. Adding a play and taking it away again leaves nothing behind, whatever happened in between."""

    def __init__(self) -> None:
        self._periods: dict[tuple[int, Phase], list[int]] = {}
        self._plays_in: Counter[tuple[int, Phase]] = Counter()
        self._provisional = [0, 0]
        self._credits: Credits = Counter()
        self._names: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, play: Play, credits: Credits, sign: int = 1) -> None:
        """Add a play with what it is worth, or take it away with `sign` -1."""
        period = (play.position.period, play.position.phase)
        self._plays_in[period] += sign
        home, away = points_of(play)
        score = self._periods.setdefault(period, [0, 0])
        score[0] += sign * home
        score[1] += sign * away
        if play.status == PlayStatus.PLAY_STATUS_PROVISIONAL and period[1] not in APART:
            self._provisional[0] += sign * home
            self._provisional[1] += sign * away
        for key, value in credits.items():
            self._credits[key] += sign * value
        for participant in play.participants:
            if participant.player_id:
                self._names[participant.player_id][participant.name] += sign

    def score(self) -> tuple[int, int]:
        """Points of all phases but those that stand apart."""
        counted = [score for (_, phase), score in self._periods.items() if phase not in APART]
        return sum(home for home, _ in counted), sum(away for _, away in counted)

    def provisional(self) -> tuple[int, int]:
        """Points of provisional plays among them."""
        return self._provisional[0], self._provisional[1]

    def apart(self, phase: Phase) -> tuple[int, int]:
        """Points of a phase that stands apart."""
        scores = [score for (_, of), score in self._periods.items() if of == phase]
        return sum(home for home, _ in scores), sum(away for _, away in scores)

    def periods(self) -> list[PeriodScore]:
        """Score of each period that has plays, in order."""
        reached = sorted(key for key, plays in self._plays_in.items() if plays and key[0])
        return [
            PeriodScore(period=period, phase=phase, score=Score(home=home, away=away))
            for period, phase in reached
            for home, away in [self._periods[period, phase]]
        ]

    def phases(self) -> list[PhaseScore]:
        """Score of each phase that has plays, in order of the phases."""
        totals: dict[Phase, list[int]] = {}
        for period in self.periods():
            total = totals.setdefault(period.phase, [0, 0])
            total[0] += period.score.home
            total[1] += period.score.away
        return [
            PhaseScore(phase=phase, score=Score(home=totals[phase][0], away=totals[phase][1]))
            for phase in sorted(totals)
        ]

    def statistics(self, header: Header, roster: dict[str, RosterEntry]) -> GameStatistics:
        """All statistics that are not 0: teams home first, players by team and id, keys in order."""
        lines: dict[tuple[str, str], list[Stat]] = {}
        for team_id, player_id, key in sorted(self._credits):
            value = self._credits[team_id, player_id, key]
            if value:
                stat = Stat(key=key, value=value)  # pyright: ignore[reportArgumentType]
                lines.setdefault((team_id, player_id), []).append(stat)
        sides = [header.home, header.away]
        result = GameStatistics()
        for team in sides:
            if stats := lines.get((team.team_id, "")):
                result.teams.append(self._line(team, stats))
        for (team_id, player_id), stats in lines.items():
            if player_id:
                name = self._name(player_id, roster)
                result.players.append(StatLine(subject_id=player_id, team_id=team_id, name=name, stats=stats))
        return result

    def _line(self, team: Team, stats: list[Stat]) -> StatLine:
        return StatLine(subject_id=team.team_id, team_id=team.team_id, name=team.name, stats=stats)

    def _name(self, player_id: str, roster: dict[str, RosterEntry]) -> str:
        if entry := roster.get(player_id):
            return entry.name
        # Plays may spell a name differently: the most frequent spelling, so that their order does not matter.
        spellings = self._names[player_id]
        return max(spellings, key=lambda name: (spellings[name], name), default="")
