"""The nested structure that code reads from a value, and the plainest values that have it.

``video = answer["media"]`` and then ``for f in video["files"]: f.get("url")`` read a dictionary of
a dictionary of a list of dictionaries.  A run finds that out one look-up at a time, and only where
each value on the way happens to be of the right kind.

Invariant: nothing is run; a name is followed until it is bound to something else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Arg, Atom, Const, Display
from unitcraft.core.types import TypeExpr
from unitcraft.subject.model import ENTRY, ParameterUse
from unitcraft.subject.scopes import (
    head_expressions,
    statement_blocks,
    walk_scopes,
    word_set,
)

#: Nested look-ups that are followed: a bound for code that nests a value into itself.
MAX_DEPTH: Final = 12
#: Items that are made of a list of which an index is asked for: people write few.
MAX_ITEMS: Final = 8
#: Items of a list in which all is that is asked for: the second is compared with the first.
FULL_SIZE: Final = 2
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
#: Type of a parameter -> the kinds of containers that it takes.
_KINDS: Final = {
    "any": ("dict", "list"), "dict": ("dict",), "mapping": ("dict",), "list": ("list",),
    "sequence": ("list",), "iterable": ("list",),
}  # fmt: skip
_DEFINITIONS: Final = (*_FUNCTIONS, ast.ClassDef)
#: Builtin functions that give back what they are given, in another order or form.
_SAME: Final = word_set("list tuple sorted reversed iter dict set deepcopy copy")
#: Those that give back one of its items.
_ONE: Final = word_set("next min max")
_NUMBERS: Final = word_set("int float round abs")
#: Methods that look a key up.
_LOOK_UPS: Final = word_set("get pop setdefault")
_TEXT: Final = Const("abc")
_NUMBER: Final = Const(1)
#: Kind -> what stands under a key of which nothing but the kind is known.
PLAIN_VALUES: Final[Mapping[str, Arg]] = {
    "str": _TEXT, "bytes": Const(b"abc"), "int": _NUMBER, "float": Const(1.5),
    "bool": Const(value=True), "list": Display("list", (_TEXT,)), "dict": Display("dict", ()),
    "set": Display("set", (_TEXT,)), "tuple": Display("tuple", (_TEXT,)),
}  # fmt: skip
#: No value of any key.
NO_VALUES: Final[Mapping[str, Arg]] = MappingProxyType({})


@dataclass(slots=True)
class Structure:
    """What code reads from one value (mutable: it is read step by step).

    ``required`` are the keys that have to be there, ``optional`` those that are asked for; ``item``
    is what it reads from each item of a list, of which there are at least ``size``, and ``mapped``
    from each value of a dictionary of any keys.  ``compared``: literals that it is compared with,
    ``sought``: texts that it is asked for, which are keys if it has keys.
    """

    required: dict[str, Structure] = field(default_factory=dict)
    optional: dict[str, Structure] = field(default_factory=dict)
    item: Structure | None = None
    size: int = 0
    mapped: Structure | None = None
    compared: list[Atom] = field(default_factory=list)
    sought: list[str] = field(default_factory=list)
    is_number: bool = False

    def has_keys(self) -> bool:
        """Is a key looked up in it, or in what it holds?"""
        inner = [one for one in (self.item, self.mapped) if one is not None]
        return bool(self.required or self.optional) or any(one.has_keys() for one in inner)

    def key(self, name: str, *, required: bool) -> Structure:
        """What is read under a key."""
        found = self.required.get(name) or self.optional.pop(name, None) or Structure()
        (self.required if required or name in self.required else self.optional)[name] = found
        return found

    def each(self, size: int = 1) -> Structure:
        """What is read from an item of a list."""
        self.item = self.item or Structure()
        self.size = max(self.size, min(size, MAX_ITEMS))
        return self.item

    def add(self, other: Structure) -> None:
        """Let it have what ``other`` has, too: one value that both uses can go through."""
        for name, found in other.required.items():
            self.key(name, required=True).add(found)
        for name, found in other.optional.items():
            self.key(name, required=False).add(found)
        if other.item is not None:
            self.each(other.size).add(other.item)
        if other.mapped is not None:
            self.each_value().add(other.mapped)
        self.compared += other.compared
        self.sought += other.sought
        self.is_number = self.is_number or other.is_number

    def each_value(self) -> Structure:
        """What is read from a value of a dictionary."""
        self.mapped = self.mapped or Structure()
        return self.mapped


def structure_of(function: ast.AST, name: str) -> Structure:
    """What the body of ``function`` reads from its parameter ``name``."""
    reader = _Reader(name)
    reader.read(getattr(function, "body", []))
    return reader.root


class ParameterStructures:
    """What the functions of a module look up in their parameters (mutable: a cache)."""

    def __init__(self, tree: ast.Module, uses: Iterable[ParameterUse] = ()) -> None:
        kept = {one.path: one.operand for one in uses if one.operation == ENTRY}
        self._plain = {key: PLAIN_VALUES[kind] for key, kind in kept.items()}
        self._functions = {
            f"{scope}.{node.name}".lstrip("."): node
            for node, scope in walk_scopes(tree)
            if isinstance(node, _FUNCTIONS)
        }
        self._known: dict[tuple[str, str], tuple[Arg, ...]] = {}

    def values(self, type_: TypeExpr, scope: str, name: str) -> Iterator[Arg]:
        """Values of ``type_`` for the parameter ``name`` that have what is looked up in it."""
        kinds = _KINDS.get(type_.name, ())
        if kinds and (scope, name) not in self._known:
            function = self._functions.get(scope)
            read = Structure() if function is None else structure_of(function, name)
            found = nested_values(read, self._plain)
            self._known[scope, name] = found
        for one in self._known.get((scope, name), ()):
            if isinstance(one, Display) and one.kind in kinds:
                yield one


def nested_values(structure: Structure, plain: Mapping[str, Arg] = NO_VALUES) -> tuple[Arg, ...]:
    """The plainest values that have it: with all that is asked for, and with what is needed.

    ``plain`` has values for keys of which nothing else is read.  () where no key is looked up.
    """
    if not structure.has_keys():
        return ()
    full, least = (_Maker(full, plain).value(structure, MAX_DEPTH, _TEXT) for full in (True, False))
    return (full,) if full == least else (full, least)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes values, ``full``: with all that is asked for; ``plain``: see ``nested_values``."""

    full: bool
    plain: Mapping[str, Arg]

    def value(self, structure: Structure, depth: int, other: Arg) -> Arg:
        """A value that has what is read, ``other`` where that is nothing."""
        if depth == 0:
            return _TEXT
        sought = dict.fromkeys(structure.sought, Structure())
        keys = {**structure.required, **({**sought, **structure.optional} if self.full else {})}
        if structure.required or structure.optional or structure.mapped:
            pairs = [
                (Const(key), self.value(one, depth - 1, self.plain.get(key, _TEXT)))
                for key, one in keys.items()
            ]
            if structure.mapped and not pairs:
                pairs = [(Const("a"), self.value(structure.mapped, depth - 1, _TEXT))]
            return Display("dict", tuple([part for pair in pairs for part in pair]))
        if structure.item:
            size = max(structure.size, FULL_SIZE if self.full else 1)
            return Display("list", (self.value(structure.item, depth - 1, _TEXT),) * size)
        if structure.compared:
            return Const(structure.compared[0])
        return _NUMBER if structure.is_number else other


