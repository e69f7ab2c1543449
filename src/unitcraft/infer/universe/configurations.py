"""Constructor configurations: how objects of a class are made, to learn from and to confirm with.

Invariant: the first configuration passes required arguments only; the others change one argument
of it, small values first, so that a capacity given to the constructor is soon met.
"""

from __future__ import annotations

from itertools import islice, product
from math import isnan
from typing import TYPE_CHECKING, Final

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Arg, Build, Call, Symbol
from unitcraft.infer.universe.class_operations import OWN, UNTYPED, sort_of
from unitcraft.infer.universe.universes import drawn, evenly

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from unitcraft.infer.universe.pools import Pools
    from unitcraft.subject.model import Invocable, Parameter

#: Configurations to learn from, and to confirm with; each multiplies the states.
MAX_LEARNED: Final = 5
MAX_CONFIRMED: Final = 20
#: Those among them of which several arguments differ from their defaults, at random.
MAX_MIXED: Final = 24
#: Those for the last try to refute: all combinations of so many values of each parameter, as a
#: lower limit that equals an upper one and is negative is in no sample; then far values.
MAX_FAR: Final = 64
#: Combinations of which these are drawn: the first ones differ in their last arguments only.
MAX_PRODUCT: Final = 20_000
MAX_SMALL: Final = 6
#: Sorts of constructor parameters without a type, tried one after the other.
UNTYPED_VALUES: Final = ("int", "list", "str")

Arguments = dict[str, Arg]


def configurations(
    constructor: Invocable, pools: Pools, pinned: Collection[str], *, fresh: bool
) -> list[Call]:
    """Calls of ``constructor``; with ``fresh`` those of values that only confirming uses too."""
    given = [one for one in constructor.parameters
             if one.kind not in ("var_positional", "var_keyword")]  # fmt: skip
    needed = [one for one in given if one.required or one.name in pinned]
    optional = [one for one in given if one not in needed]
    columns = [_values(one, constructor.owner, pools, pinned, fresh) for one in needed]
    found: dict[str, Arguments] = {}
    names = [one.name for one in needed]
    for values in islice(product(*columns), 2 * MAX_CONFIRMED):
        base = dict(zip(names, values, strict=True))
        found.setdefault(repr(base), base)
    for base in list(found.values())[:1]:
        for varied in _variations(base, optional, constructor.owner, pools, fresh):
            found.setdefault(repr(varied), varied)
    if fresh and optional:
        everything = [_values(one, constructor.owner, pools, pinned, fresh) for one in given]
        for number in range(MAX_MIXED):
            mixed = _mixed(given, everything, pinned, number)
            found.setdefault(repr(mixed), mixed)
    return [constructor_call(constructor, given, one) for one in found.values()]


def drawn_configurations(calls: Sequence[Call]) -> list[Call]:
    """Some of ``calls``: of those with the fewest arguments at least half, if there are so many."""
    least = min((len(call.args) + len(call.kwargs) for call in calls), default=0)
    plain = [call for call in calls if len(call.args) + len(call.kwargs) == least]
    others = [call for call in calls if call not in plain]
    others = evenly(others, max(MAX_CONFIRMED // 2, MAX_CONFIRMED - len(plain)))
    return [*evenly(plain, MAX_CONFIRMED - len(others)), *others]


def far_configurations(constructor: Invocable, pools: Pools, pinned: Collection[str]) -> list[Call]:
    """Calls of ``constructor``: all of a few small values for each parameter, then far ones."""
    given = [one for one in constructor.parameters
             if one.kind not in ("var_positional", "var_keyword")]  # fmt: skip
    columns = [_values(one, constructor.owner, pools, pinned, True, far=True) for one in given]  # noqa: FBT003
    pairs = list(zip(given, columns, strict=True))
    if not all(column or not one.required for one, column in pairs):
        return []
    known = [(one.name, sorted(column, key=_magnitude)[:MAX_SMALL]) for one, column in pairs
             if column]  # fmt: skip
    every = list(islice(product(*[column for _, column in known]), MAX_PRODUCT))
    names = [name for name, _ in known]
    found = [dict(zip(names, values, strict=True)) for values in drawn(every, MAX_FAR)]
    found += [_mixed(given, columns, pinned, MAX_MIXED + number) for number in range(MAX_FAR // 2)]
    return [
        constructor_call(constructor, given, one)
        for one in {repr(one): one for one in found}.values()
    ]


def _magnitude(arg: Arg) -> tuple[bool, float]:
    """How far a number is from zero; other values come after numbers, in their places."""
    value = getattr(arg, "value", None)
    if not isinstance(value, int | float):
        return True, 0
    return False, 0 if isnan(value) else abs(value)


def _mixed(
    given: Sequence[Parameter],
    columns: Sequence[list[Arg]],
    pinned: Collection[str],
    number: int,
) -> Arguments:
    """A value for each parameter that has some, drawn at random; half of the optional ones."""
    chance = seeded_random(number, "configuration")
    return {
        one.name: chance.choice(column)
        for one, column in zip(given, columns, strict=True)
        if column and (one.required or one.name in pinned or chance.random() < 0.5)  # noqa: PLR2004 - a coin
    }


def _variations(
    base: Arguments,
    optional: Sequence[Parameter],
    owner: str,
    pools: Pools,
    fresh: bool,  # noqa: FBT001
) -> Iterator[Arguments]:
    """``base`` with one optional argument more, the parameters taking turns."""
    columns = [_values(one, owner, pools, (), fresh) for one in optional]
    for turn in range(max(map(len, columns), default=0)):
        for one, column in zip(optional, columns, strict=True):
            if turn < len(column):
                yield {**base, one.name: column[turn]}


def _values(
    one: Parameter,
    owner: str,
    pools: Pools,
    pinned: Collection[str],
    fresh: bool,  # noqa: FBT001
    *,
    far: bool = False,
) -> list[Arg]:
    """The values of a parameter; one without a type has some of each of a few sorts.

    Texts of several parts are among them.  Integers are most of them: an object that is given
    another value than it takes does nothing.  Objects of the class itself are given far from all.
    """
    sort = f"={one.name}" if one.name in pinned else sort_of(one.type, owner)
    if sort == OWN and not far:
        return []
    found: list[Arg] = []
    for name in UNTYPED_VALUES if sort == UNTYPED else (sort,):
        pool = pools.pool(name, one.type)
        found += pool.learned
        found += pools.composed(fresh=fresh) if name == sort == "str" else ()
        if name in (sort, UNTYPED_VALUES[0]):
            found += pool.fresh if fresh else ()
            found += pool.wide if far else ()
    return found


def constructor_call(
    constructor: Invocable, parameters: Sequence[Parameter], given: Arguments
) -> Call:
    """The Call: by position up to the first parameter that is left out."""
    args: list[Arg] = []
    named: list[tuple[str, Arg]] = []
    for one in parameters:
        if one.name not in given:
            continue
        by_place = len(args) == parameters.index(one) and one.kind != "keyword" and not named
        if by_place:
            args.append(given[one.name])
        else:
            named.append((one.name, given[one.name]))
    return Call("function", constructor.owner, tuple(args), tuple(named))


def as_argument(call: Call) -> Arg:
    """A constructor Call as an Arg: an object made in place."""
    module, _, qualname = call.name.partition(":")
    return Build(Symbol(module, qualname), call.args, call.kwargs)
