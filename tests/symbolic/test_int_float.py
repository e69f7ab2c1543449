"""Proxies of numbers: what they note, what they hide, what they do not."""

from __future__ import annotations

import pickle
import sys
from decimal import Decimal
from fractions import Fraction

import pytest
from harness import agree, unfailing

from unitcraft.symbolic.proxies.int_float import SymFloat, SymInt, sym_float, sym_int
from unitcraft.symbolic.proxies.trace import EVENTS, concrete_value, reset_trace

TOTAL = (
    "x + 1", "1 - x", "x * y", "x & y", "-x", "abs(x)", "~x", "x ** 2", "2 * x + y - 3", "x | 1",
    "str(x)", "repr(x)", "f'{x}'", "f'{x:5}'", "f'{x:03d}|{y}'", "'%d %s' % (x, y)", "hex(x)",
    "'{}'.format(x)", "float(x)", "int(x)", "round(x)", "round(x, -1)", "x // 2", "x % 7", "x / 4",
    "x >> 1", "x << 2", "x.bit_length()", "min([x])", "sum([x, y])", "divmod(x, 3)", "x.real",
    "1.5 * x", "int(str(x) and 1)", "[x, y]", "(x,) + (y,)", "x.conjugate()", "pow(x, 3)",
    "'%5d|%-3x' % (x, y)", "math.gcd(x, y)", "math.floor(x)", "math.atan(x)", "x.imag",
)  # fmt: skip


@pytest.mark.parametrize("text", TOTAL)
def test_what_cannot_fail_notes_nothing(text):
    events = agree(f"import math\ndef f(x, y): return {text}", "f", 6, 4)
    assert [event for event in events if event[0][0] != "truth"] == []


PARTIAL = {
    "x // y": 1, "x % y": 1, "x / y": 1, "divmod(x, y)": 1, "x << y": 2, "x >> y": 1, "chr(x)": 1,
    "math.sqrt(x)": 1, "2 ** y": 2, "pow(x, y, 5)": 1, "x.to_bytes(2, 'big')": 1, "hash(x)": 1,
}  # fmt: skip


@pytest.mark.parametrize("text", PARTIAL)
def test_what_may_fail_notes_each_way_once(text):
    events = agree(f"import math\ndef f(x, y): return {text}", "f", 6, 4)
    assert len(events) == PARTIAL[text]


@pytest.mark.parametrize("text", ["x + 1.5", "x * y", "-x", "x / 2", "round(x, 1)", "x // 0.5"])
def test_arithmetic_of_floats_notes_nothing(text):
    assert agree(f"def f(x, y): return {text}", "f", 6.5, 4.0) == []


def test_a_division_by_zero_is_the_condition_and_no_more():
    events = agree("def f(x, y): return x / y", "f", 1, 0)
    assert events == [(("==", ("v", 1), 0), True)]


def test_the_error_says_what_it_says_of_plain_numbers():
    source = "def f(x, y):\n try: return x // y, x + 'a'\n except Exception as e: return str(e)"
    agree(source, "f", 1, 0)
    agree(source, "f", 1, 1)
    agree("def f(x):\n try: x.nothing\n except AttributeError as e: return str(e)", "f", 1.5)


def test_one_error_of_several_is_told_apart():
    first = agree("def f(x): return int(x)", "f", float("nan"))
    second = agree("def f(x): return int(x)", "f", float("inf"))
    assert first != second


def test_a_power_that_turns_complex_is_another_path():
    agree("def f(x): return x ** 0.5", "f", -2.0)
    events = agree("def f(x): return x ** 0.5", "f", 2.0)
    root = ("**", ("v", 0), 0.5)
    assert events == [(("ok", root), True), (("==", ("kind", root), "float"), True)]


@pytest.mark.parametrize("other", [1.5, True, 2, Decimal(1), Fraction(1, 2), 1j])
@pytest.mark.parametrize("make", [sym_int, sym_float])
def test_a_number_on_the_left_leaves_a_trace(make, other):
    """No C code takes the value of a proxy without a trace of it."""
    value = make(2 if make is sym_int else 2.0, ("v", 0))
    for function in (lambda x: other < x, lambda x: x in [3, other], lambda x: max(other, x)):
        reset_trace()
        try:
            function(value)
        except TypeError:
            continue
        assert EVENTS
    reset_trace()
    try:
        total = other + value
    except TypeError:
        return
    assert EVENTS or type(total) in (SymInt, SymFloat)


def test_what_c_code_is_given_is_pinned():
    value = sym_int(2, ("v", 0))
    for function in (
        lambda: [1, 2, 3][value], lambda: "a"[:value], lambda: [1] * value, lambda: range(value),
        lambda: bytes(value), lambda: hash(value), lambda: chr(value), lambda: {value: 1},
        lambda: int(value), lambda: float(value), lambda: pickle.dumps(value),
        lambda: "abc"[value:],
    ):  # fmt: skip
        reset_trace()
        function()
        assert EVENTS


def test_a_proxy_looks_like_a_number():
    whole, real = sym_int(2, ("v", 0)), sym_float(2.5, ("v", 1))
    assert isinstance(whole, int)
    assert not isinstance(whole, (bool, float))
    assert isinstance(real, float)
    assert (whole.__class__, real.__class__) == (int, float)
    assert type(whole).__name__ == "int"
    assert concrete_value(whole) == 2
    assert pickle.loads(pickle.dumps(whole)) == 2
    assert type(pickle.loads(pickle.dumps(real))) is float


def test_a_huge_value_is_computed_as_the_plain_run_does_and_pinned():
    events = agree("def f(x): return (1 << x).bit_length(), (3 ** x) % 7", "f", 100_001, pool=False)
    assert [event[0][0] for event in events if event[0][0] == "same"]


def test_many_operations_make_no_term_that_is_too_large_to_handle():
    source = "def f(x):\n for _ in range(3000): x = x + 1\n return x"
    agree(source, "f", 1, pool=False)


def test_floats_are_added_as_sum_adds_them():
    events = agree("def f(xs): return sum(xs) == 1.0", "f", [0.1] * 10)
    assert ("sum" in str(events)) is (sys.version_info >= (3, 12))


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, float("nan"), float("inf"), -1e308, 5e-324])
def test_special_floats_keep_their_ways(value):
    source = (
        "def f(x): return x + x, x * -1, x < 0, x == -x, x != x, bool(x), str(x), repr(-x), "
        "x - x, x * 1e308, max(x, 0.0), min(0.0, x), f'{x:.3g}', x // 1 if x == 1.5 else 0"
    )
    assert unfailing(agree(source, "f", value))


VAST = (
    "int(x) * 10**9 + 0.5", "round(x) ** 2 / 3", "1.5 - int(x) ** 2", "float(int(x) * 10**9)",
    "divmod(int(x) ** 2, 0.5)", "math.degrees(int(x) ** 2)", "sum([int(x) ** 2, 0.5, x])",
    "'%f' % int(x) ** 2", "f'{int(x) ** 2:.2f}'", "'{:e}'.format(int(x) ** 2)",
    "-(int(x) ** 3) // x",
)  # fmt: skip


@pytest.mark.parametrize("text", VAST)
def test_a_whole_number_that_no_float_equals_is_another_path(text):
    for value in (1e300, 2.5):
        agree(f"import math\ndef f(x): return {text}", "f", value)
