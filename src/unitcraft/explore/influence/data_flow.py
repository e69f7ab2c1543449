"""The data-flow check: can every call of a candidate sequence be linked with all others?

Calls are linked where one takes the result of another, or uses a variable of a module that
another defines.

Invariant: "no" is an answer only when every assignment of earlier results to slots was ruled out.

Source: JTESTCRAFT, section 4.3.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unitcraft.explore.influence.influence_matrix import InfluenceMatrix

#: Assignments of results to slots that are tried for one sequence: more of them count as "yes".
MAX_ASSIGNMENTS: Final = 512
#: In place of a producer: a call that is still to come in front of the sequence.
OPEN: Final = -1
_Option = tuple[int, ...]


def is_executable(matrix: InfluenceMatrix, calls: Sequence[int]) -> bool:
    """Has every required slot a call before it whose result fits?"""
    for place, one in enumerate(calls):
        for slot, fits in zip(matrix.rows[one].slots, matrix.fits[one], strict=True):
            if slot.required and not any(matrix.returns(each) & fits for each in calls[:place]):
                return False
    return True


def unfilled_slots(matrix: InfluenceMatrix, calls: Sequence[int]) -> tuple[int, ...]:
    """What fits the required slots that no call before them fills, as masks, each once."""
    found: dict[int, None] = {}
    made = 0
    for one in calls:
        for slot, fits in zip(matrix.rows[one].slots, matrix.fits[one], strict=True):
            if slot.required and not made & fits:
                found[fits] = None
        made |= matrix.returns(one)
    return tuple(found)


def union_of(masks: Sequence[int]) -> int:
    """All that one of ``masks`` has."""
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


def can_be_linked(matrix: InfluenceMatrix, calls: Sequence[int], *, complete: bool) -> bool:
    """May data flow between all of ``calls``; unless ``complete``, with calls in front of them?"""
    if len(calls) == 1:
        return not complete or is_executable(matrix, calls)
    fixed = [
        (first, other)
        for other in range(len(calls))
        for first in range(other)
        if matrix.are_linked_by_shared(calls[first], calls[other])
    ]
    users: list[int] = []
    options: list[list[_Option]] = []
    for place, one in enumerate(calls):
        for slot, fits in zip(matrix.rows[one].slots, matrix.fits[one], strict=True):
            found = [each for each in range(place) if matrix.returns(calls[each]) & fits]
            if slot.many:
                choice: list[_Option] = [(*found, *(() if complete else (OPEN,)))]
            else:
                choice = [(each,) for each in [*found, *([] if complete else [OPEN])]]
                choice += [()] if complete and not slot.required and not found else []
            if not choice:
                return False
            users.append(place)
            options.append(choice)
    tried = 0
    for chosen in islice(product(*options), MAX_ASSIGNMENTS):
        tried += 1
        if _is_linked(len(calls), fixed, users, chosen):
            return True
    return tried == MAX_ASSIGNMENTS


def _is_linked(
    count: int, fixed: Sequence[tuple[int, int]], users: Sequence[int], chosen: Sequence[_Option]
) -> bool:
    """Is the graph of calls connected, or has every part a slot that is still open?"""
    group = list(range(count))

    def head(one: int) -> int:
        while group[one] != one:
            one = group[one]
        return one

    for first, other in fixed:
        group[head(first)] = head(other)
    is_open = [False] * count
    for user, producers in zip(users, chosen, strict=True):
        for one in producers:
            if one == OPEN:
                is_open[user] = True
            else:
                group[head(one)] = head(user)
    heads = {head(one) for one in range(count)}
    if len(heads) == 1:
        return True
    opened = {head(one) for one in range(count) if is_open[one]}
    return heads == opened
