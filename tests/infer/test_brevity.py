"""What follows from other laws is not shown, and the laws that are shown say much.

The classes show lists, sums and truth values: observer_definitions finds what they stand for,
right_sides what calls do to lists, rewriting prunes by definitions and simplification, frame_lines
put what a call keeps in one line.  computed_values are the operators of all of them; interest says
which laws a page has no place for.
"""

from __future__ import annotations

import ast
import inspect
import sys
import types
from dataclasses import replace
from pathlib import Path

import pytest

from unitcraft.app.exploration.specs_command import SpecsResult, render_specs
from unitcraft.infer.algebraic.computed_values import OPERATORS, compare, compute, computed_text
from unitcraft.infer.algebraic.interest import MAX_BURDEN, burden, most_telling
from unitcraft.infer.algebraic.law_terms import (
    Apply,
    Atom,
    Compute,
    Constant,
    Guard,
    Law,
    TermOrder,
    Var,
    is_swap,
)
from unitcraft.infer.algebraic.law_terms import Test as Comparison
from unitcraft.infer.derivation.simplification import simplify, summands_of
from unitcraft.infer.output.expression_check import MAX_EXAMPLES
from unitcraft.infer.output.law_groups import is_kept, is_made, kept_observer
from unitcraft.infer.output.specs_contracts import as_contracts
from unitcraft.infer.universe.universes import drawn
from unitcraft.infer.universe.values import UNDEFINED, Values

sys.path.insert(0, str(Path(__file__).parents[1] / "app"))
from report_schema import check_document

SOURCE = """
class Stopwatch:
    def __init__(self):
        self.running = False
        self._laps = []

    def start(self):
        if self.running:
            raise RuntimeError("running")
        self.running = True

    def stop(self):
        if not self.running:
            raise RuntimeError("stopped")
        self.running = False

    def lap(self, length: int):
        if not self.running:
            raise RuntimeError("stopped")
        if length < 0:
            raise ValueError("negative")
        self._laps.append(length)

    def laps(self) -> list[int]:
        return list(self._laps)

    def total(self) -> int:
        return sum(self._laps)

    def reset(self):
        self.running = False
        self._laps = []


class Meter:
    def __init__(self, start: int = 0):
        self._start = start
        self._last = start

    def read(self, value: int):
        if value < self._last:
            raise ValueError("backwards")
        self._last = value

    def used(self) -> int:
        return self._last - self._start

    def last(self) -> int:
        return self._last

    def start(self) -> int:
        return self._start


class Lamp:
    def __init__(self, most: int = 3):
        self.most = max(1, most)
        self._level = 0
        self._on = False

    def toggle(self) -> bool:
        self._on = not self._on
        return self._on

    def is_on(self) -> bool:
        return self._on

    def brighter(self):
        if self._level < self.most:
            self._level += 1

    def darker(self):
        if self._level > 0:
            self._level -= 1

    @property
    def level(self) -> int:
        return self._level
"""

S, X = Var("state"), Var("int")
STATED = (
    "sum(laps(S)) == total(S)",
    "laps(lap(S, length)) == [*laps(S), length] if running(S) and length >= 0",
    "laps(lap(S, length))[:-1] == laps(S) if running(S) and length >= 0",
    "(length in laps(lap(S, length))) == True if running(S) and length >= 0",
)


def texts(found):
    return [text for one in found.laws for text in one.said]


def test_a_sum_is_what_its_list_says(specify):
    """reset(stop(S)) == reset(S) and total(lap(S, length)) == total(S) + length follow."""
    found = specify("Stopwatch", checked=STATED)
    laws = texts(found)
    assert {STATED[0], STATED[1]} <= set(laws)
    assert [law for law in laws if law.startswith("reset(")] == ["reset(S) == Stopwatch()"]
    said = [law for law in laws if "Stopwatch()" not in law]
    assert not any(law.startswith(("total(", "stop(start", "start(stop")) for law in said)
    assert "laps(start(S)) == laps(S) if not running(S)" in laws
    assert len(found.laws) <= 11


def test_stated_laws_are_read_with_all_operators(specify):
    stated = specify("Stopwatch", checked=STATED).checked
    assert [one.confirmed.witness for one in stated] == [None] * len(STATED)
    assert [one.text for one in stated[:2]] == list(STATED[:2])


