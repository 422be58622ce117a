"""What a stream follows: games and teams, each named once."""

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from scoreline.fanout.v1.fanout_service_pb2 import Target
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.gamestate.v1.gamestate_service_pb2 import GameSummary

OVER = frozenset({GameStatus.GAME_STATUS_FINAL, GameStatus.GAME_STATUS_ABANDONED, GameStatus.GAME_STATUS_DELETED})
_IN_PLAY = frozenset(
    {
        GameStatus.GAME_STATUS_PRE_GAME,
        GameStatus.GAME_STATUS_LIVE,
        GameStatus.GAME_STATUS_BREAK,
        GameStatus.GAME_STATUS_SUSPENDED,
    }
)
_RECENTLY = timedelta(minutes=15)
_SOON = timedelta(hours=48)


class Targets:
    """The targets of one stream; those named twice are merged.

    Attributes:
        games: ids of games, in the order they were asked for.
        teams: ids of teams, in that order too.
        digest: 16 hexadecimal digits, the same for the same targets in any order.
    """

    def __init__(self, targets: Iterable[Target]) -> None:
        asked = list(targets)
        self.games = tuple(dict.fromkeys(target.game_id for target in asked if target.game_id))
        self.teams = tuple(dict.fromkeys(target.team_id for target in asked if target.team_id))
        names = [f"game:{game}" for game in self.games] + [f"team:{team}" for team in self.teams]
        self.digest = hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()[:16]
        self._games = frozenset(self.games)
        self._teams = frozenset(self.teams)

    def reasons(self, game_id: str, team_ids: Iterable[str]) -> tuple[Target, ...]:
        """The targets that a game of these teams matches: the game first, then the teams in the order given."""
        game = [Target(game_id=game_id)] if game_id in self._games else []
        return *game, *(Target(team_id=team) for team in team_ids if team in self._teams)


def games_to_follow(games: Iterable[GameSummary], now: datetime) -> list[str]:
    """Ids of a team's games that its followers want to see.

    These are the games in play, those that changed in the last 15 minutes, those that begin within 48 hours, and the
    last one that ended. A game that is none of them joins when it changes.

    Args:
        games: of one team; of those that ended, the one that changed last comes first.
        now: with its zone.
    """
    chosen: list[str] = []
    last_seen = False
    for game in games:
        status = game.header.status
        last = status in OVER and not last_seen
        last_seen = last_seen or last
        changed = _since(game.update_time.seconds, now)
        ahead = -_since(game.header.scheduled_at.seconds, now)
        soon = status not in OVER and game.header.HasField("scheduled_at") and -_RECENTLY <= ahead <= _SOON
        if status in _IN_PLAY or changed <= _RECENTLY or soon or last:
            chosen.append(game.game_id)
    return chosen


def _since(seconds: int, now: datetime) -> timedelta:
    return timedelta(seconds=now.timestamp() - seconds)
