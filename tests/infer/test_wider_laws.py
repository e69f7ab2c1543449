"""Laws of more kinds of classes: circles, extremes, states with names, caches of any size.

What proves them is a rule_book, and what they are told by are outcome_guards and others.
"""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const
from unitcraft.infer.algebraic.guards import MaskedAtom, without
from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Compute,
    Constant,
    Law,
    TermOrder,
    Var,
)
from unitcraft.infer.algebraic.law_terms import Test as Comparison
from unitcraft.infer.derivation.rule_book import RuleBook
from unitcraft.infer.derivation.simplification import simplify
from unitcraft.infer.universe.configurations import MAX_CONFIRMED, drawn_configurations
from unitcraft.infer.universe.values import Values

SOURCE = """
class Circle:
    def __init__(self):
        self._items = []

    def put(self, item: int):
        self._items.insert(0, item)

    def turn(self):
        self._items = self._items[-1:] + self._items[:-1]

    def front(self) -> int:
        return self._items[0]

    def items(self) -> list[int]:
        return list(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item: int) -> bool:
        return item in self._items


class Extremes:
    def __init__(self):
        self._seen = []

    def record(self, number: int):
        self._seen.append(number)

    def is_empty(self) -> bool:
        return not self._seen

    def lowest(self) -> int:
        return min(self._seen)

    def latest(self) -> int:
        return self._seen[-1]

    def highest(self) -> int:
        return max(self._seen)

    def spread(self) -> int:
        return max(self._seen, default=0) - min(self._seen, default=0)


class Order:
    def __init__(self):
        self.state = "new"
        self._items = 0

    def add(self, items: int):
        if self.state != "new":
            raise RuntimeError("too late")
        self._items += items

    def pay(self):
        if self.state != "new":
            raise RuntimeError("not new")
        self.state = "paid"

    def send(self) -> int:
        if self.state != "paid":
            raise RuntimeError("not paid")
        self.state = "sent"
        return self._items

    def cancel(self) -> bool:
        if self.state == "sent":
            return False
        self.state = "cancelled"
        return True


class Cache:
    def __init__(self, most, default=None):
        self._most = most
        self._held = {}

    def most(self):
        return self._most

    def put(self, key: str, value: int):
        if key not in self._held and len(self._held) >= self._most:
            raise ValueError("full")
        self._held[key] = value

    def __contains__(self, key: str) -> bool:
        return key in self._held

    def __len__(self) -> int:
        return len(self._held)


class Battery:
    def __init__(self, units: int = 5, _log: list[int] = ()):
        self._units = max(0, units)

    def units(self) -> int:
        return self._units

    def use(self, units: int = 1):
        if units < 0 or units > self._units:
            raise ValueError(units)
        self._units -= units


class Bag:
    def __init__(self):
        self._numbers = []

    def add(self, number: int):
        self._numbers = sorted([*self._numbers, number])

    def to_list(self) -> list[int]:
        return self._numbers[:]

    def smallest(self) -> int | None:
        return self._numbers[0] if self._numbers else None

    def __len__(self) -> int:
        return len(self._numbers)
"""


def said(specify, name):
    return {text for one in specify(name).laws for text in one.said}


def test_membership_beside_an_equation_stands_in_brackets(specify):
    found = said(specify, "Circle")
    assert "(item in turn(S)) == (item in S)" in found
    assert not any(text.endswith("== item in S") for text in found)


def test_the_end_of_a_list_is_a_right_side(specify):
    found = [text for text in said(specify, "Circle") if text.startswith("front(turn(S)) ==")]
    assert [text.partition(" if ")[0] for text in found] == ["front(turn(S)) == items(S)[-1]"]


def test_a_sum_of_what_may_raise_has_the_condition_that_it_does_not(specify):
    found = said(specify, "Extremes")
    assert "spread(S) == highest(S) - lowest(S) if not is_empty(S)" in found


