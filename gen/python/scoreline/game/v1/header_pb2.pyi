import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from scoreline.game.v1 import play_pb2 as _play_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_STATUS_UNSPECIFIED: _ClassVar[GameStatus]
    GAME_STATUS_SCHEDULED: _ClassVar[GameStatus]
    GAME_STATUS_PRE_GAME: _ClassVar[GameStatus]
    GAME_STATUS_LIVE: _ClassVar[GameStatus]
    GAME_STATUS_BREAK: _ClassVar[GameStatus]
    GAME_STATUS_SUSPENDED: _ClassVar[GameStatus]
    GAME_STATUS_POSTPONED: _ClassVar[GameStatus]
    GAME_STATUS_ABANDONED: _ClassVar[GameStatus]
    GAME_STATUS_FINAL: _ClassVar[GameStatus]
    GAME_STATUS_DELETED: _ClassVar[GameStatus]
GAME_STATUS_UNSPECIFIED: GameStatus
GAME_STATUS_SCHEDULED: GameStatus
GAME_STATUS_PRE_GAME: GameStatus
GAME_STATUS_LIVE: GameStatus
GAME_STATUS_BREAK: GameStatus
GAME_STATUS_SUSPENDED: GameStatus
GAME_STATUS_POSTPONED: GameStatus
GAME_STATUS_ABANDONED: GameStatus
GAME_STATUS_FINAL: GameStatus
GAME_STATUS_DELETED: GameStatus

class Header(_message.Message):
    __slots__ = ("sport", "status", "home", "away", "competition", "scheduled_at", "venue", "score", "position", "clock_running", "score_includes_shootout_winner", "neutral")
    SPORT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    HOME_FIELD_NUMBER: _ClassVar[int]
    AWAY_FIELD_NUMBER: _ClassVar[int]
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_AT_FIELD_NUMBER: _ClassVar[int]
    VENUE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CLOCK_RUNNING_FIELD_NUMBER: _ClassVar[int]
    SCORE_INCLUDES_SHOOTOUT_WINNER_FIELD_NUMBER: _ClassVar[int]
    NEUTRAL_FIELD_NUMBER: _ClassVar[int]
    sport: str
    status: GameStatus
    home: Team
    away: Team
    competition: Competition
    scheduled_at: _timestamp_pb2.Timestamp
    venue: str
    score: Score
    position: _play_pb2.Position
    clock_running: bool
    score_includes_shootout_winner: bool
    neutral: bool
    def __init__(self, sport: _Optional[str] = ..., status: _Optional[_Union[GameStatus, str]] = ..., home: _Optional[_Union[Team, _Mapping]] = ..., away: _Optional[_Union[Team, _Mapping]] = ..., competition: _Optional[_Union[Competition, _Mapping]] = ..., scheduled_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., venue: _Optional[str] = ..., score: _Optional[_Union[Score, _Mapping]] = ..., position: _Optional[_Union[_play_pb2.Position, _Mapping]] = ..., clock_running: _Optional[bool] = ..., score_includes_shootout_winner: _Optional[bool] = ..., neutral: _Optional[bool] = ...) -> None: ...

class Team(_message.Message):
    __slots__ = ("team_id", "name", "abbreviation")
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ABBREVIATION_FIELD_NUMBER: _ClassVar[int]
    team_id: str
    name: str
    abbreviation: str
    def __init__(self, team_id: _Optional[str] = ..., name: _Optional[str] = ..., abbreviation: _Optional[str] = ...) -> None: ...

class Competition(_message.Message):
    __slots__ = ("competition_id", "name", "season")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    name: str
    season: str
    def __init__(self, competition_id: _Optional[str] = ..., name: _Optional[str] = ..., season: _Optional[str] = ...) -> None: ...

class Score(_message.Message):
    __slots__ = ("home", "away")
    HOME_FIELD_NUMBER: _ClassVar[int]
    AWAY_FIELD_NUMBER: _ClassVar[int]
    home: int
    away: int
    def __init__(self, home: _Optional[int] = ..., away: _Optional[int] = ...) -> None: ...

class Roster(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[RosterEntry]
    def __init__(self, entries: _Optional[_Iterable[_Union[RosterEntry, _Mapping]]] = ...) -> None: ...

class RosterEntry(_message.Message):
    __slots__ = ("player_id", "name", "team_id", "jersey", "position", "starter")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    JERSEY_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    STARTER_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    name: str
    team_id: str
    jersey: str
    position: str
    starter: bool
    def __init__(self, player_id: _Optional[str] = ..., name: _Optional[str] = ..., team_id: _Optional[str] = ..., jersey: _Optional[str] = ..., position: _Optional[str] = ..., starter: _Optional[bool] = ...) -> None: ...
