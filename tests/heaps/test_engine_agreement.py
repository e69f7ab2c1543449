"""Both engines find the same heaps and the same pairs, whatever the atoms of fields are."""

from __future__ import annotations

import pytest

from unitcraft.heaps.field_coverage import PairReader
from unitcraft.heaps.heap_generation import HeapGenerator, shape_of
from unitcraft.heaps.heap_task import HeapsRequest, generation_task
from unitcraft.heaps.transcoping import FieldSuite

CHAINS = """
class Node:
    def __init__(self, value: VALUE) -> None:
        self.value: VALUE = value
        self.next: Node | None = None
        self.prev: Node | None = None


class Chain:
    def __init__(self) -> None:
        self.head: Node | None = None
        self.tail: Node | None = None
        self.size = 0

    def rep_ok(self) -> bool:
        count, before, node = 0, None, self.head
        while node is not None:
            if node.prev is not before or CONDITION:
                return False
            before, node, count = node, node.next, count + 1
            if count > self.size:
                return False
        return before is self.tail and count == self.size
"""


def searched(folder, engine, scopes):
    task = generation_task(HeapsRequest("chains", "Chain", scopes, engine, paths=(str(folder),)))
    found = list(HeapGenerator(task).heaps())
    suite = FieldSuite(PairReader.of(task.model), scopes)
    suite.take(iter(found))
    symbolic = task.model.symbolic_fields()
    return {repr(shape_of(heap.form, symbolic)) for heap in found}, suite.extensions.sizes()


@pytest.mark.parametrize(
    ("value", "condition", "chains"),
    [
        ("int", "False", 1 + 3),
        ("int | None", "False", 1 + 2 + 4 + 8),
        ("None | bool | int", "node.value is True", 1 + 3 + 9 + 27),
        ("int | None", "node.value is not None and node.value < 2", 1 + 2 + 4 + 8),
        ("str | None", "node.value == 'z'", 1 + 4 + 16 + 64),
    ],
)
def test_engines_agree(tmp_path, value, condition, chains):
    text = CHAINS.replace("VALUE", value).replace("CONDITION", condition)
    (tmp_path / "chains.py").write_text(f"from __future__ import annotations\n{text}")
    lazy, korat = searched(tmp_path, "lazy", (1, 2, 3)), searched(tmp_path, "korat", (3,))
    assert lazy == korat
    assert len(lazy[0]) == chains
