"""``unitcraft explain`` from the outside, on code whose paths can be counted by hand."""

from __future__ import annotations

import ast
import json

import pytest

from unitcraft.app.exploration.explain_effects import table_lines
from unitcraft.app.exploration.explain_inputs import type_text
from unitcraft.app.exploration.explain_sequences import (
    SequencesOfLength,
    ShownSequence,
    ShownSequences,
    sequences_as_text,
)
from unitcraft.core.sequences import Build, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.known_types import AWAITABLE
from unitcraft.subject.values.example_arguments import fits

CODE = """\
from __future__ import annotations

from enum import Enum
from typing import Literal, Optional


def clamp(x: int, low: int, high: int) -> int:
    if x < low:
        return low
    if x > high:
        return high
    return x


class Color(Enum):
    RED = 1
    BLUE = 2


def paint(color: Color, shade: Optional[int] = None, mode: Literal["a", "b"] = "a") -> str:
    if color is Color.RED and shade is None:
        return "red"
    if mode == "b":
        return "b"
    if shade and shade > 10:
        if shade < 5:
            return "never"
        return "dark"
    return "light"


def word(text: str) -> int:
    return 1 if text.strip().lower() == "abc" else 0


def loose(a, b):
    return "more" if a > b else "less"


def gcd(a: int, b: int) -> int:
    if b == 0:
        return a
    return gcd(b, a % b)


DEBUG = False


def squares(x: int) -> str:
    if DEBUG:
        return "debug"
    if 0 < x < 5:
        return "never" if x > 7 else "in"
    try:
        return str(10 // (x * x + 1))
    except ZeroDivisionError:
        return "zero"


def number(text: str) -> int:
    value = int(text)
    match text:
        case "12":
            return 2
        case "x":
            return 3
    return value


def halve(x: int) -> int:
    assert x > 0
    return x // 2


class Stack:
    def __init__(self) -> None:
        self.items: list[int] = []

    def push(self, value: int) -> None:
        self.items.append(value)

    def pop(self) -> int:
        if not self.items:
            raise IndexError("empty")
        return self.items.pop()


class Ranks:
    def __init__(self) -> None:
        self.ranks: list[int] = []

    def insert(self, rank: int) -> None:
        if len(self.ranks) == 2 and rank < self.ranks[0]:
            self.ranks.append(rank)
        else:
            self.ranks.append(rank)
            self.ranks.sort()
        assert self.ranks == sorted(self.ranks), "the ranks are in order"


class Price:
    def __init__(self, cents: int) -> None:
        if cents <= 0:
            raise ValueError("cents")
        self.cents = cents


def double(price: Price) -> int:
    return 2 * price.cents
"""


@pytest.fixture
def explain(explain_code):
    return explain_code(CODE)


def conditions(told):
    return [" and ".join([*path["shape"], *path["condition"]]) for path in told["paths"]]


def test_clamp_has_three_paths(explain):
    told = explain("clamp")
    assert conditions(told) == ["x >= low and x <= high", "x < low", "x >= low and x > high"]
    assert [path["outcome"].startswith("returns ") for path in told["paths"]] == [True] * 3
    assert told["branches_not_taken"] == []


def test_every_example_is_on_its_path(explain):
    for path in explain("clamp")["paths"]:
        x, low, high = eval(path["call"].removeprefix("clamp"))
        assert eval(" and ".join(path["condition"]), {"x": x, "low": low, "high": high})
        assert (
            path["outcome"]
            == f"returns {min(max(x, low), high) if low <= high else low if x < low else high}"
        )


def test_shapes_are_conditions_and_the_impossible_branch_is_explained(explain):
    told = explain("paint")
    assert "color is Color.RED and shade is None and mode == 'a'" in conditions(told)
    assert "color is Color.BLUE and shade is not None and mode == 'a' and shade > 10" in conditions(
        told
    )
    (never,) = told["branches_not_taken"]
    assert (never["kind"], never["outcome"], never["why"]) == ("if", "true", "infeasible")
    assert never["details"] == ["shade < 5 contradicts shade > 10"]


