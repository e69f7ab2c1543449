"""Data for which an option changes what a test sees.

That ``read(path, expand=False)`` reads a file says nothing of ``expand`` unless the path has
something to be expanded; ``sort=True`` says nothing of one item.

Invariant: a variant differs from its Sequence in one argument that is not the option, and in the
variable of the environment that a text names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Call,
    Const,
    Display,
    Sequence,
    TempPath,
    renumber_call,
)
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.variation.places import Place, places, put_call

#: Variants tried for one option of a run: two runs each.
MAX_DATA: Final = 24
#: Texts of the code that are put into one text of the run.
MAX_TOKENS: Final = 8
#: Two lines: what code does with lines shows on no single one.
LINES: Final = Const("first line\nsecond line\n")
_TEXTS: Final = ("first line\nsecond line", " Pear, apple  FIG ", "pear pear apple")
_NUMBERS: Final = (Const(3), Const(1), Const(2), Const(3))
_WORDS: Final = tuple(map(Const, ("second", "first", "", "second")))
#: Kind of a container -> items of which options pick, sort or count some.
_ITEMS: Final[dict[str, tuple[tuple[Arg, ...], ...]]] = {
    "list": (_NUMBERS, _WORDS),
    "tuple": (_NUMBERS, _WORDS),
    "dict": ((Const("second"), Const(2), Const("first"), Const(1), Const("third"), Const(3)),),
}
#: Numbers with digits of which some are lost when they are rounded or cut.
_NUMBERS_OF: Final[dict[type, tuple[Const, ...]]] = {
    int: tuple(map(Const, (3, 12, 1234567, -3))),
    float: tuple(map(Const, (2.567, -1.25))),
}
#: The variable that a text names by ``$``, and its value.
_VARIABLE: Final = "NAME"
_VALUE: Final = "value"


@dataclass(frozen=True, slots=True)
class Option:
    """The parameter ``name`` of Call number ``position``, which may be left out and is given."""

    position: int
    name: str


def options_given(sequence: Sequence, plausibility: Plausibility) -> Iterator[Option]:
    """The options that the Calls of ``sequence`` give, those of the last Call first."""
    for position in range(len(sequence.calls) - 1, -1, -1):
        call = sequence.calls[position]
        made = plausibility.called(sequence, call)
        optional = {
            one.name for one in (made.parameters if made is not None else ())
            if not one.required and one.kind in ("positional", "keyword")
        }  # fmt: skip
        names = plausibility.parameter_names(sequence, call)[: len(call.args)]
        for name in (*names, *[name for name, _ in call.kwargs]):
            if name in optional:
                yield Option(position, name)


def without_option(sequence: Sequence, option: Option, plausibility: Plausibility) -> Sequence:
    """``sequence`` without the option; those that stand behind it are given by their names."""
    call = sequence.calls[option.position]
    names = plausibility.parameter_names(sequence, call)
    if option.name in names[: len(call.args)]:
        at = names.index(option.name)
        behind = zip(names[at + 1 :], call.args[at + 1 :], strict=False)
        shorter = replace(call, args=call.args[:at], kwargs=(*behind, *call.kwargs))
    else:
        kwargs = tuple([pair for pair in call.kwargs if pair[0] != option.name])
        shorter = replace(call, kwargs=kwargs)
    return put_call(sequence, option.position, shorter)


def telling_data(
    sequence: Sequence, options: tuple[Option, ...], tokens: tuple[str, ...]
) -> list[Sequence]:
    """Variants of ``sequence`` with other data beside the options; ``tokens`` are of the code."""
    found: dict[str, Sequence] = {}
    for arg, put in _data(sequence, options):
        for value in _telling(arg, tokens[:MAX_TOKENS]):
            one = put(value)
            if f"${_VARIABLE}" in repr(value):
                one = _with_variable(one)
            if one != sequence:
                found.setdefault(one.key, one)
    return list(islice(found.values(), MAX_DATA))


def _data(sequence: Sequence, options: tuple[Option, ...]) -> Iterator[Place]:
    """The places of arguments but those of the options and of surroundings."""
    kept = [arg for call in sequence.calls if call.kind == "arrange" for arg in call.args]
    for one in options:
        kept += [arg for name, arg in sequence.calls[one.position].kwargs if name == one.name]
    for arg, put in places(sequence):
        if not any(arg is one for one in kept):
            yield arg, put


def _telling(arg: Arg, tokens: tuple[str, ...]) -> Iterator[Arg]:
    """Values of the kind of ``arg`` on which options show."""
    if isinstance(arg, TempPath):
        yield from _telling_paths(arg, tokens)
    elif isinstance(arg, Display):
        yield from [Display(arg.kind, items) for items in _ITEMS.get(arg.kind, ())]
    elif isinstance(arg, Const) and isinstance(arg.value, str):
        inside = [f"pear{token}apple" for token in tokens]
        yield from map(Const, (*tokens, *inside, *_TEXTS))
    elif isinstance(arg, Const):
        yield from _NUMBERS_OF.get(type(arg.value), ())


def _telling_paths(path: TempPath, tokens: tuple[str, ...]) -> Iterator[TempPath]:
    """``path`` with lines to read, and with names that code may expand."""
    if path.content is not None and not isinstance(path.content, Const):
        return
    yield replace(path, content=LINES)
    _, dot, ending = path.name.rpartition(".")
    for token in tokens if dot else ():
        if "/" not in token:
            yield replace(path, name=f"{token}.{ending}")


def _with_variable(sequence: Sequence) -> Sequence:
    """``sequence`` after the variable that its texts name is set."""
    moved = {at: at + 1 for at in range(len(sequence))}
    arrange = Call("arrange", "setenv", (Const(_VARIABLE), Const(_VALUE)))
    return Sequence((arrange, *[renumber_call(call, moved) for call in sequence.calls]))
