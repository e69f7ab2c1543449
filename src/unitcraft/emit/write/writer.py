"""Writes Tests as the text of a pytest file.

Invariant: the same Subject and Tests give the same bytes; the text holds no
address, no path and no time, and it is laid out and linted as ruff would have it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from unitcraft import __version__
from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import Arg, Build, Call, Symbol, arguments, children
from unitcraft.emit.arrange.merge_observers import Origin, Unit, merge_observers
from unitcraft.emit.arrange.parametrize import Group, group_units
from unitcraft.emit.arrange.simplify import simplify
from unitcraft.emit.code.call_code import RUNNER
from unitcraft.emit.code.digest_comments import digest_lines
from unitcraft.emit.code.imports import Imports, import_lines
from unitcraft.emit.code.subject_index import SubjectIndex, simple_name
from unitcraft.emit.naming.name_tags import owner_of
from unitcraft.emit.naming.names import test_names
from unitcraft.emit.write.functions import TestFunction, write_functions
from unitcraft.emit.write.shared_classes import class_lines, members_of_lines, shared_classes
from unitcraft.subject.model import Subject
from unitcraft.suite.tests import Test

#: Bounds of ``Test.clarity``, the share of killed mutants that an assertion kills: a group below
#: the first stands after the clearer ones, a group below the second after both.
_CLARITY_BOUNDS = (0.8, 0.5)


@dataclass(frozen=True, slots=True)
class Row:
    """One run of a test function: the Tests behind it and the Check behind each line."""

    tests: tuple[Test, ...]
    checks: dict[int, Origin] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WrittenSuite:
    """The text of a file.

    ``nodes``: test function (``test_x`` or ``TestA::test_x``) -> its rows in order; a function
    without parameters has one.  Lines in ``Row.checks`` count from 1.  ``unwritable`` are Tests
    that no source text can express (an exception class local to a function).  ``header`` and
    ``first_party`` are what it was written with.
    """

    text: str
    nodes: dict[str, tuple[Row, ...]] = field(default_factory=dict)
    unwritable: tuple[Test, ...] = ()
    header: str = ""
    first_party: bool = False


def write(
    subject: Subject, tests: Iterable[Test], header: str = "", *, first_party: bool = False
) -> WrittenSuite:
    """The file for ``tests``; ``header`` is one more comment line.

    ``first_party``: the subject lives in the project of the tests, so its import goes into a
    section of its own.
    """
    known = SubjectIndex(subject)
    shorter = [simplify(test, known) for test in tests]
    distinct = list({repr(test): test for test in shorter}.values())
    writable = [test for test in distinct if _is_writable(test, known)]
    unwritable = tuple([test for test in distinct if not _is_writable(test, known)])
    imports = Imports(_symbols(writable, known))
    imports.classes = shared_classes(writable, imports.names)
    units = sorted(merge_observers(writable, known), key=lambda unit: _sort_key(unit, known))
    groups = _clearest_first(group_units(units, known, imports.names), known)
    written = write_functions(groups, _class_blocks(groups, known), known, imports)
    body, nodes = _body(written, known, list(class_lines(imports.classes, imports)))
    top = _top(subject, header, imports, first_party=first_party)
    text = "\n".join([*top, *body]) + "\n"
    return WrittenSuite(text, _shift(nodes, len(top)), unwritable, header, first_party)


def _is_writable(test: Test, known: SubjectIndex) -> bool:
    return not isinstance(test.outcome, Raised) or known.exception(test.outcome) is not None


def _symbols(tests: Sequence[Test], known: SubjectIndex) -> list[Symbol]:
    """Every Symbol that the file may refer to, the Subject's own first."""
    found: set[Symbol] = set()
    for test in tests:
        found.update(_symbols_of(test))
        error = known.exception(test.outcome) if isinstance(test.outcome, Raised) else None
        found.update([error] if error else [])
    own = known.subject.module
    return sorted(found, key=lambda symbol: (symbol.module != own, symbol.module, symbol.qualname))


def _symbols_of(test: Test) -> list[Symbol]:
    """The Symbols of the Calls and Checks of ``test``."""
    found: list[Symbol] = []
    observers = [check.observed for check in test.checks if isinstance(check.observed, Call)]
    for step in (*test.sequence.calls, *observers):
        if step.kind in ("function", "invoke"):
            module, _, qualname = step.name.partition(":")
            found.append(Symbol(module, qualname))
        found += [RUNNER] if step.kind == "invoke" else []
        found += [symbol for arg in arguments(step) for symbol in _symbols_in(arg)]
    found += [Symbol(*one.type.split(":")) for one in test.warns]
    return found + [symbol for check in test.checks for symbol in _symbols_in(check.expected)]


def imported_names(test: Test) -> list[str]:
    """The names that ``test`` makes the file import."""
    raised = test.outcome.type if isinstance(test.outcome, Raised) else ""
    names = [symbol.qualname for symbol in _symbols_of(test)] + [raised.rpartition(":")[2]]
    return [name.partition(".")[0] for name in names if name]


def _symbols_in(arg: Arg) -> list[Symbol]:
    inner = [symbol for child in children(arg) for symbol in _symbols_in(child)]
    if isinstance(arg, Symbol):
        return [arg]
    return [arg.callee, *inner] if isinstance(arg, Build) else inner


