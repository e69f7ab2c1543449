"""The smallest agent: import one module as it is, describe it, and replay paths.

Invariant: the Subject runs un-instrumented here; what is counted is what it does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from unitcraft.explore.agents.replay import SERVICES
from unitcraft.subject.description.describe import describe
from unitcraft.subject.subject_codec import subject_as_plain

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain

__all__ = ["SERVICES", "prepare"]


def prepare(options: Plain) -> Plain:
    """Import ``options["module"]`` and answer its Subject as plain data."""
    return subject_as_plain(describe(importlib.import_module(options["module"])))
