"""Where a play stands in the order of its game."""

from typing import NamedTuple

from scoreline.game.v1.play_pb2 import Position

# Plays that tell neither an order nor a clock stand at the end of their period.
_END_OF_PERIOD = (1 << 63) - 1


class Place(NamedTuple):
    """A place in a game, never tied: period, then the provider's order or the clock, then the play id."""

    period: int
    order: int
    play_id: str


def place_of(position: Position, play_id: str) -> Place:
    """Give the place of a play at `position`."""
    if position.HasField("order_key"):
        return Place(position.period, position.order_key, play_id)
    return Place(position.period, position.clock_ms if position.HasField("clock_ms") else _END_OF_PERIOD, play_id)
