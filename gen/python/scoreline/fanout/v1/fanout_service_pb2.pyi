import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from scoreline.game.v1 import header_pb2 as _header_pb2
from scoreline.game.v1 import state_pb2 as _state_pb2
from scoreline.game.v1 import stats_pb2 as _stats_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StartMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    START_MODE_UNSPECIFIED: _ClassVar[StartMode]
    START_MODE_SNAPSHOT: _ClassVar[StartMode]
    START_MODE_RESUMED: _ClassVar[StartMode]
    START_MODE_LIVE: _ClassVar[StartMode]

class ResetReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESET_REASON_UNSPECIFIED: _ClassVar[ResetReason]
    RESET_REASON_EPOCH_CHANGED: _ClassVar[ResetReason]
    RESET_REASON_POSITION_UNKNOWN: _ClassVar[ResetReason]
    RESET_REASON_TARGETS_CHANGED: _ClassVar[ResetReason]

class Freshness(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FRESHNESS_UNSPECIFIED: _ClassVar[Freshness]
    FRESHNESS_FRESH: _ClassVar[Freshness]
    FRESHNESS_STALE: _ClassVar[Freshness]
    FRESHNESS_DOWN: _ClassVar[Freshness]
    FRESHNESS_RECOVERED: _ClassVar[Freshness]
START_MODE_UNSPECIFIED: StartMode
START_MODE_SNAPSHOT: StartMode
START_MODE_RESUMED: StartMode
START_MODE_LIVE: StartMode
RESET_REASON_UNSPECIFIED: ResetReason
RESET_REASON_EPOCH_CHANGED: ResetReason
RESET_REASON_POSITION_UNKNOWN: ResetReason
RESET_REASON_TARGETS_CHANGED: ResetReason
FRESHNESS_UNSPECIFIED: Freshness
FRESHNESS_FRESH: Freshness
FRESHNESS_STALE: Freshness
FRESHNESS_DOWN: Freshness
FRESHNESS_RECOVERED: Freshness

class SubscribeRequest(_message.Message):
    __slots__ = ("targets", "resume_token", "heartbeat", "skip_snapshot")
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    SKIP_SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    targets: _containers.RepeatedCompositeFieldContainer[Target]
    resume_token: str
    heartbeat: _duration_pb2.Duration
    skip_snapshot: bool
    def __init__(self, targets: _Optional[_Iterable[_Union[Target, _Mapping]]] = ..., resume_token: _Optional[str] = ..., heartbeat: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., skip_snapshot: _Optional[bool] = ...) -> None: ...

class Target(_message.Message):
    __slots__ = ("game_id", "team_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    team_id: str
    def __init__(self, game_id: _Optional[str] = ..., team_id: _Optional[str] = ...) -> None: ...

class SubscribeResponse(_message.Message):
    __slots__ = ("items", "resume_token", "server_time")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    RESUME_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SERVER_TIME_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[Item]
    resume_token: str
    server_time: _timestamp_pb2.Timestamp
    def __init__(self, items: _Optional[_Iterable[_Union[Item, _Mapping]]] = ..., resume_token: _Optional[str] = ..., server_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Item(_message.Message):
    __slots__ = ("accepted", "snapshot", "update", "correction", "caught_up", "heartbeat", "reset", "game_end", "source_status", "reconnect")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    CORRECTION_FIELD_NUMBER: _ClassVar[int]
    CAUGHT_UP_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    GAME_END_FIELD_NUMBER: _ClassVar[int]
    SOURCE_STATUS_FIELD_NUMBER: _ClassVar[int]
    RECONNECT_FIELD_NUMBER: _ClassVar[int]
    accepted: Accepted
    snapshot: Snapshot
    update: Delivery
    correction: Delivery
    caught_up: CaughtUp
    heartbeat: Heartbeat
    reset: Reset
    game_end: GameEnd
    source_status: SourceStatus
    reconnect: Reconnect
    def __init__(self, accepted: _Optional[_Union[Accepted, _Mapping]] = ..., snapshot: _Optional[_Union[Snapshot, _Mapping]] = ..., update: _Optional[_Union[Delivery, _Mapping]] = ..., correction: _Optional[_Union[Delivery, _Mapping]] = ..., caught_up: _Optional[_Union[CaughtUp, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., reset: _Optional[_Union[Reset, _Mapping]] = ..., game_end: _Optional[_Union[GameEnd, _Mapping]] = ..., source_status: _Optional[_Union[SourceStatus, _Mapping]] = ..., reconnect: _Optional[_Union[Reconnect, _Mapping]] = ...) -> None: ...

class Accepted(_message.Message):
    __slots__ = ("mode", "heartbeat", "heads", "subscription_id")
    MODE_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    HEADS_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    mode: StartMode
    heartbeat: _duration_pb2.Duration
    heads: _containers.RepeatedCompositeFieldContainer[GameHead]
    subscription_id: str
    def __init__(self, mode: _Optional[_Union[StartMode, str]] = ..., heartbeat: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., heads: _Optional[_Iterable[_Union[GameHead, _Mapping]]] = ..., subscription_id: _Optional[str] = ...) -> None: ...

class GameHead(_message.Message):
    __slots__ = ("game_id", "seq")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seq: int
    def __init__(self, game_id: _Optional[str] = ..., seq: _Optional[int] = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ("state", "statistics", "last_part")
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    LAST_PART_FIELD_NUMBER: _ClassVar[int]
    state: _state_pb2.GameState
    statistics: _stats_pb2.GameStatistics
    last_part: bool
    def __init__(self, state: _Optional[_Union[_state_pb2.GameState, _Mapping]] = ..., statistics: _Optional[_Union[_stats_pb2.GameStatistics, _Mapping]] = ..., last_part: _Optional[bool] = ...) -> None: ...

class Delivery(_message.Message):
    __slots__ = ("update", "prev_delivered_seq", "reasons")
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    PREV_DELIVERED_SEQ_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    update: _state_pb2.GameUpdate
    prev_delivered_seq: int
    reasons: _containers.RepeatedCompositeFieldContainer[Target]
    def __init__(self, update: _Optional[_Union[_state_pb2.GameUpdate, _Mapping]] = ..., prev_delivered_seq: _Optional[int] = ..., reasons: _Optional[_Iterable[_Union[Target, _Mapping]]] = ...) -> None: ...

class CaughtUp(_message.Message):
    __slots__ = ("replayed",)
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    replayed: int
    def __init__(self, replayed: _Optional[int] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("heads",)
    HEADS_FIELD_NUMBER: _ClassVar[int]
    heads: _containers.RepeatedCompositeFieldContainer[GameHead]
    def __init__(self, heads: _Optional[_Iterable[_Union[GameHead, _Mapping]]] = ...) -> None: ...

class Reset(_message.Message):
    __slots__ = ("game_id", "reason")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    reason: ResetReason
    def __init__(self, game_id: _Optional[str] = ..., reason: _Optional[_Union[ResetReason, str]] = ...) -> None: ...

class GameEnd(_message.Message):
    __slots__ = ("game_id", "seq", "status", "score", "phases")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seq: int
    status: _header_pb2.GameStatus
    score: _header_pb2.Score
    phases: _containers.RepeatedCompositeFieldContainer[_state_pb2.PhaseScore]
    def __init__(self, game_id: _Optional[str] = ..., seq: _Optional[int] = ..., status: _Optional[_Union[_header_pb2.GameStatus, str]] = ..., score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., phases: _Optional[_Iterable[_Union[_state_pb2.PhaseScore, _Mapping]]] = ...) -> None: ...

class SourceStatus(_message.Message):
    __slots__ = ("freshness", "since", "detail")
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    freshness: Freshness
    since: _timestamp_pb2.Timestamp
    detail: str
    def __init__(self, freshness: _Optional[_Union[Freshness, str]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., detail: _Optional[str] = ...) -> None: ...

class Reconnect(_message.Message):
    __slots__ = ("within",)
    WITHIN_FIELD_NUMBER: _ClassVar[int]
    within: _duration_pb2.Duration
    def __init__(self, within: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...
