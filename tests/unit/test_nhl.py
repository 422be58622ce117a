"""The NHL adapter: against recorded documents, against documents of other seasons, and against rubbish."""

import contextlib
import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.play_pb2 import ParticipantRole, Phase, Play, PlayClass, Side
from scoreline.game.v1.source_pb2 import Observation
from scoreline.game.v1.sports_pb2 import IceHockeyPlay
from services.ingestion.providers.nhl import PROVIDER
from services.ingestion.providers.provider import Unreadable

FEEDS = Path(os.environ.get("SCORELINE_FEEDS", Path(__file__).parents[3] / "shared" / "feeds")) / "nhl"
needs_feeds = pytest.mark.skipif(not FEEDS.is_dir(), reason="the recorded feeds are not on this machine")


def recorded(name: str) -> Observation:
    [observation] = PROVIDER.observe((FEEDS / f"{name}.json").read_bytes())
    return observation


def read(document: dict[str, Any]) -> Observation:
    [observation] = PROVIDER.observe(json.dumps(document).encode())
    return observation


def plays(observation: Observation) -> list[Play]:
    return [report.play for report in observation.plays]


def player(team: int, number: int, first: str, last: str, position: str) -> dict[str, Any]:
    names = {"firstName": {"default": first}, "lastName": {"default": last}}
    return {"teamId": team, "playerId": number, **names, "sweaterNumber": number % 100, "positionCode": position}


def entry(number: int, kind: str, period: tuple[int, str] = (1, "REG"), **fields: Any) -> dict[str, Any]:
    """One play; `details` and the other fields as the league writes them."""
    descriptor = {"number": period[0], "periodType": period[1]}
    return {
        "eventId": number,
        "sortOrder": number,
        "typeDescKey": kind,
        "periodDescriptor": descriptor,
        "timeInPeriod": "02:11",
        "situationCode": "1551",
        **fields,
    }


