"""What a test asserts of a result, or of what was printed, that differs from run to run.

Invariant: only what two runs in different surroundings agree on is asserted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Final

from unitcraft.core.encoding import Plain, decode, decode_call, encode_call
from unitcraft.core.outcomes import Raised, ResultValue
from unitcraft.core.sequences import Const, Ref, Symbol
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.suite.mutation.agents.kill_evidence import MAX_BEGINNING, has_value
from unitcraft.suite.tests import Check, Test

#: Classes of results that a test may assert where two runs give different values of them.
_VALUES: Final = frozenset(
    f"builtins:{name}" for name in ("str", "int", "float", "bytes", "list", "dict", "tuple", "set")
)


#: Characters at the beginning of a text that tell it from others.
MIN_BEGINNING: Final = 4
#: Operators whose result has its class whatever the code does.
_OF_ONE_CLASS: Final = frozenset(("str", "repr"))


def class_of_value(test: Test, first: AfterAnswer, second: AfterAnswer) -> Test:
    """``test`` with an assertion on the class of its result, if it has no other.

    A clock, a name of a machine and the like differ in value only.  Texts may begin alike.  What is
    printed says more than that nothing changed.
    """
    last = test.sequence.calls[-1]
    if isinstance(test.outcome, Raised):
        return test
    printed = tuple(_printed(first, second)) if decode(first.shown) == Const(None) else ()
    if printed:
        return replace(test, checks=(*printed, *(test.checks if test.acts else ())))
    if test.checks or not has_value(encode_call(last)):
        return test
    if first.type != second.type or first.type not in _VALUES:
        return test
    seen = Ref(len(test.sequence) - 1)
    start = _common_beginning(decode(first.shown), decode(second.shown))
    if start:
        return replace(test, checks=(Check(seen, "startswith", Const(start)),))
    if last.kind == "operator" and last.name in _OF_ONE_CLASS:
        return test
    kind = Symbol(*first.type.split(":"))
    return replace(test, checks=(Check(seen, "isinstance", kind),))


def _printed(first: AfterAnswer, second: AfterAnswer) -> Iterator[Check]:
    """That what was printed, or written to a file in memory, begins as it did in both runs."""
    others = dict(_written(second))
    for call, term in _written(first):
        if call in others and term != others[call]:
            start = _common_beginning(decode(term), decode(others[call]))
            if start:
                yield Check(decode_call(call), "startswith", Const(start))


def _written(answer: AfterAnswer) -> list[tuple[Plain, Plain]]:
    """(observer, term) of the texts that a run wrote."""
    shown = [pair for _, is_changed, found in answer.focus if is_changed for pair in found]
    return [pair for pair in shown if pair[0][0] == "output" or pair[0][1] == "getvalue"]


def _common_beginning(one: ResultValue, other: ResultValue) -> str:
    """The lines or words that two texts begin with; '' for too little, a path, or no text."""
    if not isinstance(one, Const) or not isinstance(other, Const):
        return ""
    if not isinstance(one.value, str) or not isinstance(other.value, str):
        return ""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one.value, other.value, strict=False))
    start = re.sub(r"[\w/.~]+\Z", "", "".join([letter for letter, _ in alike][:MAX_BEGINNING]))
    start = start[: start.rfind("\n") + 1] or start
    is_path = start.startswith(("/", "~", "."))
    return start if len(start.strip()) >= MIN_BEGINNING and not is_path else ""
