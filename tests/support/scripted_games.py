"""Games behind the contracts of gamestate and fanout, driven by a test message by message.

The rules are the real ones (adapter, comparison, fold) and so is the server; there is no log, no bus and no store, so
that a test of the gateway or of the page says exactly what comes when.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import grpc

from scoreline.errors.v1.reason_pb2 import Reason
from scoreline.fanout.v1 import fanout_service_pb2 as fanout
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceServicer, add_FanoutServiceServicer_to_server
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.gamestate.v1 import gamestate_service_pb2 as gamestate
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import (
    GamestateServiceServicer,
    add_GamestateServiceServicer_to_server,
)
from services.cli.recording import Season
from services.gamestate.domain.fold import Fold
from services.ingestion.providers import Provider
from services.runtime.errors import Fault, GameNotFound
from services.runtime.rpc.server import RpcServer
from services.runtime.settings import ServiceSettings

SERVICES = ("scoreline.gamestate.v1.GamestateService", "scoreline.fanout.v1.FanoutService")
_HEARTBEAT = 5  # seconds
_MOST_ITEMS = 16  # of one write


class TargetNotFound(Fault):
    """Targets that do not exist."""

    code = grpc.StatusCode.NOT_FOUND
    reason = Reason.REASON_TARGET_NOT_FOUND


class ScriptedGames(GamestateServiceServicer, FanoutServiceServicer):
    """Games that change when the test says so. A resume token is the number of items said so far, of all games.

    Attributes:
        streams: how many streams are open.
        written: how many items behind their opening they took.
        tokens: what each stream was opened with, in order.
        metadata: of the last unary call.
        error: raised by every call, and by open streams at the next item, while it is set.
    """

    def __init__(self, provider: Provider) -> None:
        self._season = Season(provider)
        self._said: list[fanout.Item] = []
        self._changed = asyncio.Condition()
        self._breaks = 0
        self.streams = 0
        self.written = 0
        self.tokens: list[str] = []
        self.metadata: dict[str, str | bytes] = {}
        self.error: Exception | None = None

    async def take(self, message: bytes) -> None:
        """Takes a feed message and tells the open streams what it did."""
        for update in self._season.take(message):
            delivery = fanout.Delivery(update=update, prev_delivered_seq=update.seq - 1)
            corrects = update.HasField("correction")
            await self.say(fanout.Item(correction=delivery) if corrects else fanout.Item(update=delivery))
        assert not self._season.unreadable, self._season.unreadable

    async def say(self, item: fanout.Item) -> None:
        """Tells the open streams something."""
        async with self._changed:
            self._said.append(item)
            self._changed.notify_all()

    async def reset(self, game_id: str) -> None:
        """Makes what is known of a game void, and tells it anew."""
        reason = fanout.RESET_REASON_EPOCH_CHANGED
        await self.say(fanout.Item(reset=fanout.Reset(game_id=game_id, reason=reason)))
        await self.say(self._snapshot(self._fold(game_id)))

    async def break_streams(self) -> None:
        """Ends all open streams without a word."""
        async with self._changed:
            self._breaks += 1
            self._changed.notify_all()

    # -- fanout ------------------------------------------------------------------------------------------------------

    async def Subscribe(
        self, request: fanout.SubscribeRequest, context: Any
    ) -> AsyncGenerator[fanout.SubscribeResponse]:
        """The games of the targets."""
        self._raise()
        missing = [target.game_id for target in request.targets if target.game_id not in self._season.folds]
        if missing:
            raise TargetNotFound(f"there is no {', '.join(missing)}", metadata={"targets": ", ".join(missing)})
        self.tokens.append(request.resume_token)
        self.streams += 1
        breaks = self._breaks
        try:
            for response in self._opening(request):
                yield response
            position = len(self._said)
            while True:
                await self._wait(position, breaks)
                if self._breaks > breaks:
                    return
                self._raise()
                behind = min(len(self._said), position + _MOST_ITEMS)
                items = self._passed(request, position, behind) or [fanout.Item(heartbeat=fanout.Heartbeat())]
                position = behind
                yield fanout.SubscribeResponse(items=items, resume_token=str(position))
                self.written += len(items)
        finally:
            self.streams -= 1

    async def _wait(self, position: int, breaks: int) -> None:
        """Until something is said behind a position or streams are broken, at most until the next heartbeat."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_HEARTBEAT), self._changed:
                await self._changed.wait_for(lambda: len(self._said) > position or self._breaks > breaks)

    def _passed(self, request: fanout.SubscribeRequest, position: int, behind: int | None = None) -> list[fanout.Item]:
        games = {target.game_id for target in request.targets}
        return [item for item in self._said[position:behind] if _game_of(item) in {"", *games}]

    def _opening(self, request: fanout.SubscribeRequest) -> list[fanout.SubscribeResponse]:
        accepted = fanout.Accepted(mode=fanout.START_MODE_SNAPSHOT)
        accepted.heartbeat.FromSeconds(_HEARTBEAT)
        caught_up = fanout.CaughtUp()
        if token := request.resume_token:
            accepted.mode = fanout.START_MODE_RESUMED
            items = self._passed(request, int(token))
            caught_up.replayed = len(items)
        else:
            items = [self._snapshot(self._fold(target.game_id)) for target in request.targets]
        return [
            fanout.SubscribeResponse(items=[fanout.Item(accepted=accepted)], resume_token=token),
            fanout.SubscribeResponse(
                items=[*items, fanout.Item(caught_up=caught_up)], resume_token=str(len(self._said))
            ),
        ]

    @staticmethod
    def _snapshot(fold: Fold) -> fanout.Item:
        snapshot = fanout.Snapshot(state=fold.state(), statistics=fold.statistics(), last_part=True)
        return fanout.Item(snapshot=snapshot)

    # -- gamestate ---------------------------------------------------------------------------------------------------

    async def GetGame(self, request: gamestate.GetGameRequest, context: Any) -> gamestate.GetGameResponse:
        """The game now."""
        self._note(context)
        fold = self._fold(request.game_id)
        return gamestate.GetGameResponse(state=fold.state(), statistics=fold.statistics())

    async def ListPlays(self, request: gamestate.ListPlaysRequest, context: Any) -> gamestate.ListPlaysResponse:
        """All plays on one page."""
        self._note(context)
        fold = self._fold(request.game_id)
        plays = list(fold.timeline(retracted=request.include_retracted))
        wanted = [entry for entry in plays if entry.play.play_class in request.play_classes]
        return gamestate.ListPlaysResponse(plays=wanted if request.play_classes else plays, seq=fold.seq)

    async def ListGames(self, request: gamestate.ListGamesRequest, context: Any) -> gamestate.ListGamesResponse:
        """All games on one page, those that are not over first."""
        self._note(context)
        response = gamestate.ListGamesResponse()
        over = GameStatus.GAME_STATUS_FINAL
        for fold in sorted(self._season.folds.values(), key=lambda fold: fold.header.status == over):
            state = fold.state()
            response.games.add(
                game_id=state.game_id,
                seq=state.seq,
                header=state.header,
                score=state.score,
                position=state.position,
                phases=state.phases,
            )
        return response

    async def ListUpdates(self, request: Any, context: Any) -> gamestate.ListUpdatesResponse:
        """Not scripted; nor are those below."""
        raise NotImplementedError

    async def ListHeads(self, request: Any, context: Any) -> gamestate.ListHeadsResponse:
        raise NotImplementedError

    async def RebuildGame(self, request: Any, context: Any) -> gamestate.RebuildGameResponse:
        raise NotImplementedError

    async def AuditGame(self, request: Any, context: Any) -> gamestate.AuditGameResponse:
        raise NotImplementedError

    def _fold(self, game_id: str) -> Fold:
        if game_id not in self._season.folds:
            raise GameNotFound(f"there is no game {game_id}", metadata={"game_id": game_id})
        return self._season.folds[game_id]

    def _note(self, context: Any) -> None:
        self.metadata = dict(context.invocation_metadata())
        self._raise()

    def _raise(self) -> None:
        if self.error is not None:
            raise self.error


def _game_of(item: fanout.Item) -> str:
    kind = item.WhichOneof("kind")
    if kind in ("update", "correction"):
        return getattr(item, kind).update.game_id
    return item.snapshot.state.game_id or item.reset.game_id or item.game_end.game_id


@asynccontextmanager
async def serving(games: ScriptedGames) -> AsyncGenerator[str]:
    """Serves both contracts while the block runs. Gives the target."""
    server = RpcServer(ServiceSettings(), services=SERVICES)
    add_GamestateServiceServicer_to_server(games, server.grpc)
    add_FanoutServiceServicer_to_server(games, server.grpc)
    port = await server.start()
    await server.set_serving(True)
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.drain_and_stop(0)