def document(*entries: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A document of a game between the "Northtown Foxes" (home, 7) and the "Southtown Owls" (away, 9)."""
    return {
        "id": 2030020001,
        "season": 20302031,
        "gameType": 2,
        "gameState": "LIVE",
        "startTimeUTC": "2030-10-12T00:00:00Z",
        "homeTeam": {"id": 7, "commonName": {"default": "Foxes"}, "placeName": {"default": "Northtown"}, "score": 0},
        "awayTeam": {"id": 9, "commonName": {"default": "Owls"}, "placeName": {"default": "Southtown"}, "score": 0},
        "clock": {"timeRemaining": "17:49", "running": True, "inIntermission": False},
        "periodDescriptor": {"number": 1, "periodType": "REG"},
        "rosterSpots": [
            player(7, 71, "Ada", "Fox", "C"),
            player(7, 72, "Bo", "Fox", "G"),
            player(9, 91, "Cy", "Owl", "D"),
            player(9, 92, "Di", "Owl", "G"),
        ],
        "plays": list(entries),
        **fields,
    }


def one_play(number: int, kind: str, period: tuple[int, str] = (1, "REG"), **fields: Any) -> Play:
    [play] = plays(read(document(entry(number, kind, period, **fields))))
    return play


# --- recorded documents


@needs_feeds
def test_final_document_is_one_complete_observation() -> None:
    observation = recorded("2024020843_play-by-play")
    header = observation.header
    assert (observation.game_id, observation.scope, observation.complete) == ("nhl-2024020843", "play-by-play", True)
    assert (observation.version, observation.header_revision) == ("", "")
    assert (header.sport, header.status, header.venue) == (
        "ice_hockey",
        GameStatus.GAME_STATUS_FINAL,
        "Climate Pledge Arena",
    )
    assert (header.home.team_id, header.home.name, header.home.abbreviation) == ("nhl-55", "Seattle Kraken", "SEA")
    assert (header.away.team_id, header.away.name, header.away.abbreviation) == ("nhl-20", "Calgary Flames", "CGY")
    assert (header.score.home, header.score.away, header.score_includes_shootout_winner) == (2, 3, True)
    assert header.competition.competition_id == "nhl-2"
    assert (header.competition.name, header.competition.season) == ("NHL Regular Season", "20242025")
    assert header.scheduled_at.ToJsonString() == "2025-02-03T02:00:00Z"
    assert (header.position.period, header.position.clock_ms, header.clock_running) == (3, 1_200_000, False)
    assert len(observation.plays) == 361
    assert not any(report.revision or report.event_id or report.deleted for report in observation.plays)
    assert len({play.play_id for play in plays(observation)}) == 361
    keys = [play.position.order_key for play in plays(observation)]
    assert keys == sorted(set(keys))
    roster = [(player.team_id, player.player_id) for player in observation.roster.entries]
    assert roster == sorted(roster)
    assert ("nhl-20", "nhl-8474150") in roster


@needs_feeds
@pytest.mark.parametrize(
    ("name", "scorers"),
    [
        (
            "2024020843_play-by-play",
            [("Frost", 2), ("Sharangovich", 2), ("Huberdeau", 2), ("Kakko", 1), ("Tanev", 1)],
        ),
        ("2024020266_play-by-play", [("Beniers", 1), ("Schwartz", 1), ("Donato", 2), ("Tanev", 1)]),
        (
            "2024020033_play-by-play",
            [
                *(("Zuccarello", 1), ("Boldy", 1), ("Eberle", 2), ("Eberle", 2)),
                *(("Kaprizov", 1), ("Kartye", 2), ("Hartman", 1), ("McCann", 2)),
            ],
        ),
    ],
)
def test_goals_in_order(name: str, scorers: list[tuple[str, int]]) -> None:
    goals = [play for play in plays(recorded(name)) if play.kind == "goal"]
    in_play = [goal for goal in goals if goal.position.phase != Phase.PHASE_SHOOTOUT]
    assert [(goal.participants[0].name.split()[-1], goal.scored.side) for goal in in_play] == scorers
    assert all(goal.scored.points == 1 and goal.play_class == PlayClass.PLAY_CLASS_SCORE for goal in goals)


@needs_feeds
def test_shootout_is_a_phase_of_its_own_without_a_clock() -> None:
    observation = recorded("2024020033_play-by-play")
    assert (observation.header.score.home, observation.header.score.away) == (4, 5)
    shootout = [play for play in plays(observation) if play.position.phase == Phase.PHASE_SHOOTOUT]
    goals = [(play.participants[0].name, play.scored.side) for play in shootout if play.HasField("scored")]
    assert goals == [("Mats Zuccarello", 1), ("Oliver Bjorkstrand", 2), ("Jordan Eberle", 2)]
    assert {play.position.display for play in shootout} == {"SO"}
    assert not any(play.position.HasField("clock_ms") for play in shootout)
    attempts = [play for play in shootout if play.ice_hockey.penalty_shot]
    assert len(attempts) == 5
    assert not any(play.ice_hockey.empty_net or play.ice_hockey.strength for play in attempts)


@needs_feeds
def test_challenged_goal_leaves_a_review_and_no_goal() -> None:
    game = plays(recorded("2024020843_play-by-play"))
    [review] = [play for play in game if play.play_id == "40"]
    assert (review.play_class, review.kind) == (PlayClass.PLAY_CLASS_REVIEW, "stoppage")
    assert review.position.display == "P1 11:03"
    assert review.ice_hockey.reason == "chlg-vis-goal-interference"
    assert (review.team_id, review.text) == ("nhl-20", "Challenge by Calgary Flames (goal interference)")
    assert not [play for play in game if play.kind == "goal" and play.position.display == "P1 11:03"]
    standing = [play for play in game if play.position.display == "P1 16:43"]
    assert [play.play_id for play in standing if play.kind == "goal"] == ["477"]
    assert [play.play_id for play in standing if play.play_class == PlayClass.PLAY_CLASS_REVIEW] == ["206"]
    [bench] = [play for play in standing if play.play_id == "207"]
    assert [part.role for part in bench.participants] == [ParticipantRole.PARTICIPANT_ROLE_SERVING]
    assert bench.text.startswith("Penalty: Seattle Kraken, served by ")


@needs_feeds
def test_before_the_game_there_is_no_score_no_place_and_no_roster() -> None:
    observation = recorded("2024020266_play-by-play_pregame")
    header = observation.header
    assert header.status == GameStatus.GAME_STATUS_SCHEDULED
    assert not header.HasField("score")
    assert not header.HasField("position")
    assert not observation.HasField("roster")
    assert (header.away.name, len(observation.plays)) == ("Chicago Blackhawks", 0)
    assert observation.complete


@needs_feeds
def test_empty_net_goal_names_no_goalkeeper() -> None:
    goals = [play for play in plays(recorded("2024020266_play-by-play")) if play.kind == "goal"]
    assert [goal.ice_hockey.empty_net for goal in goals] == [False, False, False, True]
    roles = {participant.role for participant in goals[-1].participants}
    assert ParticipantRole.PARTICIPANT_ROLE_GOALKEEPER not in roles
    assert goals[-1].ice_hockey.strength == IceHockeyPlay.STRENGTH_EVEN
    assert goals[-1].text.endswith("(wrist, empty net)")


@needs_feeds
def test_noise_changes_nothing() -> None:
    raw = json.loads((FEEDS / "2024020843_play-by-play.json").read_bytes())
    before = read(raw)
    for play in raw["plays"]:
        play["homeTeamDefendingSide"] = "right"
        play["pptReplayUrl"] = "https://example.org/other"
        for key in ("xCoord", "yCoord", "awaySOG", "homeSOG", "scoringPlayerTotal", "assist1PlayerTotal"):
            play.setdefault("details", {})[key] = 77
    raw["awayTeam"]["sog"] = 99
    assert read(raw) == before


# --- status and clock


@pytest.mark.parametrize(
    ("state", "schedule", "intermission", "status"),
    [
        ("FUT", "OK", False, GameStatus.GAME_STATUS_SCHEDULED),
        ("FUT", "TBD", False, GameStatus.GAME_STATUS_SCHEDULED),
        ("PRE", "OK", False, GameStatus.GAME_STATUS_PRE_GAME),
        ("LIVE", "OK", False, GameStatus.GAME_STATUS_LIVE),
        ("CRIT", "OK", False, GameStatus.GAME_STATUS_LIVE),
        ("LIVE", "OK", True, GameStatus.GAME_STATUS_BREAK),
        ("OVER", "OK", True, GameStatus.GAME_STATUS_FINAL),
        ("FINAL", "OK", False, GameStatus.GAME_STATUS_FINAL),
        ("OFF", "OK", False, GameStatus.GAME_STATUS_FINAL),
        ("FUT", "PPD", False, GameStatus.GAME_STATUS_POSTPONED),
        ("LIVE", "SUSP", False, GameStatus.GAME_STATUS_SUSPENDED),
        ("FUT", "CNCL", False, GameStatus.GAME_STATUS_ABANDONED),
    ],
)
def test_status(state: str, schedule: str, intermission: bool, status: GameStatus) -> None:
    clock = {"timeRemaining": "20:00", "inIntermission": intermission}
    header = read(document(gameState=state, gameScheduleState=schedule, clock=clock)).header
    assert header.status == status


def test_score_of_a_game_that_will_not_be_played_is_absent() -> None:
    assert not read(document(gameState="FUT", gameScheduleState="PPD")).header.HasField("score")


def test_clock_counts_up() -> None:
    header = read(document()).header
    assert (header.position.clock_ms, header.position.display, header.clock_running) == (131_000, "P1 02:11", True)


def test_in_an_intermission_the_period_is_played() -> None:
    header = read(document(clock={"timeRemaining": "17:00", "running": True, "inIntermission": True})).header
    assert header.position.display == "P1 20:00"


@pytest.mark.parametrize(("game_type", "elapsed"), [(2, 131_000), (3, 1_031_000)])
def test_overtime_is_longer_in_the_playoffs(game_type: int, elapsed: int) -> None:
    overtime = {"periodDescriptor": {"number": 4, "periodType": "OT"}, "clock": {"timeRemaining": "02:49"}}
    assert read(document(**overtime, gameType=game_type)).header.position.clock_ms == elapsed


def test_a_play_tells_the_length_of_an_overtime() -> None:
    play = entry(1, "hit", (4, "OT"), timeRemaining="07:49")
    overtime = {"periodDescriptor": {"number": 4, "periodType": "OT"}, "clock": {"timeRemaining": "07:00"}}
    assert read(document(play, **overtime)).header.position.display == "OT 03:00"


@pytest.mark.parametrize(
    ("period", "phase", "display"),
    [
        ((3, "REG"), Phase.PHASE_REGULATION, "P3 02:11"),
        ((4, "OT"), Phase.PHASE_EXTRA_TIME, "OT 02:11"),
        ((6, "OT"), Phase.PHASE_EXTRA_TIME, "OT3 02:11"),
        ((5, "SO"), Phase.PHASE_SHOOTOUT, "SO"),
        ((4, None), Phase.PHASE_EXTRA_TIME, "OT 02:11"),
    ],
)
def test_period(period: tuple[int, Any], phase: Phase, display: str) -> None:
    position = one_play(1, "hit", period).position
    assert (position.phase, position.display) == (phase, display)


def test_place_is_not_told_twice_in_a_name() -> None:
    side = {"id": 7, "commonName": {"default": "Utah Hockey Club"}, "placeName": {"default": "Utah"}}
    assert read(document(homeTeam=side)).header.home.name == "Utah Hockey Club"


# --- plays


def test_goal() -> None:
    details = {"eventOwnerTeamId": 7, "scoringPlayerId": 71, "assist1PlayerId": 72, "goalieInNetId": 92}
    goal = one_play(5, "goal", situationCode="1451", details={**details, "shotType": "snap", "zoneCode": "O"})
    assert goal.text == "Goal by Ada Fox, assisted by Bo Fox (snap, power play)"
    assert (goal.scored.side, goal.scored.points, goal.team_id) == (Side.SIDE_HOME, 1, "nhl-7")
    assert [(part.role, part.player_id, part.team_id) for part in goal.participants] == [
        (ParticipantRole.PARTICIPANT_ROLE_SCORER, "nhl-71", "nhl-7"),
        (ParticipantRole.PARTICIPANT_ROLE_ASSIST, "nhl-72", "nhl-7"),
        (ParticipantRole.PARTICIPANT_ROLE_GOALKEEPER, "nhl-92", "nhl-9"),
    ]
    assert goal.ice_hockey == IceHockeyPlay(
        strength=IceHockeyPlay.STRENGTH_POWER_PLAY,
        shot_type="snap",
        zone="O",
        on_ice=goal.ice_hockey.on_ice,
    )
    assert (goal.ice_hockey.on_ice.home_skaters, goal.ice_hockey.on_ice.away_skaters) == (5, 4)


@pytest.mark.parametrize(
    ("code", "home", "away"),
    [
        ("1551", IceHockeyPlay.STRENGTH_EVEN, IceHockeyPlay.STRENGTH_EVEN),
        ("1541", IceHockeyPlay.STRENGTH_SHORT_HANDED, IceHockeyPlay.STRENGTH_POWER_PLAY),
        ("1331", IceHockeyPlay.STRENGTH_EVEN, IceHockeyPlay.STRENGTH_EVEN),
        # A goalkeeper off for a sixth skater is no power play, and hides none.
        ("0651", IceHockeyPlay.STRENGTH_EVEN, IceHockeyPlay.STRENGTH_EVEN),
        ("1550", IceHockeyPlay.STRENGTH_SHORT_HANDED, IceHockeyPlay.STRENGTH_POWER_PLAY),
        ("1460", IceHockeyPlay.STRENGTH_POWER_PLAY, IceHockeyPlay.STRENGTH_SHORT_HANDED),
    ],
)
def test_strength(code: str, home: IceHockeyPlay.Strength, away: IceHockeyPlay.Strength) -> None:
    strengths = [
        one_play(1, "hit", situationCode=code, details={"eventOwnerTeamId": team}).ice_hockey.strength
        for team in (7, 9)
    ]
    assert strengths == [home, away]


def test_penalty_shot_has_no_strength_and_no_empty_net() -> None:
    details = {"eventOwnerTeamId": 9, "shootingPlayerId": 91, "goalieInNetId": 72}
    attempt = one_play(1, "failed-shot-attempt", situationCode="0101", details=details)
    assert (attempt.play_class, attempt.kind) == (PlayClass.PLAY_CLASS_ATTEMPT, "failed_shot_attempt")
    assert attempt.ice_hockey.penalty_shot
    assert not attempt.ice_hockey.empty_net
    assert attempt.ice_hockey.strength == IceHockeyPlay.STRENGTH_UNSPECIFIED
    assert not attempt.ice_hockey.on_ice.away_net_empty
    assert not one_play(1, "period-start", (5, "SO"), situationCode="1010").ice_hockey.penalty_shot


@pytest.mark.parametrize("code", [None, "1551"])
def test_shootout_attempt_is_a_penalty_shot_whatever_the_situation_says(code: str | None) -> None:
    details = {"eventOwnerTeamId": 9, "shootingPlayerId": 91}
    assert one_play(1, "missed-shot", (5, "SO"), situationCode=code, details=details).ice_hockey.penalty_shot
    assert not one_play(1, "missed-shot", situationCode=code, details=details).ice_hockey.penalty_shot


@pytest.mark.parametrize("owner", [7, 9])
def test_blocked_shot_is_the_shooters(owner: int) -> None:
    details = {"eventOwnerTeamId": owner, "shootingPlayerId": 71, "blockingPlayerId": 91}
    blocked = one_play(1, "blocked-shot", details={**details, "reason": "blocked", "zoneCode": "D"})
    assert (blocked.team_id, blocked.ice_hockey.zone) == ("nhl-7", "O")
    assert blocked.text == "Shot by Ada Fox, blocked by Cy Owl"


@pytest.mark.parametrize(
    ("details", "play_class", "text"),
    [
        ({"reason": "icing"}, PlayClass.PLAY_CLASS_STOPPAGE, "Stoppage (icing)"),
        (
            {"reason": "icing", "secondaryReason": "tv-timeout"},
            PlayClass.PLAY_CLASS_STOPPAGE,
            "Stoppage (icing, tv timeout)",
        ),
        ({}, PlayClass.PLAY_CLASS_STOPPAGE, "Stoppage"),
        (
            {"reason": "chlg-hm-off-side", "secondaryReason": "chlg-hm-off-side"},
            PlayClass.PLAY_CLASS_REVIEW,
            "Challenge by Northtown Foxes (off side)",
        ),
        ({"reason": "chlg-league-off-side"}, PlayClass.PLAY_CLASS_REVIEW, "League review (off side)"),
        (
            {"reason": "puck-frozen", "secondaryReason": "video-review"},
            PlayClass.PLAY_CLASS_REVIEW,
            "Review (puck frozen, video review)",
        ),
    ],
)
def test_stoppage(details: dict[str, str], play_class: PlayClass, text: str) -> None:
    play = one_play(1, "stoppage", details=details)
    assert (play.play_class, play.text) == (play_class, text)


@pytest.mark.parametrize(
    ("word", "name", "play_class"),
    [
        ("game-official", "game_official", PlayClass.PLAY_CLASS_PERIOD),
        ("shootout-complete", "shootout_complete", PlayClass.PLAY_CLASS_PERIOD),
        ("coaches-challenge", "coaches_challenge", PlayClass.PLAY_CLASS_REVIEW),
        ("Zamboni Race", "zamboni_race", PlayClass.PLAY_CLASS_ACTION),
    ],
)
def test_kinds_that_the_files_do_not_show(word: str, name: str, play_class: PlayClass) -> None:
    play = one_play(1, word)
    assert (play.kind, play.play_class) == (name, play_class)
    assert play.text


def test_player_of_no_roster_is_of_the_play_or_of_its_opponents() -> None:
    raw = entry(1, "hit", details={"eventOwnerTeamId": 9, "hittingPlayerId": 1, "hitteePlayerId": 2})
    [hit] = plays(read(document(raw, rosterSpots=[])))
    assert [(part.player_id, part.team_id, part.name) for part in hit.participants] == [
        ("nhl-1", "nhl-9", ""),
        ("nhl-2", "nhl-7", ""),
    ]
    assert hit.text == "Hit by player 1 on player 2"


def test_least_that_a_document_may_hold() -> None:
    play = {"eventId": 1, "sortOrder": 2, "typeDescKey": "hit", "periodDescriptor": {"number": 1}}
    least = {"id": 1, "gameState": "LIVE", "homeTeam": {"id": 7}, "awayTeam": {"id": 9}, "plays": [play]}
    observation = read(least)
    assert observation.plays[0].play.position.display == "P1"
    assert not observation.header.HasField("score")
    assert not observation.header.HasField("clock_running")


# --- what is not the format

GOAL = entry(1, "goal", details={"eventOwnerTeamId": 7, "scoringPlayerId": 71})


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (document(entry(1, "hit"), entry(1, "hit")), "plays[1].eventId"),
        (document(entry(1, "hit"), entry(2, "hit", eventId="2")), "plays[1].eventId"),
        (document(entry(1, "hit", eventId=True)), "plays[0].eventId"),
        (document(entry(1, "hit", sortOrder=2**64 - 1)), "plays[0].sortOrder"),
        (document(entry(1, "hit", sortOrder=10**30)), "plays[0].sortOrder"),
        (document(entry(1, "")), "plays[0].typeDescKey"),
        (document(entry(1, "hit", typeDescKey=["hit"])), "plays[0].typeDescKey"),
        (document(entry(1, "hit", (1, "XX"))), "plays[0].periodDescriptor.periodType"),
        (document(entry(1, "hit", timeInPeriod="2:7")), "plays[0].timeInPeriod"),
        (document(entry(1, "hit", situationCode="15x1")), "plays[0].situationCode"),
        (document(entry(1, "hit", details=[])), "plays[0].details"),
        (document(entry(1, "goal")), "plays[0].details.eventOwnerTeamId"),
        (document(entry(1, "hit", details={"eventOwnerTeamId": 8})), "plays[0].details.eventOwnerTeamId"),
        (document(entry(1, "hit", details={"eventOwnerTeamId": []})), "plays[0].details.eventOwnerTeamId"),
        (document(entry(1, "hit", details={"hittingPlayerId": {}})), "plays[0].details.hittingPlayerId"),
        (document(7), "plays[0]"),  # pyright: ignore[reportArgumentType]
        (document(plays=None), "plays"),
        (document(plays={}), "plays"),
        (document(id=None), "id"),
        (document(gameState="GONE"), "gameState"),
        (document(awayTeam={"id": 7}), "awayTeam.id"),
        (document(homeTeam={"id": 7, "commonName": "Foxes"}), "homeTeam.commonName"),
        (document(homeTeam={"id": 7, "abbrev": "a\0b"}), "homeTeam.abbrev"),
        (document(startTimeUTC="tomorrow"), "startTimeUTC"),
        (document(clock={"running": 1}), "clock.running"),
        (document(rosterSpots=[player(8, 1, "A", "B", "C")]), "rosterSpots[0].teamId"),
    ],
)
def test_unreadable_tells_where(raw: dict[str, Any], path: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(raw)
    assert caught.value.path == path
    assert caught.value.message


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"7", b"{", b"\xff\xfe", b'{"id": NaN}', b'{"id": "\\ud800"}', b"[" * 100_000]
)
def test_unreadable_as_a_whole(payload: bytes) -> None:
    with pytest.raises(Unreadable):
        PROVIDER.observe(payload)


# --- rubbish

SAMPLE = document(
    GOAL,
    entry(2, "shot-on-goal", details={"shootingPlayerId": 91, "goalieInNetId": 72, "eventOwnerTeamId": 9}),
    entry(3, "stoppage", details={"reason": "chlg-vis-off-side", "secondaryReason": "tv-timeout"}),
    entry(4, "penalty", details={"descKey": "hooking", "duration": 2, "eventOwnerTeamId": 7, "zoneCode": "D"}),
    entry(5, "goal", (5, "SO"), situationCode="1010", details={"eventOwnerTeamId": 7, "shotType": "wrist"}),
)
HOLE = "a hole to be filled"
FILLINGS = st.one_of(
    st.sampled_from(
        [
            *(b"NaN", b"-Infinity", b"1e999", b"-0", b"1.0", b"18446744073709551615", b"9" * 400, b"true", b"null"),
            *(b'"\\ud800"', b'"\xff"', b'"\\u0000"', b"[" * 2000 + b"]" * 2000, b'{"default":{}}', b"{}", b"[]", b""),
        ]
    ),
    st.integers().map(lambda value: str(value).encode()),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=5,
    ).map(lambda value: json.dumps(value).encode()),
)


def paths_of(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, inner in value.items():  # pyright: ignore[reportUnknownVariableType]
            found += paths_of(inner, (*path, key))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, list):
        for index, inner in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            found += paths_of(inner, (*path, index))  # pyright: ignore[reportUnknownArgumentType]
    return found


def with_hole(path: tuple[str | int, ...]) -> bytes:
    broken: Any = copy.deepcopy(SAMPLE)
    holder: Any = broken
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = HOLE
    return json.dumps(broken).encode()


def readable_or_unreadable(payload: bytes) -> None:
    """Nothing else than Unreadable is raised, and what is read can be sent."""
    with contextlib.suppress(Unreadable):
        observations = PROVIDER.observe(payload)
        assert [Observation.FromString(one.SerializeToString()) for one in observations] == observations


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(paths_of(SAMPLE)), filling=FILLINGS)
def test_any_value_may_be_anything(path: tuple[str | int, ...], filling: bytes) -> None:
    readable_or_unreadable(with_hole(path).replace(f'"{HOLE}"'.encode(), filling))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_document_may_be_cut_or_damaged(data: st.DataObject) -> None:
    whole = json.dumps(SAMPLE).encode()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    readable_or_unreadable(whole[:start])
    readable_or_unreadable(whole[:start] + data.draw(st.binary(max_size=8)) + whole[end:])


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_anything_may_be_sent(payload: bytes) -> None:
    readable_or_unreadable(payload)
