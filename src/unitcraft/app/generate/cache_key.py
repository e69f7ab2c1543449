"""The key of a result in the store: one digest of all that the result depends on.

Invariant: equal keys mean equal results.  The key covers unitcraft itself, the
interpreter, the installed distributions, the options that matter (not the number of
workers), the module, every file that its package or its directory holds, and the values of the
environment variables that those files read by name.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from unitcraft.subject.reading.environment_names import names_read

#: Bytes of a file that is read; of a larger one only size and time of change count.
MAX_HASHED_BYTES: Final = 4_000_000

#: Directories that no module depends on.
_IGNORED: Final = ("__pycache__", ".git", ".unitcraft", ".venv", ".mypy_cache", ".pytest_cache")


def result_key(
    module: str, file: Path, root: Path, more: Iterable[str], files: tuple[Path, ...]
) -> str:
    """The key of a result about ``module``.

    ``more`` are the options that matter; ``files`` are further files it depends on.
    """
    digest = hashlib.blake2b(digest_size=20)
    for text in (_installation(), module, *more):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    for path in (*neighbours(module, file, root), *files):
        digest.update(_content(path))
        for name in _variables(path):
            value = os.environ.get(name)
            digest.update(f"{name}={value!r}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def neighbours(module: str, file: Path, root: Path) -> Iterator[Path]:
    """The files that ``module`` may depend on, sorted.

    They are its whole top-level package or, outside a package, the Python files beside it.
    """
    top = root / module.partition(".")[0]
    if top.is_dir():
        yield from _tree(top)
    else:
        yield from sorted({file, *file.parent.glob("*.py")})


def _tree(top: Path) -> Iterator[Path]:
    for directory, directories, names in os.walk(top):
        directories[:] = sorted(name for name in directories if name not in _IGNORED)
        yield from (Path(directory, name) for name in sorted(names))


def _content(path: Path) -> bytes:
    """A digest of name and content; a file that cannot be read counts as absent."""
    try:
        status = path.stat()
        if status.st_size > MAX_HASHED_BYTES:
            body = f"{status.st_size} {status.st_mtime_ns}".encode()
        else:
            body = path.read_bytes()
    except OSError:
        body = b""
    return hashlib.blake2b(str(path).encode("utf-8", "surrogateescape") + b"\0" + body).digest()


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
    """This interpreter, this unitcraft (its very sources) and the installed distributions."""
    digest = hashlib.blake2b(digest_size=20)
    for path in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(_content(path))
    for entry in sys.path:
        digest.update("\0".join(_distributions(entry)).encode("utf-8", "surrogateescape"))
    return f"{sys.version} {digest.hexdigest()}"


def _distributions(entry: str) -> list[str]:
    try:
        names = sorted(path.name for path in Path(entry).iterdir())
    except OSError:
        return []
    return [name for name in names if name.endswith((".dist-info", ".egg-info"))]
