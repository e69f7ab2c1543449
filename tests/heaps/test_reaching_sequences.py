"""Calls that reach heaps, on a counter with a planted bug and a heap that nothing reaches."""

from __future__ import annotations

import signal

import pytest
from pile_subject import SOURCE

from unitcraft.app.exploration.heaps_command import generate_heaps, heap_text, render_heaps
from unitcraft.core.errors import Terminated
from unitcraft.core.types import TypeExpr
from unitcraft.explore.domains import Domains
from unitcraft.heaps.heap_generation import HeapGenerator
from unitcraft.heaps.heap_task import HeapsRequest, generation_task, methods_to_call
from unitcraft.heaps.reaching_sequences import reach_heaps
from unitcraft.subject.model import ClassInfo, Invocable, Parameter, Subject


@pytest.fixture(scope="module")
def reached(tmp_path_factory):
    """The heaps of piles of two cells, what calls reach, and the text of each heap's sequence."""
    folder = tmp_path_factory.mktemp("piles")
    (folder / "piles.py").write_text(SOURCE)
    task = generation_task(HeapsRequest("piles", "Pile", (1, 2), paths=(str(folder),)))
    result = generate_heaps(task, None)
    forms = [heap.form for heap in result.suite.suite]
    found, texts = reach_heaps(task, forms)
    return found, {heap_text(form, task.model): texts.get(at) for at, form in enumerate(forms)}


def test_heaps_have_their_shortest_sequences(reached):
    assert reached[1] == {
        "Pile0(many=False, top=None)": "pile = Pile()",
        "Pile0(many=False, top=Cell0) Cell0(after=None)": "pile = Pile(); pile.put()",
        "Pile0(many=False, top=Cell0) Cell0(after=Cell1) Cell1(after=None)":
            "pile = Pile(); pile.put(); pile.put()",
        "Pile0(many=True, top=Cell0) Cell0(after=Cell1) Cell1(after=None)":
            "pile = Pile(); pile.put(); pile.put(); pile.mark()",
    }  # fmt: skip


def test_reachable_objects_that_break_the_invariant_are_found(reached):
    names = [[call.name for call in one.calls[1:]] for one in reached[0].violations]
    assert names[0] == ["put", "put", "mark", "take"]


@pytest.mark.parametrize(
    ("interruption", "number"), [(KeyboardInterrupt, signal.SIGINT), (Terminated, signal.SIGTERM)]
)
def test_an_interrupt_keeps_what_was_found(tmp_path, monkeypatch, interruption, number):
    (tmp_path / "piles.py").write_text(SOURCE)
    task = generation_task(HeapsRequest("piles", "Pile", (1, 2, 3), paths=(str(tmp_path),)))
    report = HeapGenerator._report

    def interrupt(self, scope):
        report(self, scope)
        if scope == 2:
            raise interruption

    monkeypatch.setattr(HeapGenerator, "_report", interrupt)
    result = generate_heaps(task, None)
    assert result.ended_by == number
    assert [one.scope for one in result.generation.stats] == [1]
    assert "not complete: interrupted" in render_heaps(result, "piles:Pile", "text")


def test_candidates_are_bounded(tmp_path):
    (tmp_path / "piles.py").write_text(SOURCE)
    asked = HeapsRequest("piles", "Pile", (1, 2), candidates=1, paths=(str(tmp_path),))
    result = generate_heaps(generation_task(asked), None)
    assert result.generation.stopped.endswith("candidates were run")


FATAL = """\
import os


class Bomb:
    def __init__(self):
        self.fuse = 3

    def rep_ok(self):
        if self.fuse == 2:
            os._exit(7)
        return True
"""


REACHED_BOMB = (
    FATAL
    + """
    def burn(self):
        self.fuse = max(self.fuse - 1, 0)

    def wet(self, times: int):
        self.fuse += times
"""
)


def test_states_on_which_the_invariant_ends_the_worker_are_reached_all_the_same(tmp_path):
    (tmp_path / "bombs.py").write_text(REACHED_BOMB)
    asked = HeapsRequest("bombs", "Bomb", (1, 2), paths=(str(tmp_path),))
    found, _ = reach_heaps(generation_task(asked), [])
    assert found.unanswered == 1
    assert found.states > 10
    assert found.violations == []


SLOW = """
class Slow:
    def __init__(self):
        self.items = []

    def push(self, item: int):
        self.items.append(item)

    def rep_ok(self):
        turns = 0
        for _ in range(BOUND):
            turns += 1
        return turns == BOUND
"""


@pytest.mark.parametrize(
    ("bound", "unanswered"),
    [pytest.param(400_000, 0, id="many steps"), pytest.param(10**9, 3, id="no end")],
)
def test_an_invariant_that_takes_too_many_steps_is_not_asked_for_ever(tmp_path, bound, unanswered):
    (tmp_path / "slows.py").write_text(SLOW.replace("BOUND", str(bound)))
    asked = HeapsRequest("slows", "Slow", (3,), paths=(str(tmp_path),))
    found, _ = reach_heaps(generation_task(asked), [])
    assert found.unanswered >= unanswered
    assert found.unasked > found.states / 2 > 100
    assert found.violations == []


UNREACHED = """
class Shelf:
    def __init__(self):
        self.size = 0

    def put(self, read: bytes):
        self.size = 1

    def rep_ok(self):
        return self.size in (0, 1)
"""


def test_where_no_call_has_arguments_nothing_is_reached(tmp_path):
    (tmp_path / "shelves.py").write_text(UNREACHED)
    asked = HeapsRequest("shelves", "Shelf", (1,), paths=(str(tmp_path),))
    found, texts = reach_heaps(generation_task(asked), [((0, (0,)),)])
    assert (found.states, texts) == (0, {})


def test_neither_the_invariant_nor_what_takes_unknown_objects_is_called():
    names = ("put", "_hide", "rep_ok")
    ids = tuple(f"m:C.{name}" for name in names)
    members = tuple(Invocable(one, "method", one[4:], "m:C") for one in ids)
    taking = Parameter("other", type=TypeExpr("class", cls="elsewhere:Thing"))
    members += (Invocable("m:C.join", "method", "join", "m:C", (taking,)),)
    ids += ("m:C.join",)
    subject = Subject("m", "", (ClassInfo("m:C", "m", "C", members=ids),), members)
    assert methods_to_call(subject, "C", "rep_ok", Domains((0, 1))) == ("put",)


def test_what_ends_a_worker_costs_only_what_comes_after(tmp_path):
    (tmp_path / "bombs.py").write_text(FATAL)
    asked = HeapsRequest("bombs", "Bomb", (4,), "korat", paths=(str(tmp_path),))
    result = generate_heaps(generation_task(asked), None)
    assert result.generation.stopped == "the invariant ended a worker: exhausted: exit"
    assert [heap.form for heap in result.suite.suite] == []
    assert result.generation.valid == 2