def test_every_kind_of_branch_is_explained(explain):
    told = [
        (one["kind"], one["why"], one["details"])
        for one in explain("squares")["branches_not_taken"]
    ]
    assert told == [
        ("if", "fixed", []),
        ("condition", "infeasible", ["x > 7 contradicts x < 5"]),
        ("handler", "infeasible", ["x * x + 1 == 0 never holds"]),
    ]


def test_errors_are_conditions_and_what_is_not_decided_is_not_called_infeasible(explain):
    told = explain("number")
    assert "int(text) raises ValueError" in conditions(told)
    (case,) = told["branches_not_taken"]
    assert case["kind"] == "case"
    assert case["why"] in {"infeasible", "unknown"}


def test_texts_read_as_python(explain):
    assert sorted(conditions(explain("word"))) == [
        "text.strip().lower() != 'abc'", "text.strip().lower() == 'abc'",
    ]  # fmt: skip


def test_shapes_that_are_refused_are_left_out(explain):
    told = explain("loose")
    assert {path["raised"] for path in told["paths"]} == {False}
    assert any("left out" in note for note in told["notes"])


def test_an_argument_that_cannot_be_made_is_no_path_of_the_target(explain):
    told = explain("double")
    assert [path["raised"] for path in told["paths"]] == [False]
    assert any("ended before the call was reached" in note for note in told["notes"])


def test_a_recursive_path_refers_to_the_path_that_it_takes_next(explain):
    assert conditions(explain("gcd", "--paths", "4")) == [
        "b == 0",
        *[f"b != 0 and gcd(b, a % b) takes path {number}" for number in (1, 2, 3)],
    ]


def test_earlier_calls_fill_the_stack(explain):
    told = explain("Stack.pop", "--calls", "1")
    outcomes = {tuple(path["after"]): path["outcome"] for path in told["paths"]}
    assert outcomes[()].startswith("raises IndexError: empty")
    assert outcomes["push",].startswith("returns ")
    assert told["branches_not_taken"] == []


def test_without_earlier_calls_the_branch_is_open_and_said_so(explain):
    (branch,) = explain("Stack.pop", "--calls", "0")["branches_not_taken"]
    assert (branch["outcome"], branch["why"]) == ("false", "fixed")


def test_a_postcondition_that_breaks_after_the_third_call(explain):
    told = explain("Ranks.insert", "--calls", "2")
    broken = [path for path in told["paths"] if path["raised"]]
    assert broken
    assert all(path["after"] == ["insert", "insert"] for path in broken)
    assert all("AssertionError: the ranks are in order" in path["outcome"] for path in broken)
    assert {path["contract"] for path in broken} == {"violated"}


def test_arguments_that_break_a_precondition_are_invalid_input(explain, run):
    assert {path["outcome"][:7]: path["contract"] for path in explain("halve")["paths"]} == {
        "raises ": "precondition", "returns": "",
    }  # fmt: skip
    assert "at line 71 (a precondition: invalid input)" in run("explain", "things:halve").stdout


def test_the_bound_is_said(explain):
    told = explain("paint", "--paths", "4")
    assert len(told["paths"]) == 4
    assert told["not_listed"] + told["unexplored"] > 0


def test_text_names_condition_example_and_outcome(explain, run):
    done = run("explain", "things.py:clamp", "-j", "1")
    lines = done.stdout.splitlines()
    assert lines[0] == "things:clamp: 3 paths"
    assert lines[2] == "1. x >= low and x <= high"
    assert "# returns" in lines[3]
    assert "\x1b" not in done.stdout + done.stderr


