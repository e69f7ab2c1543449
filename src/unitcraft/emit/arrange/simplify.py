"""Tests are made easier to read: defaults and repeated Checks left out, arguments named.

Invariant: a simplified Test expects exactly what the original expects, provided that
a parameter left out means its default.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Ref, Sequence, arg_key
from unitcraft.emit.code.call_code import has_no_value
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.subject.model import Invocable, Parameter
from unitcraft.suite.tests import Check, Test

#: Arguments that a test passes by place alone: of four and more a reader does not know which is
#: which, least of all of stand-ins.
MAX_UNNAMED: Final = 3
#: The option with which the runner of a command of click lets out what its code raises.
_RAISING: Final = ("catch_exceptions", Const(value=False))


def simplify(test: Test, knowledge: SubjectIndex) -> Test:
    """``test`` without what need not be said, and with names where places say little."""
    made = [_simplify_call(call, knowledge) for call in test.sequence.calls]
    calls = [_with_names(call, knowledge.called(call, test.sequence)) for call in made]
    if calls[-1].kind == "invoke" and isinstance(test.outcome, Raised):
        calls[-1] = replace(calls[-1], kwargs=(*calls[-1].kwargs, _RAISING))
    checks = [
        replace(
            check,
            observed=_simplify_call(check.observed, knowledge)
            if isinstance(check.observed, Call)
            else check.observed,
            expected=_simplify_arg(check.expected, knowledge),
        )
        for check in test.checks
    ]
    return replace(test, sequence=Sequence(tuple(calls)), checks=_distinct_checks(calls, checks))


def _distinct_checks(calls: list[Call], checks: list[Check]) -> tuple[Check, ...]:
    """``checks`` without repetitions of what the last Call read and of Calls without a value."""
    last = Ref(len(calls) - 1)
    found: dict[str, Check] = {}
    for check in checks:
        if isinstance(check.observed, Ref) and has_no_value(calls[check.observed.index]):
            continue
        again = calls[-1].kind == "get" and check.observed == calls[-1] and check.expected != last
        seen = replace(check, observed=last) if again else check
        found.setdefault(repr(seen), seen)
    return tuple(found.values())


def _simplify_call(call: Call, knowledge: SubjectIndex) -> Call:
    args = tuple([_simplify_arg(arg, knowledge) for arg in call.args])
    kwargs = tuple([(name, _simplify_arg(value, knowledge)) for name, value in call.kwargs])
    return replace(call, args=args, kwargs=kwargs)


def _with_names(call: Call, called: Invocable | None) -> Call:
    """``call`` with those arguments by name that a reader cannot tell by place."""
    if call.kind not in ("function", "method") or called is None:
        return call
    first = 1 if call.kind == "method" else 0
    given = call.args[first:]
    at = 0 if len(given) > MAX_UNNAMED else _first_switch(called.parameters[: len(given)])
    parameters = called.parameters[at : len(given)]
    if len(called.parameters) < len(given) or any(one.kind != "positional" for one in parameters):
        return call
    named = [(one.name, arg) for one, arg in zip(parameters, given[at:], strict=True)]
    return replace(call, args=call.args[: first + at], kwargs=(*named, *call.kwargs))


def _first_switch(parameters: Iterable[Parameter]) -> int:
    """How many parameters come before the first that is true or false by default.

    What ``True`` says at its place a reader has to look up.
    """
    found = 0
    for one in parameters:
        if isinstance(one.default, Const) and isinstance(one.default.value, bool):
            break
        found += 1
    return found


def _simplify_arg(arg: Arg, knowledge: SubjectIndex) -> Arg:
    if isinstance(arg, Display):
        return replace(arg, items=tuple([_simplify_arg(item, knowledge) for item in arg.items]))
    if not isinstance(arg, Build):
        return arg
    args = [_simplify_arg(item, knowledge) for item in arg.args]
    kwargs = [(name, _simplify_arg(value, knowledge)) for name, value in arg.kwargs]
    parameters = _parameters(arg, knowledge)
    kwargs = [
        (name, value)
        for name, value in kwargs
        if name not in parameters or not _is_default(parameters[name], value)
    ]
    for name, parameter in list(parameters.items())[len(args) :]:
        if not kwargs or kwargs[0][0] != name or not parameter.required:
            break
        if parameter.kind != "positional":
            break
        args.append(kwargs.pop(0)[1])
    given = list(parameters.items())[: len(args)]
    at = _first_switch([one for _, one in given])
    if len(given) == len(args) and all(one.kind == "positional" for _, one in given[at:]):
        kwargs = [*zip([name for name, _ in given[at:]], args[at:], strict=True), *kwargs]
        del args[at:]
    return replace(arg, args=tuple(args), kwargs=tuple(kwargs))


def _parameters(build: Build, knowledge: SubjectIndex) -> dict[str, Parameter]:
    """The parameters of the constructor that ``build`` calls, by name."""
    info = knowledge.info(f"{build.callee.module}:{build.callee.qualname}")
    for member in info.members if info else ():
        invocable = knowledge.invocable(member)
        if invocable is not None and invocable.kind == "constructor":
            return {parameter.name: parameter for parameter in invocable.parameters}
    return {}


def _is_default(parameter: Parameter, value: Arg) -> bool:
    return parameter.default is not None and arg_key(parameter.default) == arg_key(value)
