"""The key of a result in the store: one digest of all that the result depends on.

Invariant: equal keys mean equal results.  The key covers unitcraft itself, the
interpreter, the options that matter (not the number of workers), the module, the files that its
imports can reach, the distributions that those files import, and the values of the environment
variables that they read by name.  No absolute path is part of it: a copy of a project has the keys
of the original.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

from unitcraft.app.generate.import_closure import Closure, import_closure
from unitcraft.subject.reading.environment_names import names_read

#: Bytes of a file that is read; of a larger one only its size counts.
MAX_HASHED_BYTES: Final = 4_000_000

#: Distributions that the engine itself asks for results.
_ENGINE: Final = ("pytest", "coverage", "z3-solver")


def result_key(
    module: str,
    file: Path,
    root: Path,
    more: Iterable[str],
    files: tuple[Path, ...],
    paths: Sequence[str] = (),
    named: Sequence[str] = (),
    *,
    dynamic: bool = False,
) -> str:
    """The key of a result about ``module``.

    ``more`` are the options that matter; ``files`` are further files it depends on; ``paths`` are
    folders, besides ``root``, that the project imports from.  ``named`` are modules that settings
    name, ``dynamic``: code that they name imports others.
    """
    closure = import_closure(module, file, root, paths, named, dynamic=dynamic)
    digest = hashlib.blake2b(digest_size=20)
    places = [os.path.relpath(path, root) for path in paths]
    for text in (_installation(), module, *more, *places, *_distributions(closure)):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    for path in (*closure.files, *files):
        digest.update(_content(path, root))
        for name in _variables(path):
            value = os.environ.get(name)
            digest.update(f"{name}={value!r}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _content(path: Path, root: Path) -> bytes:
    """A digest of the name below ``root`` and the content; an unreadable file counts as absent."""
    try:
        status = path.stat()
        if status.st_size > MAX_HASHED_BYTES:
            body = f"{status.st_size}".encode()
        else:
            body = path.read_bytes()
    except OSError:
        body = b""
    name = os.path.relpath(path, root)
    return hashlib.blake2b(name.encode("utf-8", "surrogateescape") + b"\0" + body).digest()


def _variables(path: Path) -> tuple[str, ...]:
    """The environment variables that a Python file names."""
    if path.suffix != ".py":
        return ()
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    return names_read(text) if "environ" in text or "getenv" in text else ()


@cache
def _installation() -> str:
    """This interpreter and this unitcraft (its very sources)."""
    digest = hashlib.blake2b(digest_size=20)
    ours = Path(__file__).parents[2]
    for path in sorted(ours.rglob("*.py")):
        digest.update(_content(path, ours))
    return f"{sys.version} {digest.hexdigest()}"


def _distributions(closure: Closure) -> list[str]:
    """Name and version of each distribution that the code may see, as far as imports tell."""
    installed = _installed()
    if closure.dynamic:
        return sorted(version for version, _ in installed.values())
    outside = [name for name in closure.outside if name not in sys.stdlib_module_names]
    holders = _holders() if outside else {}
    waiting = [*_ENGINE, *(one for name in outside for one in holders.get(name, ()))]
    seen: dict[str, None] = {}
    while waiting:
        name = _normal(waiting.pop())
        if name in installed and name not in seen:
            seen[name] = None
            waiting += installed[name][1]
    missing = [f"{name} is missing" for name in outside if name not in holders]
    return sorted([installed[name][0] for name in seen] + missing)


@cache
def _installed() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Distribution -> ("name version", the distributions that it requires)."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for one in metadata.distributions():
        name = _normal(one.metadata["Name"] or "")
        required = [re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in one.requires or ()]
        found.setdefault(name, (f"{name} {one.version}", tuple(map(_normal, required))))
    return found


@cache
def _holders() -> dict[str, list[str]]:
    """Top-level module -> the distributions that install it."""
    return dict(metadata.packages_distributions())


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
