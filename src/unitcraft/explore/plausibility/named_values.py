"""Values that have a name inside an argument: under a key of a mapping, as a keyword.

What code looks up under ``"url"`` is mostly a text, whoever made the mapping; of what no name
speaks for, texts are the commonest (of 700 parameters of builtin types whose names no table knows,
in 30 typed projects, 237 take a text, 108 a truth value and 97 a number).  The words that we choose
for keys ourselves are no names.

Invariant: the burden of an argument depends on it alone, and is 0 where nothing in it has a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, arg_key
from unitcraft.explore.execution import TYPICAL_WORDS
from unitcraft.explore.plausibility.parameter_names import type_of_name
from unitcraft.subject.ducktypes.kind_support import kind_of, kind_of_type

#: What a value costs that is not of the kind that its name speaks for: more than a plain text.
OTHER_KIND: Final = 12
#: What None, a number or a container costs where the name says nothing: a plain text less one.
NO_TEXT: Final = 5

#: Key -> the kind of what the module keeps under it in its records.
Kinds = Mapping[str, str]
NO_KINDS: Final[Kinds] = MappingProxyType({})

_RARE: Final = ("NoneType", "int", "float", "list", "tuple", "set", "dict")

#: Kind -> a plain value of it.
_PLAIN: Final[dict[str, Arg]] = {
    "str": Const("abc"), "int": Const(1), "float": Const(1.5), "bool": Const(value=True),
    "list": Display("list", (Const("abc"),)), "dict": Display("dict", ()),
}  # fmt: skip


def burden_of_names(arg: Arg, kinds: Kinds = NO_KINDS) -> int:
    """What the named values inside ``arg`` add to the cost of reading it, in characters."""
    return sum(_burden(name, value, kinds) for name, value in _named_values(arg, kinds))


def speaks_for(name: str, value: Arg) -> bool:
    """Is ``value`` of the kind that the name speaks for?"""
    wanted = type_of_name(name)
    return wanted is not None and kind_of(value) == kind_of_type(wanted)


def meant(name: str, kinds: Kinds = NO_KINDS) -> Arg:
    """A plain value for what is called ``name``: of the kind that it speaks for, else a text."""
    return _PLAIN.get(_wanted(name, kinds), _PLAIN["str"])


def better_named(arg: Arg, kinds: Kinds = NO_KINDS) -> Iterator[Arg]:
    """``arg`` with what its names mean in place of odd values in it: of all, then of each."""
    odd = [pair for pair in _named_values(arg, kinds) if _burden(*pair, kinds)]
    for chosen in (odd, *([one] for one in odd)) if len(odd) > 1 else (odd,) if odd else ():
        yield _with_meant(arg, chosen, kinds)


def _wanted(name: str, kinds: Kinds) -> str:
    """The kind that the module keeps under the name, else that for which it speaks, or ''."""
    wanted = type_of_name(name)
    return kinds.get(name) or (kind_of_type(wanted) if wanted is not None else "")


def _with_meant(arg: Arg, odd: list[tuple[str, Arg]], kinds: Kinds) -> Arg:
    """``arg``, in which those of ``odd`` have other values."""

    def new(name: str, value: Arg) -> Arg:
        is_odd = (name, value) in odd
        return meant(name, kinds) if is_odd else _with_meant(value, odd, kinds)

    match arg:
        case Display("dict", items):
            keys = [one.value if isinstance(one, Const) else None for one in items[::2]]
            pairs = zip(items[::2], keys, items[1::2], strict=False)
            return Display(
                "dict",
                tuple([part for one, key, value in pairs for part in (one, new(str(key), value))]),
            )
        case Build(callee, args, kwargs):
            named = tuple([(name, new(name, value)) for name, value in kwargs])
            return Build(callee, tuple([_with_meant(one, odd, kinds) for one in args]), named)
        case Display(kind, items):
            return Display(kind, tuple([_with_meant(one, odd, kinds) for one in items]))
    return arg


def _burden(name: str, value: Arg, kinds: Kinds) -> int:
    wanted, kind = _wanted(name, kinds), kind_of(value)
    if wanted and kind and kind != "NoneType":
        return OTHER_KIND * (kind != wanted)
    return NO_TEXT if kind in _RARE else 0


def _named_values(arg: Arg, kinds: Kinds) -> Iterator[tuple[str, Arg]]:
    """(name, value) for what has a name in ``arg``.

    A table of different values has no names, unless the module keeps something under one.
    """
    match arg:
        case Display("dict", items):
            known = any(isinstance(key, Const) and key.value in kinds for key in items[::2])
            if known or not _is_table(items[1::2]):
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
        yield from _named_values(one, kinds)


def _is_name(key: object) -> bool:
    """Does the code look for the key, as it is no example of ours?"""
    return isinstance(key, str) and len(key) > 1 and key not in TYPICAL_WORDS


def _is_table(values: tuple[Arg, ...]) -> bool:
    """Are these several values of one kind, each another?"""
    keys = {arg_key(one) for one in values}
    return 1 < len(values) == len(keys) and len({kind_of(one) for one in values}) == 1
