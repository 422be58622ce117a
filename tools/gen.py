"""Generate gen/ from proto/: Python messages, type stubs and services, and the descriptor set.

`--check` generates into a temporary folder and fails when the committed files differ.
"""

import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = sorted((ROOT / "proto" / "scoreline").rglob("*.proto"))
VENDORED = [ROOT / "proto" / "vendor" / "buf" / "validate" / "validate.proto"]


def _protoc(out: Path) -> None:
    python = out / "python"
    python.mkdir(parents=True)
    roots = [ROOT / "proto" / "vendor", ROOT / "proto"]  # vendor first: its files keep their own import names
    base = [sys.executable, "-m", "grpc_tools.protoc", *(f"-I{root}" for root in roots)]
    bin_dir = Path(sys.executable).parent
    services = [path for path in OURS if path.name.endswith("_service.proto")]
    subprocess.run([*base, f"--python_out={python}", f"--pyi_out={python}", *map(str, OURS + VENDORED)], check=True)
    plugin = f"--plugin=protoc-gen-mypy_grpc={bin_dir / 'protoc-gen-mypy_grpc'}"
    subprocess.run(
        [*base, plugin, f"--grpc_python_out={python}", f"--mypy_grpc_out={python}", *map(str, services)],
        check=True,
    )
    descriptor = f"--descriptor_set_out={out / 'descriptor.binpb'}"
    subprocess.run([*base, descriptor, "--include_imports", "--include_source_info", *map(str, OURS)], check=True)


def _differences(left: Path, right: Path) -> list[str]:
    def files(root: Path) -> set[Path]:
        found = {path.relative_to(root) for path in root.rglob("*") if path.is_file()}
        return {path for path in found if "__pycache__" not in path.parts}

    a, b = files(left), files(right)
    changed = [path for path in a & b if not filecmp.cmp(left / path, right / path, shallow=False)]
    return sorted(map(str, (a ^ b) | set(changed)))


def main() -> int:
    gen = ROOT / "gen"
    with tempfile.TemporaryDirectory() as temporary:
        fresh = Path(temporary) / "gen"
        _protoc(fresh)
        if "--check" in sys.argv[1:]:
            stale = _differences(gen, fresh)
            for path in stale:
                print(f"stale: gen/{path} (run `make gen`)")
            return 1 if stale else 0
        shutil.rmtree(gen, ignore_errors=True)
        shutil.copytree(fresh, gen)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
