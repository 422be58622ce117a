"""`scoreline watch`: a live view in the terminal, or JSON lines for programs."""

import sys
from contextlib import nullcontext
from typing import Annotated

from cyclopts import Parameter
from google.protobuf.json_format import MessageToJson

from scoreline.fanout.v1.fanout_service_pb2 import Item
from scoreline_client import ScorelineClient
from services.cli.mesh import Endpoints
from services.cli.scoreboard import Scoreboard
from services.cli.session import DEFAULT_DATA, Data, Json, complain


async def watch(
    *targets: str,
    from_token: Annotated[str, Parameter(name="--from", allow_leading_hyphen=True)] = "",
    heartbeat: float = 5,
    once: Annotated[bool, Parameter(negative="")] = False,
    data: Data = DEFAULT_DATA,
    as_json: Json = False,
) -> int:
    """Watch games live; resumes by itself.

    Parameters
    ----------
    targets
        Games and teams: game:ID or ID for a game, team:ID for a team.
    from_token
        Resume behind this token, as printed with --json.
    heartbeat
        Seconds between heartbeats, 0.5 to 30.
    once
        End as soon as everything up to now was shown.
    as_json
        Print each item as a line of JSON, with the token that resumes behind it.
    """
    if not 0.5 <= heartbeat <= 30:
        return complain("--heartbeat: 0.5 to 30 seconds")
    if not targets:
        return complain("watch: name a game (game:ID) or a team (team:ID)")
    games = [target.removeprefix("game:") for target in targets if not target.startswith("team:")]
    teams = [target.removeprefix("team:") for target in targets if target.startswith("team:")]
    async with ScorelineClient(Endpoints.read(data).fanout) as client:
        items = client.watch(games=games, teams=teams, token=from_token, heartbeat=heartbeat)
        with nullcontext() if as_json else Scoreboard(sys.stdout) as board:
            async for item in items:
                if board:
                    board.show(item)
                else:
                    print(_line(item, items.token), flush=True)
                if once and item.HasField("caught_up"):
                    return 0
    return 0


def _line(item: Item, token: str) -> str:
    text = MessageToJson(item, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, indent=None)
    return f'{text[:-1]}, "resume_token": "{token}"}}' if token else text
