"""The games that streams follow, kept up with what happens."""

import asyncio
from collections.abc import Iterable

import structlog

from scoreline.fanout.v1.fanout_service_pb2 import ResetReason
from scoreline.game.v1.state_pb2 import GameUpdate
from scoreline.gamestate.v1.gamestate_service_pb2 import Head
from services.fanout import metrics
from services.fanout.domain.follow import Follow, Step
from services.fanout.domain.game import Game, Heard
from services.fanout.domain.items import GameSnapshot
from services.fanout.domain.subscription import Subscription
from services.fanout.errors import PositionUnknown
from services.fanout.gamestate import Gamestate
from services.runtime.clock import now
from services.runtime.errors import Fault

_SHARED_PAGES = 64  # updates; a page is four times as long
_LATE = 0.05  # seconds that a message may come behind one that was sent after it

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class LiveGames:
    """Every game that a stream follows, and the streams that follow teams."""

    def __init__(self, gamestate: Gamestate) -> None:
        self._gamestate = gamestate
        self._games: dict[str, Game] = {}
        self._teams: dict[str, set[Subscription]] = {}
        self._repairs: dict[str, asyncio.Task[None]] = {}

    # -- streams -----------------------------------------------------------------------------------------------------

    def enter(self, subscription: Subscription) -> None:
        """From now on new games of its teams join it."""
        for team in subscription.targets.teams:
            self._teams.setdefault(team, set()).add(subscription)

    def join(self, subscription: Subscription, game_id: str) -> Follow:
        """From now on updates of the game are kept for it."""
        game = self._games.get(game_id)
        if game is None:
            game = self._games[game_id] = Game(game_id)
            metrics.games.set(len(self._games))
        return subscription.follow(game)

    def drop(self, subscription: Subscription, follow: Follow) -> None:
        """The subscription, which has not started, does not follow that game after all."""
        subscription.unfollow(follow)
        self._forget(follow.game)

    def leave(self, subscription: Subscription) -> None:
        """The stream has ended."""
        subscription.close()
        for team in subscription.targets.teams:
            followers = self._teams[team]
            followers.discard(subscription)
            if not followers:
                del self._teams[team]
        for follow in subscription.follows.values():
            self._forget(follow.game)

    async def open(self, game: Game) -> None:
        """Reads where a game stands, unless it is known. Raises GameNotFound, DependencyAway."""
        if not game.is_open:
            await self._refresh(game)

    async def supply(self, follow: Follow, step: Step) -> None:
        """Reads what a follow asks for. Raises DependencyAway."""
        game, position = follow.game, follow.position
        if step is Step.SNAPSHOT or position is None:
            follow.give_snapshot(await self._refresh(game))
            return
        try:
            # From a round seq before it, so that a crowd whose positions differ a little shares one read.
            after = max(position.seq - 1, 0) // _SHARED_PAGES * _SHARED_PAGES
            page = await self._gamestate.updates(game.game_id, after)
            if page.updates and page.updates[-1].seq <= position.seq:
                # Shared with one who asked earlier, or full before it came so far.
                page = await self._gamestate.updates(game.game_id, position.seq)
        except PositionUnknown:
            follow.void(ResetReason.RESET_REASON_POSITION_UNKNOWN)
            return
        if page.epoch != game.epoch:
            await self._refresh(game)
        else:
            follow.give_updates(page.updates, page.newest_seq)

    # -- the bus -----------------------------------------------------------------------------------------------------

    def concerns(self, game_id: str, team_ids: Iterable[str]) -> bool:
        """Whether any stream follows the game or one of the teams."""
        return game_id in self._games or any(team in self._teams for team in team_ids)

    def hear(self, update: GameUpdate) -> None:
        """Takes an update from the bus: late, twice, out of order, or with others lost before it."""
        self._join_followers(update.game_id, update.team_ids)
        game = self._games.get(update.game_id)
        if game is None:
            return
        heard = game.hear(update)
        if heard is Heard.APPLIED:
            metrics.age.observe(now().timestamp() - update.times.accepted_at.ToNanoseconds() / 1e9)
        else:
            self._mend(game, heard)

    def hear_heads(self, heads: Iterable[Head]) -> None:
        """Takes the newest versions of all games that are live or changed lately: what the bus lost shows."""
        for head in heads:
            self._join_followers(head.game_id, head.team_ids)
            game = self._games.get(head.game_id)
            if game is not None:
                self._mend(game, game.hear_head(head.epoch, head.seq))
        for game in self._games.values():
            game.tidy()

    # -- repair ------------------------------------------------------------------------------------------------------

    def _mend(self, game: Game, heard: Heard) -> None:
        if heard in (Heard.GAP, Heard.OTHER_EPOCH) and game.game_id not in self._repairs:
            task = asyncio.create_task(self._repair(game, heard))
            self._repairs[game.game_id] = task
            task.add_done_callback(lambda _: self._repairs.pop(game.game_id, None))

    async def _repair(self, game: Game, heard: Heard) -> None:
        """Reads what is missing. When that fails, the next head or update starts it again."""
        try:
            if heard is Heard.OTHER_EPOCH:
                await self._refresh(game)
                return
            await asyncio.sleep(_LATE)
            while game.is_behind:
                page = await self._gamestate.updates(game.game_id, game.seq)
                if page.epoch != game.epoch:
                    await self._refresh(game)
                    return
                before = game.seq
                for update in page.updates:
                    game.hear(update)
                if game.seq == before:
                    return  # the head is ahead of what gamestate sees
                metrics.gaps_repaired.inc()
        except Fault as error:
            log.warning("game not repaired", game_id=game.game_id, error=error.message)

    async def _refresh(self, game: Game) -> GameSnapshot:
        snapshot = await self._gamestate.snapshot(game.game_id)
        if not game.is_open or snapshot.epoch != game.epoch:
            game.open(snapshot)
        else:
            game.snapshot = snapshot
            self._mend(game, game.hear_head(snapshot.epoch, snapshot.seq))
        return snapshot

    def _join_followers(self, game_id: str, team_ids: Iterable[str]) -> None:
        for team in team_ids:
            for subscription in self._teams.get(team, ()):
                if game_id not in subscription.follows:
                    self.join(subscription, game_id)

    def _forget(self, game: Game) -> None:
        if not game.followers and self._games.get(game.game_id) is game:
            del self._games[game.game_id]
            metrics.games.set(len(self._games))
