"""Rule codes of findings, with the short sentence that a report shows for each.

Invariant: every code of ``TITLES`` has a section in ``docs/messages.md`` (a test
checks it); a code, once released, never changes its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

NO_ARGUMENT: Final = "UC501"
MISUSE: Final = "UC502"
BLOCKED: Final = "UC503"
UNSTABLE: Final = "UC504"
BUDGET: Final = "UC505"
CRASH: Final = "UC506"
ABSTRACT: Final = "UC507"
PRAGMA: Final = "UC508"
UNREACHED: Final = "UC509"
IMPORT_FAILED: Final = "UC510"
UNVERIFIED: Final = "UC511"
TOO_LARGE: Final = "UC512"
ENGINE_OFF: Final = "UC513"

#: Why something has no test (UC5xx), in the words of the report.
TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        NO_ARGUMENT: "no way found to build an argument or the receiver",
        MISUSE: "every run was refused as a misuse (TypeError and the like)",
        BLOCKED: "the sandbox blocked an effect",
        UNSTABLE: "the outcome differs from run to run",
        BUDGET: "the budget ran out",
        CRASH: "the worker crashed",
        ABSTRACT: "abstract, without a concrete subclass in the module",
        PRAGMA: "skipped by a pragma",
        UNREACHED: "branch not reached",
        IMPORT_FAILED: "the module could not be imported",
        UNVERIFIED: "test dropped: the written file did not confirm it",
        ENGINE_OFF: "the symbolic engine could not follow the module",
        TOO_LARGE: "needs more memory or output than allowed",
    }
)
