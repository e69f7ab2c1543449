"""Which Invocables a search calls, and when."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.explore.search.entry_points import (
    SharedCode,
    inherited_entries,
    is_wanted,
    private_entries,
    public_entries,
)
from unitcraft.subject.model import ClassInfo, Invocable, Subject

CLASS = ClassInfo("m:C", "m", "C")
METHOD = Invocable("m:C.f", "method", "f", "m:C", module="m")


@pytest.mark.parametrize(
    ("invocable", "info", "expected"),
    [
        (Invocable("m:f", "function", "f"), None, True),
        (Invocable("m:_f", "function", "_f", public=False), None, False),
        (METHOD, CLASS, True),
        (METHOD, replace(CLASS, public=False), False),
        (METHOD, replace(CLASS, tags=("collaborator",)), False),
        (replace(METHOD, kind="constructor"), replace(CLASS, tags=("collaborator",)), True),
        (replace(METHOD, module="base"), CLASS, False),
        (replace(METHOD, module="base", uses_own=True), CLASS, True),
        (replace(METHOD, module="base", writes=("items",)), CLASS, True),
        (replace(METHOD, module=""), CLASS, True),
        (replace(METHOD, trivial=True), CLASS, False),
    ],
)
def test_public_members_are_tested_and_helpers_only_made(invocable, info, expected):
    assert is_wanted(invocable, {"m:C": info} if info else {}, "m") is expected


class Entered:
    """Goals of which only the Invocables ``names`` were entered."""

    def __init__(self, *names):
        self.names = names

    def is_entered(self, name):
        return name in self.names


def test_stages_open_public_then_private_then_inherited():
    hidden = Invocable("m:_f", "function", "_f", module="m", public=False)
    inherited = replace(METHOD, id="m:C.g", name="g", module="base")
    subject = Subject("m", "m.py", (CLASS,), (METHOD, hidden, inherited))
    assert public_entries(subject) == [METHOD]
    assert private_entries(subject, Entered()) == [hidden]
    assert private_entries(subject, Entered("m:_f")) == []
    nameless = replace(hidden, id="m:_", name="_")
    assert private_entries(replace(subject, invocables=(nameless,)), Entered()) == []
    assert inherited_entries(subject) == [inherited]


def test_those_that_run_the_same_code_take_turns():
    own = replace(METHOD, first=3, last=5)
    heir = replace(own, id="m:D.f", owner="m:D")
    foreign = replace(METHOD, id="m:D.g", name="g", module="")
    other = replace(foreign, id="m:E.g")
    shared = SharedCode()
    for one in (own, heir, foreign, other):
        shared.add(one)
    turns = [[name for name in ("m:C.f", "m:D.f") if shared.has_turn(name, n)] for n in range(4)]
    assert turns == [["m:C.f"], ["m:D.f"], ["m:C.f"], ["m:D.f"]]
    assert all(shared.has_turn(name, n) for name in ("m:D.g", "m:E.g") for n in range(2))
