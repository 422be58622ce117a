"""What the tests of promises share."""

from collections.abc import AsyncGenerator

import pytest

from services.cli.mesh import Endpoints
from services.runtime.local import Stack
from tests.support.mesh import Mesh


@pytest.fixture(scope="session")
async def outside(mesh: tuple[Stack, Endpoints]) -> AsyncGenerator[Mesh]:
    """The running stack as those outside see it."""
    async with Mesh.to(mesh[1]) as outside:
        yield outside
