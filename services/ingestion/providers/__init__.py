"""All adapters by name."""

from services.ingestion.providers import nhl, scoreline, sportradar_nba_push
from services.ingestion.providers.provider import Provider, Unreadable

PROVIDERS: dict[str, Provider] = {
    provider.name: provider for provider in (nhl.PROVIDER, sportradar_nba_push.PROVIDER, scoreline.PROVIDER)
}

__all__ = ["PROVIDERS", "Provider", "Unreadable"]