def test_a_condition_that_raises_was_reached(tmp_path, run):
    code = "TABLE: dict = {}\n\n\ndef get():\n    if TABLE['a']:\n        return 1\n    return 2\n"
    (tmp_path / "late.py").write_text(code)
    told = run("explain", "late:get", "-j", "1", "-q").stdout
    assert "get()  # raises KeyError: 'a'" in told
    assert "line 5, if true: no path came to the end of its condition" in told


def test_codes_are_explained(run):
    done = run("explain", "UC505")
    assert done.returncode == 0
    assert done.stdout.startswith("UC505: the budget ran out")


@pytest.mark.parametrize(
    ("target", "slug"),
    [
        ("things.py", "not-a-callable"),
        ("things:Color.RED", "not-a-callable"),
        ("things:clam", "target-not-found"),
        ("UC999", "unknown-code"),
    ],
)
def test_wrong_target_is_one_message(explain, run, target, slug):
    done = run("explain", target)
    assert done.returncode == 2
    assert f"[{slug}]" in done.stderr
    assert "Traceback" not in done.stderr


def test_inputs_are_told_with_their_weight_and_where_they_come_from(explain, tmp_path):
    (tmp_path / "README.md").write_text("```python\nfrom things import loose\nloose(3, 4)\n```\n")
    told = explain("loose", "--inputs")
    first, _ = told["parameters"]
    assert first["callers"] == [{"value": "3", "place": "README.md"}]
    best = first["candidates"][0]
    assert (best["type"], best["values"][0]) == ("int", "3")
    assert best["sources"] == ["callers", "what the code does"]


def test_types_are_told_as_a_person_writes_them():
    awaited = TypeExpr("callable", (TypeExpr("int"), AWAITABLE))
    assert type_text(awaited) == "coroutine function"
    assert fits(Build(Symbol("unittest.mock", "AsyncMock")), awaited)
    date = TypeExpr("class", cls="datetime:date")
    assert type_text(TypeExpr("union", (date, TypeExpr("none")))) == "datetime.date | None"
    assert type_text(TypeExpr("dict", (TypeExpr("str"), ANY))) == "dict[str, any]"


def test_effects_are_listed_for_the_parts_of_a_class(tmp_path, run):
    (tmp_path / "things.py").write_text(CODE)
    done = run("explain", "things:Stack", "--effects", "--format", "json")
    rows = {row["invocable"]: row for row in json.loads(done.stdout)["invocables"]}
    assert list(rows) == ["Stack()", "Stack.push()", "Stack.pop()"]
    assert (rows["Stack.push()"]["stores"], rows["Stack.push()"]["loads"]) == (["items"], [])
    assert rows["Stack.pop()"]["loads"] == ["items"]
    text = run("explain", "things:Price", "--effects").stdout.splitlines()
    assert text[0].split() == ["invocable", "kind", "defines", "uses", "arguments", "returns"]
    assert text[2].split() == ["Price()", "constructor", "cents", "-", "-", "Price"]


def test_columns_of_a_table_are_aligned():
    assert table_lines([("a", "long"), ("bb", "-")]) == ["a   long", "--  ----", "bb  -"]


def test_sequences_are_counted_and_listed(tmp_path, run):
    (tmp_path / "things.py").write_text(CODE)
    done = run("explain", "things:Stack.pop", "--sequences", "4", "--format", "json")
    told = json.loads(done.stdout)
    assert [
        (one["length"], one["executable"], one["linked"], len(one["sequences"]))
        for one in told["lengths"]
    ] == [(1, 0, 0, 0), (2, 1, 1, 1), (3, 3, 2, 2), (4, 9, 4, 4)]
    assert told["lengths"][2]["sequences"][0] == {
        "calls": ["Stack()", "push()", "pop()"], "orders": 1,
    }  # fmt: skip
    reached = [(len(one["before"]), one["outcome"].partition(":")[0]) for one in told["paths"]]
    assert reached == [(1, "raises IndexError"), (2, "returns 0")]
    assert told["redundant"] == 0
    shown = sequences_as_text(
        ShownSequences("a:b", (SequencesOfLength(2, 6, 6, (ShownSequence(("a()",), 6),)),), 3)
    )
    assert "a()  (6 orders)" in shown
    assert "too many sequences of length 3" in shown


