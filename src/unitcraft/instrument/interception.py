"""The AST rewriting of blind forms: operations on a symbolic proxy that its class cannot see.

A proxy sees every operator that Python dispatches to its class.  Calls of C functions, subscripts,
``in``, ``is``, f-strings, ``%`` and displays of sets and dictionaries bypass it; each becomes a
call of a probe.

Invariant: every operand is evaluated once and in the original order, and a probe without
proxies among its operands computes what the form computed.  Probe calls of another rewriting are
left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, Final

from unitcraft.instrument.interception_stores import (
    CALL,
    DELETE,
    DICT,
    DICT_OF,
    FORMATTED,
    GET,
    IN_PLACE,
    IS,
    JOINED,
    MAPPING,
    MEMBER,
    MODULO,
    MODULO_IN_PLACE,
    NEW_DICT,
    NEW_FROZEN,
    NEW_SET,
    PLAIN,
    PROBE,
    SET,
    SET_OF,
    SLICE,
    UNPACKED,
    StoreRewriter,
    is_constant,
    is_starred,
    or_none,
    probe_call,
)

__all__ = [
    "CALL",
    "DELETE",
    "DICT",
    "DICT_OF",
    "FORMATTED",
    "GET",
    "IN_PLACE",
    "IS",
    "JOINED",
    "MAPPING",
    "MEMBER",
    "MODULO",
    "MODULO_IN_PLACE",
    "NEW_DICT",
    "NEW_FROZEN",
    "NEW_SET",
    "PLAIN",
    "SET",
    "SET_OF",
    "SLICE",
    "UNPACKED",
]

#: Functions that read the frame of their caller, so that a probe must not stand in between.
_FRAME_BOUND: Final = frozenset(
    {"super", "locals", "vars", "dir", "eval", "exec", "globals", "__import__", "breakpoint"}
)
#: Classes of containers whose empty instances are made by a probe too.
_TABLES: Final = frozenset({"set", "dict", "defaultdict", "OrderedDict", "Counter"})
#: Default factories that are replaced by a probe.
_FACTORIES: Final = {"dict": NEW_DICT, "set": NEW_SET}
#: Methods whose result goes to C code, which needs a concrete number.
_RETURNS_TO_C: Final = frozenset(
    {"__hash__", "__int__", "__index__", "__float__", "__complex__", "__length_hint__"}
)


class Interception:
    """For the import hook, after any other rewriting: blind forms become calls of ``probes``."""

    def __init__(self, probes: Mapping[str, Any]) -> None:
        self.probes = probes

    def rewrite(self, tree: ast.Module, _module: str) -> ast.Module:
        """``tree``, changed in place."""
        made: ast.Module = InterceptionRewriter().visit(tree)
        return made


class InterceptionRewriter(StoreRewriter, ast.NodeTransformer):
    """Rewrites the blind forms of one module, inside functions."""

    def __init__(self) -> None:
        super().__init__()
        self._returns_to_c = False
        self._iterables = 0

    # -- where ------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class body keeps its form; its methods are rewritten."""
        functions, self._functions = self._functions, 0
        node.body = [self.visit(child) for child in node.body]
        self._functions = functions
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        """Decorators, defaults and annotations keep their form."""
        self._functions += 1
        outer, self._returns_to_c = self._returns_to_c, node.name in _RETURNS_TO_C
        node.body = self._statements(node.body)
        self._returns_to_c = outer
        self._functions -= 1
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            made += result if isinstance(result, list) else [result]
        return made

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Concretize the result of ``__hash__`` and of the other methods of ``_RETURNS_TO_C``."""
        self.generic_visit(node)
        if self._returns_to_c and node.value is not None:
            node.value = ast.copy_location(probe_call(PLAIN, node.value), node.value)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Defaults keep their form."""
        self._functions += 1
        node.body = self.visit(node.body)
        self._functions -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations keep their form."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """Patterns keep their form."""
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = self._statements(node.body)
        return node

    # -- calls ------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``f(x)`` becomes ``call(f, x)``; a call without arguments cannot pass a proxy on."""
        function = node.func
        probe = isinstance(function, ast.Name) and function.id.startswith(PROBE)
        self.generic_visit(node)
        for keyword in node.keywords:
            if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Name):
                keyword.value.id = _FACTORIES.get(keyword.value.id, keyword.value.id)
        if isinstance(function, ast.Name) and function.id == "frozenset" and not self._functions:
            function.id = NEW_FROZEN
        if probe or not self._functions:
            return node
        if not (node.args or node.keywords or _name_of(function) in _TABLES):
            return node
        if isinstance(function, ast.Name) and function.id in _FRAME_BOUND:
            return node
        made = ast.Call(ast.Name(CALL, ast.Load()), [node.func, *node.args], node.keywords)
        return ast.copy_location(made, node)

    # -- subscripts -------------------------------------------------------------

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Loads become probes; stores and deletions are rewritten with their statements."""
        if isinstance(node.slice, ast.Slice):
            parts = [node.slice.lower, node.slice.upper, node.slice.step]
            node.value = self.visit(node.value)
            parts = [self.visit(part) if part is not None else None for part in parts]
            node.slice = ast.Slice(*parts)
            if not self._functions or not isinstance(node.ctx, ast.Load):
                return node
            made = probe_call(SLICE, node.value, *[or_none(part) for part in parts])
            return ast.copy_location(made, node)
        self.generic_visit(node)
        if not self._functions or not isinstance(node.ctx, ast.Load) or is_starred(node.slice):
            return node
        return ast.copy_location(probe_call(GET, node.value, node.slice), node)

    # -- operators --------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """``in`` and ``is`` (except with None) become probes; a chain with one of them is split."""
        displays = [
            each
            for each in node.comparators
            if isinstance(each, ast.Set) and _are_constants(each.elts)
        ]
        node.left = self.visit(node.left)
        node.comparators = [
            each if each in displays else self.visit(each) for each in node.comparators
        ]
        if not self._functions:
            return node
        operands = [node.left, *node.comparators]
        pairs = list(zip(operands, node.ops, node.comparators, strict=False))
        if len(pairs) == 1:
            return ast.copy_location(_comparison(*pairs[0]), node)
        blind = any(_is_blind(*pair) for pair in pairs)
        splits = blind and (not self._iterables or _are_repeatable(operands))
        return self._split_chain(node) if splits else node

    def _split_chain(self, node: ast.Compare) -> ast.AST:
        """``a < b in c`` as ``a < (t := b) and t in c``."""
        made: list[ast.expr] = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            after = right
            if right is not node.comparators[-1] and not _are_repeatable([right]):
                name = self.new_local()
                after = ast.Name(name, ast.Load())
                right = ast.NamedExpr(ast.Name(name, ast.Store()), right)  # noqa: PLW2901
            made.append(_comparison(left, op, right))
            left = after
        whole = ast.copy_location(ast.BoolOp(ast.And(), made), node)
        return ast.fix_missing_locations(whole)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Rewrite the iterable, in which names cannot be bound, then the conditions."""
        node.target = self.visit(node.target)
        self._iterables += 1
        node.iter = self.visit(node.iter)
        self._iterables -= 1
        node.ifs = [self.visit(each) for each in node.ifs]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """``%`` becomes a probe, unless its left side is a number: it may format a text."""
        self.generic_visit(node)
        if not self._functions or not isinstance(node.op, ast.Mod) or _is_number(node.left):
            return node
        return ast.copy_location(probe_call(MODULO, node.left, node.right), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """``f"{x!r:>5}"``: a probe formats each part, another joins them."""
        if not self._functions:
            return node
        parts = [self._part(value) for value in node.values]
        return ast.copy_location(probe_call(JOINED, *parts), node)

    def _part(self, node: ast.expr) -> ast.expr:
        if not isinstance(node, ast.FormattedValue):
            return node
        spec: ast.expr = ast.Constant("")
        if node.format_spec is not None:
            spec = self.visit(node.format_spec)
        value = self.visit(node.value)
        return probe_call(FORMATTED, value, ast.Constant(node.conversion), spec)

    # -- displays ---------------------------------------------------------------

    def visit_Set(self, node: ast.Set) -> ast.AST:
        """``{a, b}`` becomes a set made of a list."""
        self.generic_visit(node)
        if not self._functions:
            return node
        if _are_constants(node.elts):
            return ast.copy_location(probe_call(NEW_SET, node), node)
        return ast.copy_location(probe_call(SET_OF, ast.List(node.elts, ast.Load())), node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """``{key: value, **other}`` becomes a call with the keys and values in turn."""
        self.generic_visit(node)
        if not self._functions:
            return node
        if not node.keys:
            return ast.copy_location(probe_call(NEW_DICT), node)
        if all(map(is_constant, node.keys)):
            return ast.copy_location(probe_call(NEW_DICT, node), node)
        flat = [
            part
            for key, value in zip(node.keys, node.values, strict=True)
            for part in (_unpacked(value) if key is None else (key, value))
        ]
        return ast.copy_location(probe_call(DICT, *flat), node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """``{x for …}`` becomes a set made of a list."""
        self.generic_visit(node)
        if not self._functions:
            return node
        inner = ast.ListComp(node.elt, node.generators)
        return ast.copy_location(probe_call(SET_OF, inner), node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """``{k: v for …}`` becomes a dictionary made of pairs."""
        self.generic_visit(node)
        if not self._functions:
            return node
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return ast.copy_location(probe_call(DICT_OF, ast.ListComp(pair, node.generators)), node)


def _unpacked(value: ast.expr) -> tuple[ast.expr, ast.expr]:
    """``**value`` in a display."""
    return ast.Name(UNPACKED, ast.Load()), probe_call(MAPPING, value)


def _are_constants(items: list[ast.expr]) -> bool:
    return all(map(is_constant, items))


def _name_of(function: ast.expr) -> str:
    """The last name of ``set`` or ``collections.Counter``."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_blind(left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool:
    """Does a comparison bypass a proxy?"""
    if isinstance(op, (ast.In, ast.NotIn)):
        return True
    return isinstance(op, (ast.Is, ast.IsNot)) and not (_is_none(left) or _is_none(right))


def _comparison(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    """One comparison, by a probe if it is blind."""
    if not _is_blind(left, op, right):
        return ast.Compare(left, [op], [right])
    probe = MEMBER if isinstance(op, (ast.In, ast.NotIn)) else IS
    return probe_call(probe, ast.Constant(isinstance(op, (ast.NotIn, ast.IsNot))), left, right)


def _are_repeatable(operands: list[ast.expr]) -> bool:
    """May every operand be evaluated twice?"""
    return all(isinstance(operand, (ast.Name, ast.Constant)) for operand in operands)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value is ...)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
