"""Mutants are swapped into live functions of every making, and out again without a trace."""

from __future__ import annotations

import gc
import textwrap
from types import FunctionType

import pytest
from source_lab import Lab, rng

from unitcraft.suite.mutation.mutants.code_swap import CodeSwap
from unitcraft.suite.mutation.mutants.function_mutants import fingerprint
from unitcraft.suite.mutation.mutants.mutant_sample import sample_code
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource

SOURCE = """
import functools

def shout(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) + 100
    return wrapper

def plain(a):
    return a + 1

@shout
def decorated(a):
    return a * 3

@functools.cache
def cached(a):
    return a - 4

def make(step):
    def closure(a):
        return a + step
    return closure

add = make(5)

class Box:
    def __init__(self, size):
        self.size = size

    def method(self, a):
        return self.size + a

    @property
    def width(self):
        return self.size * 2

    @width.setter
    def width(self, value):
        self.size = value - 1

    @classmethod
    def of(cls, size):
        return cls(size + 6)

    @staticmethod
    def fixed(a):
        return a % 7

    class Inner:
        def deep(self, a):
            return a > 8

class Heir(Box):
    def method(self, a):
        return super().method(a) + 9

def stream(a):
    yield a
    yield a + 2

async def later(a):
    return a + 3

def deaf(a):
    if a:
        pass
    return None
"""


def loaded(lab, source=SOURCE):
    """(module, CodeSwap, the mutants of code that it holds)."""
    module = lab(source).module
    made = ModuleSource("sample", module.__file__, textwrap.dedent(source))
    swap = CodeSwap(made)
    code = [one for one in made.mutants if one.value is None]
    return module, swap, [one for one in swap.load(code) if swap.is_live(one)]


@pytest.fixture(scope="module")
def loaded_once(tmp_path_factory):
    made = Lab(SOURCE, tmp_path_factory.mktemp("swapped"))
    parts = loaded(lambda _: made)
    made.close()
    return parts


@pytest.fixture
def patched(loaded_once):
    """The parts of SOURCE, which no test leaves mutated."""
    yield loaded_once
    module, swap, _ = loaded_once
    swap.restore()
    assert {name: CALLS[name](module) for name in CALLS} == UNCHANGED


def test_marked_functions_tell_the_lines_that_run_until_they_are_restored(lab):
    module, swap, _ = loaded(lab)
    swap.compile_marks()
    before = [one.__code__ for one in swap.functions()]
    ran = set()
    assert swap.mark_lines(ran.add) == ()
    assert module.Heir(4).method(1) == 14
    assert (module.deaf(1), module.add(2), module.decorated(2)) == (None, 7, 106)
    told = [SOURCE.splitlines()[line - 1].strip() for line in sorted(ran)]
    assert told == [
        "return function(*args) + 100", "return a * 3", "return a + step", "self.size = size",
        "return self.size + a", "return super().method(a) + 9", "if a:", "pass", "return None",
    ]  # fmt: skip
    swap.restore()
    assert [one.__code__ for one in swap.functions()] == before
    assert module.plain(1) == 2
    assert len(ran) == len(told)


def test_the_lines_of_functions_that_cannot_be_marked_are_told(lab, monkeypatch):
    _, swap, _ = loaded(lab, "def f(a):\n    return a\n\ndef g(a):\n    return a\n")
    monkeypatch.setattr(swap, "_code_fits", lambda code: code.co_name == "f")
    swap.compile_marks()
    assert swap.mark_lines(print) == (4, 5)
    swap.restore()


def setter(module):
    box = module.Box(0)
    box.width = 9
    return box.size


def awaited(coroutine):
    with pytest.raises(StopIteration) as stop:
        coroutine.send(None)
    return stop.value.value


CALLS = {
    "plain": lambda m: m.plain(1),
    "shout": lambda m: m.decorated(2),
    "decorated": lambda m: m.decorated(2),
    "make": lambda m: m.add(1),
    "Box.__init__": lambda m: m.Box(3).size,
    "Box.method": lambda m: m.Box(3).method(4),
    "Box.of": lambda m: m.Box.of(1).size,
    "Box.fixed": lambda m: m.Box.fixed(9),
    "Box.Inner.deep": lambda m: m.Box.Inner().deep(9),
    "Heir.method": lambda m: m.Heir(3).method(4),
    "stream": lambda m: list(m.stream(1)),
    "later": lambda m: awaited(m.later(1)),
}
#: What the calls give without a mutant.
UNCHANGED = {
    "plain": 2, "shout": 106, "decorated": 106, "make": 6, "Box.__init__": 3, "Box.method": 7,
    "Box.of": 7, "Box.fixed": 2, "Box.Inner.deep": True, "Heir.method": 16, "stream": [1, 3],
    "later": 4,
}  # fmt: skip


def outcome(function, module):
    try:
        return function(module)
    except Exception as error:  # noqa: BLE001 - a mutant may raise anything
        return type(error)


