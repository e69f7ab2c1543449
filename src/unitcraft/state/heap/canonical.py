"""WholeState: the heap reachable from some roots, as a form that isomorphic heaps share.

Invariant: two forms are equal only if the heaps are isomorphic: same classes, same atoms
(class included: ``1``, ``True`` and ``1.0`` differ, so do ``0.0`` and ``-0.0``), same
aliasing and cycles between mutable objects, same order in ordered containers.  The other
direction holds too, except that an object whose state cannot be read (opaque: a
generator, a file, a thread, an unknown C object) makes the form unlike every other one, its
own next form included.  No code of the Subject runs: classes are taken with ``type``, fields
through the descriptors of the type.  The form depends neither on addresses nor on the
order of hash tables.

What does not count: the aliasing of immutable values (atoms, ``Decimal``, short tuples of
atoms), the order in which attributes were set, hash caches, and global state (classes,
functions and modules are named, not entered).

Source: ROSTRA, "Redundant Test Cases Defined" and "WholeState Representation"; linearisation by
first visit as published, in breadth-first order.
"""

from __future__ import annotations

from hashlib import blake2b
from marshal import dumps
from typing import TYPE_CHECKING, Any, Final

from unitcraft.state.heap.atoms import LEAVES, RAW
from unitcraft.state.heap.class_plans import PLANS, UNIQUE_COUNT, NeedsRanks, plan_of, unique_bytes
from unitcraft.state.heap.colour_refinement import TooSymmetric, ranks_of

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Bytes of a digest: a collision among a billion states has probability below 1e-20.
DIGEST_SIZE: Final = 16

#: Objects of a heap; a larger heap equals no other, because comparing would cost more than
#: exploring it again.
MAX_OBJECTS: Final = 100_000

#: The oldest marshal format with binary floats; later ones write references that depend on
#: reference counts and interning.
MARSHAL_VERSION: Final = 2

#: Stands for the next object that has not been met before.
_NEW: Final = ()

Token = Any  # RAW atom, header (bytes), tuple of a leaf, or (number,) of an object


class TooLarge(Exception):  # noqa: N818
    """The heap holds more objects than were allowed."""


def canonical(roots: tuple[object, ...]) -> bytes:
    """The digest of the heap reachable from ``roots``; equal for isomorphic heaps.

    Args:
        roots: the objects that count, in order; sharing between them counts as well.

    Returns:
        16 bytes, the same in every process on every machine.
    """
    return blake2b(dumps(tokens(roots), MARSHAL_VERSION), digest_size=DIGEST_SIZE).digest()


def digest_with_cost(
    roots: tuple[object, ...], most: int = MAX_OBJECTS
) -> tuple[bytes | None, int]:
    """(the digest of ``canonical``, or None for a heap unlike every other; tokens written).

    The tokens measure the work that was done; they depend on the heap alone.  A heap of more than
    ``most`` objects is unlike every other.
    """
    before = UNIQUE_COUNT[0]
    form = tokens(roots, most)
    if UNIQUE_COUNT[0] != before:
        return None, len(form)
    return blake2b(dumps(form, MARSHAL_VERSION), digest_size=DIGEST_SIZE).digest(), len(form)


def structure(roots: tuple[object, ...]) -> tuple[tuple[Token, ...], ...]:
    """The canonical form itself: one tuple for each object, the roots' own tuple first.

    Every tuple begins with its header (``b"module:Class(field,field)"``); the rest are atoms,
    ``()`` for the next object not yet mentioned, and ``(n,)`` for object number ``n``.
    """
    nodes: list[list[Token]] = []
    for token in tokens(roots):
        if type(token) is bytes:
            nodes.append([])
        nodes[-1].append(token)
    return tuple(tuple(node) for node in nodes)


def tokens(roots: tuple[object, ...], most: int = MAX_OBJECTS) -> list[Token]:
    """The canonical form as one flat list."""
    try:
        return _linearise(roots, None, most)
    except NeedsRanks:
        return _tokens_with_sets(roots)
    except TooLarge:
        return _unique_form(b"too large")


def _tokens_with_sets(roots: tuple[object, ...]) -> list[Token]:
    """The form of a heap with objects in sets: their order has to be found first."""
    try:
        ranks = ranks_of(roots, lambda ranks: dumps(_linearise(roots, ranks), MARSHAL_VERSION))
    except TooSymmetric:
        return _unique_form(b"too symmetric")
    return _linearise(roots, ranks)


def _unique_form(header: bytes) -> list[Token]:
    """A form that no other heap has."""
    return [header, ("unique", unique_bytes())]


def _linearise(
    roots: tuple[object, ...], ranks: Mapping[int, int] | None, most: int = MAX_OBJECTS
) -> list[Token]:
    """Number the objects by first visit, breadth first, and write each one's contents.

    ``ranks`` orders the objects inside sets (id -> position); without it NeedsRanks is
    raised where an order is needed.  Raises TooLarge.  One loop, one call for each object: this
    function is most of the cost of an exploration.
    """
    plan_for, leaf_for, raw = PLANS.get, LEAVES.get, RAW
    queue: list[Any] = [roots]
    numbers: dict[int, int] = {id(roots): 0}
    out: list[Token] = []
    append, push, number_of = out.append, queue.append, numbers.get
    for value in queue:
        kind = type(value)
        header, children = (plan_for(kind) or plan_of(kind))(value, ranks)
        append(header)
        for child in children:
            kind = type(child)
            if kind in raw:
                append(child)
                continue
            leaf = leaf_for(kind)
            if leaf is not None and (token := leaf(child)) is not None:
                append(token)
                continue
            number = number_of(id(child))
            if number is None:
                numbers[id(child)] = number = len(queue)
                push(child)
                append(_NEW)
                if number > most:
                    raise TooLarge
            else:
                append((number,))
    return out
