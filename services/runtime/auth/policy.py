"""Who may call what. A method that is not here is refused."""

from enum import Enum, auto


class Access(Enum):
    """What a method asks of its caller."""

    PUBLIC = auto()
    """Nothing."""
    VIEWER = auto()
    """Nothing while reads are public, else the operator's key."""
    PROVIDER = auto()
    """A key; the service looks up what it allows. The operator's key is good for every provider."""
    OPERATOR = auto()
    """The operator's key."""


_INGESTION = "/scoreline.ingestion.v1"
_GAMESTATE = "/scoreline.gamestate.v1.GamestateService"

POLICY: dict[str, Access] = {
    "/grpc.health.v1.Health/Check": Access.PUBLIC,
    "/grpc.health.v1.Health/List": Access.PUBLIC,
    "/grpc.health.v1.Health/Watch": Access.PUBLIC,
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo": Access.PUBLIC,
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo": Access.PUBLIC,
    f"{_INGESTION}.IngestionService/Ingest": Access.PROVIDER,
    f"{_INGESTION}.IngestionService/IngestStream": Access.PROVIDER,
    f"{_INGESTION}.ProviderKeyService/CreateProviderKey": Access.OPERATOR,
    f"{_INGESTION}.ProviderKeyService/ListProviderKeys": Access.OPERATOR,
    f"{_INGESTION}.ProviderKeyService/RevokeProviderKey": Access.OPERATOR,
    f"{_INGESTION}.DeadLetterService/ListDeadLetters": Access.OPERATOR,
    f"{_INGESTION}.DeadLetterService/GetDeadLetter": Access.OPERATOR,
    f"{_GAMESTATE}/GetGame": Access.VIEWER,
    f"{_GAMESTATE}/ListPlays": Access.VIEWER,
    f"{_GAMESTATE}/ListGames": Access.VIEWER,
    f"{_GAMESTATE}/ListUpdates": Access.VIEWER,
    f"{_GAMESTATE}/ListHeads": Access.VIEWER,
    f"{_GAMESTATE}/RebuildGame": Access.OPERATOR,
    f"{_GAMESTATE}/AuditGame": Access.OPERATOR,
    "/scoreline.fanout.v1.FanoutService/Subscribe": Access.VIEWER,
}
