"""One run of the search: the Sequence, its outcome, the sites it hit, and how long it reads.

Invariant: an Execution is what a worker answered, unchanged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.core.outcomes import Exhausted, Position, Rejected
from unitcraft.core.sequences import (
    ZEROS,
    Arg,
    Build,
    Call,
    Const,
    Display,
    Sequence,
    Source,
    Symbol,
    TempPath,
    arguments,
)
from unitcraft.explore.agents.answers import Owner, RunAnswer, TouchedObject
from unitcraft.subject.values.stdlib_values import OPEN_CLASSES, VALUES
from unitcraft.subject.values.syntax_nodes import PARSE_FUNCTIONS, is_bare_node

#: Exceptions by which the system, or the sandbox in its place, refuses an effect.
REFUSALS = frozenset(
    f"builtins:{name}"
    for name in [
        "OSError",
        "PermissionError",
        "BlockingIOError",
        "ChildProcessError",
        "ProcessLookupError",
        "InterruptedError",
        "TimeoutError",
        "ConnectionError",
        "ConnectionRefusedError",
        "ConnectionResetError",
        "ConnectionAbortedError",
        "BrokenPipeError",
    ]
) | frozenset(("socket:gaierror", "socket:herror"))  # names are looked up before any event
#: Those, exceptions that arguments of a wrong type cause, and paths of a wrong kind.  They are
#: goals only where a ``raise`` statement of the Subject makes them.
MISUSE = REFUSALS | frozenset(
    f"builtins:{name}"
    for name in [
        "TypeError",
        "AttributeError",
        "NameError",
        "RecursionError",
        "UnboundLocalError",
        "NotImplementedError",
        "MemoryError",
        "IsADirectoryError",
        "NotADirectoryError",
    ]
)

#: What a person writes for want of anything better.
TYPICAL_WORDS: Final = ("abc", "def", "ghi")
#: The letters of such a text.
TYPICAL_LETTERS: Final = 3
#: What another text of at most so many letters costs beside: it looks as if it meant something.
OTHER_LETTERS_BURDEN: Final = 1
#: What it costs beside the characters that a value shows nothing of its kind: an empty text, None.
EMPTY_BURDEN: Final = 8
#: The same for a container without items: more than two words in it, as items or as key and value,
#: which show what becomes of them.
NO_ITEMS_BURDEN: Final = 15
#: The same for zero, which a person writes more often than the others.
ZERO_BURDEN: Final = 5
#: The same for a class as a value: most code asks for an instance.
CLASS_BURDEN: Final = 8
#: The same for a container with a single item, and for each letter that a text has too few.
SLIGHT_BURDEN: Final = 2
#: The same for a text that is no single word: signs look as if they meant something.
SIGNS_BURDEN: Final = 1
#: The same for each word that no person writes: of signs, or of the letters a solver repeats.
ODD_WORD_BURDEN: Final = 4
ODD_WORD: Final = re.compile(r"(?<![\w$])(?:\w*\$[\w$]*|_{2,}|a{2,}|b{2,})(?![\w$])")
#: A number as a text, of one digit only: what varies ``"3"`` repeats it.
REPEATED_DIGIT: Final = re.compile(r"([1-9])\1+")
#: What an address costs whose host is none.
NO_HOST_BURDEN: Final = 30
NO_HOST: Final = re.compile(
    r"(?:https?|ftp):(?!//(?:[\w.-]+\.(?:com|org|net|io)|localhost|127\.0\.0\.1)(?![\w.]))"
    r"|file:(?!//)",
    re.IGNORECASE,
)
#: An option of a command line: argparse takes ``--f`` for ``--file``, a reader does not.
OPTION: Final = re.compile(r"--[a-z][a-z-]*")
#: What it costs however long it is.  With 4 and with 16 one of two suites of programs changes.
OPTION_WEIGHT: Final = 8
#: Characters of a float that a person would write; a longer one is mostly a clock's.
MAX_FLOAT_TEXT: Final = 8
#: What bytes cost that are zero but for the last or the first one: they read as a small number.
PACKED_WEIGHT: Final = 5
#: What a date costs in a year outside of those in which persons put them: more than its digits.
ODD_YEAR_BURDEN: Final = 5
_YEARS: Final = range(1900, 2100)
#: The same in a text, which a pattern for dates asked for.
ODD_YEAR: Final = re.compile(r"(?<!\d)(?!19|20)\d{4}(?=[-/.]\d{1,2}(?!\d))")
_DATES: Final = (Symbol("datetime", "date"), Symbol("datetime", "datetime"))
#: What a piece of code costs that a test parses to get a node of its tree.
PARSED_WEIGHT: Final = 5
#: What a node costs that has nothing of what such nodes have: more than one of parsed code.
BARE_NODE_BURDEN: Final = 120
#: The same for a function that shows nothing of what it is given, and where it is called.
DULL_BURDEN: Final = 6
DULL_FUNCTIONS: Final = frozenset(
    ("lambda x: x", "lambda: None", "lambda x: None", "lambda x, y: None", "lambda *args: None")
)
#: A function of any value whose answer shows what it was given.
SHOWING: Final = Symbol("builtins", "str")
#: Classes of numbers: as functions they give back the number that they are given.
SAME_NUMBER: Final = (Symbol("builtins", "int"), Symbol("builtins", "bool"))
#: What a value costs that a table lists for its class, as ``Decimal("1")``: one like it, with other
#: numbers, is no easier to read.
LISTED_WEIGHT: Final = 16
#: Texts whose weight is known at a time: judging them anew was a tenth of the planner's work.
MAX_WEIGHED: Final = 20_000
_TYPICAL: Final = (*TYPICAL_WORDS, *[word.encode() for word in TYPICAL_WORDS])
#: What a bracket costs that has no other one: more than the letter that may stand in its place.
#: The tests of 111 modules had 43 such texts.
LONE_BRACKET_BURDEN: Final = 4
_OPENING: Final = {")": "(", "]": "[", "}": "{"}
#: Value -> its first place in a table: simple values stand first.
_PLACES: Final = dict(
    reversed([pair for values in VALUES.values() for pair in zip(values, count(), strict=False)])
)
#: Characters of a message that a report quotes.
MAX_MESSAGE: Final = 100
#: Integers from this one on are mostly addresses and clocks.
MAX_INT: Final = 10**12


@dataclass(frozen=True, slots=True)
class RunFailure:
    """How a run raised: see ``explore.agents.run_traced.describe_failure``."""

    position: int
    type: str
    message: str | None
    inside: int
    line: int
    module: str
    behind: tuple[str, str | None, Owner] | None = None
    owner: Owner = None
    outermost: int = 0


@dataclass(frozen=True, slots=True)
class Execution:
    """A run of ``sequence`` whose last Call is ``invocable``.

    ``hits`` are site numbers over the whole Sequence, ``last_hits`` those of the
    last Call, ``objects`` the states that it showed.  ``pairs`` are (definition
    site, use site) of the fields that the last Call read, ``defined`` are the sites of those
    that it defined, when they were asked for.  ``touched`` are (in the test's own folder?, name)
    of the paths that the run looked at or changed, ``variables`` those of the environment.
    ``calling`` is the call of the module in which the run ended, or was refused an effect.
    ``drew``: it drew from chance that nothing in it seeds.
    """

    invocable: str
    sequence: Sequence
    failed: RunFailure | None
    behaviour: str
    hits: tuple[int, ...]
    last_hits: tuple[int, ...]
    comparisons: tuple[Plain, ...]
    objects: tuple[TouchedObject, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    defined: tuple[int, ...] = ()
    touched: tuple[tuple[bool, str], ...] = ()
    variables: tuple[str, ...] = ()
    calling: Position | None = None
    drew: bool = False

    @property
    def returned(self) -> bool:
        """Did every Call return?"""
        return self.failed is None

    def line_of_failure(self, module: str) -> int:
        """The line that tells the exception from others; 0 for none.

        It is the ``raise`` in ``module``; for what others raised the call there that led to it, as
        a negative number, because whoever calls ``module`` sees one way to fail.
        """
        if self.failed is None:
            return 0
        is_elsewhere = self.failed.module != module and self.calling is not None
        return -self.calling[0] if is_elsewhere and self.calling else self.failed.line

    @property
    def own_hits(self) -> tuple[int, ...]:
        """The sites of the last Call; those of the whole where that calls what a Call made."""
        last = self.sequence.calls[-1]
        return self.hits if (last.kind, last.name) == ("operator", "call") else self.last_hits

    @property
    def truth(self) -> str:
        """The result where it is True, False or None ('' for others).

        A predicate is shown by both, what answers something or nothing by either.  What a function
        was given, or was given a function to answer, is no answer of its own.
        """
        last = self.sequence.calls[-1]
        passed = self.gives_back or (last.kind, last.name) == ("operator", "call")
        return self.behaviour if self.behaviour in _TRUTHS and not passed else ""

    @property
    def gives_back(self) -> bool:
        """Is the result True, False or None, and was that among the arguments?"""
        if self.behaviour not in _TRUTHS:
            return False
        given = arguments(self.sequence.calls[-1])
        return self.behaviour in [str(arg.value) for arg in given if isinstance(arg, Const)]


#: Results that are a behaviour of their own.
_TRUTHS: Final = ("True", "False", "None")


def execution_of(invocable: str, sequence: Sequence, answer: Plain) -> Execution:
    """The Execution of a worker's answer to ``sequence``."""
    found = RunAnswer(*answer)
    failed = None if found.position < 0 else RunFailure(found.position, *found.outcome)
    hits = tuple(sorted({*found.before, *found.last}))
    return Execution(
        invocable,
        sequence,
        failed,
        found.outcome if failed is None else "",
        hits,
        found.last,
        found.comparisons,
        tuple(TouchedObject(*row) for row in found.objects),
        found.pairs,
        found.defined,
        found.touched,
        found.variables,
        found.calling,
        found.drew,
    )


def describe_failure(failure: RunFailure) -> str:
    """The exception as a person reads it: class and the first line of the message."""
    name = failure.type.rpartition(":")[2]
    lines = (failure.message or "").splitlines()
    return f"{name}: {lines[0][:MAX_MESSAGE]}" if lines else name


def reason_of(failure: Rejected | Exhausted) -> str:
    """Why a run ended without an outcome, without what may differ between machines."""
    if isinstance(failure, Rejected):
        return f"refused: {failure.event}"
    return f"exhausted: {failure.reason}"


def weight(arg: Arg) -> int:
    """How much there is to read in ``arg``, in about characters."""
    if isinstance(arg, Const):
        return _atom_weight(arg.value)
    if isinstance(arg, Display):
        unit = 2 if arg.kind == "dict" else 1
        few = 0 if len(arg.items) > unit else SLIGHT_BURDEN if arg.items else NO_ITEMS_BURDEN
        return 2 + few + sum(weight(item) + 1 for item in arg.items)
    if isinstance(arg, Build):
        if arg in _PLACES and arg.callee not in OPEN_CLASSES:
            return LISTED_WEIGHT + _PLACES[arg]
        inner = sum(_weight_inside(item) for item in arg.args)
        inner += ODD_YEAR_BURDEN * has_odd_year(arg)
        if not (arg.args or arg.kwargs):
            inner += BARE_NODE_BURDEN * is_bare_node(f"{arg.callee.module}:{arg.callee.qualname}")
        return 14 + inner + sum(_weight_inside(item) + 3 for _, item in arg.kwargs)
    if isinstance(arg, TempPath):
        return 16 + (0 if arg.content is None else 10 + weight(arg.content))
    if isinstance(arg, Source):
        return 4 + len(arg.text) // 2 + DULL_BURDEN * (arg.text in DULL_FUNCTIONS)
    if isinstance(arg, Symbol):
        is_class = arg.qualname[:1].isupper() or arg.module == "builtins"
        return 2 + CLASS_BURDEN * is_class + SLIGHT_BURDEN * (arg in SAME_NUMBER)
    return 2


def has_odd_year(arg: Build) -> bool:
    """Is it a date in a year in which a person puts none, as a solver does?"""
    year = arg.args[0] if arg.callee in _DATES and arg.args else None
    return isinstance(year, Const) and type(year.value) is int and year.value not in _YEARS


def _weight_inside(arg: Arg) -> int:
    """The weight of an argument of a constructor, which asks for texts and numbers of its own."""
    if isinstance(arg, Const) and isinstance(arg.value, (str, bytes)):
        few = max(0, TYPICAL_LETTERS - len(arg.value)) if arg.value.isalpha() else 0
        return len(repr(arg.value)) + SLIGHT_BURDEN * few
    return weight(arg)


def _atom_weight(value: object) -> int:
    if isinstance(value, bool):
        return 5
    if value is None:
        return 5 + EMPTY_BURDEN
    if isinstance(value, int):
        few = 0 if value else ZERO_BURDEN
        return few + len(str(value)) if abs(value) < 10**30 else 40
    if isinstance(value, bytes) and _is_packed(value):
        return PACKED_WEIGHT
    if isinstance(value, bytes):
        value = ZEROS.sub(b"bytes(8)", value)
    if isinstance(value, (str, bytes)):
        return _text_weight(value)
    return 4 + len(repr(value)) + (0 if value or not isinstance(value, float) else ZERO_BURDEN)


@lru_cache(maxsize=MAX_WEIGHED)
def _text_weight(value: str | bytes) -> int:
    if isinstance(value, str) and OPTION.fullmatch(value):
        return OPTION_WEIGHT
    odd = sum(1 for char in value if not _is_printable(char))
    word = value.strip() or value  # blanks around it are there to be stripped
    few = SLIGHT_BURDEN * max(0, TYPICAL_LETTERS - len(word)) if value else EMPTY_BURDEN
    few += OTHER_LETTERS_BURDEN * (len(word) <= TYPICAL_LETTERS and word not in _TYPICAL)
    few += SIGNS_BURDEN * (not value.isalpha() and not str(value).isidentifier())
    if isinstance(value, str):
        few += ODD_WORD_BURDEN * len(ODD_WORD.findall(value))
        few += ODD_WORD_BURDEN * (REPEATED_DIGIT.fullmatch(value) is not None)
        few += ODD_YEAR_BURDEN * len(ODD_YEAR.findall(value))
        few += LONE_BRACKET_BURDEN * len(lone_brackets(value))
        few += NO_HOST_BURDEN * (NO_HOST.match(value) is not None)
    return 2 + few + len(value) + 3 * odd


def lone_brackets(text: str) -> list[int]:
    """The places of brackets that are not closed, or close none."""
    open_: list[int] = []
    alone: list[int] = []
    for at, char in enumerate(text):
        if char in _OPENING.values():
            open_.append(at)
        elif char in _OPENING and open_ and text[open_[-1]] == _OPENING[char]:
            open_.pop()
        elif char in _OPENING:
            alone.append(at)
    return sorted(alone + open_)


def _is_packed(value: bytes) -> bool:
    """Are several bytes zero but for the last or the first one, and is that one small?"""
    is_alone = not (any(value[:-1]) and any(value[1:]))
    return len(value) > 1 and any(value) and is_alone and value.isascii()


def _is_printable(char: str | int) -> bool:
    code = ord(char) if isinstance(char, str) else char
    return ord(" ") <= code <= ord("~")


def call_weight(call: Call) -> int:
    """How much there is to read in a Call; a piece of code that is parsed reads like one word."""
    if call.name in PARSE_FUNCTIONS:
        return 6 + PARSED_WEIGHT
    named = sum(len(name) + 1 for name, _ in call.kwargs)
    if call.kind == "define":
        named += len(call.name) // 2
    if call.kind == "function" and not (call.args or call.kwargs):
        named += BARE_NODE_BURDEN * is_bare_node(call.name)
    return 6 + named + sum(weight(arg) for arg in arguments(call))


def cost(sequence: Sequence) -> int:
    """How much there is to read in a Sequence: each Call is a line of its own."""
    return sum(14 + call_weight(call) for call in sequence.calls)


def is_readable(value: Arg) -> bool:
    """Would a person write it?  Long floats and huge numbers are mostly clocks and addresses."""
    if not isinstance(value, Const):
        return True
    if isinstance(value.value, float):
        return len(repr(value.value)) <= MAX_FLOAT_TEXT
    return not isinstance(value.value, int) or abs(value.value) < MAX_INT
