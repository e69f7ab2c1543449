"""Names of tests, made of the tags that distinguish a test from others of the same function.

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
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.emit.naming.name_tags import Tag, owner_of, raised_words, subject_words, tags
from unitcraft.suite.tests import Test

#: Characters of a test name.
MAX_NAME: Final = 70

#: What a test shows that asserts nothing.
_SILENT: Final = "does_not_raise"
#: How tags of arguments begin that say that something is not there.
_ABSENT: Final = ("empty_", "without_", "no_")

#: Words of the name of an exception that says by itself what was wrong: insufficient_funds_error.
MIN_TELLING_ERROR: Final = 3

#: Options of one test that its name says.
MAX_OPTIONS: Final = 2

#: Tags of one group that are combined: more would cost time and read like a list.
_MAX_COMBINED: Final = 10


@dataclass(frozen=True, slots=True)
class _Described:
    """A group in words: its function or object, its tags (best first), and how it raises.

    ``is_silent``: it asserts nothing, so that it shows one thing, which its name has to say.
    """

    base: str
    owner: str
    tags: tuple[Tag, ...]
    raises: str
    rows: int
    is_silent: bool

    def is_sibling(self, other: _Described) -> bool:
        """Are both about the same function or object?"""
        return (self.base, self.owner) == (other.base, other.owner)

    def name(self, chosen: Sequence[Tag] = (), prefix: str = "") -> str:
        """The test name with the ``chosen`` tags."""
        kinds = ("argument", "circumstance", "value", "result", "state")
        parts = [tag.text for kind in kinds for tag in chosen if tag.kind == kind]
        said = [tag.text for tag in chosen if tag.kind == "message"]
        shown = _SILENT if self.is_silent else self.raises
        if parts and self.base.endswith(f"_{parts[0]}"):
            parts.pop(0)  # what the function's own name says at its end
        words = [prefix, self.base, *parts, shown, *said]
        return "_".join(["test", *[word for word in words if word]])


def test_names(
    groups: Sequence[Group], knowledge: SubjectIndex, spaces: Sequence[str]
) -> list[str]:
    """A name for each group; ``spaces[n]`` is the class block of group n ('' = the module)."""
    described = [_describe(group, knowledge) for group in groups]
    taken: set[tuple[str, str]] = set()
    names: list[str] = []
    for position, current in enumerate(described):
        siblings = [
            other
            for number, other in enumerate(described)
            if number != position and current.is_sibling(other)
        ]
        space = spaces[position]
        shared = any(
            other.base == current.base and other.owner != current.owner
            for number, other in enumerate(described)
            if spaces[number] == space
        )
        name = next(
            name
            for name in _candidate_names(current, siblings, owned=shared)
            if len(name) <= MAX_NAME and (space, name) not in taken
        )
        taken.add((space, name))
        names.append(name)
    return names


def _describe(group: Group, knowledge: SubjectIndex) -> _Described:
    """``group`` in words that hold for every row."""
    first, *others = [unit.test for unit in group.units]
    found = tags(first, knowledge)
    for other in others:
        also = tags(other, knowledge)
        found = [tag for tag in found if tag in also]
    return _Described(
        subject_words(first, knowledge, gathered=group.units[0].gathered),
        owner_of(first, knowledge),
        tuple(sorted(found, key=lambda tag: tag.weight)),
        _ending(first),
        len(group.units),
        not any(one.checks or _ending(one) for one in (first, *others)),
    )


def _ending(test: Test) -> str:
    """``raises_value_error`` or ``warns``; '' of a test whose Call does neither."""
    if isinstance(test.outcome, Raised):
        return raised_words(test.outcome)
    return "warns" if test.warns else ""


def _candidate_names(
    current: _Described, siblings: Sequence[_Described], *, owned: bool
) -> Iterator[str]:
    """Names for ``current``, best first; the last ones are numbered and never end.

    ``owned``: they say which class it is about, since others of its kind have the same words.
    """
    choices = list(_tag_sets(current, siblings))
    noun = class_nouns(current.owner)[-1] if current.owner else ""
    prefixes = ["", noun] if noun and noun not in current.base else [""]
    if owned:
        prefixes.reverse()
    for prefix in prefixes:
        yield from [current.name(chosen, prefix) for chosen in choices]
    short = current.name()[: MAX_NAME - 6].rstrip("_")
    number = 2
    while True:
        yield f"{short}_{number}"
        number += 1


def _tag_sets(current: _Described, siblings: Sequence[_Described]) -> Iterator[tuple[Tag, ...]]:
    """Sets of tags that distinguish ``current`` from its ``siblings``, the best first."""
    rivals = [other for other in siblings if other.raises == current.raises]
    specific = [tag for tag in current.tags if tag.kind != "value"]
    if not rivals:
        yield from _reason_tags(current, siblings)
        yield ()
        return
    if not current.raises and (
        current.rows > 1 and current.rows >= max(other.rows for other in rivals)
    ):
        yield ()
    values = [(tag,) for tag in current.tags if tag.kind == "value"]
    yield from [chosen for chosen in _message_tags(current) if _distinguishes(chosen, rivals)]
    given = _options_given(current)
    is_told = bool(given) and all(given != _options_given(other) for other in rivals)
    for size in (1, 2, 3):
        sets = [*combinations(specific[:_MAX_COMBINED], size), *(values if size == 1 else [])]
        if size == 2:  # noqa: PLR2004 - a trait and a literal
            sets += [(tag, *value) for value in values for tag in specific[:_MAX_COMBINED]]
        for chosen in sets:
            if _distinguishes(chosen, rivals):
                if is_told and chosen[0].text.startswith("without_"):
                    yield tuple([Tag("argument", text) for text in given])
                yield chosen
    yield ()
    yield from [(tag,) for tag in specific]


def _options_given(described: _Described) -> tuple[str, ...]:
    """The options that a test gives, few enough for a name: they say more than one left out."""
    texts = (tag.text for tag in described.tags if tag.kind in ("argument", "circumstance"))
    given = tuple(sorted({text for text in texts if text.startswith("with_")}))
    return given if len(given) <= MAX_OPTIONS else ()


def _reason_tags(current: _Described, siblings: Sequence[_Described]) -> Iterator[tuple[Tag, ...]]:
    """Tags that say why ``current`` raises: no sibling that returns has them.

    The message says which of several conditions it was; what an argument is may be beside it.
    """
    usual = [other for other in siblings if not other.raises]
    telling = [
        (tag,)
        for tag in (current.tags if current.raises and usual else ())
        if tag.weight <= 1 and tag.kind != "message" and _distinguishes((tag,), usual)
    ]
    yield from [
        chosen
        for chosen in telling
        if chosen[0].kind != "argument" or chosen[0].text.startswith(_ABSENT)
    ]
    yield from _message_tags(current)
    yield from telling


def _message_tags(current: _Described) -> list[tuple[Tag, ...]]:
    """The tag of the message; none of an exception whose class says by itself what was wrong."""
    if current.raises.count("_") >= MIN_TELLING_ERROR:
        return []
    return [(tag,) for tag in current.tags if tag.kind == "message"]


def _distinguishes(chosen: Sequence[Tag], rivals: Sequence[_Described]) -> bool:
    """Does no rival have all of these, and does the name stay readable?"""
    kinds = [tag.kind for tag in chosen if tag.kind != "argument"]
    readable = len(set(kinds)) == len(kinds)
    said = {tag.text for tag in chosen}
    return readable and not any(said <= {tag.text for tag in other.tags} for other in rivals)
