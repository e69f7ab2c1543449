"""Evidence for the kind of one parameter: the types that are likely, and how loudly each is.

Invariant: what is asked of an Evidence depends on what it holds alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.model import Parameter, ParameterUse

#: Rung -> weight of its first type; hand-set: a statement outweighs a test, a test a caller, and
#: each of them what the code merely does with the value.  With one weight for all, five modules
#: drawn at random have the same 179 sites (``make ablation``): the order is for readers.
WEIGHTS: Final = {
    "annotation": 100, "docstring": 12, "isinstance": 10, "caller": 9, "passed": 8, "default": 8,
    "sibling": 7,
    "flow": 6, "description": 6, "class": 5, "callee": 4,
    "name": 4, "kin": 7, "operand": 5, "namesake": 4,
}  # fmt: skip
#: A candidate of at least this weight was stated, tested, passed or defaulted, here or for a
#: sibling of that name, or two weaker witnesses agree.
MIN_STRONG: Final = 7
#: Rungs of what nobody states: what the code does with the value, and what others are called.
GUESSES: Final = frozenset({"flow", "class", "name", "kin", "operand", "namesake"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A type that a parameter may have; ``rungs`` are the kinds of evidence, loudest first."""

    type: TypeExpr
    weight: int
    rungs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of one parameter: candidates (best first), and what the code does with it.

    ``takes_none``: the code asks whether it is None, or it is None by default.  ``owner`` is the
    class of the method that has the parameter ('' of others).
    """

    parameter: Parameter
    candidates: tuple[Candidate, ...] = ()
    uses: tuple[ParameterUse, ...] = ()
    takes_none: bool = False
    owner: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that are likely, the likeliest first ('' for a type that is none)."""
        return tuple([one.type.cls for one in self.strong or self.candidates])

    @property
    def is_operand(self) -> bool:
        """Is it most likely another object of the class whose method has the parameter?

        That such objects have what is read of it says too little.
        """
        first = self.candidates[0] if self.candidates else None
        return first is not None and first.rungs != ("flow",) and first.type.cls == self.owner != ""

    @property
    def is_declared(self) -> bool:
        """Has the parameter an annotation that says something?"""
        return self.parameter.origin in ("annotation", "") and self.parameter.type != ANY

    @property
    def strong(self) -> tuple[Candidate, ...]:
        """The candidates with a witness that is more than a guess, or two that agree.

        Beside the kind of a default two guesses are too little, but for a flag: what is off by
        default may be set to anything.
        """
        strong = [one for one in self.candidates if one.weight >= MIN_STRONG]
        best = self.candidates[0] if self.candidates else None
        if best is not None and "default" in best.rungs and best.type.name != "bool":
            strong = [one for one in strong if not GUESSES.issuperset(one.rungs)]
        return tuple(strong)

    @property
    def is_checked(self) -> bool:
        """Does the code ask for its kind, and raise an exception of others?"""
        return any(use.certain for use in self._tests())

    def _tests(self) -> list[ParameterUse]:
        where = (self.parameter.name, "isinstance")
        return [use for use in self.uses if (use.path, use.operation) == where]

    @property
    def is_open(self) -> bool:
        """Does the code only ask for the kinds that speak for it, and go on with others?"""
        stated = [one.weight - WEIGHTS["isinstance"] * ("isinstance" in one.rungs)
                  for one in self.strong]  # fmt: skip
        is_open = bool(self._tests()) and not self.is_checked
        return is_open and all(weight < MIN_STRONG for weight in stated)

    @property
    def is_unsettled(self) -> bool:
        """Is all that is known for what the code asks, which goes on with others as well?"""
        asked = [one for one in self.candidates if one.rungs == ("isinstance",)]
        return bool(asked) and asked == [*self.candidates] and self.is_open
