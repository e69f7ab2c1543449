"""Translation of terms into z3 expressions that mean exactly what CPython computes, or say not.

Invariant: a translated constraint is true under a model exactly when the term evaluates,
raising nothing, to the outcome; where only models are to be trusted (rounded floats, narrowed
classes of characters, bounded bit operations) ``exact`` falls and Unsat proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from unitcraft.solve.smt.z3_values import INFINITY, Untranslatable, Value, constant
from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.terms.operations import OPERATIONS
from unitcraft.symbolic.terms.term import OK, VARIABLE, Constraint, Kind, Term

#: (translator, arguments): the value of an operation; guards are added on the way.
Meaning = Callable[["Translator", Sequence[Value]], Value]


class Translator:
    """Translates the constraints of one Query; mutable.

    ``domain`` bounds inputs and helpers to what they can be, ``exact`` says whether Unsat counts.
    ``stripped`` and ``classes`` are what stripped texts and sets of characters were translated to:
    a run strips the same text again in each of its constraints.
    Where z3 knows less than CPython, a ``wide`` translation allows everything that CPython may
    do, so that its Unsat counts and its models do not; a narrow one is the other way round.
    """

    def __init__(
        self,
        z3: Any,
        context: Any,
        kinds: Sequence[Kind],
        meanings: Mapping[str, Meaning],
        *,
        wide: bool = False,
    ) -> None:
        self.z3 = z3
        self.context = context
        self.exact = True
        self.wide = wide
        self.domain: list[Any] = []
        self.inputs: dict[int, Value] = {}
        self.stripped: dict[tuple[bool, bool, str, int], Any] = {}
        self.classes: dict[str, Any] = {}
        self._kinds = kinds
        self._meanings = meanings
        self._guards: list[Any] = []
        self._tolerant = False
        self._helpers = 0

    def constraint(self, constraint: Constraint) -> Any:
        """``constraint`` as a z3 Bool; raises Untranslatable."""
        self._guards = []
        truth = self.truth(self.value(constraint[0]))
        return self.every([*self._guards, truth if constraint[1] else self.z3.Not(truth)])

    def every(self, parts: list[Any]) -> Any:
        """The conjunction of ``parts``."""
        if not parts:
            return self.fixed(value=True)
        return parts[0] if len(parts) == 1 else self.z3.And(*parts)

    def value(self, term: Term) -> Value:
        """The value of ``term``; what must hold for it to raise nothing is added to the guards."""
        if type(term) is not tuple:
            return self.known(term)
        if term[0] == VARIABLE:
            return self._input(term[1])
        if term[0] == OK:
            return self._succeeds(term[1])
        args = [self.value(part) for part in term[1:]]
        if args and all(arg.const for arg in args):
            return self._fold(term[0], [arg.const[0] for arg in args])
        meaning = self._meanings.get(term[0])
        if meaning is None:
            raise Untranslatable(term[0])
        return meaning(self, args)

    def fixed(self, *, value: bool) -> Any:
        """The z3 Bool ``value``."""
        return self.z3.BoolVal(value, self.context)

    def either(self, parts: list[Any]) -> Any:
        """The disjunction of ``parts``."""
        return self.z3.Or(*parts) if parts else self.fixed(value=False)

    def known(self, value: Any) -> Value:
        """A constant."""
        return constant(self.z3, value, self.context)

    def guard(self, condition: Any) -> None:
        """Where ``condition`` is false the term raises."""
        self._guards.append(condition)

    def inexact(self) -> None:
        """The translation approximates from here on: models are checked, Unsat proves nothing."""
        self.exact = False

    def inexact_unless_wide(self) -> None:
        """The translation over-approximates from here on if it is wide; else it is inexact."""
        if not self.wide:
            self.inexact()

    def helper(self, sort: str) -> Any:
        """A z3 constant of ``sort`` (Int, Real, Bool or String) that stands for a value."""
        self._helpers += 1
        return getattr(self.z3, sort)(f"h{self._helpers}", self.context)

    def between(self, least: Any, most: Any) -> Any:
        """A z3 Bool that ``least`` implies and that implies ``most``; ``least`` if narrow."""
        if not self.wide:
            self.inexact()
            return least
        held = self.helper("Bool")
        self.domain += [self.z3.Implies(least, held), self.z3.Implies(held, most)]
        return held

    def unlimited(self) -> None:
        """The operation refuses huge results, the translation does not: matters inside OK only."""
        if self._tolerant:
            self.exact = False

    def truth(self, value: Value) -> Any:
        """``bool(value)`` as a z3 Bool."""
        z3 = self.z3
        if value.sort in ("bool", "match"):
            return value.expr
        if value.sort == "int":
            return value.expr != 0
        if value.sort == "float":
            return z3.Or(value.nan, value.expr != 0)
        if value.sort in ("str", "bytes", "lowered", "uppered"):
            return z3.Length(value.expr) > 0
        return self.fixed(value=value.sort == "items" and bool(value.expr))

    def integer(self, value: Value) -> Any:
        """An int or bool as a z3 Int."""
        if value.sort == "bool":
            return self.z3.If(value.expr, self.number(1), self.number(0))
        if value.sort != "int":
            raise Untranslatable(f"{value.sort} as an int")
        return value.expr

    def number(self, value: int) -> Any:
        """The z3 Int ``value``."""
        return self.z3.IntVal(value, self.context)

    def ratio(self, value: Fraction) -> Any:
        """The z3 Real ``value``."""
        return self.z3.RealVal(f"{value.numerator}/{value.denominator}", self.context)

    def boolean(self, expr: Any) -> Value:
        """A bool."""
        return Value("bool", expr)

    def _fold(self, name: str, args: list[Any]) -> Value:
        """An operation on constants, computed by CPython itself."""
        try:
            return self.known(OPERATIONS[name](*args))
        except Untranslatable:
            raise
        except Exception:  # noqa: BLE001 - whatever the operation raises
            raise Untranslatable("a constant that raises") from None

    def _succeeds(self, term: Term) -> Value:
        outside, self._guards = self._guards, []
        tolerant, self._tolerant = self._tolerant, True
        try:
            self.value(term)
            return Value("bool", self.every(self._guards))
        finally:
            self._guards, self._tolerant = outside, tolerant

    def _input(self, number: int) -> Value:
        found = self.inputs.get(number)
        if found is None:
            found = self.inputs[number] = self._declare(number, self._kinds[number])
        return found

    def _declare(self, number: int, kind: Kind) -> Value:
        z3, name = self.z3, f"v{number}"
        if kind == "int":
            return Value("int", z3.Int(name, self.context))
        if kind == "float":
            real = z3.Real(name, self.context)
            self.domain += [real >= -INFINITY, real <= INFINITY]
            return Value("float", real, z3.Bool(f"nan{number}", self.context))
        if not KINDS[kind].is_text:
            raise Untranslatable("an input of a kind without a sort")
        text = z3.String(name, self.context)
        if kind == "bytes":
            octet = z3.Range(
                z3.StringVal("\\u{0}", self.context), z3.StringVal("\\u{ff}", self.context)
            )
            self.domain.append(z3.InRe(text, z3.Star(octet)))
        return Value(kind, text)
