"""Sorts for parameters without a type, and attributes that objects have: found by trying.

Invariant: a sort is chosen for all such parameters of one operation together, from what its calls
on the first states came to; one that every call refuses by a TypeError or AttributeError is left.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from unitcraft.core.encoding import pack_call
from unitcraft.core.sequences import Ref
from unitcraft.infer.universe.class_operations import UNTYPED, Operation
from unitcraft.infer.universe.pools import UNTYPED_SORTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.core.sequences import Call
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.infer.universe.pools import Pools
    from unitcraft.subject.model import Parameter

#: What a call raises that was given the wrong kind of value.
MISUSE: Final = ("builtins:TypeError", "builtins:AttributeError")
#: The tag of an encoded value that cannot be compared.
OPAQUE: Final = "o"
#: Calls tried for one operation and one sort on one state.
MAX_TRIALS: Final = 4


def resolve_sorts(
    operations: Sequence[Operation], pools: Pools, starts: Sequence[Call], pool: Pool
) -> list[Operation]:
    """``operations`` with a sort for each parameter; those with too few values are left out."""
    found = []
    for operation in operations:
        if UNTYPED in operation.sorts:
            sorts = _accepted(operation, pools, starts, pool)
            if sorts is None:
                continue
            operation = replace(operation, sorts=sorts)  # noqa: PLW2901
        given = zip(operation.sorts, operation.given, strict=True)
        if all(_has_choice(pools, sort, one) for sort, one in given):
            found.append(operation)
    return found


def _has_choice(pools: Pools, sort: str, parameter: Parameter) -> bool:
    """Are there two values at least?  What holds for one value only says nothing of a variable.

    Where a user gave the values, they are what is meant.
    """
    pool = pools.pool(sort, parameter.type)
    known = len(pool.learned) + len(pool.fresh)
    return known > 1 or (known == 1 and sort.startswith(("=", "none")))


def present_attributes(
    attributes: Sequence[Operation], starts: Sequence[Call], pool: Pool
) -> list[Operation]:
    """Those of ``attributes`` that every new object has, with a value that can be compared."""
    found = []
    for one in attributes:
        looked = pack_call(one.call(Ref(0), ()))
        items = [((pack_call(start), looked), 0) for start in starts]
        replies = [reply.value for reply in pool.map("step", items)]
        if all(value and value[0] == "v" and value[1][0] != OPAQUE for value in replies):
            found.append(one)
    return found


def _accepted(
    operation: Operation, pools: Pools, starts: Sequence[Call], pool: Pool
) -> tuple[str, ...] | None:
    for sort in UNTYPED_SORTS:
        sorts = tuple(sort if one == UNTYPED else one for one in operation.sorts)
        columns = [
            pools.pool(name, one.type).learned
            for name, one in zip(sorts, operation.given, strict=True)
        ]
        if not all(columns):
            continue
        items = [
            ((pack_call(start), pack_call(operation.call(Ref(0), args))), 0)
            for start in starts
            for args in islice(product(*columns), MAX_TRIALS)
        ]
        replies = [reply.value for reply in pool.map("step", items)]
        if any(value and value[0] != "lost" and not is_misuse(value) for value in replies):
            return sorts
    return None


def is_misuse(value: tuple[object, ...]) -> bool:
    """Is it the answer of a call that was given the wrong kind of value?"""
    return value[0] == "x" and value[1] in MISUSE
