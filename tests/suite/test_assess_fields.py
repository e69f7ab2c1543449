"""Field coverage of the heaps that a suite met."""

from __future__ import annotations

import pytest

from unitcraft.heaps.field_coverage import FieldExtensions, PairReader
from unitcraft.heaps.heap_generation import GenerationTask
from unitcraft.heaps.heap_scope import FieldInfo, HeapClass, HeapModel
from unitcraft.suite.existing.assess_fields import assess_fields, pair_text

MODEL = HeapModel(
    (
        HeapClass("t:Tree", (FieldInfo("t:Tree", "root", (("none",), ("object", "t:Node"))),)),
        HeapClass("t:Node", (FieldInfo("t:Node", "kids", (("list", (("object", "t:Node"),)),)),)),
    ),
    "rep_ok",
)
TASK = GenerationTask("t:Tree", MODEL, (1, 2), "lazy", None, 100)
EMPTY = ((0, (None,)),)
ONE = ((0, ((1, 0),)), (1, ([],)))
TWO = ((0, ((1, 0),)), (1, ([(1, 1)],)), (1, ([],)))


def coverage(*met):
    wanted = FieldExtensions(PairReader.of(MODEL))
    for form in (EMPTY, ONE, TWO):
        wanted.add(form)
    return assess_fields(TASK, wanted, met)


def test_pairs_that_no_call_met_are_missing():
    found = coverage(EMPTY, TWO)
    assert (found.wanted, found.covered) == ({"Tree.root": 2, "Node.kids": 1},) * 2
    assert found.is_exhaustive
    assert found.is_non_null
    found = coverage(EMPTY)
    assert found.covered == {"Tree.root": 1, "Node.kids": 0}
    assert found.missing == ("Tree0.root = Node0", "Node0.kids[0] = Node1")
    assert not found.is_exhaustive
    assert not found.is_non_null


@pytest.mark.parametrize(
    ("label", "pair", "text"),
    [
        ("Tree.root", (0, None), "Tree0.root = None"),
        ("Node.kids", (1, (0, (1, 2))), "Node1.kids[0] = Node2"),
        ("Node.kids", (1, 3), "len(Node1.kids) = 3"),
    ],
)
def test_pairs_as_people_read_them(label, pair, text):
    assert pair_text(label, pair, MODEL) == text


def test_layouts_are_in_the_order_of_forms():
    assert MODEL.layout() == (("t:Tree", ("root",)), ("t:Node", ("kids",)))
