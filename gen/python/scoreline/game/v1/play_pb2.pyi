import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from scoreline.game.v1 import sports_pb2 as _sports_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlayClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAY_CLASS_UNSPECIFIED: _ClassVar[PlayClass]
    PLAY_CLASS_PERIOD: _ClassVar[PlayClass]
    PLAY_CLASS_SCORE: _ClassVar[PlayClass]
    PLAY_CLASS_ATTEMPT: _ClassVar[PlayClass]
    PLAY_CLASS_DISCIPLINE: _ClassVar[PlayClass]
    PLAY_CLASS_SUBSTITUTION: _ClassVar[PlayClass]
    PLAY_CLASS_REVIEW: _ClassVar[PlayClass]
    PLAY_CLASS_STOPPAGE: _ClassVar[PlayClass]
    PLAY_CLASS_ADJUSTMENT: _ClassVar[PlayClass]
    PLAY_CLASS_ACTION: _ClassVar[PlayClass]

class PlayStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAY_STATUS_UNSPECIFIED: _ClassVar[PlayStatus]
    PLAY_STATUS_PROVISIONAL: _ClassVar[PlayStatus]
    PLAY_STATUS_CONFIRMED: _ClassVar[PlayStatus]
    PLAY_STATUS_CANCELLED: _ClassVar[PlayStatus]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_REGULATION: _ClassVar[Phase]
    PHASE_EXTRA_TIME: _ClassVar[Phase]
    PHASE_SHOOTOUT: _ClassVar[Phase]
    PHASE_SUPER_OVER: _ClassVar[Phase]

