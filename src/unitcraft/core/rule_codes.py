"""Rule codes of findings, with the short sentence that a report shows for each.

Invariant: every code of ``TITLES`` has a section in ``docs/messages.md`` (a test
checks it); a code, once released, never changes its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

REDUNDANT_WHOLE_SEQ: Final = "UC101"
REDUNDANT_MODIFYING_SEQ: Final = "UC102"
REDUNDANT_WHOLE_STATE: Final = "UC103"
REDUNDANT_MONITOR_EQUALS: Final = "UC104"
REDUNDANT_PAIRWISE_EQUALS: Final = "UC105"
NO_ASSERTION: Final = "UC201"
EMPTY_ASSERTION: Final = "UC202"
KILLS_NOTHING: Final = "UC203"
FLAKY: Final = "UC301"
NOT_HERMETIC: Final = "UC302"
VIOLATED: Final = "UC401"
BROKEN_ASSERT: Final = "UC402"
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
CONTAINED: Final = "UC514"
ALWAYS_RAISES: Final = "UC515"
NO_SEQUENCE: Final = "UC516"
NOTHING_OWN: Final = "UC517"

#: Code -> the sentence of the report.  UC1xx: the test is redundant; UC2xx: it is weak; UC3xx: it
#: is flaky or not hermetic; UC4xx: the code is probably wrong; UC5xx: why an Invocable or branch
#: has no test.
TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        REDUNDANT_WHOLE_SEQ: "redundant: the same calls on objects made by the same calls",
        REDUNDANT_MODIFYING_SEQ: "redundant: the same calls, those that change nothing left out",
        REDUNDANT_WHOLE_STATE: "redundant: the same calls on objects in the same state",
        REDUNDANT_MONITOR_EQUALS: "redundant: the same state as far as == looks at it",
        REDUNDANT_PAIRWISE_EQUALS: "redundant: the same calls on equal objects",
        NO_ASSERTION: "weak: no assertion",
        EMPTY_ASSERTION: "weak: an assertion that cannot fail",
        KILLS_NOTHING: "weak: kills no mutant",
        FLAKY: "flaky: differs between two runs",
        NOT_HERMETIC: "not hermetic: touches the world outside",
        VIOLATED: "calls reach an object on which the invariant does not hold",
        BROKEN_ASSERT: "probable bug: an assert fails after valid calls",
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
        CONTAINED: "a part of unitcraft failed; the suite was made without it",
        ALWAYS_RAISES: "no call returned: every run raised",
        TOO_LARGE: "needs more memory or output than allowed",
        NOTHING_OWN: "calls return, and run no code of the module",
        NO_SEQUENCE: "no sequence of calls reaches a heap that the invariant allows",
    }
)
