"""A search of heaps in parts, which several workers go on with at a time.

A part is what lies below some tokens.  A worker that has searched a part for a while answers what
it found and the tokens of the rest, which is a part of its own, or several, in its place.

Invariant: the parts stand in the order in which one worker would search them, and answers leave
in that order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.core.encoding import Plain

#: Searches put off that one part has at most.
MAX_TOKENS: Final = 500
#: Heaps found by later parts that wait for the first one; no more is searched meanwhile.
MAX_AHEAD: Final = 20_000


@dataclass(slots=True, eq=False)
class Part:
    """What is below ``tokens``; once it is searched, ``answer`` has what was found.

    An answer is (candidates run, forms of the valid heaps, the candidate at which each came,
    searches put off, notes).
    """

    tokens: tuple[Plain, ...]
    answer: Plain = None


class SearchParts:
    """Abstract state: the parts of one search that are left, and how many heaps wait for a turn."""

    def __init__(self, tokens: Sequence[Plain]) -> None:
        self._parts = [Part(tuple(tokens))] if tokens else []
        self._ahead = 0

    def __bool__(self) -> bool:
        return bool(self._parts)

    def waiting(self, width: int) -> list[Part]:
        """The first parts that nobody has searched, at most ``width``; parts are divided for it.

        The first part alone while too many heaps wait for it.
        """
        width = width if self._ahead < MAX_AHEAD else 1
        while True:
            found = [part for part in self._parts if part.answer is None][:width]
            most = 1 if len(found) < width else MAX_TOKENS
            large = next((part for part in found if len(part.tokens) > most), None)
            if large is None:
                return found
            place = self._parts.index(large)
            middle = min((len(large.tokens) + 1) // 2, MAX_TOKENS)
            parts = large.tokens[:middle], large.tokens[middle:]
            self._parts[place : place + 1] = map(Part, parts)

    def answer(self, part: Part, answer: Plain, rest: tuple[Plain, ...]) -> None:
        """``part`` has been searched, and ``rest`` is left of it."""
        part.tokens, part.answer = (), answer
        self._ahead += len(answer[1])
        if rest:
            self._parts.insert(self._parts.index(part) + 1, Part(rest))

    def next_answer(self) -> Plain:
        """The answer whose turn it is, which leaves; None while its part is to be searched."""
        answer = self._parts[0].answer
        if answer is not None:
            del self._parts[0]
            self._ahead -= len(answer[1])
        return answer
