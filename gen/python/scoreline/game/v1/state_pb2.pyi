import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from scoreline.game.v1 import event_pb2 as _event_pb2
from scoreline.game.v1 import header_pb2 as _header_pb2
from scoreline.game.v1 import play_pb2 as _play_pb2
from scoreline.game.v1 import source_pb2 as _source_pb2
from scoreline.game.v1 import sports_pb2 as _sports_pb2
from scoreline.game.v1 import stats_pb2 as _stats_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CorrectionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CORRECTION_KIND_UNSPECIFIED: _ClassVar[CorrectionKind]
    CORRECTION_KIND_UPDATED: _ClassVar[CorrectionKind]
    CORRECTION_KIND_CONFIRMED: _ClassVar[CorrectionKind]
    CORRECTION_KIND_CANCELLED: _ClassVar[CorrectionKind]
    CORRECTION_KIND_REINSTATED: _ClassVar[CorrectionKind]
CORRECTION_KIND_UNSPECIFIED: CorrectionKind
CORRECTION_KIND_UPDATED: CorrectionKind
CORRECTION_KIND_CONFIRMED: CorrectionKind
CORRECTION_KIND_CANCELLED: CorrectionKind
CORRECTION_KIND_REINSTATED: CorrectionKind

class GameState(_message.Message):
    __slots__ = ("game_id", "seq", "epoch", "header", "score", "confirmed_score", "phases", "periods", "position", "adjustments", "last_plays", "play_count", "correction_count", "corrected_after_final", "degraded", "accepted_at", "soccer", "ice_hockey", "basketball", "baseball", "american_football", "cricket")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_SCORE_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    PERIODS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ADJUSTMENTS_FIELD_NUMBER: _ClassVar[int]
    LAST_PLAYS_FIELD_NUMBER: _ClassVar[int]
    PLAY_COUNT_FIELD_NUMBER: _ClassVar[int]
    CORRECTION_COUNT_FIELD_NUMBER: _ClassVar[int]
    CORRECTED_AFTER_FINAL_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_AT_FIELD_NUMBER: _ClassVar[int]
    SOCCER_FIELD_NUMBER: _ClassVar[int]
    ICE_HOCKEY_FIELD_NUMBER: _ClassVar[int]
    BASKETBALL_FIELD_NUMBER: _ClassVar[int]
    BASEBALL_FIELD_NUMBER: _ClassVar[int]
    AMERICAN_FOOTBALL_FIELD_NUMBER: _ClassVar[int]
    CRICKET_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seq: int
    epoch: str
    header: _header_pb2.Header
    score: _header_pb2.Score
    confirmed_score: _header_pb2.Score
    phases: _containers.RepeatedCompositeFieldContainer[PhaseScore]
    periods: _containers.RepeatedCompositeFieldContainer[PeriodScore]
    position: _play_pb2.Position
    adjustments: _containers.RepeatedCompositeFieldContainer[Adjustment]
    last_plays: _containers.RepeatedCompositeFieldContainer[_play_pb2.Play]
    play_count: int
    correction_count: int
    corrected_after_final: bool
    degraded: bool
    accepted_at: _timestamp_pb2.Timestamp
    soccer: _sports_pb2.SoccerSituation
    ice_hockey: _sports_pb2.IceHockeySituation
    basketball: _sports_pb2.BasketballSituation
    baseball: _sports_pb2.BaseballSituation
    american_football: _sports_pb2.AmericanFootballSituation
    cricket: _sports_pb2.CricketSituation
    def __init__(self, game_id: _Optional[str] = ..., seq: _Optional[int] = ..., epoch: _Optional[str] = ..., header: _Optional[_Union[_header_pb2.Header, _Mapping]] = ..., score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., confirmed_score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., phases: _Optional[_Iterable[_Union[PhaseScore, _Mapping]]] = ..., periods: _Optional[_Iterable[_Union[PeriodScore, _Mapping]]] = ..., position: _Optional[_Union[_play_pb2.Position, _Mapping]] = ..., adjustments: _Optional[_Iterable[_Union[Adjustment, _Mapping]]] = ..., last_plays: _Optional[_Iterable[_Union[_play_pb2.Play, _Mapping]]] = ..., play_count: _Optional[int] = ..., correction_count: _Optional[int] = ..., corrected_after_final: _Optional[bool] = ..., degraded: _Optional[bool] = ..., accepted_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., soccer: _Optional[_Union[_sports_pb2.SoccerSituation, _Mapping]] = ..., ice_hockey: _Optional[_Union[_sports_pb2.IceHockeySituation, _Mapping]] = ..., basketball: _Optional[_Union[_sports_pb2.BasketballSituation, _Mapping]] = ..., baseball: _Optional[_Union[_sports_pb2.BaseballSituation, _Mapping]] = ..., american_football: _Optional[_Union[_sports_pb2.AmericanFootballSituation, _Mapping]] = ..., cricket: _Optional[_Union[_sports_pb2.CricketSituation, _Mapping]] = ...) -> None: ...

