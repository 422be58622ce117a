"""The demo game: Manchester City 4-3 Tottenham Hotspur, 17 April 2019, the second leg of their quarter-final.

`mci-tot-2019.jsonl` beside this file is a recording of typed events, written for this project from what is
known of the game, and timed so that it plays in a minute and a half. Where only the minute is known, the
clock is the start of that minute. It shows what a feed does: goals that are confirmed, one that stands after
a review, one that is taken back, and a substitution that is reported after the whistle for half-time.
"""

import re
from importlib.resources import files

from scoreline.game.v1.source_pb2 import Observation
from services.ingestion.providers import scoreline

RECORDING = files(__name__) / "mci-tot-2019.jsonl"

_RUN = re.compile(r"[A-Za-z0-9_-]{1,51}")


def demo(run: str) -> list[tuple[float, Observation]]:
    """Give the messages of the game `demo-mci-tot-<run>`, each with the seconds to wait before it is sent.

    Every run is a game of its own, so that it may be played again and again while earlier ones stay as
    history; a run that is sent twice changes nothing the second time. Raises ValueError when `run` is not
    1 to 51 letters, digits, - and _.
    """
    if not _RUN.fullmatch(run):
        raise ValueError(f"a run is 1 to 51 letters, digits, - and _, not {run!r}")
    messages: list[tuple[float, Observation]] = []
    for after_ms, message in scoreline.timed(RECORDING.read_bytes()):
        for observation in scoreline.PROVIDER.observe(message):
            observation.game_id = f"demo-mci-tot-{run}"
            messages.append((after_ms / 1000, observation))
    return messages
