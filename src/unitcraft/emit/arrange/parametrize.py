"""Units of one template become one test function with a row of parameters for each.

Invariant: a row holds literals only, so collecting the file never runs the Subject.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    arg_key,
)
from unitcraft.emit.arrange.merge_observers import Unit
from unitcraft.emit.arrange.templates import (
    LiteralSlot,
    complexity,
    fill,
    is_immutable,
    literals_of,
    template_of,
)
from unitcraft.emit.arrange.variable_names import class_nouns, given_name, parameter_names
from unitcraft.emit.code.assert_statements import is_singleton, pattern_text
from unitcraft.emit.code.imports import is_reserved
from unitcraft.emit.code.subject_index import SubjectIndex, words
from unitcraft.subject.model import Parameter
from unitcraft.suite.tests import Relation, Test, exit_code, expected_message

#: Columns of a table of parameters: a wider one reads worse than separate tests.
_MAX_COLUMNS: Final = 6

_ERROR: Final = LiteralSlot("error")
_MOCK: Final = Symbol("unittest.mock", "Mock")
#: Operator -> a name for its second operand.
_OPERAND_NAMES: Final = {
    "[]": "key", "[]=": "key", "del[]": "key", "in": "item", "round2": "digits",
    "format": "spec", "with raise": "error", "isinstance": "kind",
}  # fmt: skip

#: Operator -> a noun for its result.
_EXPECTATIONS: Final = {
    "len": "length", "str": "text", "repr": "text", "list": "items", "items": "items",
    "each": "items", "tuple": "items", "dict": "items", "sorted": "items",
}  # fmt: skip


#: Kinds of slots of what a test expects, whose columns come last.
_TOLD: Final = ("expected", "part", "message")


@dataclass(frozen=True, slots=True)
class Column:
    """A parameter: its name, the slots that it fills, and its value in each row."""

    name: str
    slots: tuple[LiteralSlot, ...]
    cells: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """One test function: its Units are the rows, which differ in ``columns``."""

    units: tuple[Unit, ...]
    columns: tuple[Column, ...] = ()

    @property
    def first(self) -> Test:
        """The Test of the first row."""
        return self.units[0].test


def group_units(units: Many[Unit], knowledge: SubjectIndex, taken: frozenset[str]) -> list[Group]:
    """Units of one template together, rows from simple to complicated."""
    families: dict[str, list[Unit]] = {}
    for unit in units:
        key = f"{unit.gathered} {exit_code(unit.test)} {template_of(unit.test)}"
        families.setdefault(key, []).append(unit)
    found: list[Group] = []
    for family in _with_classes(families.values(), knowledge):
        group = _group(sorted(family, key=_simplicity), knowledge, taken)
        if len(group.columns) > _MAX_COLUMNS:
            found += [Group((unit,)) for unit in family]
        else:
            found.append(group)
    return found


def _with_classes(families: Iterable[list[Unit]], knowledge: SubjectIndex) -> list[list[Unit]]:
    """The ``families``, of which those are one whose exceptions one line raises, of any class."""
    found: dict[object, list[Unit]] = {}
    for family in families:
        lines = {_line_of(unit.test, knowledge) for unit in family}
        is_one = len(lines) == 1 and lines != {0}
        key = template_of(family[0].test, by_class=False) if is_one else id(family)
        found.setdefault((family[0].gathered, key), []).extend(family)
    return list(found.values())


def _line_of(test: Test, knowledge: SubjectIndex) -> int:
    """The line of the Subject that raised, where a table may give the class; 0 of other tests."""
    raised = test.outcome
    is_known = isinstance(raised, Raised) and raised.inside and knowledge.exception(raised)
    return raised.line if isinstance(raised, Raised) and is_known else 0


def _simplicity(unit: Unit) -> tuple[tuple[int, int, str], ...]:
    """What is given comes first, so that another result does not change the order of the rows."""
    found = literals_of(unit.test)
    given = [arg for slot, arg in found.items() if slot.kind not in _TOLD]
    return tuple(
        (sum(complexity(arg) for arg in args), len(text), text)
        for args in (given, list(found.values()))
        for text in [" ".join([arg_key(arg) for arg in args])]
    )


def _group(units: list[Unit], knowledge: SubjectIndex, taken: frozenset[str]) -> Group:
    if len(units) == 1:
        return Group(tuple(units))
    rows = [literals_of(unit.test) for unit in units]
    test = units[0].test
    merged = _merged_slots(test, rows, knowledge)
    columns: list[Column] = []
    errors = list(_error_column(units, knowledge, taken))
    expectations = [slot for slot in rows[0] if slot.kind == "expected"]
    for slots in merged.values():
        used = {column.name for column in (*columns, *errors)} | taken
        cells_of = tuple([row[slots[0]] for row in rows])
        options = _candidate_names(test, slots[0], knowledge, single=len(expectations) == 1)
        name = _column_name([*options, _kind_word(cells_of)], used)
        columns.append(Column(name, tuple(slots), cells_of))
    told = sum(column.slots[0].kind in _TOLD for column in columns)
    at = len(columns) - told
    return Group(tuple(units), (*columns[:at], *errors, *columns[at:]))


def _merged_slots(
    test: Test, rows: list[dict[LiteralSlot, Arg]], knowledge: SubjectIndex
) -> dict[tuple[str, ...], list[LiteralSlot]]:
    """The slots whose values differ, those with the same ones together.

    A number that happens to be passed for two things, as a seed and a length, is none of both.
    """
    merged: dict[tuple[str, ...], list[LiteralSlot]] = {}
    for slot in rows[0]:
        values = [row[slot] for row in rows]
        cells = tuple(map(arg_key, values))
        if len(set(cells)) == 1:
            continue
        if slot.kind == "message" or not all(map(is_immutable, values)):
            key = (*cells, repr(slot))
        elif slot.kind not in _TOLD and all(map(_is_number, values)):
            key = (*cells, *_candidate_names(test, slot, knowledge, single=False)[:1])
        else:
            alike = [other for other in merged if other[: len(cells)] == cells]
            key = alike[0] if len(alike) == 1 else cells
        merged.setdefault(key, []).append(slot)
    return merged


def _is_number(arg: Arg) -> bool:
    return isinstance(arg, Const) and isinstance(arg.value, int | float)


def _error_column(
    units: list[Unit], knowledge: SubjectIndex, taken: frozenset[str]
) -> Iterator[Column]:
    """The column of the classes of exceptions, where they differ."""
    raised = [unit.test.outcome for unit in units if isinstance(unit.test.outcome, Raised)]
    kinds = [knowledge.exception(one) for one in raised]
    known = tuple([one for one in kinds if one is not None])
    if len(set(known)) > 1 and len(known) == len(units):
        name = _column_name(["error", "expected_error"], taken)
        yield Column(name, (_ERROR,), known)


def _kind_word(cells: tuple[Arg, ...]) -> str:
    """A noun for the values of a column, where the parameter's own name says nothing."""
    found = {
        "text" if isinstance(cell, Const) and isinstance(cell.value, str)
        else "number" if isinstance(cell, Const) and isinstance(cell.value, int | float)
        else "items" if isinstance(cell, Display) and cell.kind in ("list", "tuple", "set")
        else "value"
        for cell in cells
    }  # fmt: skip
    return found.pop() if len(found) == 1 else "value"


