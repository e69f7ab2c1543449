"""Bindings of names: what each name of a function, and each field of a receiver, is bound to.

Comprehensions and ``lambda`` are parts of the function around them, so that a name has one meaning
in a function or none.

Invariant: the tree alone is read; a name that is bound in a way that says nothing of its value has
a Binding that says so, and none is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
#: The value itself, an item of it, what a block is entered with, what an annotation or the class of
#: an exception names, or nothing that is known.
How = Literal["value", "item", "entered", "annotation", "error", "unknown"]
#: Methods whose receiver is a class.
_OF_CLASSES = ("__new__", "__init_subclass__", "__class_getitem__")


class Binding(NamedTuple):
    """How a name gets its value from ``node``.

    ``path`` are the (place, number of parts) of the tuples that it is unpacked from, the outermost
    first.
    """

    how: How
    node: ast.expr | None = None
    path: tuple[tuple[int, int], ...] = ()


UNKNOWN = Binding("unknown")


@dataclass(slots=True, eq=False)
class Scope:
    """The names that a module, class or function binds (mutable while reading).

    ``owner`` is the path of the class whose method it is, or is in; ``receiver`` the name of the
    object or, if ``of_class``, of the class.  ``tested`` are the names of whose kind it asks.
    """

    parent: Scope | None = None
    node: FunctionNode | None = None
    owner: str = ""
    receiver: str = ""
    of_class: bool = False
    is_class: bool = False
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    tested: set[str] = field(default_factory=set)
    calls: list[ast.Call] = field(default_factory=list)
    returned: list[ast.expr | None] = field(default_factory=list)
    yields: bool = False

    def bind(self, name: str, binding: Binding) -> None:
        """Note one of the bindings of ``name``."""
        self.bindings.setdefault(name, []).append(binding)

    def binder(self, name: str) -> Scope | None:
        """The function around this place, or itself, that binds ``name``; None: the module."""
        scope: Scope | None = self
        while scope is not None and scope.parent is not None:
            if name in scope.bindings or name == scope.receiver:
                return scope
            scope = scope.parent
        return None


@dataclass(slots=True)
class ModuleScopes:
    """The scopes of a module, the first of which is its own (mutable while reading).

    ``fields`` are the bindings of ``self.name`` by (path of the class, name), ``elsewhere`` the
    attributes that are bound on anything else.
    """

    scopes: list[Scope] = field(default_factory=lambda: [Scope()])
    fields: dict[tuple[str, str], list[tuple[Scope, Binding]]] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    by_node: dict[ast.AST, Scope] = field(default_factory=dict)


def scopes_of(tree: ast.Module) -> ModuleScopes:
    """The scopes of a module in the order of the source."""
    found = ModuleScopes()
    _visit_all(found, found.scopes[0], "", tree.body)
    return found


def _visit_all(found: ModuleScopes, scope: Scope, path: str, nodes: list[ast.stmt]) -> None:
    for node in nodes:
        _visit(found, scope, path, node)


def _visit(found: ModuleScopes, scope: Scope, path: str, node: ast.AST) -> None:
    """Note what ``node`` binds in ``scope``; ``path`` is that of the class around it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        _open_function(found, scope, path, node)
        return
    if isinstance(node, ast.ClassDef):
        _open_class(found, scope, path, node)
        return
    if isinstance(node, ast.Call):
        scope.calls.append(node)
        _note_test(scope, node)
    elif isinstance(node, ast.Return):
        scope.returned.append(node.value)
    elif isinstance(node, ast.Yield | ast.YieldFrom):
        scope.yields = True
    elif isinstance(node, ast.Global | ast.Nonlocal):
        _note_shared(found, scope, node)
    for target, binding in _bound(node):
        _bind(found, scope, target, binding)
    for name in _unknown_names(node):
        scope.bind(name, UNKNOWN)
    for child in ast.iter_child_nodes(node):
        _visit(found, scope, path, child)


def _open_function(found: ModuleScopes, scope: Scope, path: str, node: FunctionNode) -> None:
    scope.bind(node.name, UNKNOWN)
    for part in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
        if part is not None:
            _visit(found, scope, path, part)
    around = scope.parent if scope.is_class else scope
    inner = Scope(around, node, owner=path)
    named = [*node.args.posonlyargs, *node.args.args]
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    if scope.is_class and named and "staticmethod" not in marks:
        inner.receiver = named.pop(0).arg
        inner.of_class = "classmethod" in marks or node.name in _OF_CLASSES
    for one in (*named, *node.args.kwonlyargs):
        note = one.annotation
        inner.bind(one.arg, UNKNOWN if note is None else Binding("annotation", note))
    for rest in (node.args.vararg, node.args.kwarg):
        if rest is not None:
            inner.bind(rest.arg, UNKNOWN)
    found.scopes.append(inner)
    found.by_node[node] = inner
    _visit_all(found, inner, path if scope.is_class else "", node.body)


