"""The records of the kinds: every value that they hold or make is of exactly their type."""

from __future__ import annotations

import math
import random
from itertools import islice
from typing import get_args

import pytest

from unitcraft.symbolic.kinds.bytes_kind import BYTES_KIND
from unitcraft.symbolic.kinds.float_kind import FLOAT_KIND
from unitcraft.symbolic.kinds.int_kind import INT_KIND
from unitcraft.symbolic.kinds.kinds import KINDS, kind_of
from unitcraft.symbolic.kinds.str_kind import STR_KIND
from unitcraft.symbolic.kinds.symbolic_kind import MAX_SIZE
from unitcraft.symbolic.proxies import int_float, strings  # noqa: F401 - they register their proxies
from unitcraft.symbolic.proxies.trace import PROXY_MAKERS
from unitcraft.symbolic.terms.term import Kind

RECORDS = pytest.mark.parametrize("kind", list(KINDS.values()), ids=list(KINDS))


def test_each_kind_has_one_record_and_one_proxy():
    assert tuple(KINDS) == get_args(Kind)
    assert {kind.type for kind in KINDS.values()} == set(PROXY_MAKERS)
    assert [kind.name for kind in (INT_KIND, FLOAT_KIND, STR_KIND, BYTES_KIND)] == list(KINDS)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "int"), (1.0, "float"), ("", "str"), (b"", "bytes"), (True, None), (None, None),
        (1j, None),
    ],
)  # fmt: skip
def test_kind_of_a_value(value, kind):
    assert kind_of(value) == kind


@RECORDS
def test_values_are_of_exactly_the_type(kind):
    rng = random.Random(0)
    own = [kind.empty, *kind.plain_values, *kind.readable_values]
    made = [*own]
    for value in own:
        made += kind.convert(value)
        made += kind.equal_values(value) if value == value else []  # noqa: PLR0124 - NaN
        made += kind.boundary_values(value)
        made += islice(kind.neighbours(value), 200)
        made += kind.easier_values(value)
        made += [kind.shake(value, rng) for _ in range(5)]
    assert {type(value) for value in made} == {kind.type}


@RECORDS
def test_a_value_is_converted_to_itself(kind):
    for value in kind.plain_values:
        assert list(map(repr, kind.convert(value))) == [repr(value)]


@RECORDS
def test_the_empty_value_is_false(kind):
    assert not kind.empty
    assert kind.is_number is not kind.is_text


@RECORDS
def test_no_plain_or_readable_value_comes_twice(kind):
    for values in (kind.plain_values, kind.readable_values):
        assert len({repr(value) for value in values}) == len(values)


@RECORDS
def test_readable_values_begin_with_the_easiest(kind):
    burdens = [kind.burden(value) for value in kind.readable_values]
    assert burdens[0] == min(burdens)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("int", 2.5, (2, 3)), ("int", 2.0, (2,)), ("int", True, (1,)), ("int", math.inf, ()),
        ("int", "2", ()), ("int", 1 << (MAX_SIZE + 1), ()), ("float", 3, (3.0,)),
        ("float", 10**400, ()), ("str", "a", ("a",)), ("str", b"a", ()), ("bytes", b"a", (b"a",)),
        ("str", "a" * (MAX_SIZE + 1), ()), ("bytes", b"a" * (MAX_SIZE + 1), ()),
    ],
)  # fmt: skip
def test_conversion(kind, value, expected):
    found = KINDS[kind].convert(value)
    assert found == expected
    assert [type(one).__name__ for one in found] == [kind] * len(expected)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("int", 2.5, []), ("int", 2.0, [2]), ("int", True, [1]), ("int", -0.0, [0]),
        ("int", math.inf, []), ("int", 10**400, [10**400]), ("int", "2", []),
        ("float", 3, [3.0]), ("float", 0, [0.0, -0.0]),
        ("float", 2**53 + 1, []), ("float", 10**400, []), ("float", None, []), ("str", "a", ["a"]),
        ("str", b"a", []), ("bytes", b"a", [b"a"]), ("bytes", "a", []),
    ],
)  # fmt: skip
def test_all_values_that_equal_another(kind, value, expected):
    assert repr(KINDS[kind].equal_values(value)) == repr(expected)


def test_burden_orders_as_a_person_would():
    for easy, hard in [
        (1, -1), (2, 17), (100, 123), (1000, 1001), (0, 4), (0.5, 0.37), (1.0, 1e300),
        (2.5, float("inf")), ("a", ""), ("abc", "a#c"), ("ab", "abcd"), (b"a", b"\x00"),
        (10**400, 10**4000),
    ]:  # fmt: skip
        burden = KINDS[kind_of(easy)].burden
        assert burden(easy) < burden(hard), (easy, hard)
