"""What all tests share: where the real feeds lie, and a running stack."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from services.cli.mesh import Endpoints, start_mesh
from services.runtime.local import Stack

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "feeds"


@pytest.fixture(scope="session")
def feeds() -> Path:
    """The folder of real feed files; they are no part of the project, so tests over them may have to be skipped."""
    folder = Path(os.environ.get("SCORELINE_FEEDS") or _BESIDE)
    if not folder.is_dir():
        if os.environ.get("SCORELINE_REQUIRE_FEEDS"):
            pytest.fail(f"the feeds are not at {folder}; SCORELINE_FEEDS names another folder")
        pytest.skip(f"the feeds are not at {folder}; SCORELINE_FEEDS names another folder")
    return folder


@pytest.fixture(scope="session")
async def mesh(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[tuple[Stack, Endpoints]]:
    """The whole of Scoreline with its engines, started once for all tests that only use it."""
    async with Stack(tmp_path_factory.mktemp("mesh")) as stack:
        yield stack, await start_mesh(stack)


@pytest.fixture(scope="session")
def mesh_data(mesh: tuple[Stack, Endpoints]) -> Path:
    """The data folder of that stack, as the command line wants it."""
    return mesh[0].folder.path
