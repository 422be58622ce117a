"""`python -m services.gamestate`."""

from services.gamestate.app import app
from services.gamestate.settings import GamestateSettings
from services.runtime.service import run

if __name__ == "__main__":
    run("gamestate", GamestateSettings, app)
