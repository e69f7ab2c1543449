"""Infers a representation invariant from the objects that calls make.

Conditions on shapes (``heaps.shape_facts``) are tried on the forms of objects that calls made.
What holds on all of them is kept if it refuses something that the conditions before it allow, of
heaps that differ from those forms in one field.

Invariant: the answer follows from the model and the forms; each condition holds on every form, and
is written as an expression over ``self``.

Source: DERYAFT, "Algorithm" (candidate properties, those of all given structures kept).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice, permutations
from typing import TYPE_CHECKING, Any, Final

from unitcraft.heaps.field_kind import MEMBER, is_object
from unitcraft.heaps.shape_facts import FACTS, _met

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.heap_scope import HeapModel

#: Forms that are learned from, the smallest first, and those below which nothing is said.
MAX_FORMS: Final = 120
MIN_FORMS: Final = 4
#: Fields with objects whose subsets are tried as ways through the heap: 2^8 subsets.
MAX_LINKS: Final = 8
#: Heaps that differ in one field from forms; each is one run of each condition.
MAX_BROKEN: Final = 1_500
#: Differences between a count and the number of objects: a sentinel or two.
OFFSETS: Final = (0, 1, 2)

#: A condition: its name in FACTS, and its arguments after the receiver.
Fact = tuple[str, tuple[Any, ...]]


def infer_invariant(model: HeapModel, forms: Iterable[Plain]) -> tuple[str, ...]:
    """The conditions that hold on all ``forms``, as expressions; () if these say too little."""
    known = sorted(dict.fromkeys(map(_frozen, forms)), key=len)[:MAX_FORMS]
    if len(known) < MIN_FORMS:
        return ()
    classes = [(type(one.short, (), {}), [info.name for info in one.fields])
               for one in model.classes]  # fmt: skip
    heaps = [_made(classes, form) for form in known]
    broken = [_made(classes, form) for form in islice(_broken(known), MAX_BROKEN)]
    kept: list[str] = []
    for fact in _candidates(model, heaps):
        holds = _asked(fact)
        if not all(map(holds, heaps)):
            continue
        allowed = [heap for heap in broken if holds(heap)]
        if len(allowed) < len(broken):
            broken = allowed
            kept.append(_text(fact))
    return tuple(kept)


def has_tables(form: Plain) -> bool:
    """Is there a dict or a set in ``form``?  No condition speaks of those."""
    return any(
        "{" in repr(cell) for _, cells in form for cell in cells if type(cell) in (list, dict)
    )


def _frozen(form: Plain) -> Plain:
    return tuple([(kind, tuple(map(_frozen_cell, cells))) for kind, cells in form])


def _frozen_cell(cell: Plain) -> Plain:
    return ("list", *map(_frozen_cell, cell)) if type(cell) is list else cell


def _asked(fact: Fact) -> Callable[[Any], bool]:
    """The condition as a function of the receiver; what it cannot be asked of breaks it."""
    name, args = fact

    def holds(root: Any) -> bool:
        try:
            return FACTS[name](root, *args)
        except (AttributeError, TypeError):
            return False

    return holds


def _text(fact: Fact) -> str:
    name, args = fact
    return f"{name}({', '.join(['self', *map(repr, args)])})"


def _made(classes: Sequence[tuple[type, list[str]]], form: Plain) -> Any:
    """Objects with the fields of ``form``; the receiver is answered."""
    made = [classes[kind][0]() for kind, _ in form]
    counts: dict[int, int] = {}
    places: dict[Plain, Any] = {}
    for value, (kind, _) in zip(made, form, strict=True):
        places[kind, counts.get(kind, 0)] = value
        counts[kind] = counts.get(kind, 0) + 1

    def content(cell: Plain) -> Any:
        if type(cell) is not tuple or cell[:1] == (MEMBER,):
            return cell
        return [content(item) for item in cell[1:]] if cell[0] == "list" else places[cell]

    for value, (kind, cells) in zip(made, form, strict=True):
        for name, cell in zip(classes[kind][1], cells, strict=True):
            setattr(value, name, content(cell))
    return made[0]


def _broken(forms: Sequence[Plain]) -> Iterator[Plain]:
    """Forms with one cell changed, in turn from each form, so that a bound meets all of them."""
    waiting = [_changes(form) for form in forms]
    while waiting:
        left = []
        for changes in waiting:
            found = next(changes, None)
            if found is not None:
                yield found
                left.append(changes)
        waiting = left


def _changes(form: Plain) -> Iterator[Plain]:
    counts: dict[int, int] = {}
    for kind, _ in form:
        counts[kind] = counts.get(kind, 0) + 1
    for place, (kind, cells) in enumerate(form):
        for at, cell in enumerate(cells):
            for other in _other_values(cell, counts):
                changed = (kind, (*cells[:at], other, *cells[at + 1 :]))
                yield (*form[:place], changed, *form[place + 1 :])


def _other_values(cell: Plain, counts: dict[int, int]) -> Iterator[Plain]:
    """Other values of the kind: None and other objects, integers around, a list cut or turned."""
    if type(cell) is int:
        yield from (cell - 1, cell + 1, -1 - cell)
    elif type(cell) is tuple and cell[0] == "list":
        if len(cell) > 1:
            yield cell[:-1]
            yield ("list", *reversed(cell[1:]))
            yield (*cell, cell[-1])
    elif is_object(cell):
        yield None
        yield from ((cell[0], number) for number in range(counts[cell[0]]) if number != cell[1])
    elif cell is None:
        for kind, count in counts.items():
            if kind:
                yield from ((kind, number) for number in range(count))


def _candidates(model: HeapModel, heaps: Sequence[Any]) -> Iterator[Fact]:
    """The conditions to try, those first that say most of the shape."""
    fields = [info for one in model.classes for info in one.fields]
    links = list(dict.fromkeys([one.name for one in fields if _has_objects(one.kinds)]))
    own = [info.name for info in model.classes[0].fields]
    entries = [name for name in own if name in links]
    ways = _ways(links[:MAX_LINKS], entries, heaps)
    for way, fact in ways:
        yield fact
        others = [one for one in links if one not in way]
        yield from (("back", (way, name)) for name in others)
        yield from (("present", (way, name)) for name in links)
        yield from (("inside", (way, name)) for name in others)
        for name, other in permutations(links, 2):
            yield "inverse", (way, name, other)
    for name, other in combinations(entries, 2):
        yield "together", (name, other)
    inner = [name for name in links if name not in own] or links
    for entry, name in permutations(entries, 2):
        for link in inner:
            yield "end", (entry, link, name)
    yield from _of_values(model, [way for way, _ in ways[:1]], inner, entries)


def _of_values(
    model: HeapModel, ways: Sequence[tuple[str, ...]], inner: Sequence[str], entries: Sequence[str]
) -> Iterator[Fact]:
    """The conditions on integers, counts and orders."""
    way = ways[0] if ways else ()
    own, later = model.classes[0], model.classes[1:] or model.classes
    numbers = [info.name for info in own.fields if _is_number(info.kinds)]
    lists = [info.name for info in own.fields if any(kind[0] == "list" for kind in info.kinds)]
    keys = [info.name for one in later for info in one.fields if _is_number(info.kinds)]
    for name in numbers:
        yield from (("counted", (way, name, more)) for more in OFFSETS if way)
        yield from (("measured", (items, name, more)) for items in lists for more in OFFSETS)
    for key in keys:
        for left, right in permutations([name for name in inner if name in way], 2):
            yield from (("searchable", (entry, left, right, key)) for entry in entries
                        if entry in way)  # fmt: skip
        yield from (("rising", (way, name, key)) for name in inner)
    yield from (("increasing", (items,)) for items in lists)
    for name in dict.fromkeys([*numbers, *keys]):
        yield "at_least", (way, name, 0)


def _ways(
    links: Sequence[str], entries: Sequence[str], heaps: Sequence[Any]
) -> list[tuple[tuple[str, ...], Fact]]:
    """The way through the heaps that meets most objects, each once, with what that says of it.

    The fewest fields that do; a ring is one if it leads further than any tree.
    """
    facts: list[Fact] = [
        ("tree", way) for size in range(1, len(links) + 1) for way in combinations(links, size)
    ]
    facts += [("ring", (entry, link)) for entry in entries for link in links if link != entry]
    facts.sort(key=lambda fact: -_objects_met(heaps, fact[1]))
    first = next((fact for fact in facts if all(map(_asked(fact), heaps))), None)
    return [] if first is None else [(first[1], first)]


def _objects_met(heaps: Sequence[Any], way: tuple[str, ...]) -> int:
    return sum(1 for heap in heaps for _ in _met(heap, way))


def _has_objects(kinds: Sequence[Plain]) -> bool:
    return any(
        kind[0] == "object" or (kind[0] == "list" and _has_objects(kind[1])) for kind in kinds
    )


def _is_number(kinds: Sequence[Plain]) -> bool:
    return {kind[0] for kind in kinds} == {"int"}
