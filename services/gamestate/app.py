"""Composition root of gamestate."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from scoreline.gamestate.v1 import gamestate_service_pb2_grpc as rpc
from services.eventlog.log import EventLog
from services.gamestate.apply.applier import Applier
from services.gamestate.apply.memory import Memory
from services.gamestate.apply.step import Steps
from services.gamestate.audit import Audit
from services.gamestate.bus import hear_events, publish_update
from services.gamestate.heads import Heads
from services.gamestate.rebuild import Rebuild
from services.gamestate.server import SERVICE, GamestateServicer
from services.gamestate.settings import GamestateSettings
from services.gamestate.store.derived import DerivedStore
from services.gamestate.store.games import Games
from services.gamestate.store.plays import Plays
from services.gamestate.store.updates import Updates
from services.gamestate.sweeper import Sweeper
from services.runtime.db.migrate import migrate
from services.runtime.db.pool import open_pool
from services.runtime.nats.bus import Bus
from services.runtime.rpc.server import RpcServer

# All that is written goes by primary key: planning anew for the values at hand costs more than it finds.
_SESSION = {"plan_cache_mode": "force_generic_plan"}
_READERS = 4  # connections for calls, apart from those of the apply loop, so that readers do not hold it up


_LARGEST_REQUEST = 1024 * 1024  # bytes


@asynccontextmanager
async def app(settings: GamestateSettings) -> AsyncGenerator[RpcServer]:
    """Everything of gamestate, running while the block runs."""
    await migrate(settings.postgres_url, "services.eventlog.migrations")
    await migrate(settings.postgres_url, "services.gamestate.migrations")
    workers = settings.apply_workers
    async with (
        open_pool(settings.postgres_url, min_size=workers, max_size=workers, session=_SESSION) as writes,
        open_pool(settings.postgres_url, min_size=2, max_size=2 + _READERS) as reads,
        await Bus.connect(settings.nats_url, "gamestate") as bus,
        asyncio.TaskGroup() as tasks,
    ):
        await bus.ensure_streams()
        memory = Memory(settings.plays_in_memory)
        applier = Applier(Steps(writes, EventLog(writes), memory, partial(publish_update, bus)), memory)
        event_log, games, derived = EventLog(reads), Games(reads), DerivedStore(reads)
        heads = Heads(games, bus)
        server = RpcServer(settings, services=[SERVICE], largest_request=_LARGEST_REQUEST)
        servicer = GamestateServicer(
            event_log=event_log,
            games=games,
            plays=Plays(reads),
            updates=Updates(reads),
            heads=heads,
            applier=applier,
            rebuild=Rebuild(event_log, derived, applier),
            audit=Audit(event_log, games, derived),
        )
        rpc.add_GamestateServiceServicer_to_server(servicer, server.grpc)
        loops = [
            *(tasks.create_task(applier.work()) for _ in range(workers)),
            tasks.create_task(Sweeper(event_log, games, applier).run(settings.sweep_every)),
            tasks.create_task(heads.run(settings.heads_every)),
        ]
        await hear_events(bus, applier.hear)
        try:
            yield server
        finally:
            for loop in loops:
                loop.cancel()
