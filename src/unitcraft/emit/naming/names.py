"""Names for tests, made from what sets a test apart from its siblings.

Invariant: names are unique within a file, at most 70 characters long, and do not
depend on anything but the tests and the Subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.emit.arrange.parametrize import Group
from unitcraft.emit.arrange.variable_names import class_nouns
from unitcraft.emit.code.subject_index import Knowledge
from unitcraft.emit.naming.name_tags import Tag, owner_of, raised_words, subject_words, tags

#: Characters of a test name at most.
LONGEST: Final = 70

#: Tags that are combined: more would cost time and read like a list.
_TELLING: Final = 10


@dataclass(frozen=True, slots=True)
class _Described:
    """A group in words: what it is about, its tags (most telling first), and how it raises."""

    base: str
    owner: str
    tags: tuple[Tag, ...]
    raises: str
    rows: int

    def is_sibling(self, other: _Described) -> bool:
        """Are both about the same thing?"""
        return (self.base, self.owner) == (other.base, other.owner)

    def name(self, chosen: Sequence[Tag] = (), prefix: str = "") -> str:
        """The test name with the ``chosen`` tags."""
        kinds = ("argument", "value", "result", "state")
        parts = [tag.text for kind in kinds for tag in chosen if tag.kind == kind]
        words = [prefix, self.base, *parts, self.raises]
        return "_".join(["test", *[word for word in words if word]])


def test_names(groups: Sequence[Group], knowledge: Knowledge, spaces: Sequence[str]) -> list[str]:
    """A name for each group; ``spaces[n]`` is the class block of group n ('' = the module)."""
    described = [_described(group, knowledge) for group in groups]
    taken: set[tuple[str, str]] = set()
    names: list[str] = []
    for position, one in enumerate(described):
        siblings = [
            other
            for number, other in enumerate(described)
            if number != position and one.is_sibling(other)
        ]
        space = spaces[position]
        name = next(
            name
            for name in _options(one, siblings)
            if len(name) <= LONGEST and (space, name) not in taken
        )
        taken.add((space, name))
        names.append(name)
    return names


def _described(group: Group, knowledge: Knowledge) -> _Described:
    """What holds for every row of ``group``."""
    first, *others = [unit.test for unit in group.units]
    found = tags(first, knowledge)
    for other in others:
        also = tags(other, knowledge)
        found = [tag for tag in found if tag in also]
    return _Described(
        subject_words(first, knowledge, gathered=group.units[0].gathered),
        owner_of(first, knowledge),
        tuple(sorted(found, key=lambda tag: tag.weight)),
        raised_words(first.outcome) if isinstance(first.outcome, Raised) else "",
        len(group.units),
    )


def _options(one: _Described, siblings: Sequence[_Described]) -> Iterator[str]:
    """Names for ``one``, best first; the last ones are numbered and never end."""
    choices = list(_choices(one, siblings))
    noun = class_nouns(one.owner)[-1] if one.owner else ""
    prefixes = ["", noun] if noun and noun not in one.base else [""]
    for prefix in prefixes:
        yield from [one.name(chosen, prefix) for chosen in choices]
    short = one.name()[: LONGEST - 6].rstrip("_")
    number = 2
    while True:
        yield f"{short}_{number}"
        number += 1


def _choices(one: _Described, siblings: Sequence[_Described]) -> Iterator[tuple[Tag, ...]]:
    """Sets of tags that tell ``one`` from its ``siblings``, the best first."""
    rivals = [other for other in siblings if other.raises == one.raises]
    telling = [tag for tag in one.tags if tag.kind != "value"]
    if not rivals:
        yield from _reasons(one, siblings)
        yield ()
        return
    if not one.raises and (one.rows > 1 and one.rows >= max(other.rows for other in rivals)):
        yield ()
    values = [(tag,) for tag in one.tags if tag.kind == "value"]
    for size in (1, 2, 3):
        sets = [*combinations(telling[:_TELLING], size), *(values if size == 1 else [])]
        if size == 2:  # noqa: PLR2004 - a trait and a literal
            sets += [(tag, *value) for value in values for tag in telling[:_TELLING]]
        yield from [chosen for chosen in sets if _sets_apart(chosen, rivals)]
    yield ()
    yield from [(tag,) for tag in telling]


def _reasons(one: _Described, siblings: Sequence[_Described]) -> Iterator[tuple[Tag, ...]]:
    """Why it raises: what no test that returns has in common with it."""
    usual = [other for other in siblings if not other.raises]
    if one.raises and usual:
        for tag in one.tags:
            if tag.weight <= 1 and _sets_apart((tag,), usual):
                yield (tag,)


def _sets_apart(chosen: Sequence[Tag], rivals: Sequence[_Described]) -> bool:
    """Does no rival have all of these, and does the name stay readable?"""
    kinds = [tag.kind for tag in chosen if tag.kind != "argument"]
    readable = len(set(kinds)) == len(kinds)
    return readable and not any(set(chosen) <= set(other.tags) for other in rivals)