def test_a_difference_is_named_and_its_consequences_are_not(specify):
    laws = texts(specify("Meter"))
    assert "used(S) == last(S) - start(S)" in laws
    assert not any("used(read(" in law for law in laws)
    assert not any("start(S) == 0" in law for law in laws)


def test_what_a_call_keeps_is_one_line(specify):
    found = specify("Lamp")
    laws = texts(found)
    assert {"is_on(brighter(S)) == is_on(S)", "toggle(S).result == (not is_on(S))"} <= set(laws)
    assert not any(law.startswith(("toggle(toggle", "toggle(brighter")) for law in laws)
    (frame,) = [one for one in found.laws if one.text == "no call changes most"]
    assert frame.kind == "frame"
    assert len(frame.laws) == 3
    assert ".toggle()" in frame.expression
    lines = [one.text for one in found.laws]
    assert "toggle(S) returns (not is_on(S)), has is_on == toggle(S).result, keeps level" in lines
    check_document(render_specs(SpecsResult((found,), ()), "json"))


def test_objects_that_refuted_a_law_are_examples_of_others(specify):
    found = specify("Meter")
    refuting = {one.witness.calls for one in found.refuted if one.witness}
    more = {example.calls for one in found.laws for example in one.examples[MAX_EXAMPLES:]}
    assert more
    assert more <= refuting


class Contracts(types.ModuleType):
    """As much of icontract as the sidecar needs: postconditions, checked where there is a copy."""

    @staticmethod
    def invariant(condition, description):  # noqa: ARG004 - as icontract has it
        return lambda cls: cls

    @staticmethod
    def ensure(condition, description):
        def decorate(function):
            function.__dict__.setdefault("conditions", []).append((condition, description))
            return function

        return decorate

    @staticmethod
    def snapshot(capture, name):
        def decorate(function):
            def checked(self, **given):
                known = {
                    "self": self,
                    "OLD": types.SimpleNamespace(**{name: capture(self)}),
                    **given,
                }
                known["result"] = function(self, **given)
                for condition, description in function.conditions:
                    names = inspect.signature(condition).parameters
                    assert condition(**{one: known[one] for one in names}), description
                return known["result"]

            return checked

        return decorate


def test_contracts_are_checked_on_each_call(specify, monkeypatch):
    """As written, then with a ``darker`` that passes 0: specs_contracts attach law_contracts."""
    text = as_contracts(specify("Lamp"))
    assert "    return self.level <= self.most\n" in text
    assert ", 'level(S) <= most(S)')(Lamp)\n" in text
    monkeypatch.setitem(sys.modules, "icontract", Contracts("icontract"))
    for source in (SOURCE, SOURCE.replace("if self._level > 0:", "if self._level >= 0:")):
        module = types.ModuleType("sample")
        exec(source, module.__dict__)
        monkeypatch.setitem(sys.modules, "sample", module)
        exec(text, {})
        lamp = module.Lamp(2)
        for name in ("toggle", "brighter", "brighter", "brighter", "darker"):
            getattr(lamp, name)()
        lamp._level = 0
        if source == SOURCE:
            lamp.darker()
        else:
            with pytest.raises(AssertionError, match=r"darker\(S\) == S if level"):
                lamp.darker()


def test_law_groups_tell_what_is_kept_from_what_may_change_places():
    put, take = Apply(0, (S, X), "state"), Apply(1, (S,), "state")
    kept = Law(Apply(2, (put,), "value"), Apply(2, (S,), "value"))
    other = Law(Apply(2, (take,), "value"), Apply(3, (S,), "value"))
    assert kept_observer(kept) == kept.right
    assert (is_kept(kept), is_kept(other), kept_observer(other)) == (True, False, None)
    swap = Law(Apply(0, (take, X), "state"), Apply(1, (put,), "state"))
    assert (is_swap(swap), is_swap(Law(swap.left, take))) == (True, False)
    assert is_made(Apply(0, (Constant(0),), "state"))


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("append", [1], 2, [1, 2]),
        ("insert", [3, 1], 2, [1, 2, 3]),
        ("remove", [1, 2, 1], 1, [2]),
        ("without", {1, 2}, 1, {2}),
        ("rest", [1, 2], None, [2]),
        ("sum", [1, 2], None, 3),
        ("distinct", [1, 2, 1], None, [1, 2]),
        ("and", True, False, False),
        ("max", [1, 3], None, 3),
    ],
)
def test_operators_compute_what_their_text_says(operator, left, right, expected):
    values = Values()
    numbers = [values.of_plain(one) for one in (left, right, expected)]
    assert compute(values, operator, *numbers[:2]) == numbers[2]
    assert (
        ast.literal_eval(repr(eval(computed_text(operator, repr(left), repr(right))))) == expected
    )