def test_an_order_follows_from_what_lies_between(specify):
    orders = {text.partition(" if ")[0] for text in said(specify, "Extremes") if " <= " in text}
    assert {"lowest(S) <= latest(S)", "latest(S) <= highest(S)"} <= orders
    assert "lowest(S) <= highest(S)" not in orders


def test_conditions_name_the_states_that_a_class_names(specify):
    found = said(specify, "Order")
    assert "add(S, items) raises RuntimeError if state(S) != 'new'" in found
    assert "send(S) raises RuntimeError if state(S) != 'paid'" in found


def test_a_limit_without_a_type_has_more_than_small_values(specify):
    """``len(S) == 2`` tells ``most(S) == 2`` where no object has room for more."""
    found = said(specify, "Cache")
    assert not [text for text in found if text.startswith("most(S) == ")]
    assert "len(put(S, key, value)) == len(S) if key in S" in found


def test_two_conditions_on_the_same_rows_stand_for_each_other(specify):
    """That the smallest is None says that there is nothing, but no more about the smallest."""
    smallest, length = (Apply(place, (RECEIVER,), "value") for place in (0, 1))
    atoms = [MaskedAtom(Atom(one, "==", Constant(place)), 5) for place, one in enumerate(
        (smallest, length)
    )]  # fmt: skip
    assert without(atoms, (smallest, Constant(0))) == atoms[1:]
    assert without(atoms, (Apply(2, (RECEIVER,), "value"), Constant(0))) == atoms[:1]
    assert any(text.startswith("smallest(S) == None if ") for text in said(specify, "Bag"))


def test_a_parameter_with_a_default_is_given_and_left_out(specify):
    found = said(specify, "Battery")
    starts = {text.partition(" if ")[0] for text in found}
    assert {"units(use(S, units)) == units(S) - units", "units(use(S)) == units(S) - 1"} <= starts
    assert any(text.startswith("units(Battery(units)) == ") for text in found)


def test_the_smaller_of_two_has_no_order():
    values, one, other = Values(), Var("int", 0), Var("int", 1)
    for operator in ("smaller", "larger"):
        first = simplify(Compute(one, operator, other), values, lambda _: True)
        assert first == simplify(Compute(other, operator, one), values, lambda _: True)


def laws(values):
    x, zero = Var("int", 0), Constant(values.of_plain(0))
    length, empty = (Apply(place, (RECEIVER,), "value") for place in (0, 1))
    put = Apply(2, (RECEIVER, x), "state")
    after = Apply(1, (put,), "value")
    swap = Apply(3, (RECEIVER, x, Var("int", 1)), "value")
    return [
        Law(empty, Comparison(length, "==", zero)),
        Law(after, Constant(values.of_plain(value=False))),
        Law(Apply(0, (put,), "value"), Compute(length, "+", Constant(values.of_plain(1)))),
        Law(swap, Apply(3, (RECEIVER, Var("int", 1), x), "value")),
    ]


@pytest.mark.parametrize("place", range(4))
def test_a_book_without_a_law_is_that_of_the_others(place):
    values = Values()
    rules = laws(values)
    order = TermOrder([False, False, True, False])
    made = RuleBook(rules, values, order).without(rules[place])
    other = RuleBook([one for one in rules if one is not rules[place]], values, order)
    assert (made.rules, made.shown(), made.has_turns) == (
        other.rules, other.shown(), other.has_turns
    )  # fmt: skip
    for term in [side for rule in rules for side in (rule.left, rule.right)]:
        for defined in (False, True):
            assert made.rewriting(term, defined=defined) == other.rewriting(term, defined=defined)
            found, alike = (
                [(one.rule, one.after, one.guard) for one in book.instances(term, defined=defined)]
                for book in (made, other)
            )
            assert found == alike


def test_objects_of_few_arguments_are_among_those_that_confirm():
    calls = [Call("function", "m:C", (Const(n),), ()) for n in range(8)]
    calls += [Call("function", "m:C", (Const(0), Const(n)), ()) for n in range(40)]
    found = drawn_configurations(calls)
    assert len(found) == MAX_CONFIRMED
    assert set(calls[:8]) <= set(found)
