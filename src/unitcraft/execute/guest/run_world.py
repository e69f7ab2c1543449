"""The surroundings of one run that its test controls: what the run printed.

Invariant: after ``begin`` nothing of an earlier run is left; what ``effects`` names was caused by
the run, and a test sees it through the fixtures of pytest.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

from unitcraft.core.encoding import Plain
from unitcraft.execute.sandbox.streams import Streams

#: The arguments of an encoded Call without any.
_NO_ARGUMENTS = ((), (), "")


class RunWorld:
    """Abstract state: what was printed since ``begin``."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        _silence_what_pytest_captures()

    def begin(self) -> None:
        """Begin a run."""
        self._streams.forget()

    def effects(self) -> list[tuple[Plain, Any]]:
        """(encoded observer Call, value it shows) of what the run left in its surroundings."""
        return self._printed()

    def _printed(self) -> list[tuple[Plain, Any]]:
        out, err = self._streams.printed()
        if out and err:
            return [(("output", "both", *_NO_ARGUMENTS), (out, err))]
        shown = (("out", out), ("err", err))
        return [(("output", name, *_NO_ARGUMENTS), text) for name, text in shown if text]


def _silence_what_pytest_captures() -> None:
    """Keep off standard error what a test run keeps off it: warnings, and records of loggers."""
    warnings.showwarning = lambda *_arguments, **_options: None
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.lastResort = logging.NullHandler()  # type: ignore[attr-defined]
