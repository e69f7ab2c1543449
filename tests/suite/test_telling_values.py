"""A repeated text becomes the names of its parameters; a small container gets several items."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE
from unitcraft.explore.search.variation.places import MOCK
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.suite.telling.telling_functions import with_named_functions
from unitcraft.suite.telling.telling_values import (
    distinct_variants,
    near_misses,
    telling_variants,
    with_telling_items,
    with_telling_texts,
)

LABEL = Invocable("shop:label", "function", "label", "", (Parameter("title"), Parameter("n")))


def label(*args, **kwargs):
    given = tuple([(name, Const(value)) for name, value in kwargs.items()])
    return Call("function", "shop:label", tuple(map(Const, args)), given)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (label("abc", unit="abc"), label("title", unit="unit")),
        (label("abc", "abc"), label("title", "abc")),
        (label("abc", unit="def"), None),
        (label(1, unit=1), None),
        (label("", unit=""), None),
    ],
)
def test_only_texts_that_are_repeated_change(call, expected):
    found = with_telling_texts(
        Sequence((call,)), Plausibility(Subject("shop", "shop.py", (), (LABEL,)))
    )
    assert found == (None if expected is None else Sequence((expected,)))


def test_what_stands_under_keys_in_a_stand_in_tells_under_which():
    rows = made("dict", "url", "abc", "size", 3)
    plain = made("dict", "a", "abc")
    held = Display(
        "dict",
        (
            Const("title"),
            Const("abc"),
            Const("parts"),
            Display("list", (rows,)),
            Const("ids"),
            plain,
        ),
    )
    answer = Build(MOCK, (), (("return_value", held),))
    space = Build(NAMESPACE, (), (("load", answer),))
    found = with_telling_texts(
        Sequence((label(), Call("function", "shop:label", (space,)))),
        Plausibility(Subject("shop", "shop.py", (), (LABEL,))),
    )
    told = dict(dict(found.calls[1].args[0].kwargs)["load"].kwargs)["return_value"]
    told_rows = Display("list", (made("dict", "url", "url", "size", 3),))
    assert told == Display(
        "dict",
        (Const("title"), Const("title"), Const("parts"), told_rows, Const("ids"), plain),
    )


def test_a_value_stands_for_none_where_one_is_declared_and_needed():
    none = TypeExpr("none")
    kinds = {
        "title": TypeExpr("union", (TypeExpr("str"), none)),
        "shown": TypeExpr("union", (none, TypeExpr("bool"))),
        "id": TypeExpr("union", (TypeExpr("str"), none)),
        "owner": TypeExpr("any"),
        "unit": TypeExpr("union", (TypeExpr("str"), none)),
    }
    parameters = tuple(
        [Parameter(name, type=one, required=name != "unit") for name, one in kinds.items()]
    )
    record = Invocable("shop:label", "function", "label", parameters=parameters)
    plausibility = Plausibility(Subject("shop", "shop.py", (), (record,)))
    nothing = Sequence((label(*[None] * len(kinds)),))
    *_, best = telling_variants(nothing, plausibility)
    assert best == Sequence((label("title", True, None, None, None),))  # noqa: FBT003
    assert best == next(telling_variants(nothing, plausibility))


def test_texts_for_names_that_say_nothing_become_different_words():
    one, other = (Parameter(name) for name in ("a", "b"))
    join = Invocable("shop:join", "function", "join", parameters=(one, other))
    plausibility = Plausibility(Subject("shop", "shop.py", (), (join,)))

    def joined(*texts):
        return Sequence((Call("function", "shop:join", tuple(map(Const, texts))),))

    assert with_telling_texts(joined("abc", "abc"), plausibility) == joined("abc", "def")
    assert with_telling_texts(joined("a.b", "a.b"), plausibility) is None


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (("chain", "abc", "table", "abc"), ("chain", "chain", "table", "table")),
        (("chain", "abc", "size", 5), ("chain", "chain", "size", 5)),
        (("chain", "INPUT", "size", 5), ("chain", "INPUT", "size", 5)),
        (("a", "abc", "b", "abc"), ("a", "abc", "b", "abc")),
        (("not a name", "abc"), ("not a name", "abc")),
    ],
)
def test_a_repeated_text_under_a_key_becomes_the_key(items, expected):
    plausibility = Plausibility(Subject("shop", "shop.py", (), (LABEL,)))

    def given(texts):
        kwargs = (("title", Const("abc")), ("n", made("dict", *texts)))
        return Sequence((Call("function", "shop:label", (), kwargs),))

    found = with_telling_texts(given(items), plausibility)
    told = None if found is None else found.calls[0].kwargs[1][1]
    assert told == (None if items == expected else made("dict", *expected))


def test_a_receiver_has_no_name():
    calls = (label("abc"), Call("method", "put", (Ref(0), Const("abc")), (("into", Const("abc")),)))
    found = with_telling_texts(
        Sequence(calls), Plausibility(Subject("shop", "shop.py", (), (LABEL,)))
    )
    assert found is not None
    assert found.calls[1].args == (Ref(0), Const("abc"))
    assert found.calls[1].kwargs == (("into", Const("into")),)


def made(kind, *items):
    return Display(
        kind, tuple(item if isinstance(item, Display) else Const(item) for item in items)
    )


NUMBERS = made("list", 3, 1, 2)


@pytest.mark.parametrize(
    ("arg", "expected"),
    [
        (made("list", 1), NUMBERS),
        (made("tuple", "abc", "def"), made("tuple", "second", "first", "third")),
        (made("list", made("list", 2), made("list")), made("list", NUMBERS, made("list"))),
        (made("dict", "abc", 1), made("dict", "second", 2, "first", 1, "third", 3)),
        (
            made("dict", "abc", "def"),
            made("dict", "second", "b", "first", "a", "third", "c"),
        ),
        (made("dict", "colour", made("list", 1)), made("dict", "colour", NUMBERS)),
    ],
)
def test_small_containers_of_arbitrary_values_get_items_that_differ(arg, expected):
    found = with_telling_items(Sequence((Call("function", "shop:sort", (arg,)),)))
    assert found == Sequence((Call("function", "shop:sort", (expected,)),))


@pytest.mark.parametrize(
    "arg",
    [
        made("list"),
        made("list", 1, 2, 3),
        made("list", 1, "abc"),
        made("list", None),
        made("list", "--verbose"),
        made("list", 500),
        made("dict", "keyfile", 1),
        made("set", 1),
        Source("lambda x: x"),
    ],
)
def test_items_that_may_mean_something_stay(arg):
    assert with_telling_items(Sequence((Call("function", "shop:sort", (arg,)),))) is None


def test_texts_get_names_and_items_stay():
    calls = (
        Call(
            "function", "shop:label", (Const("abc"), made("list", "abc")), (("unit", Const("abc")),)
        ),
    )
    found = telling_variants(
        Sequence(calls), Plausibility(Subject("shop", "shop.py", (), (LABEL,)))
    )
    given = [(one.calls[0].args, one.calls[0].kwargs) for one in found]
    assert given == [((Const("title"), made("list", "abc")), (("unit", Const("unit")),))]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((1, 1), (1, 2)),
        ((3, 3, 1, 3), (3, 2, 1, 4)),
        ((1, 2), None),
        ((0, 0), None),
        ((True, True), None),
        ((12, 12), None),
        (("abc", "abc"), None),
    ],
)
def test_a_digit_that_is_given_again_becomes_another_one(given, expected):
    found = list(distinct_variants(Sequence(tuple([label(one) for one in given]))))
    assert found == ([Sequence(tuple([label(one) for one in expected]))] if expected else [])


def test_two_zeros_of_one_call_become_different():
    def point(*numbers):
        return Sequence((Call("function", "shop:Point", tuple(map(Const, numbers))),))

    assert list(distinct_variants(point(0, 0))) == [point(0, 1)]
    assert list(distinct_variants(point(0, 1))) == []


def test_what_stands_inside_of_an_argument_differs_from_what_stands_beside_it():
    """Of ``Leaf(3, "abc", ("abc", (3, 3)))`` nobody sees what is the line and what the column."""

    def leaf(text, line, column):
        context = Display("tuple", (Const(text), Display("tuple", (Const(line), Const(column)))))
        return Sequence((Call("function", "shop:Leaf", (Const(3), Const("abc"), context)),))

    assert list(distinct_variants(leaf("abc", 3, 3))) == [
        leaf("def", 1, 2), leaf("def", 3, 3), leaf("abc", 1, 2),
    ]  # fmt: skip


def test_objects_inside_of_an_argument_differ():
    def node(*texts):
        leaf = Symbol("shop", "Leaf")
        leaves = [Build(leaf, (Const(3), Const(text))) for text in texts]
        node = Call("function", "shop:Node", (Display("list", tuple(leaves)),))
        return Sequence((node, Call("method", "leaves", (Ref(0),))))

    assert next(distinct_variants(node("abc", "abc"))) == node("abc", "def")
    assert list(distinct_variants(node("abc", "def"))) == []


def test_what_stands_under_a_key_differs_from_it():
    def named(value):
        given = Display("dict", (Const("abc"), Const(value)))
        return Sequence((Call("function", "shop:rename", (given,)),))

    assert list(distinct_variants(named("abc"))) == [named("def")]


def test_objects_that_a_text_tells_apart_keep_their_digits():
    def pair(text, digit):
        made = [Call("function", "shop:Leaf", (Const(3), Const(one))) for one in ("abc", text)]
        made[1] = replace(made[1], args=(Const(digit), Const(text)))
        return Sequence((*made, Call("method", "join", (Ref(0), Ref(1)))))

    assert list(distinct_variants(pair("abc", 3))) == [pair("def", 3), pair("abc", 1)]


@pytest.mark.parametrize(
    ("names", "texts", "expected"),
    [
        (("Box", "Box"), ("abc", "abc"), ("abc", "def")),
        (("Box", "Lid"), ("abc", "abc"), None),
        (("Box", "Box"), ("red", "red"), None),
    ],
)
def test_of_two_objects_made_alike_of_a_text_for_any_one_gets_another(names, texts, expected):
    def made(given):
        pairs = zip(names, given, strict=True)
        calls = [Call("function", f"shop:{name}", (Const(text),)) for name, text in pairs]
        return Sequence((*calls, Call("method", "join", (Ref(0), Ref(1)))))

    assert list(distinct_variants(made(texts))) == ([made(expected)] if expected else [])


@pytest.mark.parametrize(("joins", "texts"), [(True, ("abc", "def")), (False, ("title", "title"))])
def test_two_objects_of_values_of_one_name_get_two_texts(joins, texts):
    """A call that is made twice is not: it shows what the first one left."""
    join = [Call("function", "shop:join", (Ref(0), Ref(1)))] if joins else []
    found = with_telling_texts(
        Sequence((label("abc"), label("abc"), *join)),
        Plausibility(Subject("shop", "shop.py", (), (LABEL,))),
    )
    assert found == Sequence((*map(label, texts), *join))


def run_of(*args, kind="method"):
    made = Call("function", "m:Checker")
    last = Call(kind, "check", tuple(map(Const, args)))
    return Execution("m:Checker.check", Sequence((made, last)), None, "", (), (), (), ())


@pytest.mark.parametrize(
    ("refused", "accepted", "expected"),
    [
        (("abc",), ("jo@site.com",), ["jo@site", "site.com", "jo@sitecom", "josite.com"]),
        (("abc", 1), ("1.2.3", 1), ["1.2", "2.3", "1.23", "12.3"]),
        (("abc", 1), ("1.2.3", 2), []),
        (("a text that means something",), ("1.2.3",), []),
        (("abc",), ("word",), []),
        ((1,), ("1.2.3",), []),
    ],
)
def test_a_text_that_stands_for_any_becomes_one_that_lacks_a_part(refused, accepted, expected):
    found = near_misses(run_of(*refused), [run_of(*accepted)])
    assert [one.calls[-1].args[0].value for one in found] == expected
    assert all(one.calls[-1].args[1:] == run_of(*refused).sequence.calls[-1].args[1:]
               for one in found)  # fmt: skip


def test_lambdas_get_names_in_turn():
    lambdas = Display(
        "dict", (Const("key"), Source("lambda x: x"), Const("b"), Source("lambda: 1"))
    )
    given = Sequence((Call("function", "m:f", (Source("lambda x, y: x"), lambdas)),))
    named = [Symbol("builtins", name) for name in ("str", "repr", "len")]
    inner = Display("dict", (Const("key"), named[1], Const("b"), named[2]))
    assert with_named_functions(given) == Sequence((Call("function", "m:f", (named[0], inner)),))
    assert with_named_functions(Sequence((Call("function", "m:f", (Const("lambda"),)),))) is None


def test_attributes_of_stand_ins_have_what_their_names_mean():
    inner = Build(NAMESPACE, (), (("user_name", Const("a")), ("at", Const("a"))))
    get = Build(MOCK, (), (("return_value", inner),))
    given = Build(
        NAMESPACE, (), (("line_count", Const("a")), ("kind", Const("order")), ("get", get))
    )
    sequence = Sequence((Call("function", "m:f", (given,)),))
    found = with_telling_texts(sequence, Plausibility(Subject("m", "m.py", (), ())))
    told = Build(NAMESPACE, (), (("user_name", Const("user_name")), ("at", Const("a"))))
    assert found.calls[0].args[0].kwargs == (
        ("line_count", Const(1)),
        ("kind", Const("order")),
        ("get", Build(MOCK, (), (("return_value", told),))),
    )


def test_arguments_of_an_object_that_is_no_stand_in_stay():
    made = Build(Symbol("decimal", "Decimal"), (), (("value", Const("a")),))
    sequence = Sequence((Call("function", "m:f", (made,)),))
    assert with_telling_texts(sequence, Plausibility(Subject("m", "m.py", (), ()))) is None
