"""Checks as ``assert`` statements and expected exceptions as ``pytest.raises``.

Invariant: an assertion holds exactly when the Check does, and the layout passes the
linters that a careful project switches on (no comparison with ``True``, no Yoda
condition).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from unitcraft.core.outcomes import Warned, expected_of_message
from unitcraft.core.sequences import Arg, Call, Const, Display, Symbol, expected_error
from unitcraft.emit.code.formatter import (
    INDENT,
    Binary,
    Bracket,
    Leaf,
    Node,
    Pair,
    call,
    fits,
    flat,
    render,
)
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.literal_code import Code, Level, Naming, code, quoted
from unitcraft.suite.relations import CALLABLE
from unitcraft.suite.tests import Check

#: Names that linters take for constants.
_CAPITALS: Final = re.compile(r"(?:^|\.)[A-Z][A-Z\d_]*\Z")

_OPPOSITES: Final = {"in": "not in"}


def assertion(
    check: Check, left: Code, naming: Naming, imports: Imports, *, opposite: bool = False
) -> Node:
    """The condition of the ``assert`` statement of ``check``; ``left`` is the observed value.

    ``opposite``: no class here defines ``__ne__``, so that ``!=`` is the opposite of ``==``.
    """
    expected = check.expected
    if check.relation == "nan":
        imports.module("math")
        return call("math.isnan", [left.node])
    if check.relation == "isinstance" and expected == CALLABLE:
        return call("callable", [left.node])
    right = code(expected, naming)
    if check.relation == "isinstance":
        return call("isinstance", [left.node, right.node])
    if check.relation == "startswith":
        return call(f"{flat(left.at_least(Level.PRIMARY))}.startswith", [right.node])
    if check.relation == "approx":
        imports.module("pytest")
        return _comparison(left, "==", Code(call("pytest.approx", [right.node])))
    if check.relation == "is" or is_singleton(expected) or is_builtin(expected):
        return _identity(check, left, right, opposite=opposite)
    return _comparison(left, "==", right)


def is_singleton(expected: Arg) -> bool:
    """Is it a value that linters want compared with ``is``?"""
    return isinstance(expected, Const) and (
        expected.value is None or isinstance(expected.value, bool)
    )


def is_builtin(expected: Arg) -> bool:
    """Is it a class or function that linters want compared with ``is``?"""
    return isinstance(expected, Symbol) and expected.module == "builtins"


def _identity(check: Check, left: Code, right: Code, *, opposite: bool) -> Node:
    compares = left.level == Level.COMPARE and isinstance(left.node, Binary)
    if compares and isinstance(check.expected, Const) and isinstance(check.expected.value, bool):
        return _truth(left, wanted=check.expected.value, opposite=opposite)
    return _comparison(left, "is", right)


def _truth(left: Code, *, wanted: bool, opposite: bool) -> Node:
    """A comparison as its own assertion; ``opposite``: ``!=`` means ``not ==``."""
    node = left.node
    if wanted or not isinstance(node, Binary):
        return node
    if node.op in _OPPOSITES:
        return Binary(node.left, _OPPOSITES[node.op], node.right)
    if node.op == "==" and opposite:
        return replace(node, op="!=")
    if node.op in ("==", "!="):
        return Binary(Leaf(f"({flat(node)})"), "is", Leaf("False"))
    return Leaf(f"not {flat(node)}")


def _comparison(left: Code, op: str, right: Code) -> Node:
    above = Level(Level.COMPARE + 1)
    return Binary(left.at_least(above), op, right.at_least(above))


def reads_backwards(left: Code, check: Check) -> bool:
    """Would a linter call the assertion about ``left`` a Yoda condition?"""
    literal = check.relation == "==" and _is_constant(check.expected)
    identity = check.relation in ("is", "nan", "isinstance", "startswith")
    return not literal and not identity and _CAPITALS.search(left.text) is not None


def _is_constant(arg: Arg) -> bool:
    """Do linters see that ``arg`` never changes?"""
    if isinstance(arg, Display):
        return arg.kind in ("list", "tuple") and all(_is_constant(item) for item in arg.items)
    return isinstance(arg, Const) and not isinstance(arg.value, float | complex)


def raises(error: str, pattern: Node | None, imports: Imports) -> Node:
    """``pytest.raises(error, match=pattern)``."""
    head = f"{imports.module('pytest')}.raises"
    match = [] if pattern is None else [Pair(Leaf("match"), "=", pattern)]
    return call(head, [Leaf(error), *match])


def repetitions(calls: Sequence[Call]) -> int:
    """How many of the first ``calls`` are the same, one that is expected to raise; at least 1."""
    first = calls[0]
    same = takewhile(lambda call: call == first, calls) if expected_error(first) else (first,)
    return len([*same])


def expected_block(manager: Node, body: list[str], times: int, indent: str) -> list[str]:
    """``with manager:`` around ``body``, which is indented once, done ``times`` times."""
    if times == 1:
        return [*expecting([manager], "", indent), *[indent + line for line in body]]
    inner = expected_block(manager, body, 1, indent + INDENT)
    return [f"{indent}for _ in range({times}):", *inner]


def warns(
    expected: Sequence[Warned], pattern: Node | None, naming: Naming, imports: Imports
) -> Node:
    """``pytest.warns(category, match=pattern)``; of several classes any."""
    kinds = dict.fromkeys(naming.symbol(Symbol(*one.type.split(":"))) for one in expected)
    names: list[Node] = [Leaf(name) for name in kinds]
    kind = names[0] if len(names) == 1 else Bracket("", "(", tuple(names), ")", display=True)
    match = [] if pattern is None else [Pair(Leaf("match"), "=", pattern)]
    return call(f"{imports.module('pytest')}.warns", [kind, *match])


def expecting(managers: Sequence[Node], entered: str, indent: str, caught: str = "") -> list[str]:
    """The first lines of the ``with`` statement around the Call that raises or warns.

    ``entered`` is what the Call itself enters, or ''; ``caught`` the name of what the last of the
    ``managers`` holds afterwards, or ''.
    """
    named = f" as {caught}" if caught else ""
    if len(managers) == 1 and not entered:
        return render(managers[0], indent, "with ", f"{named}:")
    *first, last = map(flat, managers)
    line = f"{indent}with {', '.join([*first, last + named, *([entered] if entered else [])])}:"
    if fits(line):
        return [line]
    inner = indent + INDENT
    names = ["" for _ in first] + [named]
    return [
        f"{indent}with (",
        *[
            line
            for one, name in zip(managers, names, strict=True)
            for line in render(one, inner, after=f"{name},")
        ],
        *([f"{inner}{entered},"] if entered else []),
        f"{indent}):",
    ]


def pattern_of(message: str | None) -> Node | None:
    """The regular expression that ``message`` matches; None: there is nothing to match."""
    if not message:
        return None
    return Leaf(pattern_text(message))


def pattern_text(message: str) -> str:
    """Source text of the pattern: a raw string where a plain one would need backslashes.

    It matches exactly ``message``, of a long one the beginning.
    """
    shown = expected_of_message(message)
    escaped = re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", shown)
    whole = f"^{escaped}$" if shown == message else f"^{escaped}"
    if not whole.isprintable() or whole.endswith("\\"):
        return quoted(whole)
    mark = "'" if whole.count('"') > whole.count("'") else '"'
    return f"r{mark}{whole}{mark}" if mark not in whole else quoted(whole)
