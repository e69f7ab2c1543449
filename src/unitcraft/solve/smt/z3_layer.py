"""The layer of z3: asked about the translatable constraints, believed where that was exact.

Invariant: a model is evaluated before it leaves; Unsat is believed only if every constraint
was translated exactly, or if those that were clash already.  A Query gets a context of its own and
a limit of z3's own work (``rlimit``), so a Verdict depends on the Query alone; the limit of time
is far beyond and stops only steps that z3 does not count.
"""

from __future__ import annotations

import re
from typing import Any, Final

from unitcraft.solve.budget import Budget, BudgetSpentError
from unitcraft.solve.layer import Layer
from unitcraft.solve.protocol import Query, Sat, Solver, Unknown, Unsat, Verdict
from unitcraft.solve.smt.z3_operations import MEANINGS
from unitcraft.solve.smt.z3_terms import Translator
from unitcraft.solve.smt.z3_values import INFINITY, Untranslatable, Value, float_of, import_z3
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.validate import valid
from unitcraft.symbolic.terms.term import VARIABLE

#: Work for one Query in z3's own units (``rlimit``): about a tenth of a second.
MAX_Z3_WORK: Final = 300_000

#: Milliseconds for one Query, far beyond its work: for steps that z3 does not count.
MAX_Z3_MILLISECONDS: Final = 2_000

_ESCAPE: Final = re.compile(r"\\u\{([0-9a-fA-F]+)\}")


class Z3(Layer):
    """Answers Queries by z3; ``available`` is False once z3 could not be imported."""

    name = "z3"

    #: Nodes of the terms of one Query that are translated; each costs about ten microseconds.
    max_work = 40_000

    def __init__(
        self,
        following: Solver,
        statistics: Statistics,
        work: int = MAX_Z3_WORK,
        cap: int = MAX_Z3_MILLISECONDS,
    ) -> None:
        super().__init__(following, statistics)
        self.work = work
        self.cap = cap
        self._library: Any = None
        self._looked = False
        self._hard: set[Any] = set()

    @property
    def available(self) -> bool:
        """Can z3 be imported?  (It is, when first asked.)."""
        if not self._looked:
            self._looked = True
            try:
                self._library = import_z3()
            except Exception:  # noqa: BLE001 - a broken installation raises what it likes
                self._library = None
        return self._library is not None

    def solve(self, query: Query) -> Verdict:
        """The Verdict of z3; when that is Unknown the following solver may do better."""
        self.budget = Budget(self.max_work)
        verdict = self.attempt(query)
        self.statistics.spend(self.name, self.budget.spent)
        if type(verdict) is not Unknown:
            self.statistics.note(self.name, verdict)
            return verdict
        later = self.following.solve(query)
        if type(later) is not Unknown:
            return later
        self.statistics.note(self.name, verdict)
        return verdict

    def attempt(self, query: Query) -> Verdict:
        """Unknown: ``theory`` (no z3, or terms that it is not given), ``time``, or ``bound``."""
        patterns = _patterns_of(query)
        if not self.available or not self._hard.isdisjoint(patterns):
            return Unknown("theory")
        verdict = self._ask_within_bounds(query)
        if type(verdict) is Unknown:
            self._hard.update(patterns)
        return verdict

    def _ask_within_bounds(self, query: Query) -> Verdict:
        try:
            return self._ask(query)
        except BudgetSpentError:
            return Unknown("bound")
        except Exception:  # noqa: BLE001 - z3 raises on what it dislikes; nothing is lost
            return Unknown("theory")

    def _ask(self, query: Query) -> Verdict:
        """Narrow first; where that has no model but is no proof either, the wide translation."""
        verdict, exact = self._check(query, wide=False)
        if exact or type(verdict) is not Unsat:
            return verdict
        verdict, exact = self._check(query, wide=True)
        return verdict if exact and type(verdict) is Unsat else Unknown("theory")

    def _check(self, query: Query, *, wide: bool) -> tuple[Verdict, bool]:
        """The Verdict on one translation, and whether an Unsat of it counts."""
        self.budget.spend(sum([self.budget.size(term) for term, _ in query.constraints]))
        z3 = self._library
        context = z3.Context()
        translator = Translator(z3, context, query.kinds, MEANINGS, wide=wide)
        solver = self._solver(context)
        numbers = _add_constraints(translator, solver, query)
        if not numbers:
            return Unknown("theory"), False
        answer = solver.check()
        if answer == z3.unsat:
            return Unsat(tuple(numbers)), translator.exact
        if answer != z3.sat:
            return Unknown("time"), False
        values = _values(z3, solver.model(), translator.inputs, query.hint)
        if valid(query, values):
            return Sat(values), False
        return Unknown("bound" if len(numbers) == len(query.constraints) else "theory"), False

    def _solver(self, context: Any) -> Any:
        solver = self._library.SimpleSolver(ctx=context)
        solver.set("random_seed", 0)
        solver.set("rlimit", self.work)
        solver.set("timeout", self.cap)
        return solver


def _patterns_of(query: Query) -> set[Any]:
    """The regular expressions that the constraints mention.

    One that z3 came to no answer about is not asked about again: of 60 Queries about the patterns
    of one module 59 had no answer and took 29 of 36 seconds of its search.
    """
    found: set[Any] = set()
    seen: set[int] = set()
    waiting = [term for term, _ in query.constraints]
    while waiting:
        part = waiting.pop()
        if type(part) is tuple and part[0] != VARIABLE and id(part) not in seen:
            seen.add(id(part))
            if part[0].startswith("re."):
                found.add(part[1])
            waiting += part[1:]
    return found


def _add_constraints(translator: Translator, solver: Any, query: Query) -> list[int]:
    """Add the translatable constraints to ``solver``; their numbers."""
    numbers = []
    for number, constraint in enumerate(query.constraints):
        exact = translator.exact
        try:
            solver.add(translator.constraint(constraint))
        except Untranslatable:
            translator.exact = exact
            continue
        numbers.append(number)
    solver.add(*translator.domain)
    return numbers


def _values(
    z3: Any, model: Any, inputs: dict[int, Value], hint: tuple[Any, ...]
) -> tuple[Any, ...]:
    """The values that ``model`` gives to ``inputs``; others stay as in ``hint``."""
    values = list(hint)
    for number, value in inputs.items():
        values[number] = _value(z3, model, value)
    return tuple(values)


def _value(z3: Any, model: Any, value: Value) -> Any:
    found = model.eval(value.expr, model_completion=True)
    if value.sort == "int":
        return found.as_long()
    if value.sort == "float":
        if z3.is_true(model.eval(value.nan, model_completion=True)):
            return float("nan")
        return _float(z3, found)
    text = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), found.as_string())
    return text.encode("latin-1", "replace") if value.sort == "bytes" else text


def _float(z3: Any, found: Any) -> float:
    if z3.is_algebraic_value(found):
        found = found.approx(30)
    numerator, denominator = found.numerator_as_long(), found.denominator_as_long()
    if abs(numerator) >= INFINITY * denominator:
        return float("inf") if numerator > 0 else float("-inf")
    return float_of(numerator, denominator)
