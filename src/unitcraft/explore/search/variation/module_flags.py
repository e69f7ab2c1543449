"""The variables of a module for which its functions ask, and which nobody gives them.

``HAS_YAML``, ``DEBUG`` and ``settings.strict`` decide what a function does, and no argument leads
to the other outcome.  A module that is None where it is not installed is no flag: whoever says that
it is there needs a stand-in for it.

Invariant: the answer depends on the source alone; what belongs to the standard library is no flag.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from unitcraft.core.sequences import Const
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.scopes import statement_blocks

#: A variable, and values for which conditions on it come out one way or the other.
Flag = tuple[str, tuple[Const, ...]]
#: What a variable gets that is asked whether it is true.
_TRUTHS: Final = (Const(value=False), Const(value=True), Const("abc"))
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def module_flags(tree: ast.Module) -> dict[int, tuple[Flag, ...]]:
    """Line of a condition -> the variables of the module for which it asks by name."""
    imported = {
        one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for one in node.names
    }
    held = frozenset(_held_by(tree.body)) - imported
    found: dict[int, dict[str, tuple[Const, ...]]] = {}
    for function in [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]:
        own = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
        own |= {
            one.id
            for one in ast.walk(function)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        for condition in _conditions_in(function):
            for name, values in _asked_in(condition):
                if name.partition(".")[0] in held - own:
                    found.setdefault(condition.lineno, {}).setdefault(name, values)
    return {line: tuple(flags.items()) for line, flags in found.items()}


def _held_by(block: Iterable[ast.stmt]) -> Iterator[str]:
    """The names that the statements of the module bind, but for those of the library."""
    for node in block:
        match node:
            case ast.Assign(targets):
                yield from [one.id for one in targets if isinstance(one, ast.Name)]
            case ast.AnnAssign(ast.Name(name)):
                yield name
            case ast.ImportFrom(module, names):
                if (module or "").partition(".")[0] not in sys.stdlib_module_names:
                    yield from [one.asname or one.name for one in names]
            case ast.If() | ast.Try() | ast.With():
                for inner in statement_blocks(node):
                    yield from _held_by(inner)


def _conditions_in(function: ast.AST) -> Iterator[ast.expr]:
    """The conditions of branches, and the operands of those that ask several things."""
    for node in ast.walk(function):
        match node:
            case ast.If(test) | ast.IfExp(test) | ast.While(test) | ast.Assert(test):
                yield test
            case ast.BoolOp(_, operands):
                yield from operands


def _asked_in(condition: ast.expr) -> Iterator[Flag]:
    match condition:
        case ast.UnaryOp(ast.Not(), operand):
            yield from _asked_in(operand)
        case ast.Compare(left, [ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()], [right]):
            wanted, name = literal_in(right), _dotted(left)
            if name and isinstance(wanted, Const):
                other = Const(value=True) if wanted == Const(None) else Const(None)
                yield name, (wanted, other)
        case ast.Name() | ast.Attribute():
            if name := _dotted(condition):
                yield name, _TRUTHS


def _dotted(node: ast.expr) -> str:
    """``settings.debug``; '' of what is no name."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(ast.Name(root), name):
            return f"{root}.{name}"
    return ""