SAME_PATHS = """\
def link(view, following=None):
    if view == "":
        raise RuntimeError("No application.\\n\\nPush a context.")
    return [view, following]


def names(given: dict[str, int]) -> int:
    found = 0
    for name in given:
        found += name == "abc"
    return found
"""


def test_arguments_that_the_code_never_looks_at_make_no_other_path(explain_code):
    told = explain_code(SAME_PATHS)("link")
    refused = [one["outcome"] for one in told["paths"] if one["raised"]]
    assert refused == ["raises RuntimeError: No application. at line 3"]
    assert any("that another one stands for" in note for note in told["notes"])


def test_no_path_has_a_dictionary_with_equal_keys(explain_code):
    told = explain_code(SAME_PATHS)("names")
    given = [ast.parse(one["call"], mode="eval").body.args[0] for one in told["paths"]]
    keys = [list(map(ast.literal_eval, one.keys)) for one in given]
    assert max(map(len, keys)) > 1
    assert all(len(set(each)) == len(each) for each in keys)


GATE = """\
class Gate:
    def __init__(self, limit: int = 3) -> None:
        self.opened = False
        self.limit = limit
        self.count = 0

    def open(self, key: str) -> None:
        if key != "sesame":
            return
        self.opened = True

    def close(self) -> None:
        self.opened = False

    def enter(self) -> str:
        if not self.opened:
            raise PermissionError("closed")
        return "in"

    def add(self, amount: int) -> None:
        if amount < 0:
            raise ValueError("negative")
        self.count += amount

    def is_full(self) -> bool:
        return self.count >= self.limit
"""


def test_earlier_calls_that_lead_to_no_other_state_make_no_path(explain_code):
    told = explain_code(GATE)("Gate.enter")
    assert [(one["after"], one["outcome"][:7]) for one in told["paths"]] == [
        ([], "raises "), (["open"], "returns"),
    ]  # fmt: skip
    assert any("after calls that lead to no other state" in note for note in told["notes"])


def test_another_condition_on_the_same_state_is_a_path_of_its_own(explain_code):
    told = explain_code(GATE)("Gate.is_full")
    after = [one["outcome"] for one in told["paths"] if one["after"] == ["add"]]
    assert sorted(after) == ["returns False", "returns True"]
    assert all(len(one["after"]) < 2 for one in told["paths"])


def test_a_question_for_the_kind_of_an_object_does_not_fix_its_value(explain_code):
    code = """\
import inspect


def kind(obj):
    if inspect.isclass(obj) or inspect.ismethod(obj):
        return "made"
    return "three" if obj == 3 else id(obj) > 0
"""
    assert sorted(conditions(explain_code(code)("kind"))) == [
        "isinstance(obj, int) and obj != 3",
        "isinstance(obj, int) and obj == 3",
        "isinstance(obj, str)",
    ]


ADDRESSES = """\
def key_of(number: int) -> object:
    if number > 3:
        return [id(number), hash("a"), number]
    if number == 3:
        raise ValueError(f"no {hash('a')}")
    return number


class Node:
    def __init__(self) -> None:
        self.name = "a"

    def key(self) -> int:
        return id(self)
"""


def test_what_differs_from_run_to_run_is_named_by_its_type(tmp_path, run):
    (tmp_path / "ids.py").write_text(ADDRESSES)
    told = run("explain", "ids:key_of").stdout
    assert told == run("explain", "ids:key_of").stdout
    assert "key_of(4)  # returns a list that differs from run to run" in told
    assert "key_of(3)  # raises ValueError; the message differs from run to run" in told
    assert "key_of(1)  # returns 1" in told
    for words in (("ids:Node.key",), ("ids:Node.key", "--sequences", "2")):
        assert "# returns an int that differs from run to run" in run("explain", *words).stdout
