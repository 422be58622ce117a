"""`scoreline feed`: send a recorded feed into a running stack."""

import asyncio
import math
from collections import Counter
from pathlib import Path

import grpc
import orjson

from scoreline.ingestion.v1.ingestion_service_pb2 import IngestResponse
from services.cli.mesh import Endpoints
from services.cli.recording import UnreadableFile, read_timed
from services.cli.sender import Refused, Sender
from services.cli.session import DEFAULT_DATA, Data, Json, complain, explain
from services.ingestion.providers import PROVIDERS
from services.runtime.errors import error_info_of


async def feed(*files: Path, provider: str, speed: float = 0, data: Data = DEFAULT_DATA, as_json: Json = False) -> int:
    """Send recorded feeds into a running stack and wait until all is acknowledged.

    Parameters
    ----------
    files
        Recordings, gzipped or not, sent one after another.
    provider
        Name of the adapter, such as nhl.
    speed
        1 for the recording's own timing, 10 for ten times as fast, 0 for as fast as it is acknowledged.
    as_json
        Print what became of it as JSON.
    """
    adapter = PROVIDERS.get(provider)
    if adapter is None:
        return complain(f"--provider: there is no {provider!r}; known are {', '.join(sorted(PROVIDERS))}")
    if not 0 <= speed < math.inf:
        return complain("--speed: must be 0 or a number above it")
    if not files:
        return complain("feed: name a recording")
    report = Report()
    async with Sender.to(Endpoints.read(data), provider) as sender:
        for path in files:
            try:
                messages = read_timed(path, adapter)
            except UnreadableFile as error:
                return complain(str(error))
            for after_ms, message in messages:
                if speed:
                    await asyncio.sleep(after_ms / 1000 / speed)
                (await sender.send(message)).add_done_callback(report.take)
                if report.ended:
                    return complain(report.ended)
        await sender.settle()
    report.show(as_json)
    return 1 if report.refused or report.ended else 0


class Report:
    """What became of the messages of a feed."""

    def __init__(self) -> None:
        self.messages = self.events = 0
        self.games: dict[str, int] = {}
        self.refused: Counter[str] = Counter()
        self.ended = ""

    def take(self, answer: "asyncio.Future[IngestResponse]") -> None:
        """Count one answer."""
        error = None if answer.cancelled() else answer.exception()
        if isinstance(error, grpc.RpcError):
            self.ended = explain(error)
        elif isinstance(error, Refused):
            info = error_info_of(error.status)
            self.refused[f"{info.reason if info else error.status.code}: {error.status.message}"] += 1
        elif not answer.cancelled():
            self.messages += 1
            for game in answer.result().games:
                self.events += game.events
                self.games[game.game_id] = game.last_seq

    def show(self, as_json: bool) -> None:
        """Print it."""
        if as_json:
            known = {"messages": self.messages, "events": self.events, "games": self.games, "refused": self.refused}
            print(orjson.dumps(known, option=orjson.OPT_INDENT_2).decode())
            return
        if self.ended:
            complain(self.ended)
        for reason, times in self.refused.items():
            complain(f"refused {times} times: {reason}")
        print(f"{self.messages} messages acknowledged, {self.events} events")
        for game_id, last_seq in self.games.items():
            print(f"  {game_id} at {last_seq}")
