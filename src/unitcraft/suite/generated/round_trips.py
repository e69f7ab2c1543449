"""Round trips: what one function makes of a value, another turns into that value again.

Pairs are found by name (``encode`` and ``decode``, ``to_roman`` and ``from_roman``,
``hex_to_rgb`` and ``rgb_to_hex``) and confirmed by a run: a test of the pair says what the module
is for in one line.

Invariant: a round trip becomes a Goal only where a run gave the very value that went in, and
something else on the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from types import MappingProxyType
from typing import Final

from unitcraft.core.encoding import decode, encode, encode_sequence
from unitcraft.core.goals import ROUND_TRIP, Family, Goal
from unitcraft.core.sequences import Arg, Const, Display, Ref, Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.explore.execution import Execution, execution_of, weight
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.subject.ducktypes.kind_support import kind_of
from unitcraft.subject.model import Invocable, Subject
from unitcraft.suite.relations import relation
from unitcraft.suite.tests import Check, Test

#: Pairs of one module that are tried, and values for each: bounds.
MAX_PAIRS: Final = 8
MAX_VALUES: Final = 8
#: Characters of the value on the way that a test asserts: a line.
MAX_WAY: Final = 60
#: Word -> the word for the way back, beside those that begin with ``un`` or ``de``.
_BACK: Final[Mapping[str, str]] = MappingProxyType(
    {
        "encode": "decode", "encrypt": "decrypt", "dump": "load", "dumps": "loads", "to": "from",
        "format": "parse", "render": "parse", "unparse": "parse", "stringify": "parse",
        "join": "split", "compress": "decompress", "write": "read", "wrap": "unwrap",
    }
)  # fmt: skip
_PREFIXES: Final = ("un", "de")
_BETWEEN: Final = ("to", "2")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
#: Kind of value -> what a person would try, with what needs care in it.
_VALUES: Final[Mapping[str, tuple[Arg, ...]]] = MappingProxyType(
    {
        "str": (Const("Tom & Jerry <5"), Const("hello world")),
        "bytes": (Const(b"hello world"),),
        "int": (Const(42), Const(1994)),
        "float": (Const(2.5),),
        "list": (Display("list", (Const(3), Const(1), Const(2))),),
        "dict": (
            Display("dict", (Const("name"), Const("Ann"), Const("age"), Const(42))),
            Display("dict", (Const("name"), Const("Ann"))),
        ),
    }
)  # fmt: skip


def add_round_trips(goals: GoalMap, subject: Subject, pool: Pool) -> None:
    """Record a Goal for each pair of inverse functions, held by the first round trip that holds."""
    by_name = {one.id: one for one in subject.invocables}
    for there, back in list(inverse_pairs(subject))[:MAX_PAIRS]:
        tried = list(_candidates(goals, by_name[there], by_name[back]))[:MAX_VALUES]
        items = [encode_sequence(sequence) for sequence, _ in tried]
        ways = [encode_sequence(Sequence(sequence.calls[:1])) for sequence, _ in tried]
        shown = [_shown(reply.value) for reply in pool.map("after", items)]
        between = [_shown(reply.value) for reply in pool.map("after", ways)]
        for (sequence, value), end, middle in zip(tried, shown, between, strict=True):
            if end == repr(encode(value)) != middle and _record(goals, back, sequence, pool):
                break


def inverse_pairs(subject: Subject) -> Iterator[tuple[str, str]]:
    """(id there, id back) of functions of the module whose names say so."""
    named = [
        (one.id, one.owner, words_of(one.name))
        for one in subject.invocables
        if one.module == subject.module
        and one.kind in ("function", "staticmethod", "classmethod")
        and _takes_one(one)
    ]
    for (there, owner, one), (back, other_owner, other) in permutations(named, 2):
        if owner == other_owner and is_way_back(one, other):
            yield there, back


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in snake case or camel case."""
    return tuple([word.lower() for word in _WORD.findall(name)])


def is_way_back(there: tuple[str, ...], back: tuple[str, ...]) -> bool:
    """Do the words of two names say that the second undoes the first?"""
    if len(there) != len(back):
        return False
    differing = [at for at, pair in enumerate(zip(there, back, strict=True)) if len({*pair}) > 1]
    if len(differing) == 1:
        one, other = there[differing[0]], back[differing[0]]
        return _BACK.get(one) == other or any(other == before + one for before in _PREFIXES)
    if len(differing) != 2:  # noqa: PLR2004 - ``hex_to_rgb`` and ``rgb_to_hex``
        return False
    first, second = differing
    swapped = (there[first], there[second]) == (back[second], back[first])
    return swapped and any(word in _BETWEEN for word in there[first + 1 : second])


def _takes_one(invocable: Invocable) -> bool:
    """May the function be called with one positional argument?"""
    required = [one for one in invocable.parameters if one.required]
    return bool(invocable.parameters) and len(required) <= 1 and not _is_keyword(invocable)


def _is_keyword(invocable: Invocable) -> bool:
    first = invocable.parameters[0]
    return not first.kind.startswith("positional") and first.kind != "var_positional"


def _candidates(
    goals: GoalMap, there: Invocable, back: Invocable
) -> Iterator[tuple[Sequence, Arg]]:
    """(Sequence, the value that goes in): values of callers, then typical ones, then found ones."""
    way, return_ = _returned(goals, there.id), _returned(goals, back.id)
    if way is None:
        return
    call = way.sequence.calls[-1]
    last = replace(return_.sequence.calls[-1] if return_ else call, name=back.id)
    given = [one.value for one in goals.plausibility.ladder.callers(there, there.parameters[0])]
    for value in dict.fromkeys([*given, *_VALUES.get(kind_of(call.args[0]), ()), call.args[0]]):
        first = replace(call, args=(value,), kwargs=())
        yield Sequence((first, replace(last, args=(Ref(0),), kwargs=()))), value


def _returned(goals: GoalMap, invocable: str) -> Execution | None:
    """The cheapest run of a function that returned, on values alone."""
    found = [
        (price, run)
        for price, run in goals.best.values()
        if run.invocable == invocable
        and run.returned
        and len(run.sequence) == 1
        and run.sequence.calls[0].args
    ]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _shown(answer: object) -> str:
    """The encoded result of an ``after`` answer as text ('' where it raised)."""
    read = AfterAnswer.read(answer)
    return "" if read is None or read.outcome is not None else repr(read.shown)


def _record(goals: GoalMap, back: str, sequence: Sequence, pool: Pool) -> bool:
    """Run the round trip and record its Goal; answers whether it counts."""
    reply = next(iter(pool.map("run", [encode_sequence(sequence)])))
    if reply.value is None or reply.failure is not None:
        return False
    run = execution_of(back, sequence, reply.value)
    if not goals.sensible(run) or goals.is_doubtful(run):
        return False
    goals.offer(run, goals.price(run))
    goals.add_goals(run, [Goal(Family.RETURN, 0, back, ROUND_TRIP)])
    return True


def with_way(test: Test, way: AfterAnswer | None) -> Test:
    """``test`` of a round trip with the value on the way, which ``way`` shows, if it is short.

    Two functions that do nothing undo each other as well.
    """
    term = None if way is None or way.outcome is not None else decode(way.shown)
    if not isinstance(term, Const | Display) or weight(term) > MAX_WAY:
        return test
    passed = Ref(len(test.sequence) - 2)
    return replace(test, checks=(Check(passed, relation(term), term), *test.checks))
