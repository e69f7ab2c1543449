"""Nanoseconds for each object of a heap: canonical digest beside pickle and deepcopy.

Neither pickle nor deepcopy decides equality of states (memo numbers, dict order of instances,
reducers of the subject); they are the yardstick only.
"""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path
from timeit import repeat
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent / "subjects"))

from bin_search_tree import BinSearchTree
from linked_list import LinkedList
from tree_map import TreeMap

from unitcraft.state.heap.canonical import canonical, structure

if TYPE_CHECKING:
    from collections.abc import Callable


def heaps(size: int) -> dict[str, Any]:
    """One object of each class with ``size`` elements."""
    values = [index * 7919 % size for index in range(size)]
    tree, items, tree_map = BinSearchTree(), LinkedList(), TreeMap()
    for value in values:
        tree.insert(value)
        items.add(value)
        tree_map.put(value)
    return {"BinSearchTree": tree, "LinkedList": items, "TreeMap": tree_map}


def nanoseconds(run: Callable[[], Any], objects: int, number: int) -> float:
    """The best of five."""
    return min(repeat(run, number=number, repeat=5)) / number / objects * 1e9


def main() -> None:
    """Print one row for each class and size."""
    print(f"{'heap':24}{'objects':>8}{'canonical':>11}{'pickle':>9}{'deepcopy':>10}  ns/object")
    for size in (5, 200):
        for name, value in heaps(size).items():
            objects = len(structure((value,)))
            runs = (lambda: canonical((value,)), lambda: pickle.dumps(value),  # noqa: B023
                    lambda: copy.deepcopy(value))  # fmt: skip  # noqa: B023
            cells = [nanoseconds(run, objects, 20_000 // objects) for run in runs]
            label = f"{name} of {size}"
            print(f"{label:24}{objects:8}{cells[0]:11.0f}{cells[1]:9.0f}{cells[2]:10.0f}")


if __name__ == "__main__":
    main()
