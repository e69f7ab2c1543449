"""The picture of heaps is well-formed and draws every object and reference."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from unitcraft.heaps.heap_graph import MAX_HEAPS, draw_heaps
from unitcraft.heaps.heap_scope import FieldInfo, HeapClass, HeapModel

MODEL = HeapModel(
    (
        HeapClass("m:T", (FieldInfo("m:T", "root", ()), FieldInfo("m:T", "size", ()))),
        HeapClass("m:N", (FieldInfo("m:N", "next", ()), FieldInfo("m:N", "items", ()))),
    ),
    "rep_ok",
)
RING = ((0, ((1, 0), 2)), (1, ((1, 1), [])), (1, ((1, 0), [(1, 1), 3])))


def test_objects_are_boxes_and_references_lines():
    root = ET.fromstring(draw_heaps([RING], MODEL))
    kinds = [item.get("class") for item in root.iter()]
    assert kinds.count("box") == 3
    assert kinds.count("edge") == 4
    assert "size = 2" in [item.text for item in root.iter()]


def test_what_is_left_out_is_said():
    text = draw_heaps([RING] * (MAX_HEAPS + 2), MODEL)
    assert "2 more heaps are not drawn" in text
