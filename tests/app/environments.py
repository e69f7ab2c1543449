"""Virtual environments as projects have them, made offline: packages are folders of a few lines."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

#: What a project has that installed pytest.
PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py")


def make_environment(folder: Path, python: str = sys.executable, **files: str) -> Path:
    """A virtual environment without pip; ``files`` are texts of its packages, by module name."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    for name, text in files.items():
        package = site_packages(folder) / name
        package.mkdir()
        (package / "__init__.py").write_text(text)
    return folder


def site_packages(environment: Path) -> Path:
    (found,) = environment.glob("lib/python3*/site-packages")
    return found


def install_pytest(environment: Path) -> None:
    """The pytest of these tests, as packages of the environment."""
    for name in PYTEST:
        origin = Path(find_spec(name).origin)
        origin = origin.parent if origin.name == "__init__.py" else origin
        for part in (origin, *origin.parent.glob(f"{name}-*.dist-info")):
            (site_packages(environment) / part.name).symlink_to(part)


@cache
def interpreters() -> dict[tuple[int, int], str]:
    """Version -> an interpreter that is installed on this machine."""
    names = [f"python3.{minor}" for minor in range(8, 16)]
    places = [Path(folder, name) for folder in _folders() for name in names]
    found: dict[tuple[int, int], str] = {}
    for place in places:
        if place.is_file():
            question = "import sys, venv; print(*sys.version_info[:2], sys.base_prefix)"
            done = subprocess.run(
                [place, "-I", "-c", question], capture_output=True, text=True, check=False
            )
            if done.returncode == 0:
                major, minor, prefix = done.stdout.strip().split(" ", 2)
                real = Path(prefix, "bin", f"python{major}.{minor}")
                found.setdefault((int(major), int(minor)), str(real if real.exists() else place))
    return found


def _folders() -> list[Path]:
    """Where interpreters stand: those of this one and of its sister versions, and of the system."""
    base = Path(sys.base_prefix)
    return [
        base / "bin",
        *sorted(base.parent.glob("*/bin")),
        Path("/usr/local/bin"),
        Path("/usr/bin"),
    ]
