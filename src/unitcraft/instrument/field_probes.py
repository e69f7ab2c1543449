"""The AST rewriting of field accesses: a probe around the object records each use and definition.

``self.items`` becomes ``use(3, self, "items").items``: the probe returns its object, so that the
attribute access itself keeps its form.

Invariant: every operand is evaluated once (a plain name that is augmented, twice) and in the
original order; sites are numbered in the order of the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

#: Names of the probes in a rewritten module.
USE: Final = "__unitcraft_use__"
DEFINE: Final = "__unitcraft_define__"
FORGET: Final = "__unitcraft_forget__"
AUGMENT: Final = "__unitcraft_augment__"
USE_AND_DEFINE: Final = "__unitcraft_use_and_define__"

Role = Literal["use", "definition", "deletion", "declaration"]
#: Context of an attribute -> its role and its probe.
_ROLES: Final[dict[type[ast.expr_context], tuple[Role, str]]] = {
    ast.Load: ("use", USE), ast.Store: ("definition", DEFINE), ast.Del: ("deletion", FORGET),
}  # fmt: skip
#: Decorators of methods whose first parameter is not an object of the class.
_UNBOUND: Final = ("staticmethod", "classmethod")
#: Nodes with lists of statements that may not run (``match`` and ``try`` contain such nodes).
_BLOCKS: Final = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar,
    ast.ExceptHandler, ast.Match, ast.match_case,
)  # fmt: skip
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class FieldSite:
    """A place where ``field`` is used or defined.

    ``owner`` is the class if a method of it accesses its own receiver, '' for any other object;
    ``scope`` is the qualname of the enclosing function, for a declaration of the class.
    For a use, ``dominator`` is the last definition in the same function that lies on every path
    to the use (-1 for none), and ``in_loop`` tells whether the use is in a loop.
    """

    scope: str
    line: int
    owner: str
    field: str
    role: Role
    dominator: int = -1
    in_loop: bool = False


class FieldTable:
    """Field sites of one module by number, its classes, and the calls on receivers."""

    __slots__ = ("bases", "called", "lines", "sites")

    def __init__(self) -> None:
        self.sites: list[FieldSite] = []
        #: class -> names of its bases
        self.bases: dict[str, tuple[str, ...]] = {}
        #: method -> names of the methods that it calls on its receiver
        self.called: dict[str, set[str]] = {}
        #: function -> the line where its definition begins
        self.lines: dict[str, int] = {}

    def add(self, site: FieldSite) -> int:
        """The number of a new site."""
        self.sites.append(site)
        return len(self.sites) - 1

    def declared(self) -> dict[tuple[str, str], int]:
        """(class, field) -> the last declaration in the class body."""
        return {
            (site.owner, site.field): number
            for number, site in enumerate(self.sites)
            if site.role == "declaration"
        }


def mangle(name: str, classes: list[str]) -> str:
    """The name that the compiler gives a private name inside a class."""
    private = name.startswith("__") and not name.endswith("__")
    stem = classes[-1].lstrip("_") if classes else ""
    return f"_{stem}{name}" if private and stem else name


class _Names(ast.NodeVisitor):
    """Collects the names of fields: stored through an attribute, or declared by a class."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.classes: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes.append(node.name)
        self.found.update(mangle(name, self.classes) for name, _ in declarations(node))
        self.generic_visit(node)
        self.classes.pop()

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.ctx, (ast.Store, ast.Del)):
            self.found.add(mangle(node.attr, self.classes))
        self.generic_visit(node)


def declarations(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """(field, line) of the names that a class body gives a value, or a dataclass a type."""
    typed = any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)
    for statement in node.body:
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and (statement.value is not None or typed):
            targets = [statement.target]
        for target in targets:
            if isinstance(target, ast.Name) and not target.id.startswith("__"):
                yield target.id, statement.lineno


