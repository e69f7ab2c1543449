"""What library_models follow of struct, json and datetime, and what parsed_documents record."""

from __future__ import annotations

import datetime as dt
import json
import struct

import pytest

from unitcraft.symbolic.containers.parsed_documents import ParsedDict
from unitcraft.symbolic.intercept.intercepts import call
from unitcraft.symbolic.proxies.int_float import sym_int
from unitcraft.symbolic.proxies.moments import SymMoment, SymSpan
from unitcraft.symbolic.proxies.strings import sym_bytes, sym_str
from unitcraft.symbolic.proxies.trace import EVENTS, concrete_value, reset_trace
from unitcraft.symbolic.terms.operations import OPERATIONS
from unitcraft.symbolic.terms.term import OK, evaluate, variable

X = variable(0)


@pytest.fixture(autouse=True)
def _fresh_trace():
    reset_trace()


def test_values_that_were_unpacked_know_their_term():
    first, second = call(struct.unpack, ">HB", sym_bytes(b"\x01\x02\x03", X))
    assert (concrete_value(first), concrete_value(second)) == (258, 3)
    assert evaluate(second.term, [b"\x01\x02\x09"]) == 9
    assert EVENTS == [((OK, ("struct.unpack", ">HB", X)), True)]


def test_a_key_of_a_document_is_an_event_when_it_is_looked_up():
    found = call(json.loads, sym_str('{"a": 1, "b": 2}', X))
    assert type(found) is ParsedDict
    reset_trace()
    assert found.get("c") is None
    document = ("json.loads", X)
    assert [(("has_key", document, "c"), False)] == EVENTS
    assert len(found) == 2
    assert (("same", ("keys", document), ("tuple", "a", "b")), True) in EVENTS


def test_the_value_of_a_key_is_followed():
    found = call(json.loads, sym_str('{"a": 1}', X))
    assert evaluate(found["a"].term, ['{"a": 42}']) == 42


def test_a_document_that_is_handed_to_other_code_is_settled():
    found = call(json.loads, sym_str('{"a": 1}', X))
    assert call(json.dumps, found) == '{"a": 1}'
    events = [(term[0], term[1]) for term, _ in EVENTS]
    assert ("same", ("keys", ("json.loads", X))) in events
    assert ("same", ("[]", ("json.loads", X), "a")) in events


def test_a_date_is_compared_field_by_field():
    made = call(dt.date, sym_int(2024, X), 5, 17)
    assert type(made) is SymMoment
    reset_trace()
    assert made < dt.date(2025, 1, 1)
    assert EVENTS == [(("==", X, 2025), False), (("<", X, 2025), True)]


def test_a_day_that_few_months_have_is_a_condition_on_the_date():
    call(dt.date, 2024, 2, sym_int(29, X))
    assert EVENTS[-1] == ((OK, ("datetime.date", 2024, 2, X)), True)


def test_a_span_is_a_number_of_microseconds():
    made = call(dt.timedelta, minutes=sym_int(3, X))
    assert type(made) is SymSpan
    reset_trace()
    assert made == dt.timedelta(seconds=180)
    (event,) = EVENTS
    assert evaluate(event[0], [3])
    assert not evaluate(event[0], [4])


def test_operations_are_those_of_the_library():
    assert OPERATIONS["date.hour"](dt.datetime.fromisoformat("2024-05-17T09:00")) == 9
    assert OPERATIONS["is_kind"](1, "bool") is False
    assert OPERATIONS["keys"]({"b": 1, "a": 2}) == ("b", "a")
