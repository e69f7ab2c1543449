"""What a test asserts of a result whose value differs from run to run.

Invariant: only what two runs in different surroundings agree on is asserted.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile
from typing import Final

from unitcraft.core.encoding import decode, encode_call
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

    A clock, a name of a machine and the like differ in value only.  Texts may begin alike.
    """
    last = test.sequence.calls[-1]
    has_other = test.checks or isinstance(test.outcome, Raised)
    if has_other or not has_value(encode_call(last)):
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


def _common_beginning(one: ResultValue, other: ResultValue) -> str:
    """The whole words that two texts begin with; '' for too little, a path, or what is no text."""
    if not isinstance(one, Const) or not isinstance(other, Const):
        return ""
    if not isinstance(one.value, str) or not isinstance(other.value, str):
        return ""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(one.value, other.value, strict=False))
    start = re.sub(r"\w+\Z", "", "".join([letter for letter, _ in alike][:MAX_BEGINNING]))
    is_path = start.startswith(("/", "~", "."))
    return start if len(start.strip()) >= MIN_BEGINNING and not is_path else ""
