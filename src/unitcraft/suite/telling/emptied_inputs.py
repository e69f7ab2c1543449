"""Files and containers that hold nothing before where code only puts something into them.

A file that is written to is empty, so that all of it was written: ``rule = []`` shows what a
function appends to it, ``rule = ["second", "first", "third"]`` three items beside.

Invariant: a variant differs from its Sequence in what files in memory or containers hold.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.sequences import Arg, Build, Display, Sequence, Symbol, arguments
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.subject.model import ParameterUse
from unitcraft.suite.telling.telling_values import changed

#: Files in memory.
BUFFERS: Final = (Symbol("io", "StringIO"), Symbol("io", "BytesIO"))
#: What is done with a container of which nothing is asked.
_PUTTING: Final = frozenset({"append", "extend", "insert", "add", "appendleft"})
_SILENT: Final = frozenset({"setitem", "pass"})


def with_empty_buffers(sequence: Sequence) -> Sequence | None:
    """``sequence`` with nothing in its files in memory; None where there is nothing in any."""
    found = changed(sequence, lambda arg, _: _emptied(arg), lambda _: ())
    return None if found == sequence else found


def _emptied(arg: Arg) -> Arg:
    return Build(arg.callee) if isinstance(arg, Build) and arg.callee in BUFFERS else arg


def buffered_texts(sequence: Sequence) -> list[Arg]:
    """What stands in the files in memory that ``sequence`` makes."""
    given = [arg for call in sequence.calls for arg in arguments(call)]
    made = [arg for arg in given if isinstance(arg, Build) and arg.callee in BUFFERS]
    return [text for arg in made for text in arg.args]


def with_empty_containers(sequence: Sequence, plausibility: Plausibility) -> Sequence | None:
    """``sequence`` with nothing in the containers that code only puts into; None without such."""
    only_given: set[str] = set()
    for call in sequence.calls:
        invocable = plausibility.called(sequence, call)
        known = plausibility.evidence(invocable) if invocable is not None else {}
        only_given.update(name for name, one in known.items() if _is_only_given(one.uses, name))

    def emptied(arg: Arg, name: str) -> Arg:
        return Display(arg.kind, ()) if name in only_given and isinstance(arg, Display) else arg

    found = changed(
        sequence,
        emptied,
        lambda at: plausibility.parameter_names(sequence, sequence.calls[at]),
    )
    return None if found == sequence else found


def _is_only_given(uses: tuple[ParameterUse, ...], name: str) -> bool:
    """Does code nothing with the container ``name`` but put something into it?"""
    own = [use for use in uses if use.path == name]
    given = [use.operation == "setitem" or use.operand in _PUTTING for use in own]
    return any(given) and all(
        put or use.operation in _SILENT for put, use in zip(given, own, strict=True)
    )
