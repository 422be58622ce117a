"""`python -m services.fanout`."""

from services.fanout.app import app
from services.fanout.settings import FanoutSettings
from services.runtime.service import run

if __name__ == "__main__":
    run("fanout", FanoutSettings, app)
