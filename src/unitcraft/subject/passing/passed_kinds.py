"""The kinds that a module itself passes to parameters without an annotation.

``raise InsufficientFunds(self, amount - self.balance)`` says that the second argument is a Decimal,
where the amount and the balance are: nobody writes that down again, and a literal of a test, or of
a caller elsewhere, is the only other witness.

Invariant: nothing is run; an argument of which nothing is certain says nothing, and neither does
None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unitcraft.core.types import TypeExpr
from unitcraft.subject.description.callee_types import kinds_of
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import PASSED, Invocable, ParameterUse, Subject
from unitcraft.subject.passing.entry_kinds import entry_kinds
from unitcraft.subject.passing.expression_kinds import ExpressionTypes
from unitcraft.subject.passing.implied_kinds import implied_kinds, is_open
from unitcraft.subject.passing.key_kinds import key_kinds
from unitcraft.subject.passing.name_bindings import scopes_of
from unitcraft.subject.passing.operator_results import OF_ITEMS, item_of


def passed_kinds(
    view: DescriptionContext, subject: Subject, tree: ast.Module
) -> Iterator[ParameterUse]:
    """What each parameter without an annotation is passed by the calls in ``tree``.

    Those with the code of the one that is called, as heirs have it, are passed the same.
    """
    types = ExpressionTypes(view, subject, scopes_of(tree))
    sharing: dict[tuple[str, int | str], list[Invocable]] = {}
    for one in subject.invocables:
        sharing.setdefault(_code(one), []).append(one)
    found: dict[tuple[str, str], dict[str, None]] = {}
    for scope in types.scopes.scopes:
        for call in scope.calls:
            invocable, receivers = types.called(call.func, scope)
            alike = sharing[_code(invocable)] if invocable is not None else []
            for name, arg in _arguments(call, alike, receivers):
                type_ = types.type_of(arg, scope)
                for path, kinds in _kinds(name, type_):
                    for one in alike:
                        if any(is_open(each) and each.name == name for each in one.parameters):
                            found.setdefault((one.id, path), {}).update(dict.fromkeys(kinds))
    for (home, path), kinds_found in found.items():
        yield ParameterUse(home, path, PASSED, "|".join(kinds_found), certain=False)
    yield from implied_kinds(types, subject)
    yield from key_kinds(types, subject)
    yield from entry_kinds(types, tree)


def _code(invocable: Invocable) -> tuple[str, int | str]:
    """What tells the code of an Invocable from others, its id where that has no place."""
    return invocable.module, invocable.first or invocable.id


def _arguments(
    call: ast.Call, alike: list[Invocable], receivers: int
) -> Iterator[tuple[str, ast.expr]]:
    """(parameter, argument) for each parameter of ``alike[0]`` that a call gives a value."""
    parameters = alike[0].parameters if alike else ()
    if not any(is_open(one) for one in parameters):
        return
    by_place = [one.name for one in parameters if one.kind.startswith("positional")]
    for name, arg in zip(by_place, call.args[receivers:], strict=False):
        if isinstance(arg, ast.Starred):
            break
        yield name, arg
    names = {one.name for one in parameters}
    yield from [(one.arg, one.value) for one in call.keywords if one.arg in names and one.arg]


def _kinds(name: str, type_: TypeExpr) -> Iterator[tuple[str, list[str]]]:
    """(path, kinds) of what is passed, and of its items."""
    told = [(name, type_)]
    if type_.name in OF_ITEMS:
        told.append((f"{name}[]", item_of(type_)))
    for path, one in told:
        kinds = kinds_of(one).split("|")
        if not {"", "NoneType"} & set(kinds):
            yield path, kinds
