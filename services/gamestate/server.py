"""The rpcs of gamestate."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from scoreline.gamestate.v1 import gamestate_service_pb2 as pb
from scoreline.gamestate.v1 import gamestate_service_pb2_grpc as rpc
from services.eventlog.log import EventLog
from services.gamestate.apply.applier import Applier
from services.gamestate.audit import Audit
from services.gamestate.domain.place import Place
from services.gamestate.errors import PositionUnknown
from services.gamestate.heads import Heads
from services.gamestate.rebuild import Rebuild
from services.gamestate.store.games import GamePosition, Games
from services.gamestate.store.plays import PlayQuery, Plays
from services.gamestate.store.updates import Updates
from services.runtime.errors import GameNotFound, PageTokenInvalid
from services.runtime.paging import decode_token, encode_token
from services.runtime.rpc.interceptor import Context

SERVICE = "scoreline.gamestate.v1.GamestateService"
_PLAYS, _GAMES, _UPDATES = 100, 50, 256  # on a page that is asked for without a size

Found = TypeVar("Found")


class GamestateServicer(rpc.GamestateServiceServicer):
    """Decodes, asks the stores, encodes."""

    def __init__(
        self,
        *,
        event_log: EventLog,
        games: Games,
        plays: Plays,
        updates: Updates,
        heads: Heads,
        applier: Applier,
        rebuild: Rebuild,
        audit: Audit,
    ) -> None:
        self._log = event_log
        self._games = games
        self._plays = plays
        self._updates = updates
        self._heads = heads
        self._applier = applier
        self._rebuild = rebuild
        self._audit = audit

    async def GetGame(self, request: pb.GetGameRequest, context: Context) -> pb.GetGameResponse:
        return await self._found(request.game_id, lambda: self._games.get(request.game_id))

    async def ListPlays(self, request: pb.ListPlaysRequest, context: Context) -> pb.ListPlaysResponse:
        size = request.page_size or _PLAYS
        query = PlayQuery(
            game_id=request.game_id,
            behind=_place(request),
            limit=size + 1,
            descending=request.descending,
            retracted=request.include_retracted,
            play_classes=tuple(request.play_classes),
        )
        page = await self._found(request.game_id, lambda: self._plays.page(query))
        response = pb.ListPlaysResponse(plays=[entry for _, entry in page.plays[:size]], seq=page.seq)
        if len(page.plays) > size:
            response.next_page_token = encode_token(request, tuple(page.plays[size - 1][0]))
        return response

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        size = request.page_size or _GAMES
        games = await self._games.page(request, _game_position(request), size + 1)
        response = pb.ListGamesResponse(games=[game for _, game in games[:size]])
        if len(games) > size:
            response.next_page_token = encode_token(request, tuple(games[size - 1][0]))
        return response

    async def ListUpdates(self, request: pb.ListUpdatesRequest, context: Context) -> pb.ListUpdatesResponse:
        size = request.page_size or _UPDATES
        page = await self._found(request.game_id, lambda: self._updates.after(request.game_id, request.after_seq, size))
        if request.after_seq > page.newest_seq:
            metadata = {"game_id": request.game_id, "seq": str(request.after_seq), "newest": str(page.newest_seq)}
            raise PositionUnknown(f"{request.game_id} is at {page.newest_seq}", metadata=metadata)
        return page

    async def ListHeads(self, request: pb.ListHeadsRequest, context: Context) -> pb.ListHeadsResponse:
        return await self._heads.read()

    async def RebuildGame(self, request: pb.RebuildGameRequest, context: Context) -> pb.RebuildGameResponse:
        version, changed = await self._rebuild.rebuild(request.game_id)
        if changed:
            await self._heads.tell()
        return pb.RebuildGameResponse(seq=version.seq, changed=changed, epoch=version.epoch)

    async def AuditGame(self, request: pb.AuditGameRequest, context: Context) -> pb.AuditGameResponse:
        return await self._audit.audit(request.game_id)

    async def _found(self, game_id: str, read: Callable[[], Awaitable[Found | None]]) -> Found:
        """What is read of a game; one that is in the log and was never applied is applied first."""
        found = await read()
        # Whoever asks for games that do not exist must not take turns from those that do.
        if found is None and await self._log.read(game_id, 0, 1):
            await self._applier.catch_up(game_id)
            found = await read()
        if found is None:
            raise GameNotFound(f"no game {game_id}", metadata={"game_id": game_id})
        return found


def _place(request: pb.ListPlaysRequest) -> Place | None:
    match decode_token(request, request.page_token):
        case None:
            return None
        case (int(period), int(order), str(play_id)):
            return Place(period, order, play_id)
        case _:
            raise PageTokenInvalid("page_token is not a place in a game", metadata={"field": "page_token"})


def _game_position(request: pb.ListGamesRequest) -> GamePosition | None:
    match decode_token(request, request.page_token):
        case None:
            return None
        case (int(in_play), int(changed_us), str(game_id)):
            return GamePosition(in_play, changed_us, game_id)
        case _:
            raise PageTokenInvalid("page_token is not a place in a list", metadata={"field": "page_token"})
