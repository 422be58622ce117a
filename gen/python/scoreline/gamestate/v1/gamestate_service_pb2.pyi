import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from scoreline.game.v1 import header_pb2 as _header_pb2
from scoreline.game.v1 import play_pb2 as _play_pb2
from scoreline.game.v1 import state_pb2 as _state_pb2
from scoreline.game.v1 import stats_pb2 as _stats_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetGameRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class GetGameResponse(_message.Message):
    __slots__ = ("state", "statistics")
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    state: _state_pb2.GameState
    statistics: _stats_pb2.GameStatistics
    def __init__(self, state: _Optional[_Union[_state_pb2.GameState, _Mapping]] = ..., statistics: _Optional[_Union[_stats_pb2.GameStatistics, _Mapping]] = ...) -> None: ...

class ListPlaysRequest(_message.Message):
    __slots__ = ("game_id", "page_size", "page_token", "descending", "include_retracted", "play_classes")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DESCENDING_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_RETRACTED_FIELD_NUMBER: _ClassVar[int]
    PLAY_CLASSES_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    page_size: int
    page_token: str
    descending: bool
    include_retracted: bool
    play_classes: _containers.RepeatedScalarFieldContainer[_play_pb2.PlayClass]
    def __init__(self, game_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., descending: _Optional[bool] = ..., include_retracted: _Optional[bool] = ..., play_classes: _Optional[_Iterable[_Union[_play_pb2.PlayClass, str]]] = ...) -> None: ...

class ListPlaysResponse(_message.Message):
    __slots__ = ("plays", "next_page_token", "seq")
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    plays: _containers.RepeatedCompositeFieldContainer[_state_pb2.TimelineEntry]
    next_page_token: str
    seq: int
    def __init__(self, plays: _Optional[_Iterable[_Union[_state_pb2.TimelineEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., seq: _Optional[int] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("team_id", "statuses", "page_size", "page_token")
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    STATUSES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    statuses: _containers.RepeatedScalarFieldContainer[_header_pb2.GameStatus]
    page_size: int
    page_token: str
    def __init__(self, team_id: _Optional[str] = ..., statuses: _Optional[_Iterable[_Union[_header_pb2.GameStatus, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "next_page_token")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameSummary]
    next_page_token: str
    def __init__(self, games: _Optional[_Iterable[_Union[GameSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GameSummary(_message.Message):
    __slots__ = ("game_id", "seq", "epoch", "header", "score", "position", "update_time", "phases")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seq: int
    epoch: str
    header: _header_pb2.Header
    score: _header_pb2.Score
    position: _play_pb2.Position
    update_time: _timestamp_pb2.Timestamp
    phases: _containers.RepeatedCompositeFieldContainer[_state_pb2.PhaseScore]
    def __init__(self, game_id: _Optional[str] = ..., seq: _Optional[int] = ..., epoch: _Optional[str] = ..., header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., position: _Optional[_Union[_play_pb2.Position, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., phases: _Optional[_Iterable[_Union[_state_pb2.PhaseScore, _Mapping]]] = ...) -> None: ...

class ListUpdatesRequest(_message.Message):
    __slots__ = ("game_id", "after_seq", "page_size")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQ_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    after_seq: int
    page_size: int
    def __init__(self, game_id: _Optional[str] = ..., after_seq: _Optional[int] = ..., page_size: _Optional[int] = ...) -> None: ...

class ListUpdatesResponse(_message.Message):
    __slots__ = ("updates", "newest_seq", "epoch")
    UPDATES_FIELD_NUMBER: _ClassVar[int]
    NEWEST_SEQ_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    updates: _containers.RepeatedCompositeFieldContainer[_state_pb2.GameUpdate]
    newest_seq: int
    epoch: str
    def __init__(self, updates: _Optional[_Iterable[_Union[_state_pb2.GameUpdate, _Mapping]]] = ..., newest_seq: _Optional[int] = ..., epoch: _Optional[str] = ...) -> None: ...

class ListHeadsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListHeadsResponse(_message.Message):
    __slots__ = ("heads", "read_time")
    HEADS_FIELD_NUMBER: _ClassVar[int]
    READ_TIME_FIELD_NUMBER: _ClassVar[int]
    heads: _containers.RepeatedCompositeFieldContainer[Head]
    read_time: _timestamp_pb2.Timestamp
    def __init__(self, heads: _Optional[_Iterable[_Union[Head, _Mapping]]] = ..., read_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Head(_message.Message):
    __slots__ = ("game_id", "seq", "epoch", "team_ids", "status")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    TEAM_IDS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seq: int
    epoch: str
    team_ids: _containers.RepeatedScalarFieldContainer[str]
    status: _header_pb2.GameStatus
    def __init__(self, game_id: _Optional[str] = ..., seq: _Optional[int] = ..., epoch: _Optional[str] = ..., team_ids: _Optional[_Iterable[str]] = ..., status: _Optional[_Union[_header_pb2.GameStatus, str]] = ...) -> None: ...

class RebuildGameRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class RebuildGameResponse(_message.Message):
    __slots__ = ("seq", "changed", "epoch")
    SEQ_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    seq: int
    changed: bool
    epoch: str
    def __init__(self, seq: _Optional[int] = ..., changed: _Optional[bool] = ..., epoch: _Optional[str] = ...) -> None: ...

class AuditGameRequest(_message.Message):
    __slots__ = ("game_id",)
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    def __init__(self, game_id: _Optional[str] = ...) -> None: ...

class AuditGameResponse(_message.Message):
    __slots__ = ("events", "applied_seq", "findings")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    APPLIED_SEQ_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    events: int
    applied_seq: int
    findings: _containers.RepeatedCompositeFieldContainer[Finding]
    def __init__(self, events: _Optional[int] = ..., applied_seq: _Optional[int] = ..., findings: _Optional[_Iterable[_Union[Finding, _Mapping]]] = ...) -> None: ...

class Finding(_message.Message):
    __slots__ = ("check", "message")
    CHECK_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    check: str
    message: str
    def __init__(self, check: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...
