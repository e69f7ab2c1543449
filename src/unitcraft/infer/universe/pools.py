"""Values of each sort of argument: a few to learn from, more to confirm with.

Invariant: the values for confirming hold those for learning, and then fresh ones: sentinels of
the code, neighbours, other lengths; what a user gave is used alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from string import ascii_lowercase
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from unitcraft.core.sequences import Arg, Const, Display, DisplayKind, Source
from unitcraft.infer.universe.class_operations import OWN, UNTYPED
from unitcraft.infer.universe.values import is_signal
from unitcraft.subject.values.value_pools import ValuePools

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.core.types import TypeExpr
    from unitcraft.subject.model import Constant, Subject

#: Values of a sort to learn from: rows grow with their power.
MAX_LEARNED: Final = 3
#: Objects of the class to learn from, evenly drawn: the first ones have an argument in common.
MAX_OWN: Final = 4
#: The same with those that refuted a law.
MAX_WITH_REFUTING: Final = 5
#: Constants of the code among the values for confirming, the first ones.
MAX_CONSTANTS: Final = 4
#: Separators of the code by which the texts that constructors take are made of parts.
MAX_SEPARATORS: Final = 2
#: Integers of the code beyond this take too many steps (a size, a count).
MAX_INTEGER: Final = 10_000


@dataclass(frozen=True, slots=True)
class SortPool:
    """Values of one sort; ``fresh`` are those that only confirming uses, ``wide`` far ones."""

    learned: tuple[Arg, ...]
    fresh: tuple[Arg, ...] = ()
    wide: tuple[Arg, ...] = ()


def _consts(*values: object) -> tuple[Arg, ...]:
    return tuple(Const(value) for value in values)  # type: ignore[arg-type]


def _lists(*rows: Sequence[object]) -> tuple[Arg, ...]:
    return tuple(Display("list", _consts(*row)) for row in rows)


#: Sorts of builtin values: those to learn from, and fresh ones.
_BUILTIN: Final[Mapping[str, SortPool]] = {
    "int": SortPool(_consts(0, 1, 2), _consts(-1, 3, 7, -5), _consts(4, 10, 37, 100, 250, -64)),
    "float": SortPool(
        _consts(0.5, 1.0, 2.5), _consts(-1.0, 0.0, 0.1, float("nan")), _consts(0.7, 1e16, -3.3)
    ),
    "str": SortPool(
        _consts("a", "b", ""), _consts("ab", "B", " ", "a-1"), _consts("x y", "0", "\u00e9", "a\n")
    ),
    "bytes": SortPool(_consts(b"a", b"b", b""), _consts(b"ab", b"\x00")),
    "bool": SortPool(_consts(False, True)),  # noqa: FBT003
    "none": SortPool(_consts(None)),
    "list": SortPool(
        _lists([], [0], [1, 0], [0, 0]),
        _lists([2], [1, 0, 1], [3, 1, 2], [0, 1, 2], [-1, 7], [1, 1, 1]),
        _lists([5, 4, 3, 2, 1], [7, 7], [2, 0, 2, 0, 1], [37, -5, 37]),
    ),
}
#: Types whose values are made of the same small integers as everything else, so that they meet.
_CONTAINERS: Final[Mapping[str, DisplayKind]] = {
    "list": "list", "iterable": "list", "sequence": "list", "vartuple": "tuple", "set": "set",
    "frozenset": "frozenset",
}  # fmt: skip
#: Sorts that a parameter without a type is tried with, the first that works for its operation.
UNTYPED_SORTS: Final = ("int", "str", OWN, "list", "callable")
_FUNCTIONS: Final = SortPool(
    (Source("lambda x: x"), Source("lambda x: not x"), Source("lambda x: [x]")),
    (Source("lambda x: None"),),
)


class Pools:
    """The pool of every sort (mutable: learning adds values that refuted a law).

    ``given`` are the values that a user gave, by parameter; ``ints`` the integers to learn from,
    ``objects`` what is passed where an object of a class is, by sort.
    """

    def __init__(
        self,
        subject: Subject,
        ints: Sequence[int],
        given: Mapping[str, tuple[Arg, ...]],
        objects: Mapping[str, Sequence[Arg]] = MappingProxyType({}),
    ) -> None:
        self._values = ValuePools(subject)
        self._constants = subject.constants
        self._known: dict[str, SortPool] = {f"={name}": SortPool(v) for name, v in given.items()}
        if ints:
            given_ints = _consts(*ints)
            rest = tuple(one for one in _all("int") if one not in given_ints)
            fresh = tuple(_unique((*self._of_code(int), *rest), given_ints))
            self._known["int"] = SortPool(given_ints, fresh, self._far_integers())
        for sort, known in objects.items():
            most = MAX_OWN if sort == OWN else MAX_LEARNED
            few = tuple(known[place * len(known) // most] for place in range(most)) if known else ()
            self._known[sort] = SortPool(few, tuple(_unique(known, few)))
        self._known["callable"] = _FUNCTIONS

    def pool(self, sort: str, type_: TypeExpr | None = None) -> SortPool:
        """The values of ``sort``; empty when nothing is known of it."""
        if sort not in self._known:
            self._known[sort] = self._made(sort, type_)
        return self._known[sort]

    def composed(self, *, fresh: bool) -> tuple[Arg, ...]:
        """Texts of several parts, for objects that take them apart; more of them with ``fresh``."""
        constants = self._of_code(str, len(self._constants))
        texts = [one.value for one in constants if isinstance(one, Const)]
        marks = [" ", *(one for one in texts if isinstance(one, str) and _is_separator(one))]
        marks = list(dict.fromkeys(marks))[:MAX_SEPARATORS]
        rows = ("baa", "abbb", "aaaa", "bab") if fresh else ("baa",)
        return _consts(*(mark.join(row) for row in rows for mark in marks))

    def learn(self, sort: str, arg: Arg) -> None:
        """``arg``, which refuted a law, is a value to learn from from now on."""
        pool = self._known[sort]
        if arg in pool.fresh and len(pool.learned) < MAX_WITH_REFUTING:
            fresh = tuple(one for one in pool.fresh if one != arg)
            self._known[sort] = SortPool((*pool.learned, arg), fresh, pool.wide)

    def _made(self, sort: str, type_: TypeExpr | None) -> SortPool:
        if sort in _BUILTIN:
            pool = _BUILTIN[sort]
            kind = {"int": int, "str": str, "float": float}.get(sort)
            constants = self._of_code(kind) if kind is not None else ()
            fresh = (*constants, *pool.fresh)
            wide = self._far_integers() if kind is int else pool.wide
            return SortPool(pool.learned, tuple(_unique(fresh, pool.learned)), wide)
        if type_ is None or sort == UNTYPED:
            return SortPool(())
        if type_.name == "union":
            kinds = dict.fromkeys(_CONTAINERS[p.name] for p in type_.args if p.name in _CONTAINERS)
            if kinds:
                return _mixed([_rebuilt(_BUILTIN["list"], kind) for kind in kinds])
        if type_.name in _CONTAINERS and all(one.name in ("any", "int") for one in type_.args):
            return _rebuilt(_BUILTIN["list"], _CONTAINERS[type_.name])
        found = self._values.values(type_, limit=4 * MAX_LEARNED)
        found = tuple(one for one in found if not _is_unordered(one) and not is_signal(one))
        found = found[: 3 * MAX_LEARNED]
        total = [one for one in _total_functions(type_) if one not in found]
        return SortPool(found[:MAX_LEARNED], (*found[MAX_LEARNED:], *total))

    def _far_integers(self) -> tuple[Arg, ...]:
        """Integers far from those learned from, and the neighbours of limits in the code."""
        limits = [one.value for one in self._of_code(int) if isinstance(one, Const)]
        beside = [limit + step for limit in limits if isinstance(limit, int) for step in (-1, 1)]
        return tuple(_unique((*_BUILTIN["int"].wide, *_consts(*beside)), ()))

    def _of_code(self, kind: type, most: int = MAX_CONSTANTS) -> tuple[Arg, ...]:
        """The constants of the code of that class, and integers' negatives: -1 is written so."""
        found: list[Arg] = []
        for constant in self._constants:
            found += _as_args(constant, kind)
        return tuple(_unique(found, ()))[:most]