class PhaseScore(_message.Message):
    __slots__ = ("phase", "score")
    PHASE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    phase: _play_pb2.Phase
    score: _header_pb2.Score
    def __init__(self, phase: _Optional[_Union[_play_pb2.Phase, str]] = ..., score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ...) -> None: ...

class PeriodScore(_message.Message):
    __slots__ = ("period", "phase", "score")
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    period: int
    phase: _play_pb2.Phase
    score: _header_pb2.Score
    def __init__(self, period: _Optional[int] = ..., phase: _Optional[_Union[_play_pb2.Phase, str]] = ..., score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ...) -> None: ...

class Adjustment(_message.Message):
    __slots__ = ("reason", "points")
    REASON_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    reason: str
    points: _header_pb2.Score
    def __init__(self, reason: _Optional[str] = ..., points: _Optional[_Union[_header_pb2.Score, _Mapping]] = ...) -> None: ...

class TimelineEntry(_message.Message):
    __slots__ = ("play", "score", "seq", "retracted", "reason", "late")
    PLAY_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    RETRACTED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    play: _play_pb2.Play
    score: _header_pb2.Score
    seq: int
    retracted: bool
    reason: str
    late: bool
    def __init__(self, play: _Optional[_Union[_play_pb2.Play, _Mapping]] = ..., score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., seq: _Optional[int] = ..., retracted: _Optional[bool] = ..., reason: _Optional[str] = ..., late: _Optional[bool] = ...) -> None: ...

class GameUpdate(_message.Message):
    __slots__ = ("game_id", "seq", "epoch", "event", "score_before", "score", "confirmed_score", "phases", "status", "position", "late", "after_play_id", "score_at_play", "scores_changed_from", "statistics", "correction", "notable", "team_ids", "times")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    SCORE_BEFORE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    CONFIRMED_SCORE_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    LATE_FIELD_NUMBER: _ClassVar[int]
    AFTER_PLAY_ID_FIELD_NUMBER: _ClassVar[int]
    SCORE_AT_PLAY_FIELD_NUMBER: _ClassVar[int]
    SCORES_CHANGED_FROM_FIELD_NUMBER: _ClassVar[int]
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    CORRECTION_FIELD_NUMBER: _ClassVar[int]
    NOTABLE_FIELD_NUMBER: _ClassVar[int]
    TEAM_IDS_FIELD_NUMBER: _ClassVar[int]
    TIMES_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    seq: int
    epoch: str
    event: _event_pb2.Event
    score_before: _header_pb2.Score
    score: _header_pb2.Score
    confirmed_score: _header_pb2.Score
    phases: _containers.RepeatedCompositeFieldContainer[PhaseScore]
    status: _header_pb2.GameStatus
    position: _play_pb2.Position
    late: bool
    after_play_id: str
    score_at_play: _header_pb2.Score
    scores_changed_from: str
    statistics: _containers.RepeatedCompositeFieldContainer[_stats_pb2.StatDelta]
    correction: Correction
    notable: bool
    team_ids: _containers.RepeatedScalarFieldContainer[str]
    times: _source_pb2.Times
    def __init__(self, game_id: _Optional[str] = ..., seq: _Optional[int] = ..., epoch: _Optional[str] = ..., event: _Optional[_Union[_event_pb2.Event, _Mapping]] = ..., score_before: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., confirmed_score: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., phases: _Optional[_Iterable[_Union[PhaseScore, _Mapping]]] = ..., status: _Optional[_Union[_header_pb2.GameStatus, str]] = ..., position: _Optional[_Union[_play_pb2.Position, _Mapping]] = ..., late: _Optional[bool] = ..., after_play_id: _Optional[str] = ..., score_at_play: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., scores_changed_from: _Optional[str] = ..., statistics: _Optional[_Iterable[_Union[_stats_pb2.StatDelta, _Mapping]]] = ..., correction: _Optional[_Union[Correction, _Mapping]] = ..., notable: _Optional[bool] = ..., team_ids: _Optional[_Iterable[str]] = ..., times: _Optional[_Union[_source_pb2.Times, _Mapping]] = ...) -> None: ...

class Correction(_message.Message):
    __slots__ = ("play_id", "kind", "reason", "score_before", "score_after", "play_before")
    PLAY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SCORE_BEFORE_FIELD_NUMBER: _ClassVar[int]
    SCORE_AFTER_FIELD_NUMBER: _ClassVar[int]
    PLAY_BEFORE_FIELD_NUMBER: _ClassVar[int]
    play_id: str
    kind: CorrectionKind
    reason: str
    score_before: _header_pb2.Score
    score_after: _header_pb2.Score
    play_before: _play_pb2.Play
    def __init__(self, play_id: _Optional[str] = ..., kind: _Optional[_Union[CorrectionKind, str]] = ..., reason: _Optional[str] = ..., score_before: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., score_after: _Optional[_Union[_header_pb2.Score, _Mapping]] = ..., play_before: _Optional[_Union[_play_pb2.Play, _Mapping]] = ...) -> None: ...
