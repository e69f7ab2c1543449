"""Invariants inferred from forms of objects that calls made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.heaps.heap_scope import FieldInfo, HeapClass, HeapModel
from unitcraft.heaps.heap_task import INFERRED, HeapsRequest, generation_task
from unitcraft.heaps.shape_learning import infer_invariant

LINK = (("none",), ("object", "m:Link"))


def model(own, link):
    return HeapModel(
        tuple(
            HeapClass(name, tuple(FieldInfo(name, field, kinds) for field, kinds in fields))
            for name, fields in (("m:Chain", own), ("m:Link", link))
        ),
        "inferred",
    )


CHAIN = model(
    [("first", LINK), ("last", LINK), ("size", (("int",),))], [("prev", LINK), ("next", LINK)]
)


def chain(length):
    ends = ((1, 0), (1, 1) if length > 1 else (1, 0)) if length else (None, None)
    # breadth first: the first link, the last one, then those between
    order = [0, *range(2, length), 1] if length > 1 else [0]
    cells = {}
    for place, number in enumerate(order[:length]):
        before = (1, order[place - 1]) if place else None
        after = (1, order[place + 1]) if place + 1 < length else None
        cells[number] = (1, (before, after))
    return ((0, (*ends, length)), *[cells[number] for number in sorted(cells)])


def test_a_doubly_linked_list_is_told_from_whatever_differs_in_a_field():
    found = infer_invariant(CHAIN, [chain(length) for length in range(6)])
    assert found[:2] == (
        "tree(self, 'first', 'next')",
        "back(self, ('first', 'next'), 'prev')",
    )
    assert "end(self, 'first', 'next', 'last')" in found
    assert "counted(self, ('first', 'next'), 'size', 0)" in found


def test_what_one_form_breaks_is_not_said():
    wrong = ((0, ((1, 0), (1, 0), 7)), (1, (None, None)))
    found = infer_invariant(CHAIN, [wrong, *[chain(length) for length in range(6)]])
    assert not [one for one in found if "size" in one and not one.startswith("at_least")]
    assert "tree(self, 'first', 'next')" in found


def test_few_forms_say_nothing():
    assert infer_invariant(CHAIN, [chain(0), chain(1), chain(1)]) == ()


def test_lists_have_lengths_and_orders():
    lists = HeapModel(
        (HeapClass("m:Heap", (FieldInfo("m:Heap", "items", (("list", (("int",),)),)),
                              FieldInfo("m:Heap", "size", (("int",),)))),),
        "inferred",
    )  # fmt: skip
    forms = [((0, (list(range(length)), length)),) for length in range(5)]
    assert infer_invariant(lists, forms) == (
        "measured(self, 'items', 'size', 0)",
        "increasing(self, 'items')",
    )


def test_laws_join_what_is_inferred_and_stand_where_nothing_is(tmp_path):
    (tmp_path / "lamp.py").write_text("class Lamp:\n    def __init__(self):\n        self.on = 0\n")
    asked = HeapsRequest("lamp", "Lamp", (1,), invariant=INFERRED, paths=(str(tmp_path),))
    with pytest.raises(UnitcraftError, match="can be inferred"):
        generation_task(asked)
    model = generation_task(replace(asked, laws=("0 <= self.on",))).model
    assert (model.invariant, model.is_inferred) == ("(0 <= self.on)", True)
