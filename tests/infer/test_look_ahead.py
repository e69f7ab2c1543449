"""Walks that a worker makes at once: the table is the one of single steps."""

from __future__ import annotations

import pytest

from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import Inference, open_host
from unitcraft.infer.universe import universes
from unitcraft.infer.universe.transition_table import TransitionTable
from unitcraft.infer.universe.universes import Size

SOURCE = """
from __future__ import annotations


class Box:
    made = 0

    def __init__(self):
        type(self).made += 1
        self.number = type(self).made
        self.items = []

    def put(self, item: int) -> int:
        if len(self.items) > 8:
            raise OverflowError(item)
        self.items.append(item)
        return len(self.items)

    def take(self) -> int:
        return self.items.pop()

    def all(self) -> list[int]:
        return list(self.items)

    def pour(self, other: Box) -> Box:
        self.items += other.items[:2]
        return self


class Stack:
    def __init__(self, items: tuple[int, ...] = ()):
        self.items = items

    def push(self, item: int) -> Stack:
        return Stack((*self.items, item))

    def rest(self) -> Stack:
        return Stack(self.items[1:])

    def mark(self, note: int) -> None:
        self.items = (note,)
"""


@pytest.mark.parametrize("name", ["Box", "Stack"])
def test_the_table_is_that_of_single_steps(tmp_path, monkeypatch, name):
    (tmp_path / "held.py").write_text(SOURCE)
    monkeypatch.setattr(universes, "MAX_BURST", 20)
    monkeypatch.setattr(universes, "MAX_MEETING", 4)
    task = ClassToSpecify("held", name, paths=(str(tmp_path),))
    asked = []
    with open_host(task) as host:
        one = host.pool.one
        monkeypatch.setattr(host.pool, "one", lambda *of: asked.append(of[0]) or one(*of))
        at_once, asked_at_once = walked(host, task), asked.count("walk")
        monkeypatch.setattr(TransitionTable, "look_ahead", lambda *_: None)
        assert walked(host, task) == at_once
    assert 0 < asked_at_once == asked.count("walk")


def walked(host, task):
    """The states of walks, and the entries of their steps."""
    run = Inference(task, host.subject, host.pool, None)
    found = run.larger_universe(Size(depth=1, level=4, states=6, calls=6, walks=True), 0)
    return found.starts, list(run.table.entries()), run.table.states
