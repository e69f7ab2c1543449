"""What the usual run of a function has, in place of what another run does not need."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Sequence, Symbol
from unitcraft.suite.telling.usual_parts import usual_calls, usual_variants, with_usual_parts

SOURCE = """
def price(amount, rate, unit="EUR"):
    if amount < 0:
        raise ValueError("negative amount")
    return f"{amount * rate} {unit}"

class Till:
    def __init__(self, name, size):
        self.name = name

    def open(self, day):
        return f"{self.name}: {day}"
"""
USUAL = "price(1, 2, unit='abc')"


def given(sequence: Sequence) -> list[object]:
    """The constants that the Calls are given."""
    args = [arg for call in sequence.calls for arg in (*call.args, *dict(call.kwargs).values())]
    return [arg.value for arg in args if isinstance(arg, Const)]


@pytest.mark.parametrize(
    ("usual", "text", "expected"),
    [
        (USUAL, "price(-7, 9, unit='x')", [
            [-7, 2, "abc"], [1, 9, "abc"], [1, 2, "x"],
            [1, 9, "x"], [-7, 2, "x"], [-7, 9, "abc"],
        ]),
        (USUAL, "price(-7, 9)", [[-7, 2], [1, 9]]),
        (USUAL, "price(-7, 2)", [[1, 2]]),
        (USUAL, "price(3, 9)", []),
        ("price(1, 2, unit='a text that is longer by far')", "price(-1, 2, unit='x')", [
            [1, 2, "x"],
        ]),
        ("price(1, 2, unit='')", "price(-1, 2, unit='x')", [[1, 2, "x"]]),
        (USUAL, "till = Till('abc', 1)\ntill.open(3)", []),
        ("till = Till('abc', 1)\ntill.open('day')", "till = Till('x', 2)\ntill.open(3)", [
            ["x", 1, 3], ["abc", 2, 3],
        ]),
    ],
)  # fmt: skip
def test_all_parts_but_one_are_exchanged_before_each(lab, usual, text, expected):
    sample = lab(SOURCE)
    calls = usual_calls([sample.run(usual)])
    assert [given(one) for one in usual_variants(sample.run(text), calls)] == expected


def test_the_usual_run_is_the_plainest_of_the_broadest_that_return(lab):
    sample = lab(SOURCE)
    runs = [sample.run(text) for text in ("price(-1, 1)", "price(123, 456)", USUAL, "price(3, 4)")]
    (call,) = usual_calls(runs).values()
    assert given(Sequence((call,))) == [3, 4]
    guarded = lab("def half(n):\n    if n > 2:\n        n = n / 2 if n else 0\n    return n\n")
    (call,) = usual_calls([guarded.run("half(1)"), guarded.run("half(8)")]).values()
    assert given(Sequence((call,))) == [8]


def test_a_run_does_not_become_one_that_is_there(lab):
    sample = lab(SOURCE)
    chosen = [(sample.run(text), ()) for text in ("price(1, 2)", "price(1, 345)")]
    asked = []

    def replace(runs, variants):
        asked.append(variants)
        return runs

    assert with_usual_parts(chosen, replace) == chosen
    assert asked == []


def test_rounds_go_on_from_what_was_exchanged(lab):
    sample = lab(SOURCE)
    chosen = [(sample.run(text), ()) for text in ("price(1, 2)", "price(-7, 98765)")]

    def replace(runs, variants):
        (first, _), (run, own) = runs
        found = [one for one in variants[run.sequence.key] if given(one)[0] < 0]
        return [(first, ()), (sample.run(found[0]) if found else run, own)]

    *_, (last, _) = with_usual_parts(chosen, replace)
    assert given(last.sequence) == [-7, 2]


def test_of_a_value_made_in_place_only_what_differs_is_exchanged(lab):
    sample = lab("def size(box):\n    return box.width * (1 / box.height)\n")
    namespace = Symbol("types", "SimpleNamespace")

    def run(**fields):
        named = tuple([(name, Const(value)) for name, value in fields.items()])
        return sample.run(
            Sequence((Call("function", "sample:size", (Build(namespace, (), named),)),))
        )

    usual, other = run(width=1, height=2), run(width=345, height=0)
    found = list(usual_variants(other, usual_calls([usual])))
    assert found == [run(width=345, height=2).sequence, run(width=1, height=0).sequence]


def test_a_number_is_no_more_usual_than_one_that_is_as_short(lab):
    sample = lab("class Dice:\n    def __init__(self, seed): self.seed = seed\n"
                 "    def roll(self): return self.seed % 6 if self.seed < 0 else 1\n"
                 "    def last(self): return self.seed\n")  # fmt: skip
    usual, other = sample.run("d = Dice(-634)\nd.roll()"), sample.run("d = Dice(2)\nd.last()")
    calls = usual_calls([usual, other])
    assert list(usual_variants(other, calls)) == []
    debt, credit = sample.run("d = Dice(-5)\nd.last()"), sample.run("d = Dice(7)\nd.last()")
    assert list(usual_variants(credit, usual_calls([debt]))) == []
    assert [given(one) for one in usual_variants(debt, usual_calls([credit]))] == [[7]]
    longer = sample.run("d = Dice(12345)\nd.last()")
    assert [given(one) for one in usual_variants(longer, calls)] == [[-634]]
