"""What gamestate hears and says on the bus."""

from collections.abc import Callable

import structlog
from google.protobuf.message import DecodeError
from nats.aio.msg import Msg

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.state_pb2 import GameUpdate
from scoreline.gamestate.v1.gamestate_service_pb2 import ListHeadsResponse
from services.runtime.nats.bus import Bus

EVENTS = "ev.>"
HEADS = "heads"
_QUEUE = "gamestate"
# A message of the bus holds a megabyte; a head has at most some 250 bytes.
_HEADS_IN_A_MESSAGE = 2000

log: structlog.stdlib.BoundLogger = structlog.get_logger()


async def hear_events(bus: Bus, hear: Callable[[Event], None]) -> None:
    """Call `hear` for each event; each goes to one replica only."""

    async def on_message(message: Msg) -> None:
        try:
            event = Event.FromString(message.data)
        except DecodeError:
            log.warning("unreadable event on the bus", subject=message.subject)
            return
        hear(event)

    await bus.subscribe(EVENTS, on_message, queue=_QUEUE)


def publish_update(bus: Bus, update: GameUpdate, payload: bytes) -> None:
    """Publish an update, whose serialised form is `payload`."""
    headers = {
        "Nats-Msg-Id": f"{update.game_id}:{update.seq}",
        "game": update.game_id,
        "seq": str(update.seq),
        "epoch": update.epoch,
        "teams": ",".join(update.team_ids),
        "players": ",".join(_players(update)),
    }
    bus.publish(f"upd.{update.event.sport}.{update.game_id}", payload, headers)


def _players(update: GameUpdate) -> list[str]:
    """Players that the update is of: those who take part, took part before, or lose or gain a statistic by it."""
    plays = update.event.play.play, update.correction.play_before
    taking_part = {participant.player_id for play in plays for participant in play.participants}
    counted = {delta.subject_id for delta in update.statistics if delta.subject_id != delta.team_id}
    return sorted((taking_part | counted) - {""})


def publish_heads(bus: Bus, heads: ListHeadsResponse) -> None:
    """Publish heads, in several messages when they are too many for one."""
    for start in range(0, len(heads.heads), _HEADS_IN_A_MESSAGE) or (0,):
        part = ListHeadsResponse(heads=heads.heads[start : start + _HEADS_IN_A_MESSAGE], read_time=heads.read_time)
        bus.publish(HEADS, part.SerializeToString())