class Side(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SIDE_UNSPECIFIED: _ClassVar[Side]
    SIDE_HOME: _ClassVar[Side]
    SIDE_AWAY: _ClassVar[Side]

class ParticipantRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PARTICIPANT_ROLE_UNSPECIFIED: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_SCORER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_ASSIST: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_SECOND_ASSIST: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_SHOOTER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_GOALKEEPER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_BLOCKER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_OFFENDER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_FOULED: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_SERVING: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_WINNER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_LOSER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_HITTER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_HITTEE: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_GIVEAWAY: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_TAKEAWAY: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_REBOUNDER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_PASSER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_RECEIVER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_RUSHER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_KICKER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_TACKLER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_BATTER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_PITCHER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_RUNNER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_FIELDER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_BOWLER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_NON_STRIKER: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_DISMISSED: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_IN: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_OUT: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_COACH: _ClassVar[ParticipantRole]
    PARTICIPANT_ROLE_OFFICIAL: _ClassVar[ParticipantRole]
PLAY_CLASS_UNSPECIFIED: PlayClass
PLAY_CLASS_PERIOD: PlayClass
PLAY_CLASS_SCORE: PlayClass
PLAY_CLASS_ATTEMPT: PlayClass
PLAY_CLASS_DISCIPLINE: PlayClass
PLAY_CLASS_SUBSTITUTION: PlayClass
PLAY_CLASS_REVIEW: PlayClass
PLAY_CLASS_STOPPAGE: PlayClass
PLAY_CLASS_ADJUSTMENT: PlayClass
PLAY_CLASS_ACTION: PlayClass
PLAY_STATUS_UNSPECIFIED: PlayStatus
PLAY_STATUS_PROVISIONAL: PlayStatus
PLAY_STATUS_CONFIRMED: PlayStatus
PLAY_STATUS_CANCELLED: PlayStatus
PHASE_UNSPECIFIED: Phase
PHASE_REGULATION: Phase
PHASE_EXTRA_TIME: Phase
PHASE_SHOOTOUT: Phase
PHASE_SUPER_OVER: Phase
SIDE_UNSPECIFIED: Side
SIDE_HOME: Side
SIDE_AWAY: Side
PARTICIPANT_ROLE_UNSPECIFIED: ParticipantRole
PARTICIPANT_ROLE_SCORER: ParticipantRole
PARTICIPANT_ROLE_ASSIST: ParticipantRole
PARTICIPANT_ROLE_SECOND_ASSIST: ParticipantRole
PARTICIPANT_ROLE_SHOOTER: ParticipantRole
PARTICIPANT_ROLE_GOALKEEPER: ParticipantRole
PARTICIPANT_ROLE_BLOCKER: ParticipantRole
PARTICIPANT_ROLE_OFFENDER: ParticipantRole
PARTICIPANT_ROLE_FOULED: ParticipantRole
PARTICIPANT_ROLE_SERVING: ParticipantRole
PARTICIPANT_ROLE_WINNER: ParticipantRole
PARTICIPANT_ROLE_LOSER: ParticipantRole
PARTICIPANT_ROLE_HITTER: ParticipantRole
PARTICIPANT_ROLE_HITTEE: ParticipantRole
PARTICIPANT_ROLE_GIVEAWAY: ParticipantRole
PARTICIPANT_ROLE_TAKEAWAY: ParticipantRole
PARTICIPANT_ROLE_REBOUNDER: ParticipantRole
PARTICIPANT_ROLE_PASSER: ParticipantRole
PARTICIPANT_ROLE_RECEIVER: ParticipantRole
PARTICIPANT_ROLE_RUSHER: ParticipantRole
PARTICIPANT_ROLE_KICKER: ParticipantRole
PARTICIPANT_ROLE_TACKLER: ParticipantRole
PARTICIPANT_ROLE_BATTER: ParticipantRole
PARTICIPANT_ROLE_PITCHER: ParticipantRole
PARTICIPANT_ROLE_RUNNER: ParticipantRole
PARTICIPANT_ROLE_FIELDER: ParticipantRole
PARTICIPANT_ROLE_BOWLER: ParticipantRole
PARTICIPANT_ROLE_NON_STRIKER: ParticipantRole
PARTICIPANT_ROLE_DISMISSED: ParticipantRole
PARTICIPANT_ROLE_IN: ParticipantRole
PARTICIPANT_ROLE_OUT: ParticipantRole
PARTICIPANT_ROLE_COACH: ParticipantRole
PARTICIPANT_ROLE_OFFICIAL: ParticipantRole

class Play(_message.Message):
    __slots__ = ("play_id", "play_class", "kind", "status", "position", "team_id", "participants", "scored", "text", "occurred_at", "soccer", "ice_hockey", "basketball", "baseball", "american_football", "cricket")
    PLAY_ID_FIELD_NUMBER: _ClassVar[int]
    PLAY_CLASS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    PARTICIPANTS_FIELD_NUMBER: _ClassVar[int]
    SCORED_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OCCURRED_AT_FIELD_NUMBER: _ClassVar[int]
    SOCCER_FIELD_NUMBER: _ClassVar[int]
    ICE_HOCKEY_FIELD_NUMBER: _ClassVar[int]
    BASKETBALL_FIELD_NUMBER: _ClassVar[int]
    BASEBALL_FIELD_NUMBER: _ClassVar[int]
    AMERICAN_FOOTBALL_FIELD_NUMBER: _ClassVar[int]
    CRICKET_FIELD_NUMBER: _ClassVar[int]
    play_id: str
    play_class: PlayClass
    kind: str
    status: PlayStatus
    position: Position
    team_id: str
    participants: _containers.RepeatedCompositeFieldContainer[Participant]
    scored: Scored
    text: str
    occurred_at: _timestamp_pb2.Timestamp
    soccer: _sports_pb2.SoccerPlay
    ice_hockey: _sports_pb2.IceHockeyPlay
    basketball: _sports_pb2.BasketballPlay
    baseball: _sports_pb2.BaseballPlay
    american_football: _sports_pb2.AmericanFootballPlay
    cricket: _sports_pb2.CricketPlay
    def __init__(self, play_id: _Optional[str] = ..., play_class: _Optional[_Union[PlayClass, str]] = ..., kind: _Optional[str] = ..., status: _Optional[_Union[PlayStatus, str]] = ..., position: _Optional[_Union[Position, _Mapping]] = ..., team_id: _Optional[str] = ..., participants: _Optional[_Iterable[_Union[Participant, _Mapping]]] = ..., scored: _Optional[_Union[Scored, _Mapping]] = ..., text: _Optional[str] = ..., occurred_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., soccer: _Optional[_Union[_sports_pb2.SoccerPlay, _Mapping]] = ..., ice_hockey: _Optional[_Union[_sports_pb2.IceHockeyPlay, _Mapping]] = ..., basketball: _Optional[_Union[_sports_pb2.BasketballPlay, _Mapping]] = ..., baseball: _Optional[_Union[_sports_pb2.BaseballPlay, _Mapping]] = ..., american_football: _Optional[_Union[_sports_pb2.AmericanFootballPlay, _Mapping]] = ..., cricket: _Optional[_Union[_sports_pb2.CricketPlay, _Mapping]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("period", "phase", "clock_ms", "order_key", "display")
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_MS_FIELD_NUMBER: _ClassVar[int]
    ORDER_KEY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_FIELD_NUMBER: _ClassVar[int]
    period: int
    phase: Phase
    clock_ms: int
    order_key: int
    display: str
    def __init__(self, period: _Optional[int] = ..., phase: _Optional[_Union[Phase, str]] = ..., clock_ms: _Optional[int] = ..., order_key: _Optional[int] = ..., display: _Optional[str] = ...) -> None: ...

class Scored(_message.Message):
    __slots__ = ("side", "points", "own_goal")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    OWN_GOAL_FIELD_NUMBER: _ClassVar[int]
    side: Side
    points: int
    own_goal: bool
    def __init__(self, side: _Optional[_Union[Side, str]] = ..., points: _Optional[int] = ..., own_goal: _Optional[bool] = ...) -> None: ...

class Participant(_message.Message):
    __slots__ = ("player_id", "name", "role", "team_id")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    name: str
    role: ParticipantRole
    team_id: str
    def __init__(self, player_id: _Optional[str] = ..., name: _Optional[str] = ..., role: _Optional[_Union[ParticipantRole, str]] = ..., team_id: _Optional[str] = ...) -> None: ...
