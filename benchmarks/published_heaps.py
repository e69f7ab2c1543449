"""Counts of heaps: Korat's candidates, sizes of field extensions, and a transcoping run.

Sources: KORAT (the examples of its version 1.0, explored and valid); FIELDCOVERAGE for the measure
(extensions of the reference fields of the nodes, breadth-first identifiers) and Table I; the sizes
are those that follow in closed form or by counting trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class KoratRow:
    """A class, its finitization, a scope, and the candidates explored and valid."""

    module: str
    cls: str
    fields: Mapping[str, str]
    scope: int
    explored: int
    valid: int


@dataclass(frozen=True, slots=True)
class ExtensionRow:
    """A class and, for scopes 1, 2, ..., valid heaps so far and sizes of extensions of fields."""

    module: str
    cls: str
    valid: tuple[int, ...] = ()
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TranscopingRow:
    """A way to stop at scope 10: the predicted sizes of left and right, heaps visited, suite."""

    method: str
    left: float
    right: float
    visited: int
    suite: int


_SEARCH_TREE: Final = {"SearchTree.size": "N..N", "Node.key": "1..N"}
_DISJ_SET: Final = {"DisjSet.size": "0..N", "Record.parent": "0..N-1", "Record.rank": "0..N-1"}

KORAT: Final = (
    KoratRow("search_tree", "SearchTree", _SEARCH_TREE, 3, 133, 5),
    KoratRow("search_tree", "SearchTree", _SEARCH_TREE, 4, 875, 14),
    KoratRow("search_tree", "SearchTree", _SEARCH_TREE, 5, 6155, 42),
    KoratRow("korat_disj_set", "DisjSet", _DISJ_SET, 4, 7915, 914),
    KoratRow("search_tree", "SearchTree", _SEARCH_TREE, 6, 45233, 132),
    KoratRow("binary_tree", "BinaryTree", {"BinaryTree.size": "N..N"}, 8, 54418, 1430),
    KoratRow(
        "korat_heap_array",
        "HeapArray",
        {"HeapArray.size": "0..N", "HeapArray.array[]": "-1..N"},
        6,
        64533,
        13139,
    ),
    KoratRow("search_tree", "SearchTree", _SEARCH_TREE, 7, 340990, 429),
)

_SCOPES: Final = range(1, 11)

EXTENSIONS: Final = (
    ExtensionRow(
        "sorted_list", "SortedList", (), {"Node.next": tuple([2 * s - 1 for s in _SCOPES])}
    ),
    ExtensionRow(
        "search_tree",
        "SearchTree",
        (2, 4, 9, 23, 65, 197, 626, 2056, 6918, 23714),
        {
            "Node.left": tuple([s + s * s // 4 for s in _SCOPES]),
            "Node.right": tuple([s + (s - 1) * (s + 3) // 4 for s in _SCOPES]),
        },
    ),
    ExtensionRow(
        "avl_tree",
        "AvlTree",
        (),
        {
            "Node.left": (1, 3, 4, 7, 9, 11, 15, 20, 24, 28),
            "Node.right": (1, 3, 5, 8, 11, 13, 18, 23, 28, 32),
        },
    ),
)

#: A binary search tree in scope 10, from scopes 1 to 5; the exhaustive run comes first.
TRANSCOPING: Final = (
    TranscopingRow("", 35, 39, 23714, 55),
    TranscopingRow("linear", 23.10, 27.40, 2057, 37),
    TranscopingRow("quadratic", 33.17, 40.83, 23714, 55),
    TranscopingRow("average", 28.14, 34.11, 6919, 46),
)

#: Classes whose valid heaps both engines are to agree on, with domains for the concrete one.
AGREEING: Final = (
    ("sorted_list", "SortedList", {}),
    ("search_tree", "SearchTree", {}),
    ("avl_tree", "AvlTree", {"Node.height": "0..3"}),
    ("red_black_set", "TreeSet", {}),
    ("binomial_queue", "BinomialQueue", {"Node.degree": "0..3"}),
)
