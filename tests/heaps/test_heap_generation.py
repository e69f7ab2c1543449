"""However a search is divided among workers, its heaps come as one worker would find them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.heaps import heap_generation
from unitcraft.heaps.heap_generation import HeapGenerator
from unitcraft.heaps.heap_task import HeapsRequest, generation_task
from unitcraft.heaps.search_parts import SearchParts

CHAIN = """
class Node:
    def __init__(self, value: bool) -> None:
        self.value: bool = value
        self.next: Node | None = None


class Chain:
    def __init__(self) -> None:
        self.head: Node | None = None
        self.size = 0

    def rep_ok(self) -> bool:
        if ENDS and self.size == 2:
            import os
            os._exit(3)
        met, node = [], self.head
        while node is not None and node not in met:
            met.append(node)
            node = node.next
        return node is None and len(met) == self.size and [one.value for one in met] != [True]
"""


def generator_of(folder, engine, jobs=1, *, ends=False):
    (folder / "chains.py").write_text(
        f"from __future__ import annotations\n{CHAIN.replace('ENDS', str(ends))}"
    )
    request = HeapsRequest("chains", "Chain", (4,), engine, paths=(str(folder),), jobs=jobs)
    return HeapGenerator(generation_task(request))


@pytest.mark.parametrize("engine", ["lazy", "korat"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_divided_search_is_the_whole_one(tmp_path, monkeypatch, engine, jobs):
    whole = generator_of(tmp_path, engine)
    heaps = list(whole.heaps())
    monkeypatch.setattr(heap_generation, "CHUNK", 7)
    divided = generator_of(tmp_path, engine, jobs)
    assert list(divided.heaps()) == heaps
    assert divided.state.explored == whole.state.explored
    assert len(heaps) > 10


@pytest.mark.parametrize("candidates", [1, 20, 55])
def test_a_bound_of_candidates_holds_exactly_when_later_parts_are_ahead(
    tmp_path, monkeypatch, candidates
):
    whole = generator_of(tmp_path, "korat")
    first = [heap for heap in whole.heaps() if heap.explored <= candidates]
    monkeypatch.setattr(heap_generation, "CHUNK", 7)
    bounded = HeapGenerator(replace(whole._task, candidates=candidates, jobs=2))
    assert list(bounded.heaps()) == first
    assert bounded.state.explored == candidates
    assert bounded.state.stopped == f"{candidates} candidates were run"


def test_what_ends_a_later_part_costs_no_heap_before_it(tmp_path, monkeypatch):
    monkeypatch.setattr(heap_generation, "CHUNK", 7)
    one = generator_of(tmp_path, "korat", ends=True)
    two = generator_of(tmp_path, "korat", jobs=2, ends=True)
    heaps = list(one.heaps())
    assert list(two.heaps()) == heaps
    assert [heap.form[0][1][1] for heap in heaps] == [0, 1]
    assert "ended a worker" in one.state.stopped


def test_a_part_is_divided_until_there_is_work_for_all():
    parts = SearchParts([("a",), ("b",), ("c",), ("d",), ("e",)])
    first, second, third = parts.waiting(3)
    assert [part.tokens for part in (first, second, third)] == [
        (("a",), ("b",)), (("c",),), (("d",), ("e",)),
    ]  # fmt: skip
    parts.answer(second, (1, ["heap"], [1], [], ()), (("f",),))
    assert parts.next_answer() is None
    parts.answer(first, (2, [], [], [], ()), ())
    assert parts.next_answer()[0] == 2
    assert parts.next_answer()[1] == ["heap"]
    assert [part.tokens for part in parts.waiting(2)] == [(("f",),), (("d",), ("e",))]
