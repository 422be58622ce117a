from scoreline.game.v1 import header_pb2 as _header_pb2
from scoreline.game.v1 import play_pb2 as _play_pb2
from scoreline.game.v1 import source_pb2 as _source_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ChangeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHANGE_KIND_UNSPECIFIED: _ClassVar[ChangeKind]
    CHANGE_KIND_INSERT: _ClassVar[ChangeKind]
    CHANGE_KIND_UPDATE: _ClassVar[ChangeKind]
    CHANGE_KIND_DELETE: _ClassVar[ChangeKind]

class RulingKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RULING_KIND_UNSPECIFIED: _ClassVar[RulingKind]
    RULING_KIND_SETTLE: _ClassVar[RulingKind]
    RULING_KIND_CLOSE: _ClassVar[RulingKind]
    RULING_KIND_SWITCH_SOURCE: _ClassVar[RulingKind]
CHANGE_KIND_UNSPECIFIED: ChangeKind
CHANGE_KIND_INSERT: ChangeKind
CHANGE_KIND_UPDATE: ChangeKind
CHANGE_KIND_DELETE: ChangeKind
RULING_KIND_UNSPECIFIED: RulingKind
RULING_KIND_SETTLE: RulingKind
RULING_KIND_CLOSE: RulingKind
RULING_KIND_SWITCH_SOURCE: RulingKind

class Event(_message.Message):
    __slots__ = ("game_id", "seq", "event_id", "sport", "source", "times", "play", "header", "roster", "ruling")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    SPORT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    ROSTER_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seq: int
    event_id: str
    sport: str
    source: _source_pb2.Source
    times: _source_pb2.Times
    play: PlayChange
    header: HeaderChange
    roster: _header_pb2.Roster
    ruling: Ruling
    def __init__(self, game_id: _Optional[str] = ..., seq: _Optional[int] = ..., event_id: _Optional[str] = ..., sport: _Optional[str] = ..., source: _Optional[_Union[_source_pb2.Source, _Mapping]] = ..., times: _Optional[_Union[_source_pb2.Times, _Mapping]] = ..., play: _Optional[_Union[PlayChange, _Mapping]] = ..., header: _Optional[_Union[HeaderChange, _Mapping]] = ..., roster: _Optional[_Union[_header_pb2.Roster, _Mapping]] = ..., ruling: _Optional[_Union[Ruling, _Mapping]] = ...) -> None: ...

class PlayChange(_message.Message):
    __slots__ = ("kind", "play", "revision", "reason")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    kind: ChangeKind
    play: _play_pb2.Play
    revision: str
    reason: str
    def __init__(self, kind: _Optional[_Union[ChangeKind, str]] = ..., play: _Optional[_Union[_play_pb2.Play, _Mapping]] = ..., revision: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class HeaderChange(_message.Message):
    __slots__ = ("header", "revision", "opening", "current", "as_of")
    HEADER_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    OPENING_FIELD_NUMBER: _ClassVar[int]
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    header: _header_pb2.Header
    revision: str
    opening: bool
    current: bool
    as_of: _play_pb2.Position
    def __init__(self, header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., revision: _Optional[str] = ..., opening: _Optional[bool] = ..., current: _Optional[bool] = ..., as_of: _Optional[_Union[_play_pb2.Position, _Mapping]] = ...) -> None: ...

class Ruling(_message.Message):
    __slots__ = ("kind", "reason", "provider")
    KIND_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    kind: RulingKind
    reason: str
    provider: str
    def __init__(self, kind: _Optional[_Union[RulingKind, str]] = ..., reason: _Optional[str] = ..., provider: _Optional[str] = ...) -> None: ...
