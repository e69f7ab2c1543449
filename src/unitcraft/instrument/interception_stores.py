"""The rewriting of stores to subscripts: ``c[i] = v``, ``c[i] += v``, ``del c[i]``, unpacking.

Invariant: every operand is evaluated once, stores happen in the original order, and the locals
that hold values in between are deleted at the end of the statement.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import count
from typing import Final

from unitcraft.instrument.probe_names import (
    DELETE,
    GET,
    IN_PLACE,
    MODULO_IN_PLACE,
    PROBE,
    SET,
    SLICE,
    constant,
    none_for,
    probe_call,
)

_ON_SETS: Final = {
    ast.BitOr: "__ior__", ast.BitAnd: "__iand__", ast.Sub: "__isub__", ast.BitXor: "__ixor__",
}  # fmt: skip


class Stores(ast.NodeTransformer):
    """Rewrites stores inside functions; a subclass says where those are."""

    def __init__(self) -> None:
        self._functions = 0
        self._names = count()

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """``c[i] = v`` becomes ``set(v, c, i)``, inside unpacking and chains too."""
        self.generic_visit(node)
        if not self._functions or not any(map(_stores, node.targets)):
            return node
        only = node.targets[0]
        if len(node.targets) == 1 and isinstance(only, ast.Subscript):
            return self._placed([self._store(node.value, only)], node)
        value = self.fresh()
        made: list[ast.stmt] = [_set_local(value, node.value)]
        for target in node.targets:
            made += self._assigned(target, value)
        return self._placed([*made, _forget(value)], node)

    def _assigned(self, target: ast.expr, value: str) -> list[ast.stmt]:
        """Assign the local ``value`` to ``target``; stores go from left to right."""
        load = ast.Name(value, ast.Load())
        if isinstance(target, ast.Subscript) and _storable(target):
            return [self._store(load, target)]
        if not isinstance(target, (ast.Tuple, ast.List)) or not _stores(target):
            return [ast.Assign([target], load)]
        parts = target.elts
        names = [self.fresh() for _ in parts]
        stores = [ast.Name(name, ast.Store()) for name in names]
        unpacked: list[ast.expr] = [
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
            name = self.fresh()
            stores = [*self._assigned(node.target, name), _forget(name)]
            node.body = [*self._placed(stores, node), *node.body]
            node.target = ast.copy_location(ast.Name(name, ast.Store()), node.target)

    @staticmethod
    def _store(value: ast.expr, target: ast.Subscript) -> ast.stmt:
        return ast.Expr(probe_call(SET, value, target.value, _index(target.slice)))

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
        direct = isinstance(self._changed("_", node), ast.AugAssign)
        if isinstance(target, ast.Attribute) and not direct:
            return self._placed(self._field_changed(target, node), node)
        return node

    def _item_changed(self, target: ast.Subscript, node: ast.AugAssign) -> list[ast.stmt]:
        container, index, value = self.fresh(), self.fresh(), self.fresh()
        loads = [ast.Name(name, ast.Load()) for name in (container, index, value)]
        made: list[ast.stmt] = [
            _set_local(container, target.value),
            _set_local(index, _index(target.slice)),
            _set_local(value, probe_call(GET, loads[0], loads[1])),
            self._changed(value, node),
            ast.Expr(probe_call(SET, loads[2], loads[0], loads[1])),
        ]
        return [*made, _forget(container, index, value)]

    def _field_changed(self, target: ast.Attribute, node: ast.AugAssign) -> list[ast.stmt]:
        owner, value = self.fresh(), self.fresh()
        load = ast.Name(owner, ast.Load())
        made: list[ast.stmt] = [
            _set_local(owner, target.value),
            _set_local(value, ast.Attribute(load, target.attr, ast.Load())),
            self._changed(value, node),
            ast.Assign(
                [ast.Attribute(load, target.attr, ast.Store())], ast.Name(value, ast.Load())
            ),
        ]
        return [*made, _forget(owner, value)]

    @staticmethod
    def _changed(name: str, node: ast.AugAssign) -> ast.stmt:
        """``name op= value``."""
        load = ast.Name(name, ast.Load())
        method = _ON_SETS.get(type(node.op))
        if isinstance(node.op, ast.Mod):
            changed = probe_call(MODULO_IN_PLACE, load, node.value)
            return _set_local(name, changed)
        if method is not None and not constant(node.value):
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
            if isinstance(target, ast.Subscript) and _storable(target)
            else ast.Delete([target])
            for target in node.targets
        ]
        return self._placed(made, node)

    def fresh(self) -> str:
        """The name of a new local."""
        return f"{PROBE}{next(self._names)}"

    @staticmethod
    def _placed(made: list[ast.stmt], node: ast.stmt) -> list[ast.stmt]:
        return [ast.fix_missing_locations(ast.copy_location(one, node)) for one in made]


def _set_local(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _forget(*names: str) -> ast.stmt:
    return ast.Delete([ast.Name(name, ast.Del()) for name in names])


def starred(index: ast.expr) -> bool:
    """Has a subscript parts that are no values?"""
    return isinstance(index, ast.Tuple) and any(
        isinstance(item, (ast.Starred, ast.Slice)) for item in index.elts
    )


def _storable(target: ast.Subscript) -> bool:
    return not starred(target.slice)


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
    parts = [none_for(index.lower), none_for(index.upper), none_for(index.step)]
    return probe_call(SLICE, ast.Constant(...), *parts)