@pytest.mark.parametrize("name", CALLS)
def test_a_mutant_of_each_kind_of_function_is_noticed_and_undone(patched, name):
    module, patches, mutants = patched
    own = [one for one in mutants if one.place.function == name]
    before = CALLS[name](module)
    noticed = []
    for mutant in own:
        if patches.apply(mutant):
            noticed.append(outcome(CALLS[name], module) != before)
        patches.restore()
        assert CALLS[name](module) == before
    assert noticed
    assert sum(noticed) >= len(noticed) / 2


@pytest.mark.parametrize(("operation", "value"), [(lambda m: m.Box(3).width, 6), (setter, 8)])
def test_getter_and_setter_are_mutated_apart(patched, operation, value):
    module, patches, mutants = patched
    seen = []
    for mutant in mutants:
        if mutant.place.function == "Box.width":
            patches.apply(mutant)
            seen.append(outcome(operation, module))
            patches.restore()
    assert value in seen, "mutants of the other accessor leave it alone"
    assert any(one != value for one in seen)


def test_a_mutant_changes_its_own_function_only(patched):
    module, patches, mutants = patched
    before = {name: CALLS[name](module) for name in CALLS}
    uses = {"shout": {"decorated"}, "decorated": {"shout"}, "Box.__init__": set(CALLS),
            "Box.method": {"Heir.method"}}  # fmt: skip
    for mutant in mutants:
        place = mutant.place
        patches.apply(mutant)
        now = {name: outcome(call, module) for name, call in CALLS.items()}
        patches.restore()
        changed = {name for name in CALLS if now[name] != before[name]}
        assert changed <= {place.function, *uses.get(place.function, ())}, place


def test_a_mutant_that_loses_a_captured_variable_is_noticed(patched):
    """``return None`` in place of ``return a + step``: the live closure still has a cell."""
    module, patches, mutants = patched
    line = SOURCE.splitlines().index("        return a + step") + 1
    for mutant in mutants:
        if (mutant.place.line, mutant.place.operator) == (line, "result"):
            assert patches.apply(mutant)
            assert outcome(CALLS["make"], module) != 6
            patches.restore()
            assert module.add(1) == 6


def test_restore_gives_every_function_its_own_code_object_back(patched):
    module, patches, mutants = patched
    own = [
        thing for thing in gc.get_objects()
        if type(thing) is FunctionType and thing.__code__.co_filename == module.__file__
    ]  # fmt: skip
    codes = [thing.__code__ for thing in own]
    for mutant in mutants:
        patches.apply(mutant)
    patches.restore()
    assert all(thing.__code__ is code for thing, code in zip(own, codes, strict=True))


def test_no_mutant_is_equivalent_by_byte_code_or_repeated(patched):
    _, patches, mutants = patched
    by_function = {}
    for mutant in mutants:
        print_ = fingerprint(patches._codes[mutant.about.id])
        by_function.setdefault((mutant.place.function, mutant.place.first), []).append(print_)
    for prints in by_function.values():
        assert len(set(prints)) == len(prints)
    assert "deaf" not in [one.place.function for one in mutants if one.place.operator == "result"]


def test_the_limit_gives_each_function_a_fair_share():
    mutants = ModuleSource("sample", "sample.py", SOURCE).mutants
    whole, few, again = (sample_code(mutants, limit, rng()) for limit in (10_000, 30, 30))
    assert len(few) < len(whole)
    assert {one.place.function for one in few} == {one.place.function for one in whole}
    assert few == again


def test_functions_that_no_longer_live_have_no_mutants(lab):
    _, _, mutants = loaded(
        lab, "def gone(a):\n    return a + 1\n\n\ndel gone\n\n\ndef kept(a):\n    return a + 1\n"
    )
    assert {one.place.function for one in mutants} == {"kept"}


def test_two_functions_of_one_name_and_line_are_not_swapped(lab):
    _, patches, mutants = loaded(
        lab,
        "def pair(a):\n    return a\npairs = lambda a: a, lambda a: a + 1\n"
        "def made():\n    return (lambda a: a + 1), (lambda a: a + 2)\nkept = made()\n",
    )
    assert {one.place.function: patches.fits(one) for one in mutants}["made"] is False


def test_the_constructor_of_a_data_class_has_the_new_value_too(lab):
    text = """
    import dataclasses

    @dataclasses.dataclass
    class Timer:
        text: str = "elapsed"

        def shown(self):
            return self.text
    """
    module = lab(text).module
    made = ModuleSource("sample", module.__file__, textwrap.dedent(text))
    swap = CodeSwap(made)
    (mutant,) = [one for one in made.mutants if one.value is not None]
    assert swap.apply(mutant)
    assert module.Timer().shown() == "XXelapsedXX"
    swap.restore()
    assert (module.Timer().shown(), module.Timer.text) == ("elapsed", "elapsed")
