"""`scoreline bench pipeline`: from accepted to delivered, and how many events a second."""

import asyncio
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import orjson
from cyclopts import Parameter

from services.cli.bench.bare import bare_rate
from services.cli.bench.figures import in_ms, middle
from services.cli.bench.floor import floor
from services.cli.bench.load import Load, play
from services.cli.mesh import Endpoints, start_mesh
from services.cli.sender import Sender
from services.cli.session import Json, complain
from services.runtime.local import Stack

_HOLD = 20.0  # seconds that a rate has to be held
_BOUND = 200.0  # milliseconds that the p99 of a held rate stays under
_SETTLE = 2.0  # seconds for the last deliveries


async def pipeline(
    *,
    rate: float = 200,
    games: int = 20,
    viewers: int = 100,
    seconds: float = 20,
    runs: int = 3,
    find_max: Annotated[bool, Parameter(name="--max")] = True,
    target: Annotated[Path | None, Parameter(name="--target")] = None,
    as_json: Json = False,
) -> int:
    """Measure the way of an event from accepted to delivered, beside the floor and the bare bus of the same run.

    Parameters
    ----------
    rate
        Events a second, over all games in turn.
    games
        Games in play.
    viewers
        Viewers, each of one game.
    seconds
        Length of one run.
    runs
        Runs at that rate; the one with the median p99 is told.
    find_max
        Also look for the highest rate that is held for 20 s at p99 under 200 ms.
    target
        Data folder of a running stack; without it, one is started in a temporary folder.
    as_json
        Print one JSON object as the last line.
    """
    if rate <= 0 or seconds <= 0 or min(games, viewers, runs) < 1:
        return complain("bench pipeline: rate, games, viewers, seconds and runs must be above 0")
    async with _stack(target) as endpoints:
        result = await _measure(endpoints, rate, games, viewers, seconds, runs, find_max)
    print(orjson.dumps(result, option=0 if as_json else orjson.OPT_INDENT_2).decode())
    return 0


@asynccontextmanager
async def _stack(target: Path | None) -> AsyncGenerator[Endpoints]:
    if target:
        yield Endpoints.read(target)
        return
    with tempfile.TemporaryDirectory(prefix="scoreline-bench-") as folder:
        async with Stack(Path(folder)) as stack:
            yield await start_mesh(stack)


async def _measure(
    endpoints: Endpoints, rate: float, games: int, viewers: int, seconds: float, runs: int, find_max: bool
) -> dict[str, Any]:
    payload = play("bench", 1).SerializeToString()
    delivered: list[dict[str, float]] = []
    floors: list[dict[str, float]] = []
    held: list[float] = []
    for run in range(runs):
        floors.append(in_ms(await floor(endpoints.postgres, endpoints.nats, payload, rate, min(seconds, 10))))
        figures, its_rate = await _run(endpoints, f"{int(time.time())}-{run}", rate, games, viewers, seconds)
        delivered.append(figures)
        held.append(its_rate)
        _say(f"run {run + 1} of {runs}: delivered {figures} ms, floor {floors[-1]} ms")
    result: dict[str, Any] = {
        "rate": round(sorted(held)[len(held) // 2], 1),
        "games": games,
        "viewers": viewers,
        "seconds": seconds,
        "delivered_ms": middle(delivered),
        "floor_ms": middle(floors),
        "runs": [{"delivered_ms": mine, "floor_ms": its} for mine, its in zip(delivered, floors, strict=True)],
    }
    if find_max:
        result["max_rate"], result["max_rate_ms"] = await _highest(endpoints, games, viewers)
        result["bare_rate"] = round(await bare_rate(endpoints.nats, payload))
        result["max_to_bare"] = round(result["max_rate"] / result["bare_rate"], 2)
    return result


async def _run(
    endpoints: Endpoints, run: str, rate: float, games: int, viewers: int, seconds: float
) -> tuple[dict[str, float], float]:
    """One run: latencies of the deliveries, and the rate that was acknowledged; only what was lost if anything was."""
    load = Load(endpoints, run, games)
    async with Sender.to(endpoints, "scoreline") as sender:
        await load.open(sender)
        async with load.watched(viewers):
            held = await load.send(sender, rate, seconds)
            with suppress(TimeoutError):
                async with asyncio.timeout(_SETTLE + seconds):
                    await load.deliver()
    if load.missing:
        _say(f"{load.missing} deliveries did not come")
        return {"lost": load.missing}, held
    return in_ms(load.latencies), held


async def _highest(endpoints: Endpoints, games: int, viewers: int) -> tuple[float, dict[str, float]]:
    """The highest rate held for 20 s at p99 under 200 ms: up by half until one fails, then between the two."""
    good, bad, figures = 0.0, 0.0, dict[str, float]()
    rate = 800.0
    while not bad or bad / max(good, 1) > 1.12:
        mine, held = await _run(endpoints, f"{int(time.time())}-m", rate, games, viewers, _HOLD)
        _say(f"{rate:.0f} events/s: held {held:.0f}, {mine} ms")
        if mine.get("p99", _BOUND) < _BOUND and held > rate * 0.95:
            good, figures = rate, mine
        else:
            bad = rate
        if bad and bad <= 50:
            break
        rate = (good + bad) / 2 if bad else rate * 1.5
    return round(good), figures


def _say(line: str) -> None:
    print(line, file=sys.stderr)
