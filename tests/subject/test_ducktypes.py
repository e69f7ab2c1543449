from __future__ import annotations

import contextlib

import pytest

from unitcraft.core.types import TypeExpr
from unitcraft.subject.ducktypes.duck_probe import (
    MAX_OPERATIONS,
    ProbeBudgetSpent,
    ProbeRecorder,
    make_probe,
)
from unitcraft.subject.ducktypes.type_inference import guess_types
from unitcraft.subject.model import ClassInfo


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
