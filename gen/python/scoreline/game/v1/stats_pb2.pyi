from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StatKey(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAT_KEY_UNSPECIFIED: _ClassVar[StatKey]
    STAT_KEY_POINTS: _ClassVar[StatKey]
    STAT_KEY_ASSISTS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_GOALS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_SHOTS_ON_GOAL: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_MISSED_SHOTS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_SHOTS_BLOCKED: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_BLOCKS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_HITS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_PENALTY_MINUTES: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_PENALTIES: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_FACEOFFS_WON: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_FACEOFFS_LOST: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_GIVEAWAYS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_TAKEAWAYS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_SHOTS_AGAINST: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_SAVES: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_GOALS_AGAINST: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_POWER_PLAY_GOALS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_SHORT_HANDED_GOALS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_SHOOTOUT_GOALS: _ClassVar[StatKey]
    STAT_KEY_HOCKEY_SHOOTOUT_ATTEMPTS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_FIELD_GOALS_MADE: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_FIELD_GOALS_ATTEMPTED: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_THREE_POINTERS_MADE: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_THREE_POINTERS_ATTEMPTED: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_FREE_THROWS_MADE: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_FREE_THROWS_ATTEMPTED: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_OFFENSIVE_REBOUNDS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_DEFENSIVE_REBOUNDS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_REBOUNDS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_STEALS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_BLOCKS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_TURNOVERS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_PERSONAL_FOULS: _ClassVar[StatKey]
    STAT_KEY_BASKETBALL_TECHNICAL_FOULS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_GOALS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_OWN_GOALS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_YELLOW_CARDS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_RED_CARDS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_SHOTS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_SHOTS_ON_TARGET: _ClassVar[StatKey]
    STAT_KEY_SOCCER_FOULS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_CORNERS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_OFFSIDES: _ClassVar[StatKey]
    STAT_KEY_SOCCER_SAVES: _ClassVar[StatKey]
    STAT_KEY_SOCCER_PENALTIES_MISSED: _ClassVar[StatKey]
    STAT_KEY_SOCCER_SHOOTOUT_GOALS: _ClassVar[StatKey]
    STAT_KEY_SOCCER_SHOOTOUT_ATTEMPTS: _ClassVar[StatKey]
STAT_KEY_UNSPECIFIED: StatKey
STAT_KEY_POINTS: StatKey
STAT_KEY_ASSISTS: StatKey
STAT_KEY_HOCKEY_GOALS: StatKey
STAT_KEY_HOCKEY_SHOTS_ON_GOAL: StatKey
STAT_KEY_HOCKEY_MISSED_SHOTS: StatKey
STAT_KEY_HOCKEY_SHOTS_BLOCKED: StatKey
STAT_KEY_HOCKEY_BLOCKS: StatKey
STAT_KEY_HOCKEY_HITS: StatKey
STAT_KEY_HOCKEY_PENALTY_MINUTES: StatKey
STAT_KEY_HOCKEY_PENALTIES: StatKey
STAT_KEY_HOCKEY_FACEOFFS_WON: StatKey
STAT_KEY_HOCKEY_FACEOFFS_LOST: StatKey
STAT_KEY_HOCKEY_GIVEAWAYS: StatKey
STAT_KEY_HOCKEY_TAKEAWAYS: StatKey
STAT_KEY_HOCKEY_SHOTS_AGAINST: StatKey
STAT_KEY_HOCKEY_SAVES: StatKey
STAT_KEY_HOCKEY_GOALS_AGAINST: StatKey
STAT_KEY_HOCKEY_POWER_PLAY_GOALS: StatKey
STAT_KEY_HOCKEY_SHORT_HANDED_GOALS: StatKey
STAT_KEY_HOCKEY_SHOOTOUT_GOALS: StatKey
STAT_KEY_HOCKEY_SHOOTOUT_ATTEMPTS: StatKey
STAT_KEY_BASKETBALL_FIELD_GOALS_MADE: StatKey
STAT_KEY_BASKETBALL_FIELD_GOALS_ATTEMPTED: StatKey
STAT_KEY_BASKETBALL_THREE_POINTERS_MADE: StatKey
STAT_KEY_BASKETBALL_THREE_POINTERS_ATTEMPTED: StatKey
STAT_KEY_BASKETBALL_FREE_THROWS_MADE: StatKey
STAT_KEY_BASKETBALL_FREE_THROWS_ATTEMPTED: StatKey
STAT_KEY_BASKETBALL_OFFENSIVE_REBOUNDS: StatKey
STAT_KEY_BASKETBALL_DEFENSIVE_REBOUNDS: StatKey
STAT_KEY_BASKETBALL_REBOUNDS: StatKey
STAT_KEY_BASKETBALL_STEALS: StatKey
STAT_KEY_BASKETBALL_BLOCKS: StatKey
STAT_KEY_BASKETBALL_TURNOVERS: StatKey
STAT_KEY_BASKETBALL_PERSONAL_FOULS: StatKey
STAT_KEY_BASKETBALL_TECHNICAL_FOULS: StatKey
STAT_KEY_SOCCER_GOALS: StatKey
STAT_KEY_SOCCER_OWN_GOALS: StatKey
STAT_KEY_SOCCER_YELLOW_CARDS: StatKey
STAT_KEY_SOCCER_RED_CARDS: StatKey
STAT_KEY_SOCCER_SHOTS: StatKey
STAT_KEY_SOCCER_SHOTS_ON_TARGET: StatKey
STAT_KEY_SOCCER_FOULS: StatKey
STAT_KEY_SOCCER_CORNERS: StatKey
STAT_KEY_SOCCER_OFFSIDES: StatKey
STAT_KEY_SOCCER_SAVES: StatKey
STAT_KEY_SOCCER_PENALTIES_MISSED: StatKey
STAT_KEY_SOCCER_SHOOTOUT_GOALS: StatKey
STAT_KEY_SOCCER_SHOOTOUT_ATTEMPTS: StatKey

class GameStatistics(_message.Message):
    __slots__ = ("teams", "players")
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    teams: _containers.RepeatedCompositeFieldContainer[StatLine]
    players: _containers.RepeatedCompositeFieldContainer[StatLine]
    def __init__(self, teams: _Optional[_Iterable[_Union[StatLine, _Mapping]]] = ..., players: _Optional[_Iterable[_Union[StatLine, _Mapping]]] = ...) -> None: ...

class StatLine(_message.Message):
    __slots__ = ("subject_id", "team_id", "name", "stats")
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATS_FIELD_NUMBER: _ClassVar[int]
    subject_id: str
    team_id: str
    name: str
    stats: _containers.RepeatedCompositeFieldContainer[Stat]
    def __init__(self, subject_id: _Optional[str] = ..., team_id: _Optional[str] = ..., name: _Optional[str] = ..., stats: _Optional[_Iterable[_Union[Stat, _Mapping]]] = ...) -> None: ...

class Stat(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: StatKey
    value: int
    def __init__(self, key: _Optional[_Union[StatKey, str]] = ..., value: _Optional[int] = ...) -> None: ...

class StatDelta(_message.Message):
    __slots__ = ("subject_id", "team_id", "key", "delta")
    SUBJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    subject_id: str
    team_id: str
    key: StatKey
    delta: int
    def __init__(self, subject_id: _Optional[str] = ..., team_id: _Optional[str] = ..., key: _Optional[_Union[StatKey, str]] = ..., delta: _Optional[int] = ...) -> None: ...
