"""One line says what laws have in common: law_groups, as group_text writes them.

generalization makes laws of any arguments, so that a proof by builtin_rules and others needs
fewer of them.
"""

from __future__ import annotations

from itertools import product

import pytest

from unitcraft.infer.algebraic.computed_values import compare, compute
from unitcraft.infer.algebraic.law_terms import Atom, Compute, Constant, Term, Var
from unitcraft.infer.algebraic.law_terms import Test as Comparison
from unitcraft.infer.derivation.builtin_rules import builtin_rules
from unitcraft.infer.universe.values import UNDEFINED, Values

SOURCE = """
class Shelf:
    def __init__(self, label: int = 0):
        self._label = label
        self._held = {}

    def __eq__(self, other):
        return (self._held, self._label) == (other._held, other._label)

    def put(self, key: int, value: int):
        self._held[key] = value

    def take(self, key: int) -> int:
        if key not in self._held:
            raise KeyError(key)
        return self._held.pop(key)

    def look(self, key: int) -> int:
        if key not in self._held:
            raise KeyError(key)
        return self._held[key]

    def has(self, key: int) -> bool:
        return key in self._held

    def keys(self) -> list[int]:
        return sorted(self._held)

    def label(self) -> int:
        return self._label
"""


@pytest.fixture(scope="module")
def lines(specify):
    return {one.text: one for one in specify("Shelf").laws}


def test_calls_that_raise_the_same_are_one_line(lines):
    one = lines["look(S, key), take(S, key) raise KeyError if not has(S, key)"]
    assert one.kind == "raises"
    assert one.said == (
        "look(S, key) raises KeyError if not has(S, key)",
        "take(S, key) raises KeyError if not has(S, key)",
    )
    assert one.condition == "not S.has(key)"
    assert one.expression.count("== 'KeyError'") == 2


def test_what_no_call_changes_is_one_line(lines):
    one = lines["no call changes label"]
    assert one.kind == "frame"
    assert len(one.laws) == 2
    assert not any("label(" in text and "Shelf(" not in text and text != "no call changes label"
                   for text in lines)  # fmt: skip


def test_what_one_call_does_is_one_line(lines):
    assert any(text.startswith("take(S, key) returns look(S, key), has ") for text in lines)


def test_two_cases_are_one_line(lines):
    cases = "keys(put(S, key, value)) == keys(S) if has(S, key), else sorted([*keys(S), key])"
    assert len(lines[cases].said) == 2
    assert lines[cases].condition == ""
    assert " and (not (not S.has(key)) or " in lines[cases].expression


def test_what_laws_are_about_is_named(specify):
    """The kinds of values of each method, for those who try to break the laws."""
    assert dict(specify("Shelf").domain)["put"] == (("key", "int"), ("value", "int"))


def test_laws_are_about_any_arguments(lines):
    """Not ``has(put(S, key, key), key)``, which is what shorter terms say first."""
    said = [text for one in lines.values() for text in one.said]
    assert "has(put(S, key, value), key) == True" in said
    assert not any("put(S, key, key)" in text for text in said)


def _value(term: Term, by: dict[Var, int], values: Values) -> int:
    match term:
        case Var():
            return by[term]
        case Constant(value):
            return value
        case Compute(left, operator, right):
            return compute(values, operator, _value(left, by, values), _value(right, by, values))
        case Comparison(left, operator, right):
            truth = compare(values, operator, _value(left, by, values), _value(right, by, values))
            return UNDEFINED if truth is None else values.of_plain(truth)
    raise AssertionError(term)


def _holds(atom: Atom, by: dict[Var, int], values: Values) -> bool:
    left, right = _value(atom.left, by, values), _value(atom.right, by, values)
    truth = left == right if atom.operator == "==" else compare(values, "<", left, right)
    return truth is not atom.negated


@pytest.mark.parametrize("number", range(len(builtin_rules(Values()))))
def test_builtin_rules_hold_for_all_small_lists_and_sets(number):
    values = Values()
    rule = builtin_rules(values)[number]
    items = [[], [1], [2, 1], [1, 2, 1], [3], {1, 2}, set()]
    tried = 0
    for one, other, held in product([1, 2, 3], [1, 2, 3], items):
        by = {Var("", n): values.of_plain(v) for n, v in enumerate((one, other, held))}
        sides = [_value(side, by, values) for side in (rule.left, rule.right)]
        if UNDEFINED in sides or not all(_holds(atom, by, values) for atom in rule.guard.atoms):
            continue
        assert sides[0] == sides[1], (one, other, held)
        tried += 1
    assert tried
