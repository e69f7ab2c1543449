"""Converts expressions of source text to Args and Calls.

Invariant: an appended Call refers to earlier Calls only; after ``Unconvertible`` the caller
removes the Calls that were appended.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from unitcraft.core.operators import OPERATORS
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    CallKind,
    Const,
    Display,
    DisplayKind,
    Ref,
    Source,
    Symbol,
    refs_in,
)
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.literal_args import literal_in

MAX_SOURCE: Final = 80  # characters of a lambda or comprehension; longer ones are unreadable

#: Functions that ask a person: what a script passes on from there is no value of a test.
_ASKING: Final = (Symbol("builtins", "input"), Symbol("getpass", "getpass"))

_BINARY: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_UNARY: Final[Mapping[type[ast.unaryop], str]] = {
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
}
_DISPLAYS: Final[Mapping[type[ast.expr], DisplayKind]] = {
    ast.List: "list",
    ast.Tuple: "tuple",
    ast.Set: "set",
}


class Unconvertible(Exception):  # noqa: N818  (a signal between two functions, not an error)
    """The source text has no equivalent Arg or Call."""


@dataclass(slots=True)
class Converter:
    """Converts expressions to Args, appending to ``calls``, which the caller owns.

    ``names`` are bound names, ``modules`` maps names of modules to dotted names, and ``find``
    gives the Symbol of (module, path).
    """

    names: Mapping[str, Arg]
    modules: Mapping[str, str]
    find: Callable[[str, str], Symbol | None]
    calls: list[Call]

    def convert(self, node: ast.expr) -> Arg:
        """The Arg of ``node``.  Raises Unconvertible."""
        literal = _stated_literal(node)
        if literal is not None:
            return literal
        match node:
            case ast.Name(id=name):
                return self._name(name)
            case ast.Call():
                return self._call(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript(value=value, slice=index):
                return self._operate("[]", self.convert(value), self._index(index))
            case ast.BinOp(left=left, op=op, right=right):
                one, other = self.convert(left), self.convert(right)
                return _folded(op, one, other) or self._operate(_BINARY[type(op)], one, other)
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
                return self._operate(_UNARY[type(op)], self.convert(operand))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compare(left, op, right)
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                return self._display(node)
        return self._source(node)

    def store(self, target: ast.expr, value: ast.expr) -> None:
        """Append the assignment ``target = value`` to an attribute or item."""
        match target:
            case ast.Attribute(value=owner, attr=name):
                self._emit("set", name, (self._object(owner), self.convert(value)))
            case ast.Subscript(value=owner, slice=index):
                args = (self._object(owner), self._index(index), self.convert(value))
                self._emit("operator", "[]=", args)
            case _:
                raise Unconvertible

    def delete(self, target: ast.expr) -> None:
        """Append the statement ``del target`` for an item."""
        if not isinstance(target, ast.Subscript):
            raise Unconvertible
        self._emit("operator", "del[]", (self._object(target.value), self._index(target.slice)))

    def augment(self, name: str, op: ast.operator, value: ast.expr) -> None:
        """Append the statement ``name op= value`` on an object that an earlier Call made."""
        owner = self._object(ast.Name(id=name, ctx=ast.Load()))
        self._emit("operator", _BINARY[type(op)] + "=", (owner, self.convert(value)))

    def _object(self, node: ast.expr) -> Ref:
        found = self.convert(node)
        if not isinstance(found, Ref):
            raise Unconvertible
        return found

    def _name(self, name: str) -> Arg:
        if name in self.names:
            return self.names[name]
        if name in vars(builtins):
            return Symbol("builtins", name)
        raise Unconvertible

    def _attribute(self, node: ast.Attribute) -> Arg:
        symbol = self._dotted(node)
        if symbol is not None:
            return symbol
        return self._emit("get", node.attr, (self._object(node.value),))

    def _dotted(self, node: ast.expr) -> Symbol | None:
        """The Symbol of ``module.attr`` or ``Class.attr``, or None for other attributes.

        Raises Unconvertible for an attribute of an object that only its code could show
        (``request.url``).
        """
        path: list[str] = []
        while isinstance(node, ast.Attribute):
            path.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or not path:
            return None
        owner = self.names.get(node.id)
        if isinstance(owner, Symbol):
            symbol = self.find(owner.module, ".".join([owner.qualname, *path]))
        elif node.id in self.modules and node.id not in self.names:
            symbol = self.find(self.modules[node.id], ".".join(path))
        else:
            return None
        if symbol is None:
            raise Unconvertible
        return symbol

    def _call(self, node: ast.Call) -> Arg:
        if isinstance(node.func, ast.Attribute) and self._dotted(node.func) is None:
            receiver: Arg = self._object(node.func.value)
            args, kwargs = self._arguments(node)
            return self._emit("method", node.func.attr, (receiver, *args), kwargs)
        callee = self.convert(node.func)
        args, kwargs = self._arguments(node)
        if isinstance(callee, Ref):
            return self._emit("operator", "call", (callee, *args), kwargs)
        if not isinstance(callee, Symbol):
            raise Unconvertible
        return self._call_symbol(callee, args, kwargs)

    def _call_symbol(
        self, callee: Symbol, args: tuple[Arg, ...], kwargs: tuple[tuple[str, Arg], ...]
    ) -> Arg:
        if callee in _ASKING:
            raise Unconvertible
        unary = callee.module == "builtins" and len(args) == 1 and not kwargs
        if unary and callee.qualname in OPERATORS and refs_in(args[0]):
            return self._emit("operator", callee.qualname, args)
        if unary and _is_already(args[0], callee.qualname):
            return args[0]
        own = self._is_own(callee)
        if not own and not any(refs_in(arg) for arg in (*args, *[one for _, one in kwargs])):
            return Build(callee, args, kwargs)
        return self._emit("function", f"{callee.module}:{callee.qualname}", args, kwargs)

    def _is_own(self, callee: Symbol) -> bool:
        """Is the callee of the Subject?  Calling it is then a Call, and not a Build."""
        return self.find("", f"{callee.module}:{callee.qualname}") is not None

    def _arguments(self, node: ast.Call) -> tuple[tuple[Arg, ...], tuple[tuple[str, Arg], ...]]:
        args = tuple([self.convert(part) for part in node.args])
        kwargs = []
        for part in node.keywords:
            if part.arg is None:
                raise Unconvertible
            if _is_left_out(part.value):
                continue
            kwargs.append((part.arg, self.convert(part.value)))
        return args, tuple(kwargs)

    def _index(self, node: ast.expr) -> Arg:
        if not isinstance(node, ast.Slice):
            return self.convert(node)
        parts = [node.lower, node.upper, node.step]
        args = [Const(None) if part is None else self.convert(part) for part in parts]
        return Build(Symbol("builtins", "slice"), tuple(args))

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Arg:
        if isinstance(op, ast.In):
            return self._operate("in", self.convert(right), self.convert(left))
        if type(op) not in _COMPARISONS:
            raise Unconvertible
        return self._operate(_COMPARISONS[type(op)], self.convert(left), self.convert(right))

    def _operate(self, operator: str, *args: Arg) -> Arg:
        return self._emit("operator", operator, args)

    def _display(self, node: ast.expr) -> Display:
        if isinstance(node, ast.Dict):
            items: list[Arg] = []
            for key, value in zip(node.keys, node.values, strict=True):
                if key is None:
                    raise Unconvertible
                items += [self.convert(key), self.convert(value)]
            return Display("dict", tuple(items))
        elements = getattr(node, "elts", [])
        return Display(_DISPLAYS[type(node)], tuple([self.convert(part) for part in elements]))

    def _source(self, node: ast.expr) -> Source:
        text = ast.unparse(node)
        forms = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
        if len(text) > MAX_SOURCE or free_names(node) or not isinstance(node, forms):
            raise Unconvertible
        return Source(f"({text})" if isinstance(node, ast.GeneratorExp) else text)

    def _emit(
        self,
        kind: CallKind,
        name: str,
        args: tuple[Arg, ...],
        kwargs: tuple[tuple[str, Arg], ...] = (),
    ) -> Ref:
        self.calls.append(Call(kind, name, args, kwargs))
        return Ref(len(self.calls) - 1)


def _stated_literal(node: ast.expr) -> Arg | None:
    """The literal ``node``.  Raises Unconvertible where dots stand for one."""
    if _is_left_out(node):
        raise Unconvertible
    return literal_in(node)


def likely_value(node: ast.expr, declared: TypeExpr = ANY) -> Arg | None:
    """A value of the kind that ``node`` shows, in which names stand for their texts; None if none.

    ``[section.key, before]`` is a list, most likely of texts such as ``"key"``, ``f"{name}.py"`` a
    text and ``size > 0`` a truth value.  Where a type is ``declared``, it is one of texts or none.
    """
    if declared != ANY and (
        declared.args[:1] != (TypeExpr("str"),) or not isinstance(node, ast.List | ast.Set)
    ):
        return None
    match node:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) if parts:
            items = [_likely_item(part) for part in parts]
            known = tuple([item for item in items if item is not None])
            return Display(_DISPLAYS[type(node)], known) if len(known) == len(items) else None
        case ast.JoinedStr(values=parts):
            words = [_word(getattr(part, "value", part)) for part in parts]
            return Const("".join(words)) if all(words) else None
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return Const(value=True)
    return None


def _likely_item(node: ast.expr) -> Arg | None:
    """The item that ``node`` is, or the text of its name."""
    if isinstance(node, ast.Constant) and node.value is not ...:
        return Const(node.value)
    word = _word(node)
    return Const(word) if word else likely_value(node)


def _word(node: object) -> str:
    """The text that ``node`` is, or the last name of it ('' for anything else)."""
    match node:
        case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
            return word
        case str():
            return node
    return ""


def _is_left_out(node: ast.expr) -> bool:
    """Do dots stand where a document leaves something out: ``{...}``?"""
    match node:
        case ast.Constant(value=value):
            return value is ...
        case ast.Set(elts=[one]) | ast.List(elts=[one]) | ast.Tuple(elts=[one]):
            return isinstance(one, ast.Constant) and one.value is ...
    return False


def _folded(op: ast.operator, one: Arg, other: Arg) -> Const | None:
    """The number that a sum or product of integers is: ``10 + 1`` is an argument like 11."""
    numbers = [arg.value for arg in (one, other) if isinstance(arg, Const)]
    left, *rest = [number for number in numbers if type(number) is int] or [0]
    if len(rest) != 1:
        return None
    match op:
        case ast.Add():
            return Const(left + rest[0])
        case ast.Sub():
            return Const(left - rest[0])
        case ast.Mult():
            return Const(left * rest[0])
    return None


def _is_already(arg: Arg, kind: str) -> bool:
    """Is ``arg`` a literal of the builtin class ``kind``, so that conversion to it is void?"""
    return isinstance(arg, Const) and type(arg.value).__name__ == kind


def free_names(node: ast.AST) -> tuple[str, ...]:
    """Names read in an expression that are neither bound inside it nor builtins."""
    bound = {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
    names = [inner for inner in ast.walk(node) if isinstance(inner, ast.Name)]
    bound |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return tuple([name.id for name in names if name.id not in bound | set(vars(builtins))])
