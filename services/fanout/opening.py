"""From what a stream asks for to the games it follows."""

import asyncio

from services.fanout.domain.game import Game
from services.fanout.domain.subscription import Subscription
from services.fanout.domain.targets import OVER, Targets, games_to_follow
from services.fanout.domain.token import Position, Token
from services.fanout.errors import TargetNotFound
from services.fanout.games import LiveGames
from services.fanout.gamestate import Gamestate
from services.runtime.clock import now
from services.runtime.errors import GameNotFound

_TOLD_FOR = 24 * 3600  # seconds that a finished game stays in a stream that resumes


async def join_targets(subscription: Subscription, token: Token | None, games: LiveGames, gamestate: Gamestate) -> None:
    """Joins the games of the targets, and those of the token that the targets still match; all are open then.

    Raises TargetNotFound with all targets that do not exist, DependencyAway.
    """
    targets = subscription.targets
    # Hear first and look then: a game that begins in between is not lost.
    games.enter(subscription)
    for game_id in targets.games:
        games.join(subscription, game_id)
    found = await asyncio.gather(*(gamestate.team_games(team) for team in targets.teams))
    for summaries in found:
        for game_id in games_to_follow(summaries, now()):
            games.join(subscription, game_id)
    others = [at for game_id, at in token.positions.items() if game_id not in subscription.follows] if token else []
    for position in others:
        games.join(subscription, position.game_id)

    missing = await _open(subscription, games)
    missing += [f"team:{team}" for team, summaries in zip(targets.teams, found, strict=True) if not summaries]
    if missing:
        raise TargetNotFound(missing)
    for position in others:
        follow = subscription.follows.get(position.game_id)
        if follow is not None and not _still_told(follow.game, position, targets):
            games.drop(subscription, follow)


async def _open(subscription: Subscription, games: LiveGames) -> list[str]:
    """Opens all games. Gives the targets that do not exist; games that are no targets are dropped then."""
    follows = list(subscription.follows.values())
    results = await asyncio.gather(*(games.open(follow.game) for follow in follows), return_exceptions=True)
    missing: list[str] = []
    for follow, result in zip(follows, results, strict=True):
        if isinstance(result, GameNotFound):
            if follow.game.game_id in subscription.targets.games:
                missing.append(f"game:{follow.game.game_id}")
            else:
                games.drop(subscription, follow)
        elif isinstance(result, BaseException):
            raise result
    return missing


def _still_told(game: Game, position: Position, targets: Targets) -> bool:
    """Whether a game that only the token names still matches a target, and is not long over and known to its end."""
    if not targets.reasons(game.game_id, game.team_ids):
        return False
    unseen = (position.epoch, position.seq) != (game.epoch, game.seq)
    return unseen or game.status not in OVER or now().timestamp() - game.changed_at < _TOLD_FOR
