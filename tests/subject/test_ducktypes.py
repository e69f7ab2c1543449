from __future__ import annotations

import ast
import contextlib

import pytest

from unitcraft.core.sequences import Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.subject.description.parameter_flow import uses_of
from unitcraft.subject.ducktypes.duck_probe import (
    MAX_OPERATIONS,
    ProbeBudgetSpent,
    ProbeRecorder,
    make_probe,
)
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.ducktypes.type_inference import guess_types
from unitcraft.subject.model import ClassInfo
from unitcraft.subject.source_files import FunctionSource
from unitcraft.subject.values.callable_values import callables


def uses_guess(source: str, path: str) -> TypeExpr:
    """The first guess for the parameter ``path`` by what the source does with it."""
    node = ast.parse(source).body[0]
    names = tuple([one.arg for one in node.args.args])
    rows = uses_of([FunctionSource("m:f", names, node)])
    sightings = [ProbeOperation(one.path, one.operation, one.operand, one.arity) for one in rows]
    return guess_types(tuple(sightings), path)[0]


def guesses(function, classes=()) -> tuple[TypeExpr, ...]:
    recorder = ProbeRecorder()
    with contextlib.suppress(ProbeBudgetSpent, Exception):
        function(make_probe("p", recorder))
    return guess_types(tuple(recorder.sightings), "p", classes)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda p: p.strip().lower().split(","), "str"),
        (lambda p: p.startswith("x"), "str"),
        (lambda p: "a" in p, "str"),
        (lambda p: p == "x", "str"),
        (lambda p: [p.keys(), p.items()], "dict"),
        (lambda p: p["key"], "dict"),
        (lambda p: [x for x in p], "list"),  # noqa: C416
        (lambda p: p[0], "list"),
        (lambda p: p.append(1), "list"),
        (lambda p: p + 1, "int"),
        (lambda p: p > 3, "int"),
        (lambda p: 2.5 * p if p < 1.5 else 0, "float"),
        (range, "int"),
        (lambda p: p % 2 == 0, "int"),
        (lambda p: p(1, 2), "callable"),
        (next, "iterator"),
        (lambda p: p & {1}, "set"),
        (lambda p: p.union({1}), "set"),
    ],
)
def test_the_first_guess(function, name: str) -> None:
    assert guesses(function)[0].name == name


def test_what_has_none_of_the_attributes_is_no_guess():
    source = "def f(p):\n    return ','.join(p), p.values(), p.get('a')"
    assert uses_guess(source, "p").name == "dict"
    assert uses_guess("def f(p):\n    return ','.join(p), p.size", "p").name == "list"


@pytest.mark.parametrize(
    ("function", "cls"),
    [
        (lambda p: p.strftime("%Y") if p.hour else p.tzinfo, "datetime:datetime"),
        (lambda p: p.total_seconds(), "datetime:timedelta"),
        (lambda p: p.readline(), "io:StringIO"),
        (lambda p: p.fullmatch("x"), "re:Pattern"),
        (lambda p: p.is_file() and p.suffix, "pathlib:Path"),
    ],
)
def test_rich_guesses(function, cls: str) -> None:
    assert cls in [one.cls for one in guesses(function)[:1]]


def test_a_class_of_the_subject_is_recognised_by_its_members() -> None:
    wheel = ClassInfo("m:Wheel", "m", "Wheel", members=("m:Wheel", "m:Wheel.turn", "m:Wheel.size"))
    found = guesses(lambda p: p.turn(p.size), (wheel,))
    assert found[0] == TypeExpr("class", cls="m:Wheel")


def test_arity_and_element_types() -> None:
    assert len(guesses(lambda p: p(1, 2))[0].args) == 3
    found = guesses(lambda p: [x.upper() for x in p])[0]
    assert found == TypeExpr("list", (TypeExpr("str"),))


def test_nothing_seen_nothing_guessed() -> None:
    assert guesses(lambda p: p is None) == ()


def endless(p):
    while p < 3:
        p = p + 1
    while True:
        p.step()


def deep(p):
    while True:
        p = p.next


def recursive(p):
    return recursive(p[0])


@pytest.mark.parametrize(
    "function", [endless, deep, recursive, lambda p: [list(p) for _ in iter(int, 1)]]
)
def test_budgets_end_every_run(function) -> None:
    recorder = ProbeRecorder()
    with pytest.raises(ProbeBudgetSpent):
        function(make_probe("p", recorder))
    assert len(recorder.sightings) <= MAX_OPERATIONS


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("found = p(self)\n found[key]\n found[key] = 1", "dict"),
        ("found = p(self)\n if found is None: return\n found[key] = 1", "union"),
        ("for one in p(self): pass", "list"),
        ("p(self).startswith('a')", "str"),
        ("if p(self): pass", "bool"),
        ("p(self) + 1", "any"),
    ],
)
def test_what_is_done_with_its_answer_tells_what_a_function_answers(code, answer):
    assert uses_guess(f"def f(self, p, key):\n {code}", "p").args[-1].name == answer


@pytest.mark.parametrize(
    ("code", "first"),
    [
        ("with p: pass", "threading:Lock"),
        ("if p is not None:\n  with p: pass", "threading:Lock"),
        ("with p as x: x.read(p.name)", ""),
        ("with p as x: x.read()", ""),
    ],
)
def test_what_a_block_is_entered_by_is_a_lock_where_nothing_else_is_asked_of_it(code, first):
    assert (uses_guess(f"def f(p):\n {code}", "p").cls == "threading:Lock") is bool(first)


def test_what_is_called_for_a_block_is_a_maker_of_managers():
    guess = uses_guess("def f(p):\n with p(1): pass", "p")
    assert callables(guess) == (Symbol("contextlib", "nullcontext"),)
    assert callables(guess, mocks=False) == (Symbol("contextlib", "nullcontext"),)


@pytest.mark.parametrize(
    "code", ["with p(1) as x: x.go()", "with p(1, 2): pass", "with p(**k): pass"]
)
def test_what_is_asked_more_for_a_block_is_no_such_maker(code):
    guess = uses_guess(f"def f(p, k):\n {code}", "p")
    assert Symbol("contextlib", "nullcontext") not in callables(guess)


def test_none_is_answered_by_a_lambda_where_it_is_one_of_two():
    guess = uses_guess("def f(p):\n a = p(1)\n if a is None: return\n a['x']", "p")
    assert [one.text for one in callables(guess)] == ["lambda x: {x: 1}", "lambda x: None"]


def test_probes_pass_for_most_things() -> None:
    recorder = ProbeRecorder()
    one = make_probe("p", recorder)
    with one as inside:
        assert inside is one
    assert len(list(one)) == len(one) == 2
    assert {one: 1}[one] == 1
    assert f"{one}{one:>5}" == "probeprobe"
    assert (int(one), float(one), [10, 20][one]) == (1, 1.0, 20)
    one[1] = 2
    del one[1]
    assert not hasattr(one, "__array__")
    operations = [sighting.operation for sighting in recorder.sightings]
    assert operations[0] == "enter"
    assert {"iterate", "len", "hash", "format", "int", "index", "setitem"} <= set(operations)


def test_what_many_classes_have_is_no_evidence_of_one():
    assert guesses(lambda p: p.text) == ()
    assert TypeExpr("class", cls="xml.etree.ElementTree:Element") in guesses(
        lambda p: (p.text, p.findtext)
    )