class _Reader:
    """Follows one name and what is made of it through statements (mutable)."""

    def __init__(self, name: str) -> None:
        self.root = Structure()
        self._known: dict[str, Structure] = {name: self.root}

    def read(self, body: list[ast.stmt]) -> None:
        """Note what ``body`` reads, a statement after the other."""
        for statement in body:
            if isinstance(statement, _DEFINITIONS):
                continue
            for head in head_expressions(statement):
                self._read_head(head)
            match statement:
                case ast.Assign(targets, value):
                    for target in targets:
                        self._bind(target, self._read_from(value))
                case ast.For(target, over) | ast.AsyncFor(target, over):
                    self._bind_items(target, over)
            for block in statement_blocks(statement):
                self.read(block)

    def _read_head(self, head: ast.expr) -> None:
        for node in ast.walk(head):
            if isinstance(node, ast.comprehension):
                self._bind_items(node.target, node.iter)
        for node in ast.walk(head):
            self._note(node)

    def _bind(self, target: ast.expr, found: Structure | None) -> None:
        match target:
            case ast.Name(name) if found is not None:
                self._known[name] = found
            case ast.Name(name):
                self._known.pop(name, None)
            case ast.Tuple(parts) | ast.List(parts):
                for one in parts:
                    self._bind(one, None if found is None else found.each(len(parts)))

    def _bind_items(self, target: ast.expr, over: ast.expr) -> None:
        match over:
            case ast.Call(ast.Attribute(value, "items")):
                found = self._read_from(value)
                if isinstance(target, ast.Tuple) and found is not None:
                    self._bind(target.elts[-1], found.each_value())
            case ast.Call(ast.Attribute(value, "values")):
                found = self._read_from(value)
                self._bind(target, None if found is None else found.each_value())
            case ast.Call(ast.Name("enumerate"), [value, *_]):
                found = self._read_from(value)
                if isinstance(target, ast.Tuple) and found is not None:
                    self._bind(target.elts[-1], found.each())
            case _:
                found = self._read_from(over)
                self._bind(target, None if found is None else found.each())

    def _read_from(self, node: ast.expr) -> Structure | None:
        """What an expression stands for; None where that is no part of the value."""
        match node:
            case ast.Name(name):
                return self._known.get(name)
            case ast.Await(value) | ast.NamedExpr(_, value) | ast.IfExp(_, value):
                return self._read_from(value)
            case ast.BoolOp(ast.Or(), [value, *_]):
                return self._read_from(value)
            case ast.Subscript(value, ast.Slice()):
                return self._read_from(value)
            case ast.Subscript(value, ast.Constant(key)):
                return self._look_up(value, key)
            case ast.Call(ast.Attribute(value, method), [ast.Constant(str(key)), *_]):
                found = self._read_from(value) if method in _LOOK_UPS else None
                return None if found is None else found.key(key, required=False)
            case ast.Call(ast.Name(name), [value, *_]) if name in _SAME:
                return self._read_from(value)
            case ast.Call(ast.Name(name), [value, *_]) if name in _ONE:
                found = self._read_from(value)
                return None if found is None else found.each()
            case ast.GeneratorExp(ast.Name(name), [ast.comprehension(ast.Name(item), over)]) if (
                name == item
            ):
                return self._read_from(over)
        return None

    def _look_up(self, value: ast.expr, key: object) -> Structure | None:
        found = self._read_from(value)
        if found is None or isinstance(key, bool):
            return None
        if isinstance(key, str):
            return found.key(key, required=True)
        return found.each(abs(key) + (key >= 0)) if isinstance(key, int) else None

    def _note(self, node: ast.AST) -> None:
        """Note what one node reads, what it is compared with, and that it is a number."""
        match node:
            case ast.NamedExpr(target, value):
                self._bind(target, self._read_from(value))
            case ast.Compare(ast.Constant(str(key)), [ast.In() | ast.NotIn()], [value]):
                found = self._read_from(value)
                if found is not None:
                    found.sought.append(key)
            case ast.Compare(value, [ast.Eq() | ast.NotEq()], [ast.Constant(literal)]):
                self._compare(value, [literal])
            case ast.Compare(value, [ast.In() | ast.NotIn()], [ast.Tuple(parts) | ast.List(parts)]):
                self._compare(value, [one.value for one in parts if isinstance(one, ast.Constant)])
            case ast.Call(ast.Name(name), [value, *_]) if name in _NUMBERS:
                self._is_number(value)
            case ast.BinOp(value, ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Pow()):
                self._is_number(value)
            case ast.expr():
                self._read_from(node)

    def _compare(self, node: ast.expr, literals: list[Atom]) -> None:
        found = self._read_from(node)
        if found is not None:
            found.compared += [one for one in literals if isinstance(one, (str, int, float))]

    def _is_number(self, node: ast.expr) -> None:
        found = self._read_from(node)
        if found is not None:
            found.is_number = True