def _sort_key(unit: Unit, known: SubjectIndex) -> tuple[bool, int, str, int, bool, str]:
    """The order of Units: public code first, as in the source; constructors first, raising last."""
    invocable = known.invocable(unit.test.invocable)
    owner = owner_of(unit.test, known)
    line = invocable.first if invocable else 0
    family = [item.first for item in known.subject.invocables if owner and item.owner == owner]
    first = min([number for number in family if number], default=line)
    if invocable is None or invocable.kind == "constructor":
        line = 0
    raising = isinstance(unit.test.outcome, Raised)
    return (_is_private(unit.test.invocable), first, owner, line, raising, unit.test.invocable)


def _is_private(invocable: str) -> bool:
    """Is it, or the class that it belongs to, private by its name?"""
    parts = invocable.partition(":")[2].split(".")
    return any(part.startswith("_") and not part.endswith("__") for part in parts)


def _clearest_first(groups: Sequence[Group], known: SubjectIndex) -> list[Group]:
    """The groups of each class or function, first the ones that kill mutants by an assertion.

    A person reads the first failure first: an assertion says what was expected, an exception
    on the way to one does not.
    """
    return sorted(
        groups, key=lambda group: (_sort_key(group.units[0], known)[:3], _clarity_rank(group))
    )


def _clarity_rank(group: Group) -> int:
    """0: an assertion kills most mutants that the group kills; 2: mostly an exception does."""
    shares = [test.clarity for unit in group.units for test in unit.tests]
    return sum(sum(shares) / len(shares) < bound for bound in _CLARITY_BOUNDS)


def _class_blocks(groups: Sequence[Group], known: SubjectIndex) -> list[str]:
    """The class block of each group: used when several classes have several tests each."""
    owners = [owner_of(group.first, known) for group in groups]
    several = list(dict.fromkeys(owner for owner in owners if owner and owners.count(owner) > 1))
    if len(several) < 2:  # noqa: PLR2004 - one class needs no block
        return ["" for _ in groups]
    short = [_block_name(simple_name(owner)) for owner in several]
    blocks = {
        owner: name if short.count(name) == 1 else _block_name(owner.rpartition(":")[2])
        for owner, name in zip(several, short, strict=True)
    }
    return [blocks.get(owner, "") for owner in owners]


def _block_name(qualname: str) -> str:
    name = qualname.replace(".", "").strip("_")
    return f"Test{name[:1].upper()}{name[1:]}"


def _body(
    written: Sequence[TestFunction], known: SubjectIndex, classes: Sequence[list[str]] = ()
) -> tuple[list[str], dict[str, tuple[Row, ...]]]:
    """The lines below the imports and the nodes in them (lines counted from the first of these).

    ``classes`` are the lines of those that stand above the tests.
    """
    spaces = [function.space for function in written]
    names = test_names([function.group for function in written], known, spaces)
    firsts = [spaces.index(space) if space else at for at, space in enumerate(spaces)]
    order = sorted(range(len(written)), key=lambda at: firsts[at])
    lines = [line for one in classes for line in ("", "", *one)]
    nodes: dict[str, tuple[Row, ...]] = {}
    texts = [member for one in classes for member in members_of_lines(one)]
    space = ""
    for position in order:
        function, name = written[position], names[position]
        lines += _gap(space, function.space)
        space = function.space
        start = len(lines)
        lines += function.header(name)
        rows, more = _rows(function, len(lines))
        lines += more
        nodes[f"{space}::{name}" if space else name] = rows
        text = textwrap.dedent("\n".join(lines[start:]))
        texts.append((f"{space}.{name}" if space else name, text))
    return [*lines, *(["", "", *digest_lines(texts)] if texts else [])], nodes


def _gap(before: str, space: str) -> list[str]:
    """The blank lines above a function, and the class statement where its block begins."""
    if not space:
        return ["", ""]
    return [""] if space == before else ["", "", f"class {space}:"]


def _rows(function: TestFunction, above: int) -> tuple[tuple[Row, ...], list[str]]:
    """The rows of a function and the lines of its body, ``above`` of which come before them."""
    lines: list[str] = []
    checks: dict[int, int] = {}
    for block in function.blocks:
        first = above + len(lines) + 1
        lines += block.lines
        if block.check >= 0:
            checks.update(dict.fromkeys(range(first, above + len(lines) + 1), block.check))
    rows = [
        Row(unit.tests, {line: unit.origins[check] for line, check in checks.items()})
        for unit in function.group.units
    ]
    return tuple(rows), lines


def _shift(nodes: dict[str, tuple[Row, ...]], above: int) -> dict[str, tuple[Row, ...]]:
    return {
        node: tuple(
            [Row(row.tests, {line + above: at for line, at in row.checks.items()}) for row in rows]
        )
        for node, rows in nodes.items()
    }


def _top(subject: Subject, header: str, imports: Imports, *, first_party: bool) -> list[str]:
    """The docstring, the comment that says who wrote this, and the imports."""
    module = subject.module
    beside = frozenset([module.partition(".")[0]]) if first_party else frozenset()
    note = f"# Written by unitcraft {__version__} for {module}; a test that you edit is kept."
    lines = [f'"""Tests of {module}."""', "", note, *([f"# {header}"] if header else [])]
    statements = import_lines(imports.used(), beside)
    return [*lines, "", *statements] if statements else lines
