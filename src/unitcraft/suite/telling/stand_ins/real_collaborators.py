"""Values of the language in place of stand-ins that do what such values do.

A stand-in that has ``get`` alone is a dictionary to its reader, one that has ``write``, and perhaps
``flush``, a file, one that has ``add`` a set: each is as cheap to make, and a test can say what is
in it afterwards.

Invariant: a variant differs from its Sequence in one stand-in, and in texts that are written as
bytes beside it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Sequence, Symbol
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE
from unitcraft.explore.search.variation.places import places, result_of
from unitcraft.subject.ducktypes.result_uses import ResultUses

#: Keys of a dictionary that are tried one at a time; more would cost runs.
MAX_KEYS: Final = 6
_DICT: Final = "get"
_FILE: Final = "write"
#: Method -> an empty container that has it.
_CONTAINERS: Final = {"add": Display("set", ()), "append": Display("list", ())}
_FILES: Final = (Build(Symbol("io", "StringIO")), Build(Symbol("io", "BytesIO")))
#: Members of files in memory, which what is written to may have beside.
_OF_FILES: Final = frozenset(dir(io.StringIO)) & frozenset(dir(io.BytesIO))
_FALSE: Final = (Const(None), Const(value=False), Const(""), Display("list", ()))


def real_collaborators(sequence: Sequence, uses: ResultUses) -> Iterator[Sequence]:
    """``sequence`` with a dictionary, a container or a file in memory for one stand-in."""
    for arg, put in places(sequence):
        held = dict(arg.kwargs) if isinstance(arg, Build) and arg.callee == NAMESPACE else {}
        if _FILE in held and _OF_FILES.issuperset(held):
            for file in _FILES:
                yield put(file)
                yield Sequence(tuple(map(_with_bytes, put(file).calls)))
        for name, function in held.items() if len(held) == 1 else ():
            if name == _DICT:
                yield from map(put, _tables(result_of(function), uses.keys))
            elif name in _CONTAINERS:
                yield put(_CONTAINERS[name])


def _tables(answer: Arg | None, keys: tuple[str, ...]) -> Iterator[Display]:
    """Dictionaries that answer so to one of the ``keys``, then to all."""
    if answer is None:
        return
    if answer in _FALSE:
        yield Display("dict", ())
        return
    shown = keys[:MAX_KEYS]
    for key in shown:
        yield Display("dict", (Const(key), answer))
    if len(shown) > 1:
        yield Display("dict", tuple([part for key in shown for part in (Const(key), answer)]))


def _with_bytes(call: Call) -> Call:
    """``call`` with bytes for its texts."""

    def changed(arg: Arg) -> Arg:
        text = arg.value if isinstance(arg, Const) else None
        return Const(text.encode()) if isinstance(text, str) and text.isascii() else arg

    args = tuple(map(changed, call.args))
    return Call(call.kind, call.name, args, call.kwargs, call.then)
