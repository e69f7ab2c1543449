"""The rules that proofs draw on, found by what they rewrite, with what they define.

One book serves all proofs of one set of laws; ``without`` makes that of all but one from it, which
costs next to nothing: both share what was found of terms.

Invariant: a book has its rules in their order, then those in which something is defined replaced
by what it means, then what Python guarantees.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    Apply,
    Compute,
    Guard,
    Law,
    Term,
    TermOrder,
    Test,
    Var,
    guard_terms,
    match,
    substitute,
    substitute_guard,
    subterms,
)
from unitcraft.infer.derivation.builtin_rules import builtin_rules
from unitcraft.infer.derivation.definitions import Definitions, is_definition

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.values import Values

#: What a rule has in common with the terms that it rewrites.
Head = tuple[object, str]
#: The number of what Python guarantees, in place of that of a law.
_BUILTIN: Final = -1
#: Rules by their heads, each with the number of the law that it comes from.
_ByHead = dict[Head, list[tuple[int, Law]]]


@dataclass(slots=True)
class Instance:
    """What ``rule`` says of one term: that it is ``after`` where ``guard`` holds (a cache).

    ``source`` is the number of the law that the rule comes from.
    """

    rule: Law
    source: int
    after: Term
    guard: Guard
    is_smaller: bool
    _masks: dict[Rows, tuple[int, int]] = field(default_factory=dict)

    def masks(self, rows: Rows) -> tuple[int, int]:
        """The ``rows`` on which the guard holds, and those where a side of it is not known."""
        known = self._masks.get(rows)
        if known is None:
            known = self._masks[rows] = masks_of(self.guard, rows)
        return known


class RuleBook:
    """``rules`` and what follows from them at once (immutable but for what it keeps of terms)."""

    def __init__(self, rules: Sequence[Law], values: Values, order: TermOrder) -> None:
        self.rules = tuple(rules)
        self._values = values
        self._order = order
        self.definitions = Definitions(rules)
        builtin = [(_BUILTIN, one) for one in builtin_rules(values)]
        plain = list(enumerate(rules))
        meanings = [(place, self.definitions.meaning(one)) for place, one in plain]
        more = [(place, new) for place, new in meanings if new is not None]
        self._plain = _by_head([*plain, *builtin])
        self._defined = _by_head([*plain, *more, *builtin]) if self.definitions else self._plain
        self._places = {one: place for place, one in plain}
        self._turns = {place for place, one in plain if is_turn(one)}
        self._shown = [_values_in(one) for one in rules]
        self._instances: dict[tuple[Term, bool], list[Instance]] = {}
        self._gone: frozenset[int] = frozenset()
        self._turned: RuleBook | None = None

    def without(self, law: Law) -> RuleBook:
        """The book of all rules but ``law``, in whose order all others stay."""
        rules = tuple(one for one in self.rules if one is not law)
        if is_definition(law):
            return RuleBook(rules, self._values, self._order)
        found = object.__new__(RuleBook)
        vars(found).update(vars(self), rules=rules, _gone=self._gone | {self._places[law]})
        found._turned = self._turned.without(law) if self._turned else None
        return found

    def choices(self) -> Iterator[RuleBook]:
        """This book; where an observer has two definitions, one that takes the last of each."""
        yield self
        if self.definitions.are_choices:
            if self._turned is None:
                self._turned = RuleBook(self.rules[::-1], self._values, self._order)
            yield self._turned

    @property
    def has_turns(self) -> bool:
        """Does one of the rules let arguments change places?"""
        return not self._turns <= self._gone

    def shown(self) -> list[int]:
        """The operations whose values the rules speak of, in the order of their first mention."""
        shown = (one for place, one in enumerate(self._shown) if place not in self._gone)
        return list(dict.fromkeys(operation for one in shown for operation in one))

    def rewriting(self, term: Term, *, defined: bool) -> Sequence[Law]:
        """The rules whose left side may match ``term``; with ``defined``, of what it means, too."""
        rules = (self._defined if defined else self._plain).get(head(term), ())
        return [rule for source, rule in rules if source not in self._gone]

    def instances(self, term: Term, *, defined: bool) -> list[Instance]:
        """What the rules say of ``term``, in the order of ``rewriting``."""
        known = self._instances.get((term, defined))
        if known is None:
            known = self._instances[term, defined] = self._matched(term, defined=defined)
        gone = self._gone
        return [one for one in known if one.source not in gone] if gone else known

    def _matched(self, term: Term, *, defined: bool) -> list[Instance]:
        """What the rules say of ``term``, those that are left out among them."""
        matched: list[Instance] = []
        for source, rule in (self._defined if defined else self._plain).get(head(term), ()):
            found: dict[Var, Term] = {}
            if match(rule.left, term, found):
                after = substitute(rule.right, found)
                guard = substitute_guard(rule.guard, found)
                is_smaller = self._order(after) < self._order(term)
                matched.append(Instance(rule, source, after, guard, is_smaller))
        return matched


def masks_of(guard: Guard, rows: Rows) -> tuple[int, int]:
    """The ``rows`` on which ``guard`` holds, and those where a side of it is not known.

    Of a guard that holds nowhere nothing more is looked up.
    """
    holds = rows.guard(guard)
    return holds, rows.unknown(*map(rows.vector, guard_terms(guard))) if holds else 0


def _values_in(law: Law) -> tuple[int, ...]:
    """The operations whose values ``law`` speaks of."""
    calls = (one for side in (law.left, law.right, *guard_terms(law.guard))
             for one in subterms(side) if isinstance(one, Apply))  # fmt: skip
    return tuple(dict.fromkeys(one.operation for one in calls if one.part == "value"))


def _by_head(rules: Sequence[tuple[int, Law]]) -> _ByHead:
    found: _ByHead = {}
    for source, rule in rules:
        found.setdefault(head(rule.left), []).append((source, rule))
    return found


def head(term: Term) -> Head:
    """What a rule has in common with the terms that it rewrites."""
    if isinstance(term, Apply):
        return term.operation, term.part
    return type(term), term.operator if isinstance(term, Compute | Test) else ""


def is_turn(rule: Law) -> bool:
    """Does it say that arguments may change places, and nothing else?"""
    left, right = rule.left, rule.right
    return left != right and match(left, right, {}) and match(right, left, {})
