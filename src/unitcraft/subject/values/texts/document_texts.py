"""Texts of JSON as the containers that they stand for, and documents for a parser that got none.

What the code looks up in a document that it has parsed can be put into the text, by whatever puts
it into containers.

Invariant: the text of a document is that of ``json.dumps``, and parses to the container again.
"""

from __future__ import annotations

import ast
import json
import re
from functools import lru_cache
from typing import Any, Final, NamedTuple

from unitcraft.core.sequences import Arg, Atom, Call, Const, Display, arguments
from unitcraft.subject.literal_args import literal_of
from unitcraft.subject.values.texts.table_texts import MOMENT

#: Characters of a document that a person reads in a test.
MAX_DOCUMENT: Final = 200
#: Texts that are looked at again and again while their run is varied.
MAX_KNOWN: Final = 2048
#: What a parser raises that was given no document -> documents, the plainest first.
DOCUMENTS: Final = {
    "json.decoder:JSONDecodeError": ("{}", "[]", '"a"'),
    "xml.etree.ElementTree:ParseError": ("<root/>", "<root>text</root>"),
    "xml.parsers.expat:ExpatError": ("<root/>", "<root>text</root>"),
}


#: Message of a parser, the refused text in it as Python writes it -> texts that it accepts, the
#: plainest first.
_ACCEPTED: Final = (
    (r"Invalid isoformat string: (.+)", ("2024-01-31", "2024-01-31T12:30:00", "12:30:00")),
    (r"(.+) does not appear to be an IPv4 or IPv6 (?:address|network)", ("192.168.0.1", "::1")),
    (r"Expected 4 octets in (.+)", ("192.168.0.1",)),
    (r"Invalid literal for Fraction: (.+)", ("1/2",)),
    (r"Invalid date value or format (.+)", ("Wed, 31 Jan 2024 12:30:00 +0000",)),
)
_FORMAT: Final = re.compile(r"time data (.+) does not match format (.+)", re.DOTALL)
#: The same of messages that do not name the text.
_ACCEPTED_WHOLE: Final = (
    (r"badly formed hexadecimal UUID string", ("12345678-1234-5678-1234-567812345678",)),
    (r"\[<class 'decimal\.ConversionSyntax'>\]", ("1.5",)),
    (r"non-hexadecimal number found in fromhex|Non-hexadecimal digit found", ("616263",)),
    (r"Incorrect padding|Invalid base64-encoded|Only base64 data|Non-base64 digit", ("YWJj",)),
    (r"malformed node or string", ("[1, 2]", "{'a': 1}")),
    (r"File contains no section headers", ("[main]\nname = value\n",)),
)


class Refused(NamedTuple):
    """A text that a parser refused ('' where that is not known), and some that it accepts."""

    text: str
    accepted: tuple[str, ...]


def refused_text(message: str) -> Refused | None:
    """What the message of a parser says that it wants in place of what it got."""
    if found := _FORMAT.fullmatch(message):
        text, form = _text_in(found[1]), _text_in(found[2])
        written = MOMENT.strftime(form) if text and form and form.isprintable() else ""
        return Refused(text, (written,)) if written else None
    for pattern, accepted in _ACCEPTED:
        if found := re.fullmatch(pattern, message):
            text = _text_in(found[1]) or found[1]
            return Refused(text, accepted)
    whole = (texts for pattern, texts in _ACCEPTED_WHOLE if re.match(pattern, message))
    return next((Refused("", texts) for texts in whole), None)


def _text_in(written: str) -> str:
    """The text that ``written`` is for Python; '' if it is none."""
    try:
        value = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    return value if isinstance(value, str) else ""


def documents_for(arg: Arg, error: str, refused: Refused | None = None) -> tuple[Arg, ...]:
    """Documents in place of the text ``arg``, or of its part that was ``refused``.

    A parser raised ``error``.
    """
    if not isinstance(arg, Const) or not isinstance(arg.value, (str, bytes)):
        return ()
    value = arg.value
    texts = DOCUMENTS.get(error, ())
    if isinstance(value, bytes):
        return tuple([Const(text.encode()) for text in texts])
    if refused is not None and refused.text in value:
        whole = refused.text or value
        texts += tuple([value.replace(whole, one, 1) if whole else one for one in refused.accepted])
    return tuple(map(Const, texts))


def has_document(call: Call) -> bool:
    """Is an argument of ``call`` a text that stands for a container?

    Containers that are passed in its place may well be no documents to the code.
    """
    return any(
        isinstance(arg, Const) and container_in(arg.value) is not None for arg in arguments(call)
    )


def container_in(text: Atom) -> Display | None:
    """The dictionary or list that ``text`` stands for, None if it stands for none."""
    if isinstance(text, (str, bytes)) and len(text) <= MAX_DOCUMENT:
        plain = text if isinstance(text, str) else text.decode("latin-1")
        return _parsed(plain) if plain[:1] in ("{", "[") else None
    return None


@lru_cache(maxsize=MAX_KNOWN)
def _parsed(text: str) -> Display | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    found = literal_of(value)
    return found if isinstance(found, Display) and text_of(found) is not None else None


def text_of(arg: Arg) -> str | None:
    """The document of ``arg``; None where JSON has none that parses to the same value."""
    try:
        value = _plain(arg)
        text = json.dumps(value)
        same = json.loads(text) == value
    except (TypeError, ValueError, RecursionError):
        return None
    return text if same and len(text) <= MAX_DOCUMENT else None


def _plain(arg: Arg) -> Any:
    """The value of ``arg``.  Raises TypeError where JSON has no such value."""
    if isinstance(arg, Const):
        return arg.value
    if isinstance(arg, Display) and arg.kind == "list":
        return [_plain(item) for item in arg.items]
    if isinstance(arg, Display) and arg.kind == "dict":
        parts = [_plain(item) for item in arg.items]
        return dict(zip(parts[::2], parts[1::2], strict=True))
    message = "no value of JSON"
    raise TypeError(message)
