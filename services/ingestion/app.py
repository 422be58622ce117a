"""Composition root of ingestion."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from scoreline.ingestion.v1 import dead_letter_service_pb2_grpc as letters_rpc
from scoreline.ingestion.v1 import ingestion_service_pb2_grpc as ingestion_rpc
from scoreline.ingestion.v1 import provider_key_service_pb2_grpc as keys_rpc
from services.eventlog.log import EventLog
from services.ingestion.batching import GameBatches
from services.ingestion.bus import EventPublisher
from services.ingestion.intake import Intake
from services.ingestion.keyring import Keyring
from services.ingestion.parsing import Parser
from services.ingestion.refusal import Refusals
from services.ingestion.server import CHECKS_ITSELF, DeadLetterServicer, IngestionServicer, ProviderKeyServicer
from services.ingestion.settings import IngestionSettings
from services.ingestion.store import DeadLetters, ProviderKeys
from services.runtime.db.migrate import migrate
from services.runtime.db.pool import open_pool
from services.runtime.nats.bus import Bus
from services.runtime.rpc.server import RpcServer

_SERVICES = [
    f"scoreline.ingestion.v1.{name}" for name in ("IngestionService", "ProviderKeyService", "DeadLetterService")
]
# Connections for keys, dead letters and reads, whatever the games do.
_OTHERS = 2
# Every statement finds its rows by their keys, so that planning it anew for each game's partition brings nothing and
# costs as much as running it.
_SESSION = {"plan_cache_mode": "force_generic_plan"}


@asynccontextmanager
async def app(settings: IngestionSettings) -> AsyncGenerator[RpcServer]:
    """Open everything that ingestion needs, and give its server."""
    await migrate(settings.postgres_url, "services.eventlog.migrations")
    await migrate(settings.postgres_url, "services.ingestion.migrations")
    async with (
        Parser(settings.parse_processes) as parser,
        open_pool(settings.postgres_url, min_size=2, max_size=settings.commits + _OTHERS, session=_SESSION) as pool,
        await Bus.connect(settings.nats_url, "ingestion") as bus,
    ):
        await bus.ensure_streams()
        event_log, publisher = EventLog(pool), EventPublisher(bus)
        provider_keys, dead_letters = ProviderKeys(pool), DeadLetters(pool)
        keyring = Keyring(provider_keys, settings.key_cache)
        async with GameBatches(event_log, publisher, settings.commits) as batches:
            intake = Intake(event_log, batches, parser, Refusals(dead_letters), publisher)
            server = RpcServer(settings, services=_SERVICES, checks_itself=CHECKS_ITSELF)
            ingestion_rpc.add_IngestionServiceServicer_to_server(
                IngestionServicer(intake, keyring, settings.patience, server.draining), server.grpc
            )
            keys_rpc.add_ProviderKeyServiceServicer_to_server(ProviderKeyServicer(provider_keys, keyring), server.grpc)
            letters_rpc.add_DeadLetterServiceServicer_to_server(
                DeadLetterServicer(dead_letters, event_log), server.grpc
            )
            yield server
