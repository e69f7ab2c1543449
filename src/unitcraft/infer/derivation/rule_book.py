"""The rules that proofs draw on, found by what they rewrite, with what they define.

One book serves all proofs of one set of laws; ``without`` makes that of all but one from it, which
costs no more than looking up where that one stands.

Invariant: a book has its rules in their order, then those in which something is defined replaced
by what it means, then what Python guarantees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.law_terms import (
    Apply,
    Compute,
    Law,
    Term,
    Test,
    guard_terms,
    match,
    subterms,
)
from unitcraft.infer.derivation.builtin_rules import builtin_rules
from unitcraft.infer.derivation.definitions import Definitions, is_definition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.infer.universe.values import Values

#: What a rule has in common with the terms that it rewrites.
Head = tuple[object, str]
#: Rules by their heads, each with the law that it comes from; None for what Python guarantees.
_ByHead = dict[Head, list[tuple[Law | None, Law]]]


class RuleBook:
    """``rules`` and what follows from them at once (immutable)."""

    def __init__(self, rules: Sequence[Law], values: Values) -> None:
        self.rules = tuple(rules)
        self._values = values
        self.definitions = Definitions(rules)
        builtin = [(None, one) for one in builtin_rules(values)]
        plain = [(one, one) for one in rules]
        more = [(one, new) for one in rules if (new := self.definitions.meaning(one)) is not None]
        self._plain = _by_head([*plain, *builtin])
        self._defined = _by_head([*plain, *more, *builtin]) if self.definitions else self._plain
        self._turns = {one for one in rules if is_turn(one)}
        self._shown = {one: _values_in(one) for one in rules}

    def without(self, law: Law) -> RuleBook:
        """The book of all rules but ``law``, in whose order all others stay."""
        rules = tuple(one for one in self.rules if one is not law)
        if is_definition(law):
            return RuleBook(rules, self._values)
        found = object.__new__(RuleBook)
        found.rules, found._values = rules, self._values
        found.definitions = self.definitions
        found._plain = _taken_out(self._plain, law, [law])
        meaning = self.definitions.meaning(law)
        taken = [law] if meaning is None else [law, meaning]
        same = self._defined is self._plain
        found._defined = found._plain if same else _taken_out(self._defined, law, taken)
        found._turns = self._turns - {law}
        found._shown = {one: shown for one, shown in self._shown.items() if one is not law}
        return found

    @property
    def has_turns(self) -> bool:
        """Does one of the rules let arguments change places?"""
        return bool(self._turns)

    def shown(self) -> list[int]:
        """The operations whose values the rules speak of, in the order of their first mention."""
        return list(dict.fromkeys(place for shown in self._shown.values() for place in shown))

    def rewriting(self, term: Term, *, defined: bool) -> Sequence[Law]:
        """The rules whose left side may match ``term``; with ``defined``, of what it means, too."""
        return [rule for _, rule in (self._defined if defined else self._plain).get(head(term), ())]


def _values_in(law: Law) -> tuple[int, ...]:
    """The operations whose values ``law`` speaks of."""
    calls = (one for side in (law.left, law.right, *guard_terms(law.guard))
             for one in subterms(side) if isinstance(one, Apply))  # fmt: skip
    return tuple(dict.fromkeys(one.operation for one in calls if one.part == "value"))


def _by_head(rules: Sequence[tuple[Law | None, Law]]) -> _ByHead:
    found: _ByHead = {}
    for source, rule in rules:
        found.setdefault(head(rule.left), []).append((source, rule))
    return found


def _taken_out(
    rules: Mapping[Head, list[tuple[Law | None, Law]]], law: Law, taken: Sequence[Law]
) -> _ByHead:
    """``rules`` without those of ``taken``, which come from ``law``."""
    found = dict(rules)
    for one in dict.fromkeys(head(rule.left) for rule in taken):
        found[one] = [pair for pair in found[one] if pair[0] is not law]
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
