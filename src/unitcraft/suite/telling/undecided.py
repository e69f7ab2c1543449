r"""Arguments that do not decide that a run raises, found by giving others in their place.

``parse(b"\0")`` raises, and so does ``parse("\0")``: what a test is called after is not that the
text is bytes.  ``show(file=None)`` raises as ``show(file="notes.txt")`` does: it is not the file.

Invariant: what is called undecided was seen to end in the same exception from the same line with
another argument, alone and together with all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from unitcraft.core.goals import Goal
from unitcraft.core.sequences import (
    Arg,
    Call,
    Const,
    Display,
    Sequence,
    TempPath,
    arg_key,
    refs_in,
)
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.variation.places import put_call
from unitcraft.suite.telling.usual_parts import usual_calls

#: An execution, Goals, and a Sequence that is run in its place; the executions of such.
_Variant = tuple[Execution, tuple[Goal, ...], Sequence]
RunVariants = Callable[[list[_Variant]], Iterable[tuple[Execution, _Variant]]]
#: Kinds of Calls that have parameters.
_CALLED: Final = ("function", "method")


class Undecided(NamedTuple):
    """Parameters of which the argument, or only its class, does not decide that a run raises."""

    values: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()


class _Trials(NamedTuple):
    """A run that raised, and what is tried of it, by the names of its parameters.

    ``values`` are usual arguments, None where it has none, ``classes`` the same run with an object
    of another class; ``shared`` are those that the run has like the usual one, which returned.
    """

    run: Execution
    values: dict[str, Arg | None]
    classes: dict[str, Sequence]
    shared: frozenset[str]


def undecided(
    runs: Iterable[Execution], plausibility: Plausibility, run_variants: RunVariants
) -> dict[str, Undecided]:
    """What does not decide that each of ``runs`` raises, by its key; none of those that return."""
    runs = list(runs)
    usual = usual_calls(runs)
    trials = [
        _trials(run, usual, plausibility)
        for run in runs
        if run.failed is not None and run.failed.position == len(run.sequence) - 1
    ]

    def alike(batch: list[tuple[Execution, str, Sequence]]) -> dict[str, frozenset[str]]:
        """The names under which each run, by its key, ended as it did before."""
        ran = run_variants([(run, (), one) for run, _, one in batch])
        same = {
            (run.sequence.key, one.sequence.key)
            for one, (run, _, _) in ran
            if _raised(one) == _raised(run)
        }
        found: dict[str, frozenset[str]] = {}
        for run, name, one in batch:
            if (run.sequence.key, one.key) in same:
                found[run.sequence.key] = found.get(run.sequence.key, frozenset()) | {name}
        return found

    def put(trial: _Trials, names: Iterable[str]) -> Sequence:
        new = {name: trial.values[name] for name in trial.values if name in names}
        return _put(trial.run.sequence, new, plausibility)

    none: frozenset[str] = frozenset()
    keys = [trial.run.sequence.key for trial in trials]
    classes = alike([(one.run, name, twin) for one in trials for name, twin in one.classes.items()])
    each = alike([(one.run, name, put(one, (name,))) for one in trials for name in one.values])
    able = [(one, each.get(key, none)) for one, key in zip(trials, keys, strict=True)]
    together = alike([(one.run, "", put(one, names)) for one, names in able if names])
    return {
        key: Undecided(trial.shared | (names if key in together else none), classes.get(key, none))
        for key, (trial, names) in zip(keys, able, strict=True)
    }


def _raised(run: Execution) -> tuple[object, ...]:
    failed = run.failed
    return (failed.module, failed.line, failed.type) if failed is not None else ()


def _trials(
    run: Execution, usual: Mapping[tuple[object, ...], Call], plausibility: Plausibility
) -> _Trials:
    sequence = run.sequence
    last = sequence.calls[-1]
    other = usual.get((run.invocable, last.kind, last.name))
    names = plausibility.parameter_names(sequence, last) if last.kind in _CALLED else ()
    given = dict(_given(last, names))
    others = dict(_given(other, names)) if other is not None else {}
    known = {name: arg for name, arg in others.items() if not refs_in(arg)}
    keys = {name: arg_key(arg) for name, arg in given.items()}
    shared = frozenset(name for name, arg in known.items() if keys.get(name) == arg_key(arg))
    values: dict[str, Arg | None] = {
        **{name: arg for name, arg in known.items() if name not in shared},
        **{name: None for name, _ in last.kwargs if name not in others},
    }
    classes = {name: twin for name, arg in given.items() for twin in _twins(arg)}
    return _Trials(
        run,
        values,
        {name: _put(sequence, {name: arg}, plausibility) for name, arg in classes.items()},
        shared,
    )


def _given(call: Call, names: Iterable[str]) -> Iterator[tuple[str, Arg]]:
    """The arguments of a Call that have a parameter, by its name; ``names`` are all, in order.

    The other Call of an Invocable stands in a Sequence of its own, to which its arguments refer.
    """
    if call.kind in _CALLED:
        yield from [pair for pair in zip(names, call.args, strict=False) if pair[0]]
        yield from call.kwargs


def _put(sequence: Sequence, new: Mapping[str, Arg | None], plausibility: Plausibility) -> Sequence:
    """``sequence``, whose last Call has ``new`` for the arguments of those names, or beside.

    One by a keyword that has None is left out.
    """
    call = sequence.calls[-1]
    names = plausibility.parameter_names(sequence, call)[: len(call.args)]
    args = list(call.args)
    for at, name in enumerate(names):
        args[at] = new.get(name) or args[at]
    kwargs = dict(call.kwargs) | {name: arg for name, arg in new.items() if name not in names}
    given = tuple([(name, arg) for name, arg in kwargs.items() if arg is not None])
    changed = replace(call, args=tuple(args), kwargs=given)
    return put_call(sequence, len(sequence) - 1, changed)


def _twins(arg: Arg) -> Iterator[Arg]:
    """The same content as an object of another class."""
    match arg:
        case Const(str() as text) if text.isascii():
            yield Const(text.encode())
        case Const(bytes() as text) if text.isascii():
            yield Const(text.decode())
        case TempPath():
            yield replace(arg, is_text=not arg.is_text)
        case Display("list" | "tuple" as kind, items):
            yield Display("tuple" if kind == "list" else "list", items)
