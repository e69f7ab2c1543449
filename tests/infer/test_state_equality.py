"""Objects that are equal are one state (state_equality, state_tree), however many look alike."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from unitcraft.core.events import SilentListener
from unitcraft.core.outcomes import Exhausted
from unitcraft.execute.spec import Reply
from unitcraft.infer.algebraic.confirmation import Confirmation
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import Inference, open_host
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.universe.profiles import profiles_of
from unitcraft.infer.universe.state_equality import StateEquality
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


class PoolStub:
    """Numbers are equal that leave the same when divided by five; some items exceed a bound."""

    def __init__(self, most=100):
        self.most = most
        self.asked = []

    def map(self, service, items, **_):
        assert service == "equals"
        for paths, asked in items:
            self.asked.append([paths[place] for place, _ in asked])
            if len(asked) > self.most:
                yield Reply(failure=Exhausted("time"))
            else:
                yield Reply(
                    tuple(
                        tuple(paths[place] % 5 == paths[other] % 5 for other in others)
                        for place, others in asked
                    )
                )


@pytest.mark.parametrize(
    ("most", "asked"),
    [
        (100, [[11, 16, *range(21, 27)], [27, 28], [30]]),
        (2, [[11, 16, *range(21, 27)], [27, 28], [30],
             *[[one] for one in (11, 16, *range(21, 27))]]),
    ],
)  # fmt: skip
def test_states_that_may_equal_the_same_ones_are_compared_together(most, asked):
    """Eight at a time; those of a group that exceeds a bound each on its own."""
    pool = PoolStub(most)
    equality = StateEquality(SimpleNamespace(pool=pool, item=lambda state: state))
    states = [11, 12, 16, *range(21, 29), 30]
    compared = [[1, 2], [], *[[1, 2, *states[:place]] for place in range(2, 11)], [0]]
    found = equality._ask(states, compared)
    assert found == [
        tuple(one % 5 == state % 5 for one in others)
        for state, others in zip(states, compared, strict=True)
    ]
    assert pool.asked == asked


def test_what_exceeds_a_bound_alone_equals_nothing():
    equality = StateEquality(SimpleNamespace(pool=PoolStub(0), item=lambda state: state))
    assert equality._ask([6, 11], [[1], [1, 6]]) == [(False,), (False, False)]
    assert not equality.disagreement
