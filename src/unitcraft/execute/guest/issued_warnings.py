"""What a run warned of: noted with whose code called ``warn``, and kept off standard error.

Invariant: every warning of a run is noted, however often it was issued before and whatever filters
an import set: pytest puts those back before tests run.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, Final

#: (module whose code called ``warn``, else '', class, message) of each warning of the run.
WARNED: Final[list[tuple[str, type[Warning], Warning]]] = []
#: Warnings of one run that are noted.
MAX_NOTED: Final = 100
#: Modules whose frames stand between a warning and who issues it.
_BETWEEN: Final = ("warnings", "_py_warnings", __name__)
_CALLS: Final = frozenset(("warn", "warn_explicit"))


def silence_what_pytest_captures() -> None:
    """Keep off standard error what a test run keeps off it: warnings, and records of loggers.

    To be called before the snapshots.
    """
    warnings.showwarning = _note_warning
    warnings.resetwarnings()
    warnings.simplefilter("always")
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.lastResort = logging.NullHandler()  # type: ignore[attr-defined]


def _note_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    frame = sys._getframe(1)  # noqa: SLF001 - whose code it is
    while frame.f_back is not None and frame.f_globals.get("__name__") in _BETWEEN:
        frame = frame.f_back
    calls = _CALLS.intersection(frame.f_code.co_names)
    home = str(frame.f_globals.get("__name__", "")) if calls else ""
    is_certain = not issubclass(category, ResourceWarning)  # comes when garbage is collected
    if isinstance(message, Warning) and is_certain and len(WARNED) < MAX_NOTED:
        WARNED.append((home, category, message))
