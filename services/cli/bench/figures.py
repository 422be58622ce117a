"""Latencies and how they are told."""

from collections.abc import Sequence


def in_ms(seconds: Sequence[float]) -> dict[str, float]:
    """p50, p99 and max of latencies in seconds, as milliseconds; empty when there are none."""
    if not seconds:
        return {}
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 2)

    return {"p50": at(0.5), "p99": at(0.99), "max": round(ordered[-1] * 1000, 2)}


def middle(runs: Sequence[dict[str, float]], key: str = "p99") -> dict[str, float]:
    """The run whose figure is the median."""
    return sorted(runs, key=lambda run: run.get(key, float("inf")))[len(runs) // 2] if runs else {}
