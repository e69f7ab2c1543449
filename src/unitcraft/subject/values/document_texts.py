"""Texts of JSON as the containers that they stand for, and documents for a parser that got none.

What the code looks up in a document that it has parsed can be put into the text, by whatever puts
it into containers.

Invariant: the text of a document is that of ``json.dumps``, and parses to the container again.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final

from unitcraft.core.sequences import Arg, Atom, Call, Const, Display, arguments
from unitcraft.subject.literal_args import literal_of

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


def documents_for(arg: Arg, error: str) -> tuple[Arg, ...]:
    """Documents in place of the text ``arg``, because a parser raised ``error``."""
    if not isinstance(arg, Const) or not isinstance(arg.value, (str, bytes)):
        return ()
    is_bytes = isinstance(arg.value, bytes)
    texts = DOCUMENTS.get(error, ())
    return tuple([Const(text.encode() if is_bytes else text) for text in texts])


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
