"""What a sport's fold is: what one play is worth, so that a game is the sum of its living plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoreline.game.v1.header_pb2 import Header
from scoreline.game.v1.play_pb2 import Play
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import StatKey


class Credit(NamedTuple):
    """What a play adds to one statistic of a player, or of a team where `player_id` is empty."""

    team_id: str
    player_id: str
    key: StatKey
    value: int


@dataclass(frozen=True)
class Sport:
    """One sport.

    `credits` says what a living play adds to the statistics; it looks at that play (and at who plays home and away)
    only, so that a play can be taken away again by subtraction. `situate` writes the sport's own situation into the
    state, from the living plays in order; it looks at as few of the last ones as it needs.
    """

    name: str
    credits: Callable[[Play, Header], Iterable[Credit]]
    situate: Callable[[GameState, Sequence[Play]], None]
