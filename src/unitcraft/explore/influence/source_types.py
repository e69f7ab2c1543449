"""The classes of source files: bases, methods, and the types that their fields may have.

Invariant: a type is named only where an annotation or an assignment of a new object shows it;
any other is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from unitcraft.instrument.field_probes import declarations
from unitcraft.subject.source_files import guarded_imports

#: Annotations that stand around a type and are none of their own.
_WRAPPERS: Final = ("Optional", "Final", "ClassVar", "Annotated", "Union", "Required")
#: Statements inside a class or function that define another scope.
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Kind:
    """A class id ('' where it is unknown or no class of the Subject), and that of its elements."""

    cls: str = ""
    element: str = ""


@dataclass(slots=True)
class SourceClass:
    """One class definition; ``fields`` are those it declares or a method stores on its receiver.

    ``held`` are the names that its body gives a value, ``stored`` those that methods give to
    objects.
    """

    id: str
    bases: tuple[str, ...]
    declared: tuple[str, ...] = ()
    methods: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    properties: tuple[str, ...] = ()
    fields: dict[str, Kind] = field(default_factory=dict)
    held: tuple[str, ...] = ()
    stored: set[str] = field(default_factory=set)


@dataclass(slots=True)
class SourceModule:
    """One module: ``names`` lead to class ids, ``functions`` and ``variables`` are its own."""

    name: str
    names: dict[str, str] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    classes: dict[str, SourceClass] = field(default_factory=dict)


def read_module(name: str, tree: ast.Module, *, package: bool) -> SourceModule:
    """The classes, functions and variables that ``tree`` defines."""
    module = SourceModule(name)
    imports = guarded_imports(tree, name, package=package)
    module.imported = {local: f"{base}:{other}" for local, (base, other) in imports.items()}
    module.names.update(module.imported)
    _read_body(tree.body, "", module)
    targets = [one for node in tree.body for one in _targets(node)]
    module.variables = tuple(dict.fromkeys(targets))
    for made in module.classes.values():
        _read_fields(made, module)
    return module


def _read_body(body: list[ast.stmt], prefix: str, module: SourceModule) -> None:
    for node in body:
        if isinstance(node, FUNCTIONS) and not prefix:
            module.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            _read_class(node, prefix, module)
        else:
            for part in ("body", "orelse", "finalbody"):
                _read_body(getattr(node, part, []) if not _is_scope(node) else [], prefix, module)


def _is_scope(node: ast.stmt) -> bool:
    return isinstance(node, (*FUNCTIONS, ast.ClassDef))


def _read_class(node: ast.ClassDef, prefix: str, module: SourceModule) -> None:
    path = prefix + node.name
    made = SourceClass(f"{module.name}:{path}", tuple(_base_ids(node, module.names)))
    module.names[path] = made.id
    module.classes[path] = made
    made.declared = tuple(dict.fromkeys(name for name, _ in declarations(node)))
    if not any("dataclass" in ast.unparse(mark) for mark in node.decorator_list):
        made.held = made.declared
    found: list[str] = []
    for inner in node.body:
        if isinstance(inner, FUNCTIONS):
            if any(ast.unparse(mark).endswith(".setter") for mark in inner.decorator_list):
                made.methods[f"{inner.name}.setter"] = inner
                continue
            made.methods[inner.name] = inner
            if any("property" in ast.unparse(mark) for mark in inner.decorator_list):
                found.append(inner.name)
        elif isinstance(inner, ast.ClassDef):
            _read_class(inner, f"{path}.", module)
        elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            made.fields[inner.target.id] = annotated_kind(inner.annotation, module.names)
    made.properties = tuple(found)
    for name in made.declared:
        made.fields.setdefault(name, Kind())


def _base_ids(node: ast.ClassDef, names: Mapping[str, str]) -> Iterator[str]:
    for base in node.bases:
        shown = base.value if isinstance(base, ast.Subscript) else base
        known = names.get(ast.unparse(shown))
        if known:
            yield known


def _read_fields(made: SourceClass, module: SourceModule) -> None:
    """The fields that the methods store on their receiver, with what their values show."""
    for method in made.methods.values():
        receiver = receiver_of(method)
        of_class = is_class_method(method)
        types = parameter_kinds(method, module.names)
        for node in ast.walk(method) if receiver else ():
            match node:
                case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=name), attr=attr)):
                    kind = annotated_kind(node.annotation, module.names)
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)], value=value
                ):
                    kind = _value_kind(value, types, module.names)
                case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store()):
                    kind = Kind()
                case _:
                    continue
            if name == receiver:
                known = made.fields.get(attr, Kind())
                made.fields[attr] = known if known != Kind() else kind
                made.stored |= set() if of_class else {attr}


def _value_kind(value: ast.expr, types: Mapping[str, Kind], names: Mapping[str, str]) -> Kind:
    match value:
        case ast.Name(id=name):
            return types.get(name, Kind())
        case ast.Call(func=func):
            return Kind(names.get(ast.unparse(func), ""))
        case ast.List(elts=[first, *_]) | ast.ListComp(elt=first) | ast.Tuple(elts=[first, *_]):
            inner = _value_kind(first, types, names)
            return Kind("", inner.cls or inner.element)
        case ast.DictComp(value=first):
            return Kind("", _value_kind(first, types, names).cls)
        case ast.IfExp(body=first) | ast.BoolOp(values=[first, *_]):
            return _value_kind(first, types, names)
    return Kind()


def lineage(cls: str, known: Mapping[str, SourceClass]) -> list[str]:
    """The class and its bases, nearest first, as far as they are ``known``."""
    found = [cls] if cls in known else []
    for one in found:
        found += [base for base in known[one].bases if base in known and base not in found]
    return found


def receiver_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The name of the first parameter, '' for a static method."""
    first = [*node.args.posonlyargs, *node.args.args][:1]
    marks = [ast.unparse(one) for one in node.decorator_list]
    return first[0].arg if first and "staticmethod" not in marks else ""


def is_class_method(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is its first parameter the class?"""
    marks = [ast.unparse(one) for one in node.decorator_list]
    return "classmethod" in marks or node.name in ("__new__", "__init_subclass__")


def parameter_kinds(
    node: ast.FunctionDef | ast.AsyncFunctionDef, names: Mapping[str, str]
) -> dict[str, Kind]:
    """The types that annotations give to parameters."""
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return {one.arg: annotated_kind(one.annotation, names) for one in given}


def annotated_kind(node: ast.expr | None, names: Mapping[str, str]) -> Kind:
    """The class that an annotation names, or that of the elements of a container."""
    match node:
        case ast.Constant(value=str(text)):
            try:
                return annotated_kind(ast.parse(text, mode="eval").body, names)
            except SyntaxError:
                return Kind()
        case ast.Name() | ast.Attribute():
            return Kind(names.get(ast.unparse(node), ""))
        case ast.BinOp(left=left, right=right):
            first = annotated_kind(left, names)
            return first if first != Kind() else annotated_kind(right, names)
        case ast.Subscript(value=outer, slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            kinds = [annotated_kind(part, names) for part in parts]
            shown = [one for one in kinds if one != Kind()]
            if ast.unparse(outer).rpartition(".")[2] in _WRAPPERS:
                return shown[0] if shown else Kind()
            cls = names.get(ast.unparse(outer), "")
            return Kind(cls, (shown[-1].cls or shown[-1].element) if shown else "")
    return Kind()


def _targets(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        for target in targets:
            for name in ast.walk(target) if target is not None else ():
                if isinstance(name, ast.Name):
                    yield name.id
