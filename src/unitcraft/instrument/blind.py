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
MODULO_IN_PLACE: Final = "__unitcraft_modulo_in_place__"
UNPACKED: Final = "__unitcraft_unpacked__"
NEW_DICT: Final = "__unitcraft_new_dict__"
NEW_SET: Final = "__unitcraft_new_set__"
NEW_FROZEN: Final = "__unitcraft_new_frozen__"
IN_PLACE: Final = "__unitcraft_in_place__"

#: Functions that look at the frame of their caller, or that take no value of the Subject.
_FRAME_BOUND: Final = frozenset(
    {"super", "locals", "vars", "dir", "eval", "exec", "globals", "__import__", "breakpoint"}
)
#: Classes of tables, which are made by a probe also when they are empty.
_TABLES: Final = frozenset({"set", "dict", "defaultdict", "OrderedDict", "Counter"})
_FACTORIES: Final = {"dict": NEW_DICT, "set": NEW_SET}
_ON_SETS: Final = {
    ast.BitOr: "__ior__", ast.BitAnd: "__iand__", ast.Sub: "__isub__", ast.BitXor: "__ixor__",
}  # fmt: skip
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
        self._iterables = 0
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
        if not self._functions or not any(map(_stores, node.targets)):
            return node
        only = node.targets[0]
        if len(node.targets) == 1 and isinstance(only, ast.Subscript):
            return self._placed([self._store(node.value, only)], node)
        value = self._fresh()
        made: list[ast.stmt] = [ast.Assign([ast.Name(value, ast.Store())], node.value)]
        for target in node.targets:
            made += self._assigned(target, value)
        return self._placed([*made, _forget(value)], node)

    def _assigned(self, target: ast.expr, value: str) -> list[ast.stmt]:
        """Assign the local ``value`` to ``target``; what it unpacks to is stored from left to right."""
        load = ast.Name(value, ast.Load())
        if isinstance(target, ast.Subscript) and _storable(target):
            return [self._store(load, target)]
        if not _stores(target):
            return [ast.Assign([target], load)]
        parts = target.elts  # type: ignore[attr-defined] - a tuple or list stores
        names = [self._fresh() for _ in parts]
        stores = [ast.Name(name, ast.Store()) for name in names]
        unpacked = [
            ast.Starred(store, ast.Store()) if isinstance(part, ast.Starred) else store
            for part, store in zip(parts, stores, strict=True)
        ]
        made: list[ast.stmt] = [ast.Assign([ast.Tuple(unpacked, ast.Store())], load)]
        for part, name in zip(parts, names, strict=True):
            made += self._assigned(part.value if isinstance(part, ast.Starred) else part, name)
        return [*made, _forget(*names)]

    def visit_For(self, node: ast.For) -> ast.AST:
        """A loop over ``c[i]`` stores at the start of its body."""
        self.generic_visit(node)
        self._moved(node)
        return node

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        """As for plain loops."""
        self.generic_visit(node)
        self._moved(node)
        return node

    def _moved(self, node: ast.For | ast.AsyncFor) -> None:
        if self._functions and _stores(node.target):
            name = self._fresh()
            stores = [*self._assigned(node.target, name), _forget(name)]
            node.body = [*self._placed(stores, node), *node.body]
            node.target = ast.copy_location(ast.Name(name, ast.Store()), node.target)

    @staticmethod
    def _store(value: ast.expr, target: ast.Subscript) -> ast.stmt:
        return ast.Expr(_call(SET, value, target.value, _index(target.slice)))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        """``c[i] += v``: load, add, store, each once; ``s %= v`` and ``s |= t`` by a probe."""
        self.generic_visit(node)
        target = node.target
        if not self._functions:
            return node
        if isinstance(target, ast.Subscript) and _storable(target):
            return self._placed(self._item_changed(target, node), node)
        if isinstance(target, ast.Name):
            return self._placed([self._changed(target.id, node)], node)
        if isinstance(target, ast.Attribute) and not isinstance(self._changed("_", node), ast.AugAssign):
            return self._placed(self._field_changed(target, node), node)
        return node

    def _item_changed(self, target: ast.Subscript, node: ast.AugAssign) -> list[ast.stmt]:
        container, index, value = self._fresh(), self._fresh(), self._fresh()
        loads = [ast.Name(name, ast.Load()) for name in (container, index, value)]
        made: list[ast.stmt] = [
            ast.Assign([ast.Name(container, ast.Store())], target.value),
            ast.Assign([ast.Name(index, ast.Store())], _index(target.slice)),
            ast.Assign([ast.Name(value, ast.Store())], _call(GET, loads[0], loads[1])),
            self._changed(value, node),
            ast.Expr(_call(SET, loads[2], loads[0], loads[1])),
        ]
        return [*made, _forget(container, index, value)]

    def _field_changed(self, target: ast.Attribute, node: ast.AugAssign) -> list[ast.stmt]:
        owner, value = self._fresh(), self._fresh()
        load = ast.Name(owner, ast.Load())
        made: list[ast.stmt] = [
            ast.Assign([ast.Name(owner, ast.Store())], target.value),
            ast.Assign([ast.Name(value, ast.Store())], ast.Attribute(load, target.attr, ast.Load())),
            self._changed(value, node),
            ast.Assign([ast.Attribute(load, target.attr, ast.Store())], ast.Name(value, ast.Load())),
        ]
        return [*made, _forget(owner, value)]

    @staticmethod
    def _changed(name: str, node: ast.AugAssign) -> ast.stmt:
        """``name op= value``."""
        load = ast.Name(name, ast.Load())
        method = _ON_SETS.get(type(node.op))
        if isinstance(node.op, ast.Mod):
            changed = _call(MODULO_IN_PLACE, load, node.value)
            return ast.Assign([ast.Name(name, ast.Store())], changed)
        if method is not None and not _constant(node.value):
            changed = _call(IN_PLACE, ast.Constant(method), load, node.value)
            return ast.Assign([ast.Name(name, ast.Store())], changed)
        return ast.AugAssign(ast.Name(name, ast.Store()), node.op, node.value)

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
        """``in`` and ``is``, unless they ask for None; a chain with one of them is taken apart."""
        displays = [
            each for each in node.comparators if isinstance(each, ast.Set) and _fixed(each.elts)
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
            return ast.copy_location(_compared(*pairs[0]), node)
        if not any(_hides(*pair) for pair in pairs) or (self._iterables and not _repeatable(operands)):
            return node
        return self._apart(node)

    def _apart(self, node: ast.Compare) -> ast.AST:
        """``a < b in c`` as ``a < (t := b) and t in c``."""
        made: list[ast.expr] = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            after = right
            if right is not node.comparators[-1] and not _repeatable([right]):
                name = self._fresh()
                after = ast.Name(name, ast.Load())
                right = ast.NamedExpr(ast.Name(name, ast.Store()), right)  # noqa: PLW2901
            made.append(_compared(left, op, right))
            left = after
        whole = ast.copy_location(ast.BoolOp(ast.And(), made), node)
        return ast.fix_missing_locations(whole)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """What a comprehension iterates over must not bind names."""
        node.target = self.visit(node.target)
        self._iterables += 1
        node.iter = self.visit(node.iter)
        self._iterables -= 1
        node.ifs = [self.visit(each) for each in node.ifs]
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
        if not self._functions:
            return node
        if _fixed(node.elts):
            return ast.copy_location(_call(NEW_SET, node), node)
        return ast.copy_location(_call(SET_OF, ast.List(node.elts, ast.Load())), node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """``{key: value, **other}``."""
        self.generic_visit(node)
        if not self._functions:
            return node
        if not node.keys:
            return ast.copy_location(_call(NEW_DICT), node)
        if all(map(_constant, node.keys)):
            return ast.copy_location(_call(NEW_DICT, node), node)
        flat = [
            part
            for key, value in zip(node.keys, node.values, strict=True)
            for part in (ast.Name(UNPACKED, ast.Load()) if key is None else key, value)
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


def _forget(*names: str) -> ast.stmt:
    return ast.Delete([ast.Name(name, ast.Del()) for name in names])


def _fixed(items: list[ast.expr]) -> bool:
    return all(map(_constant, items))


def _name_of(function: ast.expr) -> str:
    """The last name of ``set`` or ``collections.Counter``."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _hides(left: ast.expr, op: ast.cmpop, right: ast.expr) -> bool:
    """Does a comparison go past a proxy?"""
    if isinstance(op, (ast.In, ast.NotIn)):
        return True
    return isinstance(op, (ast.Is, ast.IsNot)) and not (_is_none(left) or _is_none(right))


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    """One comparison, by a probe if it hides something."""
    if not _hides(left, op, right):
        return ast.Compare(left, [op], [right])
    probe = MEMBER if isinstance(op, (ast.In, ast.NotIn)) else IS
    return _call(probe, ast.Constant(isinstance(op, (ast.NotIn, ast.IsNot))), left, right)


def _repeatable(operands: list[ast.expr]) -> bool:
    """May all operands be evaluated twice?"""
    return all(isinstance(operand, (ast.Name, ast.Constant)) for operand in operands)


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
