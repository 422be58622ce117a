"""`python -m services.ingestion` runs the ingestion service."""

from services.ingestion.app import app
from services.ingestion.settings import IngestionSettings
from services.runtime.service import run

if __name__ == "__main__":
    run("ingestion", IngestionSettings, app)
