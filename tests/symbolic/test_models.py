"""Models of builtins and containers: the result is that of the plain run, the events tell why."""

from __future__ import annotations

import math
import sys
from collections import Counter, OrderedDict, defaultdict
from types import BuiltinFunctionType

import pytest
from harness import agree

from unitcraft.symbolic.containers.container_methods import (
    DICT_METHODS,
    copy_dict,
    equal,
    list_method,
    lookup,
    make_dict,
    table_method,
    unite,
)
from unitcraft.symbolic.containers.set_methods import (
    COMBINING,
    OPERATORS,
    SET_METHODS,
    copy_set,
    make_set,
    update_set,
)
from unitcraft.symbolic.intercept.builtin_models import (
    CONVERSIONS,
    HIGHER_ORDER,
    MODELS,
    model_getattr,
    model_len,
    model_pow,
    model_round,
    model_sum,
)
from unitcraft.symbolic.intercept.deep_concretization import call_concretely, concretize_deeply
from unitcraft.symbolic.intercept.formatting import (
    fill_in,
    format_field,
    format_percent,
    join_parts,
    render,
)
from unitcraft.symbolic.proxies.int_float import SymInt, sym_int
from unitcraft.symbolic.proxies.ranges import SymRange, is_in_range, sym_range
from unitcraft.symbolic.proxies.strings import SymStr, sym_str
from unitcraft.symbolic.proxies.trace import (
    apply_mixed,
    concrete_value,
    recorded_events,
    reset_trace,
    term_of,
)

X = ("v", 0)


@pytest.fixture(autouse=True)
def _fresh_trace():
    reset_trace()
    yield
    reset_trace()


def number(value=3):
    return sym_int(value, X)


def text(value="abc"):
    return sym_str(value, X)


def events():
    return recorded_events()[0]


# -- containers -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "inputs"),
    [
        ("d = {1: 'a'}; return d.pop(x, None), d", (1,)),
        ("return {}.pop([x], 0), {}.pop(x, x)", (1,)),
        ("d = {1: 'a'}; return d.setdefault(x, 'n'), d", (2,)),
        ("d = {1: 2}; d.update([(x, 3)], k=4); return d", (1,)),
        ("return dict([(x, 1), (1, 2)])", (1,)),
        ("return {1: 2} | {x: 3}", (1,)),
        ("return {x: 1} == {1: 1}", (1,)),
        ("l = [1, 2, 3]; return l.pop(x), l", (1,)),
        ("s = {1, 2}; s.discard(x); return sorted(s)", (2,)),
        ("return sorted({1, x} & {1, 5})", (5,)),
        ("return {1, 2} <= {x, 1, 3}", (2,)),
        ("return sorted(set([x, 1]))", (1,)),
        ("return {1}.isdisjoint([x])", (1,)),
    ],
)
def test_containers_agree_with_the_plain_run(body, inputs):
    agree(f"def f(x):\n    {body}\n", "f", *inputs)


def test_a_symbolic_key_is_compared_and_found():
    table = {3: "three"}
    assert lookup(table, number()) == "three"
    assert (("==", X, 3), True) in events()
    with pytest.raises(KeyError):
        lookup(table, number(4))


def test_default_tables_make_the_missing_value():
    table = defaultdict(list)
    lookup(table, 5).append(1)
    assert table == {5: [1]}
    assert lookup(Counter("a"), "b") == 0


def test_an_index_is_concretized_and_an_element_is_not():
    items = [10, 20, 30, 40]
    assert list_method(items.pop, (number(),), {}) == 40
    assert events() != []
    list_method(items.append, (number(),), {})
    assert type(items[-1]) is SymInt


def test_methods_without_a_model_are_called_as_they_are():
    table = {1: 2}
    assert table_method(table.popitem, table, (), {}) == (1, 2)
    assert {"get", "__or__"} <= DICT_METHODS.keys()


def test_copies_and_unions_keep_the_class():
    ordered = OrderedDict(a=1)
    assert type(copy_dict(ordered)) is OrderedDict
    assert unite(ordered, {"b": 2}) == {"a": 1, "b": 2}
    assert unite(ordered, [("b", 2)]) is NotImplemented
    assert equal({1: 2}, {1: 3}) is False
    assert make_dict(dict, ([("a", 1)],), {"b": 2}) == {"a": 1, "b": 2}


def test_sets_are_made_and_updated():
    made = make_set(set, ([1, 2, 1],), {})
    update_set(made, [3], {4: 5})
    assert made == {1, 2, 3, 4}
    assert copy_set(made) == made
    assert make_set(frozenset, ("ab",), {}) == frozenset("ab")
    assert set(COMBINING) | set(OPERATORS) <= SET_METHODS.keys()


# -- builtins -------------------------------------------------------------------------


def test_lengths_and_sums_are_followed():
    assert term_of(model_len(text())) == ("len", X)
    assert term_of(model_sum([1, number()])) == ("+", 1, X)
    assert model_sum([1, 2], 3) == 6
    with pytest.raises(TypeError):
        model_sum([number(), "a"])


def test_a_sum_fails_where_the_iterator_does():
    def broken():
        yield 1
        raise LookupError

    with pytest.raises(LookupError):
        model_sum(broken())


