"""The places of a project that a test leaves changed: named, with what they held, and put back."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from unitcraft.core.encoding import decode_arg
from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.emit.verify.pytest_run import ChangedPlace
from unitcraft.emit.verify.state_isolation import asserts_state, places_of, with_own_state
from unitcraft.emit.verify.verifier_main import as_it_was
from unitcraft.execute.isolation.own_state import OwnState
from unitcraft.suite import tests as suite_tests

SOURCE = """
names = set()
table = {"a": [1]}
objects = [object()]
count = 0
fixed = (1, 2)


class Settings:
    def __init__(self):
        self.level = 1
        self.words = []


settings = Settings()


class Box:
    made = []
    last = None


def fill():
    Box.made.append(1)
    Box.last = fill
"""


@pytest.fixture
def module(monkeypatch):
    made = ModuleType("ownpackage.registry")
    monkeypatch.setitem(sys.modules, "ownpackage", ModuleType("ownpackage"))
    monkeypatch.setitem(sys.modules, "ownpackage.registry", made)
    exec(SOURCE, made.__dict__)
    return made


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("names.add(int)", {"names": Display("set", ())}),
        ("count += 1; new = 3", {"count": Const(0)}),
        ("table = {}", {"table": Display("dict", (Const("a"), Display("list", (Const(1),))))}),
        ("objects.clear()", {"objects": Build(Symbol("builtins", "list"), (Symbol("", ""),))}),
        ("fill()", {"Box.last": Const(None), "Box.made": Display("list", ())}),
        ("settings.level = 2", {"settings.level": Const(1)}),
        ("settings.words.append(1)", {"settings.words": Display("list", ())}),
        ("import threading; Box.last = threading.Thread()", {}),
        ("fixed = ()", {}),
        ("len(names)", {}),
    ],
)
def test_what_changed_is_named_with_what_it_held_and_put_back(module, code, expected):
    state = OwnState("ownpackage")
    for _ in range(2):  # the second time everything is as at first
        state.save()
        exec(code, module.__dict__)
        places = state.changed()
        state.put_back()
        found = {place[1]: decode_arg(as_it_was(*place)) for place in places}
        copied = Build(Symbol("builtins", "list"), (Symbol("ownpackage.registry", "objects"),))
        assert found == {k: copied if isinstance(v, Build) else v for k, v in expected.items()}
    assert (module.names, module.count, module.table) == (set(), 0, {"a": [1]})
    assert (module.Box.made, module.Box.last, len(module.objects)) == ([], None, 1)


def test_alone_it_is_the_module_without_what_no_test_states(module):
    module.large = list(range(1000))
    state = OwnState("ownpackage.registry", alone=True)
    state.save()
    exec("large.clear(); count += 1", module.__dict__)
    assert [place[1:] for place in state.changed()] == [("count", 0)]
    assert OwnState("ownpackage", alone=True).changed() == []


def test_a_test_sets_what_it_changes_unless_it_does_so_already():
    calls = (Call("function", "m:Box"), Call("method", "size", (Ref(0),)))
    test = suite_tests.Test(
        "m:Box.size", Sequence(calls), Returned(), (suite_tests.Check(Ref(1), "==", Const(3)),)
    )
    place = ChangedPlace("m", "Box.made", Display("list", ()))
    own = with_own_state(test, [place])
    setting = Call("arrange", "setattr", (Const("m.Box.made"), Display("list", ())))
    assert own.sequence.calls == (setting, calls[0], Call("method", "size", (Ref(1),)))
    assert own.checks == (suite_tests.Check(Ref(2), "==", Const(3)),)
    assert with_own_state(own, [place]) == own


def test_a_place_that_holds_in_the_end_what_it_held_at_first_is_set_too():
    empty, module = Display("list", ()), Symbol("m", "")
    read = Call("get", "names", (module,))
    checks = (
        suite_tests.Check(read, "==", empty),
        suite_tests.Check(Call("get", "count", (Symbol("m", "Box"),)), "==", Const(0)),
        suite_tests.Check(Call("get", "table[*].", (module,)), "==", empty),
        suite_tests.Check(Call("get", "text", (module,)), "startswith", Const("a")),
        suite_tests.Check(Call("get", "last", (module,)), "is", Ref(0)),
        suite_tests.Check(Call("get", "size", (Ref(0),)), "==", Const(1)),
    )
    test = suite_tests.Test("m:f", Sequence((Call("function", "m:f"),)), Returned(), checks)
    assert asserts_state(test)
    assert places_of(test, ()) == [
        ChangedPlace("m", "names", empty), ChangedPlace("m", "Box.count", Const(0)),
    ]  # fmt: skip
    changed = ChangedPlace("m", "names", Const(None))
    assert places_of(test, [changed])[0] == changed
    assert len(places_of(test, [changed])) == 2
