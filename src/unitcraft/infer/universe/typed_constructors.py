"""Types for constructor parameters that have none: found by trying what the objects can do.

Invariant: a parameter is given a type only if objects made of other values fail at more operations
by a TypeError or AttributeError, whatever the other parameters are given.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

from unitcraft.core.encoding import pack_call
from unitcraft.core.sequences import Arg, Ref
from unitcraft.core.types import TypeExpr
from unitcraft.infer.universe.class_operations import OWN, UNTYPED, Operation, sort_of
from unitcraft.infer.universe.configurations import (
    UNTYPED_VALUES,
    as_argument,
    constructor_call,
)
from unitcraft.infer.universe.pools import UNTYPED_SORTS
from unitcraft.infer.universe.untyped import is_misuse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.infer.universe.pools import Pools
    from unitcraft.subject.model import Invocable, Parameter

#: Parameters without a type for which all choices of sorts are tried: 3 to the power of these.
MAX_OPEN: Final = 3


def typed_constructor(
    constructor: Invocable, operations: Sequence[Operation], pools: Pools, pool: Pool
) -> Invocable:
    """``constructor`` with a type for each needed parameter that has none, if only one works."""
    needed = [one for one in constructor.parameters if one.required]
    sorts = [sort_of(one.type, constructor.owner) for one in needed]
    if not 0 < sorts.count(UNTYPED) <= MAX_OPEN or OWN in sorts:
        return constructor
    choices = [UNTYPED_VALUES if sort == UNTYPED else (sort,) for sort in sorts]
    refused = {
        chosen: _refusals(
            constructor, dict(zip(needed, chosen, strict=True)), operations, pools, pool
        )
        for chosen in product(*choices)
    }
    least = min(refused.values())
    best = [chosen for chosen, count in refused.items() if count == least]
    types = {
        one.name: TypeExpr(found[0])
        for one, sort, found in zip(needed, sorts, zip(*best, strict=True), strict=True)
        if sort == UNTYPED and len(set(found)) == 1
    }
    parameters = (replace(p, type=types.get(p.name, p.type)) for p in constructor.parameters)
    return replace(constructor, parameters=tuple(parameters))


def _refusals(
    constructor: Invocable,
    sorts: dict[Parameter, str],
    operations: Sequence[Operation],
    pools: Pools,
    pool: Pool,
) -> int:
    """How many operations refuse an object that is made of values of ``sorts``."""
    made = {one.name: _example(pools, sort, one) for one, sort in sorts.items()}
    known = {name: arg for name, arg in made.items() if arg is not None}
    if len(known) < len(made):
        return len(operations) + 1
    start = constructor_call(constructor, list(sorts), known)
    items = []
    for one in operations:
        args = [
            as_argument(start) if sort == OWN else _example(pools, sort, parameter)
            for sort, parameter in zip(one.sorts, one.given, strict=True)
        ]
        given = [arg for arg in args if arg is not None]
        if len(given) == len(args):
            items.append(((pack_call(start), pack_call(one.call(Ref(0), given))), 0))
    replies = [reply.value for reply in pool.map("step", items)]
    return sum(not value or value[0] == "lost" or is_misuse(value) for value in replies)


def _example(pools: Pools, sort: str, parameter: Parameter) -> Arg | None:
    """A value of ``sort`` that is not empty: an empty one has nothing to refuse."""
    learned = pools.pool(UNTYPED_SORTS[0] if sort == UNTYPED else sort, parameter.type).learned
    return learned[len(learned) // 2] if learned else None
