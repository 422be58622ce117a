"""Items as bytes. Each is a whole SubscribeResponse with nothing but items, so that joining bytes joins the items."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp

from scoreline.fanout.v1.fanout_service_pb2 import GameEnd, Item, Snapshot, SubscribeResponse, Target
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.state_pb2 import GameState, GameUpdate
from scoreline.game.v1.stats_pb2 import GameStatistics
from services.fanout.domain.targets import OVER

LARGEST_PART = 256 * 1024  # bytes of one part of a snapshot
_ENVELOPE = 64  # bytes of it that are left free for what is around the snapshot


def encoded(*items: Item) -> bytes:
    """The items."""
    return SubscribeResponse(items=items).SerializeToString()


def closing(resume_token: str, time_ns: int) -> bytes:
    """What stands beside the items of one write: the token and the server's time in nanoseconds since 1970."""
    seconds, nanos = divmod(time_ns, 1_000_000_000)
    time = Timestamp(seconds=seconds, nanos=nanos)
    return SubscribeResponse(resume_token=resume_token, server_time=time).SerializeToString()


def encode_update(update: GameUpdate, reasons: Sequence[Target], *, was_over: bool) -> bytes:
    """An update or correction, followed by the end of the game if it ended it.

    Args:
        update: what happened.
        reasons: targets that it is for.
        was_over: whether the game had ended before it.
    """
    response = SubscribeResponse()
    item = response.items.add()
    delivery = item.correction if update.HasField("correction") else item.update
    delivery.update.CopyFrom(update)
    # Games are delivered whole, so the one before is always the last seq: all streams of a lane share the bytes.
    delivery.prev_delivered_seq = update.seq - 1
    delivery.reasons.extend(reasons)
    if update.status in OVER and not was_over:
        end = response.items.add().game_end
        end.game_id, end.seq, end.status = update.game_id, update.seq, update.status
        end.score.CopyFrom(update.score)
        end.phases.extend(update.phases)
    return response.SerializeToString()


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """A game as it stands, encoded.

    Attributes:
        epoch: of the state.
        seq: of the state.
        status: of the state.
        team_ids: home first; only those that are known.
        changed_at: when the last event was accepted, in seconds since 1970.
        parts: Snapshot items of at most 256 KiB each; the last one is followed by GameEnd if the game is over.
    """

    epoch: str
    seq: int
    status: GameStatus
    team_ids: tuple[str, ...]
    changed_at: int
    parts: tuple[bytes, ...]


def encode_snapshot(state: GameState, statistics: GameStatistics) -> GameSnapshot:
    """A game's state and statistics, cut into parts where they are large."""
    parts = [Snapshot()]
    for piece in _pieces(state, statistics):
        if parts[-1].ByteSize() + piece.ByteSize() > LARGEST_PART - _ENVELOPE and parts[-1].ByteSize():
            parts.append(Snapshot())
        parts[-1].MergeFrom(piece)
    parts[-1].last_part = True
    last = [Item(snapshot=parts[-1])]
    if state.header.status in OVER:
        end = GameEnd(game_id=state.game_id, seq=state.seq, status=state.header.status, score=state.score)
        end.phases.extend(state.phases)
        last.append(Item(game_end=end))
    teams = (state.header.home.team_id, state.header.away.team_id)
    return GameSnapshot(
        epoch=state.epoch,
        seq=state.seq,
        status=state.header.status,
        team_ids=tuple(team for team in teams if team),
        changed_at=state.accepted_at.seconds,
        parts=(*(encoded(Item(snapshot=part)) for part in parts[:-1]), encoded(*last)),
    )


def _pieces(state: GameState, statistics: GameStatistics) -> Iterator[Snapshot]:
    """Snapshots that merge into the whole: it in one if it fits, else its lists line by line."""
    whole = Snapshot(state=state, statistics=statistics)
    if whole.ByteSize() <= LARGEST_PART - _ENVELOPE:
        yield whole
        return
    head = Snapshot(state=state, statistics=GameStatistics())
    head.state.ClearField("last_plays")
    yield head
    for play in state.last_plays:
        yield Snapshot(state=GameState(last_plays=[play]))
    for line in statistics.teams:
        yield Snapshot(statistics=GameStatistics(teams=[line]))
    for line in statistics.players:
        yield Snapshot(statistics=GameStatistics(players=[line]))
