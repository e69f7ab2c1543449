"""The parts of inference, one by one, on terms and values made by hand."""

from __future__ import annotations

import marshal
import sys
from types import SimpleNamespace

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.outcomes import Opaque
from unitcraft.core.sequences import Build, Call, Const, Symbol
from unitcraft.infer.agents import table_agent
from unitcraft.infer.algebraic.law_terms import Apply, TermOrder, Var, is_canonical, match, size
from unitcraft.infer.algebraic.term_vectors import bits, first_bit
from unitcraft.infer.output.law_expressions import imports_for
from unitcraft.infer.output.specs_report import domain_text
from unitcraft.infer.universe.made_objects import as_argument
from unitcraft.infer.universe.preconditions import evaluate_condition, parse_precondition
from unitcraft.infer.universe.universes import drawn, evenly
from unitcraft.infer.universe.values import UNDEFINED, NoPlainValue, Values

S, X, Y = Var("state"), Var("int", 0), Var("int", 1)


def test_values_are_one_number_only_for_equal_values_of_one_class():
    values = Values()
    assert values.of_plain(1) == values.of_arg(Const(1))
    assert len({values.of_plain(one) for one in (1, True, 1.0, "1", None)}) == 5
    assert values.plain(values.of_plain([1, {"a": (2,)}])) == [1, {"a": (2,)}]


def test_a_nan_equals_nothing():
    values = Values()
    assert values.of_plain(float("nan")) != values.of_plain(float("nan"))


def test_what_has_no_term_is_undefined():
    values = Values()
    assert values.of_arg(Opaque("m:C")) == UNDEFINED
    assert values.of_plain(object()) == UNDEFINED
    with pytest.raises(NoPlainValue):
        values.plain(values.of_raise("builtins:KeyError"))


def test_terms_are_ordered_by_calls_then_by_changes():
    pop_value = Apply(0, (S,), "value")
    top = Apply(1, (S,), "value")
    order = TermOrder([True, False])
    assert order(top) < order(pop_value)
    assert size(Apply(1, (Apply(0, (S,), "state"),), "value")) == 2


def test_a_pattern_matches_its_instances_only():
    push = Apply(0, (S, X), "state")
    found: dict[Var, object] = {}
    assert match(push, Apply(0, (push, Y), "state"), found)
    assert found == {S: push, X: Y}
    assert not match(Apply(0, (S, X), "value"), push, {})


def test_variables_are_numbered_in_order():
    assert is_canonical(Apply(0, (Apply(0, (S, X), "state"), Y), "state"))
    assert not is_canonical(Apply(0, (S, Y), "state"))


def test_bits_are_numbered_from_the_first_row():
    assert bits([True, False, True]) == 0b101
    assert first_bit(0b100) == 2


def test_fewer_states_are_drawn_the_first_among_them():
    assert drawn([1, 2], 3) == [1, 2]
    few = drawn(range(100), 10)
    assert few[0] == 0
    assert few == sorted(few)
    assert len(few) == 10
    assert evenly(range(6), 3) == [0, 2, 4]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pop: not is_empty()", True),
        ("put: size() < limit and limit != 3", True),
        ("put: size() >= 2 or size() == -1", False),
    ],
)
def test_conditions_are_evaluated_by_look_up(text, expected):
    answers = {"is_empty": False, "size": 1}
    condition = parse_precondition(text).condition
    call = lambda name, args: answers[name]  # noqa: ARG005, E731
    assert evaluate_condition(condition, {"limit": 2}, call) is expected


@pytest.mark.parametrize("text", ["pop", "pop: import os", "pop: x.y", "pop: [1]", "1: size()"])
def test_a_condition_that_is_none_is_refused(text):
    with pytest.raises(UnitcraftError, match="no condition"):
        parse_precondition(text)


PROGRAM = """
class Lamp:
    def __init__(self):
        self.on = False

    def press(self):
        self.on = not self.on
        return self.on

    def fail(self):
        raise KeyError("no")

    def state(self):
        return [self.on]

    def other(self):
        made = Lamp()
        made.on = not self.on
        return made

    def __eq__(self, other):
        return isinstance(other, Lamp) and self.on == other.on

    __hash__ = None
"""


def packed(kind, name, *args):
    return marshal.dumps((kind, name, args, (), ""), 2)


@pytest.fixture
def lamp(tmp_path, monkeypatch):
    (tmp_path / "lamps.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield (packed("function", "lamps:Lamp"),)
    sys.modules.pop("lamps", None)


def test_table_agent_answers_value_raise_and_state(lamp):
    press, fail = packed("method", "press", ("r", 0)), packed("method", "fail", ("r", 0))
    first = table_agent.start(lamp)[1]
    kind, value, after = table_agent.step(((*lamp, press), 0))
    assert (kind, value) == ("v", ("c", True))
    assert after != first
    assert table_agent.step(((*lamp, fail), 0)) == ("x", "builtins:KeyError", first)
    assert table_agent.step(((*lamp, fail, press), 0))[0] == "lost"
    paths = ((lamp, 0), ((*lamp, press), 0), (lamp, 0))
    assert table_agent.equals((paths, ((0, (1, 2)), (1, (2,))))) == ((False, True), (False,))


#: Steps from a new lamp, each with whether the next one is on what it made; how many are answered.
WALKS = [
    ([("press", False), ("press", False), ("press", False)], 3),
    ([("other", True), ("press", False), ("other", True), ("other", True)], 4),
    ([("press", False), ("fail", False), ("press", False)], 2),
    ([("press", False), ("state", False), ("press", False)], 2),
    ([("other", False), ("press", False)], 1),
    ([("press", True), ("press", False)], 1),
]


@pytest.mark.parametrize(("names", "answered"), WALKS)
def test_table_agent_answers_a_walk_as_its_steps(lamp, names, answered):
    path, place, steps, single = lamp, 0, [], []
    for name, makes in names:
        call = packed("method", name, ("r", place))
        path = (*path, call)
        steps.append(((call,), makes))
        single.append((path, place))
        place = len(path) - 1 if makes else place
    told = table_agent.walk((lamp, 0, tuple(steps), table_agent.start(lamp)[1]))
    assert told == tuple(map(table_agent.step, single[:answered]))


def test_table_agent_says_what_an_expression_came_to():
    assert table_agent.holds(("x = 2", "x + 1 == 3")) == ""
    assert table_agent.holds(("x = 2", "x")) == "2"
    assert table_agent.holds(("", "1 / 0 == 1")).startswith("ZeroDivisionError")


def test_an_object_is_an_argument_by_the_call_that_makes_it():
    made = as_argument(Call("function", "lamps:Lamp", (Const(1),)))
    assert made == Build(Symbol("lamps", "Lamp"), (Const(1),))
    assert imports_for([made], []) == ["from lamps import Lamp"]


@pytest.mark.parametrize(
    ("sort", "text"),
    [
        ("int", "int"),
        ("own", "another object of the class"),
        ("=limit", "as given"),
        ("union[int|none]", "int | None"),
        ("list[pkg.hooks:Hook]", "list[Hook]"),
        ("union[sequence[pkg.hooks:Hook.Part]|dict[str|int]|own]",
         "sequence[Hook.Part] | dict[str, int] | another object of the class"),
    ],
)  # fmt: skip
def test_kinds_of_values_are_shown_as_types(sort, text):
    assert domain_text(SimpleNamespace(domain=[("put", [("x", sort)])])) == f"x: {text}"
