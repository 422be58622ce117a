"""Fanout on a real bus, beside a gamestate that holds what a test puts in it and loses on the bus what a test says."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import grpc
import grpc.aio
from pydantic import SecretStr

from scoreline.errors.v1.reason_pb2 import Reason
from scoreline.fanout.v1.fanout_service_pb2 import Item, SubscribeRequest, SubscribeResponse, Target
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceStub
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.state_pb2 import GameState, GameUpdate
from scoreline.gamestate.v1 import gamestate_service_pb2 as gamestate
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import (
    GamestateServiceServicer,
    add_GamestateServiceServicer_to_server,
)
from services.fanout.app import app
from services.fanout.settings import FanoutSettings
from services.runtime.clock import now, to_timestamp
from services.runtime.errors import Fault, GameNotFound
from services.runtime.nats.bus import Bus
from services.runtime.rpc.channel import open_channel
from services.runtime.rpc.options import both_sides
from services.runtime.rpc.server import RpcServer
from services.runtime.settings import ServiceSettings

LONGEST_WAIT = 20  # seconds; an upper bound for waiting, never a figure
HOME, AWAY = "home", "away"


class PositionUnknown(Fault):
    """As gamestate's."""

    code = grpc.StatusCode.OUT_OF_RANGE
    reason = Reason.REASON_POSITION_UNKNOWN


class KeptGame:
    """A game and all its updates."""

    def __init__(self, game_id: str, teams: tuple[str, str] = (HOME, AWAY), epoch: str = "1") -> None:
        self.game_id, self.teams, self.epoch = game_id, teams, epoch
        self.status = GameStatus.GAME_STATUS_LIVE
        self.updates: list[GameUpdate] = []

    @property
    def seq(self) -> int:
        return len(self.updates)

    def add(self, *, status: GameStatus | None = None, correction: str = "", padding: int = 0) -> GameUpdate:
        """The next thing that happens."""
        self.status = status or self.status
        update = GameUpdate(game_id=self.game_id, seq=self.seq + 1, epoch=self.epoch, status=self.status)
        update.team_ids.extend(self.teams)
        update.event.sport, update.event.event_id = "soccer", f"{self.epoch}-{update.seq}"
        update.event.play.play.text = "x" * padding
        update.times.accepted_at.CopyFrom(to_timestamp(now()))
        if correction:
            update.correction.reason = correction
        self.updates.append(update)
        return update

    def state(self) -> GameState:
        state = GameState(game_id=self.game_id, seq=self.seq, epoch=self.epoch)
        state.header.status = self.status
        state.header.home.team_id, state.header.away.team_id = self.teams
        state.accepted_at.CopyFrom(to_timestamp(now()))
        return state


class KeptGames(GamestateServiceServicer):
    """Gamestate's contract over games in memory.

    Attributes:
        games: by id.
        away: while it is set nothing is answered but UNAVAILABLE.
        reads: how many calls of each method came.
    """

    def __init__(self) -> None:
        self.games: dict[str, KeptGame] = {}
        self.away = False
        self.reads: dict[str, int] = {}

    def new(self, game_id: str, **values: Any) -> KeptGame:
        game = self.games[game_id] = KeptGame(game_id, **values)
        return game

    def heads(self) -> gamestate.ListHeadsResponse:
        return gamestate.ListHeadsResponse(
            heads=[
                gamestate.Head(game_id=game.game_id, seq=game.seq, epoch=game.epoch, team_ids=game.teams)
                for game in self.games.values()
            ]
        )

    async def GetGame(self, request: gamestate.GetGameRequest, context: Any) -> gamestate.GetGameResponse:
        await self._arrive("GetGame", context)
        return gamestate.GetGameResponse(state=self._game(request.game_id).state())

    async def ListUpdates(self, request: gamestate.ListUpdatesRequest, context: Any) -> gamestate.ListUpdatesResponse:
        await self._arrive("ListUpdates", context)
        game = self._game(request.game_id)
        if request.after_seq > game.seq:
            raise PositionUnknown("not that far")
        page = game.updates[request.after_seq : request.after_seq + request.page_size]
        return gamestate.ListUpdatesResponse(updates=page, newest_seq=game.seq, epoch=game.epoch)

    async def ListGames(self, request: gamestate.ListGamesRequest, context: Any) -> gamestate.ListGamesResponse:
        await self._arrive("ListGames", context)
        found = [game for game in self.games.values() if request.team_id in game.teams]
        answer = gamestate.ListGamesResponse()
        for game in found:
            summary = answer.games.add(game_id=game.game_id, seq=game.seq, epoch=game.epoch)
            summary.header.CopyFrom(game.state().header)
        return answer

    async def ListHeads(self, request: gamestate.ListHeadsRequest, context: Any) -> gamestate.ListHeadsResponse:
        await self._arrive("ListHeads", context)
        return self.heads()

    async def ListPlays(self, request: gamestate.ListPlaysRequest, context: Any) -> gamestate.ListPlaysResponse:
        raise NotImplementedError  # fanout has no use for it

    async def RebuildGame(self, request: gamestate.RebuildGameRequest, context: Any) -> gamestate.RebuildGameResponse:
        raise NotImplementedError

    async def AuditGame(self, request: gamestate.AuditGameRequest, context: Any) -> gamestate.AuditGameResponse:
        raise NotImplementedError

    def _game(self, game_id: str) -> KeptGame:
        if game_id not in self.games:
            raise GameNotFound(f"no game {game_id}")
        return self.games[game_id]

    async def _arrive(self, method: str, context: Any) -> None:
        self.reads[method] = self.reads.get(method, 0) + 1
        if self.away:
            await context.abort(grpc.StatusCode.UNAVAILABLE, "away")


