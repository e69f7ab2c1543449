"""The seam of all solvers: a Query in, a Verdict out.

Invariant: ``Sat`` carries values that satisfy every constraint when the terms are evaluated
by CPython; ``Unsat`` is proven; everything else is ``Unknown`` and says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from unitcraft.symbolic.terms.term import Constraint, Kind


class Query(NamedTuple):
    """Which values satisfy all ``constraints``?

    ``kinds[n]`` is the type of input n.  ``hint`` (one value for each input) satisfies all
    constraints but the last: the values of the path of which one branch is to be negated.
    """

    constraints: tuple[Constraint, ...]
    kinds: tuple[Kind, ...]
    hint: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Sat:
    """``values[n]`` is the value of input n, of exactly the type that its kind names."""

    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Unsat:
    """No values satisfy the constraints; ``core``: indexes of unsatisfiable ones, () if unknown."""

    core: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """Neither was shown; ``reason``: ``time``, ``bound``, or ``theory`` (no layer knows it)."""

    reason: str


Verdict = Sat | Unsat | Unknown


class Solver(Protocol):
    """Answers Queries; a layer passes on what it cannot answer to the next one."""

    def solve(self, query: Query) -> Verdict:
        """The Verdict on ``query``; never raises on a well-formed one."""
