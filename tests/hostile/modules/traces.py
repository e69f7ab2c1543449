"""Installs trace and profile functions, audit hooks and import hooks."""

from __future__ import annotations

import gc
import sys


def trace() -> str:
    """Trace every line from now on."""
    sys.settrace(lambda *_: None)
    sys.setprofile(lambda *_: None)
    return "tracing"


def audit() -> str:
    """Add an audit hook that refuses everything."""

    def refuse(*_: object) -> None:
        raise RuntimeError

    sys.addaudithook(refuse)
    return "hooked"


def finder() -> str:
    """Put an import finder first that fails."""

    class Finder:
        def find_spec(self, *_: object) -> None:
            raise ImportError("no more imports")

    sys.meta_path.insert(0, Finder())
    return "hooked"


def streams() -> str:
    """Close and replace the streams."""
    sys.stdout.close()
    sys.stdout = sys.stderr = None
    return "closed"


def collector() -> str:
    """Take the framework's objects from the collector and spoil them."""
    spoilt = 0
    for thing in gc.get_objects():
        if type(thing).__module__.startswith("unitcraft"):
            spoilt += 1
    return "seen"


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
