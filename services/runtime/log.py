"""Structured logs on standard error: lines for people, or JSON for machines."""

import logging
import re
import sys

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_SECRET_NAMES = frozenset({"authorization", "bearer", "key", "api_key", "operator_key", "password", "secret", "token"})
_URL_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+(?=@)")
_BEARER = re.compile(r"(?i)(?<=bearer )\S+")
_HIDDEN = "(hidden)"


def configure(service: str, log_format: str) -> None:
    """Sends this process's logs, those of libraries too, to standard error.

    Each line has the time, the level and the service, and inside a call its request id. Keys, passwords and the
    credentials in URLs are hidden.

    Args:
        service: name of the service, on each line.
        log_format: "json", or "console" for people.
    """

    def add_service(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        event["service"] = service
        return event

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_service,
        structlog.processors.format_exc_info,
        hide_secrets,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(log_format)],
        )
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for chatty in ("alembic", "httpx", "uvicorn.access"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # warns of each attempt; our pool tells of an outage once


def hide_secrets(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Hides values that are named like secrets, credentials in URLs, and bearers in text."""
    for name, value in event.items():
        if name in _SECRET_NAMES:
            event[name] = _HIDDEN
        elif isinstance(value, str) and ("://" in value or "earer " in value):
            event[name] = _BEARER.sub(_HIDDEN, _URL_CREDENTIALS.sub(_HIDDEN, value))
    return event


def _renderer(log_format: str) -> Processor:
    if log_format == "json":
        return structlog.processors.JSONRenderer(serializer=_to_json)
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())


def _to_json(event: EventDict, **_: object) -> str:
    # Dataclasses by their repr, which leaves out what is not to be shown.
    return orjson.dumps(event, default=str, option=orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS).decode()
