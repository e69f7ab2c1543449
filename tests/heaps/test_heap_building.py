"""Heaps that no calls reach: what is written to build them."""

from __future__ import annotations

import pytest
from pile_subject import SOURCE

from unitcraft.core.call_text import call_text
from unitcraft.core.sequences import Ref
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.heaps.heap_building import AGENT, HeapBuilder
from unitcraft.heaps.heap_task import HeapsRequest, generation_task
from unitcraft.subject.model import Invocable, Parameter, Subject

#: A pile of two cells that is marked: forms number the objects breadth first.
FORM = ((0, (True, (1, 0))), (1, ((1, 1),)), (1, (None,)))
NAMES = [f"_{place}" for place in range(3)]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = tmp_path_factory.mktemp("piles")
    (folder / "piles.py").write_text(SOURCE)
    task = generation_task(HeapsRequest("piles", "Pile", (1, 2), paths=(str(folder),)))
    with Pool(task.spec, 1) as pool:
        assert task.spec.entry == AGENT
        yield task, pool


def written(opened, *parameters, form=FORM):
    task, pool = opened
    makers = (
        Invocable("piles:Pile", "constructor", "Pile", "piles:Pile"),
        Invocable("piles:Cell", "constructor", "Cell", "piles:Cell", parameters),
    )
    found = HeapBuilder(task, Subject("piles", "", invocables=makers), pool).build(form)
    return [call_text(call, NAMES) for call in found] if found is not None else None


@pytest.mark.parametrize(
    ("parameters", "cell"),
    [
        ((Parameter("after"),), "Cell(None)"),
        ((Parameter("unheard_of"),), "object.__new__(Cell)"),
    ],
)
def test_constructors_are_called_where_fields_have_their_parameters(opened, parameters, cell):
    calls = written(opened, *parameters)
    assert calls[:3] == ["Pile()", cell, cell]
    assert set(calls[3:]) >= {"_0.top = _1", "_1.after = _2", "_0.many = True"}
    assert ("_2.after = None" in calls) == (cell != "Cell(None)")


def test_the_receiver_comes_first(opened):
    task, pool = opened
    found = HeapBuilder(task, Subject("piles", ""), pool).build(FORM)
    assert found[0].name.endswith("__new__")
    assert {call.args[0] for call in found[3:]} == {Ref(0), Ref(1), Ref(2)}


def test_a_heap_that_is_not_valid_is_not_built(opened):
    assert written(opened, form=((0, (True, None)),)) is None
