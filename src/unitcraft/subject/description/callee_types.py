"""What the callees of a module accept: functions of other modules and of the standard library.

A parameter that is handed on as it is has the type that its callee declares.

Invariant: names are looked up in the loaded module without running its code; a callee that is not
found, or whose parameter declares nothing, says nothing.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from unitcraft.core.types import TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.annotations import AnnotationReader
from unitcraft.subject.decorators import function_behind
from unitcraft.subject.description.library_calls import ACCEPTED
from unitcraft.subject.description.signatures import annotations_of, parameters_of
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import ParameterUse
from unitcraft.subject.reading.node_operations import Callee, Callees
from unitcraft.subject.scopes import word_set
from unitcraft.subject.source_files import FunctionSource

#: TypeExpr name -> the kind of its values, as ``ACCEPTED`` names kinds.
_KINDS: Final[Mapping[str, str]] = {
    **{one: one for one in word_set("str bytes int float complex bool list set frozenset dict")},
    "tuple": "tuple", "vartuple": "tuple", "mapping": "dict", "callable": "function",
    "sequence": "iterable", "iterable": "iterable", "none": "NoneType",
}  # fmt: skip
#: C modules -> the modules by whose name their functions are known.
_PUBLIC: Final = {
    "posix": "os", "nt": "os", "ntpath": "posixpath", "_datetime": "datetime", "_io": "builtins",
    "io": "builtins",
}  # fmt: skip
_NOTHING: Final = Callee()


class CalleeTypes:
    """Answers what a callee accepts (mutable: a cache).

    ``own`` has the ids of the Invocables by module and first line; functions of other modules of
    the package, whose source can be read, have ids of the same form.
    """

    def __init__(self, view: DescriptionContext, own: Mapping[tuple[str, int], str]) -> None:
        self._view = view
        self._own = own
        self._known: dict[tuple[str, str], Callee] = {}
        self._elsewhere: dict[str, tuple[FunctionType, int]] = {}

    def callee(self, func: ast.expr, owner: str = "") -> Callee:
        """What the function that ``func`` names in a method of the class ``owner`` accepts."""
        return self._callee(func, owner, self._view.module)

    def _callee(self, func: ast.expr, owner: str, module: str) -> Callee:
        """The Callee that ``func`` names in the code of ``module``."""
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant):
            known = ACCEPTED.get(f"builtins:{type(func.value.value).__name__}.{func.attr}", ())
            return Callee(places=known, certain=True)
        match func:
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                return self._inherited(owner, name)
            case ast.Attribute(value=ast.Call(func=maker), attr=name):
                return self._of_new_object(_dotted(maker), name, module)
        path = _dotted(func)
        if not path:
            return _NOTHING
        if (module, path) not in self._known:
            self._known[module, path] = self._describe(path, self._names_in(module))
        return self._known[module, path]

    def _of_new_object(self, maker: str, name: str, module: str) -> Callee:
        """What the method ``name`` accepts of an object made there: ``Reader(3).read(text)``."""
        root, *rest = maker.split(".")
        made = self._names_in(module).get(root)
        for part in rest:
            made = _member(made, part)
        if made is None or not static_lookup.is_class(made):
            return _NOTHING
        found = static_lookup.lookup(made, name)
        raw = found[0] if found is not None else None
        return self._declared(classmethod(raw)) if type(raw) is FunctionType else _NOTHING

    def _names_in(self, module: str) -> Mapping[str, Any]:
        """The variables of a module."""
        if module == self._view.module:
            return self._view.names
        return static_lookup.module_dict(sys.modules.get(module))

    def source(self, name: str) -> tuple[FunctionSource, Callees] | None:
        """A function of another module of the package that ``callee`` answered, and its callees."""
        function, receivers = self._elsewhere.get(name, (None, 0))
        if function is None:
            return None
        code = function.__code__
        node = self._view.sources.function_at(code.co_filename, code.co_firstlineno)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        module = static_lookup.module_name(function)
        found = parameters_of(function, self._hints(module), skip=receivers)
        names = tuple([one.name for one in found if not one.kind.startswith("var_")])
        source = FunctionSource(name, names, node)
        return source, lambda func, owner: self._callee(func, owner, module)

    def _describe(self, path: str, names: Mapping[str, Any]) -> Callee:
        root, *rest = path.split(".")
        through_class = False
        value = names.get(root, vars(builtins).get(root))
        for place, name in enumerate(rest):
            if type(value) in (re.Pattern, str):
                home = f"{type(value).__module__}:{type(value).__name__}.{name}"
                places = ACCEPTED.get(home, ()) if place == len(rest) - 1 else ()
                return Callee(places=_of_pattern(value, places), certain=True)
            parent, value = value, _member(value, name)
            through_class = static_lookup.is_class(parent) and type(value) is FunctionType
        known = ACCEPTED.get(home_of(value))
        if known is not None:
            return Callee(places=known, certain=True)
        if through_class and value is not None:
            return self._declared(classmethod(value))._replace(receivers=1)
        return self._declared(value)

    def overriding_uses(self, functions: Iterable[FunctionSource]) -> Iterator[ParameterUse]:
        """What those who call the method of a base pass to the methods that override it."""
        for one in functions:
            accepted = self._inherited(one.owner, one.node.name).places if one.owner else ()
            for name, kinds in zip(one.parameters, accepted, strict=False):
                if kinds:
                    yield ParameterUse(one.id, name, "argument", kinds, certain=False)

    def _inherited(self, owner: str, name: str) -> Callee:
        """What ``super().name`` accepts in a method of ``owner``."""
        module, _, path = owner.partition(":")
        cls = static_lookup.resolve(module, path)
        for base in static_lookup.mro(cls)[1:] if static_lookup.is_class(cls) else ():
            raw = static_lookup.own_dict(base).get(name)
            if raw is not None:
                known = ACCEPTED.get(home_of(raw))
                if known is not None:
                    return Callee(places=known)
                return self._declared(classmethod(raw) if type(raw) is FunctionType else raw)
        return _NOTHING

    def _declared(self, value: Any) -> Callee:
        """What the annotations of a Python function, or of a class's constructor, declare."""
        is_class = static_lookup.is_class(value)
        found = static_lookup.lookup(value, "__init__") if is_class else (value, None)
        raw = found[0] if found is not None else None
        bound = is_class or static_lookup.is_instance(value, classmethod)
        function = function_behind(raw)
        if function is None:
            return _NOTHING
        module = static_lookup.module_name(function)
        own = self._own.get((module, function.__code__.co_firstlineno), "")
        if not own and static_lookup.top_package(module) == self._view.package:
            own = f"{module}:{function.__qualname__}"
            self._elsewhere[own] = function, int(bound)
        if not annotations_of(function):
            return Callee(own)
        parameters = parameters_of(function, self._hints(module), skip=int(bound))
        declared = [one for one in parameters if not one.kind.startswith("var_")]
        kinds = {one.name: kinds_of(one.type) if one.origin == "annotation" else ""
                 for one in declared}  # fmt: skip
        places = tuple([kinds[one.name] for one in declared if one.kind != "keyword"])
        return Callee(own, places, kinds)

    def _hints(self, module: str) -> AnnotationReader:
        """A reader of the annotations of ``module``; the source of other projects is not read."""
        if static_lookup.top_package(module) == self._view.package:
            return self._view.hints(module)
        return AnnotationReader(self._view.homes, (self._names_in(module),))


