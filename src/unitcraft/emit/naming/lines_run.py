"""Which share of its function a call ran, as the conditions that it decided tell.

Invariant: between 0 and 1; what no condition decides counts as run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from unitcraft.instrument.sites import BranchSite

#: Outcomes of sites at which their condition is true.
HOLDS: Final = ("true", "entered")

#: Line of a statement -> how its condition came out.
_Decided = Mapping[int, set[bool]]


def functions_by_scope(tree: ast.AST, scope: str = "") -> dict[str, ast.stmt]:
    """The functions below ``tree`` by the scope that sites in them have."""
    found: dict[str, ast.stmt] = {}
    for node in ast.iter_child_nodes(tree):
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{scope}.{node.name}".lstrip(".")
            if not isinstance(node, ast.ClassDef):
                found[inner] = node
        found |= functions_by_scope(node, inner)
    return found


def share_run(functions: Mapping[str, ast.stmt], taken: Iterable[BranchSite]) -> float:
    """The share of the lines of the functions of the sites ``taken``; 0 if not known."""
    decided: dict[int, set[bool]] = {}
    scopes: dict[str, ast.stmt] = {}
    for site in taken:
        if site.scope in functions:
            scopes[site.scope] = functions[site.scope]
        if site.kind in ("if", "loop"):
            decided.setdefault(site.line, set()).add(site.outcome in HOLDS)
    ran = sum(_ran(_body(one), decided)[0] for one in scopes.values())
    of = sum(_ran(_body(one), {})[0] for one in scopes.values())
    return ran / of if of else 0.0


def _body(function: ast.stmt) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    body: list[ast.stmt] = getattr(function, "body", [])
    is_doc = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return body[1:] if is_doc else body


def _ran(body: Sequence[ast.stmt], decided: _Decided) -> tuple[int, bool]:
    """How many lines of ``body`` ran, and whether they left the function."""
    lines = 0
    for statement in body:
        ways = decided.get(statement.lineno, {True, False})
        match statement:
            case ast.If():
                parts = [statement.body] * (True in ways) + [statement.orelse] * (False in ways)
                ran = [_ran(part, decided) for part in parts]
                lines += 1 + sum(count for count, _ in ran)
                left = all(ended for _, ended in ran)
            case ast.For() | ast.AsyncFor() | ast.While():
                inner = statement.body if True in ways else []
                lines += 1 + _ran(inner, decided)[0] + _ran(statement.orelse, decided)[0]
                left = False
            case ast.Try():
                count, left = _ran([*statement.body, *statement.orelse], decided)
                left = left and not statement.handlers
                lines += count + _ran(statement.finalbody, decided)[0]
            case ast.With() | ast.AsyncWith():
                count, left = _ran(statement.body, decided)
                lines += 1 + count
            case _:
                lines += (statement.end_lineno or statement.lineno) - statement.lineno + 1
                left = isinstance(statement, ast.Return | ast.Raise)
        if left and decided:
            return lines, True
    return lines, False
