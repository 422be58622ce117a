"""The real parts on one machine, without set-up: engines and children, for `scoreline up` and for tests.

Knows no service of ours: what runs beside the engines is given as `ChildSpec`s.
"""

from services.runtime.local.child import Child, ChildSpec, Notice, Probe, Tell
from services.runtime.local.engine import Engine, MakeEngine
from services.runtime.local.errors import (
    BinaryMissing,
    BinaryUnusable,
    ChildExited,
    ChildFailed,
    ChildNotReady,
    EngineUnreachable,
    FolderInUse,
    FolderUnusable,
    LocalError,
)
from services.runtime.local.folder import DataFolder
from services.runtime.local.launch import die_with_parent
from services.runtime.local.mongo import mongo_server
from services.runtime.local.nats import nats_server
from services.runtime.local.ports import free_port
from services.runtime.local.postgres import postgres_server
from services.runtime.local.stack import Stack

__all__ = [
    "BinaryMissing",
    "BinaryUnusable",
    "Child",
    "ChildExited",
    "ChildFailed",
    "ChildNotReady",
    "ChildSpec",
    "DataFolder",
    "Engine",
    "EngineUnreachable",
    "FolderInUse",
    "FolderUnusable",
    "LocalError",
    "MakeEngine",
    "Notice",
    "Probe",
    "Stack",
    "Tell",
    "die_with_parent",
    "free_port",
    "mongo_server",
    "nats_server",
    "postgres_server",
]
