"""The result of inference: what is true of a class, and how well it was looked at.

Invariant: what is shown was confirmed on a second universe; what that universe refuted is kept
with its witness and never shown as a law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.law_terms import Apply, Test

if TYPE_CHECKING:
    from unitcraft.core.sequences import Arg, Call, Sequence
    from unitcraft.infer.algebraic.confirmation import Verdict
    from unitcraft.infer.algebraic.law_terms import Law
    from unitcraft.infer.axiomatic.axioms import Axiom


@dataclass(frozen=True, slots=True)
class Example:
    """An object and values: Calls that make the object, and an Arg for each variable.

    ``named`` are the members of enumerations and the like that its laws name.
    """

    calls: tuple[Call, ...]
    result: int
    values: tuple[tuple[str, Arg], ...] = ()
    named: tuple[Arg, ...] = ()

    @property
    def mentioned(self) -> tuple[Arg, ...]:
        """All values whose names a module needs that has this example."""
        return (*(arg for _, arg in self.values), *self.named)


@dataclass(frozen=True, slots=True)
class RefutingTest:
    """The calls of a law on an example that refuted it; the last one calls ``invocable``."""

    invocable: str
    sequence: Sequence


@dataclass(frozen=True, slots=True)
class Contract:
    """``condition`` holds of every object (``method`` is ''), or after every call of ``method``.

    ``arguments`` are the parameters that it names; ``names`` the variables of the law behind them.
    ``parts`` are the conditions of the laws that one line says together.
    """

    method: str
    condition: str
    arguments: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownLaw:
    """A law with how it fared: ``learned`` on the first universe, ``confirmed`` on the second.

    ``expression`` evaluates to True wherever ``condition`` ('': always) does, over ``variables``:
    (name, sort) pairs.  ``method`` is the outermost operation.  ``witness`` is an example on which
    a refuted law fails, ``examples`` are some on which a confirmed one holds.  ``also`` are the
    other laws that the same line says, ``said`` the texts of all, each alone.  ``contract`` is what
    the law demands of one call or of every object, if it demands that; ``refuting`` the test of the
    ``witness``.  ``minor``: true, but of those that a page of the class has no place for.
    """

    law: Law
    method: str
    text: str
    expression: str
    condition: str
    variables: tuple[tuple[str, str], ...]
    learned: Verdict
    confirmed: Verdict
    witness: Example | None = None
    examples: tuple[Example, ...] = ()
    also: tuple[Law, ...] = ()
    contract: Contract | None = None
    refuting: RefutingTest | None = None
    said: tuple[str, ...] = ()
    minor: bool = False

    @property
    def laws(self) -> tuple[Law, ...]:
        """The law, or all that the line says together."""
        return (self.law, *self.also)

    @property
    def kind(self) -> str:
        """Frame, invariant, postcondition, raises, conditional or equation: a word."""
        if self.also and all(map(_is_kept, self.laws)):
            return "frame"
        if isinstance(self.law.left, Test):
            return "postcondition" if self.method else "invariant"
        if isinstance(self.law.left, Apply) and self.law.left.part == "outcome":
            return "raises"
        if self.condition:
            return "conditional"
        return "equation"

    @property
    def asserted(self) -> str:
        """The expression with its condition: True on every object and value."""
        return (
            f"not ({self.condition}) or ({self.expression})" if self.condition else self.expression
        )


@dataclass(frozen=True, slots=True)
class Specification:
    """What inference found out about the class ``target``.

    ``near`` are laws that hold almost everywhere; ``refuted`` those that more values or longer
    histories refuted; ``checked`` those that the user stated; ``excluded`` (operation, reason)
    pairs; ``assumed`` the preconditions that the user gave; ``equality`` a sentence on how states
    are compared; ``states`` counts those of both universes, ``pairs`` the calls that ran;
    ``iterations`` the rounds of learning and refuting, ``fixed``: the last one refuted nothing;
    ``steps`` are (name, expression over ``S``, variables with their sorts) of calls that change it,
    ``apart`` are pairs of objects that are not ``==``, where that is sound; ``domain`` are the
    parameters of each method with the sorts of the values for which the laws were confirmed;
    ``relaxed`` are laws without their conditions, with what is different where these do not hold.
    """

    target: str
    laws: tuple[ShownLaw, ...]
    axioms: tuple[Axiom, ...]
    near: tuple[ShownLaw, ...]
    refuted: tuple[ShownLaw, ...]
    checked: tuple[ShownLaw, ...]
    excluded: tuple[tuple[str, str], ...]
    assumed: tuple[str, ...]
    equality: str
    uses_equals: bool
    states: tuple[int, int]
    pairs: int
    iterations: int
    fixed: bool
    steps: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = ()
    apart: tuple[tuple[Example, Example], ...] = ()
    domain: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    relaxed: tuple[ShownLaw, ...] = ()

    @property
    def main(self) -> tuple[ShownLaw, ...]:
        """The laws that a page shows."""
        return tuple(one for one in self.laws if not one.minor)


def _is_kept(law: Law) -> bool:
    """Does an observer show the same before and after a call?"""
    left, right = law.left, law.right
    if not isinstance(left, Apply) or not isinstance(right, Apply):
        return False
    return left.operation == right.operation and not isinstance(right.args[0], Apply)
