"""Names of tests, made of the tags that distinguish a test from others of the same function.

Invariant: names are unique within a file, at most 70 characters long, and do not
depend on anything but the tests and the Subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.emit.arrange.parametrize import Group
from unitcraft.emit.arrange.variable_names import class_nouns
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.emit.naming.history_tags import WITH_ITEM
from unitcraft.emit.naming.name_tags import is_false, owner_of, raised_words, subject_words, tags
from unitcraft.emit.naming.surroundings_words import exit_words
from unitcraft.emit.naming.tag_weights import Tag, either, is_bare
from unitcraft.suite.tests import Test

#: Characters of a test name.
MAX_NAME: Final = 70

#: What stands before a message in a name that has no room for the class of the exception.
_RAISES: Final = "raises"
#: What a test shows that asserts nothing.
_SILENT: Final = "does_not_raise"
#: How tags of arguments begin that say that something is not there.
_ABSENT: Final = ("empty_", "without_", "no_")

#: Words that tell enough of what the words before them name: ``items_empty``.
_TELLING: Final = ("empty", "missing", "negative", "zero", "blank", "several", "duplicate")

#: The least weight of the words that set the usual test of a function apart, which needs none.
MIN_USUAL: Final = 2

#: The least weight of the words of a table: above that of values.
TABLE_WEIGHT: Final = 5

#: The least share of what the broadest test of a function runs that the usual one runs: one that a
#: guard at the beginning turned away is not the usual one.
MIN_BREADTH: Final = 0.8

#: Kinds of tags that say what a test is about, where it runs less than another.
_TELLING_KINDS: Final = ("argument", "circumstance", "state", "result")

#: Words of the name of an exception that says by itself what was wrong: insufficient_funds_error.
MIN_TELLING_ERROR: Final = 3

#: The weight of what distinguishes a test that no tag does.
MAX_TAG_WEIGHT: Final = 9

#: Options of one test that its name says.
MAX_OPTIONS: Final = 2

#: Tags of one group that are combined: more would cost time and read like a list.
_MAX_COMBINED: Final = 10


@dataclass(frozen=True, slots=True)
class _Described:
    """A group in words: its function or object, its tags (best first), and how it raises.

    ``is_silent``: it asserts nothing, so that it shows one thing, which its name has to say.
    ``share`` is that of the function's lines which it runs, 0 if not known; ``is_decided``: it is
    known of each row.
    """

    base: str
    owner: str
    tags: tuple[Tag, ...]
    raises: str
    rows: int
    is_silent: bool
    share: float = 0.0
    is_decided: bool = True

    def is_sibling(self, other: _Described) -> bool:
        """Are both about the same function or object?"""
        return (self.base, self.owner) == (other.base, other.owner)

    def name(self, chosen: Sequence[Tag] = (), prefix: str = "") -> str:
        """The test name with the ``chosen`` tags; of a long one the message says what is raised."""
        kinds = ("argument", "circumstance", "value", "result", "state")
        parts = [tag.text for kind in kinds for tag in chosen if tag.kind == kind]
        said = [tag.text for tag in chosen if tag.kind == "message"]
        refused = [tag.text for tag in chosen if tag.kind == "refusal"]
        shown = _SILENT if self.is_silent else next(iter(refused), self.raises)
        words = [prefix, *_without_repeats(self.base, parts)]
        name = _joined(*words, shown, *said)
        return name if len(name) <= MAX_NAME or not said else _joined(*words, _RAISES, *said)


def _joined(*words: str) -> str:
    return "_".join(["test", *[word for word in words if word]])


def _without_repeats(base: str, parts: Sequence[str]) -> list[str]:
    """``base`` and the ``parts`` without the words with which what stands before them ends."""
    said = base.split("_")
    parts = list(dict.fromkeys(parts))
    for before, part in zip(("", *parts), parts, strict=False):
        new = part.split("_")
        if new[0] == "with" and before.startswith("with_"):
            new[0] = "and"
        for size in range(min(len(new), len(said)), 0, -1):
            if new[:size] == said[-size:]:
                new = new[size:]
                break
            if size < len(new) and new[-size:] == said[-size:] and new[0] in _TELLING:
                new = new[:-size]
                break
        said += new
    return ["_".join(said)]


def test_names(
    groups: Sequence[Group], knowledge: SubjectIndex, spaces: Sequence[str]
) -> list[str]:
    """A name for each group; ``spaces[n]`` is the class block of group n ('' = the module)."""
    described = _contrasted([_describe(group, knowledge) for group in groups])
    usual = _usual(described)
    taken: set[tuple[str, str]] = set()
    names = dict.fromkeys(range(len(described)), "")
    for position in sorted(names, key=lambda position: position not in usual):
        current = described[position]
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
            for name in _candidate_names(
                current, siblings, owned=shared, is_usual=position in usual
            )
            if len(name) <= MAX_NAME and (space, name) not in taken
        )
        taken.add((space, name))
        names[position] = name
    return list(names.values())


def _contrasted(described: list[_Described]) -> list[_Described]:
    """``described`` with what siblings have the contrary of first, and without the usual elsewhere.

    That a number is positive says something beside one that is negative or zero, and nothing else;
    nor does that the code had something to go on with.
    """
    found = []
    for one in described:
        siblings = [other for other in described if other is not one and other.is_sibling(one)]
        said = {tag.text for sibling in siblings for tag in sibling.tags}
        beside = [
            replace(tag, is_contrasted=not siblings or tag.contrary in said) for tag in one.tags
        ]
        told = [tag for tag in beside if not _is_usual_of(tag, said)]
        found.append(replace(one, tags=tuple(sorted(told, key=lambda tag: tag.rank))))
    return found


def _is_usual_of(tag: Tag, said: set[str]) -> bool:
    """Does it say the usual, of which no other test, with the words ``said``, has the contrary?"""
    sign, _, noun = tag.text.partition("_")
    if sign == "positive":
        return said.isdisjoint((f"negative_{noun}", f"zero_{noun}", "zero"))
    return tag.is_progress and not tag.is_contrasted


def _usual(described: Sequence[_Described]) -> frozenset[int]:
    """The positions of tests that need no words beside the function's, one of each function.

    It is the test whose words would say least, of several the last: simple ones come first,
    typical ones later.  The words that all rows of a table have in common say little.
    """
    rivals: dict[tuple[str, str], list[int]] = {}
    for position, one in enumerate(described):
        if not one.raises:
            rivals.setdefault((one.base, one.owner), []).append(position)
    found = []
    for positions in rivals.values():
        weights = []
        for position in positions:
            others = [described[other] for other in positions if other != position]
            weights.append(_least(described[position], others))
        best = max(weights)
        if best >= MIN_USUAL and len(positions) > 1:
            found.append(positions[len(weights) - 1 - weights[::-1].index(best)])
    return frozenset(found)


def _least(one: _Described, others: Sequence[_Described]) -> int:
    """The least weight of what sets a test apart: words, or options that not all others give."""
    given = set(_options_given(one))
    if one.is_silent or (_is_prepared(one) and not all(map(_is_prepared, others))):
        return 0
    if any(given - set(_options_given(other)) for other in others) or _is_turned_away(one, others):
        return 0
    if one.rows > 1:
        return TABLE_WEIGHT
    is_main = all(0 < other.share < one.share * MIN_BREADTH for other in others)
    telling = [
        tag.weight
        for tag in one.tags
        if not (is_main and tag.kind == "circumstance") and _distinguishes((tag,), others)
    ]
    return min(telling, default=MAX_TAG_WEIGHT)


def _is_turned_away(one: _Described, others: Sequence[_Described]) -> bool:
    """Did something that a name can say keep it from most of what another test runs?"""
    broadest = max([other.share for other in others], default=0.0)
    return 0 < one.share < broadest * MIN_BREADTH and any(
        tag.kind in _TELLING_KINDS and _distinguishes((tag,), others) for tag in one.tags
    )


def _is_prepared(one: _Described) -> bool:
    """Was the object changed before the call?"""
    return any(
        tag.kind == "state" and (tag.text == WITH_ITEM or tag.text.startswith("after_"))
        for tag in one.tags
    )


def _describe(group: Group, knowledge: SubjectIndex) -> _Described:
    """``group`` in words that hold for every row."""
    first, *others = [unit.test for unit in group.units]
    of_rows = [tags(one, knowledge) for one in (first, *others)]
    found = [tag for tag in of_rows[0] if all(tag in also for also in of_rows[1:])]
    found = [*either(of_rows), *found] if others else found
    told = next((one for one in (first, *others) if not is_false(one)), first)
    endings = {_ending(one) for one in (first, *others)}
    return _Described(
        subject_words(told, knowledge, gathered=group.units[0].gathered),
        owner_of(first, knowledge),
        tuple(found),
        endings.pop() if len(endings) == 1 else _RAISES,
        len(group.units),
        not any(one.checks or _ending(one) for one in (first, *others)),
        max(one.share for one in (first, *others)),
        all(one.share > 0 for one in (first, *others)),
    )


def _ending(test: Test) -> str:
    """``raises_value_error``, ``fails`` or ``warns``; '' of a test whose Call does none of it."""
    if isinstance(test.outcome, Raised):
        return exit_words(test) or raised_words(test.outcome)
    return exit_words(test) or ("warns" if test.warns else "")


def _candidate_names(
    current: _Described, siblings: Sequence[_Described], *, owned: bool, is_usual: bool
) -> Iterator[str]:
    """Names for ``current``, best first; the last ones are numbered and never end.

    A table that nothing tells apart from another test has cases.

    ``owned``: they say which class it is about, since others of its kind have the same words.
    ``is_usual``: it is the one of its function that needs no more words.
    """
    choices = [*([()] if is_usual else []), *_tag_sets(current, siblings)]
    noun = class_nouns(current.owner)[-1] if current.owner else ""
    prefixes = ["", noun] if noun and noun not in current.base else [""]
    if owned:
        prefixes.reverse()
    for prefix in prefixes:
        yield from [current.name(chosen, prefix) for chosen in choices]
    short = current.name()[: MAX_NAME - 6].rstrip("_")
    if current.rows > 1:
        yield f"{short}_cases"
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
        yield from _bare_tags(current)
        yield ()
        return
    values = [(tag,) for tag in current.tags if tag.kind == "value"]
    messages = [(tag,) for tag in current.tags if tag.kind in ("refusal", "message")]
    messages = [chosen for chosen in messages if _distinguishes(chosen, rivals)]
    yield from [chosen for chosen in messages if chosen[0].kind == "refusal" or chosen[0].strong]
    given = _options_given(current)
    own = {text for text in given if any(text not in _options_given(one) for one in rivals)}
    told = tuple([Tag("argument", text) for text in given if text in own])
    for size in (1, 2, 3):
        for chosen in combinations(specific[:_MAX_COMBINED], size):
            if _distinguishes(chosen, rivals):
                says_little = min(tag.weight for tag in chosen) > MIN_USUAL
                if told and (says_little or chosen[0].text.startswith("without_")):
                    yield told
                yield chosen
        if told:
            yield told
        if size == 1:
            yield from messages
        sets: list[tuple[Tag, ...]] = [*values] if size == 1 else []
        if size == 2:  # noqa: PLR2004 - a trait and a literal
            sets += [(tag, *value) for value in values for tag in specific[:_MAX_COMBINED]]
        yield from [chosen for chosen in sets if _distinguishes(chosen, rivals)]
    yield ()
    yield from [(tag,) for tag in specific]


def _options_given(described: _Described) -> tuple[str, ...]:
    """The options that a test gives, few enough for a name: they say more than one left out."""
    texts = (
        tag.text for tag in described.tags
        if tag.kind == "argument" or (tag.kind == "circumstance" and tag.strong)
    )  # fmt: skip
    given = tuple(sorted({text for text in texts if text.startswith("with_")}))
    return given if len(given) <= MAX_OPTIONS else ()


def _bare_tags(current: _Described) -> Iterator[tuple[Tag, ...]]:
    """What the only test of a function has of nothing: given ``empty_text``, it ``is_empty``.

    What is not given has decided nothing where the whole function ran.
    """
    if current.rows == 1 and not current.raises:
        is_said, is_whole = current.base.startswith("not_"), current.share >= 1
        bare = [tag for tag in current.tags if is_bare(tag)]
        yield from [(tag,) for tag in bare if not (is_whole if tag.kind == "argument" else is_said)]


def _reason_tags(current: _Described, siblings: Sequence[_Described]) -> Iterator[tuple[Tag, ...]]:
    """Tags that say why ``current`` raises: no sibling that returns has them.

    The message says which of several conditions it was; what an argument is may be beside it.
    """
    usual = [other for other in siblings if not other.raises]
    words = [
        tag
        for tag in (current.tags if current.raises and usual else ())
        if not tag.text.startswith("on_new_") and tag.kind not in ("refusal", "message")
    ]
    telling = [(tag,) for tag in words if tag.weight <= 1 and _distinguishes((tag,), usual)]
    messages = _message_tags(current)
    if current.raises and not (usual or messages):
        yield from [(tag,) for tag in current.tags if tag.kind == "circumstance" and tag.strong][:1]
    whole = [chosen for chosen in messages if chosen[0].strong]
    decided = [tag for tag in words if tag.is_contrasted or tag.rank == 0]
    yield from [(tag,) for tag in current.tags if tag.kind == "refusal"]
    yield from [chosen for chosen in telling if chosen[0].decides]
    yield from [chosen for chosen in telling if _is_reason(chosen[0])]
    yield from whole
    if messages and not whole:
        sets = [*((tag,) for tag in decided), *combinations(decided, 2)]
        strong = [chosen for chosen in sets if any(tag.strong for tag in chosen)]
        yield from [chosen for chosen in strong if _distinguishes(chosen, usual)]
    yield from messages
    yield from telling


def _is_reason(tag: Tag) -> bool:
    """Do the words say why a call raises, before its message does?"""
    if tag.kind == "argument":
        return tag.text.startswith(_ABSENT)
    return not tag.text.startswith("with_") and "_not_in_" not in tag.text


def _message_tags(current: _Described) -> list[tuple[Tag, ...]]:
    """The tag of the message; none of an exception whose class says by itself what was wrong."""
    if current.raises.count("_") >= MIN_TELLING_ERROR:
        return []
    return [(tag,) for tag in current.tags if tag.kind == "message"]


def _distinguishes(chosen: Sequence[Tag], rivals: Sequence[_Described]) -> bool:
    """Does no rival have all of these, and does the name stay readable?

    Of a rival of which is not known what decided it, a circumstance is known to be missing only
    where it came out otherwise in another test.
    """
    kinds = [tag.kind for tag in chosen if tag.kind != "argument"]
    readable = len(set(kinds)) == len(kinds)
    said = {tag.text for tag in chosen}
    known = {tag.text for tag in chosen if tag.kind != "circumstance" or tag.is_contrasted}
    return readable and not any(
        (said if other.is_decided else known) <= {tag.text for tag in other.tags}
        for other in rivals
    )
