"""States between candidate sequences: when is a beginning known already?"""

from __future__ import annotations

import pytest

from unitcraft.explore.concolic.sequence_states import CallTree, SequenceStates
from unitcraft.solve.chain import chain
from unitcraft.state.symbolic.symbolic_state import SymbolicState

X = ("v", 0)


def tree(states, *sequences):
    """The tree of ``sequences`` of call numbers, with the numbers of its forms."""
    root = CallTree()
    for calls in sequences:
        node = root
        for one in calls:
            node = node.children.setdefault(one, CallTree())
        node.ends = True

    def number(node):
        for child in node.children.values():
            number(child)
        states.number(node)

    number(root)
    return root


def state(shape, bound):
    """An object that holds an integer above ``bound``."""
    return SymbolicState(shape, (X,), (((">", X, bound), True),), ("int",), (), (bound + 1,))


LONG, SHORT, OTHER = ((1, 2), (3,)), ((3,),), ((4,),)


@pytest.mark.parametrize(
    ("first", "then", "known"),
    [
        ((b"a", 3, (1,), LONG), (b"a", 3, (1,), LONG), True),
        ((b"a", 3, (1,), LONG), (b"a", 5, (1,), LONG), True),
        ((b"a", 5, (1,), LONG), (b"a", 3, (1,), LONG), False),
        ((b"a", 3, (1,), LONG), (b"b", 3, (1,), LONG), False),
        ((b"a", 3, (1,), LONG), (b"a", 3, (1,), SHORT), True),
        ((b"a", 3, (1,), SHORT), (b"a", 3, (1,), LONG), False),
        ((b"a", 3, (1,), LONG), (b"a", 3, (1,), OTHER), False),
        ((b"a", 3, (1,), LONG), (b"a", 3, (1, 1), LONG), False),
    ],
)
def test_a_state_is_known_where_an_earlier_one_stands_for_it(first, then, known):
    states = SequenceStates(chain())
    answers = [
        states.is_known(state(shape, bound), roots, tree(states, *calls))
        for shape, bound, roots, calls in (first, then)
    ]
    assert answers == [False, known]
