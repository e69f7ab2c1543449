"""Laws run as the text that is shown: on examples, in a guarded worker, before anybody sees them.

Invariant: a law whose expression does not evaluate to True on an example is not shown; the text is
what a reader gets, not the table from which it was made.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from unitcraft.core.sequences import Const
from unitcraft.infer.algebraic.law_terms import Constant, guard_terms, law_variables, subterms
from unitcraft.infer.output.law_expressions import PRELUDE, imports_for, statements
from unitcraft.infer.specification import Example
from unitcraft.infer.universe.transition_table import broken
from unitcraft.infer.universe.universes import evenly

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.core.sequences import Arg
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.infer.algebraic.confirmation import Confirmation
    from unitcraft.infer.algebraic.law_terms import Law, Var
    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.output.law_text import LawText
    from unitcraft.infer.specification import Contract, ShownLaw
    from unitcraft.infer.universe.transition_table import TransitionTable
    from unitcraft.infer.universe.values import Values

#: Examples of a law that are run, and that a suite may use.
MAX_EXAMPLES: Final = 8
#: Examples of each other law that the same line says.
MAX_OTHERS: Final = 4
#: Examples on which a contract is run.
MAX_CALLED: Final = 4
#: Examples more, of objects that refuted a law while it was learned.
MAX_TELLING: Final = 4


def examples_of(
    laws: Sequence[Law],
    confirmation: Confirmation,
    text: LawText,
    table: TransitionTable,
    telling: Sequence[int] = (),
) -> tuple[Example, ...]:
    """Rows on which one of ``laws`` holds and its guard does, evenly spread over short ones.

    Then some of objects that are ``telling``: another law was refuted by them.  Each law but the
    first has a few only.
    """
    given = tuple(dict.fromkeys(one for law in laws for one in law_variables(law)))
    names = text.names(*laws)
    named = tuple(dict.fromkeys(arg for law in laws for arg in named_in(law, table.values)))
    found: list[Example] = []
    for place, law in enumerate(laws):
        most = MAX_OTHERS if place else MAX_EXAMPLES
        found += _examples(law, confirmation.rows_for(given), names, table, most)
        if telling:
            some = min(most, MAX_TELLING)
            found += _examples(law, confirmation.rows_of(given, telling), names, table, some)
    return tuple(dict.fromkeys(replace(one, named=named) for one in found))


def _examples(
    law: Law, rows: Rows, names: Mapping[Var, str], table: TransitionTable, most: int
) -> list[Example]:
    guard = rows.guard(law.guard)
    agree = rows.equal(rows.vector(law.left), rows.vector(law.right))
    good = [place for place in range(len(rows)) if (guard & agree) >> place & 1]
    short = [place for place in good if table.states[rows.states[place]].depth <= MAX_EXAMPLES]
    found: list[Example] = []
    for place in evenly(short or good, most):
        state, values = rows.row(place)
        path = table.states[state]
        given = tuple(
            (names[variable], table.values.arg(value))
            for variable, value in zip(rows.variables, values, strict=True)
            if variable in names
        )
        found.append(Example(path.calls, path.result, given))
    return found


def named_in(law: Law, values: Values) -> tuple[Arg, ...]:
    """The values that ``law`` writes as names: members of enumerations, objects that are made."""
    terms = (law.left, law.right, *guard_terms(law.guard))
    numbers = dict.fromkeys(
        one.value for term in terms for one in subterms(term) if isinstance(one, Constant)
    )
    known = [values.arg(one) for one in numbers if one >= 0 and not values.raised(one)]
    return tuple(arg for arg in known if not isinstance(arg, Const))


def with_checked_contracts(laws: Sequence[ShownLaw], pool: Pool) -> list[ShownLaw]:
    """``laws`` without the contracts that do not evaluate to True after a call on an example."""
    items, owners = [], []
    for place, law in enumerate(laws):
        for example in law.examples[:MAX_CALLED] if law.contract is not None else ():
            items.append((_called(law.contract, example), law.contract.condition))  # type: ignore[arg-type, union-attr]
            owners.append(place)
    replies = zip(owners, pool.map("holds", items), strict=True)
    wrong = {place for place, reply in replies if reply.failure is not None or reply.value}
    return [
        replace(law, contract=None) if place in wrong else law for place, law in enumerate(laws)
    ]


def _called(contract: Contract, example: Example) -> str:
    """The statements that make the object of ``example`` and the call of ``contract`` on it."""
    lines = [PRELUDE, "import types", example_code(example), "self = S"]
    pairs = zip(contract.arguments, contract.names, strict=True)
    lines += [f"argument_{name} = {variable}" for name, variable in pairs]
    lines += [f"{name} = argument_{name}" for name in contract.arguments]
    if contract.method:
        given = ", ".join(contract.arguments)
        lines.append("OLD = types.SimpleNamespace(before=copy.deepcopy(self))")
        lines.append(f"result = self.{contract.method}({given})")
    return "\n".join(lines)


def failing(expressions: Sequence[tuple[str, tuple[Example, ...]]], pool: Pool) -> dict[int, str]:
    """What the expressions that are not True on one of their examples came to, by number."""
    items = [
        (f"{PRELUDE}\n{example_code(example)}", expression)
        for expression, examples in expressions
        for example in examples
    ]
    owners = [place for place, (_, rows) in enumerate(expressions) for _ in rows]
    found: dict[int, str] = {}
    for owner, reply in zip(owners, pool.map("holds", items), strict=True):
        if reply.error:
            raise broken(reply.error)
        why = str(reply.failure) if reply.failure is not None else reply.value
        if why:
            found.setdefault(owner, why)
    return found


def example_code(example: Example) -> str:
    """The statements that bind ``S`` and the variables."""
    lines = imports_for(example.mentioned, example.calls)
    return "\n".join([*lines, *statements(example.calls, example.result, example.values)])
