"""The parts of a run that a test may assert, and by which of them it kills a mutant.

Invariant: a part is (key, mark); the Check that states what has the one mark would pass on what has
the other if they are the same (``is_same``).  The outcome comes first, then the message of an
exception or the result, then the observations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import accumulate
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.core.outcomes import expected_of_message
from unitcraft.explore.agents.answers import IGNORED
from unitcraft.explore.agents.known_results import held_in_dict

OUTCOME: Final = "outcome"
MESSAGE: Final = "message"
RESULT: Final = "result"
RETURNED: Final = b"returned"
#: Stands before the parts of what a dictionary holds, for two runs whose results differ.
HELD: Final = "held"
#: Observers of what a Call that raised has mostly read and not written, so that they show nothing.
READ_BUFFER: Final = "getvalue"
_BUFFERED: Final = (READ_BUFFER,)
#: A result that says nothing where nothing else was answered.
_NOTHING: Final = ("c", None)
#: Characters of a text that a test asserts as a whole: some five lines.
MAX_ASSERTED: Final = 400
#: Lines that it asserts as a whole, as of a short help text, and the characters of each.
MAX_LINES_ASSERTED: Final = 12
MAX_LINE_ASSERTED: Final = 80
#: Characters that it asserts of the beginning of a longer text: two lines.
MAX_BEGINNING: Final = 120
#: Characters of a value that it asserts of a long dictionary.
MAX_ENTRY: Final = 60
#: Characters of the first items of a long list that it asserts: some two lines.
MAX_PART: Final = 120
#: Values of a long dictionary that it asserts: a reader checks few.
MAX_ENTRIES: Final = 3
#: Encoded values that much holds, so that they say little about any of it.
_EMPTY: Final = (("c", None), ("c", ""))
#: That of zero, which is also equal to that of False.
_ZERO: Final = ("c", 0)
#: Classes of the functions that code makes: none has a public name, and all can be called.
FUNCTIONS: Final = frozenset({"builtins:function", "builtins:method"})
#: Evidence of a kill: positions of the parts that differ, and whether a Check shows it.
KillEvidence = tuple[tuple[int, ...], bool]
#: Do two encoded terms make equal values now?
Comparison = Callable[[Plain, Plain], bool]

#: First bytes of the marks of values that are asserted by ``is`` and by ``==``.
_BY_IDENTITY: Final = b"i"
_BY_EQUALITY: Final = b"="


def common_parts(first: Plain, second: Plain) -> Plain:
    """The parts that two runs have in common; () where a test would have nothing to assert.

    There is nothing to assert where the outcomes differ, and where nothing is known except that the
    last Call returns.  Of results that differ it is what they hold alike.
    """
    shown, held = split_held(first)
    other, other_held = split_held(second)
    known = dict(other)
    same = tuple(part for part in shown if known.get(part[0]) == part[1])
    if RESULT in dict(shown) and RESULT not in dict(same):
        known = dict((*other, *other_held))
        same += tuple(part for part in held if known.get(part[0]) == part[1])
    return same if same and same[0][0] == OUTCOME and same != ((OUTCOME, RETURNED),) else ()


def split_held(found: Plain) -> tuple[Plain, Plain]:
    """The parts of a run, and those of what its result holds."""
    at = next((at for at, (key, _) in enumerate(found) if key == HELD), len(found))
    return found[:at], found[at + 1 :]


def killed_by(expected: Plain, seen: Plain, equal: Comparison) -> KillEvidence | None:
    """(positions of the parts that differ, does a Check show it?), or None when none does.

    A Call that raises instead of returning ends the test before its Checks; so does an observer
    that raises, unless another observer shows the difference.
    """
    now = dict(seen)
    if now.get(OUTCOME) != expected[0][1]:
        return (0,), bool(now) and expected[0][1] != RETURNED
    differing = [
        at for at, (key, mark) in enumerate(expected) if not is_same(mark, now.get(key), equal)
    ]
    shown = [at for at in differing if expected[at][0] in now]
    return (tuple(shown or differing), bool(shown)) if differing else None


def is_same(expected: Plain, seen: Plain, equal: Comparison) -> bool:
    """Would a Check that states what has the mark ``expected`` pass on what has the mark ``seen``?

    ``==`` sees no difference between 1 and True, nor one that a class ignores; ``is`` does.
    """
    if expected == seen:
        return True
    if isinstance(expected, tuple) and isinstance(seen, tuple):
        return equal(expected[1], seen[1])
    if isinstance(expected, bytes) and isinstance(seen, bytes):
        by_equality = expected[:1] == _BY_EQUALITY and seen[:1] == _BY_IDENTITY
        return by_equality and expected[1:] == seen[1:]
    return False


def common_evidence(one: KillEvidence, other: KillEvidence | None) -> KillEvidence | None:
    """What two runs on a mutant show alike; None when they show nothing alike."""
    if other is None:
        return None
    positions = tuple(at for at in one[0] if at in other[0])
    return (positions, one[1] and other[1]) if positions else None


def is_long(text: str | bytes) -> bool:
    """Is it more than a test asserts as a whole: more than a few lines?"""
    lines = text.splitlines() if len(text) > MAX_ASSERTED else []
    return len(lines) > MAX_LINES_ASSERTED or max(map(len, lines), default=0) > MAX_LINE_ASSERTED


def beginning(text: str | bytes) -> str | bytes:
    """What a test asserts of the beginning of a long text: whole words, where it has some."""
    start = text[:MAX_BEGINNING]
    if isinstance(start, bytes) or not isinstance(text, str) or not text[MAX_BEGINNING:]:
        return start
    whole = re.sub(r"\w+\Z", "", start) if re.match(r"\w", text[MAX_BEGINNING:]) else start
    return whole if 2 * len(whole) > MAX_BEGINNING else start


def _digest(value: object) -> bytes:
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=10).digest()


def mark_of(term: Plain, *, named: bool = False) -> Plain:
    """What a Check on an encoded term sees: a digest, or the term where a class decides.

    Of a long container it sees some of what it holds: of one that is ``named`` in the test, the
    number of items too.
    """
    if term[0] == "d" and _length(term) > MAX_ASSERTED:
        term = _outline(term, named=named)
    if term[0] == "c" and (term[1] is None or isinstance(term[1], bool)):
        return _BY_IDENTITY + _digest(_as_compared(term))
    if term[0] == "r":
        return _BY_IDENTITY + _digest(term)
    if term[0] == "c" and isinstance(term[1], (str, bytes)) and is_long(term[1]):
        return _BY_EQUALITY + _digest((len(term[1]), beginning(term[1])))
    if _has_object(term):
        return ("==", term)
    return _BY_EQUALITY + _digest(_as_compared(term))


def _length(term: Plain) -> int:
    """About how many characters there are to read in an encoded term."""
    if term[0] == "d":
        return 2 + sum(_length(item) + 2 for item in term[2])
    return len(repr(term[1])) if term[0] in "cr" else len(repr(term)) // 2


def _outline(term: Plain, *, named: bool) -> Plain:
    """What a test asserts of a long container (see ``assertions``), as an encoded term."""
    size = ("c", len(term[2])) if named else ("c", None)
    entries = [("d", "tuple", pair) for pair in telling_entries(term)]
    return ("d", "list", (("c", term[1]), size, *entries, *(first_items(term) if named else ())))


def first_items(term: Plain) -> Plain:
    """The first items of an encoded list or tuple, as many as a test asserts of a long one."""
    _, kind, items = term
    widths = accumulate(_length(item) + len(", ") for item in items)
    return items[: sum(width <= MAX_PART for width in widths)] if kind in ("list", "tuple") else ()


def telling_entries(term: Plain) -> list[tuple[Plain, Plain]]:
    """The entries of an encoded dictionary that a test asserts of a long one: short, by name.

    Zero and False are mostly there by default: those come after the others.
    """
    _, kind, items = term
    pairs = zip(items[::2], items[1::2], strict=True) if kind == "dict" else ()
    telling = [pair for pair in pairs if _tells(*pair)]
    return sorted(telling, key=lambda pair: pair[1] == _ZERO)[:MAX_ENTRIES]


def _tells(key: Plain, value: Plain) -> bool:
    is_empty = value in _EMPTY or (value[0] == "d" and not value[2])
    is_named = key[0] == "c" and isinstance(key[1], str)
    return is_named and not is_empty and _length(value) <= MAX_ENTRY


def _has_object(term: Plain) -> bool:
    """Is an object in the term whose class says what is equal to it?"""
    return term[0] == "b" or (term[0] == "d" and any(map(_has_object, term[2])))


def _as_compared(term: Plain) -> Plain:
    """The term with equal numbers, and with items that have no order, written in one way."""
    if term[0] == "d":
        items = [_as_compared(item) for item in term[2]]
        if term[1] == "dict":
            return ("d", "dict", sorted(map(repr, zip(items[::2], items[1::2], strict=True))))
        return ("d", term[1], sorted(items, key=repr) if "set" in term[1] else items)
    value = term[1] if term[0] == "c" else None
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return ("c", int(value))
    return term


def parts(after: Plain) -> Plain:
    """((key, mark), …) of an ``after`` answer: outcome first, then result, then observations.

    The key of an observation is the ``repr`` of its encoded Call.  Observed are the objects that
    the last Call changed; where it changed none and answers None, all that it was given.
    """
    if after is None:
        return ()
    outcome, term, kind, same, focus = after
    focus = tuple(row for row in focus if row[0] != IGNORED)
    looks = list(_marked(pair for _, changed, seen in focus if changed for pair in seen))
    if outcome is not None:
        kept = [pair for entry in focus[:1] for pair in entry[2][:1]]
        kept += [pair for _, changed, seen in focus if changed for pair in seen]
        state = _marked(pair for pair in kept if pair[0][1] not in _BUFFERED)
        message = expected_of_message(outcome[2] or "")
        ending = [(OUTCOME, _digest(outcome[:2])), (MESSAGE, _digest(message))]
        return (*ending, *dict.fromkeys(state))
    if term == _NOTHING and not looks:
        looks = list(_marked(pair for _, _, seen in focus for pair in seen))
    if same >= 0:
        return ((OUTCOME, RETURNED), (RESULT, _BY_IDENTITY + _digest(same)), *looks)
    if term[0] != "o":
        return ((OUTCOME, RETURNED), (RESULT, mark_of(term, named=True)), *looks)
    if not (kind in FUNCTIONS or has_public_name(kind)):
        return ((OUTCOME, RETURNED), *looks)
    return ((OUTCOME, RETURNED), (RESULT, _BY_IDENTITY + _digest(kind)), *looks)


def _marked(observations: Iterable[Plain]) -> Iterator[tuple[str, Plain]]:
    """The parts of the observations of which a test asserts something."""
    for call, value in observations:
        named = call[1] == "itself"
        is_long = value[0] == "d" and _length(value) > MAX_ASSERTED
        if not is_long or named or telling_entries(value):
            yield repr(call), mark_of(value, named=named)


def asserted_parts(after: Plain, calls: Plain) -> Plain:
    """The ``parts`` of a run of ``calls`` that its test asserts: of some, nothing of the result."""
    found = parts(after)
    if not found or after[0] is not None or asserts_result(calls, *after[1:]):
        return found
    return tuple(part for part in found if part[0] != RESULT)


def with_held(found: Plain, after: Plain, last: int) -> Plain:
    """``found``, parts of the answer ``after``, and those of what result number ``last`` holds."""
    if not found or after[0] is not None or RESULT not in dict(found):
        return found
    held = tuple((repr(call), mark_of(term)) for call, term in held_in_dict(after[1], last))
    return (*found, (HELD, b""), *held) if held else found


def asserts_result(calls: Plain, term: Plain, _kind: str, same: int, focus: Plain) -> bool:
    """Does a test assert what its last Call returned, and not only what observers show of it?

    The arguments are the Calls and what an ``after`` answer has beside the outcome.
    """
    at = len(calls) - 1
    if not has_value(calls[at]):
        return False
    if same >= 0:
        return True
    if any(index == at and seen for index, _, seen in focus):
        return bool(term[0] == "b" and says_more(term, calls))
    return term != ("c", None) or not any(changed and index != at for index, changed, _ in focus)


def has_value(call: Plain) -> bool:
    """Has the encoded Call a result to assert?  A store has none, and a hash says nothing."""
    kind, name = call[:2]
    nothing = name in ("[]=", "hash") or name.startswith(("del", "with raise"))
    return kind != "set" and not (kind == "operator" and nothing)


def says_more(term: Plain, calls: Plain) -> bool:
    """Is an object written with other arguments than those of the last Call, which made it?"""
    last = calls[-1]
    given = [_in_place(arg, calls) for arg in (*last[2], *(value for _, value in last[3]))]
    shown = {repr(arg) for arg in (*term[2], *(value for _, value in term[3]))}
    return any(repr(arg) not in shown for arg in given)


def _in_place(arg: Plain, calls: Plain) -> Plain:
    """An argument, made in place where a Call only names it."""
    named = calls[arg[1]] if arg[0] == "r" else None
    is_name = named is not None and named[:2] == ("operator", "itself")
    return named[2][0] if named is not None and is_name else arg


def has_public_name(kind: str) -> bool:
    """Can a test name the class ``kind``, which is ``module:qualname``?"""
    module, _, qualname = kind.partition(":")
    return not ("<" in qualname or qualname.startswith("_") or module in ("builtins", "types"))
