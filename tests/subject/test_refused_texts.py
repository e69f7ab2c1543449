"""What the message of a parser says that it wants."""

from __future__ import annotations

import base64
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv4Address, ip_address
from uuid import UUID

import pytest

from unitcraft.core.sequences import Const
from unitcraft.subject.values.texts.document_texts import Refused, documents_for, refused_text


def from_format(text):
    return datetime.strptime(text, "%d.%m.%Y at %H:%M").replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "parse",
    [
        date.fromisoformat, datetime.fromisoformat, from_format, Decimal, Fraction, UUID,
        ip_address, IPv4Address, bytes.fromhex, lambda text: base64.b64decode(text, validate=True),
    ],
)  # fmt: skip
def test_what_a_parser_refuses_is_followed_by_what_it_accepts(parse):
    with pytest.raises((ValueError, ArithmeticError)) as excinfo:
        parse("abc.e")
    refused = refused_text(str(excinfo.value))
    accepted = documents_for(Const("abc.e"), "", refused)
    assert accepted
    assert parse(accepted[0].value) is not None


def test_the_refused_part_of_a_text_is_replaced():
    refused = refused_text("Invalid isoformat string: 'abc'")
    assert refused is not None
    texts = [one.value for one in documents_for(Const("day=abc;"), "", refused)]
    assert texts[0] == "day=2024-01-31;"
    assert documents_for(Const("other"), "", refused) == ()
    assert documents_for(Const(b"abc"), "", refused) == ()


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("time data 'abc' does not match format '%Y'", Refused("abc", ("2024",))),
        ("time data 'abc' does not match format ''", None),
        ("something else", None),
        ("", None),
    ],
)
def test_other_messages_say_nothing(message, found):
    assert refused_text(message) == found
