"""All sports by name."""

from services.gamestate.domain.sports import basketball, ice_hockey, soccer
from services.gamestate.domain.sports.sport import Credit, Sport

SPORTS: dict[str, Sport] = {sport.name: sport for sport in (ice_hockey.SPORT, basketball.SPORT, soccer.SPORT)}

__all__ = ["SPORTS", "Credit", "Sport"]
