"""The rewriting of blind forms: those that hide from a proxy what is done with it.

A proxy sees every operator that Python dispatches to its class.  Calls of C functions, subscripts,
``in``, ``is``, f-strings, ``%`` and displays of sets and dictionaries go past it; each becomes a
call of a probe.

Invariant: every operand is evaluated once and in the original order, and a probe without
proxies among its operands does what the form did.  Probes that another pass has put into
the tree are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import count
from typing import Final

CALL: Final = "__unitcraft_call__"
GET: Final = "__unitcraft_get__"
SET: Final = "__unitcraft_set__"
DELETE: Final = "__unitcraft_delete__"
SLICE: Final = "__unitcraft_slice__"
MEMBER: Final = "__unitcraft_member__"
IS: Final = "__unitcraft_is__"
FORMATTED: Final = "__unitcraft_formatted__"
JOINED: Final = "__unitcraft_joined__"
MODULO: Final = "__unitcraft_modulo__"
DICT: Final = "__unitcraft_dict__"
DICT_OF: Final = "__unitcraft_dict_of__"
SET_OF: Final = "__unitcraft_set_of__"
PLAIN: Final = "__unitcraft_plain__"

#: Functions that look at the frame of their caller, or that take no value of the Subject.
_FRAME_BOUND: Final = frozenset(
    {"super", "locals", "vars", "dir", "eval", "exec", "globals", "__import__", "breakpoint"}
)
#: Methods whose result C code takes apart.
_FOR_C: Final = frozenset(
    {"__hash__", "__int__", "__index__", "__float__", "__complex__", "__length_hint__"}
)
_PROBE: Final = "__unitcraft_"
_SLICE_PARTS: Final = 3


def _call(function: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function, ast.Load()), list(args), [])


def _none(node: ast.expr | None) -> ast.expr:
    return ast.Constant(None) if node is None else node


def _constant(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant)


class Blind(ast.NodeTransformer):
    """Rewrites the blind forms of one module, inside functions."""

    def __init__(self) -> None:
        self._functions = 0
        self._for_c = False
        self._names = count()

    # -- where ------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class body keeps its form; its methods are rewritten."""
        functions, self._functions = self._functions, 0
        node.body = [self.visit(child) for child in node.body]
        self._functions = functions
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Decorators, defaults and annotations keep their form."""
        self._body(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """As for plain functions."""
        self._body(node)
        return node

    def _body(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._functions += 1
        outer, self._for_c = self._for_c, node.name in _FOR_C
        made: list[ast.stmt] = []
        for statement in node.body:
            result = self.visit(statement)
            made += result if isinstance(result, list) else [result]
        node.body = made
        self._for_c = outer
        self._functions -= 1

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """What ``__hash__`` and its kin return goes to C code, which wants a plain number."""
        self.generic_visit(node)
        if self._for_c and node.value is not None:
            node.value = ast.copy_location(_call(PLAIN, node.value), node.value)
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
        body: list[ast.stmt] = []
        for statement in node.body:
            result = self.visit(statement)
            body += result if isinstance(result, list) else [result]
        node.body = body
        return node

    # -- calls ------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``f(x)`` becomes ``call(f, x)``; a call without arguments cannot pass a proxy on."""
        function = node.func
        probe = isinstance(function, ast.Name) and function.id.startswith(_PROBE)
        self.generic_visit(node)
        if probe or not self._functions or not (node.args or node.keywords):
            return node
        if isinstance(function, ast.Name) and function.id in _FRAME_BOUND:
            return node
        made = ast.Call(ast.Name(CALL, ast.Load()), [node.func, *node.args], node.keywords)
        return ast.copy_location(made, node)

    # -- subscripts -------------------------------------------------------------

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Loads; stores and deletions belong to their statements."""
        if isinstance(node.slice, ast.Slice):
            parts = [node.slice.lower, node.slice.upper, node.slice.step]
            node.value = self.visit(node.value)
            parts = [self.visit(part) if part is not None else None for part in parts]
            node.slice = ast.Slice(*parts)
            if not self._functions or not isinstance(node.ctx, ast.Load):
                return node
            made = _call(SLICE, node.value, *[_none(part) for part in parts])
            return ast.copy_location(made, node)
        self.generic_visit(node)
        if not self._functions or not isinstance(node.ctx, ast.Load) or _starred(node.slice):
            return node
        return ast.copy_location(_call(GET, node.value, node.slice), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """``c[i] = v`` becomes ``set(v, c, i)``, inside unpacking and chains too."""
        self.generic_visit(node)
        if not self._functions or not any(_stores(target) for target in node.targets):
            return node
        only = node.targets[0]
        if len(node.targets) == 1 and isinstance(only, ast.Subscript):
            return self._placed([self._store(node.value, only)], node)
        value = self._fresh()
        made: list[ast.stmt] = [ast.Assign([ast.Name(value, ast.Store())], node.value)]
        for target in node.targets:
            after: list[ast.stmt] = []
            plain = self._without_stores(target, after)
            made += [ast.Assign([plain], ast.Name(value, ast.Load())), *after]
        made.append(ast.Delete([ast.Name(value, ast.Del())]))
        return self._placed(made, node)

    def _without_stores(self, target: ast.expr, after: list[ast.stmt]) -> ast.expr:
        """``target`` with a fresh name for every subscript; ``after`` gets the stores."""
        if isinstance(target, ast.Subscript) and _storable(target):
            name = self._fresh()
            after.append(self._store(ast.Name(name, ast.Load()), target))
            return ast.Name(name, ast.Store())
        if isinstance(target, (ast.Tuple, ast.List)):
            target.elts = [self._without_stores(item, after) for item in target.elts]
        elif isinstance(target, ast.Starred):
            target.value = self._without_stores(target.value, after)
        return target

    @staticmethod
    def _store(value: ast.expr, target: ast.Subscript) -> ast.stmt:
        return ast.Expr(_call(SET, value, target.value, _index(target.slice)))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        """``c[i] += v``: load, add, store, each once."""
        self.generic_visit(node)
        target = node.target
        if not self._functions or not isinstance(target, ast.Subscript) or not _storable(target):
            return node
        container, index, value = self._fresh(), self._fresh(), self._fresh()
        loads = [ast.Name(name, ast.Load()) for name in (container, index, value)]
        made: list[ast.stmt] = [
            ast.Assign([ast.Name(container, ast.Store())], target.value),
            ast.Assign([ast.Name(index, ast.Store())], _index(target.slice)),
            ast.Assign([ast.Name(value, ast.Store())], _call(GET, loads[0], loads[1])),
            ast.AugAssign(ast.Name(value, ast.Store()), node.op, node.value),
            ast.Expr(_call(SET, loads[2], loads[0], loads[1])),
        ]
        return self._placed(made, node)

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        """``del c[i]`` becomes ``delete(c, i)``."""
        self.generic_visit(node)
        if not self._functions:
            return node
        made: list[ast.stmt] = [
            ast.Expr(_call(DELETE, target.value, _index(target.slice)))
            if isinstance(target, ast.Subscript) and _storable(target)
            else ast.Delete([target])
            for target in node.targets
        ]
        return self._placed(made, node)

    # -- operators --------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """``in`` and ``is``, unless they are part of a chain or ask for None."""
        self.generic_visit(node)
        if not self._functions or len(node.ops) != 1:
            return node
        left, right, op = node.left, node.comparators[0], node.ops[0]
        negated = ast.Constant(isinstance(op, (ast.NotIn, ast.IsNot)))
        if isinstance(op, (ast.In, ast.NotIn)):
            return ast.copy_location(_call(MEMBER, negated, left, right), node)
        if isinstance(op, (ast.Is, ast.IsNot)) and not (_is_none(left) or _is_none(right)):
            return ast.copy_location(_call(IS, negated, left, right), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """``%`` may format a text."""
        self.generic_visit(node)
        if not self._functions or not isinstance(node.op, ast.Mod) or _is_number(node.left):
            return node
        return ast.copy_location(_call(MODULO, node.left, node.right), node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """``f"{x!r:>5}"``: every part is formatted by a probe, then joined."""
        if not self._functions:
            return node
        parts = [self._part(value) for value in node.values]
        return ast.copy_location(_call(JOINED, *parts), node)

    def _part(self, node: ast.expr) -> ast.expr:
        if not isinstance(node, ast.FormattedValue):
            return node
        spec: ast.expr = ast.Constant("")
        if node.format_spec is not None:
            spec = self.visit(node.format_spec)
        value = self.visit(node.value)
        return _call(FORMATTED, value, ast.Constant(node.conversion), spec)

    # -- displays ---------------------------------------------------------------

    def visit_Set(self, node: ast.Set) -> ast.AST:
        """``{a, b}``."""
        self.generic_visit(node)
        if not self._functions or all(map(_constant, node.elts)):
            return node
        return ast.copy_location(_call(SET_OF, ast.List(node.elts, ast.Load())), node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """``{key: value, **other}``."""
        self.generic_visit(node)
        if not self._functions or not node.keys or all(map(_constant, node.keys)):
            return node
        flat = [
            part
            for key, value in zip(node.keys, node.values, strict=True)
            for part in ((ast.Constant(...), value) if key is None else (key, value))
        ]
        return ast.copy_location(_call(DICT, *flat), node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        """``{x for …}`` becomes a set made of a list."""
        self.generic_visit(node)
        if not self._functions:
            return node
        inner = ast.ListComp(node.elt, node.generators)
        return ast.copy_location(_call(SET_OF, inner), node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        """``{k: v for …}`` becomes a dictionary made of pairs."""
        self.generic_visit(node)
        if not self._functions:
            return node
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return ast.copy_location(_call(DICT_OF, ast.ListComp(pair, node.generators)), node)

    # -- helpers ----------------------------------------------------------------

    def _fresh(self) -> str:
        return f"{_PROBE}{next(self._names)}"

    @staticmethod
    def _placed(made: list[ast.stmt], node: ast.stmt) -> list[ast.stmt]:
        return [ast.fix_missing_locations(ast.copy_location(one, node)) for one in made]


def _starred(index: ast.expr) -> bool:
    return isinstance(index, ast.Tuple) and any(
        isinstance(item, (ast.Starred, ast.Slice)) for item in index.elts
    )


def _storable(target: ast.Subscript) -> bool:
    return not _starred(target.slice)


def _stores(target: ast.expr) -> bool:
    return any(_subscripts(target))


def _subscripts(target: ast.expr) -> Iterator[bool]:
    if isinstance(target, ast.Subscript):
        yield _storable(target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            yield from _subscripts(item)
    elif isinstance(target, ast.Starred):
        yield from _subscripts(target.value)


def _index(index: ast.expr) -> ast.expr:
    """The index as a value; a slice becomes ``slice(…)``, through the probe of calls."""
    if not isinstance(index, ast.Slice):
        return index
    parts = [_none(index.lower), _none(index.upper), _none(index.step)]
    return _call(SLICE, ast.Constant(...), *parts)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value is ...)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
