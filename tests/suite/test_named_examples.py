"""Arbitrary values become what a person gives to their names, as far as the run stays as it was."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE
from unitcraft.explore.search.variation.places import recording, returning
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.suite.telling.examples.named_examples import (
    is_alike,
    named_variants,
    with_named_examples,
)

PARAMETERS = tuple(map(Parameter, ("host", "title", "value")))
OPEN = Invocable("shop:open", "function", "open", "", PARAMETERS)
CLIENT = Invocable("shop:Client", "constructor", "Client", "shop:Client", PARAMETERS)
KNOWN = Plausibility(Subject("shop", "shop.py", (), (OPEN, CLIENT)))


def given(*args, **kwargs):
    named = tuple([(name, as_arg(value)) for name, value in kwargs.items()])
    return Sequence((Call("function", "shop:open", tuple(map(as_arg, args)), named),))


def as_arg(value):
    plain = value is None or isinstance(value, str | int)
    return Const(value) if plain else value


def texts(*values):
    return Display("list", tuple(map(Const, values)))


def table(**items):
    return Display("dict", tuple([as_arg(one) for pair in items.items() for one in pair]))


def names(**items):
    return Build(NAMESPACE, (), tuple([(name, as_arg(value)) for name, value in items.items()]))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (given("abc"), given("localhost")),
        (given("ttp:abc"), given("localhost")),
        (given("host"), given("localhost")),
        (given("abc", "abc", "abc"), given("localhost", "title", "abc")),
        (given(code=1), given(code=200)),
        (given(methods=texts("abc", "def")), given(methods=texts("GET", "POST"))),
        (given(titles=texts("abc", "def")), given(titles=texts("title1", "title2"))),
        (given(value=table(url="abc")), given(value=table(url="http://example.com"))),
        (given(value='{"host": "abc"}'), given(value='{"host": "localhost"}')),
        (given(value=names(host="abc")), given(value=names(host="localhost"))),
        (
            given(value=names(host=returning(Const("abc")))),
            given(value=names(host=returning(Const("localhost")))),
        ),
        (
            given(value=names(host=recording(Const("abc")))),
            given(value=names(host=recording(Const("localhost")))),
        ),
        (
            given(value=Build(Symbol("shop", "Client"), (Const("abc"),))),
            given(value=Build(Symbol("shop", "Client"), (Const("localhost"),))),
        ),
        (
            Sequence((given("abc").calls[0], Call("set", "host", (Ref(0), Const("abc"))))),
            Sequence(
                (given("localhost").calls[0], Call("set", "host", (Ref(0), Const("localhost"))))
            ),
        ),
    ],
)
def test_an_arbitrary_value_becomes_what_its_name_asks_for(before, after):
    assert named_variants(before, KNOWN)[0] == after


@pytest.mark.parametrize(
    "sequence",
    [
        given(value="abc"),
        given("a text"),
        given(0),
        given(domain="abc", value=table(domain="def")),
        given(domain="abc", value="example.com"),
        given(value=table(abc="def")),
        given(value=table(title="abc")),
        given(value='{"title": "abc"}'),
        Sequence((Call("arrange", "setenv", (Const("host"), Const("abc"))),)),
    ],
    ids=repr,
)
def test_what_means_something_or_has_no_name_stays(sequence):
    assert named_variants(sequence, KNOWN) == []


def test_one_arbitrary_value_of_a_name_has_one_value_and_two_have_two():
    before = given(hosts=texts("abc", "abc"), value=table(host="abc"))
    assert named_variants(before, KNOWN)[0] == given(
        hosts=texts("localhost", "localhost"), value=table(host="localhost")
    )
    (made,) = named_variants(given(value=names(host="abc", hostname="abc")), KNOWN)[:1]
    assert made == given(value=names(host="localhost", hostname="localhost"))
    (made, *_) = named_variants(given("abc", value=names(host="def")), KNOWN)
    assert made == given("localhost", value=names(host="127.0.0.1"))


def test_a_word_of_the_message_stands_for_no_argument():
    (made, *_) = named_variants(given("abc", "abc"), KNOWN, "title is no title")
    assert made == given("localhost", "abc")


def test_all_names_are_tried_before_all_but_one_and_each():
    found = named_variants(given("abc", "abc", email="abc"), KNOWN)
    assert found[0] == given("localhost", "title", email="test@example.com")
    assert found[1:4] == [
        given("abc", "title", email="test@example.com"),
        given("localhost", "abc", email="test@example.com"),
        given("localhost", "title", email="abc"),
    ]
    assert given("localhost", "abc", email="abc") in found[4:]


SOURCE = """
def connect(host, title, scheme="abc"):
    if scheme != "abc":
        raise ValueError(scheme)
    return host + title + scheme
"""


def test_where_a_name_decides_the_path_the_others_have_their_values(lab):
    sample = lab(SOURCE)
    run = sample.run("connect('abc', 'abc', scheme='abc')")
    rounds = []

    def replace(chosen, variants):
        rounds.append(variants)
        made = []
        for one, own in chosen:
            tried = [sample.run(new) for new in variants[one.sequence.key]]
            able = [other for other in tried if is_alike(one, other)]
            made.append((able[0] if able else one, own))
        return made

    ((found, _),) = with_named_examples([(run, ())], Plausibility(sample.subject), replace)
    assert found.sequence == sample.sequence("connect('localhost', 'title', scheme='abc')")
    assert [len(tried) for tried in rounds[0].values()] == [1]
