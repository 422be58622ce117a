"""Runs every scenario of this folder."""

from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from google.protobuf.json_format import MessageToJson, ParseDict

from scoreline.game.v1.source_pb2 import Observation
from scoreline.game.v1.state_pb2 import CorrectionKind, GameUpdate
from services.cli.fold import summary
from services.cli.recording import Season, read_messages
from services.ingestion.providers import PROVIDERS

_SCENARIOS = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("path", _SCENARIOS, ids=[path.stem for path in _SCENARIOS])
def test_scenario(path: Path, request: pytest.FixtureRequest) -> None:
    scenario: dict[str, Any] = yaml.safe_load(path.read_text())
    season = Season(PROVIDERS[scenario["provider"]])
    updates: dict[str, list[GameUpdate]] = {}
    for message in _messages(scenario, request):
        for update in season.take(message):
            updates.setdefault(update.game_id, []).append(update)
    told = {game_id: summary(fold, season.rejected.get(game_id, 0)) for game_id, fold in season.folds.items()}
    for game_id, expected in scenario["expect"].items():
        assert _part(told[game_id], expected) == expected, game_id
    for game_id, expected in scenario.get("told", {}).items():
        assert [_line(update) for update in updates[game_id] if update.notable] == expected, game_id


def _messages(scenario: dict[str, Any], request: pytest.FixtureRequest) -> list[bytes]:
    if "observations" in scenario:
        observations = [ParseDict(each, Observation()) for each in scenario["observations"]]
        return [MessageToJson(seen).encode() for seen in observations]
    feeds: Path = request.getfixturevalue("feeds")
    provider = PROVIDERS[scenario["provider"]]
    return [message for name in scenario["feed"] for message in read_messages(feeds / name, provider)]


def _part(whole: Any, expected: Any) -> Any:
    """What `expected` asks of a summary: the named keys of objects, item for item of lists of the same length."""
    match whole, expected:
        case dict(), dict():
            its, asked = cast("dict[str, Any]", whole), cast("dict[str, Any]", expected)
            return {key: _part(its.get(key), value) for key, value in asked.items()}
        case list(), list() if len(cast("list[Any]", whole)) == len(cast("list[Any]", expected)):
            pairs = zip(cast("list[Any]", whole), cast("list[Any]", expected), strict=True)
            return [_part(its, value) for its, value in pairs]
        case _:
            return whole


def _line(update: GameUpdate) -> str:
    """One notable update as a line: "1-0", "1-0 cancelled: offside"."""
    line = f"{update.score.home}-{update.score.away}"
    if update.HasField("correction"):
        kind = CorrectionKind.Name(update.correction.kind).removeprefix("CORRECTION_KIND_").lower()
        line += f" {kind}" + (f": {update.correction.reason}" if update.correction.reason else "")
    return line
