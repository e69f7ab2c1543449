"""A Specification as lines for docstrings: ``inv:`` of the class, ``post:`` of its methods.

The lines are those of PEP 316: ``__return__`` is what a call returned, ``__old__.self`` the object
before it.  ``stated_contracts`` reads them back, from the class into which they were put.

Invariant: a line is the contract of a law, which was evaluated on its examples; laws that need
functions of our own to say are not there.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from unitcraft.infer.output.law_expressions import PRELUDE

if TYPE_CHECKING:
    from unitcraft.infer.specification import Contract, Specification

#: Functions that only our own modules define.
_OWN: Final = frozenset(
    one.name for one in ast.parse(PRELUDE).body if isinstance(one, ast.FunctionDef)
)


def as_docstrings(found: Specification) -> str:
    """The lines of each docstring, under the name of what it belongs to."""
    joined = [law.contract for law in found.laws if law.contract is not None]
    contracts = [
        replace(one, condition=part) for one in joined for part in one.parts or (one.condition,)
    ]
    said = [one for one in contracts if not _names(one.condition) & _OWN]
    owner = found.target.partition(":")[2]
    parts = []
    for method in dict.fromkeys(["", *sorted(one.method for one in said)]):
        lines = [f"    {_line(one)}" for one in said if one.method == method]
        if lines:
            parts.append("\n".join([f"{owner}.{method}" if method else owner, *lines]))
    return "\n\n".join(parts) + "\n"


def _line(contract: Contract) -> str:
    if not contract.method:
        return f"inv: {contract.condition}"
    return f"post: {ast.unparse(_Renamed().visit(ast.parse(contract.condition, mode='eval')))}"


def _names(text: str) -> set[str]:
    return {one.id for one in ast.walk(ast.parse(text)) if isinstance(one, ast.Name)}


class _Renamed(ast.NodeTransformer):
    """The names of the sidecar as those of docstrings."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """What the call returned."""
        return ast.Name("__return__", ast.Load()) if node.id == "result" else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """The object before the call."""
        if ast.unparse(node) == "OLD.before":
            old = ast.Name("__old__", ast.Load())
            return ast.Attribute(old, "self", ast.Load())
        return self.generic_visit(node)
