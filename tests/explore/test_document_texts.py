"""Texts of JSON are varied as the containers that they stand for."""

from __future__ import annotations

import json

import pytest

from unitcraft.core.sequences import Call, Const, Display, Sequence
from unitcraft.explore.search.variation.places import places
from unitcraft.subject.values.texts.document_texts import (
    MAX_DOCUMENT,
    container_in,
    documents_for,
    text_of,
)


@pytest.mark.parametrize(
    "value", [{}, [], {"a": [1, {"b": None}], "c": True}, [[1.5, "x"], []], {"é": "ü"}]
)
def test_the_text_of_a_document_parses_to_the_container_again(value):
    found = container_in(json.dumps(value))
    assert found is not None
    assert json.loads(text_of(found)) == value


@pytest.mark.parametrize(
    "text", ["", "abc", "{", "{'a': 1}", "1", '"a"', None, 3, "[" * 99, "[1]" + " " * MAX_DOCUMENT]
)
def test_other_texts_are_no_documents(text):
    assert container_in(text) is None


@pytest.mark.parametrize(
    "arg",
    [
        Const(b"a"),
        Display("set", (Const(1),)),
        Display("dict", (Const(1), Const(2))),
        Display("list", (Const("a" * MAX_DOCUMENT),)),
    ],
)
def test_what_json_has_no_text_for_has_none(arg):
    assert text_of(arg) is None


@pytest.mark.parametrize("text", ['{"a": [1]}', b'{"a": [1]}'])
def test_places_are_inside_documents(text):
    sequence = Sequence((Call("function", "m:f", (Const(text),)),))
    put = next(put for arg, put in places(sequence) if arg == Const(1))
    (new,) = put(Const(2)).calls[0].args
    assert json.loads(new.value) == {"a": [2]}
    assert type(new.value) is type(text)
    assert put(Display("set", (Const(1),))) == sequence


def test_a_parser_that_got_no_document_gets_one():
    assert Const("{}") in documents_for(Const("abc"), "json.decoder:JSONDecodeError")
    assert Const(b"<root/>") in documents_for(Const(b""), "xml.etree.ElementTree:ParseError")
    assert documents_for(Const("abc"), "builtins:ValueError") == ()
    assert documents_for(Const(1), "json.decoder:JSONDecodeError") == ()
