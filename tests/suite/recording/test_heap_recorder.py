"""The heaps that calls of a suite are given."""

from __future__ import annotations

import asyncio

import pytest
from recorded_modules import module_of

from unitcraft.suite.recording.guest.heap_recorder import MAX_OBJECTS, HeapRecorder
from unitcraft.suite.recording.recorded_functions import Subjects

SOURCE = """
class Cell:
    def __init__(self, after):
        self.after = after

class Pile:
    def __init__(self):
        self.top = None

    def put(self):
        self.top = Cell(self.top)
        self.size()

    def size(self):
        return 1

    def cells(self):
        cell = self.top
        while cell is not None:
            yield cell
            cell = cell.after

    async def later(self):
        return self.size()

    def fail(self):
        self.put()
        raise ValueError

def measure(depth, pile):
    return depth
"""
EMPTY, ONE = ((0, (None,)),), ((0, ((1, 0),)), (1, (None,)))


@pytest.fixture
def piles():
    module = module_of(SOURCE)
    name = module.__name__
    layout = {f"{name}:Pile": (0, ("top",)), f"{name}:Cell": (1, ("after",))}
    recorder = HeapRecorder(Subjects((name,)), {f"{name}:Pile": layout})
    recorder.divert_loaded()
    recorder.begin()
    return module, recorder


def forms(recorder):
    return [form for _, form in recorder.end()["heaps"]]


@pytest.mark.parametrize(
    "use",
    [
        "pile.put(); pile.put()",
        "pile.put(); measure(3, pile); pile.size()",
        "pile.put(); list(pile.cells())",
        "pile.put(); asyncio.run(pile.later())",
        "try: pile.fail()\nexcept ValueError: pile.size()",
    ],
)
def test_receivers_and_arguments_count_as_the_test_gives_them(piles, use):
    module, recorder = piles
    names = {**vars(module), "asyncio": asyncio, "pile": module.Pile()}
    exec(use, names)
    assert [form for form in forms(recorder) if form != EMPTY] == [ONE]
    recorder.begin()
    names["pile"] = module.Pile()
    exec(use, names)
    assert forms(recorder) == []


def test_objects_of_other_classes_and_large_heaps_are_left_out(piles):
    module, recorder = piles
    pile = module.Pile()
    pile.top = "text"
    pile.size()
    assert forms(recorder) == [((0, ("text",)),)]
    recorder.begin()
    pile.top = {}
    pile.size()
    assert forms(recorder) == [((0, ({},)),)]
    recorder.begin()
    pile.top = {object(): 1}
    pile.size()
    pile.top = None
    for _ in range(MAX_OBJECTS + 5):
        pile.top = module.Cell(pile.top)
    pile.size()
    assert forms(recorder) == []