def test_rounding_powers_and_attributes():
    assert concrete_value(model_round(2.567, number(1))) == 2.6
    assert concrete_value(model_pow(number(3), 4, 5)) == 1
    assert model_getattr(number(), "missing", "none") == "none"
    assert model_getattr(number(), "real") == 3
    assert MODELS[len] is model_len
    assert MODELS[math.floor] is math.floor
    assert {type(function) for function in MODELS} == {BuiltinFunctionType}
    assert not HIGHER_ORDER & MODELS.keys()


@pytest.mark.parametrize(
    ("body", "inputs"),
    [
        ("return len(x), abs(len(x) - 9)", ("abc",)),
        ("return ord(x[0]), chr(ord(x[1]))", ("abc",)),
        ("return int(x) + 1", ("41",)),
        ("return float(x), str(int(x))", ("2",)),
        ("return bytes([x, 1])", (7,)),
        ("return type(x) is int, bool(x)", (0,)),
        ("return [n for n in range(x)]", (3,)),
        ("import itertools; return list(itertools.combinations('abc', x))", (2,)),
        ("return int(x, 16)", ("ff",)),
        ("return hasattr(x, 'upper'), sorted([x, 'b'])", ("a",)),
    ],
)
def test_functions_and_constructors_agree_with_the_plain_run(body, inputs):
    agree(f"def f(x):\n    {body}\n", "f", *inputs)


def test_conversions_of_proxies_are_followed():
    assert term_of(CONVERSIONS[int](int, (text("41"),), {})) == ("int", X)
    assert CONVERSIONS[int](int, (number(),), {}).term == X
    assert CONVERSIONS[type](type, (number(),), {}) is int
    assert type(CONVERSIONS[range](range, (number(),), {})) is SymRange


# -- concretizing ---------------------------------------------------------------------


class Holder:
    __slots__ = ("here",)


def test_nothing_reachable_holds_a_proxy_afterwards():
    inner, holder, cycle = [number()], Holder(), []
    holder.here = number()
    cycle.append(cycle)
    given = {"list": inner, "tuple": (number(), 1), "holder": holder, "cycle": cycle}
    found = concretize_deeply(given)
    assert found is given
    assert found["list"] is inner
    assert [type(inner[0]), type(given["tuple"][0]), type(holder.here)] == [int, int, int]
    assert (("same", X, 3), True) in events()


def test_values_without_a_proxy_stay_the_same_object():
    for value in ("a", (1, (2,)), [1], frozenset({1})):
        assert concretize_deeply(value) is value
    assert events() == []


def test_a_foreign_function_gets_plain_values():
    assert call_concretely(lambda a, *, b: (type(a), type(b[0])), (number(),), {"b": [text()]}) == (
        int,
        str,
    )


# -- texts ----------------------------------------------------------------------------


def test_texts_of_proxies_are_followed():
    assert term_of(render("str", number())) == ("str", X)
    assert render("str", text()).term == X
    assert term_of(render("repr", (number(), 1))) == ("repr", ("tuple", X, 1))
    assert render("str", [1, "a"]) == "[1, 'a']"


@pytest.mark.parametrize(
    ("body", "inputs"),
    [
        ("return f'{x:>4}|{x!r}'", (7,)),
        ("return '%s-%d' % (x, x)", (7,)),
        ("return '{}:{a}'.format(x, a=1)", (7,)),
        ("return '%(n)03d' % {'n': x}", (7,)),
        ("return '{:.1f}'.format(x / 2)", (7,)),
        ("return 17 % x", (7,)),
    ],
)
def test_formatting_agrees_with_the_plain_run(body, inputs):
    agree(f"def f(x):\n    {body}\n", "f", *inputs)


def test_templates_are_filled_in_part_by_part():
    assert type(join_parts("a", text())) is SymStr
    assert join_parts("a", "b") == "ab"
    assert format_field(3, "", ">3") == "  3"
    assert concrete_value(fill_in("{}-{n}", (number(),), {"n": 1})) == "3-1"
    assert concrete_value(format_percent("%s!", number())) == "3!"
    assert format_percent("%d%%", 7) == "7%"


# -- operands and ranges --------------------------------------------------------------


def test_operands_that_are_no_numbers_decide_themselves():
    assert apply_mixed(lambda a, b: a + b, number(), "text") is NotImplemented
    assert apply_mixed(lambda a, b: a * b, number(), 2j) == 6j
    assert (("same", X, 3), True) in events()


def test_each_round_of_a_range_is_a_branch():
    assert [concrete_value(one) for one in sym_range(number(2))] == [0, 1]
    assert events() == [(("<", 0, X), True), (("<", 1, X), True), (("<", 2, X), False)]


def test_ranges_behave_as_ranges():
    made = sym_range(1, number(4))
    assert isinstance(made, range)
    assert (made == range(1, 4), 3 in made, 9 in made, bool(made)) == (True, True, False, True)
    assert concrete_value(made.size()) == 3
    assert list(map(concrete_value, reversed(made))) == [3, 2, 1]
    assert made[1] == 2
    with pytest.raises(ValueError, match="zero"):
        sym_range(0, number(), 0)


def test_membership_in_a_plain_range_is_an_event():
    assert is_in_range(number(4), range(0, 10, 2))
    assert events() == [(("in", X, ("range", 0, 10, 2)), True)]
    assert not is_in_range(number(sys.maxsize), range(5))
