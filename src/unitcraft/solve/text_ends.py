"""Text ends: what texts are known to begin and to end with, and constraints that this refutes.

A parser by hand asks what a line begins with and cuts it into parts; of a later question about a
part ("is the name before the sign a word?") the first answer may leave only one outcome.

Invariant: the ends of a term follow from the constraints and from what its operations do to every
text, so a constraint that they contradict proves Unsat; nothing else is concluded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from unitcraft.solve.budget import Budget
from unitcraft.solve.layer import Layer
from unitcraft.solve.protocol import Query, Unsat, Verdict
from unitcraft.symbolic.terms.term import SAME, VARIABLE, Term

#: A str or bytes.
Text = Any

#: What asks each character of a text, and what a character must not be for the others.
_OF_EACH: Final = frozenset(
    {"isalpha", "isdigit", "isalnum", "isdecimal", "isnumeric", "isspace", "isascii", "isprintable"}
)
_NEVER: Final = {"islower": "isupper", "isupper": "islower"}

#: The same operation on a text that is read from its end.
_MIRRORED: Final = {
    "startswith": "endswith", "lstrip": "rstrip", "partition": "rpartition",
    "removeprefix": "removesuffix",
}  # fmt: skip
_BACKWARDS: Final = _MIRRORED | {value: key for key, value in _MIRRORED.items()}


class ContradictionError(Exception):
    """The constraints say of one text what cannot be together."""


class TextEnds(Layer):
    """Proves Unsat of texts that begin or end as they must not."""

    name = "ends"
    max_work = 30_000

    def attempt(self, query: Query) -> Verdict | None:
        """Unsat, or None when the ends of the texts contradict nothing."""
        if "str" not in query.kinds and "bytes" not in query.kinds:
            return None
        try:
            for backwards in (False, True):
                _Side(query, self.budget, backwards=backwards).check()
        except ContradictionError:
            return Unsat()
        return None


class _Side:
    """The beginnings of texts; ``backwards``: those of the texts read from their ends."""

    def __init__(self, query: Query, budget: Budget, *, backwards: bool) -> None:
        self._query = query
        self._budget = budget
        self._backwards = backwards
        self._stated: dict[Term, Text] = {}
        self._known: dict[int, Text | None] = {}
        for constraint in query.constraints:
            for term, text in self._statements(*constraint):
                self._stated[term] = _longer(self._stated.get(term), text)

    def check(self) -> None:
        """Raises ContradictionError if a constraint contradicts what is known."""
        for term, outcome in self._query.constraints:
            if type(term) is not tuple:
                continue
            for part in term[1:2]:
                self.beginning(part)
            if not self._allows(term, outcome):
                raise ContradictionError

    def beginning(self, term: Term) -> Text | None:
        """What ``term`` begins with in every solution, as it is read; None if that is unknown."""
        if type(term) is not tuple:
            return self._read(term) if isinstance(term, (str, bytes)) else None
        if id(term) not in self._known:
            self._budget.spend(self._budget.size(term))
            found = _longer(self._derived(term), self._stated.get(term))
            self._known[id(term)] = found
        return self._known[id(term)]

    def _read(self, text: Text) -> Text:
        return text[::-1] if self._backwards else text

    def _name(self, term: Term) -> str:
        """The name of the method that ``term`` applies to a text, as it is read; '' of others."""
        kind, _, name = term[0].partition(".")
        if kind not in ("str", "bytes"):
            return ""
        return str(_BACKWARDS.get(name, name) if self._backwards else name)

    # -- what constraints state --------------------------------------------------------

    def _statements(self, term: Term, outcome: bool) -> Iterator[tuple[Term, Text]]:  # noqa: FBT001
        """(text, its beginning) as the constraint states it."""
        if type(term) is not tuple or len(term) != 3:  # noqa: PLR2004 - two operands
            return
        _, first, second = term
        equal = _equality(term, outcome)
        if type(second) is tuple and equal:
            first, second = second, first
        if type(first) is not tuple or not isinstance(second, (str, bytes)):
            return
        if equal or (self._name(term) == "startswith" and outcome):
            found: Term | None = first
            while found is not None:
                yield found, self._read(second)
                found = self._cut_from(found)

    def _cut_from(self, term: Term) -> Term | None:
        """The text that begins with whatever ``term`` begins with; None if there is none."""
        if type(term) is not tuple:
            return None
        if term[0] == "[:]":
            _, text, start, stop, step = term
            first, last = (stop, start) if self._backwards else (start, stop)
            from_first = first is None or (first == 0 and not self._backwards)
            return text if from_first and step is None and not _is_term(last) else None
        if term[0] == "[]":
            return self._whole_of(term)
        return term[1] if self._name(term) in ("rstrip", "removesuffix") else None

    def _whole_of(self, term: Term) -> Term | None:
        """The text of which ``term`` is the part before a separator, or the first character."""
        _, whole, place = term
        if type(whole) is not tuple or _is_term(place):
            return None
        if self._name(whole) == "partition":
            return whole[1] if place == (2 if self._backwards else 0) else None
        return whole if place == (-1 if self._backwards else 0) and self._is_str(whole) else None

    def _is_str(self, term: Term) -> bool:
        """Is ``term`` surely a str, of which an item is a str?"""
        if term[0] == VARIABLE:
            return bool(self._query.kinds[term[1]] == "str")
        if term[0] == "[:]":
            return type(term[1]) is tuple and self._is_str(term[1])
        return str(term[0]).startswith("str.") and self._name(term) in _RULES

    # -- what operations keep ----------------------------------------------------------

    def _derived(self, term: Term) -> Text | None:
        """What ``term`` begins with by what it is made of."""
        if term[0] == "+":
            return self._of_sum(term)
        if term[0] == "[:]":
            return self._of_slice(term)
        if term[0] == "[]":
            return self._of_part(term)
        name = self._name(term)
        rule = _RULES.get(name)
        known = self.beginning(term[1]) if rule is not None else None
        if known is None or rule is None:
            return None
        options = term[2:]
        if any(_is_term(one) for one in options):
            return None
        return rule(known, *[self._read(one) if isinstance(one, (str, bytes)) else one
                             for one in options])  # fmt: skip

    def _of_sum(self, term: Term) -> Text | None:
        first, second = term[:0:-1] if self._backwards else term[1:]
        known = self.beginning(first)
        if known is None or type(first) is tuple:
            return known
        more = self.beginning(second)
        return known + more if more is not None and type(more) is type(known) else known

    def _of_slice(self, term: Term) -> Text | None:
        """Of a slice: what the text begins with, as far as the slice surely has it."""
        _, text, *places, step = term
        known = self.beginning(text)
        if known is None or step is not None or not all(map(_is_place, places)):
            return None
        start, stop = places
        if self._backwards:
            if stop is not None and stop >= 0:
                return None
            start, stop = stop and -stop, -start if start else None
        return known[start:stop] if start is None or start >= 0 else None

    def _of_part(self, term: Term) -> Text | None:
        """Of a part of a partition: the head, or the separator once it was seen."""
        _, whole, place = term
        if type(whole) is not tuple or self._name(whole) != "partition" or _is_term(whole[2]):
            return None
        known, sign = self.beginning(whole[1]), self._read(whole[2])
        if known is None or type(sign) is not type(known):
            return None
        if place == 1:
            return sign if sign in known else None
        return _before(known, sign) if place == (2 if self._backwards else 0) else None

    # -- what contradicts them ---------------------------------------------------------

    def _allows(self, term: Term, outcome: bool) -> bool:  # noqa: FBT001
        """May the constraint hold, by what its first operand begins with?"""
        name = term[0]
        if name == "in" and not outcome:
            known = self.beginning(term[2])
            is_text = isinstance(term[1], (str, bytes)) and type(known) is type(term[1])
            return not (is_text and known is not None and self._read(term[1]) in known)
        known = self.beginning(term[1])
        if not known:
            return True
        if name == "truth":
            return outcome
        if _equality(term, outcome) and isinstance(term[2], (str, bytes)):
            return type(term[2]) is not type(known) or self._read(term[2]).startswith(known)
        if name == "in" and type(term[2]) is tuple and term[2][0] in ("tuple", "list"):
            return any(_is_term(one) or self._fits(one, known) for one in term[2][1:])
        if self._name(term) == "startswith" and not outcome:
            told = isinstance(term[2], (str, bytes)) and type(term[2]) is type(known)
            return not (told and known.startswith(self._read(term[2])))
        return not outcome or self._may_be(self._name(term), known)

    def _fits(self, item: Any, known: Text) -> bool:
        return type(item) is type(known) and self._read(item).startswith(known)

    def _may_be(self, name: str, known: Text) -> bool:
        """May a text that begins with ``known`` answer True to the question ``name``?"""
        each = [known[place : place + 1] for place in range(len(known))]
        if name in _OF_EACH:
            return all(getattr(one, name)() for one in each)
        if name in _NEVER:
            return not any(getattr(one, _NEVER[name])() for one in each)
        if name == "isidentifier":
            return all(f"a{one}".isidentifier() for one in each) and (
                self._backwards or bool(known.isidentifier())
            )
        return True


def _longer(first: Text | None, second: Text | None) -> Text | None:
    """The longer of two beginnings of one text.  Raises ContradictionError if they differ."""
    if first is None or second is None or type(first) is not type(second):
        return first if first is not None else second
    short, long = sorted((first, second), key=len)
    if not long.startswith(short):
        raise ContradictionError
    return long


def _equality(term: Term, outcome: bool) -> bool:  # noqa: FBT001
    return (term[0] in ("==", SAME)) if outcome else term[0] == "!="


def _is_term(operand: Any) -> bool:
    return type(operand) is tuple


def _before(known: Text, sign: Text) -> Text:
    """What of ``known`` surely stands before the first ``sign``, which may begin inside it."""
    for place in range(len(known)):
        if sign.startswith(known[place : place + len(sign)]):
            return known[:place]
    return known


def _is_place(place: Any) -> bool:
    return place is None or type(place) is int


def _without_end(known: Text, chars: Text | None = None) -> Text:
    """What is left of a beginning where the end is stripped: no more than its own end is lost."""
    return known.rstrip(chars)


def _without_start(known: Text, chars: Text | None = None) -> Text | None:
    return known.lstrip(chars) or None


def _without_ends(known: Text, chars: Text | None = None) -> Text | None:
    return known.strip(chars) or None


def _ascii_only(method: str) -> Callable[[Text], Text | None]:
    """What changes each character of ASCII by itself, whatever stands behind it."""
    return lambda known: getattr(known, method)() if known.isascii() else None


_RULES: Final[dict[str, Callable[..., Text | None]]] = {
    "rstrip": _without_end, "lstrip": _without_start, "strip": _without_ends,
    "lower": _ascii_only("lower"), "upper": _ascii_only("upper"),
    "casefold": _ascii_only("casefold"), "swapcase": _ascii_only("swapcase"),
}  # fmt: skip
