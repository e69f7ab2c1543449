"""Classes that tempt inference to state what is false: each law here has a known counterexample.

Also some that hide what is true from it, as value_laws say of lists and bounds.
"""

from __future__ import annotations

import sys
import types

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from unitcraft.core.errors import UnitcraftError
from unitcraft.infer.output.specs_properties import as_properties

SOURCE = '''
import itertools
import random
import time


class Bounded:
    """Full after 20 values, which no short history shows."""

    def __init__(self):
        self.items = []

    def push(self, value: int):
        if len(self.items) < 20:
            self.items.append(value)

    def size(self) -> int:
        return len(self.items)


class Partial:
    """pop raises; top(pop(S)) is then no value at all."""

    def __init__(self):
        self._items = []

    def push(self, value: int):
        self._items.append(value)

    def pop(self):
        return self._items.pop()

    def is_empty(self) -> bool:
        return not self._items


class Cell:
    def __init__(self, value: float = 0.5):
        self._value = value

    def put(self, value: float):
        self._value = value

    def get(self) -> float:
        return self._value


class Shelf:
    """Keeps the list that it was given."""

    def __init__(self):
        self.kept = []

    def put(self, things: list):
        things.append(0)
        self.kept = things

    def get(self):
        return self.kept


class Cached:
    """A field that is filled when it is asked for."""

    def __init__(self, number: int = 3):
        self.number = number
        self._square = None

    def square(self):
        if self._square is None:
            self._square = self.number ** 2
        return self._square

    def set(self, number: int):
        self.number = number
        self._square = None


class Unsteady:
    count = itertools.count()

    def __init__(self):
        self.n = 0

    def up(self):
        self.n += 1

    def value(self) -> int:
        return self.n

    def roll(self):
        return random.random()

    def now(self):
        return time.time()


class Counted:
    """Looking changes it."""

    def __init__(self):
        self._looks = 0

    @property
    def looks(self) -> int:
        self._looks += 1
        return self._looks


class Pile:
    """== sees no order; items shows that of the calls."""

    def __init__(self):
        self.kept = ()

    def push(self, value: int):
        self.kept += (value,)

    def replace(self, value: int):
        self.kept = (*self.kept[:-1], value)

    def items(self) -> tuple:
        return self.kept

    def size(self) -> int:
        return len(self.kept)

    def __eq__(self, other):
        return isinstance(other, Pile) and sorted(self.kept) == sorted(other.kept)

    __hash__ = None


class WrongEquals:
    """== says that all are equal."""

    def __init__(self):
        self.items = ()

    def push(self, value: int):
        self.items += (value,)

    def size(self) -> int:
        return len(self.items)

    def __eq__(self, other):
        return isinstance(other, WrongEquals)

    __hash__ = None


class Dial:
    """Its limits come from the constructor: few objects have an upper one of 0."""

    def __init__(self, low: int = 10, high: int = 30):
        if low > high:
            raise ValueError("range")
        self.low = low
        self.high = high
        self.target = low

    def set_target(self, value: int) -> int:
        self.target = max(self.low, min(self.high, value))
        return self.target

    def up(self):
        if self.target < self.high:
            self.target += 1

    def down(self):
        if self.target > self.low:
            self.target -= 1

    def at_max(self) -> bool:
        return self.target == self.high


class Store:
    """Whether it accepts more is said by no observer."""

    def __init__(self, limit: int = 100):
        self._stock = {}
        self._limit = limit

    def receive(self, sku: str, amount: int) -> int:
        if amount <= 0 or self.total() + amount > self._limit:
            raise ValueError("amount")
        self._stock[sku] = self._stock.get(sku, 0) + amount
        return self._stock[sku]

    def stock(self, sku: str) -> int:
        return self._stock.get(sku, 0)

    def total(self) -> int:
        return sum(self._stock.values())


class Tag:
    pass


class Board:
    """Of lists of tags, one alone is known: the empty one, which equals every answer."""

    def __init__(self, size: int = 1):
        self._size = size

    def accept(self, tags: list[Tag]) -> list[Tag]:
        return []

    def size(self) -> int:
        return self._size


class Line:
    """What its end returns is what looking at it shows."""

    def __init__(self):
        self._items = []

    def leave(self) -> int:
        return self._items.pop(0)

    def join(self, item: int):
        self._items.append(item)

    def first(self) -> int:
        return self._items[0]

    def is_empty(self) -> bool:
        return not self._items

    def waiting(self) -> list[int]:
        return list(self._items)


class Never:
    def __init__(self):
        raise ValueError("never")
'''


def texts(found):
    return [text for one in found.laws for text in one.said]


def test_a_capacity_that_short_histories_do_not_reach(specify):
    """size(push(S, v)) == size(S) + 1 is false at 20, and so is what items shows."""
    laws = texts(specify("Bounded"))
    assert "size(push(S, value)) == size(S) + 1" not in laws
    assert "items(push(S, value)) == [*items(S), value]" not in laws
    refuted = [one for one in specify("Bounded").refuted if "push(S, value)) ==" in one.text]
    assert any(len(one.witness.calls) > 20 for one in refuted)