class FieldRewriter(ast.NodeTransformer):
    """Puts probes around the fields of one module; ``table`` receives their sites."""

    def __init__(self, table: FieldTable) -> None:
        self.table = table
        self.names: set[str] = set()
        self.scope: list[str] = []
        self.classes: list[str] = []
        self.owner = ""
        self.receiver = ""
        self.functions = 0
        self.loops = 0
        #: Field of the receiver -> its definition on every path to the current statement.
        self.dominators: dict[str, int] = {}

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Collect the fields first: other attributes are methods or belong to other modules."""
        names = _Names()
        names.visit(node)
        self.names = names.found
        self.generic_visit(node)
        return node

    # -- scopes -------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Record the declarations of the body; rewrite its methods."""
        around = self.owner, self.receiver, self.functions
        self.scope.append(node.name)
        self.classes.append(node.name)
        self.owner, self.receiver, self.functions = ".".join(self.scope), "", 0
        self.table.bases[self.owner] = tuple(ast.unparse(base) for base in node.bases)
        for name, line in declarations(node):
            field = mangle(name, self.classes)
            self.table.add(FieldSite(self.owner, line, self.owner, field, "declaration"))
        node.body = [self.visit(child) for child in node.body]
        self.classes.pop()
        self.scope.pop()
        self.owner, self.receiver, self.functions = around
        return node

    def visit_FunctionDef(self, node: _Function) -> ast.AST:
        """Decorators, defaults and annotations keep their form."""
        around = self.receiver, self.dominators, self.loops
        if self.owner and not self.functions:
            self.receiver = _receiver(node)
        self.dominators, self.loops = {}, 0
        self.functions += 1
        self.scope.append(node.name)
        self.table.lines[".".join(self.scope)] = node.lineno
        node.body = [self.visit(child) for child in node.body]
        self.scope.pop()
        self.functions -= 1
        self.receiver, self.dominators, self.loops = around
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Defaults keep their form."""
        outer, self.dominators = self.dominators, {}
        self.functions += 1
        node.body = self.visit(node.body)
        self.functions -= 1
        self.dominators = outer
        return node

    def visit(self, node: ast.AST) -> Any:
        """A definition inside a block dominates nothing after the block."""
        if not isinstance(node, _BLOCKS):
            return super().visit(node)
        looping = isinstance(node, (ast.For, ast.AsyncFor, ast.While))
        self.loops += looping
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
            elif isinstance(value, list):
                outer = dict(self.dominators)
                setattr(node, name, [self.visit(item) for item in value])
                self.dominators = {
                    field: outer[field] for field in self.dominators if field in outer
                }
        self.loops -= looping
        return node

    # -- fields -------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Record the methods that a method calls on its receiver."""
        function = node.func
        if isinstance(function, ast.Attribute) and self._owner_of(function):
            self.table.called.setdefault(".".join(self.scope), set()).add(function.attr)
        self.generic_visit(node)
        self.dominators = {}  # it may store anything
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Probe loads, stores and deletions of fields."""
        role, probe = _ROLES[type(node.ctx)]
        if not self._is_probed(node):
            self.generic_visit(node)
            return node
        base = self.visit(node.value)
        node.value = self._call(probe, [self._site(node, role)], base, node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """The value comes first."""
        node.value = self.visit(node.value)
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """A use, then what the operand uses, then a definition."""
        target = node.target
        if not isinstance(target, ast.Attribute) or not self._is_probed(target):
            self.generic_visit(node)
            return node
        used, base = self._site(target, "use"), self.visit(target.value)
        node.value = self.visit(node.value)
        defined = self._site(target, "definition")
        if isinstance(target.value, ast.Name):
            again = ast.Name(target.value.id, ast.Load())
            node.value = self._call(AUGMENT, [defined], again, target, node.value)
            target.value = self._call(USE, [used], base, target)
        else:
            target.value = self._call(USE_AND_DEFINE, [used, defined], base, target)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations keep their form; without a value nothing is stored."""
        if node.value is not None:
            node.value = self.visit(node.value)
            node.target = self.visit(node.target)
        return node

    def _is_probed(self, node: ast.Attribute) -> bool:
        inside = self.functions and mangle(node.attr, self.classes) in self.names
        return bool(inside) and not _is_super(node.value)

    def _owner_of(self, node: ast.Attribute) -> str:
        own = isinstance(node.value, ast.Name) and node.value.id == self.receiver
        return self.owner if own else ""

    def _site(self, node: ast.Attribute, role: Role) -> ast.expr:
        field, owner = mangle(node.attr, self.classes), self._owner_of(node)
        dominator = self.dominators.get(field, -1) if owner else -1
        in_loop = self.loops > 0
        site = FieldSite(".".join(self.scope), node.lineno, owner, field, role, dominator, in_loop)
        number = self.table.add(site)
        if owner and role == "definition":
            self.dominators[field] = number
        return ast.Constant(number)

    def _call(
        self,
        probe: str,
        sites: list[ast.expr],
        base: ast.expr,
        node: ast.Attribute,
        *more: ast.expr,
    ) -> ast.Call:
        field = ast.Constant(mangle(node.attr, self.classes))
        made = ast.Call(ast.Name(probe, ast.Load()), [*sites, base, field, *more], [])
        return ast.copy_location(made, node)


def _receiver(node: _Function) -> str:
    """The name of the parameter that receives the object, '' if a method has none."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    first = [*node.args.posonlyargs, *node.args.args][:1]
    return first[0].arg if first and not set(decorators) & set(_UNBOUND) else ""


def _is_super(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    return isinstance(function, ast.Name) and function.id == "super"
