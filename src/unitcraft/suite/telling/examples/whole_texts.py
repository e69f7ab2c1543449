r"""Whole words and lines of a text that others pass, where a search left half of one.

What is shortened sign by sign ends in ``"Parameters\n----------\nna"``; the text of a docstring or
of a call that it came from has the rest of the line, and a person writes that.

Invariant: a variant differs from its Sequence in one text, which has more of what others pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.search.variation.places import places

#: Signs below which a text may be a part of any other.
MIN_PART: Final = 6
#: Signs of a line below which it may be the beginning of any other.
MIN_LINE: Final = 4
#: Signs of a text that takes the place of a garbled one: what a test still shows as a whole.
MAX_WHOLE: Final = 600
#: Variants of one text: a bound for many callers.
MAX_VARIANTS: Final = 4


def with_whole_texts(sequence: Sequence, shown: Iterable[str]) -> Iterator[Sequence]:
    """``sequence`` with more of the texts ``shown`` in place of a part of one, one at a time."""
    known = [text for text in shown if len(text) > MIN_PART]
    for arg, put in places(sequence) if known else ():
        if isinstance(arg, Const) and isinstance(arg.value, str) and len(arg.value) >= MIN_PART:
            found = dict.fromkeys(_wholes(arg.value, known))
            yield from [put(Const(text)) for text in list(found)[:MAX_VARIANTS]]


def _wholes(text: str, shown: list[str]) -> Iterator[str]:
    """``text`` with whole lines or words, then what it is a garbled form of."""
    if text in shown:
        return
    lines = text.splitlines()
    if len(lines) > 1:
        yield from (whole for one in shown if (whole := _with_whole_lines(text, one)) != text)
        alike = sorted((-_shared(lines, one), at) for at, one in enumerate(shown))
        for shared, at in alike[:MAX_VARIANTS]:
            if -2 * shared > len(lines) and len(shown[at]) <= MAX_WHOLE:
                yield shown[at]
    else:
        yield from (whole for one in shown if (whole := _with_whole_words(text, one)) != text)


def _with_whole_lines(text: str, example: str) -> str:
    """``text``, of which each line that begins one of ``example`` is that line."""
    known = example.splitlines()
    lines = [_whole_line(line, known) for line in text.splitlines()]
    lines = lines[:-1] if lines[-1].isspace() else lines
    return "\n".join(lines) + "\n" * text.endswith("\n")


def _whole_line(line: str, known: list[str]) -> str:
    says_something = len(line) >= MIN_LINE and line[-1].isalnum()
    begun = [one for one in known if says_something and one.startswith(line)]
    return begun[0] if line not in known and begun else line


def _shared(lines: list[str], example: str) -> int:
    """How many of the ``lines`` that say something are lines of ``example``."""
    known = set(example.splitlines())
    return sum(1 for line in lines if line.strip() and line in known)


def _with_whole_words(text: str, example: str) -> str:
    """The words of ``example`` that ``text`` is a part of; ``text`` if it is none."""
    start = example.find(text)
    if start < 0:
        return text
    end = start + len(text)
    while start and example[start - 1].isalnum() and example[start].isalnum():
        start -= 1
    while end < len(example) and example[end].isalnum() and example[end - 1].isalnum():
        end += 1
    return example[start:end]
