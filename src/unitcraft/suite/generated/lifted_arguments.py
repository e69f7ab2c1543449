"""Arguments that are made in place get a name while a run is observed, so that changes show.

``drop_negative([3, -1])`` changes a list that nobody can look at; ``items = [3, -1]`` before the
call lets the test assert what became of it.

Invariant: a lifted Sequence runs the same Calls on equal arguments, made in the same order.
"""

from __future__ import annotations

from dataclasses import replace

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Display,
    Ref,
    Sequence,
    refs_in,
    refs_of,
    renumber_refs,
)
from unitcraft.explore.search.variation.grow_stand_ins import is_replacement
from unitcraft.suite.tests import Check, Test, renumber_check

#: The operator of a Call that only gives its operand a name.
_NAMING = "itself"
_CHANGEABLE = ("list", "dict", "set")


def lift_arguments(sequence: Sequence) -> Sequence:
    """``sequence`` with a Call of its own for each argument that a Call may change."""
    made: list[Call] = []
    where: dict[int, int] = {}

    def lift(arg: Arg) -> Arg:
        moved = renumber_refs(arg, where)
        if not may_lift or not _may_change(arg):
            return moved
        made.append(Call("operator", _NAMING, (moved,)))
        return Ref(len(made) - 1)

    for index, call in enumerate(sequence.calls):
        # what surroundings are set to is the test's own, but for functions that record their calls
        may_lift = is_replacement(call) if call.kind == "arrange" else not _is_lifted(call)
        may_lift = may_lift and call.kind != "define"
        args = tuple([lift(arg) for arg in call.args])
        kwargs = tuple([(name, lift(arg)) for name, arg in call.kwargs])
        where[index] = len(made)
        made.append(replace(call, args=args, kwargs=kwargs))
    return Sequence(tuple(made))


def _may_change(arg: Arg) -> bool:
    return isinstance(arg, Build) or (isinstance(arg, Display) and arg.kind in _CHANGEABLE)


def lower_arguments(test: Test) -> Test:
    """``test`` with the arguments in place again that no Check looks at."""
    calls = test.sequence.calls
    seen = {ref for check in test.checks for ref in _refs_of_check(check)}
    values: dict[int, Arg] = {}
    where: dict[int, int] = {}
    kept: list[Call] = []
    for index, call in enumerate(calls):
        if _is_lifted(call) and index not in seen:
            values[index] = renumber_refs(call.args[0], where)
            continue
        where[index] = len(kept)
        kept.append(_put_back(call, values, where))
    checks = tuple([renumber_check(check, where) for check in test.checks])
    return replace(test, sequence=Sequence(tuple(kept)), checks=checks)


def _is_lifted(call: Call) -> bool:
    return call.kind == "operator" and call.name == _NAMING


def _refs_of_check(check: Check) -> tuple[int, ...]:
    observed = check.observed
    refs = (observed.index,) if isinstance(observed, Ref) else refs_of(observed)
    return (*refs, *refs_in(check.expected))


def _put_back(call: Call, values: dict[int, Arg], where: dict[int, int]) -> Call:
    def place(arg: Arg) -> Arg:
        if isinstance(arg, Ref) and arg.index in values:
            return values[arg.index]
        return renumber_refs(arg, where)

    args = tuple([place(arg) for arg in call.args])
    return replace(call, args=args, kwargs=tuple([(name, place(arg)) for name, arg in call.kwargs]))
