"""How the objects are made that laws speak of, and those that are passed.

Invariant: a Call that is kept returned in a guarded worker, and no two of one list made equal
objects; all of it follows from the description and the request.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from unitcraft.core.encoding import pack_call
from unitcraft.core.sequences import Arg, Call
from unitcraft.infer.universe.class_operations import OWN, sort_of
from unitcraft.infer.universe.configurations import (
    MAX_LEARNED,
    as_argument,
    configurations,
    drawn_configurations,
    far_configurations,
)
from unitcraft.infer.universe.pools import Pools
from unitcraft.infer.universe.typed_constructors import typed_constructor
from unitcraft.infer.universe.universes import evenly

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.infer.universe.class_operations import Operation
    from unitcraft.subject.model import Invocable, Subject

#: Different objects that a constructor has to make before some are passed as arguments: laws that
#: were tried on empty ones only are false on others.
MIN_OWN: Final = 6
#: Objects of another class that are passed.
MAX_OBJECTS: Final = 24


@dataclass(frozen=True, slots=True)
class MadeObjects:
    """The pools, and the constructor and its Calls: to learn from, to confirm with, far ones."""

    constructor: Invocable
    pools: Pools
    learned: list[Call]
    confirmed: list[Call]
    far: list[Call]


def make_objects(
    subject: Subject,
    constructor: Invocable,
    wanted: Sequence[Operation],
    pool: Pool,
    ints: Sequence[int],
    given: Mapping[str, tuple[Arg, ...]],
) -> MadeObjects:
    """The objects of the class of ``constructor``, and those that ``wanted`` are passed.

    ``ints`` and ``given`` are the values that a user gave.
    """
    pools = Pools(subject, ints, given)
    constructor = typed_constructor(constructor, wanted, pools, pool)
    called = [constructor, *(operation.invocable for operation in wanted)]
    sorts = {sort_of(one.type, constructor.owner) for each in called for one in each.parameters}
    objects = _objects_of(sorts, subject, pools, pool)
    pools = Pools(subject, ints, given, objects)
    pinned = [one.name for one in constructor.parameters if one.name in given]
    few = _different(configurations(constructor, pools, pinned, fresh=False), pool)
    working = [few[digest] for digest in list(few)[:MAX_LEARNED]]
    many = _different(configurations(constructor, pools, pinned, fresh=True), pool)
    rest = [call for digest, call in many.items() if few.get(digest) not in working]
    confirmed = [*working, *drawn_configurations(rest)]
    far = _different(far_configurations(constructor, pools, pinned), pool)
    others = [call for digest, call in far.items() if digest not in many]
    passed = confirmed if len(confirmed) >= MIN_OWN else [*confirmed, *others[:MIN_OWN]]
    if len(passed) >= MIN_OWN:
        objects[OWN] = list(map(as_argument, passed))
        nested = _nested(constructor, Pools(subject, ints, given, objects), pinned, pool)
        new = [call for digest, call in nested.items() if digest not in {**many, **far}]
        others += new
        objects[OWN] += map(as_argument, evenly(new, MAX_OBJECTS))
    return MadeObjects(
        constructor, Pools(subject, ints, given, objects), working, confirmed, others
    )


def _nested(
    constructor: Invocable, pools: Pools, pinned: Collection[str], pool: Pool
) -> dict[bytes, Call]:
    """Calls that pass the constructor objects of its own class, as the rest of a list."""
    sorts = {sort_of(one.type, constructor.owner) for one in constructor.parameters}
    return _different(far_configurations(constructor, pools, pinned), pool) if OWN in sorts else {}


def _objects_of(
    sorts: set[str], subject: Subject, pools: Pools, pool: Pool
) -> dict[str, list[Arg]]:
    """Objects of other classes of the module that are parameters, by their sorts."""
    found: dict[str, list[Arg]] = {}
    for one in subject.invocables:
        if one.kind == "constructor" and one.owner in sorts:
            few = _different(configurations(one, pools, (), fresh=False), pool)
            many = _different(configurations(one, pools, (), fresh=True), pool)
            calls = [*few.values(), *(call for key, call in many.items() if key not in few)]
            found[one.owner] = list(map(as_argument, evenly(calls, MAX_OBJECTS)))
    return found


def _different(calls: list[Call], pool: Pool) -> dict[bytes, Call]:
    """The first Call for each object that ``calls`` make, by its digest."""
    items = [(pack_call(call),) for call in calls]
    found: dict[bytes, Call] = {}
    for call, reply in zip(calls, pool.map("start", items), strict=True):
        if reply.failure is None and reply.value and reply.value[1]:
            found.setdefault(reply.value[1], call)
    return found
