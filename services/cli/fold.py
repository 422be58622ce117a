"""`scoreline fold`: normalise and fold recorded feeds, without servers."""

import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from scoreline.game.v1.header_pb2 import GameStatus, Score, Team
from scoreline.game.v1.play_pb2 import ParticipantRole, Phase, Position
from services.cli.recording import Season, UnreadableFile, read_messages
from services.gamestate.domain.fold import Fold
from services.gamestate.domain.tally import APART
from services.ingestion.providers import PROVIDERS


def fold(*files: Path, provider: str, as_json: Annotated[bool, Parameter(name="--json", negative="")] = False) -> int:
    """Normalise and fold recorded feeds, without servers.

    Several files are taken one after another, as if the provider had sent them so.

    Parameters
    ----------
    files
        Recordings, gzipped or not.
    provider
        Name of the adapter, such as nhl.
    as_json
        Print a JSON list of games.
    """
    adapter = PROVIDERS.get(provider)
    if adapter is None:
        print(f"--provider: there is no {provider!r}; known are {', '.join(sorted(PROVIDERS))}", file=sys.stderr)
        return 2
    if not files:
        print("fold: name a recording", file=sys.stderr)
        return 2
    season = Season(adapter)
    for path in files:
        try:
            for message in read_messages(path, adapter):
                season.take(message)
        except UnreadableFile as error:
            print(error, file=sys.stderr)
            return 2
    for reason in season.unreadable:
        print(f"rejected: {reason}", file=sys.stderr)
    games = [summary(fold, season.rejected.get(game_id, 0)) for game_id, fold in season.folds.items()]
    if as_json:
        print(orjson.dumps(games, option=orjson.OPT_INDENT_2).decode())
    else:
        _show(games)
    return 1 if season.unreadable and not games else 0


def summary(fold: Fold, rejected: int = 0) -> dict[str, Any]:
    """A folded game as `scoreline fold --json` prints it."""
    state = fold.state()
    return {
        "game_id": fold.game_id,
        "sport": state.header.sport,
        "status": _word(GameStatus.Name(state.header.status), "GAME_STATUS_"),
        "home": _side(state.header.home, state.score.home),
        "away": _side(state.header.away, state.score.away),
        "phases": [
            {"phase": _word(Phase.Name(phase.phase), "PHASE_"), **_score(phase.score)} for phase in state.phases
        ],
        "adjustments": [{"reason": adjustment.reason, **_score(adjustment.points)} for adjustment in state.adjustments],
        "plays": state.play_count,
        "events": fold.seq,
        "corrections": fold.corrections,
        "rejected": rejected,
        "scoring": list(_scoring(fold)),
    }


def _scoring(fold: Fold):
    for line in fold.timeline():
        play = line.play
        if not play.HasField("scored") or play.position.phase in APART:
            continue
        scorers = [who.name for who in play.participants if who.role == ParticipantRole.PARTICIPANT_ROLE_SCORER]
        yield {
            "play_id": play.play_id,
            "period": play.position.period,
            "clock": clock(play.position),
            "team": play.team_id,
            "player": scorers[0] if scorers else "",
            "points": play.scored.points,
            "score": _score(line.score),
            "phase": _word(Phase.Name(play.position.phase), "PHASE_"),
        }


def clock(position: Position) -> str:
    """Clock of a place as m:ss since the start of the period; the sport's own way of writing it where it has none."""
    if not position.HasField("clock_ms"):
        return position.display
    minutes, seconds = divmod(position.clock_ms // 1000, 60)
    return f"{minutes}:{seconds:02d}"


def _word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).lower()


def _score(score: Score) -> dict[str, int]:
    return {"home": score.home, "away": score.away}


def _side(team: Team, score: int) -> dict[str, Any]:
    return {"id": team.team_id, "name": team.name, "score": score}


def _show(games: list[dict[str, Any]]) -> None:
    console = Console()
    for game in games:
        home, away = game["home"], game["away"]
        table = Table(
            title=f"{away['name']} {away['score']} at {home['name']} {home['score']} ({game['status']})",
            caption=f"{game['plays']} plays, {game['events']} events, {game['corrections']} corrections",
        )
        for column in ("period", "clock", "player", "points", "home-away"):
            table.add_column(column)
        for line in game["scoring"]:
            score = f"{line['score']['home']}-{line['score']['away']}"
            table.add_row(str(line["period"]), line["clock"], line["player"], str(line["points"]), score)
        console.print(table)
