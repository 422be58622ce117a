import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from scoreline.game.v1 import header_pb2 as _header_pb2
from scoreline.game.v1 import play_pb2 as _play_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Observation(_message.Message):
    __slots__ = ("game_id", "header", "header_revision", "header_as_of", "roster", "plays", "scope", "complete", "version")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    HEADER_REVISION_FIELD_NUMBER: _ClassVar[int]
    HEADER_AS_OF_FIELD_NUMBER: _ClassVar[int]
    ROSTER_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    header: _header_pb2.Header
    header_revision: str
    header_as_of: _play_pb2.Position
    roster: _header_pb2.Roster
    plays: _containers.RepeatedCompositeFieldContainer[PlayReport]
    scope: str
    complete: bool
    version: str
    def __init__(self, game_id: _Optional[str] = ..., header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., header_revision: _Optional[str] = ..., header_as_of: _Optional[_Union[_play_pb2.Position, _Mapping]] = ..., roster: _Optional[_Union[_header_pb2.Roster, _Mapping]] = ..., plays: _Optional[_Iterable[_Union[PlayReport, _Mapping]]] = ..., scope: _Optional[str] = ..., complete: _Optional[bool] = ..., version: _Optional[str] = ...) -> None: ...

class PlayReport(_message.Message):
    __slots__ = ("play", "deleted", "reason", "revision", "event_id")
    PLAY_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    play: _play_pb2.Play
    deleted: bool
    reason: str
    revision: str
    event_id: str
    def __init__(self, play: _Optional[_Union[_play_pb2.Play, _Mapping]] = ..., deleted: _Optional[bool] = ..., reason: _Optional[str] = ..., revision: _Optional[str] = ..., event_id: _Optional[str] = ...) -> None: ...

class Source(_message.Message):
    __slots__ = ("provider", "raw_id")
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    RAW_ID_FIELD_NUMBER: _ClassVar[int]
    provider: str
    raw_id: int
    def __init__(self, provider: _Optional[str] = ..., raw_id: _Optional[int] = ...) -> None: ...

class Times(_message.Message):
    __slots__ = ("occurred_at", "received_at", "accepted_at", "published_at")
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    RECEIVED_AT_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_AT_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_AT_FIELD_NUMBER: _ClassVar[int]
    occurred_at: _timestamp_pb2.Timestamp
    received_at: _timestamp_pb2.Timestamp
    accepted_at: _timestamp_pb2.Timestamp
    published_at: _timestamp_pb2.Timestamp
    def __init__(self, occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., received_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., accepted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., published_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
