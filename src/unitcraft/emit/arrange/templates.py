"""The template of a Test: the Test without its literals, each of which leaves a slot.

Invariant: filling the template of a Test with its literals gives the Test back; two Tests of one
template differ in their literals only, so that one function with parameters can stand for both.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from unitcraft.core.operators import OF_ATTRIBUTES
from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import (
    EACH,
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    TempPath,
    arg_key,
    children,
    refs_in,
)
from unitcraft.emit.code.call_code import MAX_DRAINED, MAX_LISTED
from unitcraft.explore.search.variation.places import lines_of, reading
from unitcraft.suite.tests import Check, Test, expected_message

#: Operators whose second operand is part of the syntax.
_SYNTACTIC = (*OF_ATTRIBUTES, "isinstance")
#: Classes whose objects differ in what they are made of alone.  A stream or an iterator is made in
#: the test: one that stood in a row would be at its end when the row is run again.
_SHELLS = (
    Symbol("unittest.mock", "Mock"), Symbol("io", "StringIO"), Symbol("io", "BytesIO"),
    Symbol("builtins", "iter"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LiteralSlot:
    """Where a literal stands: an ``argument`` of a Call or observer, or an expected value.

    A ``part`` is an ``argument`` of the class of the Subject that makes what is expected.
    """

    kind: Literal["call", "observer", "expected", "part", "message", "error"]
    index: int = 0
    argument: int | str = 0


def literal(arg: Arg) -> bool:
    """Can ``arg`` stand in a row: no result, no call of the Subject, no path of the test's own?"""
    if refs_in(arg) or isinstance(arg, TempPath):
        return False
    if isinstance(arg, Build):
        known = arg.callee.module.partition(".")[0] in sys.stdlib_module_names
        return known and all(literal(child) for child in children(arg))
    return all(literal(child) for child in children(arg))


def _arguments(call: Call) -> list[tuple[int | str, Arg]]:
    return [*enumerate(call.args), *call.kwargs]


def _is_slot(call: Call, argument: int | str, arg: Arg) -> bool:
    fixed = (call.kind == "operator" and call.name in _SYNTACTIC and argument == 1) or (
        call.kind == "arrange" and argument == 0
    )
    return literal(arg) and not fixed and call.kind != "define"


def _core(arg: Arg) -> Arg:
    """What tells a function or a stream from others: its answer, its text; else ``arg``."""
    if isinstance(arg, Build) and arg.callee in _SHELLS:
        inner = (*arg.args, *[value for _, value in arg.kwargs])
        return inner[0] if len(inner) == 1 else arg
    lines = lines_of(arg)
    return arg if lines is None else lines


def _with_core(arg: Arg, core: Arg) -> Arg:
    """``arg`` with another core."""
    if isinstance(arg, Build) and _core(arg) is not arg:
        return replace(
            arg,
            args=tuple([core for _ in arg.args]),
            kwargs=tuple([(name, core) for name, _ in arg.kwargs]),
        )
    return core if lines_of(arg) is None else reading(core)


def _expects_value(check: Check) -> bool:
    return check.relation not in ("nan", "isinstance") and literal(check.expected)


def _parts(check: Check) -> list[tuple[int | str, Arg]]:
    """The arguments of what is expected to be equal, where a row cannot hold it as a whole."""
    made = check.expected
    if check.relation != "==" or not isinstance(made, Build) or literal(made):
        return []
    return [*enumerate(made.args), *made.kwargs]


def literals_of(test: Test) -> dict[LiteralSlot, Arg]:
    """The literals of ``test`` by where they stand, in reading order."""
    found: dict[LiteralSlot, Arg] = {}
    for index, call in enumerate(test.sequence.calls):
        found.update(_literals_of_call(call, "call", index))
    for index, check in enumerate(test.checks):
        if isinstance(check.observed, Call):
            found.update(_literals_of_call(check.observed, "observer", index))
        if _expects_value(check):
            found[LiteralSlot("expected", index)] = check.expected
        parts = [(argument, arg) for argument, arg in _parts(check) if literal(arg)]
        found.update({LiteralSlot("part", index, argument): arg for argument, arg in parts})
    message = expected_message(test)
    if message is not None:
        found[LiteralSlot("message")] = Const(message)
    return found


def _literals_of_call(
    call: Call, kind: Literal["call", "observer"], index: int
) -> dict[LiteralSlot, Arg]:
    return {
        LiteralSlot(kind, index, argument): _core(arg)
        for argument, arg in _arguments(call)
        if _is_slot(call, argument, arg)
    }


