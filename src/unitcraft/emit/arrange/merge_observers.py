"""Tests that observe the same object are merged into one test with several assertions.

Invariant: every assertion of a Unit knows the Test and the Check that it came from,
and the calls of a Unit are those of each of its Tests, without a last observer call that
changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Ref, Sequence
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.suite.tests import Check, Test

#: Assertions of one merged test: with more of them a failure says too little.
_MAX_ASSERTIONS: Final = 10

#: Operators that observe their operand and leave it as it is.
_OBSERVING_OPERATORS: Final = frozenset(
    ("len", "str", "repr", "bool", "int", "float", "complex", "bytes", "abs", "list", "items")
)


@dataclass(frozen=True, slots=True)
class Origin:
    """A Check as its Test numbered it."""

    test: Test
    check: int


@dataclass(frozen=True, slots=True)
class Unit:
    """One test function, or one row of a table of parameters.

    ``origins[n]`` is where ``test.checks[n]`` is from.  ``merge_observers`` makes one Unit of
    several Tests that observe the state of one object.
    """

    test: Test
    tests: tuple[Test, ...]
    origins: tuple[Origin, ...]
    gathered: bool = False


def _unit_of(test: Test) -> Unit:
    """The Unit of one Test."""
    origins = tuple([Origin(test, number) for number in range(len(test.checks))])
    return Unit(test, (test,), origins)


def merge_observers(tests: Iterable[Test], knowledge: SubjectIndex) -> list[Unit]:
    """``tests`` as Units, merged where they observe equal objects; first Tests keep their order."""
    families: dict[str, list[Unit]] = {}
    for test in dict.fromkeys(tests):
        observer = _as_observer(test, knowledge)
        unit = observer or _unit_of(test)
        families.setdefault(_family(unit), []).append(unit)
    return [unit for family in families.values() for unit in _merge(family)]


def _family(unit: Unit) -> str:
    if isinstance(unit.test.outcome, Returned):
        return unit.test.sequence.key
    return repr(unit.test)


def _merge(family: list[Unit]) -> list[Unit]:
    observers = [unit for unit in family if unit.gathered]
    if not observers or len(family) == 1:
        return [_unmerge(unit) for unit in family]
    ordered = [unit for unit in family if not unit.gathered] + observers
    joined: list[Unit] = []
    for unit in ordered:
        last = joined[-1] if joined else None
        if last is not None and len(last.test.checks) + len(unit.test.checks) <= _MAX_ASSERTIONS:
            joined[-1] = _union(last, unit)
        else:
            joined.append(unit)
    return [_unmerge(unit) for unit in joined]


def _unmerge(unit: Unit) -> Unit:
    """A Unit of one Test is that Test as it was, its last observer call included."""
    return _unit_of(unit.tests[0]) if len(unit.tests) == 1 else unit


def _union(first: Unit, second: Unit) -> Unit:
    checks = list(first.test.checks)
    origins = list(first.origins)
    for check, origin in zip(second.test.checks, second.origins, strict=True):
        if repr(check) not in [repr(known) for known in checks]:
            checks.append(check)
            origins.append(origin)
    goals = tuple(dict.fromkeys((*first.test.goals, *second.test.goals)))
    test = replace(first.test, checks=tuple(checks), goals=goals)
    return Unit(test, first.tests + second.tests, tuple(origins), gathered=True)


def _as_observer(test: Test, knowledge: SubjectIndex) -> Unit | None:
    """``test`` as a Unit whose Checks hold its last Call, if that Call only observes."""
    calls = test.sequence.calls
    last = len(calls) - 1
    if last < 1 or not isinstance(test.outcome, Returned) or not test.checks:
        return None
    if test.acts or test.warns:
        return None
    if any(check.observed != Ref(last) or check.expected == Ref(last) for check in test.checks):
        return None
    if not _only_observes(calls[last]):
        return None
    before = calls[last - 1]
    made = knowledge.class_made_by(before, test.sequence)
    if not made or calls[last].args[0] != Ref(last - 1):
        return None
    checks = tuple([Check(calls[last], check.relation, check.expected) for check in test.checks])
    maker = _constructor_of(before, knowledge, made)
    topic = replace(test, invocable=maker, checks=checks, circumstances=(), share=0.0)
    prefix = replace(topic, sequence=Sequence(calls[:last]))
    return Unit(prefix, (test,), _unit_of(test).origins, gathered=True)


def _constructor_of(call: Call, knowledge: SubjectIndex, made: str) -> str:
    if call.kind == "function" and call.name in knowledge.invocables:
        return call.name
    info = knowledge.info(made)
    members = info.members if info else ()
    return members[0] if members else call.name


def _only_observes(call: Call) -> bool:
    """Is it an attribute, or an operator such as ``len``?

    What a method answers is a behaviour of its own: of seven tests of several methods readers
    commit none, of eight of attributes and operators five.
    """
    if call.then or call.kwargs or len(call.args) != 1:
        return False
    return call.kind == "get" or (call.kind == "operator" and call.name in _OBSERVING_OPERATORS)
