"""What a test asserts twice: of one object by two names, of one call beside all of them.

Invariant: what is left out is equal to what another Check of the test expects.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.sequences import EACH, Call, Display, Ref
from unitcraft.suite.tests import Check

#: How the last call of a function is looked at, and all of its calls.
_LAST_CALL: Final = "call_args."
_ALL_CALLS: Final = f"call_args_list{EACH}"


def told_once(checks: tuple[Check, ...], last: int) -> tuple[Check, ...]:
    """``checks`` without those that others imply; ``last`` is the number of the last Call.

    An argument that an attribute holds, and shows already, is one object with that; the last of all
    calls of a function is one of them.
    """
    gets = [one for one in checks if isinstance(one.observed, Call) and one.observed.kind == "get"]
    held = {repr(one.expected) for one in gets}
    looks = {repr(one.observed) for one in gets}
    return tuple([
        one
        for one in dict.fromkeys(checks)
        if not (_is_given(one, last) and repr(one.expected) in held)
        and (_LAST_CALL not in repr(one.observed) or _of_all_calls(one) not in looks)
    ])  # fmt: skip


def _is_given(check: Check, last: int) -> bool:
    """Is it about the content of something that the test made itself?"""
    seen, term = check.observed, check.expected
    is_filled = isinstance(term, Display) and bool(term.items)
    return isinstance(seen, Ref) and seen.index != last and is_filled


def _of_all_calls(check: Check) -> str:
    """The same look at each call of the function."""
    return repr(check.observed).replace(_LAST_CALL, _ALL_CALLS)
