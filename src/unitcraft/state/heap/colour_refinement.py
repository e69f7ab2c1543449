"""An order for the objects in sets that depends on the shape of the heap alone.

Invariant: isomorphic heaps get corresponding ranks, whatever the addresses and the order of
hash tables: objects are ordered by colours refined until stable; members that stay alike are
individualised one after the other, and the ranks with the least form win.  A search that would
be too long says so, and its heap then equals no other: never a wrong merge.

Source: MCKAY, "refinement" and "individualisation"; *differs*: no automorphism pruning beyond
twins (members that only their sets reach, with private contents), and the search is bounded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from marshal import dumps
from typing import TYPE_CHECKING, Any, Final

from unitcraft.state.heap.atoms import token_of
from unitcraft.state.heap.class_plans import holds_set, plan_of
from unitcraft.state.heap.object_layout import mro_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    #: Complete ranking -> the form of the heap under it, for comparison.
    Form = Callable[[Mapping[int, int]], bytes]

#: Complete rankings that are tried for one heap; with more, it equals no other.
_MAX_FORMS: Final = 128

#: Objects of a heap that is refined, which costs more than linear time; a larger heap with objects
#: in sets equals no other.
_MAX_OBJECTS: Final = 5_000

#: The position of an unordered member.
_MEMBER: Final = -1


class TooSymmetric(Exception):  # noqa: N818
    """Telling the members of some set apart needs too long a search."""


@dataclass(slots=True)
class HeapGraph:
    """The objects of a heap by index, edges as (position, target); -1 for members of sets."""

    objects: list[Any] = field(default_factory=list)
    signatures: list[bytes] = field(default_factory=list)
    targets: list[list[tuple[int, int]]] = field(default_factory=list)
    sources: list[list[tuple[int, int]]] = field(default_factory=list)


def ranks_of(roots: tuple[object, ...], form: Form) -> Mapping[int, int]:
    """The rank by id for every object; members of one set have different ranks, or are twins.

    Raises TooSymmetric when no order was found within bounds.
    """
    graph = _build_graph(roots)
    best: tuple[bytes, Mapping[int, int]] | None = None
    pending, forms = [_refine(graph, _initial_colours(graph))], count(1)
    while pending:
        colours = pending.pop()
        tied = _tied_members(graph, colours)
        if tied:
            pending += [_refine(graph, _individualise(colours, index)) for index in tied]
            continue
        if next(forms) > _MAX_FORMS:
            raise TooSymmetric
        ranks = {id(value): colours[index] for index, value in enumerate(graph.objects)}
        found = form(ranks)
        if best is None or found < best[0]:
            best = (found, ranks)
    if best is None:
        raise TooSymmetric
    return best[1]


class _NoOrder(dict[int, int]):
    """Ranks that leave members as they come."""

    def __missing__(self, key: int) -> int:
        return 0


def _build_graph(roots: tuple[object, ...]) -> HeapGraph:
    """Every object reachable from ``roots``, in the order in which it is met."""
    graph, numbers = HeapGraph([roots]), {id(roots): 0}
    for value in graph.objects:
        header, children = plan_of(type(value))(value, _NoOrder())
        members = _member_count(value)
        leaves: list[Any] = [header]
        edges: list[tuple[int, int]] = []
        for position, child in enumerate(children):
            leaves.append(token_of(child))
            if leaves[-1] is None:
                if id(child) not in numbers:
                    numbers[id(child)] = len(graph.objects)
                    graph.objects.append(child)
                    if len(graph.objects) > _MAX_OBJECTS:
                        raise TooSymmetric
                edges.append((_MEMBER if position < members else position, numbers[id(child)]))
        graph.signatures.append(dumps(leaves, 2))
        graph.targets.append(edges)
    graph.sources = [[] for _ in graph.objects]
    for source, edges in enumerate(graph.targets):
        for place, target in edges:
            graph.sources[target].append((place, source))
    return graph


def _member_count(value: Any) -> int:
    """How many of the first children of ``value`` have no order."""
    if not holds_set(type(value)):
        return 0
    return set.__len__(value) if set in mro_of(type(value)) else frozenset.__len__(value)


def _initial_colours(graph: HeapGraph) -> list[int]:
    return _number(graph.signatures)


def _number(signatures: list[Any]) -> list[int]:
    """The position of each signature among the distinct ones in ascending order."""
    places = {signature: place for place, signature in enumerate(sorted(set(signatures)))}
    return [places[signature] for signature in signatures]


def _refine(graph: HeapGraph, colours: list[int]) -> list[int]:
    """The coarsest stable colouring below ``colours``."""
    while True:
        finer = _number(
            [
                (
                    colour,
                    tuple(sorted((at, colours[to]) for at, to in graph.targets[index])),
                    tuple(sorted((at, colours[by]) for at, by in graph.sources[index])),
                )
                for index, colour in enumerate(colours)
            ]
        )
        if max(finer) == max(colours):
            return finer
        colours = finer


def _individualise(colours: list[int], index: int) -> list[int]:
    """``colours`` with object ``index`` just before those it was alike."""
    return [2 * colour + (place != index) for place, colour in enumerate(colours)]


def _tied_members(graph: HeapGraph, colours: list[int]) -> list[int]:
    """Members of one set with one colour, one for each kind of twins; the least such colour."""
    least: tuple[int, list[int]] | None = None
    for edges in graph.targets:
        groups: dict[int, list[int]] = {}
        for place, target in edges:
            if place == _MEMBER:
                groups.setdefault(colours[target], []).append(target)
        for colour, group in groups.items():
            if (
                len(group) > 1
                and not _are_twins(graph, group)
                and (least is None or colour < least[0])
            ):
                least = (colour, group)
    return [] if least is None else least[1]


def _are_twins(graph: HeapGraph, group: list[int]) -> bool:
    """Would exchanging any two of ``group`` leave the heap as it is?"""
    first = sorted(graph.sources[group[0]])
    return all(
        sorted(graph.sources[index]) == first and _is_private(graph, index) for index in group
    )


def _is_private(graph: HeapGraph, index: int) -> bool:
    """Is everything below object ``index`` reached in one way only?"""
    below = [target for _, target in graph.targets[index]]
    while below:
        place = below.pop()
        if len(graph.sources[place]) > 1:
            return False
        below += [target for _, target in graph.targets[place]]
    return True
