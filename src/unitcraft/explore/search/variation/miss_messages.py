"""What the message of an exception says that an object lacked, or of which kind it should be.

Invariant: what is told is a function of the exception's class and message; most messages tell
nothing.
"""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Final, NamedTuple

from unitcraft.core.sequences import Const
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.values.texts.document_texts import DOCUMENTS, Refused, refused_text

#: An object of any class has no such attribute.
NO_MEMBER: Final = re.compile(r"^'([\w.]+)' object has no attribute '(\w+)'$")
_NO_ATTRIBUTE: Final = re.compile(
    r"^'(?:types\.SimpleNamespace|Namespace)' object has no attribute '(\w+)'$"
)
_LOOKED_UP: Final = re.compile(
    r"^(?:(\w+) indices must be integers.*\bstr'?$|'(\w+)' object is not subscriptable$"
    r"|'(\w+)' object has no attribute '(?:get|items|keys|values)'$)"
)
#: What such a message calls a class -> its name.
_INDEXED: Final = {"string": "str", "list": "list", "tuple": "tuple"}
_NONE: Final = re.compile(r"\bNoneType\b")
_BYTES: Final = re.compile(r"bytes-like object is required|\bnot bytes$|got 'bytes'$|str to bytes$")
_FUNCTION: Final = re.compile(r"'function'|\bfunction object\b")
_ENTERED: Final = re.compile(r"does not support the (?:asynchronous )?context manager protocol$")
_CALLED: Final = re.compile(r"^'(?:[\w.]+\.)?(\w+)' object is not callable$")
_ARITY: Final = re.compile(
    r"^<lambda>\(\) (?:missing \d+ required positional argument|takes \d+ positional argument)"
)
_UNHASHABLE: Final = re.compile(r"unhashable type: '(?:types\.)?(\w+)'")
_UNPACK: Final = re.compile(r"values to unpack \(expected (\d+)")
_NO_ITEMS: Final = re.compile(r"^cannot unpack non-iterable (?:\w+\.)*(\w+) object$")
#: Messages that one search reads again and again.  A bound of memory: it changes times, no results.
MAX_KNOWN: Final = 4_096


class Miss(NamedTuple):
    """What a message tells; '' and None where it does not."""

    error: str
    """The class of the exception, ``module:qualname``."""
    attribute: str = ""
    """What a stand-in was asked for and has not."""
    key: Const | None = None
    """The key that a mapping lacks."""
    looked_up: tuple[str, ...] = ()
    """Classes without names to look up, in which the code did."""
    called: str = ""
    """The class of what is called and no function."""
    unpacked: int | None = None
    """As many items are expected."""
    no_items: str = ""
    """The class of what is unpacked and has no items; how many are expected, the next run tells."""
    unhashable: str = ""
    """The class of a key that cannot be one."""
    has_other_arity: bool = False
    """A ``lambda`` was called with more or fewer arguments than it takes."""
    is_of_none: bool = False
    is_of_function: bool = False
    is_entered: bool = False
    """A ``with`` statement enters it, which it cannot."""
    wants_bytes: bool = False
    refused: Refused | None = None
    """A text that a parser refused."""

    def is_told(self) -> bool:
        """Does the message tell anything, or its class that a parser wants a document?"""
        return self[1:] != _NOTHING[1:] or self.error in DOCUMENTS


_NOTHING: Final = Miss("")


@lru_cache(maxsize=MAX_KNOWN)
def miss_of(error: str, message: str) -> Miss:
    """What an exception of the class ``error`` tells by its message."""
    looked_up = _LOOKED_UP.match(message)
    classes = (_INDEXED.get(looked_up[1]), *looked_up.group(2, 3)) if looked_up else ()
    unpacked = _UNPACK.search(message)
    return Miss(
        error,
        _first_group(_NO_ATTRIBUTE, message),
        _missing_key(message) if error == "builtins:KeyError" else None,
        tuple(filter(None, classes)),
        _first_group(_CALLED, message),
        int(unpacked[1]) if unpacked else None,
        _first_group(_NO_ITEMS, message),
        _first_group(_UNHASHABLE, message),
        has_other_arity=bool(_ARITY.match(message)),
        is_of_none=bool(_NONE.search(message)),
        is_of_function=bool(_FUNCTION.search(message)),
        is_entered=bool(_ENTERED.search(message)),
        wants_bytes=bool(_BYTES.search(message)),
        refused=refused_text(message),
    )


def _first_group(pattern: re.Pattern[str], message: str) -> str:
    found = pattern.search(message)
    return found[1] if found else ""


def _missing_key(message: str) -> Const | None:
    """The atom that a KeyError names."""
    try:
        key = literal_in(ast.parse(message, mode="eval").body)
    except SyntaxError:
        return None
    return key if isinstance(key, Const) else None
