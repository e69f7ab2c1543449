"""Counts that the papers published, and those that follow from the same conventions.

Conventions: iteration N means N calls after the constructor, and the integer arguments are
0 … N-1; a test is one execution of a (frontier state, method, arguments) triple, cumulative; the
state after the constructor counts; a state is the canonical heap of the receiver, unread slots
included; what a call raises is an outcome, and the state it leaves counts.  Symbolic: a test is one
feasible path of one (frontier state, method); a state is pruned when another one of isomorphic
heap stands for all of its concrete states, queued states included.

Sources: SYMSTRA, "Statistics of Some Programs", and ROSTRA, "Preliminary Experimental Results"
(states); the tests are those of the SYMSTRA evaluation.
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

_STOPPED: Final = "in full; the paper's run stopped at 1458 states, 12626 tests"
_OTHER: Final = "the paper has {} tests for these states"


def _rows(
    subject: tuple[str, str, tuple[str, ...]],
    first: int,
    states: list[Count],
    tests: list[Count],
    notes: tuple[str, ...] = (),
) -> tuple[Row, ...]:
    """Rows for the iterations from ``first`` on; ``notes`` belong to the last ones."""
    words = ("",) * (len(states) - len(notes)) + notes
    figures = enumerate(zip(states, tests, words, strict=True), first)
    return tuple(Row(*subject, n, state, test, 0, note) for n, (state, test, note) in figures)


def _published(*values: int) -> list[Count]:
    return [Count(value) for value in values]


def _derived(*values: int) -> list[Count]:
    return [derived(value) for value in values]


SYMBOLIC: Final[tuple[Row, ...]] = (
    *_rows(
        _BST,
        5,
        [derived(65), Count(197), Count(626), derived(2056)],
        [*_published(350, 1274, 4706), derived(17576)],
        (_STOPPED,),
    ),
    *_rows(_HEAP, 5, [derived(6), *_published(7, 8, 9)], _published(40, 66, 86, 157)),
    *_rows(_LIST, 5, [derived(6), *_published(7, 8, 9)], _published(25, 33, 42, 52)),
    *_rows(
        _TREE,
        5,
        [derived(16), *_published(28, 59, 111)],
        [Count(114), *_derived(260, 572, 1486)],
        tuple(_OTHER.format(tests) for tests in (386, 698, 2074)),
    ),
    *_rows(_INT, 5, _derived(12, 16, 20, 25), _published(18, 24, 32, 40)),
    *_rows(_UB, 5, _derived(22, 31), _published(43, 67)),
    *_rows(
        _UINT,
        5,
        [derived(6), *_published(7, 8, 9, 10, 11)],
        _derived(15, 21, 28, 36, 45, 55),
    ),
)


@dataclass(frozen=True, slots=True)
class Floor:
    """The branch coverage that SYMSTRA published for a class, in percent, and our bound.

    All methods are explored but ``__eq__``: exploration has one receiver, ``__eq__`` compares two.
    """

    module: str
    cls: str
    percent: int
    iterations: int


FLOORS: Final[tuple[Floor, ...]] = (
    Floor("bin_search_tree", "BinSearchTree", 100, 6),
    Floor("linked_list", "LinkedList", 100, 6),
    Floor("int_stack", "IntStack", 100, 6),
    Floor("ub_stack", "UBStack", 100, 9),
    Floor("heap_array", "HeapArray", 100, 9),
    Floor("binomial_heap", "BinomialHeap", 91, 8),
    Floor("tree_map", "TreeMap", 84, 8),
)
