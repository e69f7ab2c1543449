"""Input-to-state correspondence: where a comparison saw a part of an input, put the other operand.

Invariant: a substitution changes constants only, never the shape of a
Sequence; the proposals depend on the trace and the given Random alone.

Source: REDQUEEN; differs: operands are typed Python values and regular expressions rather than
bytes, and inputs are constants of a Sequence rather than offsets of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Any, Final, Literal

from unitcraft.core.encoding import Plain
from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Arg, Atom, Build, Const, Display, Sequence, Source, TempPath
from unitcraft.execute.sandbox.clock import may_be_read
from unitcraft.explore.execution import is_readable
from unitcraft.explore.search.variation.places import Place
from unitcraft.explore.search.variation.rename_paths import renamed
from unitcraft.subject.values import regex_generation

#: Items of a container, or characters of a text, that are made to meet an observed size.
#: Halved: no site of 759.
MAX_LENGTH: Final = 64
#: The same for larger sizes, which are written as one expression: containers in chunks hold 1,000.
#: Half of it is not reached in five searches of 20,000 runs.
MAX_SIZE: Final = 10_000
#: Substitutions for one comparison of one run: a bound.  Halved: no site, no Goal.
MAX_SUBSTITUTIONS: Final = 12
#: Texts drawn from a regular expression that was matched.  Halved with eleven such bounds, sites of
#: ``pellets`` (664, seed 0): +3.
DRAWS_PER_REGEX: Final = 4
#: Sets of so many texts that one expression has: a lexer matches each of its expressions in each
#: run, and drawing anew took 46 of 70 s of such a search.  One: no site of 153.
SETS_PER_REGEX: Final = 16
#: Such sets that are kept (of some hundred bytes).  A bound of memory: it changes no results.
MAX_DRAWN: Final = 4096
#: Pairs of texts of which is known how one is in the other (some hundred bytes each): a table is
#: looked into with the same text in run after run.  A bound of memory: it changes times, no
#: results.
MAX_FORMS: Final = 4096
#: Places of one text where a number is put: with its neighbours three times as many texts.  Halved
#: with eleven such bounds, sites of ``pellets`` (664, seed 0): +3.
MAX_NUMBERS: Final = 3
#: Widths and orders in which a number may stand in bytes, the commonest first.
_FORMATS: Final[tuple[tuple[int, Literal["big", "little"]], ...]] = (
    (1, "big"), (2, "big"), (4, "big"), (4, "little"), (2, "little"), (8, "big"), (8, "little"),
)  # fmt: skip
#: Zero bytes that are put where bytes ended too early, beside those that one reading missed: a
#: format reads one number after another.  Halved with eleven such bounds, sites of ``pellets``
#: (664, seed 0): +3.
PADDING: Final = 32
#: A number in a text.
_NUMBER: Final = re.compile(r"(?<![\d.])-?\d+(?![\d.])")
#: Classes of which an input is that shall not be of those that were asked for.
_OTHER_CLASSES: Final = ("builtins:int", "builtins:str")
#: Texts for which a method of ``str`` answers True.  Off: no site of 361; they are rare there.
_CHARACTER_CLASSES: Final = {
    "isdigit": ("7", "42"), "isnumeric": ("7",), "isdecimal": ("7",), "isalpha": ("a", "word"),
    "isalnum": ("a1",), "isupper": ("UP", "A"), "islower": ("low", "a"), "isspace": (" ",),
    "istitle": ("Title",), "isidentifier": ("name",), "isascii": ("a",),
}  # fmt: skip


def inputs(places_of_run: Iterable[Place]) -> Iterator[Place]:
    """The atoms, containers and paths among the places of a Sequence, in their order."""
    return (place for place in places_of_run if isinstance(place[0], (Const, Display, TempPath)))


def substitutions(places_of_run: Iterable[Place], comparison: Plain, rng: Random) -> list[Sequence]:
    """Sequences in which the input behind ``comparison`` has (nearly) the other operand's value.

    ``places_of_run`` are the ``inputs`` of the run that made the comparison.  Those that are an
    operand come first, and texts that have one as a part last: a letter is in nearly all.  Of the
    others another one begins each time, for there may be too many of them.
    """
    _, name, left, right = comparison
    made, found = list[Sequence](), list(places_of_run)
    for leaf, put in _in_turn(found, left, right, rng):
        for value in proposals(leaf, name, left, right, rng):
            if _is_another(value, leaf) and is_readable(value):
                made.append(put(value))
            if len(made) >= MAX_SUBSTITUTIONS:
                return made
    if name == "in" and left == "" and isinstance(right, tuple):
        made += [put(one) for leaf, put in found for one in _with_end(leaf, right)]
    return made[:MAX_SUBSTITUTIONS]


def _with_end(leaf: Arg, ends: tuple[Any, ...]) -> Iterator[Const]:
    """A text behind whose last sign, as in ``key =``, nothing was read, with each of ``ends``."""
    value = leaf.value if isinstance(leaf, Const) else None
    if isinstance(value, str) and value and not value[-1].isalnum():
        yield from (Const(value + end) for end in ends if isinstance(end, str))


def _in_turn(found: Iterable[Place], left: Any, right: Any, rng: Random) -> list[Place]:
    ranked: tuple[list[Place], ...] = ([], [], [])
    for place in found:
        ranked[_rank(place[0], left, right)].append(place)
    first, others, last = ranked
    at = rng.randrange(len(others)) if len(others) > 1 else 0
    return [*first, *others[at:], *others[:at], *last]


def _rank(leaf: Arg, left: Any, right: Any) -> int:
    """0 for an input that is an operand, 2 for a text that is none, 1 for the others."""
    if not isinstance(leaf, Const):
        return 1
    if _same_kind(leaf.value, left) or _same_kind(leaf.value, right):
        return 0
    return 2 if isinstance(leaf.value, (str, bytes)) else 1


def of_asked_kind(
    places_of_run: Iterable[Place], comparison: Plain, values_of: Callable[[str], Iterable[Arg]]
) -> Iterator[Sequence]:
    """Sequences in which an input of the kind that ``isinstance`` saw is of a class it asked for.

    It is of another one where the input was of such a class.  The comparison has the names of
    classes only, so that each input of that kind may be the one; ``values_of`` has values for the
    name of a class, the most promising first.
    """
    _, _, seen, asked = comparison
    others = [cls for cls in _OTHER_CLASSES if cls not in asked] if seen in asked else asked
    values = [value for cls in others for value in values_of(cls)]
    for leaf, put in places_of_run:
        if _class_of(leaf) == seen:
            yield from map(put, values)


def _class_of(arg: Arg) -> str:
    """The name of the class of what ``arg`` makes; '' if that is not known."""
    if isinstance(arg, Const):
        return f"builtins:{type(arg.value).__name__}"
    if isinstance(arg, Display):
        return f"builtins:{arg.kind}"
    return f"{arg.callee.module}:{arg.callee.qualname}" if isinstance(arg, Build) else ""


def _is_another(new: Arg, old: Arg) -> bool:
    return new != old or repr(new) != repr(old)  # 1 == True


def proposals(leaf: Arg, name: str, left: Any, right: Any, rng: Random) -> Iterator[Arg]:
    """Values for ``leaf`` that may change the outcome of the traced operation."""
    if not isinstance(leaf, Const):
        yield from _for_others(leaf, name, left, right)
        return
    value = leaf.value
    if name == "regex":
        yield from _for_regex(value, left, right, rng)
    elif name in _CHARACTER_CLASSES:
        yield from _for_character_class(value, left, _CHARACTER_CLASSES[name])
    elif name == "attribute":
        for operand in right:
            yield from _replace_part(value, left, operand)
            yield from _replace_end(value, left, operand)
    elif name in ("in", "key"):
        operands = right if isinstance(right, tuple) else tuple(right[:1])
        for operand in operands if _is_part(value, left) else ():
            yield from _replace_part(value, left, operand)
    elif isinstance(left, (str, bytes)) and name not in _COMPARISONS:
        yield from _for_search(value, name, left, right)
    else:
        yield from _for_comparison(value, left, right)
        yield from _for_comparison(value, right, left)


def _for_others(leaf: Arg, name: str, left: Any, right: Any) -> Iterator[Arg]:
    """Values for a container or a path."""
    if isinstance(leaf, Display):
        yield from _resize(leaf, left, right)
    elif isinstance(leaf, TempPath):
        yield from renamed(leaf, name, left, right)


#: Operators whose operands are compared as wholes.
_COMPARISONS: Final = {"==", "!=", "<", "<=", ">", ">="}


def _same_kind(left: Any, right: Any) -> bool:
    return type(left) is type(right) and left == right


def _texts(*values: Any) -> bool:
    return all(type(value) is str for value in values) or all(
        type(value) is bytes for value in values
    )


def _replace_part(value: Atom, seen: Any, wanted: Any) -> Iterator[Const]:
    """``value`` with the part that was seen as ``seen`` replaced by ``wanted``."""
    if _same_kind(value, seen):
        yield Const(wanted)
    elif isinstance(value, str) and isinstance(seen, str) and isinstance(wanted, str) and seen:
        form = _form_in(value, seen)
        if form:
            yield Const(value.replace(form, wanted, 1))
    elif isinstance(value, bytes) and isinstance(seen, bytes) and isinstance(wanted, bytes):
        yield from _replace_bytes(value, seen, wanted)
    elif isinstance(value, str) and type(seen) is type(wanted) is int:
        yield from _replace_number(value, seen, wanted)


def _replace_bytes(value: bytes, seen: bytes, wanted: bytes) -> Iterator[Const]:
    """``value`` with ``wanted`` for the first ``seen`` that stands in it, and for the next ones."""
    at = value.find(seen) if seen else -1
    for _ in range(MAX_NUMBERS):
        if at < 0:
            break
        yield Const(value[:at] + wanted + value[at + len(seen) :])
        at = value.find(seen, at + len(seen))


def _replace_number(text: str, seen: int, wanted: int) -> Iterator[Const]:
    """``text`` with ``wanted`` for one of the places where ``seen`` stands; as a part at last."""
    found = [one.span() for one in _NUMBER.finditer(text) if one.group() == str(seen)]
    at = text.find(str(seen))
    found = found[-MAX_NUMBERS:] or ([(at, at + len(str(seen)))] if at >= 0 else [])
    for start, end in found:
        yield Const(f"{text[:start]}{wanted}{text[end:]}")


def _is_part(value: Atom, seen: Any) -> bool:
    """May ``_replace_part`` find ``seen`` in ``value``, whatever shall replace it?"""
    if _same_kind(value, seen):
        return True
    if isinstance(value, str) and isinstance(seen, str):
        return bool(seen and _form_in(value, seen))
    if isinstance(value, bytes) and isinstance(seen, bytes):
        return bool(seen) and seen in value
    return isinstance(value, str) and type(seen) is int


def _replace_end(value: Atom, seen: str, wanted: str) -> Iterator[Const]:
    """``seen`` ends with ``value``: the end that makes it ``wanted``."""
    if isinstance(value, str) and value and value != seen and seen.endswith(value):
        start = seen[: -len(value)]
        if wanted.startswith(start):
            yield Const(wanted[len(start) :])


@lru_cache(maxsize=MAX_FORMS)
def _form_in(text: str, seen: str) -> str:
    """The part of ``text`` that may have become ``seen``; '' if there is none."""
    for form in (seen, seen.upper(), seen.lower(), seen.capitalize(), seen[::-1]):
        if form in text:
            return form
    return text if seen.strip().lower() == text.strip().lower() else ""


def _for_comparison(value: Atom, seen: Any, wanted: Any) -> Iterator[Arg]:
    if any(type(one) is float and may_be_read(one) for one in (seen, wanted)):
        return
    yield from _replace_part(value, seen, wanted)
    if isinstance(wanted, bool) or isinstance(seen, bool):
        return
    if type(wanted) in (int, float) and type(seen) in (int, float):
        yield from _for_numbers(value, seen, wanted)
    elif isinstance(value, str) and isinstance(wanted, str) and _same_kind(value, seen):
        yield Const(wanted + "a")


def _for_numbers(value: Atom, seen: float, wanted: float) -> Iterator[Arg]:
    """Where a number was compared: it, what it was made of, or a size, meets the other one."""
    if _same_kind(value, seen):
        yield Const(wanted + 1)
        yield Const(wanted - 1)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if abs(wanted - seen) < 10**9:
            yield Const(value + (wanted - seen))
            yield Const(value - (wanted - seen))
            yield from _unscale(value, seen, wanted)
    elif isinstance(value, bytes) and isinstance(seen, int) and isinstance(wanted, int):
        yield from _for_packed_numbers(value, seen, wanted)
    elif isinstance(value, str) and isinstance(seen, int) and isinstance(wanted, int):
        yield from _replace_number(value, seen, wanted + 1)
        yield from _replace_number(value, seen, wanted - 1)
        is_size = len(value) == seen and value != str(seen)
        for size in (wanted, wanted + 1, wanted - 1) if is_size else ():
            if 0 <= size <= MAX_LENGTH:
                yield Const(_stretch(value, size))
            elif 0 < size <= MAX_SIZE:
                yield Source(f"{value[:1] or 'a'!r} * {size}")


def _for_packed_numbers(value: bytes, seen: int, wanted: int) -> Iterator[Const]:
    """Bytes that ended too early go on, and a number that is packed in them meets the other one."""
    if seen < wanted <= seen + MAX_LENGTH:
        yield Const(value + bytes(wanted - seen))
        yield Const(value + bytes(wanted - seen + PADDING))
    for target in (wanted, wanted + 1, wanted - 1):
        yield from _replace_packed(value, seen, target)


def _replace_packed(value: bytes, seen: int, wanted: int) -> Iterator[Const]:
    """``value`` with the number ``wanted`` where the number ``seen`` is packed in it."""
    for width, order in _FORMATS:
        if 0 <= seen < 256**width and 0 <= wanted < 256**width:
            packed = (number.to_bytes(width, order) for number in (seen, wanted))
            yield from _replace_bytes(value, *packed)


def _unscale(value: Any, seen: Any, wanted: Any) -> Iterator[Const]:
    """``value * factor`` was seen: divide what is wanted by the factor."""
    if type(value) is type(seen) is type(wanted) is int and value and seen % value == 0:
        factor = seen // value
        if factor and wanted % factor == 0:
            yield Const(wanted // factor)


def _stretch(text: str, size: int) -> str:
    source = text or "a"
    return (source * (size // len(source) + 1))[:size]


def _resize(leaf: Display, left: Any, right: Any) -> Iterator[Arg]:
    """A container whose observed size meets the other operand."""
    unit = 2 if leaf.kind == "dict" else 1
    size = len(leaf.items) // unit
    for seen, wanted in ((left, right), (right, left)):
        if type(seen) is not int or type(wanted) is not int or seen != size:
            continue
        for target in (wanted, wanted + 1, wanted - 1):
            if 0 <= target <= MAX_LENGTH and target != size and leaf.items:
                items = (leaf.items * (target // size + 1))[: target * unit]
                yield Display(leaf.kind, items)
            elif MAX_LENGTH < target <= MAX_SIZE:
                yield from _many(leaf, target)


def _many(leaf: Display, size: int) -> Iterator[Arg]:
    """A container of ``size`` items like those of ``leaf``, as one expression."""
    items = [item.value for item in leaf.items if isinstance(item, Const)]
    if len(items) < len(leaf.items) or leaf.kind == "frozenset":
        return
    if leaf.kind == "dict":
        key = "str(n)" if any(isinstance(key, str) for key in items[::2]) else "n"
        yield Source(f"{{{key}: n for n in range({size})}}")
    elif all(type(item) is int for item in items):
        yield Source(f"{leaf.kind}(range({size}))")
    elif leaf.kind == "list":
        yield Source(f"[{items[0]!r}] * {size}")


def _for_search(value: Any, name: str, seen: Any, wanted: Any) -> Iterator[Const]:
    """``seen.startswith(wanted)`` and the like: put ``wanted`` where the method looks for it.

    That is at an end of the text, and of the part of it that was seen.
    """
    if not _texts(value, seen, wanted):
        return
    whole = value == seen or (seen and seen.strip().lower() == value.strip().lower())
    if not (whole or (seen and seen in value)):
        return
    middle = len(value) // 2
    if name in ("startswith", "removeprefix"):
        yield Const(wanted + value)
        if not whole:
            yield Const(value.replace(seen, wanted + seen, 1))
    elif name in ("endswith", "removesuffix"):
        yield Const(value + wanted)
        if not whole:
            yield Const(value.replace(seen, seen + wanted, 1))
    else:
        yield Const(value[:middle] + wanted + value[middle:])
        yield Const(value + wanted)
        yield Const(value.replace(wanted, wanted[:0]))
    yield Const(wanted)


def _for_regex(value: Atom, seen: Any, regex: Any, rng: Random) -> Iterator[Const]:
    pattern, flags = regex
    if not _texts(value, seen, pattern) or not isinstance(value, str):
        return
    part = seen if seen and seen in value else value
    if not (_same_kind(value, seen) or (seen and seen in value) or seen.strip() == value.strip()):
        return
    for text in _drawn(pattern, flags, rng.randrange(SETS_PER_REGEX)):
        if isinstance(text, str):
            yield Const(value.replace(part, text, 1) if part else text)


@lru_cache(maxsize=MAX_DRAWN)
def _drawn(pattern: str, flags: int, number: int) -> tuple[Any, ...]:
    """Set ``number`` of texts that match a pattern."""
    rng = seeded_random(number, "regex", pattern)
    return regex_generation.draw_matches(pattern, flags, rng, DRAWS_PER_REGEX)


def _for_character_class(value: Atom, seen: Any, samples: tuple[str, ...]) -> Iterator[Const]:
    if isinstance(value, str) and isinstance(seen, str) and (seen in value or not seen):
        for sample in samples:
            yield Const(value.replace(seen, sample, 1) if seen else sample)
