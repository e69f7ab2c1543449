"""Inputs of random programs: shapes whose atoms are followed, with small domains.

A shape is the name of an atom ("int", "float", "str", "bytes") or a tuple: ("list", *shapes),
("tuple", *shapes), ("dict", *pairs of shapes).  Values of a program are given as the flat tuple
of its atoms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies.int_float import sym_float, sym_int
from unitcraft.symbolic.proxies.strings import sym_bytes, sym_str
from unitcraft.symbolic.terms.term import variable

if TYPE_CHECKING:
    from random import Random

INFINITE = float("inf")

DOMAINS = {
    "int": (0, 1, 2, 3, -1, -2, 5, 7, -4, 10, 65, 300),
    "float": (0.0, -0.0, 1.0, 2.0, -1.5, 0.5, 2.5, 3.0, 1e17, INFINITE, -INFINITE, float("nan")),
    "str": (
        "",
        "a",
        "b",
        "ab",
        "A",
        " a",
        "12",
        "-3",
        "x=1",
        "a,b",
        "aba",
        "é",
        "1.5",
        "0",
        '{"a": 1}',
        '[2, {"a": "b"}]',
    ),
    "bytes": (b"", b"a", b"b", b"ab", b"12", b" a", b"a,b", b"\xff"),
}
MAKERS = {"int": sym_int, "float": sym_float, "str": sym_str, "bytes": sym_bytes}

Shape = Any


def atoms(shape: Shape) -> list[str]:
    """The atoms of ``shape`` from left to right."""
    if isinstance(shape, str):
        return [shape]
    return [atom for part in shape[1:] for atom in atoms(part)]


def build(shape: Shape, flat: Iterator[Any]) -> Any:
    """The argument of ``shape`` from atoms, proxies or not."""
    if isinstance(shape, str):
        return next(flat)
    parts = [build(part, flat) for part in shape[1:]]
    if shape[0] == "list":
        return parts
    if shape[0] == "tuple":
        return tuple(parts)
    return intercepts.dict_display(*parts)


def proxies(shapes: tuple[Shape, ...], values: tuple[Any, ...]) -> Iterator[Any]:
    """The atoms as proxies, numbered from 0."""
    kinds = [atom for shape in shapes for atom in atoms(shape)]
    for number, (kind, value) in enumerate(zip(kinds, values, strict=True)):
        yield MAKERS[kind](value, variable(number))


def separate(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """``values`` with an own object for each NaN: what is one NaN twice equals itself in a list."""
    fresh = [float("nan") if str(value) == "nan" else value for value in values]
    return tuple([fresh[n] if type(value) is float else value for n, value in enumerate(values)])


def drawn(shapes: tuple[Shape, ...], random: Random) -> tuple[Any, ...]:
    """Values for all atoms."""
    kinds = [atom for shape in shapes for atom in atoms(shape)]
    return tuple([random.choice(DOMAINS[kind]) for kind in kinds])


def varied(shapes: tuple[Shape, ...], values: tuple[Any, ...], random: Random) -> tuple[Any, ...]:
    """``values`` with one or two atoms drawn anew."""
    kinds = [atom for shape in shapes for atom in atoms(shape)]
    made = list(values)
    for _ in range(random.choice((1, 1, 2))):
        place = random.randrange(len(kinds))
        made[place] = random.choice(DOMAINS[kinds[place]])
    return tuple(made)


def mentions(term: Any) -> bool:
    """Does ``term`` depend on an input?"""
    if type(term) is not tuple:
        return False
    return term[0] == "v" or any(map(mentions, term[1:]))


def public(kind: type) -> str:
    """The name of the class that stands for ``kind`` in plain runs."""
    if kind.__module__.startswith("unitcraft."):
        return next(base.__name__ for base in kind.__mro__ if base.__module__ != kind.__module__)
    return kind.__name__


def elements(values: Any) -> list[Any]:
    """The elements of a set, without a trace."""
    kind = frozenset if isinstance(values, frozenset) else set
    return list(kind.__iter__(values))
