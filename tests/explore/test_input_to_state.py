"""Operands that were compared with an input take its place, so that the outcome changes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from source_lab import rng

from unitcraft.core.sequences import (
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    arg_key,
)
from unitcraft.execute.sandbox.clock import FIRST_READING
from unitcraft.explore.search.variation.input_to_state import (
    MAX_LENGTH,
    inputs,
    of_asked_kind,
    proposals,
    substitutions,
)
from unitcraft.explore.search.variation.places import places, refusing


def sources(leaf, left, right):
    found = proposals(leaf, ">", left, right, rng())
    return [one.text for one in found if isinstance(one, Source)]


@pytest.mark.parametrize(
    ("leaf", "size", "expected"),
    [
        (Display("list", (Const(5),)), 1, "list(range(1001))"),
        (Display("list", (Const("a"),)), 1, "['a'] * 1001"),
        (Display("set", ()), 0, "set(range(1001))"),
        (Display("dict", (Const("k"), Const(1))), 1, "{str(n): n for n in range(1001)}"),
        (Const("ab"), 2, "'a' * 1001"),
    ],
)
def test_a_large_size_is_one_expression(leaf, size, expected):
    assert expected in sources(leaf, size, 1000)
    assert sources(leaf, size, 10**6) == []


def values(leaf, name, left, right):
    given_ = leaf if isinstance(leaf, Display) else Const(leaf)
    found = proposals(given_, name, left, right, rng())
    return [one.value for one in found if isinstance(one, Const)]


@pytest.mark.parametrize(
    ("value", "name", "left", "right", "wanted"),
    [
        (5, "==", 5, 31337, [31337]),
        (5, "==", 31337, 5, [31337]),
        (5, "<", 5, 100, [99, 100, 101]),
        (5, ">=", 100, 5, [99, 100, 101]),
        (2.0, "<", 2.0, 7.5, [7.5]),
        (5, "==", 11, 4043, [5 + 4032]),  # an offset was added before the comparison
        ("ab", "==", 2, 4, ["abab", "ababa", "aba"]),  # len(value) == 4
        ("", "==", 0, 3, ["aaa"]),
        ("12", "==", 12, 99, ["99"]),  # int(value) == 99
        ("cat", "==", "cat", "dog", ["dog"]),
        ("a=cat", "==", "cat", "dog", ["a=dog"]),
        ("cat", "==", "CAT", "DOG", ["DOG"]),  # value.upper() == ...
        (" cat ", "==", "cat", "dog", [" dog "]),
        ("cat", "<", "cat", "dog", ["doga"]),
        (b"ab", "==", b"ab", b"magic", [b"magic"]),
        ("x", "in", "x", ("red", "green"), ["red", "green"]),
        ("x", "key", "x", ("red", "green"), ["red", "green"]),
        (3, "in", 3, (8, 9), [8, 9]),
        ("q", "in", "q", "xyz", ["x"]),
        ("rest", "startswith", "rest", "key=", ["key=rest", "key="]),
        ("rest", "endswith", "rest", ".py", ["rest.py", ".py"]),
        (b"rest", "startswith", b"rest", b"#", [b"#rest"]),
        ("one two", "startswith", "two", "#", ["one #two"]),
        (b"one two", "endswith", b"one", b".", [b"one. two"]),
        ("abcd", "find", "abcd", "=", ["ab=cd", "abcd="]),
        ("a=b", "split", "a=b", "=", ["ab"]),
        (b"a=b", "split", b"a=b", b"=", [b"ab"]),
        ("Word", "startswith", "word", "key", ["keyWord"]),  # value.lower().startswith
        ("x", "isdigit", "x", None, ["7", "42"]),
        ("x1", "isalpha", "1", None, ["xa"]),
        ("", "isspace", "", None, [" "]),
    ],
)
def test_the_operand_arrives_where_it_was_met(value, name, left, right, wanted):
    found = values(value, name, left, right)
    assert [one for one in wanted if one not in found] == []
    assert {type(one) for one in found} == {type(value)}


def test_what_a_clock_showed_arrives_nowhere():
    assert values(5, "<", 5, FIRST_READING + 0.003) == []
    assert FIRST_READING + 1.5 in values(5.0, "<", 5.0, FIRST_READING + 1.5)


@pytest.mark.parametrize(
    ("pattern", "flags"), [(r"v(\d+)\.(\d+)", 0), ("[a-f]{3,5}", 0), ("yes|no", re.IGNORECASE)]
)
def test_a_regex_brings_texts_that_match(pattern, flags):
    found = values("zz", "regex", "zz", (pattern, flags))
    assert found
    assert all(re.fullmatch(pattern, text, flags) for text in found)


def test_a_number_in_a_text_is_replaced_where_it_stands_alone_and_by_its_neighbours():
    found = values("2024-11-11 -11 EUR", "<=", -11, 0)
    assert {"2024-11-11 1 EUR", "2024-11-11 0 EUR", "2024-11-11 -1 EUR"} <= set(found)
    assert values("a10b", ">", 10, 7)[0] == "a7b"
    found = values("7.5 by 7", ">", 7, 1)
    assert "7.5 by 1" in found
    assert "1.5 by 7" not in found


def test_a_regex_met_by_a_part_replaces_that_part():
    assert all(re.fullmatch(r"k=\d+;", one) for one in values("k=x;", "regex", "x", (r"\d+", 0)))


@pytest.mark.parametrize(
    ("value", "name", "left", "right"),
    [
        (True, "==", True, 5),
        (None, "==", None, 5),
        ("cat", "==", "bird", "dog"),
        ("x", "isdigit", "longer", None),
        (b"x", "startswith", b"z", b"y"),
        ("cat", "startswith", "bird", "dog"),
    ],
)
def test_an_unrelated_value_is_left_alone(value, name, left, right):
    assert [one for one in values(value, name, left, right) if one != value] in ([], [5])


LIST = Display("list", (Const(1), Const(2)))
DICT = Display("dict", (Const("a"), Const(1)))


@pytest.mark.parametrize(
    ("leaf", "seen", "wanted", "sizes"),
    [(LIST, 2, 5, [5, 6, 4]), (LIST, 2, 0, [0, 1]), (DICT, 1, 3, [3, 4, 2]), (LIST, 3, 5, [])],
)
def test_a_container_is_resized_to_the_other_operand(leaf, seen, wanted, sizes):
    unit = 2 if leaf.kind == "dict" else 1
    for left, right in ((seen, wanted), (wanted, seen)):
        made = list(proposals(leaf, "==", left, right, rng()))
        assert [len(one.items) // unit for one in made] == sizes
        assert all(one.kind == leaf.kind for one in made)


def test_sizes_are_bounded():
    assert values("ab", "==", 2, 10**9) == []
    assert list(proposals(LIST, "==", 2, 10**9, rng())) == []
    assert max(map(len, values("ab", "==", 2, MAX_LENGTH))) == MAX_LENGTH


NESTED = Display("list", (Const("a"), Display("dict", (Const("b"), Const(1)))))
SEQUENCE = Sequence(
    (
        Call("function", "m:C", (Const(1),)),
        Call(
            "method", "f", (Ref(0), NESTED),
            (("by", Build(Symbol("m", "D"), (Const("c"),))),),
        ),
    )
)  # fmt: skip


def test_every_leaf_is_an_input_those_of_the_last_call_first():
    found = [leaf for leaf, _ in inputs(places(SEQUENCE))]
    assert [leaf.value for leaf in found if isinstance(leaf, Const)] == ["a", "b", 1, "c", 1]
    assert len(found) == 7


def test_putting_a_leaf_back_changes_nothing_and_a_new_one_changes_it_alone():
    new = Const("new")
    for leaf, put in inputs(places(SEQUENCE)):
        assert put(leaf) == SEQUENCE
        assert repr(put(new)).count("'new'") == 1
        assert len(repr(put(new))) == len(repr(SEQUENCE)) - len(repr(leaf)) + len(repr(new))


def test_substitutions_keep_the_shape_and_the_bound(monkeypatch):
    monkeypatch.setattr("unitcraft.explore.search.variation.input_to_state.MAX_SUBSTITUTIONS", 6)
    comparison = (7, "in", "a", tuple(f"word{n}" for n in range(40)))
    made = substitutions(inputs(places(SEQUENCE)), comparison, rng())
    assert len(made) == 6
    assert all(one.rep_ok() and one.calls[0] == SEQUENCE.calls[0] for one in made)
    assert "word0" in repr(made[0])


@pytest.mark.parametrize(("old", "new"), [(1, True), (1, 1.0), (0.0, -0.0)])
def test_values_that_compare_equal_are_still_different(old, new):
    sequence = Sequence((Call("function", "m:f", (Const(old),)),))
    made = substitutions(inputs(places(sequence)), (0, "in", old, (new,)), rng())
    assert [arg_key(one.calls[0].args[0]) for one in made] == [arg_key(Const(new))]


def test_the_end_of_an_attribute_name_is_put_where_an_end_was_seen():
    sequence = Sequence((Call("function", "m:run", (Const("x"),)),))
    asked = (0, "attribute", "do_x", ("do_add", "do_show", "stop"))
    made = substitutions(inputs(places(sequence)), asked, rng())
    assert [one.calls[0].args[0] for one in made] == [Const("add"), Const("show")]


ATOMS = st.one_of(
    st.integers(-50, 50), st.text("aB1 =", max_size=5), st.binary(max_size=3),
    st.sampled_from([0.5, -2.0, True, None]),
)  # fmt: skip
NAMES = st.sampled_from(["==", "<", ">=", "startswith", "endswith", "find", "isdigit", "isupper"])
ARGS = st.recursive(
    ATOMS.map(Const),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: Display("list", tuple(items))),
    max_leaves=5,
)


@given(ARGS, NAMES, ATOMS, ATOMS)
def test_no_trace_breaks_it_and_the_same_trace_gives_the_same(arg, name, left, right):
    sequence = Sequence((Call("function", "m:f", (arg,)),))
    made = substitutions(inputs(places(sequence)), (0, name, left, right), rng())
    assert made == substitutions(inputs(places(sequence)), (0, name, left, right), rng())
    assert sequence not in [one for one in made if repr(one) == repr(sequence)]
    assert all(len(list(inputs(places(one)))) > 0 for one in made)


def test_each_input_of_the_kind_that_was_seen_becomes_one_of_the_kind_that_is_asked_for():
    terms = Display("list", (Display("list", ()), Const(3)))
    sequence = Sequence((Call("function", "m:f", (terms, Const(None))),))
    values = {"builtins:str": [Const("a")], "m:Word": []}
    seen = (4, "isinstance", "builtins:list", ("builtins:str", "m:Word"))
    made = [one.calls[0].args for one in of_asked_kind(places(sequence), seen, values.get)]
    assert made == [
        (Const("a"), Const(None)),
        (Display("list", (Const("a"), Const(3))), Const(None)),
    ]


def test_an_input_of_a_kind_that_is_not_wanted_becomes_a_number_or_a_text():
    sequence = Sequence((Call("function", "m:f", (Const(value=True), Const(3))),))
    values = {"builtins:str": [Const("a")], "builtins:int": [Const(7)]}
    seen = (4, "isinstance", "builtins:bool", ("builtins:bool", "builtins:int"))
    made = [one.calls[0].args for one in of_asked_kind(places(sequence), seen, values.get)]
    assert made == [(Const("a"), Const(3))]


def test_inputs_that_are_no_operand_take_turns_in_being_first():
    call = Call("function", "m:f", tuple(Const(10 * number) for number in range(1, 10)))
    run = list(inputs(places(Sequence((call,)))))
    changed = {
        next(at for at, arg in enumerate(one.calls[0].args) if arg != call.args[at])
        for number in range(40)
        for one in substitutions(run, (1, ">=", 5_000, 120), rng(number))[:1]
    }
    assert len(changed) > 5


def test_a_table_is_not_read_for_an_input_that_was_not_looked_up():
    class Table(tuple):
        __slots__ = ()

        def __iter__(self):
            raise AssertionError

    for value in ("other", 3, b"x", None):
        assert list(proposals(Const(value), "key", "what", Table(), None)) == []
    with pytest.raises(AssertionError):
        list(proposals(Const("what now"), "key", "what", Table(), None))


def test_a_text_that_was_compared_is_changed_before_those_that_contain_it():
    call = Call("function", "m:f", (Const("a page"), Const("a"), Const("a")))
    made = substitutions(inputs(places(Sequence((call,)))), (1, "==", "a", "xy"), rng())
    first = [arg.value for arg in made[0].calls[0].args]
    assert first == ["a page", "xy", "a"]


def test_what_a_replaced_function_raises_has_places_inside_and_is_none_itself():
    error = Build(Symbol("builtins", "ValueError"), (Const("message"),))
    sequence = Sequence((Call("function", "m:f", (refusing(error),)),))
    assert [arg for arg, _ in places(sequence)] == [refusing(error), Const("message")]


@pytest.mark.parametrize(
    ("value", "left", "right", "expected"),
    [
        (b"\x07ab", 7, 1, b"\x01ab"),
        (b"ab\x00\x05", 5, 300, b"ab\x01\x2c"),
        (b"\x00\x00\x00\x05x", 5, 2**31, b"\x80\x00\x00\x00x"),
        (b"\x05\x00\x00\x00x", 5, 258, b"\x02\x01\x00\x00x"),
        (b"ab", 1, 4, b"ab\x00\x00\x00"),
    ],
)
def test_a_number_packed_in_bytes_meets_the_other_one_and_short_bytes_go_on(
    value, left, right, expected
):
    assert Const(expected) in list(proposals(Const(value), "==", left, right, rng()))


def test_bytes_that_stand_in_several_places_are_replaced_in_each_of_the_first_ones():
    made = proposals(Const(bytes(8)), "==", bytes(4), b"abst", rng())
    assert [one.value for one in made] == [b"abst" + bytes(4), bytes(4) + b"abst"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("key =", ["key =yes", "key =no"]),
        ("[a]\nb: ", ["[a]\nb: yes", "[a]\nb: no"]),
        ("key", []),
        ("", []),
    ],
)
def test_what_was_read_behind_the_last_sign_of_a_text_ends_it(text, expected):
    sequence = Sequence((Call("function", "m:f", (Const(text),)),))
    made = substitutions(inputs(places(sequence)), (0, "in", "", ("yes", "no")), rng())
    found = [one.calls[0].args[0].value for one in made]
    assert [one for one in found if one not in ("yes", "no")] == expected
