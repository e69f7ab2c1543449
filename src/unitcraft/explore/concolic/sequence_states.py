"""States met on the way through candidate sequences: is one of them explored already?

Two beginnings that lead to the same objects, as far as any argument can tell, need only one
continuation: the second is dropped where all calls that may follow it follow the first too.

Invariant: a state is called known only when a known one subsumes it, with objects of the same
calls to refer to, and may be continued by all sequences that may continue it.

Source: ROSTRA and SYMSTRA, as section 6.3 of JTESTCRAFT proposes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from unitcraft.solve.protocol import Solver
from unitcraft.state.symbolic.subsumption import Subsumption
from unitcraft.state.symbolic.symbolic_state import SymbolicState


@dataclass(slots=True)
class CallTree:
    """Calls that may follow a beginning; ``used`` are the fields that any of them may use.

    ``form`` is the number of its form among the trees of one exploration: equal trees, equal form.
    """

    children: dict[int, CallTree] = field(default_factory=dict)
    ends: bool = False
    used: tuple[str, ...] = ()
    form: int = -1


class SequenceStates:
    """The states that were continued, by what may follow them; mutable."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._forms: dict[tuple[tuple[int, int, bool], ...], int] = {}
        self._includes: dict[tuple[int, int], bool] = {}
        self._known: dict[
            tuple[int, ...], dict[int, tuple[CallTree, Subsumption[tuple[int, ...]]]]
        ] = {}

    def number(self, tree: CallTree) -> None:
        """Give ``tree``, whose parts have theirs, the number of its form."""
        parts = sorted((one, child.form, child.ends) for one, child in tree.children.items())
        tree.form = self._forms.setdefault(tuple(parts), len(self._forms))

    def is_known(
        self, state: SymbolicState[tuple[int, ...]], roots: tuple[int, ...], tree: CallTree
    ) -> bool:
        """Is every sequence of ``tree`` after ``state`` explored after another one?

        ``roots`` say which objects the calls that follow can refer to.
        """
        families = self._known.setdefault(roots, {})
        for form, (other, states) in families.items():
            if form != tree.form and self._covers(other, tree) and states.stands_for(state):
                return True
        if tree.form not in families:
            families[tree.form] = (tree, Subsumption(solver=self._solver))
        return not families[tree.form][1].add(state)

    def _covers(self, tree: CallTree, other: CallTree) -> bool:
        """Are all sequences of ``other`` among those of ``tree``?"""
        if tree.form == other.form:
            return True
        key = (tree.form, other.form)
        if key not in self._includes:
            self._includes[key] = all(
                number in tree.children
                and (tree.children[number].ends or not child.ends)
                and self._covers(tree.children[number], child)
                for number, child in other.children.items()
            )
        return self._includes[key]
