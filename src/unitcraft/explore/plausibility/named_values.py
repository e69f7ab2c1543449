"""Values that have a name inside an argument: under a key of a mapping, as a keyword.

What code looks up under ``"url"`` is mostly a text, whoever made the mapping; of what no name
speaks for, texts are the commonest (of 700 parameters of builtin types whose names no table knows,
in 30 typed projects, 237 take a text, 108 a truth value and 97 a number).  The words that we choose
for keys ourselves are no names.

Invariant: the burden of an argument depends on it alone, and is 0 where nothing in it has a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, arg_key
from unitcraft.explore.execution import TYPICAL_WORDS
from unitcraft.explore.plausibility.parameter_names import type_of_name
from unitcraft.subject.ducktypes.kind_support import kind_of, kind_of_type

#: What a value costs that is not of the kind that its name speaks for: more than a plain text.
OTHER_KIND: Final = 12
#: What None or a number costs where the name says nothing, in characters: a plain text less one.
NO_TEXT: Final = 5


def burden_of_names(arg: Arg) -> int:
    """What the named values inside ``arg`` add to the cost of reading it, in characters."""
    return sum(_burden(name, value) for name, value in _named_values(arg))


def speaks_for(name: str, value: Arg) -> bool:
    """Is ``value`` of the kind that the name speaks for?"""
    wanted = type_of_name(name)
    return wanted is not None and kind_of(value) == kind_of_type(wanted)


def _burden(name: str, value: Arg) -> int:
    wanted, kind = type_of_name(name), kind_of(value)
    if wanted is not None and kind and kind != "NoneType":
        return OTHER_KIND * (kind != kind_of_type(wanted))
    return NO_TEXT if kind in ("NoneType", "int", "float") else 0


def _named_values(arg: Arg) -> Iterator[tuple[str, Arg]]:
    """(name, value) for what has a name in ``arg``; a table of different values has no names."""
    match arg:
        case Display("dict", items):
            if not _is_table(items[1::2]):
                for key, value in zip(items[::2], items[1::2], strict=False):
                    if isinstance(key, Const) and _is_name(key.value):
                        yield str(key.value), value
            inside = items[1::2]
        case Build(_, args, kwargs):
            yield from kwargs
            inside = (*args, *[value for _, value in kwargs])
        case Display(_, items):
            inside = items
        case _:
            inside = ()
    for one in inside:
        yield from _named_values(one)


def _is_name(key: object) -> bool:
    """Does the code look for the key, as it is no example of ours?"""
    return isinstance(key, str) and len(key) > 1 and key not in TYPICAL_WORDS


def _is_table(values: tuple[Arg, ...]) -> bool:
    """Are these several values of one kind, each another?"""
    keys = {arg_key(one) for one in values}
    return 1 < len(values) == len(keys) and len({kind_of(one) for one in values}) == 1
