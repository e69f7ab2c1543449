"""A cache of the test modules that pytest has rewritten, shared by the processes of a campaign.

Invariant: the key is the path of the module, and a cache is used within one campaign only; where
pytest has no function ``_rewrite_test``, nothing is cached.
"""

from __future__ import annotations

import contextlib
import marshal
from pathlib import Path
from typing import Any, Final

from _pytest.assertion import rewrite

#: The function of pytest that takes a path and the configuration; returns (file status, code).
REWRITE_FUNCTION: Final = "_rewrite_test"

#: Path -> (file status, code), marshalled.
RewriteCache = dict[str, bytes]


def use_cache(kept: RewriteCache) -> None:
    """Patch pytest so that it looks into ``kept`` before rewriting, and adds to it."""
    original: Any = getattr(rewrite, REWRITE_FUNCTION, None)
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

    setattr(rewrite, REWRITE_FUNCTION, rewritten)
