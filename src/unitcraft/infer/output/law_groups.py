"""Laws that one line says together: families about one call, one exception, one order of calls.

``getitem(S, key), pop(S, key) raise KeyError if key not in S``; ``clear(S) has size == 0, keeps
limit``; ``no call changes limit``; ``in either order: put and drop``; ``len(put(S, key)) == len(S)
if key in S, else len(S) + 1``.

Invariant: a line says what the laws say that it stands for, and nothing more; no law is in two, and
no line follows from the others.

Source: DAIKON, frame conditions and modified variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Constant,
    Guard,
    Law,
    Term,
    TermOrder,
    Test,
    Var,
    is_swap,
)
from unitcraft.infer.derivation.pruning import without_consequences
from unitcraft.infer.universe.values import RETURNED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.confirmation import Confirmation
    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.profiles import Profile

#: What the laws of a group have in common.
Form = Literal[
    "single", "made", "raises", "call", "chain", "order", "never", "bounds", "cases", "facts"
]  # fmt: skip
#: Laws of one line: a longer one is read by nobody.
MAX_CLAUSES: Final = 8
#: Cases of one equation.
MAX_CASES: Final = 4
#: The condition of a law that holds wherever both sides are defined.
_WHERE_DEFINED: Final = "where they return"


@dataclass(frozen=True, slots=True)
class LawGroup:
    """``laws`` of one ``form``; the first of them stands for the line in figures."""

    form: Form
    laws: tuple[Law, ...]


class LawGroups:
    """The groups of the laws of one class.

    ``rows`` say where both sides of a law are defined, ``confirmation`` what no call changes, and
    on rows of ``proving`` it is tried what follows from what.
    """

    def __init__(
        self,
        rows: Rows,
        profiles: Sequence[Profile],
        confirmation: Confirmation,
        proving: Confirmation,
    ) -> None:
        self._rows = rows
        self._profiles = profiles
        self._confirmation = confirmation
        self._proving = proving
        self._table = rows.universe.table

    def run(self, laws: Sequence[Law]) -> list[LawGroup]:
        """``laws`` in their order; those of one group together, where the first of them stands.

        Without groups that follow from the others: what a constructor makes and what no call
        changes says more than ``laws`` had when those that follow were left out.
        """
        groups = self._grouped(laws)
        said = [one.laws for one in groups if one.form != "made"]
        more = [law for one in groups if one.form == "made" for law in one.laws]
        order = TermOrder([one.is_mutator for one in self._profiles])
        left = without_consequences(said, self._proving.rows_of_law, order, more)
        return [one for one in groups if one.form == "made" or one.laws in left]

    def _grouped(self, laws: Sequence[Law]) -> list[LawGroup]:
        never = self._never(laws)
        groups: dict[tuple[object, ...], list[Law]] = {}
        found: list[tuple[Form, list[Law]]] = []
        for law in laws:
            form, *key = ("never", kept_observer(law)) if law in never else self._key(law)
            place = (form, *key)
            if not key or len(groups.get(place, ())) in (0, MAX_CLAUSES):
                groups[place] = [law]
                found.append((form, groups[place]))  # type: ignore[arg-type]
            else:
                groups[place].append(law)
        return _with_chains(_with_cases([self._group(form, group) for form, group in found]))

    def _group(self, form: Form, laws: Sequence[Law]) -> LawGroup:
        if form == "never":
            return LawGroup(form, tuple(self._kept_by_all(kept_observer(laws[0]))))  # type: ignore[arg-type]
        return LawGroup(form if len(laws) > 1 or form == "made" else "single", tuple(laws))

    def _key(self, law: Law) -> tuple[object, ...]:
        """The form of a law, and what it has in common with others of its group; alone: no more."""
        left = law.left
        if isinstance(left, Test):
            return ("bounds", left.left, left.operator, law.right, self._condition(law))
        if not isinstance(left, Apply):
            return ("single",)
        made = left if left.part == "outcome" else left.args[0]
        if is_made(made):
            if left.part != "outcome":
                return ("made", made, law.guard)
            called = self._table.operations[left.operation].invocable.id
            return ("raises", law.right, law.guard, called)
        if left.part == "outcome":
            return ("raises", law.right, law.guard)
        call = self._call_of(left)
        if call is not None:
            return ("call", call.operation, call.args, self._condition(law))
        if is_swap(law):
            return ("order", self._condition(law))
        if left.part == "state" or (is_asked(left) and is_asked(law.right)):
            return ("chain", law.right, self._condition(law))
        if is_asked(left) and law.guard.atoms:
            return ("facts", law.guard)
        return ("single",)

    def _call_of(self, left: Apply) -> Apply | None:
        """The call on any object that changes it, of which ``left`` says what it leads to."""
        inner = left.args[0]
        if isinstance(inner, Apply) and left.part == "value":
            left = inner
        changes = self._profiles[left.operation].is_mutator
        return left if changes and left.args[0] == RECEIVER else None

    def _condition(self, law: Law) -> object:
        """The guard, or that it holds on all rows on which both sides are defined."""
        if not law.guard.atoms:
            return _WHERE_DEFINED
        left, right = self._rows.vector(law.left), self._rows.beside(law.left, law.right)
        defined = left.defined & right.defined
        return law.guard if defined & ~self._rows.guard(law.guard) else _WHERE_DEFINED

    def _never(self, laws: Sequence[Law]) -> set[Law]:
        """Those of ``laws`` that say that a call keeps what no call changes."""
        shown: dict[Apply, list[Law]] = {}
        for law in laws:
            observer = kept_observer(law)
            if observer is not None and self._condition(law) == _WHERE_DEFINED:
                shown.setdefault(observer, []).append(law)
        return {
            law
            for observer, kept in shown.items()
            if len(kept) > 1 and len(self._kept_by_all(observer)) >= len(kept)
            for law in kept
        }

    def _kept_by_all(self, observer: Apply) -> list[Law]:
        """That each call keeps what ``observer`` shows; empty if one does not."""
        found: list[Law] = []
        for call in self._changing_calls():
            later = Apply(observer.operation, (call,), "value")
            guard = self._returns(call)
            law = Law(later, observer, guard)
            verdict = self._confirmation.check(law)
            if verdict.witness is not None:
                return []
            found += [law] if verdict.confirmed else []
        return found

    def _changing_calls(self) -> Iterator[Apply]:
        for place, profile in enumerate(self._profiles):
            if self._table.is_explored(place) and not profile.pure:
                sorts = self._table.operations[place].sorts
                args = [Var(one, sorts[:at].count(one)) for at, one in enumerate(sorts)]
                yield Apply(place, (RECEIVER, *args), "state")

    def _returns(self, call: Apply) -> Guard:
        """That ``call`` returns, if it may raise."""
        if not self._rows.universe.is_partial(call.operation, self._profiles[call.operation]):
            return Guard()
        outcome = Apply(call.operation, call.args, "outcome")
        return Guard((Atom(outcome, "==", Constant(self._table.values.of_raise(RETURNED))),))


def _with_cases(groups: Sequence[LawGroup]) -> list[LawGroup]:
    """``groups``, with laws of one left side together: one equation, case by case."""
    found: list[LawGroup] = []
    for group in groups:
        law = group.laws[0]
        place = next(
            (n for n, one in enumerate(found) if one.form in ("single", "cases")
             and group.form == "single" and one.laws[0].left == law.left and law.guard.atoms
             and one.laws[0].guard.atoms and not isinstance(law.left, Test)
             and not any(isinstance(each.right, Test) for each in (*one.laws, law))
             and len(one.laws) < MAX_CASES),
            None,
        )  # fmt: skip
        if place is None:
            found.append(group)
        else:
            found[place] = LawGroup("cases", (*found[place].laws, law))
    return found


def _with_chains(groups: Sequence[LawGroup]) -> list[LawGroup]:
    """``groups``, with single calls together that lead to one object under one condition."""
    found: list[LawGroup] = []
    places: dict[tuple[Term, Guard], int] = {}
    for group in groups:
        law = group.laws[0]
        left = law.left
        alone = group.form == "single" and isinstance(left, Apply) and left.part == "state"
        if not alone or left.args[0] != RECEIVER:  # type: ignore[union-attr]
            found.append(group)
            continue
        place = places.setdefault((law.right, law.guard), len(found))
        if place == len(found):
            found.append(group)
        else:
            found[place] = LawGroup("chain", (*found[place].laws, law))
    return found


def are_opposite(laws: Sequence[Law]) -> bool:
    """Are these two, and does each hold where the other does not?"""
    guards = [law.guard.atoms for law in laws]
    if [len(one) for one in guards] != [1, 1]:
        return False
    (one,), (other,) = guards
    return one._replace(negated=not one.negated) == other


def is_asked(term: Term) -> bool:
    """Is it what one call shows of any object?"""
    return isinstance(term, Apply) and term.part == "value" and term.args[0] == RECEIVER


def is_made(call: Term) -> bool:
    """Is it the call of a constructor, which has no object as its receiver?"""
    return isinstance(call, Apply) and isinstance(call.args[0], Constant)


def kept_observer(law: Law) -> Apply | None:
    """The observer without arguments that shows the same after a call, as ``law`` says."""
    left, right = law.left, law.right
    if not isinstance(left, Apply) or left.part != "value" or len(left.args) != 1:
        return None
    call = left.args[0]
    same = right == Apply(left.operation, (RECEIVER,), "value")
    if not same or not isinstance(call, Apply) or call.part != "state":
        return None
    return right if call.args[0] == RECEIVER else None  # type: ignore[return-value]


def is_kept(law: Law) -> bool:
    """Does an observer, whatever it is asked, show the same before and after a call?"""
    left = law.left
    if not isinstance(left, Apply) or left.part != "value" or not isinstance(left.args[0], Apply):
        return False
    return law.right == Apply(left.operation, (RECEIVER, *left.args[1:]), "value")