def _column_name(options: list[str], used: set[str] | frozenset[str]) -> str:
    for name in options:
        usable = f"{name}_" if is_reserved(name) or name in ("request", "self", "cls") else name
        if usable.isidentifier() and usable not in used:
            return usable
    base = options[-1] if options[-1].isidentifier() else "value"
    return next(
        name for number in range(2, len(used) + 3) if (name := f"{base}_{number}") not in used
    )


def _candidate_names(
    test: Test, slot: LiteralSlot, knowledge: SubjectIndex, *, single: bool
) -> list[str]:
    if slot.kind == "message":
        return ["message", "pattern"]
    if slot.kind == "part":
        return [
            "expected",
            *([f"expected_{slot.argument}"] if isinstance(slot.argument, str) else []),
        ]
    if slot.kind == "expected":
        return [
            *(["expected"] if single else []),
            *_expectation_names(test, slot, knowledge),
            "expected",
        ]
    check = test.checks[slot.index].observed if slot.kind == "observer" else None
    call = check if isinstance(check, Call) else test.sequence.calls[slot.index]
    return _argument_names(call, slot.argument, test.sequence, knowledge)


def _expectation_names(test: Test, slot: LiteralSlot, knowledge: SubjectIndex) -> list[str]:
    observed = test.checks[slot.index].observed
    if isinstance(observed, Ref):
        made = knowledge.class_made_by(test.sequence.calls[observed.index], test.sequence)
        return [f"expected_{class_nouns(made)[0]}"] if made else ["expected"]
    name = observed.name
    if observed.kind == "operator":
        return [f"expected_{_EXPECTATIONS.get(name, 'result')}"]
    return [words(name.rpartition(".")[2].removeprefix("get_")), f"expected_{words(name)}"]


