"""`scoreline audit` and `scoreline rebuild`: hold a running stack's games against their logs."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any

import orjson
from cyclopts import Parameter
from rich.console import Console

from scoreline.gamestate.v1.gamestate_service_pb2 import (
    AuditGameRequest,
    ListGamesRequest,
    RebuildGameRequest,
)
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceStub
from services.cli.mesh import Endpoints
from services.cli.session import DEFAULT_DATA, Data, Json, channel_to, complain, operator

if TYPE_CHECKING:  # known to type checkers only
    from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceAsyncStub

_TIMEOUT = 120.0  # seconds a game


async def audit(*games: str, data: Data = DEFAULT_DATA, as_json: Json = False) -> int:
    """Compare log, state, updates and statistics of a running stack; exit 1 when anything does not hold.

    Parameters
    ----------
    games
        Ids of the games to look at; all without.
    """
    endpoints = Endpoints.read(data)
    found: list[dict[str, Any]] = []
    looked = events = 0
    async with channel_to(endpoints.gamestate) as channel:
        stub = GamestateServiceStub(channel)
        async for game_id in _named_or_all(stub, games):
            answer = await stub.AuditGame(
                AuditGameRequest(game_id=game_id), metadata=operator(endpoints), timeout=_TIMEOUT
            )
            looked += 1
            events += answer.events
            found += [{"game_id": game_id, "check": each.check, "message": each.message} for each in answer.findings]
    if as_json:
        print(orjson.dumps({"games": looked, "events": events, "findings": found}, option=orjson.OPT_INDENT_2).decode())
    else:
        console = Console()
        for each in found:
            console.print(f"[red]{each['game_id']}[/] {each['check']}: {each['message']}")
        console.print(f"{looked} games, {events} events, {len(found)} findings")
    return 1 if found else 0


async def rebuild(
    game: str = "",
    *,
    all_games: Annotated[bool, Parameter(name="--all", negative="")] = False,
    data: Data = DEFAULT_DATA,
    as_json: Json = False,
) -> int:
    """Make derived state again from the log, of one game or of all.

    Parameters
    ----------
    game
        Id of the game.
    all_games
        Rebuild every game.
    """
    if bool(game) == all_games:
        return complain("rebuild: name a game, or --all")
    endpoints = Endpoints.read(data)
    rebuilt: list[dict[str, Any]] = []
    async with channel_to(endpoints.gamestate) as channel:
        stub = GamestateServiceStub(channel)
        async for game_id in _named_or_all(stub, (game,) if game else ()):
            answer = await stub.RebuildGame(
                RebuildGameRequest(game_id=game_id), metadata=operator(endpoints), timeout=_TIMEOUT
            )
            rebuilt.append({"game_id": game_id, "seq": answer.seq, "changed": answer.changed, "epoch": answer.epoch})
            if not as_json:
                print(f"{game_id}: {'made anew' if answer.changed else 'unchanged'} at {answer.seq}")
    if as_json:
        print(orjson.dumps(rebuilt, option=orjson.OPT_INDENT_2).decode())
    return 0


async def _named_or_all(stub: "GamestateServiceAsyncStub", named: tuple[str, ...]) -> AsyncIterator[str]:
    for game_id in named:
        yield game_id
    page = ListGamesRequest(page_size=500)
    while not named:
        answer = await stub.ListGames(page, timeout=_TIMEOUT)
        for game in answer.games:
            yield game.game_id
        page.page_token = answer.next_page_token
        if not page.page_token:
            return
