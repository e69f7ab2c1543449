"""What one function does by itself: variables, elements of containers, and what it may call.

Invariant: effects of callees are not among those of a function; every callee that the source
names is listed, with the class of its receiver where that is known.

Source: JTESTCRAFT, section 4.3.1.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from unitcraft.explore.influence.effects import Variable
from unitcraft.explore.influence.expression_types import ANY_CONTAINER, ExpressionTypes
from unitcraft.explore.influence.source_types import (
    Kind,
    SourceClass,
    SourceModule,
    annotated_kind,
    lineage,
)
from unitcraft.subject.description.field_effects import MUTATORS

#: Methods of containers that read elements although they change them.
_READING_MUTATORS: Final = frozenset(
    ["pop", "popitem", "popleft", "remove", "discard", "setdefault", "sort", "reverse"]
)
#: An operator or statement -> the special methods of its first operand that it calls.
_OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__",
    ast.Eq: "__eq__", ast.NotEq: "__eq__", ast.Lt: "__lt__", ast.LtE: "__le__", ast.Gt: "__gt__",
    ast.GtE: "__ge__", ast.BitAnd: "__and__", ast.BitOr: "__or__", ast.FloorDiv: "__floordiv__",
    ast.Mod: "__mod__",
}  # fmt: skip
#: A built-in function -> the special method of its argument that it calls.
_BUILTINS: Final = {
    "len": "__len__", "iter": "__iter__", "next": "__next__", "str": "__str__", "repr": "__repr__",
    "bool": "__bool__", "hash": "__hash__", "list": "__iter__", "sorted": "__iter__",
    "each": "__iter__", "sum": "__iter__",
}  # fmt: skip

#: Special methods that read elements.
_READERS: Final = ("__getitem__", "__iter__", "__len__", "__contains__", "__next__")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Callee:
    """What is called: a function or class by id, or a method of ``owner`` ('': of any class)."""

    kind: Literal["function", "class", "method", "inherited"]
    owner: str
    name: str = ""


@dataclass(slots=True)
class FunctionFacts:
    """The direct effects of one function; dicts as ordered sets.

    ``tests`` are the classes that it asks a parameter for, ``touched`` the attributes that it
    looks up on one.  ``foreign`` are the fields that it stores on objects other than its receiver.
    """

    defines: dict[Variable, None] = field(default_factory=dict)
    uses: dict[Variable, None] = field(default_factory=dict)
    stores: dict[Variable, None] = field(default_factory=dict)
    loads: dict[Variable, None] = field(default_factory=dict)
    foreign: dict[Variable, None] = field(default_factory=dict)
    callees: dict[Callee, None] = field(default_factory=dict)
    tests: dict[str, list[str]] = field(default_factory=dict)
    touched: dict[str, list[str]] = field(default_factory=dict)
    returns: list[str] = field(default_factory=list)


def read_function(
    node: _Function,
    module: SourceModule,
    owner: SourceClass | None,
    receiver: str,
    known: Mapping[str, SourceClass],
) -> FunctionFacts:
    """The direct effects of ``node``, a function of ``module`` or a method of ``owner``."""
    reader = _Reader(node, module, owner, receiver, known)
    for statement in node.body:
        reader.visit(statement)
    returned = annotated_kind(node.returns, module.names).cls
    if returned in known and returned not in reader.facts.returns:
        reader.facts.returns.insert(0, returned)
    return reader.facts


class _Reader(ExpressionTypes, ast.NodeVisitor):
    """Collects the facts of one function; ``types`` are those of its names so far."""

    def __init__(
        self,
        node: _Function,
        module: SourceModule,
        owner: SourceClass | None,
        receiver: str,
        known: Mapping[str, SourceClass],
    ) -> None:
        ExpressionTypes.__init__(self, node, module, owner, receiver, known)
        self.facts = FunctionFacts()

    # -- variables -----------------------------------------------------------------

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A field, a property, or a method that is passed on."""
        self._touch(node)
        self.visit(node.value)
        place = self.place(node)
        assert place is not None  # noqa: S101 - an attribute always has a place
        if self._is_method(place):
            suffix = "" if isinstance(node.ctx, ast.Load) else ".setter"
            self._call(Callee("method", place.owner, node.attr + suffix))
        elif isinstance(node.ctx, ast.Load):
            self.facts.uses[place] = None
            self.facts.loads[place] = None
        else:
            self.facts.defines[place] = None
            is_class = self.module.names.get(ast.unparse(node.value), "") in self.known
            if not (isinstance(node.value, ast.Name) and node.value.id == self.receiver):
                self.facts.foreign |= {} if is_class else {place: None}

    def _touch(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id in self.parameters:
            self.facts.touched.setdefault(node.value.id, []).append(node.attr)

    def _is_method(self, place: Variable) -> bool:
        owners = lineage(place.owner, self.known) if place.owner else list(self.known)
        return any(place.name in self.known[one].methods for one in owners)

    def visit_Name(self, node: ast.Name) -> None:
        """A variable of the module, or the elements of what a name stands for."""
        place = self.place(node)
        if place is None or not place.name:
            return
        if isinstance(node.ctx, ast.Load):
            if place.is_shared:
                self.facts.uses[place] = None
            self.facts.loads[place] = None
        elif place.is_shared:
            self.facts.defines[place] = None

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Elements that are read or stored."""
        place = self.place(node.value)
        if place is not None and not isinstance(node.ctx, ast.Load):
            self.facts.stores[place] = None
            self._use_holder(node.value)
        else:
            self.visit(node.value)
        self.visit(node.slice)
        names = {ast.Load: "__getitem__", ast.Store: "__setitem__", ast.Del: "__delitem__"}
        self._operator(node.value, names[type(node.ctx)])

    def _use_holder(self, node: ast.expr) -> None:
        """Visit what leads to a container without reading its elements."""
        place = self.place(node)
        before = place in self.facts.loads
        self.visit(node)
        if place is not None and not before:
            self.facts.loads.pop(place, None)

    def visit_Assign(self, node: ast.Assign) -> None:
        """The value, then the targets; a name may stand for a field from here on."""
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)
            if isinstance(target, ast.Name):
                self._bind(target.id, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """As for a plain assignment."""
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)
        if isinstance(node.target, ast.Name):
            self.types[node.target.id] = annotated_kind(node.annotation, self.module.names)

    def _bind(self, name: str, value: ast.expr) -> None:
        place = self.place(value)
        kind = self.kind(value)
        self.types[name] = kind
        if place is not None and not isinstance(value, ast.Subscript):
            self.aliases[name] = place

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """A use and a definition, of the container too where that changes in place."""
        place = self.place(node.target)
        self.visit(node.value)
        self.visit(node.target)
        if place is not None and isinstance(node.target, ast.Subscript):
            self.facts.loads[place] = None
        elif place in self.facts.defines:
            self.facts.uses[place] = None

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        """The elements of what is iterated have its element type."""
        self._iterate(node.iter, node.target)
        self.generic_visit(node)

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """As for a loop."""
        self._iterate(node.iter, node.target)
        self.generic_visit(node)

    def _iterate(self, source: ast.expr, target: ast.expr) -> None:
        self._operator(source, "__iter__")
        element = self.kind(source).element
        for name in ast.walk(target) if element else ():
            if isinstance(name, ast.Name):
                self.types[name.id] = Kind(element)

    # -- calls ---------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> None:
        """Functions, classes, methods, and the mutators of containers."""
        function = node.func
        match function:
            case ast.Name(id="isinstance" | "issubclass"):
                self._test(node)
            case ast.Name(id=name):
                self._call_name(name, node)
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr):
                if self.owner is not None:
                    self._call(Callee("inherited", self.owner.id, attr))
            case ast.Attribute():
                self._call_attribute(function)
            case _:
                self.visit(function)
        for part in (*node.args, *node.keywords):
            self.visit(part)

    def _call_name(self, name: str, node: ast.Call) -> None:
        cls = self.module.names.get(name, "")
        if cls in self.known:
            self._call(Callee("class", cls))
        elif name in self.module.functions:
            self._call(Callee("function", f"{self.module.name}:{name}"))
        elif name in self.module.imported:
            self._call(Callee("function", self.module.imported[name]))
        elif name in _BUILTINS and node.args:
            self._operator(node.args[0], _BUILTINS[name])
        elif name in self.types and self.types[name].cls in self.known:
            self._call(Callee("method", self.types[name].cls, "__call__"))

    def _call_attribute(self, function: ast.Attribute) -> None:
        holder = self.place(function.value)
        cls = self.module.names.get(ast.unparse(function.value), "")
        if self.module.names.get(ast.unparse(function), "") in self.known:
            self._call(Callee("class", self.module.names[ast.unparse(function)]))
            return
        owner = cls if cls in self.known else self.kind(function.value).cls
        method = Variable(owner if owner in self.known else "", function.attr)
        if self._is_method(method) and (method.owner or function.attr not in MUTATORS):
            self._touch(function)
            self.visit(function.value)
            self._call(Callee("method", method.owner, function.attr))
            return
        if holder is not None and function.attr in MUTATORS:
            self.facts.stores[holder] = None
            self._use_holder(function.value)
            if function.attr in _READING_MUTATORS:
                self.facts.loads[holder] = None
            if not method.owner and self._is_method(method):
                self._call(Callee("method", "", function.attr))
            return
        self._touch(function)
        self.visit(function.value)

    def _call(self, callee: Callee) -> None:
        self.facts.callees[callee] = None

    def _operator(self, operand: ast.expr, method: str) -> None:
        """A special method, where the class of the operand is known; elements of an argument."""
        cls = self.kind(operand).cls
        if cls in self.known:
            self._call(Callee("method", cls, method))
        elif method in _READERS and self.place(operand) == ANY_CONTAINER:
            self.facts.loads[ANY_CONTAINER] = None

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """An operator of the left operand."""
        self._operator(node.left, _OPERATORS.get(type(node.op), ""))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A comparison, or a membership test of the right operand."""
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, (ast.In, ast.NotIn)):
                self._operator(right, "__contains__")
            else:
                self._operator(node.left, _OPERATORS.get(type(operator), ""))
        self.generic_visit(node)

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        """Entering and leaving a context."""
        for item in node.items:
            self._operator(item.context_expr, "__enter__")
            self._operator(item.context_expr, "__exit__")
        self.generic_visit(node)

    visit_AsyncWith = visit_With  # noqa: N815

    def _test(self, node: ast.Call) -> None:
        """The classes that ``isinstance`` asks a parameter for."""
        match node.args:
            case [ast.Name(id=name), asked] if name in self.parameters:
                shown = asked.elts if isinstance(asked, ast.Tuple) else [asked]
                for one in shown:
                    cls = self.module.names.get(ast.unparse(one), "")
                    if cls in self.known:
                        self.facts.tests.setdefault(name, []).append(cls)
                if len(shown) == 1:
                    self.types[name] = Kind(self.module.names.get(ast.unparse(shown[0]), ""))

    def visit_Return(self, node: ast.Return) -> None:
        """The class of what is returned."""
        if node.value is not None:
            cls = self.kind(node.value).cls
            if cls in self.known and cls not in self.facts.returns:
                self.facts.returns.append(cls)
            self.visit(node.value)

    def visit_FunctionDef(self, node: _Function) -> None:
        """A function inside: what it does counts as done here."""
        for statement in node.body:
            self.visit(statement)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815
