"""The verdicts on the mutants of a campaign, and the mutation score.

Invariant: a mutant is killed when a test that passes on the original fails on it, or does not end
on it; a verdict names the first such test in the order in which tests were tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

Verdict = Literal["assertion", "exception", "timeout", "died", "survived", "not covered"]

#: All verdicts, in the order of reports.
VERDICTS: Final[tuple[Verdict, ...]] = (
    "assertion", "exception", "timeout", "died", "survived", "not covered",
)  # fmt: skip
KILLED: Final = frozenset({"assertion", "exception", "timeout", "died"})

#: Verdict -> its words in a report.
WORDS: Final[dict[Verdict, str]] = {
    "assertion": "killed by an assertion",
    "exception": "killed by an exception",
    "timeout": "killed by a timeout",
    "died": "killed, the process died",
    "survived": "survived",
    "not covered": "not covered",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutant as a report names it; ``fresh``: it needs the module to be imported anew."""

    id: str
    module: str
    function: str
    line: int
    operator: str
    fresh: bool = False

    @property
    def runs_at_import(self) -> bool:
        """Does it change code, not a value, that runs before the tests do?"""
        return self.fresh and "=:" not in self.id


@dataclass(frozen=True, slots=True)
class JudgedMutant:
    """A mutant and its verdict.

    ``test`` is the node id of the test that killed it, or ''; ``reaching`` counts the tests that
    execute the changed code, ``tried`` those that ran; ``cpu`` is in seconds.
    """

    mutant: Mutant
    verdict: Verdict
    test: str = ""
    reaching: int = 0
    tried: int = 0
    cpu: float = 0.0

    @property
    def is_killed(self) -> bool:
        """Did a test kill it?"""
        return self.verdict in KILLED


def count_verdicts(judged: Iterable[JudgedMutant]) -> dict[Verdict, int]:
    """The number of mutants with each verdict, in the order of VERDICTS."""
    counts = Counter(one.verdict for one in judged)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def mutation_score(judged: Iterable[JudgedMutant]) -> float | None:
    """The share of mutants that are killed, 0 to 1; None when there are no mutants."""
    verdicts = [one.is_killed for one in judged]
    return sum(verdicts) / len(verdicts) if verdicts else None


def parse_verdict(text: str) -> Verdict:
    """``text`` as a Verdict.  Raises ValueError when it is none."""
    if text not in VERDICTS:
        raise ValueError(text)
    return text