def _open_class(found: ModuleScopes, scope: Scope, path: str, node: ast.ClassDef) -> None:
    scope.bind(node.name, UNKNOWN)
    for part in (*node.decorator_list, *node.bases, *[one.value for one in node.keywords]):
        _visit(found, scope, path, part)
    is_inner = scope.is_class or scope.parent is None
    own = (f"{path}.{node.name}" if path else node.name) if is_inner else ""
    around = scope.parent if scope.is_class else scope
    inner = Scope(around, owner=own, is_class=True)
    found.scopes.append(inner)
    _visit_all(found, inner, own, node.body)
    for name, bindings in inner.bindings.items() if own else ():
        values = [(inner, one) for one in bindings if one.how == "value"]
        found.fields.setdefault((own, name), []).extend(values)


def _note_test(scope: Scope, node: ast.Call) -> None:
    match node:
        case ast.Call(ast.Name("isinstance" | "issubclass" | "type" | "callable"), [asked, *_]):
            scope.tested.update(one.id for one in ast.walk(asked) if isinstance(one, ast.Name))


def _note_shared(found: ModuleScopes, scope: Scope, node: ast.Global | ast.Nonlocal) -> None:
    """Note that a function binds names of those around it, of which nothing is known then."""
    around: Scope | None = scope
    while around is not None:
        if isinstance(node, ast.Nonlocal) or around in (scope, found.scopes[0]):
            for name in node.names:
                around.bind(name, UNKNOWN)
        around = around.parent


def _bound(node: ast.AST) -> Iterator[tuple[ast.expr, Binding]]:
    """(target, Binding) of what a node binds."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from [(one, Binding("value", value)) for one in targets]
        case ast.AnnAssign(target=target, annotation=note):
            yield target, Binding("annotation", note)
        case ast.AugAssign(target=ast.Name() | ast.Attribute() as target, op=op, value=value):
            yield target, Binding("value", ast.BinOp(target, op, value))
        case ast.NamedExpr(target=target, value=value):
            yield target, Binding("value", value)
        case ast.ExceptHandler(type=error, name=str(name)):
            yield ast.Name(name), Binding("error", error)
        case _:
            yield from _bound_by_block(node)


def _bound_by_block(node: ast.AST) -> Iterator[tuple[ast.expr, Binding]]:
    """(target, Binding) of what a loop or a ``with`` statement binds."""
    match node:
        case ast.For(target=target, iter=over):
            yield target, Binding("item", over)
        case ast.comprehension(target=target, iter=over, is_async=is_async):
            yield target, UNKNOWN if is_async else Binding("item", over)
        case ast.AsyncFor(target=target):
            yield target, UNKNOWN
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for one in items:
                is_plain = isinstance(node, ast.With)
                entered = Binding("entered", one.context_expr) if is_plain else UNKNOWN
                yield from [(one.optional_vars, entered)] if one.optional_vars is not None else []


def _unknown_names(node: ast.AST) -> Iterator[str]:
    """Names that a node binds to what says nothing."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from [one.asname or one.name.partition(".")[0] for one in names]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Lambda(args=given):
            named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
            yield from [one.arg for one in (*named, given.vararg, given.kwarg) if one is not None]


def _bind(found: ModuleScopes, scope: Scope, target: ast.expr, binding: Binding) -> None:
    match target:
        case ast.Name(id=name):
            scope.bind(name, binding)
        case ast.Starred(value=inner):
            _bind(found, scope, inner, UNKNOWN)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            is_plain = not any(isinstance(part, ast.Starred) for part in parts)
            for place, part in enumerate(parts):
                path = (*binding.path, (place, len(parts)))
                inner_binding = binding._replace(path=path) if is_plain else UNKNOWN
                _bind(found, scope, part, inner_binding)
        case ast.Attribute(value=ast.Name(id=holder), attr=name):
            binder = scope.binder(holder)
            if binder is not None and holder == binder.receiver and binder.owner:
                found.fields.setdefault((binder.owner, name), []).append((scope, binding))
            else:
                found.elsewhere.add(name)
        case ast.Attribute(attr=name):
            found.elsewhere.add(name)
