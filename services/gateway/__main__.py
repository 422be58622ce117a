"""python -m services.gateway"""

from services.gateway.app import app
from services.gateway.settings import GatewaySettings
from services.runtime.service import run

if __name__ == "__main__":
    run("gateway", GatewaySettings, app)
