from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SoccerPlay(_message.Message):
    __slots__ = ("card", "body_part", "pattern")
    class Card(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        CARD_UNSPECIFIED: _ClassVar[SoccerPlay.Card]
        CARD_YELLOW: _ClassVar[SoccerPlay.Card]
        CARD_SECOND_YELLOW: _ClassVar[SoccerPlay.Card]
        CARD_RED: _ClassVar[SoccerPlay.Card]
    CARD_UNSPECIFIED: SoccerPlay.Card
    CARD_YELLOW: SoccerPlay.Card
    CARD_SECOND_YELLOW: SoccerPlay.Card
    CARD_RED: SoccerPlay.Card
    CARD_FIELD_NUMBER: _ClassVar[int]
    BODY_PART_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    card: SoccerPlay.Card
    body_part: str
    pattern: str
    def __init__(self, card: _Optional[_Union[SoccerPlay.Card, str]] = ..., body_part: _Optional[str] = ..., pattern: _Optional[str] = ...) -> None: ...

class IceHockeyPlay(_message.Message):
    __slots__ = ("strength", "empty_net", "shot_type", "penalty_minutes", "reason", "zone", "penalty_shot", "on_ice")
    class Strength(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STRENGTH_UNSPECIFIED: _ClassVar[IceHockeyPlay.Strength]
        STRENGTH_EVEN: _ClassVar[IceHockeyPlay.Strength]
        STRENGTH_POWER_PLAY: _ClassVar[IceHockeyPlay.Strength]
        STRENGTH_SHORT_HANDED: _ClassVar[IceHockeyPlay.Strength]
    STRENGTH_UNSPECIFIED: IceHockeyPlay.Strength
    STRENGTH_EVEN: IceHockeyPlay.Strength
    STRENGTH_POWER_PLAY: IceHockeyPlay.Strength
    STRENGTH_SHORT_HANDED: IceHockeyPlay.Strength
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    EMPTY_NET_FIELD_NUMBER: _ClassVar[int]
    SHOT_TYPE_FIELD_NUMBER: _ClassVar[int]
    PENALTY_MINUTES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ZONE_FIELD_NUMBER: _ClassVar[int]
    PENALTY_SHOT_FIELD_NUMBER: _ClassVar[int]
    ON_ICE_FIELD_NUMBER: _ClassVar[int]
    strength: IceHockeyPlay.Strength
    empty_net: bool
    shot_type: str
    penalty_minutes: int
    reason: str
    zone: str
    penalty_shot: bool
    on_ice: IceHockeySituation
    def __init__(self, strength: _Optional[_Union[IceHockeyPlay.Strength, str]] = ..., empty_net: _Optional[bool] = ..., shot_type: _Optional[str] = ..., penalty_minutes: _Optional[int] = ..., reason: _Optional[str] = ..., zone: _Optional[str] = ..., penalty_shot: _Optional[bool] = ..., on_ice: _Optional[_Union[IceHockeySituation, _Mapping]] = ...) -> None: ...

class BasketballPlay(_message.Message):
    __slots__ = ("shot_value", "shot_type", "rebound", "foul_type", "turnover_type", "attempt")
    class Rebound(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        REBOUND_UNSPECIFIED: _ClassVar[BasketballPlay.Rebound]
        REBOUND_OFFENSIVE: _ClassVar[BasketballPlay.Rebound]
        REBOUND_DEFENSIVE: _ClassVar[BasketballPlay.Rebound]
    REBOUND_UNSPECIFIED: BasketballPlay.Rebound
    REBOUND_OFFENSIVE: BasketballPlay.Rebound
    REBOUND_DEFENSIVE: BasketballPlay.Rebound
    SHOT_VALUE_FIELD_NUMBER: _ClassVar[int]
    SHOT_TYPE_FIELD_NUMBER: _ClassVar[int]
    REBOUND_FIELD_NUMBER: _ClassVar[int]
    FOUL_TYPE_FIELD_NUMBER: _ClassVar[int]
    TURNOVER_TYPE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    shot_value: int
    shot_type: str
    rebound: BasketballPlay.Rebound
    foul_type: str
    turnover_type: str
    attempt: str
    def __init__(self, shot_value: _Optional[int] = ..., shot_type: _Optional[str] = ..., rebound: _Optional[_Union[BasketballPlay.Rebound, str]] = ..., foul_type: _Optional[str] = ..., turnover_type: _Optional[str] = ..., attempt: _Optional[str] = ...) -> None: ...

class BaseballPlay(_message.Message):
    __slots__ = ("top", "balls", "strikes", "outs", "on_first", "on_second", "on_third")
    TOP_FIELD_NUMBER: _ClassVar[int]
    BALLS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    OUTS_FIELD_NUMBER: _ClassVar[int]
    ON_FIRST_FIELD_NUMBER: _ClassVar[int]
    ON_SECOND_FIELD_NUMBER: _ClassVar[int]
    ON_THIRD_FIELD_NUMBER: _ClassVar[int]
    top: bool
    balls: int
    strikes: int
    outs: int
    on_first: bool
    on_second: bool
    on_third: bool
    def __init__(self, top: _Optional[bool] = ..., balls: _Optional[int] = ..., strikes: _Optional[int] = ..., outs: _Optional[int] = ..., on_first: _Optional[bool] = ..., on_second: _Optional[bool] = ..., on_third: _Optional[bool] = ...) -> None: ...

class AmericanFootballPlay(_message.Message):
    __slots__ = ("down", "distance", "yard_line", "yards", "score_type")
    DOWN_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    YARD_LINE_FIELD_NUMBER: _ClassVar[int]
    YARDS_FIELD_NUMBER: _ClassVar[int]
    SCORE_TYPE_FIELD_NUMBER: _ClassVar[int]
    down: int
    distance: int
    yard_line: str
    yards: int
    score_type: str
    def __init__(self, down: _Optional[int] = ..., distance: _Optional[int] = ..., yard_line: _Optional[str] = ..., yards: _Optional[int] = ..., score_type: _Optional[str] = ...) -> None: ...

class CricketPlay(_message.Message):
    __slots__ = ("over", "delivery", "batter_runs", "extras", "extras_type", "dismissal")
    OVER_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    BATTER_RUNS_FIELD_NUMBER: _ClassVar[int]
    EXTRAS_FIELD_NUMBER: _ClassVar[int]
    EXTRAS_TYPE_FIELD_NUMBER: _ClassVar[int]
    DISMISSAL_FIELD_NUMBER: _ClassVar[int]
    over: int
    delivery: int
    batter_runs: int
    extras: int
    extras_type: str
    dismissal: str
    def __init__(self, over: _Optional[int] = ..., delivery: _Optional[int] = ..., batter_runs: _Optional[int] = ..., extras: _Optional[int] = ..., extras_type: _Optional[str] = ..., dismissal: _Optional[str] = ...) -> None: ...

class IceHockeySituation(_message.Message):
    __slots__ = ("home_skaters", "away_skaters", "home_net_empty", "away_net_empty")
    HOME_SKATERS_FIELD_NUMBER: _ClassVar[int]
    AWAY_SKATERS_FIELD_NUMBER: _ClassVar[int]
    HOME_NET_EMPTY_FIELD_NUMBER: _ClassVar[int]
    AWAY_NET_EMPTY_FIELD_NUMBER: _ClassVar[int]
    home_skaters: int
    away_skaters: int
    home_net_empty: bool
    away_net_empty: bool
    def __init__(self, home_skaters: _Optional[int] = ..., away_skaters: _Optional[int] = ..., home_net_empty: _Optional[bool] = ..., away_net_empty: _Optional[bool] = ...) -> None: ...

class BasketballSituation(_message.Message):
    __slots__ = ("home_fouls", "away_fouls", "possession_team_id")
    HOME_FOULS_FIELD_NUMBER: _ClassVar[int]
    AWAY_FOULS_FIELD_NUMBER: _ClassVar[int]
    POSSESSION_TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    home_fouls: int
    away_fouls: int
    possession_team_id: str
    def __init__(self, home_fouls: _Optional[int] = ..., away_fouls: _Optional[int] = ..., possession_team_id: _Optional[str] = ...) -> None: ...

class SoccerSituation(_message.Message):
    __slots__ = ("home_red_cards", "away_red_cards")
    HOME_RED_CARDS_FIELD_NUMBER: _ClassVar[int]
    AWAY_RED_CARDS_FIELD_NUMBER: _ClassVar[int]
    home_red_cards: int
    away_red_cards: int
    def __init__(self, home_red_cards: _Optional[int] = ..., away_red_cards: _Optional[int] = ...) -> None: ...

class BaseballSituation(_message.Message):
    __slots__ = ("top", "balls", "strikes", "outs", "on_first", "on_second", "on_third")
    TOP_FIELD_NUMBER: _ClassVar[int]
    BALLS_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    OUTS_FIELD_NUMBER: _ClassVar[int]
    ON_FIRST_FIELD_NUMBER: _ClassVar[int]
    ON_SECOND_FIELD_NUMBER: _ClassVar[int]
    ON_THIRD_FIELD_NUMBER: _ClassVar[int]
    top: bool
    balls: int
    strikes: int
    outs: int
    on_first: bool
    on_second: bool
    on_third: bool
    def __init__(self, top: _Optional[bool] = ..., balls: _Optional[int] = ..., strikes: _Optional[int] = ..., outs: _Optional[int] = ..., on_first: _Optional[bool] = ..., on_second: _Optional[bool] = ..., on_third: _Optional[bool] = ...) -> None: ...

class AmericanFootballSituation(_message.Message):
    __slots__ = ("possession_team_id", "down", "distance", "yard_line")
    POSSESSION_TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    DOWN_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_FIELD_NUMBER: _ClassVar[int]
    YARD_LINE_FIELD_NUMBER: _ClassVar[int]
    possession_team_id: str
    down: int
    distance: int
    yard_line: str
    def __init__(self, possession_team_id: _Optional[str] = ..., down: _Optional[int] = ..., distance: _Optional[int] = ..., yard_line: _Optional[str] = ...) -> None: ...

class CricketSituation(_message.Message):
    __slots__ = ("batting_team_id", "wickets", "legal_balls", "target")
    BATTING_TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    WICKETS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_BALLS_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    batting_team_id: str
    wickets: int
    legal_balls: int
    target: int
    def __init__(self, batting_team_id: _Optional[str] = ..., wickets: _Optional[int] = ..., legal_balls: _Optional[int] = ..., target: _Optional[int] = ...) -> None: ...
