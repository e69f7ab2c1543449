"""Laws made ready to be shown: their texts, their figures, their witnesses and examples.

Invariant: nothing is decided here; what a shown law says follows from the law and the universes.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.interest import burden, most_telling
from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    STATE,
    Apply,
    Var,
    law_variables,
    outer,
    subterms,
)
from unitcraft.infer.output.expression_check import examples_of, failing, with_checked_contracts
from unitcraft.infer.output.group_text import GroupText
from unitcraft.infer.output.law_contracts import LawContracts
from unitcraft.infer.output.law_expressions import LawExpressions
from unitcraft.infer.output.law_groups import LawGroup
from unitcraft.infer.output.law_text import LawText
from unitcraft.infer.output.refuting_tests import refuting_test
from unitcraft.infer.specification import Example, RefutingTest, ShownLaw
from unitcraft.infer.universe.universes import evenly

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.infer.algebraic.confirmation import Confirmation, Verdict
    from unitcraft.infer.algebraic.law_terms import Law, TermOrder
    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.state_equality import StateEquality
    from unitcraft.infer.universe.transition_table import TransitionTable


#: Laws that the page of a class shows: those that say most.
MAX_LINES: Final = 30
#: Pairs of objects that are not equal; each is a row of one test.
MAX_APART: Final = 8


class LawShow:
    """Makes the ShownLaws of one class; ``first`` has the rows whose figures are shown.

    ``telling`` are states by which laws were refuted: some of the examples are of these.
    """

    def __init__(
        self,
        table: TransitionTable,
        equality: StateEquality,
        profiles: Sequence[Profile],
        first: Confirmation,
        telling: Sequence[int] = (),
    ) -> None:
        self._table = table
        self._equality = equality
        self._profiles = profiles
        self._first = first
        self._telling = telling
        self._text = LawText(table.operations, profiles, table.values)
        self._expressions = LawExpressions(
            table.operations, profiles, table.values, uses_equals=equality.uses_equals
        )
        self._groups = GroupText(
            table.operations,
            table.values,
            self._text,
            self._expressions,
            [one.is_mutator for one in profiles],
        )
        self._contracts = LawContracts(
            table.operations, profiles, self._expressions, uses_equals=equality.uses_equals
        )

    def law(self, law: Law, verdict: Verdict, examples: Confirmation | None = None) -> ShownLaw:
        """``law`` as it is shown; with rows for ``examples``, some of those."""
        names = self._text.names(law)
        contract = self._contracts.contract(law, names) if examples else None
        return ShownLaw(
            law,
            outer(law.left, self._table.operations),
            self._text.law(law),
            self._expressions.law(law, names),
            self._expressions.guard(law, names),
            tuple((names[one], one.sort) for one in law_variables(law) if one.sort != STATE),
            self._first.check(law),
            verdict,
            self._witness(law, verdict),
            examples_of((law,), examples, self._text, self._table, self._telling)
            if examples
            else (),
            contract=contract,
            refuting=self._refuting(law, verdict),
            said=(self._text.law(law),),
        )

    def group(
        self, group: LawGroup, verdicts: Sequence[Verdict], examples: Confirmation
    ) -> ShownLaw:
        """The ShownLaw of laws that one line says, with the figures of the one tried least."""
        laws = group.laws
        least = min(verdicts, key=lambda one: one.rows)
        alone = self.law(laws[0], least, examples)
        if group.form == "single":
            return alone
        names = self._text.names(*laws)
        expression, condition = self._groups.expression(group)
        return replace(
            alone,
            text=self._groups.line(group),
            expression=expression,
            condition=condition,
            variables=tuple((name, one.sort) for one, name in names.items() if one.sort != STATE),
            examples=examples_of(laws, examples, self._text, self._table, self._telling),
            also=tuple(laws[1:]),
            said=tuple(map(self._text.law, laws)),
            contract=self._contracts.joined(laws, names),
        )

    def lines(
        self,
        groups: Sequence[LawGroup],
        verdicts: Mapping[Law, Verdict],
        examples: Confirmation,
        pool: Pool,
    ) -> list[ShownLaw]:
        """The lines of ``groups`` that are True as text; of one that is not, the laws alone."""
        shown = [
            self.group(
                one, [verdicts.get(law) or examples.check(law) for law in one.laws], examples
            )
            for one in groups
        ]
        shown = with_checked_contracts(shown, pool)
        wrong = failing([(one.asserted, one.examples) for one in shown], pool)
        found: list[ShownLaw] = []
        for place, line in enumerate(shown):
            if place not in wrong:
                found.append(line)
            elif line.also:
                alone = [LawGroup("single", (law,)) for law in line.laws if law in verdicts]
                found += self.lines(alone, verdicts, examples, pool)
        return found

    def ranked(self, lines: Sequence[ShownLaw], order: TermOrder) -> list[ShownLaw]:
        """``lines`` in their order, those for which a page has no place marked."""
        values = self._table.values
        asked = [
            (self._about(one.law), min(burden(law, order, values) for law in one.laws))
            for one in lines
        ]
        main = most_telling(asked, MAX_LINES)
        return [replace(one, minor=place not in main) for place, one in enumerate(lines)]

    def _about(self, law: Law) -> str:
        """The call that changes an object, of which ``law`` speaks; else the outermost one."""
        for one in subterms(law.left):
            if isinstance(one, Apply) and self._profiles[one.operation].is_mutator:
                return self._table.operations[one.operation].name
        return outer(law.left, self._table.operations)

    def steps(
        self, profiles: Sequence[Profile]
    ) -> tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]:
        """The calls that change an object, as expressions over ``S``."""
        found = []
        for place, operation in enumerate(self._table.operations):
            if profiles[place].is_mutator and self._table.is_explored(place):
                args = [Var(sort, number) for number, sort in enumerate(operation.sorts)]
                names = {one: given.name for one, given in zip(args, operation.given, strict=True)}
                text = self._expressions.step(Apply(place, (RECEIVER, *args), "state"), names)
                sorts = tuple((names[one], one.sort) for one in args)
                found.append((operation.name, text, sorts))
        return tuple(found)

    def apart(self, states: Sequence[int]) -> tuple[tuple[Example, Example], ...]:
        """Pairs of objects that are not equal, if ``==`` is what tells objects apart."""
        if not self._equality.uses_equals:
            return ()
        made = [self._equality.representative(one) for one in states]
        different = [(one, two) for one, two in pairwise(dict.fromkeys(made)) if one != two]
        paths = [[self._table.states[one] for one in pair] for pair in evenly(different, MAX_APART)]
        return tuple(
            (Example(one.calls, one.result), Example(other.calls, other.result))
            for one, other in paths
        )

    def _refuting(self, law: Law, verdict: Verdict) -> RefutingTest | None:
        if verdict.witness is None:
            return None
        return refuting_test(law, verdict.witness, self._table, self._profiles)

    def _witness(self, law: Law, verdict: Verdict) -> Example | None:
        witness = verdict.witness
        if witness is None:
            return None
        names = self._text.names(law)
        path = self._table.states[witness.state]
        pairs = zip(witness.variables, witness.values, strict=True)
        given = tuple((names[v], self._table.values.arg(n)) for v, n in pairs if v in names)
        return Example(path.calls, path.result, given)
