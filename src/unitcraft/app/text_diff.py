"""Differences of files as ``patch`` and ``git apply`` take them.

Invariant: names are relative to one folder, with the prefixes ``a/`` and ``b/``; a text without a
last line break says so.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

_NO_NEWLINE = "\\ No newline at end of file\n"


def diff_of_file(path: Path, old: str | None, new: str, cwd: Path) -> str:
    """The unified difference of a file's texts, as seen from ``cwd``; ``old`` None: a new file."""
    name = Path(os.path.relpath(path, cwd)).as_posix()
    lines = difflib.unified_diff(
        (old or "").splitlines(keepends=True),
        new.splitlines(keepends=True),
        f"a/{name}" if old is not None else "/dev/null",
        f"b/{name}",
    )
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}" for line in lines)
