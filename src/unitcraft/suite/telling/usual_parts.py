"""Parts of a run in whose place the usual run of its function has something else.

A test that raises and differs from the usual one in all it gives does not say which of it matters.
Where it reaches what it is kept for with the usual argument too, it had better have that one; so
had any test with what is arranged for it, and with the objects that it is made with.

Invariant: a variant differs from its Sequence in arguments that a returning run gives at that
place, and is not much longer to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from unitcraft.core.goals import Goal
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Sequence,
    arg_key,
    refs_in,
)
from unitcraft.explore.execution import Execution, cost, weight
from unitcraft.explore.search.variation.places import put_call, set_keyword

#: Parts of one run that are exchanged: a bound for long arrangements.
MAX_PARTS: Final = 8
#: Rounds in which parts are exchanged: in the second those that can be beside the first.
MAX_ROUNDS: Final = 2
#: Characters by which what is usual may be longer than what it replaces.
MAX_LONGER: Final = 8
#: Digits by which a number may be longer.
MAX_DIGITS: Final = 1
#: What shows nothing of its kind.
_EMPTY: Final[tuple[Arg, ...]] = (
    Const(""), Const(b""), *[Display(kind, ()) for kind in ("list", "tuple", "set", "dict")],
)  # fmt: skip
#: What is called: of the Call that a run is about its Invocable, of others the kind and the name.
_Place = tuple[object, ...]
#: Executions, each with the Goals that it is kept for.
_Selection = list[tuple[Execution, tuple[Goal, ...]]]
#: A selection and variants of its runs, by their keys, the best first -> the selection with them.
Replace = Callable[[_Selection, Mapping[str, list[Sequence]]], _Selection]


class _Part(NamedTuple):
    """Argument ``place`` of Call ``position``, or what it is given as ``name``, and the usual."""

    position: int
    place: int
    name: str
    usual: Arg


def with_usual_parts(chosen: _Selection, replace: Replace) -> _Selection:
    """``chosen``, of which each run has what is usual wherever it needs nothing else."""
    for _ in range(MAX_ROUNDS):
        usual = usual_calls(run for run, _ in chosen)
        taken = {run.sequence.key for run, _ in chosen}
        variants = {
            run.sequence.key: [one for one in usual_variants(run, usual) if one.key not in taken]
            for run, _ in chosen
        }
        if not any(variants.values()):
            break
        chosen = replace(chosen, variants)
    return chosen


def usual_calls(runs: Iterable[Execution]) -> dict[_Place, Call]:
    """What the run that returns calls, for each place of a Call: of the broadest the plainest."""
    found: dict[_Place, Call] = {}
    returned = [run for run in runs if run.failed is None]
    for run in sorted(returned, key=lambda run: (-len(set(run.last_hits)), cost(run.sequence))):
        for at, call in enumerate(run.sequence.calls):
            found.setdefault(_place(run, at), call)
    return found


def _place(run: Execution, at: int) -> _Place:
    calls = run.sequence.calls
    call = calls[at]
    if at == len(calls) - 1:
        return (run.invocable, call.kind, call.name)
    return (call.kind, call.name, *(call.args[:1] if call.kind == "arrange" else ()))


def usual_variants(run: Execution, usual: Mapping[_Place, Call]) -> Iterator[Sequence]:
    """``run`` with all parts but one exchanged, then with a half of them, then with one."""
    parts = list(islice(_parts(run, usual), MAX_PARTS))
    sets: list[list[_Part]] = []
    if len(parts) > 1:
        sets += [[one for one in parts if one is not kept] for kept in parts]
    if len(parts) > 3:  # noqa: PLR2004 - halves of more than one
        middle = len(parts) // 2
        sets += [parts[:middle], parts[middle:]]
    sets += [[one] for one in parts] if len(parts) != 2 else []  # noqa: PLR2004 - they are above
    for exchanged in sets:
        sequence = run.sequence
        for part in exchanged:
            sequence = _exchanged(sequence, part)
        yield sequence


def _parts(run: Execution, usual: Mapping[_Place, Call]) -> Iterator[_Part]:
    """The places of ``run`` at which the usual Call has another argument, the last Call first.

    What the last Call of a run that returns is given is what its test is about.
    """
    last = len(run.sequence) - 1
    for position in range(last if run.failed is not None else last - 1, -1, -1):
        call = run.sequence.calls[position]
        other = usual.get(_place(run, position))
        if other is None or call.kind == "define" or call == other:
            continue
        pairs = zip(call.args, other.args, strict=False)
        for index, (arg, new) in enumerate(pairs):
            yield from _part(position, index, arg, new)
        for index, (name, arg) in enumerate(call.kwargs):
            new_one = dict(other.kwargs).get(name)
            yield from _part(position, len(call.args) + index, arg, new_one)


def _part(position: int, index: int, arg: Arg, new: Arg | None) -> Iterator[_Part]:
    """The argument, or those of a value that both make by the same class."""
    if new is None or arg_key(arg) == arg_key(new) or refs_in(arg) or refs_in(new):
        return
    if isinstance(arg, Build) and isinstance(new, Build) and arg.callee == new.callee:
        others = dict(new.kwargs)
        named = [(name, one, others[name]) for name, one in arg.kwargs if name in others]
        if named and arg.args == new.args:
            for name, one, other in named:
                if arg_key(one) != arg_key(other) and _is_short(one, other):
                    yield _Part(position, index, name, other)
            return
    if _is_short(arg, new):
        yield _Part(position, index, "", new)


def _is_short(arg: Arg, new: Arg) -> bool:
    """Is ``new`` not much longer, and no empty value in place of one that shows something?

    A number of more digits is no more usual than another: a seed, a limit.  Nor is a negative one
    in place of a positive, or another value of a class that is made of a text or numbers.
    """
    longer = MAX_LONGER
    if isinstance(arg, Build) and isinstance(new, Build) and arg.callee == new.callee:
        longer = 0
    elif isinstance(arg, Const) and isinstance(new, Const) and _is_number(arg) and _is_number(new):
        longer = MAX_DIGITS if repr(new.value)[0] != "-" else 0
    return weight(new) <= weight(arg) + longer and (new not in _EMPTY or arg in _EMPTY)


def _is_number(arg: Arg) -> bool:
    return isinstance(arg, Const) and type(arg.value) in (int, float)


def _exchanged(sequence: Sequence, part: _Part) -> Sequence:
    call = sequence.calls[part.position]
    new, size = part.usual, len(call.args)
    args, kwargs = list(call.args), list(call.kwargs)
    old = args[part.place] if part.place < size else kwargs[part.place - size][1]
    if part.name and isinstance(old, Build):
        names = [name for name, _ in old.kwargs]
        new = set_keyword(old, names.index(part.name))(new)
    if part.place < size:
        args[part.place] = new
    else:
        kwargs[part.place - size] = (kwargs[part.place - size][0], new)
    changed = Call(call.kind, call.name, tuple(args), tuple(kwargs), call.then)
    return put_call(sequence, part.position, changed)