class Stand:
    """Fanout, and everything around it.

    Attributes:
        kept: what gamestate holds.
        told: whether heads go over the bus.
    """

    def __init__(self, bus: Bus, nats_url: str, kept: KeptGames, gamestate_port: int) -> None:
        self.kept = kept
        self.told = True
        self._bus = bus
        self._settings = FanoutSettings(
            nats_url=nats_url,
            gamestate=f"127.0.0.1:{gamestate_port}",
            token_key=SecretStr("shared by all replicas"),
            drain_grace=2,
        )

    @asynccontextmanager
    async def replica(self, port: int = 0) -> AsyncGenerator["Replica"]:
        """One process's worth of fanout."""
        async with app(self._settings.model_copy(update={"port": port})) as server:
            replica = Replica(server, await server.start())
            await server.set_serving(True)
            try:
                yield replica
            finally:
                await server.drain_and_stop(0)

    def happen(self, game_id: str, *, heard: bool = True, **values: Any) -> GameUpdate:
        """Something happens in a game; the bus brings it or not."""
        update = self.kept.games[game_id].add(**values)
        if heard:
            self.publish(update)
        return update

    def publish(self, update: GameUpdate) -> None:
        """The bus brings an update."""
        headers = {"game": update.game_id, "seq": str(update.seq), "teams": ",".join(update.team_ids)}
        self._bus.publish(f"upd.soccer.{update.game_id}", update.SerializeToString(), headers)

    async def tell_heads(self) -> None:
        """Until it is cancelled."""
        while True:
            if self.told:
                self._bus.publish("heads", self.kept.heads().SerializeToString())
            await asyncio.sleep(0.1)


class Replica:
    """A fanout that runs.

    Attributes:
        server: its server.
        port: where it listens.
    """

    def __init__(self, server: RpcServer, port: int) -> None:
        self.server = server
        self.port = port
        self.target = f"127.0.0.1:{port}"

    @asynccontextmanager
    async def stream(self, targets: Iterable[Target], **values: Any) -> AsyncGenerator["Reader"]:
        """An open stream on a connection of its own."""
        async with open_channel(self.target) as channel:
            call = FanoutServiceStub(channel).Subscribe(SubscribeRequest(targets=targets, **values))
            try:
                yield Reader(call)
            finally:
                call.cancel()


class Reader:
    """Reads a stream item by item.

    Attributes:
        call: the stream.
        responses: all that came so far.
        token: the last one.
    """

    def __init__(self, call: Any) -> None:
        self.call = call
        self.responses: list[SubscribeResponse] = []
        self.token = ""
        self._items: list[Item] = []

    async def next(self, *kinds: str) -> Item:
        """The next item of these kinds, whatever comes before it."""
        async with asyncio.timeout(LONGEST_WAIT):
            while True:
                while not self._items:
                    response = await self.call.read()
                    assert isinstance(response, SubscribeResponse), "the stream has ended"
                    self.responses.append(response)
                    self.token = response.resume_token or self.token
                    self._items = list(response.items)
                item = self._items.pop(0)
                if not kinds or item.WhichOneof("kind") in kinds:
                    return item

    async def until(self, kind: str) -> list[Item]:
        """All items up to and with the next of a kind, heartbeats left out."""
        items: list[Item] = []
        while not items or items[-1].WhichOneof("kind") != kind:
            item = await self.next()
            if kind == "heartbeat" or item.WhichOneof("kind") != "heartbeat":
                items.append(item)
        return items

    async def seqs(self, upto: int) -> list[int]:
        """Seqs of all deliveries up to and with one."""
        seqs: list[int] = []
        while not seqs or seqs[-1] < upto:
            item = await self.next("update", "correction")
            seqs.append((item.update if item.HasField("update") else item.correction).update.seq)
        return seqs

    async def error(self) -> grpc.aio.AioRpcError:
        """The error that the stream ends with."""
        async with asyncio.timeout(LONGEST_WAIT):
            try:
                while await self.call.read() is not grpc.aio.EOF:
                    pass
            except grpc.aio.AioRpcError as error:
                return error
        raise AssertionError("the stream ended well")


@asynccontextmanager
async def stand_on(nats_url: str) -> AsyncGenerator[Stand]:
    """Everything around fanout; replicas are started by the test."""
    async with AsyncExitStack() as stack:
        bus = await stack.enter_async_context(await Bus.connect(nats_url, "test"))
        kept = KeptGames()
        server = RpcServer(ServiceSettings(), services=["scoreline.gamestate.v1.GamestateService"])
        add_GamestateServiceServicer_to_server(kept, server.grpc)
        stand = Stand(bus, nats_url, kept, await server.start())
        stack.push_async_callback(server.drain_and_stop, 0)
        heads = asyncio.create_task(stand.tell_heads())
        try:
            yield stand
        finally:
            heads.cancel()
            with suppress(asyncio.CancelledError):
                await heads


async def becomes(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    """Waits until it is so."""
    async with asyncio.timeout(LONGEST_WAIT):
        while True:
            so = condition()
            if so if isinstance(so, bool) else await so:
                return
            await asyncio.sleep(0.02)


def plain_channel(target: str) -> grpc.aio.Channel:
    """A channel of its own connection."""
    return grpc.aio.insecure_channel(target, options=[*both_sides(), ("grpc.use_local_subchannel_pool", 1)])
