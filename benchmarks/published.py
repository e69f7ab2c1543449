"""Counts that the papers published, and those that follow from the same conventions.

Conventions: iteration N means N calls after the constructor, and the integer arguments are
0 … N-1; a test is one execution of a (frontier state, method, arguments) triple, cumulative; the
state after the constructor counts; a state is the canonical heap of the receiver, unread slots
included; what a call raises is an outcome, and the state it leaves counts.

Sources: SYMSTRA, "Statistics of Some Programs", and ROSTRA, "Preliminary Experimental Results"
(states); the tests of the concrete exploration are those of the SYMSTRA evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Count:
    """A figure; ``published`` when a paper prints it, else derived under the conventions."""

    value: int
    published: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One exploration: the class, its methods, the bound and what should come out.

    ``iterations`` differs from ``bound`` where the paper's run was cut short.
    """

    module: str
    cls: str
    methods: tuple[str, ...]
    bound: int
    states: Count
    tests: Count
    iterations: int = 0
    note: str = ""

    @property
    def depth(self) -> int:
        """The number of iterations."""
        return self.iterations or self.bound


def derived(value: int) -> Count:
    """A figure that no paper prints."""
    return Count(value, published=False)


_BST: Final = ("bin_search_tree", "BinSearchTree", ("insert", "remove"))
_TREE: Final = ("tree_map", "TreeMap", ("put", "remove"))
_HEAP: Final = ("binomial_heap", "BinomialHeap", ("insert", "extract_min", "delete"))
_LIST: Final = ("linked_list", "LinkedList", ("add", "remove", "remove_last"))
_UINT: Final = ("uint_stack", "UIntStack", ("push",))
_INT: Final = ("int_stack", "IntStack", ("push", "pop"))
_PLAIN: Final = ("list_int_stack", "ListIntStack", ("push", "pop"))
_UB: Final = ("ub_stack", "UBStack", ("push", "pop"))
_ARRAY: Final = ("heap_array", "HeapArray", ("insert", "extract_max"))

CONCRETE: Final[tuple[Row, ...]] = (
    Row(*_BST, 5, derived(188), Count(1460)),
    Row(*_BST, 6, Count(731), Count(7188)),
    Row(*_TREE, 4, Count(25), derived(168)),
    Row(*_TREE, 5, Count(72), Count(560)),
    Row(*_TREE, 6, Count(185), Count(2076)),
    Row(*_TREE, 7, Count(537), Count(6580)),
    Row(*_HEAP, 5, derived(380), Count(1320)),
    Row(*_HEAP, 6, Count(3036), Count(12168)),
    Row(*_LIST, 5, derived(3906), Count(8591)),
    Row(
        *_LIST,
        6,
        Count(9331),
        Count(20215),
        5,
        "the paper's run ended in iteration 6: out of memory",
    ),
    Row(*_LIST, 6, derived(55987), derived(121303), 0, "in full"),
    Row(*_UINT, 6, Count(1957), derived(7422)),
    Row(*_INT, 5, derived(4836), Count(5766), 0, "fixed array with stale slots"),
    Row(*_PLAIN, 5, derived(3906), derived(4686), 0, "no stale slots: 781 states are expanded"),
    Row(*_UB, 5, derived(656), Count(1950)),
    Row(*_UB, 6, derived(3955), Count(13734)),
    Row(*_ARRAY, 5, derived(664), Count(1296)),
)
