"""Finds the interpreter of the project, which runs the code under test and its suite.

Invariant: an interpreter is asked, in a process of its own, before it is used; what is installed
beside unitcraft is visible to it only as far as ``lent`` names it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from unitcraft.app.config import Config
from unitcraft.app.lendable import LENDABLE, lent_to
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN, Interpreter

#: The oldest Python that the guarded side runs on.
MIN_VERSION: Final = (3, 11)

#: Wall seconds that an interpreter may take to say what it is: a cold start on a slow disk.
MAX_ANSWER_SECONDS: Final = 30.0

#: Folders of a virtual environment in which its interpreter stands, as seen from the environment.
_PLACES: Final = ("bin/python", "bin/python3")

#: Has an interpreter, however old, describe itself.
QUESTION: Final = """
import json, os, sys
found = {"version": list(sys.version_info[:3]), "text": sys.version, "prefix": sys.prefix,
         "executable": sys.executable, "path": [entry for entry in sys.path if entry]}
found["kind"] = getattr(getattr(sys, "implementation", None), "name", "")
if found["version"] >= [3, 8]:
    from importlib import metadata, util
    offered = {}
    for name in sys.argv[1:]:
        if util.find_spec(name) is not None:
            try:
                offered[name] = metadata.version(name)
            except metadata.PackageNotFoundError:
                offered[name] = ""
    found["offered"] = offered
    folders = [entry for entry in found["path"] if os.path.isdir(entry)]
    found["installed"] = [
        name for folder in folders for name in sorted(os.listdir(folder))
        if name.endswith((".dist-info", ".egg-info", ".pth", ".egg-link"))
    ]
print(json.dumps(found))
"""


def find_python(config: Config, targets: Sequence[str], cwd: Path) -> Interpreter:
    """The interpreter for ``targets``.

    It is the one that the settings name, else that of VIRTUAL_ENV, else that of the ``.venv``
    beside the nearest pyproject.toml above the first target, else unitcraft's own.  Raises
    UnitcraftError: ``python-not-found``, ``python-not-usable``, ``python-not-supported``.
    """
    if config.python:
        return interpreter_at(_named(config.python, config.root))
    for folder in _environments(targets, cwd):
        found = _interpreter_of(folder)
        if found is not None:
            own = os.path.realpath(folder) == os.path.realpath(sys.prefix)
            return OWN if own else interpreter_at(found)
    return OWN


def interpreter_at(executable: Path) -> Interpreter:
    """The interpreter that ``executable`` starts; OWN if that is the environment of this one."""
    if str(executable) == sys.executable:
        return OWN
    answer = _ask(str(executable))
    version = tuple(answer["version"])
    if version < MIN_VERSION or answer["kind"] != "cpython":
        raise UnitcraftError(
            "python-not-supported",
            f"{executable} is {answer['kind'] or 'Python'} {'.'.join(map(str, version))}",
            cause="the code under test has to run on CPython 3.11 or newer",
            advice="name the interpreter of an environment with a newer Python: --python PATH",
        )
    if os.path.realpath(answer["prefix"]) == os.path.realpath(sys.prefix):
        return OWN
    installed = "\n".join([answer["text"], *answer["path"], *answer["installed"]])
    return Interpreter(
        answer["executable"] or str(executable),
        (version[0], version[1]),
        tuple(answer["path"]),
        lent_to(answer["offered"]),
        blake2b(installed.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest(),
    )


def _named(name: str, root: Path) -> Path:
    """An executable, a virtual environment, or a command on PATH, by what the user wrote."""
    place = root / name
    found = _interpreter_of(place) if place.is_dir() else place if place.is_file() else None
    if found is None and os.sep not in name:
        command = shutil.which(name)
        found = Path(command) if command else None
    if found is None:
        raise UnitcraftError(
            "python-not-found",
            f"there is no Python interpreter at {name}",
            advice="name an executable, or the folder of a virtual environment: --python .venv",
        )
    return found


def _environments(targets: Sequence[str], cwd: Path) -> Iterator[Path]:
    """Virtual environments that may be the project's, first choice first."""
    active = os.environ.get("VIRTUAL_ENV")
    if active:
        yield Path(active)
    start = (cwd / targets[0].partition(":")[0]).resolve() if targets else cwd
    for folder in (start, *start.parents) if start.exists() else (cwd, *cwd.parents):
        if (folder / "pyproject.toml").is_file():
            yield folder / ".venv"


def _interpreter_of(environment: Path) -> Path | None:
    """The interpreter of a virtual environment, links kept: they say which environment it is."""
    return next((environment / one for one in _PLACES if (environment / one).is_file()), None)


@cache
def _ask(executable: str) -> dict[str, Any]:
    """The answer of an interpreter to QUESTION.  Raises UnitcraftError (``python-not-usable``)."""
    command = [executable, "-I", "-B", "-c", QUESTION, *LENDABLE]
    try:
        done = subprocess.run(  # noqa: S603 - the interpreter of the project
            command, capture_output=True, text=True, timeout=MAX_ANSWER_SECONDS, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        answer = json.loads(done.stdout.splitlines()[-1]) if done.stdout else None
        why = done.stderr.strip().rpartition("\n")[2]
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        answer, why = None, str(error)
    if not isinstance(answer, dict):
        raise UnitcraftError(
            "python-not-usable",
            f"{executable} does not answer as a Python interpreter",
            cause=why[-500:],
            advice="name another interpreter or virtual environment with --python PATH",
        )
    return answer