def _total_functions(type_: TypeExpr) -> list[Arg]:
    """Functions of that type that take anything: a predicate, and one that hides nothing."""
    if type_.name != "callable" or not type_.args:
        return []
    names = ascii_lowercase[: len(type_.args) - 1]
    known: list[Arg] = [Source(f"lambda {', '.join(names)}: not {names[-1]}")] if names else []
    if names and type_.args[-1].name == "any":
        known.append(Source(f"lambda {', '.join(names)}: [{', '.join(names)}]"))
    return known


def _mixed(pools: Sequence[SortPool]) -> SortPool:
    """The values of all ``pools``, taking turns.

    A set has each item once: where there are lists, those with an item twice come early.
    """
    rows = list(zip_longest(*[pool.learned for pool in pools]))
    turns = [row[place % len(row)] for place, row in enumerate(rows)]
    every = [one for row in rows for one in row if one is not None]
    learned = _unique([one for one in turns if one is not None], ())
    learned += _unique(every, learned)
    fresh = [one for pool in pools for one in pool.fresh]
    wide = [one for pool in pools for one in pool.wide]
    rest = [*learned[MAX_WITH_REFUTING:], *fresh]
    return SortPool(tuple(learned[:MAX_WITH_REFUTING]), tuple(rest), tuple(wide))


def _rebuilt(pool: SortPool, kind: DisplayKind) -> SortPool:
    """The lists of ``pool`` as containers of another kind."""
    alone = kind in ("set", "frozenset")
    parts = (
        tuple(
            Display(kind, tuple(dict.fromkeys(one.items)) if alone else one.items)
            for one in args
            if isinstance(one, Display)
        )
        for args in (pool.learned, pool.fresh, pool.wide)
    )
    return SortPool(*(tuple(_unique(part, ())) for part in parts))


def _as_args(constant: Constant, kind: type) -> list[Arg]:
    value = constant.value
    if type(value) is not kind:
        return []
    if isinstance(value, int):
        return [Const(value)] if abs(value) <= MAX_INTEGER else []
    return [Const(value)]


def _is_separator(text: str) -> bool:
    """Is it one mark, perhaps with spaces around it?"""
    return len(text.strip() or text) == 1 and not any(map(str.isalnum, text))


def _is_unordered(arg: Arg) -> bool:
    """Is it a set of texts, whose order depends on the hash seed?"""
    return (
        isinstance(arg, Display)
        and arg.kind in ("set", "frozenset")
        and sum(isinstance(getattr(item, "value", 0), (str, bytes)) for item in arg.items) > 1
    )


def _all(sort: str) -> tuple[Arg, ...]:
    pool = _BUILTIN[sort]
    return (*pool.learned, *pool.fresh)


def _unique(args: Sequence[Arg], without: Sequence[Arg]) -> list[Arg]:
    """``args`` without repetitions (1 and True are two) and without those in ``without``."""
    seen = {repr(arg) for arg in without}
    found = []
    for arg in args:
        if repr(arg) not in seen:
            seen.add(repr(arg))
            found.append(arg)
    return found
