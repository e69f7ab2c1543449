"""What a run warned of, noted with whose code called ``warn``, and what it logged.

Both are kept off standard error.

Invariant: every warning of a run is noted, however often it was issued before and whatever filters
an import set: pytest puts those back before tests run.  A record of a logger is noted as ``caplog``
sees it: if it reaches the root logger by the levels that the Subject set, and with a message that
is made where it is logged; what that raises, the Subject raises.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, Final

#: (module whose code called ``warn``, else '', class, message) of each warning of the run.
WARNED: Final[list[tuple[str, type[Warning], Warning]]] = []
#: The messages that the run logged.
LOGGED: Final[list[str]] = []
#: Warnings of one run that are noted.
MAX_NOTED: Final = 100
#: Messages of one run that a test states, and characters of each: of more it says nothing.
MAX_MESSAGES: Final = 4
MAX_CHARACTERS: Final = 200
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
        noting = logging.NullHandler()
        noting.handle = _note_record
        logging.root.addHandler(noting)


def _note_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    frame = sys._getframe(1)  # noqa: SLF001 - whose code it is
    while frame.f_back is not None and frame.f_globals.get("__name__") in _BETWEEN:
        frame = frame.f_back
    calls = _CALLS.intersection(frame.f_code.co_names)
    home = str(frame.f_globals.get("__name__", "")) if calls else ""
    is_certain = not issubclass(category, ResourceWarning)  # comes when garbage is collected
    if isinstance(message, Warning) and is_certain and len(WARNED) < MAX_NOTED:
        WARNED.append((home, category, message))


def _note_record(record: Any) -> None:
    """Note a message, as many as tell that there are too many."""
    if len(LOGGED) <= MAX_MESSAGES:
        LOGGED.append(str(record.getMessage()))


def logged_messages() -> list[str] | None:
    """What the run logged; None for nothing, and for what no test states."""
    is_told = 0 < len(LOGGED) <= MAX_MESSAGES
    is_told = is_told and all(len(message) <= MAX_CHARACTERS for message in LOGGED)
    return list(LOGGED) if is_told else None