def test_operators_refuse_other_types():
    values = Values()
    number, text = values.of_plain(3), values.of_plain("a")
    of_others = [name for name, one in OPERATORS.items() if int not in one.takes]
    assert {compute(values, one, number, text) for one in of_others} == {UNDEFINED}
    assert compute(values, "sum", values.of_plain([0.5]), text) == UNDEFINED
    assert compare(values, "in", number, values.of_plain([3]))
    assert compare(values, "in", number, text) is None


def test_simplification_undoes_what_was_done_to_a_list():
    values = Values()
    none, items = Constant(values.of_plain(None)), Apply(0, (S,), "value")
    zero, one, two, true = (Constant(values.of_plain(x)) for x in (0, 1, 2, True))
    longer = Compute(items, "append", X)
    length = Compute(items, "len", none)
    rows = [
        (Compute(longer, "last", none), X),
        (Compute(longer, "start", none), items),
        (Compute(longer, "len", none), Compute(length, "+", one)),
        (Compute(Compute(longer, "rest", none), "len", none), length),
        (Compute(Compute(Compute(items, "prepend", X), "start", none), "rest", none),
         Compute(items, "start", none)),
        (Comparison(X, "in", longer), true),
        (Compute(Compute(X, "+", zero), "-", X), zero),
    ]  # fmt: skip
    for term, simpler in rows:
        assert simplify(term, values, lambda _: True) == simpler
    rest = Compute(longer, "rest", none)
    assert simplify(rest, values, lambda _: False) == rest
    total = Compute(Compute(X, "-", two), "-", X)
    assert summands_of(total, values) == ({}, -2)


def test_the_first_ones_are_in_every_choice():
    few = drawn(range(100), 10, 5)
    assert few[:5] == [0, 1, 2, 3, 4]
    assert len(few) == 10


def test_a_page_has_the_laws_that_ask_least_of_each_method() -> None:
    lines = [("push", 0), ("push", 0), ("push", 0), ("pop", 1), ("top", 3), ("size", 0)]
    assert most_telling(lines, 4) == {0, 1, 2, 5}
    assert most_telling(lines, 5) == {0, 1, 2, 3, 5}
    assert most_telling(lines, 9) == set(range(6))


def test_rare_cases_and_answers_as_arguments_are_a_burden() -> None:
    values, order = Values(), TermOrder([True, False])
    pushed = Apply(0, (S, X), "state")
    plain = Law(Apply(1, (pushed,), "value"), X)
    empty = Atom(Apply(1, (S,), "value"), "==", Constant(values.of_plain(0)))
    few = Atom(X, "==", Constant(values.of_plain(1)))
    nested = Law(Apply(0, (S, Apply(1, (S,), "value")), "state"), S)
    assert burden(plain, order, values) == 0
    assert burden(nested, order, values) == 1
    assert burden(Law(plain.left, X, Guard((empty,))), order, values) == 1
    assert burden(Law(plain.left, X, Guard((empty, few))), order, values) > MAX_BURDEN


def test_a_page_leaves_laws_of_rare_cases_out_unless_all_are_asked_for(specify) -> None:
    meter = specify("Meter")
    found = replace(meter, laws=tuple(replace(one, minor=place > 0)
                                      for place, one in enumerate(meter.laws)))  # fmt: skip
    few = render_specs(SpecsResult((found,), ()), "text")
    every = render_specs(SpecsResult((found,), ()), "text", every=True)
    assert f"and {len(meter.laws) - 1} laws of rarer cases: --all shows them" in few
    assert meter.laws[1].text not in few
    assert meter.laws[1].text in every
