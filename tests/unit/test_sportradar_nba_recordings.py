"""Sportradar NBA push: what is true of its recordings."""

import gzip
import json
import os
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast

import protovalidate
import pytest

from scoreline.game.v1.source_pb2 import Observation, PlayReport
from services.ingestion.providers.sportradar_nba_push import PROVIDER

Json = dict[str, Any]

FEEDS = Path(os.environ.get("SCORELINE_FEEDS") or Path(__file__).parents[3] / "shared" / "feeds")
NBA = FEEDS / "sportradar-nba-push"
STREAM = NBA / "stream_2023-07-19T13-20-04.152Z.txt.gz"
EXAMPLE = NBA / "NBA_v7_Push_Events_Example.json"
pytestmark = pytest.mark.skipif(not NBA.is_dir(), reason="the recorded feeds are not here")

CHICAGO, NEW_YORK = "Chicago Bulls", "New York Knicks"
BROOKLYN, PORTLAND = "Brooklyn Nets", "Portland Trail Blazers"


class Seen(NamedTuple):
    """What one message of a recording said of its one play."""

    header_name: tuple[str, str]
    play: tuple[str, str]
    observation: Observation
    report: PlayReport
    event: Json


class Recording(NamedTuple):
    """A recording, read."""

    messages: list[bytes]
    seen: list[Seen]

    def newest(self) -> dict[tuple[str, str], PlayReport]:
        """The newest revision of each play."""
        reports: dict[tuple[str, str], PlayReport] = {}
        for entry in sorted(self.seen, key=lambda entry: entry.report.revision.encode()):
            reports[entry.play] = entry.report
        return reports

    def points(self) -> Counter[str]:
        """Points of the plays that live in the end, by team."""
        teams = {entry.observation.game_id: entry.header_name for entry in self.seen}
        points: Counter[str] = Counter()
        for (game_id, _), report in self.newest().items():
            if report.play.HasField("scored"):
                points[teams[game_id][report.play.scored.side - 1]] += report.play.scored.points
        return points


def read(recording: bytes) -> Recording:
    messages = list(PROVIDER.split(recording))
    seen: list[Seen] = []
    for message in messages:
        for observation in PROVIDER.observe(message):
            protovalidate.validate(observation)
            (report,) = observation.plays
            names = (observation.header.home.name, observation.header.away.name)
            event = json.loads(message)["payload"]["event"]
            seen.append(Seen(names, (observation.game_id, report.play.play_id), observation, report, event))
    return Recording(messages, seen)


@pytest.fixture(scope="module")
def stream() -> Recording:
    return read(gzip.decompress(STREAM.read_bytes()))


@pytest.fixture(scope="module")
def example() -> Recording:
    return read(EXAMPLE.read_bytes())


def test_the_stream_holds_what_was_counted_in_it(stream: Recording) -> None:
    assert (len(stream.messages), len(stream.seen)) == (1812, 989)
    assert Counter(entry.header_name for entry in stream.seen) == {
        (NEW_YORK, CHICAGO): 513,
        (PORTLAND, BROOKLYN): 476,
    }
    plays = {(entry.header_name, entry.play) for entry in stream.seen}
    assert Counter(names for names, _ in plays) == {(NEW_YORK, CHICAGO): 168, (PORTLAND, BROOKLYN): 169}
    assert sum(entry.report.deleted for entry in stream.seen) == 2


def test_the_example_holds_what_was_counted_in_it(example: Recording) -> None:
    assert (len(example.messages), len(example.seen)) == (112, 84)
    assert len({entry.play for entry in example.seen}) == 31
    assert sum(entry.report.deleted for entry in example.seen) == 3
    assert example.points() == {"Milwaukee Bucks": 7}


def test_living_baskets_add_up(stream: Recording) -> None:
    assert stream.points() == {CHICAGO: 35, NEW_YORK: 30, BROOKLYN: 43, PORTLAND: 47}


def canonical(value: Any) -> Any:
    """A document with its lists sorted."""
    if isinstance(value, dict):
        return {key: canonical(inner) for key, inner in cast(Json, value).items()}
    if isinstance(value, list):
        return sorted((canonical(inner) for inner in cast(list[Any], value)), key=json.dumps)
    return value


def test_revisions_tie_only_where_the_play_is_the_same(stream: Recording, example: Recording) -> None:
    for recording in (stream, example):
        by_revision: defaultdict[tuple[object, ...], set[bytes]] = defaultdict(set)
        for entry in recording.seen:
            content = entry.report.SerializeToString(deterministic=True)
            by_revision[*entry.play, entry.report.revision].add(content)
        assert max(len(contents) for contents in by_revision.values()) == 1


def test_time_and_sequence_alone_would_tie(stream: Recording) -> None:
    contents: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for entry in stream.seen:
        if not entry.report.deleted:
            key = (*entry.play, entry.event["updated"], entry.event["sequence"])
            contents[key].add(json.dumps(canonical(entry.event), sort_keys=True))
    assert sum(len(different) > 1 for different in contents.values()) == 174


def test_the_newest_revision_is_the_last_to_arrive_but_for_what_one_second_leaves_open(stream: Recording) -> None:
    """Two plays were corrected within a second by as rich a message: a clock by a second, a blocker by another."""
    last = {entry.play: entry.report for entry in stream.seen}
    newest = stream.newest()
    differing = {play_id[:8] for game, play_id in last if last[game, play_id].play != newest[game, play_id].play}
    assert differing == {"c0366547", "6f5f7beb"}


def test_oldest_and_newest_headers(stream: Recording) -> None:
    by_game: defaultdict[tuple[str, str], list[Observation]] = defaultdict(list)
    for entry in stream.seen:
        by_game[entry.header_name].append(entry.observation)
    told: dict[str, list[tuple[int, int, str]]] = {}
    for (home, _), observations in by_game.items():
        ordered = sorted(observations, key=lambda observation: observation.header_revision.encode())
        told[home] = [
            (one.header.score.away, one.header.score.home, one.header_as_of.display)
            for one in (ordered[0], ordered[-1])
        ]
        scores = [(one.header.score.home, one.header.score.away) for one in ordered]
        assert all(before[0] <= after[0] and before[1] <= after[1] for before, after in pairwise(scores))
    assert told == {
        NEW_YORK: [(28, 31, "Q2 8:13"), (63, 59, "Q3 4:58")],
        PORTLAND: [(35, 35, "Q2 10:09"), (78, 82, "Q3 4:25")],
    }
