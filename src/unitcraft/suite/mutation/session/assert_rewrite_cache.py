"""Keeps test modules that pytest has rewritten, so that other processes need not do it again.

Invariant: a module is taken from what was kept only by its path, within one run; where pytest has
no such function, nothing is kept and everything is rewritten as always.
"""

from __future__ import annotations

import contextlib
import marshal
from pathlib import Path
from typing import Any, Final

from _pytest.assertion import rewrite

#: What pytest calls with a path and its settings; it answers with (mark of the source, code).
NAME: Final = "_rewrite_test"

#: Path -> (mark, code), marshalled.
Kept = dict[str, bytes]


def keep(kept: Kept) -> None:
    """From now on look into ``kept`` first, and add to it."""
    original: Any = getattr(rewrite, NAME, None)
    if original is None:
        return

    def rewritten(path: Path, config: Any) -> Any:
        found = kept.get(str(path))
        if found is not None:
            return marshal.loads(found)  # noqa: S302 - made by this process or its parent
        made = original(path, config)
        with contextlib.suppress(ValueError):
            kept[str(path)] = marshal.dumps(made, 4)
        return made

    setattr(rewrite, NAME, rewritten)
