"""What changed since a revision of git: files, and groups of lines.

Invariant: git is only asked; a file that git does not know yet counts as changed throughout.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from unitcraft.core.errors import UnitcraftError

#: A line that every file ends before.
LAST_LINE: Final = 1 << 30


def changed_files(files: Iterable[Path], revision: str, cwd: Path) -> frozenset[Path]:
    """Those of ``files`` that differ from ``revision`` or that git does not know.

    Raises UnitcraftError (``no-revision``) when git does not know the revision.
    """
    top = Path(_git(["rev-parse", "--show-toplevel"], revision, cwd).strip())
    named = _git(["diff", "--no-ext-diff", "--name-only", "-z", revision], revision, cwd)
    fresh = _git(["ls-files", "--others", "--full-name", "-z", str(top)], revision, cwd)
    changed = {(top / name).resolve() for name in (named + fresh).split("\0") if name}
    return frozenset(file for file in files if file.resolve() in changed)


def changed_spans(file: Path, revision: str) -> list[tuple[int, int]]:
    """(first, last) of each group of lines of ``file`` that differs from ``revision``.

    Raises UnitcraftError (``no-revision``) when git does not know the revision.
    """
    command = ["diff", "--no-ext-diff", "--unified=0", revision, "--", str(file)]
    text = _git(command, revision, file.parent)
    spans = []
    for line in text.splitlines():
        if line.startswith("@@"):
            start, _, length = line.split("+")[1].split(" ")[0].partition(",")
            last = int(start) + max(int(length or 1), 1) - 1
            spans.append((int(start), last))
    if not spans and _git(["ls-files", "--others", "--", str(file)], revision, file.parent):
        return [(1, LAST_LINE)]
    return spans


def _git(command: list[str], revision: str, folder: Path) -> str:
    """What git answers."""
    if revision.startswith("-"):
        raise _no_revision(revision, "a revision does not begin with a dash")
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours but for the revision
            ["git", *command],  # noqa: S607 - the user's git
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
    except OSError as error:
        raise _no_revision(revision, str(error)) from error
    if done.returncode:
        raise _no_revision(revision, done.stderr.strip())
    return done.stdout


def _no_revision(revision: str, cause: str) -> UnitcraftError:
    return UnitcraftError(
        "no-revision",
        f"git cannot compare with {revision}",
        cause=cause,
        advice="name a commit, a branch or a tag of the repository of the subject",
    )
