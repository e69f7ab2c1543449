"""Objects that are equal are one state (state_equality, state_tree), however many look alike."""

from __future__ import annotations

import pytest

from unitcraft.core.events import SilentListener
from unitcraft.infer.algebraic.confirmation import Confirmation
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import Inference, open_host
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.universe.profiles import profiles_of
from unitcraft.infer.universe.universes import Size

SOURCE = """
class Bag:
    def __init__(self) -> None:
        self._items: list[int] = []

    def insert(self, item: int) -> None:
        if item not in self._items:
            self._items.append(item)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bag) and sorted(self._items) == sorted(other._items)

    __hash__ = None


class Open(Bag):
    def contains(self, item: int) -> bool:
        return item in self._items

    def size(self) -> int:
        return len(self._items)
"""
EITHER_ORDER = "insert(insert(S, e), f) == insert(insert(S, f), e)"


@pytest.mark.parametrize("name", ["Bag", "Open"])
def test_an_order_that_nobody_sees_refutes_nothing(tmp_path, name):
    (tmp_path / "bags.py").write_text(SOURCE)
    request = ClassToSpecify("bags", name, ints=tuple(range(14)), paths=(str(tmp_path),))
    with open_host(request) as host:
        run = Inference(request, host.subject, host.pool, SilentListener())
        run.prepare(host.spec)
        parser = LawParser(
            run.table.operations, profiles_of(run.table, run.equality), run.table.values
        )
        law = parser.law(EITHER_ORDER)
        size = Size(depth=5, level=80, states=300, calls=60, walks=True)
        verdict = Confirmation(run.larger_universe(size, seed=1)).check(law)
    assert run.equality.uses_equals
    assert verdict.witness is None
    assert verdict.rows > 0