def _of_pattern(value: Any, places: tuple[str, ...]) -> tuple[str, ...]:
    """``places`` where a pattern of texts takes texts, and one of bytes takes bytes."""
    if type(value) is not re.Pattern:
        return places
    kind = type(value.pattern).__name__
    return tuple([kind if one == "str|bytes" else one for one in places])


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            inner = _dotted(value)
            return f"{inner}.{name}" if inner else ""
    return ""


def _member(value: Any, name: str) -> Any:
    """The attribute of a module or class, or the method of another object, or None."""
    if static_lookup.is_instance(value, ModuleType):
        return static_lookup.module_dict(value).get(name)
    cls = value if static_lookup.is_class(value) else type(value)
    found = static_lookup.lookup(cls, name)
    if found is None or value is None:
        return None
    raw = found[0]
    takes_receiver = not static_lookup.is_class(value)
    if takes_receiver and static_lookup.is_instance(raw, FunctionType):
        return classmethod(raw)  # bound, so its first parameter is not passed
    return raw


def home_of(value: Any) -> str:
    """``module:qualname`` of a function, method or class of C or Python."""
    if static_lookup.is_instance(value, (classmethod, staticmethod, MethodType)):
        value = value.__func__
    if static_lookup.is_class(value):
        name = static_lookup.qualname(value)
    elif static_lookup.is_instance(value, (FunctionType, BuiltinFunctionType)):
        name = value.__qualname__
    else:
        return ""
    module = static_lookup.module_name(value)
    return f"{_PUBLIC.get(module, module)}:{name}"


def kinds_of(declared: TypeExpr) -> str:
    """The kinds of a declared type's values, ``|`` between them ('' if one is not known)."""
    parts = declared.args if declared.name == "union" else (declared,)
    found: list[str] = []
    for one in parts:
        if one.name == "class":
            found.append(one.cls)
        elif one.name == "literal":
            found += [type(arg.value).__name__ for arg in one.literals if hasattr(arg, "value")]
        else:
            found.append(_KINDS.get(one.name, ""))
    return "|".join(dict.fromkeys(found)) if all(found) else ""
