"""The AST rewriting of stores to subscripts: ``c[i] = v``, ``c[i] += v``, ``del c[i]``, unpacking.

The names of the probes stand here, too: each begins with ``PROBE``, which is reserved.

Invariant: every operand is evaluated once, stores happen in the original order, and the temporary
locals are deleted at the end of the statement.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import count
from typing import Final

#: Beginning of every name that rewriting adds to a module.
PROBE: Final = "__unitcraft_"
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
MAPPING: Final = "__unitcraft_mapping__"
UNPACKED: Final = "__unitcraft_unpacked__"
NEW_DICT: Final = "__unitcraft_new_dict__"
NEW_SET: Final = "__unitcraft_new_set__"
NEW_FROZEN: Final = "__unitcraft_new_frozen__"
IN_PLACE: Final = "__unitcraft_in_place__"
#: Augmented operators that change a set in place -> the method.
_ON_SETS: Final = {
    ast.BitOr: "__ior__", ast.BitAnd: "__iand__", ast.Sub: "__isub__", ast.BitXor: "__ixor__",
}  # fmt: skip


def probe_call(function: str, *args: ast.expr) -> ast.Call:
    """A call of a probe."""
    return ast.Call(ast.Name(function, ast.Load()), list(args), [])


def is_constant(node: ast.expr | None) -> bool:
    """Is ``node`` a constant?"""
    return isinstance(node, ast.Constant)


def or_none(node: ast.expr | None) -> ast.expr:
    """``node``, or the constant None."""
    return ast.Constant(None) if node is None else node


class StoreRewriter(ast.NodeTransformer):
    """Rewrites stores inside functions; a subclass keeps ``_functions``, the depth of functions."""

    def __init__(self) -> None:
        self._functions = 0
        self._names = count()

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """``c[i] = v`` becomes ``set(v, c, i)``, inside unpacking and chains too."""
        self.generic_visit(node)
        if not self._functions or not any(map(_has_item, node.targets)):
            return node
        only = node.targets[0]
        if len(node.targets) == 1 and isinstance(only, ast.Subscript):
            return self._place([self._store(node.value, only)], node)
        value = self.new_local()
        made: list[ast.stmt] = [_set_local(value, node.value)]
        for target in node.targets:
            made += self._assign(target, value)
        return self._place([*made, _delete_locals(value)], node)

    def _assign(self, target: ast.expr, value: str) -> list[ast.stmt]:
        """Assign the local ``value`` to ``target``; stores go from left to right."""
        load = ast.Name(value, ast.Load())
        if isinstance(target, ast.Subscript) and _is_item(target):
            return [self._store(load, target)]
        if not isinstance(target, (ast.Tuple, ast.List)) or not _has_item(target):
            return [ast.Assign([target], load)]
        parts = target.elts
        names = [self.new_local() for _ in parts]
        stores = [ast.Name(name, ast.Store()) for name in names]
        unpacked: list[ast.expr] = [
            ast.Starred(store, ast.Store()) if isinstance(part, ast.Starred) else store
            for part, store in zip(parts, stores, strict=True)
        ]
        made: list[ast.stmt] = [ast.Assign([ast.Tuple(unpacked, ast.Store())], load)]
        for part, name in zip(parts, names, strict=True):
            made += self._assign(part.value if isinstance(part, ast.Starred) else part, name)
        return [*made, _delete_locals(*names)]

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        """A loop over ``c[i]`` stores at the start of its body."""
        self.generic_visit(node)
        if self._functions and _has_item(node.target):
            name = self.new_local()
            stores = [*self._assign(node.target, name), _delete_locals(name)]
            node.body = [*self._place(stores, node), *node.body]
            node.target = ast.copy_location(ast.Name(name, ast.Store()), node.target)
        return node

    visit_AsyncFor = visit_For  # noqa: N815

    @staticmethod
    def _store(value: ast.expr, target: ast.Subscript) -> ast.stmt:
        return ast.Expr(probe_call(SET, value, target.value, _index(target.slice)))

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        """``c[i] += v``: load, add, store, each once; ``s %= v`` and ``s |= t`` by a probe."""
        self.generic_visit(node)
        target = node.target
        if not self._functions:
            return node
        if isinstance(target, ast.Subscript) and _is_item(target):
            return self._place(self._change_item(target, node), node)
        if isinstance(target, ast.Name):
            return self._place([self._change_local(target.id, node)], node)
        direct = isinstance(self._change_local("_", node), ast.AugAssign)
        if isinstance(target, ast.Attribute) and not direct:
            return self._place(self._change_field(target, node), node)
        return node

    def _change_item(self, target: ast.Subscript, node: ast.AugAssign) -> list[ast.stmt]:
        container, index, value = self.new_local(), self.new_local(), self.new_local()
        loads = [ast.Name(name, ast.Load()) for name in (container, index, value)]
        made: list[ast.stmt] = [
            _set_local(container, target.value),
            _set_local(index, _index(target.slice)),
            _set_local(value, probe_call(GET, loads[0], loads[1])),
            self._change_local(value, node),
            ast.Expr(probe_call(SET, loads[2], loads[0], loads[1])),
        ]
        return [*made, _delete_locals(container, index, value)]

    def _change_field(self, target: ast.Attribute, node: ast.AugAssign) -> list[ast.stmt]:
        owner, value = self.new_local(), self.new_local()
        load = ast.Name(owner, ast.Load())
        made: list[ast.stmt] = [
            _set_local(owner, target.value),
            _set_local(value, ast.Attribute(load, target.attr, ast.Load())),
            self._change_local(value, node),
            ast.Assign(
                [ast.Attribute(load, target.attr, ast.Store())], ast.Name(value, ast.Load())
            ),
        ]
        return [*made, _delete_locals(owner, value)]

    @staticmethod
    def _change_local(name: str, node: ast.AugAssign) -> ast.stmt:
        """The statement ``name op= value``, by a probe where the operator is blind."""
        load = ast.Name(name, ast.Load())
        method = _ON_SETS.get(type(node.op))
        if isinstance(node.op, ast.Mod):
            changed = probe_call(MODULO_IN_PLACE, load, node.value)
            return _set_local(name, changed)
        if method is not None and not is_constant(node.value):
            changed = probe_call(IN_PLACE, ast.Constant(method), load, node.value)
            return _set_local(name, changed)
        return ast.AugAssign(ast.Name(name, ast.Store()), node.op, node.value)

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        """``del c[i]`` becomes ``delete(c, i)``."""
        self.generic_visit(node)
        if not self._functions:
            return node
        made: list[ast.stmt] = [
            ast.Expr(probe_call(DELETE, target.value, _index(target.slice)))
            if isinstance(target, ast.Subscript) and _is_item(target)
            else ast.Delete([target])
            for target in node.targets
        ]
        return self._place(made, node)

    def new_local(self) -> str:
        """The name of a new local."""
        return f"{PROBE}{next(self._names)}"

    @staticmethod
    def _place(made: list[ast.stmt], node: ast.stmt) -> list[ast.stmt]:
        return [ast.fix_missing_locations(ast.copy_location(statement, node)) for statement in made]


def _set_local(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _delete_locals(*names: str) -> ast.stmt:
    return ast.Delete([ast.Name(name, ast.Del()) for name in names])


def is_starred(index: ast.expr) -> bool:
    """Has a subscript a starred part or a slice among several?"""
    return isinstance(index, ast.Tuple) and any(
        isinstance(item, (ast.Starred, ast.Slice)) for item in index.elts
    )


def _is_item(target: ast.Subscript) -> bool:
    return not is_starred(target.slice)


def _has_item(target: ast.expr) -> bool:
    return any(_items(target))


def _items(target: ast.expr) -> Iterator[bool]:
    if isinstance(target, ast.Subscript):
        yield _is_item(target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for item in target.elts:
            yield from _items(item)
    elif isinstance(target, ast.Starred):
        yield from _items(target.value)


def _index(index: ast.expr) -> ast.expr:
    """The index as a value; a slice becomes ``slice(…)``, through the probe of calls."""
    if not isinstance(index, ast.Slice):
        return index
    parts = [or_none(index.lower), or_none(index.upper), or_none(index.step)]
    return probe_call(SLICE, ast.Constant(...), *parts)