def fill(test: Test, chosen: Mapping[LiteralSlot, Arg]) -> Test:
    """``test`` with the literals in some slots replaced; a message is left alone."""

    def fill_call(call: Call, kind: Literal["call", "observer"], index: int) -> Call:
        def put(argument: int | str, arg: Arg) -> Arg:
            core = chosen.get(LiteralSlot(kind, index, argument))
            return arg if core is None else _with_core(arg, core)

        args = tuple([put(at, arg) for at, arg in enumerate(call.args)])
        return replace(
            call, args=args, kwargs=tuple([(name, put(name, arg)) for name, arg in call.kwargs])
        )

    def fill_expected(check: Check, index: int) -> Arg:
        parts = dict(_parts(check))
        parts |= {at: chosen.get(LiteralSlot("part", index, at), arg) for at, arg in parts.items()}
        if not isinstance(check.expected, Build) or not parts:
            return chosen.get(LiteralSlot("expected", index), check.expected)
        args = tuple([parts[at] for at in range(len(check.expected.args))])
        kwargs = tuple([(name, parts[name]) for name, _ in check.expected.kwargs])
        return replace(check.expected, args=args, kwargs=kwargs)

    calls = [fill_call(call, "call", index) for index, call in enumerate(test.sequence.calls)]
    checks = [
        replace(
            check,
            expected=fill_expected(check, index),
            observed=fill_call(check.observed, "observer", index)
            if isinstance(check.observed, Call)
            else check.observed,
        )
        for index, check in enumerate(test.checks)
    ]
    return replace(test, sequence=Sequence(tuple(calls)), checks=tuple(checks))


def template_of(test: Test, *, by_class: bool = True) -> str:
    """The template of ``test`` as text: equal for Tests that differ in literals only.

    Not ``by_class``: the exceptions of one line may be of different classes.
    """
    calls = [_call_template(call) for call in test.sequence.calls]
    checks = [_check_template(check) for check in test.checks]
    raised = test.outcome
    outcome: tuple[object, ...] = ()
    if isinstance(raised, Raised):
        outcome = (raised.type if by_class else raised.line, raised.message is None)
    alone = not isinstance(raised, Raised) and expected_message(test) is not None
    warns = [(one.type, None if alone else one.message) for one in test.warns]
    return repr((test.invocable, calls, checks, outcome, warns, test.ignores, test.note))


def _call_template(call: Call) -> tuple[object, ...]:
    slots = [
        (
            argument if isinstance(argument, str) else "",
            arg_key(_with_core(arg, Source("?")))
            if _is_slot(call, argument, arg)
            else arg_key(arg),
        )
        for argument, arg in _arguments(call)
    ]
    return (call.kind, call.name, slots, call.then)


def _check_template(check: Check) -> tuple[object, ...]:
    observed = check.observed
    seen = _call_template(observed) if isinstance(observed, Call) else observed
    expected: object = "?" if _expects_value(check) else arg_key(check.expected)
    if (parts := _parts(check)) and isinstance(check.expected, Build):
        kept = [(at, "?" if literal(arg) else arg_key(arg)) for at, arg in parts]
        expected = (arg_key(check.expected.callee), kept)
    return (seen, _relation_family(check), expected, is_cut_off(check))


def _relation_family(check: Check) -> str:
    """Relations that one assertion can express for all rows."""
    if _is_none(check.expected):
        return "=="
    if check.relation == "==" and isinstance(check.expected, Const):
        return "is" if isinstance(check.expected.value, bool) else "=="
    return check.relation


def _is_none(arg: Arg) -> bool:
    """Is it the literal None?"""
    return isinstance(arg, Const) and arg.value is None


def is_cut_off(check: Check) -> bool:
    """Are there as many items as the explorer takes from an iterator, so that others may follow?"""
    observed, expected = check.observed, check.expected
    if isinstance(expected, Display):
        return len(expected.items) in (MAX_DRAINED, MAX_LISTED)
    counts = isinstance(observed, Call) and observed.name == "len"
    return counts and expected in (Const(MAX_DRAINED), Const(MAX_LISTED))


def shows_items(observed: Ref | Call, index: int) -> bool:
    """Does what is observed of result ``index`` tell how many items it has?"""
    if not isinstance(observed, Call):
        return observed == Ref(index)
    counts = observed.name == "len" or observed.name.startswith(EACH)
    return counts and observed.args == (Ref(index),)


def is_immutable(arg: Arg) -> bool:
    """May one object stand for two equal literals?"""
    if isinstance(arg, Display):
        return arg.kind in ("tuple", "frozenset") and all(is_immutable(item) for item in arg.items)
    return isinstance(arg, Const | Symbol)


def source_width(arg: Arg) -> int:
    """About how many characters ``arg`` takes in source text."""
    match arg:
        case Const(value):
            return len(repr(value))
        case Symbol(_, qualname):
            return len(qualname)
        case Source(text):
            return len(text)
        case TempPath(name):
            return 13 + len(name)
        case Build(callee):
            return (
                len(callee.qualname) + 2 + sum(source_width(child) + 2 for child in children(arg))
            )
        case _:
            return 2 + sum(source_width(child) + 2 for child in children(arg))


def complexity(arg: Arg) -> int:
    """How complicated ``arg`` is to read."""
    return 1 + sum(complexity(child) for child in children(arg))
