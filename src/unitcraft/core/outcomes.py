"""Outcomes: the closed sum of the ways in which the run of a Call or Sequence ends.

Invariant: the four Outcomes are disjoint; "the worker died" and "the budget ran
out" are never folded into "it raised".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from unitcraft.core.sequences import Arg

#: The bound or event that ended a run before the Subject answered.
ExhaustedReason = Literal["steps", "time", "memory", "crash", "output", "exit"]

#: Where a call stands in its source: first line, last line, first column, last column, as the
#: compiler counts them (columns from 0, in bytes of UTF-8).
Position = tuple[int, int, int, int]

#: Characters of a message that a test expects as a whole; a longer one mostly goes on to advise.
MAX_MESSAGE: Final = 90
#: Characters that are expected of it at least.
MIN_MESSAGE: Final = 15
_SENTENCE: Final = re.compile(r"[.;:] |\n")
#: Words of the interpreter and its library, which other versions put otherwise.
_INTERPRETER: Final = re.compile(
    r"object of type '[\w.]+' has no len\(\)|'[\w.]+' object (?:is not|has no|does not|cannot) |"
    r"expected str, bytes or os\.PathLike|Expecting (?:value|property name|',')|\[Errno \d+\]|"
    r"No module named '|invalid literal for \w+\(\)|\w+ index out of range|"
    r"unsupported operand type|(?:not enough|too many) values to unpack|"
    r"argument of type '\w+' is not iterable|'[\w-]+' codec can't "
)


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value without a literal: only its class (``module:qualname``) is known, never an address.

    ``equatable`` says whether its class defines ``__eq__`` (not inherited from object).
    """

    type: str
    equatable: bool = False


#: A result as unitcraft knows it: an Arg that makes an equal value, or only the class.
ResultValue = Arg | Opaque


@dataclass(frozen=True, slots=True)
class Returned:
    """The Call returned; ``value`` is None unless the result was asked for."""

    value: ResultValue | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """The Call raised an exception of class ``type`` (``module:qualname``).

    ``message`` is ``str(exception)``, or None when that is unstable or itself raised.
    ``inside``: the exception came from code of the Subject, not from the call itself (such as a
    wrong number of arguments).
    """

    type: str
    message: str | None
    inside: bool = True
    line: int = 0


@dataclass(frozen=True, slots=True)
class Warned:
    """The Call issued a warning of class ``type``; ``message`` is None when it is unstable."""

    type: str
    message: str | None


@dataclass(frozen=True, slots=True)
class Rejected:
    """The sandbox policy refused an audit event, at ``where`` (file:line)."""

    event: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The run reached a bound, or its worker process ended."""

    reason: ExhaustedReason
    detail: str = ""


Outcome = Returned | Raised | Rejected | Exhausted

#: What ``str`` of an exception group adds to its message.
_GROUP_SIZE: Final = re.compile(r" \(\d+ sub-exceptions?\)$")


def expected_of_message(message: str) -> str:
    """As much of an exception's message as a test expects.

    Of a long one that is the first sentence, or as many words as a line has room for; of a group
    of exceptions no number of them, which versions of pytest match or leave out; and nothing of
    what the interpreter said, which the message hands on.
    """
    message = _readable(_GROUP_SIZE.sub("", message))
    handed_on = _INTERPRETER.search(message, MIN_MESSAGE)
    return message if handed_on is None else message[: handed_on.start()].rstrip()


def _readable(message: str) -> str:
    """The message; of a long one the first sentence, or as many words as a line has room for."""
    if len(message) <= MAX_MESSAGE:
        return message
    sentence = _SENTENCE.search(message, MIN_MESSAGE, MAX_MESSAGE)
    if sentence is not None:
        return message[: sentence.start() + 1].rstrip()
    return message[:MAX_MESSAGE].rpartition(" ")[0] or message[:MAX_MESSAGE]


def is_of_interpreter(message: str | None) -> bool:
    """Are all the words of the message those of the interpreter or its library?"""
    return _INTERPRETER.match(message or "") is not None
