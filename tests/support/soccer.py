"""A soccer game as typed events, one message a call."""

import json
from typing import Any

GAME_ID = "cup-1"
HOME = {"team_id": "reds", "name": "Red Rovers", "abbreviation": "RED"}
AWAY = {"team_id": "blues", "name": "Blue Athletic", "abbreviation": "BLU"}
_STRIKERS = {"reds": ("p-7", "Ada Striker"), "blues": ("p-9", "Bea Forward")}


def header(status: str = "GAME_STATUS_LIVE", game_id: str = GAME_ID, **fields: Any) -> bytes:
    """The header of the game."""
    told = {"sport": "soccer", "status": status, "home": HOME, "away": AWAY, **fields}
    return json.dumps({"game_id": game_id, "header": told}).encode()


def goal(play_id: str, minute: int, team_id: str = "reds", game_id: str = GAME_ID, **fields: Any) -> bytes:
    """A goal, or another word on one told before."""
    player_id, name = _STRIKERS[team_id]
    scorer = {"player_id": player_id, "name": name, "role": "PARTICIPANT_ROLE_SCORER", "team_id": team_id}
    told = {
        **_play(play_id, minute, "goal", "PLAY_CLASS_SCORE", team_id),
        "participants": [scorer],
        "scored": {"side": "SIDE_HOME" if team_id == "reds" else "SIDE_AWAY", "points": 1},
        "text": f"{name} scores",
        **fields,
    }
    return json.dumps({"game_id": game_id, "plays": [{"play": told}]}).encode()


def foul(play_id: str, minute: int) -> bytes:
    """A foul, which is no key play."""
    told = _play(play_id, minute, "foul", "PLAY_CLASS_DISCIPLINE", "blues")
    return json.dumps({"game_id": GAME_ID, "plays": [{"play": {**told, "text": "Foul in midfield"}}]}).encode()


def no_goal(play_id: str, reason: str) -> bytes:
    """A goal that is taken back."""
    report = {"play": {"play_id": play_id}, "deleted": True, "reason": reason}
    return json.dumps({"game_id": GAME_ID, "plays": [report]}).encode()


def _play(play_id: str, minute: int, kind: str, play_class: str, team_id: str) -> dict[str, Any]:
    period = 1 if minute <= 45 else 2
    position = {
        "period": period,
        "phase": "PHASE_REGULATION",
        "clock_ms": (minute - 45 * (period - 1)) * 60_000,
        "display": f"{minute}'",
    }
    return {"play_id": play_id, "play_class": play_class, "kind": kind, "position": position, "team_id": team_id}