def test_a_call_inside_that_raises_leaves_no_value(specify):
    found = specify("Partial")
    assert "pop(S) raises IndexError if is_empty(S)" in texts(found)
    assert {"pop(push(S, value)) == S", "pop(push(S, value)).result == value"} <= set(texts(found))
    composed = [law for law in texts(found) if "(pop(S" in law]
    assert all("if not is_empty(S)" in law for law in composed)


def test_a_nan_is_not_equal_to_itself(specify):
    laws = texts(specify("Cell"))
    assert "get(put(S, value)) == value" not in laws
    assert "get(put(S, value)) == value if value == value" in laws


def test_an_argument_that_a_call_changes(specify):
    """get(put(S, things)) is the list with a 0 more, not the list that was given."""
    assert not any("== things" in law for law in texts(specify("Shelf")))


def test_a_cache_makes_no_law_false(specify):
    """square() leaves another state the first time; its values are lawful all the same."""
    for law in texts(specify("Cached")):
        assert law not in ("square(S) == S", "set(S, number) == S")


def test_operations_that_differ_from_run_to_run_are_named(specify):
    found = specify("Unsteady")
    assert [name for name, _ in found.excluded] == ["roll", "now"]
    assert not any("roll" in law or "now" in law for law in texts(found))
    assert "value(up(S)) == value(S) + 1" in texts(found)


def test_a_property_that_changes_what_it_shows(specify):
    found = specify("Counted")
    assert not any(axiom.kind == "pure" for axiom in found.axioms)
    assert not any(" if " in law and "looks" in law.partition(" if ")[2] for law in texts(found))


def test_an_equality_that_observers_contradict_is_not_used(specify):
    found = specify("WrongEquals")
    assert not found.uses_equals
    assert "size tells apart objects that are ==" in found.equality


def test_objects_are_not_equated_where_their_equality_is_contradicted(specify):
    """By their fields objects may be equal while they are small, as heaps are."""
    found = specify("Pile")
    assert "items tells apart objects that are ==" in found.equality
    assert "size(push(S, value)) == size(S) + 1" in texts(found)
    assert not any(text.startswith(("push(", "replace(")) for text in texts(found))


def test_limits_that_few_objects_have_explain_nothing(specify):
    """Laws such as ``at_max(S) == True if high(S) == 0``: false for limits of -5 and 0."""
    laws = texts(specify("Dial"))
    assert "target(down(S)) == target(S) - 1 if low(S) != target(S)" in laws
    assert {"low(S) <= target(S)", "target(S) <= high(S)"} <= set(laws)
    kinds = {one.text: one.kind for one in specify("Dial").laws}
    assert kinds["low(S) <= target(S)"] == "invariant"
    assert not any("high(S) == 0" in law or "low(S) == 0" in law for law in laws)
    false = {
        "at_max(down(S)) == False if high(S) != 0",
        "at_max(down(S)) == at_max(S) if target(S) == 0",
        "down(up(S)) == S if not at_max(S) or target(S) == 0",
        "at_max(set_target(S, value)) == False if not at_max(S) and value == 0",
    }
    assert not false.intersection(laws)


def test_a_condition_that_nothing_shows_is_that_the_call_returns(specify):
    laws = texts(specify("Store"))
    returns = "if receive(S, sku, amount) returns"
    assert f"total(receive(S, sku, amount)) == total(S) + amount {returns}" in laws
    assert f"receive(S, sku, amount).result == stock(S, sku) + amount {returns}" in laws


def test_laws_are_about_observers_rather_than_about_calls_that_change(specify):
    laws = texts(specify("Line"))
    assert "leave(S).result == first(S) if not is_empty(S)" in laws
    assert "waiting(join(S, item)) == [*waiting(S), item]" in laws
    assert "waiting(leave(S)) == waiting(S)[1:] if not is_empty(S)" in laws


def test_value_laws_say_what_a_list_shows(specify):
    assert "waiting(S)[0] == first(S) if not is_empty(S)" in texts(specify("Line"))


def test_specs_properties_hold_and_find_a_fault(specify, monkeypatch):
    """As written, then with an ``up`` that passes the limit: the machine's own histories see it."""
    text = as_properties(specify("Dial"))
    faulty = SOURCE.replace("if self.target < self.high:", "if self.target <= self.high:")
    for source, failing in ((SOURCE, False), (faulty, True)):
        module = types.ModuleType("sample")
        exec(source, module.__dict__)
        monkeypatch.setitem(sys.modules, "sample", module)
        names: dict[str, object] = {}
        exec(text, names)
        quick = settings(max_examples=60, database=None, deadline=None, derandomize=True)
        names["test_low_s_target_s"]()
        if failing:
            with pytest.raises(AssertionError):
                run_state_machine_as_test(names["DialMachine"], settings=quick)
        else:
            run_state_machine_as_test(names["DialMachine"], settings=quick)


def test_a_parameter_of_one_value_is_no_variable(specify):
    """accept(S, tags) == tags is false for every list but the empty one."""
    assert not any("== tags" in law for law in texts(specify("Board")))


def test_a_class_without_objects(specify):
    with pytest.raises(UnitcraftError, match="constructor raised"):
        specify("Never")