def _argument_names(
    call: Call, slot: int | str, sequence: Sequence, knowledge: SubjectIndex
) -> list[str]:
    if isinstance(slot, str) or call.kind == "invoke":
        return [words(slot) if isinstance(slot, str) else "args"]
    if call.kind == "arrange":
        target = call.args[0].value if isinstance(call.args[0], Const) else ""
        name = words(str(target).rpartition(".")[2])
        return [name.removeprefix("get_"), f"{name}_answer"]
    if call.kind == "operator" and call.name == "itself":
        if isinstance(call.args[0], Build) and call.args[0].callee == _MOCK:
            return ["answer"]
        return [words(name) for name in parameter_names(call, sequence, knowledge)] or ["argument"]
    is_called = call.kind == "operator" and call.name == "call" and slot > 0
    if called := knowledge.called(call, sequence) if is_called else None:
        named = words(_parameter(called.parameters, slot - 1))
        return [named] if len(named) > 1 else []
    if call.kind == "operator":
        second = _OPERAND_NAMES.get(call.name, "other")
        return [["left", second, "value"][min(slot, 2)]]
    if call.kind == "set":
        return [words(call.name)]
    called = knowledge.called(call, sequence)
    if call.kind == "method" and slot == 0:  # a receiver that is written in place: an Enum member
        return [class_nouns(called.owner)[0]] if called and called.owner else []
    position = slot - 1 if call.kind == "method" else slot
    name = _parameter(called.parameters, position) if called else ""
    word = words(name)
    verb = words(call.name.rpartition(":")[2].rpartition(".")[2]) if call.kind == "method" else ""
    if len(word) <= 1:
        letters = [one for one in called.parameters if len(one.name) == 1] if called else []
        return [word] if word and len(letters) > 1 else []
    return [word, *([f"{verb}_{word}"] if verb else [])]


def _parameter(parameters: Many[Parameter], position: int) -> str:
    plain = [item for item in parameters if item.kind not in ("keyword", "var_keyword")]
    if position < len(plain):
        return given_name(plain[position])
    return given_name(plain[-1]) if plain and plain[-1].kind == "var_positional" else ""


def parametrised_test(group: Group) -> Test:
    """The Test of the group's function: parameters by name where the rows differ."""
    chosen: dict[LiteralSlot, Arg] = {}
    relations: dict[int, Relation] = {}
    for column in group.columns:
        for slot in column.slots:
            chosen[slot] = Source(column.name)
            if slot.kind == "expected":
                relations[slot.index] = _relation(group, slot.index, column.cells)
    test = fill(group.first, chosen)
    checks = [
        replace(check, relation=relations.get(number, check.relation))
        for number, check in enumerate(test.checks)
    ]
    return replace(test, checks=tuple(checks))


def _relation(group: Group, number: int, cells: tuple[Arg, ...]) -> Relation:
    """One relation for all rows: ``is`` only where each row is compared so."""
    if all(is_singleton(cell) for cell in cells):
        return "is"
    relations = [unit.test.checks[number].relation for unit in group.units]
    return "==" if "==" in relations else relations[0]


def error_name(group: Group) -> str:
    """The parameter for the class of the exception; '' where all rows have one class."""
    return next((column.name for column in group.columns if _ERROR in column.slots), "")


def message_pattern(group: Group) -> str:
    """Source text of the ``match`` argument: a parameter or a pattern; '' without one."""
    for column in group.columns:
        if LiteralSlot("message") in column.slots:
            return column.name
    message = expected_message(group.first)
    return pattern_text(message) if message else ""


def cell_text(column: Column, cell: Arg) -> str | None:
    """The pattern that matches the message in a row; None for ordinary values."""
    if LiteralSlot("message") in column.slots and isinstance(cell, Const):
        return pattern_text(str(cell.value))
    return None
