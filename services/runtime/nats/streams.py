"""The JetStream streams, which keep what went over the bus for a day."""

from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig
from nats.js.errors import BadRequestError

_DAY = 24 * 3600.0  # seconds
_LARGEST = 1024 * 1024 * 1024  # bytes
_DUPLICATE_WINDOW = 120.0  # seconds; an optimisation, nothing relies on it
_SUBJECTS = {"EV": "ev.>", "UPD": "upd.>"}


async def make_streams(jetstream: JetStreamContext, replicas: int) -> None:
    """Makes the streams of events and updates, or brings them to these settings. Raises nats.errors.Error."""
    for name, subject in _SUBJECTS.items():
        config = StreamConfig(
            name=name,
            subjects=[subject],
            storage=StorageType.FILE,
            discard=DiscardPolicy.OLD,
            max_age=_DAY,
            max_bytes=_LARGEST,
            duplicate_window=_DUPLICATE_WINDOW,
            num_replicas=replicas,
        )
        try:
            await jetstream.add_stream(config)  # pyright: ignore[reportUnknownMemberType]
        except BadRequestError:  # it is there with other settings
            await jetstream.update_stream(config)  # pyright: ignore[reportUnknownMemberType]
