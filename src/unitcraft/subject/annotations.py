"""Converts annotations, which are objects or source text, to TypeExprs.

Invariant: nothing is evaluated and nothing raises.  Source text is read as a syntax tree
whose names are looked up statically; a part that is not understood becomes ANY, without
effect on the other parts.
"""

from __future__ import annotations

import ast
import builtins
import threading
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final

from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.core.sequences import Arg
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import known_types, static_lookup
from unitcraft.subject.import_paths import NAMES_IN_TYPES, ImportPaths
from unitcraft.subject.known_types import AWAITED, TRANSPARENT, UNBUILT, union
from unitcraft.subject.literal_args import literal_of

MAX_DEPTH: Final = 12  # nested annotations; deeper ones are ANY, which ends recursive aliases

_MISSING: Final = object()
#: Special methods that every object has, or the one that is asked for.
_NOT_ASKED: Final = ("__call__", "__eq__", "__hash__")


@dataclass(frozen=True, slots=True)
class AnnotationReader:
    """Reads annotations in the namespaces ``scopes`` (innermost first).

    ``homes`` names classes; ``own`` is the id of the class that ``Self`` means ('' outside
    classes).  ``guarded`` are names imported under ``TYPE_CHECKING`` -> (module, name).
    """

    homes: ImportPaths
    scopes: tuple[Mapping[str, Any], ...] = ()
    own: str = ""
    guarded: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def type_of(self, annotation: Any) -> TypeExpr:
        """The TypeExpr of an annotation: an object, a text, or a syntax tree."""
        try:
            return self._read(annotation, 0)
        except Exception:  # noqa: BLE001  (objects of the Subject may raise anywhere)
            return ANY

    def _read(self, raw: Any, depth: int) -> TypeExpr:
        if depth > MAX_DEPTH:
            return ANY
        if static_lookup.is_instance(raw, ast.AST):
            return self._tree(raw, depth)
        if static_lookup.is_instance(raw, str):
            return self._text(raw, depth)
        if raw is None:
            return known_types.NONE
        return self._object(raw, depth)

    def _text(self, text: str, depth: int) -> TypeExpr:
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ANY
        return self._tree(tree, depth + 1)

    # Source text.

    def _tree(self, tree: ast.expr, depth: int) -> TypeExpr:
        match tree:
            case ast.Constant(value):
                return self._read(value, depth + 1) if value is None or type(value) is str else ANY
            case ast.BinOp(left, ast.BitOr(), right):
                return union(self._read(left, depth + 1), self._read(right, depth + 1))
            case ast.Subscript(head, arguments):
                many = isinstance(arguments, ast.Tuple) and arguments.elts
                raw = many or [arguments]
                return self._tree_subscript(head, raw, depth)
            case ast.Name() | ast.Attribute():
                return self._tree_name(tree, depth)
        return ANY

    def _tree_name(self, tree: ast.expr, depth: int) -> TypeExpr:
        found = self._find(tree)
        if found is _MISSING:
            return self._by_name(_last(tree), (), depth)
        return self._read(found, depth + 1)

    def _tree_subscript(self, head: ast.expr, raw: list[ast.expr], depth: int) -> TypeExpr:
        found = self._find(head)
        if found is _MISSING:
            return self._by_name(_last(head), tuple(raw), depth)
        return self._apply(found, tuple(raw), depth)

    def _find(self, tree: ast.expr) -> Any:
        """The object that a dotted name refers to in ``scopes``, or _MISSING."""
        if isinstance(tree, ast.Attribute):
            owner = self._find(tree.value)
            if owner is _MISSING:
                return _MISSING
            names = (
                static_lookup.own_dict(owner)
                if static_lookup.is_class(owner)
                else (static_lookup.module_dict(owner))
            )
            return names.get(tree.attr, _MISSING)
        if not isinstance(tree, ast.Name):
            return _MISSING
        for scope in self.scopes:
            if tree.id in scope:
                return scope[tree.id]
        if tree.id in self.guarded:
            found = static_lookup.resolve(*self.guarded[tree.id])
            return _MISSING if found is None else found
        return vars(builtins).get(tree.id, _MISSING)

    def _by_name(self, name: str, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        """The type of a name that cannot be resolved but is known from ``typing``, else ANY."""
        if name in known_types.SIMPLE or name in known_types.CONTAINERS or hasattr(typing, name):
            return self._well_known(name, raw, depth) or ANY
        return ANY

    # Objects.

    def _object(self, raw: Any, depth: int) -> TypeExpr:
        kind = type(raw)
        if kind.__name__ == "TypeAliasType":
            return self._read(raw.__value__, depth + 1)
        if kind.__module__ in ("typing", "typing_extensions") and not static_lookup.is_class(raw):
            special = self._special(raw, kind.__name__, depth)
            if special is not None:
                return special
        origin = typing.get_origin(raw)
        if origin is not None:
            return self._apply(origin, _type_arguments(raw), depth)
        return self._apply(raw, (), depth)

    def _special(self, raw: Any, kind: str, depth: int) -> TypeExpr | None:
        match kind:
            case "TypeVar":
                limits = raw.__constraints__ or ((raw.__bound__,) if raw.__bound__ else ())
                return union(*[self._read(limit, depth + 1) for limit in limits])
            case "ParamSpec":
                return known_types.ANY_PARAMETERS
            case "ParamSpecArgs" | "ParamSpecKwargs" | "TypeVarTuple":
                return ANY
            case "ForwardRef":
                return self._text(raw.__forward_arg__, depth)
            case "NewType":
                return self._read(raw.__supertype__, depth + 1)
        return None

    # Objects and source text.

    def _apply(self, head: Any, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        """``head[raw...]``; ``head`` is an object, ``raw`` are objects or syntax trees."""
        name, module = NAMES_IN_TYPES.get(id(head), _name_of(head)), _module_of(head)
        if module in known_types.KNOWN_MODULES or head is None:
            known = self._well_known(name, raw, depth)
            if known is not None:
                return known
        if head is threading.Lock or head is threading.RLock:  # functions before Python 3.13
            name = "Lock" if head is threading.Lock else "RLock"
            return TypeExpr("class", cls=f"threading:{name}")
        if type(head).__name__ in ("TypeVar", "NewType", "TypeAliasType", "ForwardRef"):
            return self._object(head, depth + 1)
        if not static_lookup.is_class(head):
            alias = typing.get_origin(head)
            return ANY if alias is None else self._apply(alias, _type_arguments(head) or raw, depth)
        return self._class(head, raw, depth)

    def _class(self, cls: type, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        names = static_lookup.own_dict(cls)
        if "__total__" in names and "__required_keys__" in names:
            return self._typed_dict(names, depth)
        function = _only_call(names)
        if function is not None:
            return self._called_as(function, depth)
        home = self.homes.of_class(cls)
        if not home:
            return ANY
        return TypeExpr("class", tuple([self._read(item, depth + 1) for item in raw]), cls=home)

    def _called_as(self, function: FunctionType, depth: int) -> TypeExpr:
        """A callable with the parameters and the result of ``function``, a method."""
        code, types = function.__code__, function.__annotations__
        parameters = code.co_varnames[1 : code.co_argcount]
        read = [self._read(types.get(name, typing.Any), depth + 1) for name in parameters]
        return TypeExpr("callable", (*read, self._read(types.get("return", typing.Any), depth + 1)))

    def _typed_dict(self, names: Mapping[str, Any], depth: int) -> TypeExpr:
        """A dict from its keys to the union of the value types, then one type for each key.

        ``literals`` of the result are the keys; its first argument has those that must be there.
        """
        parts = names.get("__annotations__", {})
        types = tuple([self._read(part, depth + 1) for part in parts.values()])
        keys = {key: literal_of(key, self.homes) for key in parts}
        known = tuple([key for key in keys.values() if key is not None])
        required = names["__required_keys__"]
        asked = tuple([
            key for name, key in keys.items()
            if key is not None and name in required and not _may_lack(parts[name])
        ])  # fmt: skip
        of_keys = TypeExpr("literal", literals=asked) if asked else known_types.STR
        return TypeExpr("dict", (of_keys, union(*types), *types), literals=known)

    def _well_known(self, name: str, raw: tuple[Any, ...], depth: int) -> TypeExpr | None:
        form = _FORMS.get(name)
        if form is not None:
            return form(self, raw, depth)
        if name in TRANSPARENT:
            return self._read(raw[0], depth + 1) if raw else ANY
        if name in UNBUILT:
            return ANY
        if name in known_types.CONTAINERS:
            kind, count = known_types.CONTAINERS[name]
            return TypeExpr(kind, tuple([self._read(item, depth + 1) for item in raw[:count]]))
        return known_types.SIMPLE.get(name)

    def _union(self, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        return union(*[self._read(item, depth + 1) for item in raw])

    def _optional(self, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        return union(*[self._read(item, depth + 1) for item in raw], known_types.NONE)

    def _literal(self, raw: tuple[Any, ...], _depth: int) -> TypeExpr:
        values: list[Arg] = []
        for item in raw:
            value = self._literal_value(item)
            if value is not None:
                values.append(value)
        return TypeExpr("literal", literals=tuple(values)) if values else ANY

    def _literal_value(self, item: Any) -> Arg | None:
        if isinstance(item, ast.expr):
            try:
                return literal_of(ast.literal_eval(item), self.homes)
            except (ValueError, TypeError, SyntaxError):
                found = self._find(item)
                return None if found is _MISSING else literal_of(found, self.homes)
        return literal_of(item, self.homes)

    def _callable(self, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        if not raw:
            return TypeExpr("callable")
        head = raw[0].elts if isinstance(raw[0], ast.List) else raw[0]
        result = self._result(raw[1], depth + 1) if raw[1:] else ANY
        if not isinstance(head, list):
            return TypeExpr("callable", (known_types.ANY_PARAMETERS, result))
        return TypeExpr("callable", (*[self._read(item, depth + 1) for item in head], result))

    def _result(self, raw: Any, depth: int) -> TypeExpr:
        """What a callable answers; of what can be awaited that alone is told."""
        shown = ast.unparse(raw) if isinstance(raw, ast.AST) else repr(raw)
        name = shown.partition("[")[0].rpartition(".")[2]
        return known_types.AWAITABLE if name in AWAITED else self._read(raw, depth)

    def _tuple(self, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        if not raw:
            return TypeExpr("vartuple")
        if len(raw) == 2 and _is_ellipsis(raw[1]):  # noqa: PLR2004  (tuple[T, ...])
            return TypeExpr("vartuple", (self._read(raw[0], depth + 1),))
        items = () if _is_empty_tuple(raw[0]) else raw
        return TypeExpr("tuple", tuple([self._read(item, depth + 1) for item in items]))

    def _type(self, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        return TypeExpr("type", tuple([self._read(item, depth + 1) for item in raw[:1]]))

    def _self(self, _raw: tuple[Any, ...], _depth: int) -> TypeExpr:
        return TypeExpr("class", cls=self.own) if self.own else ANY

    def _pairs(self, raw: tuple[Any, ...], depth: int) -> TypeExpr:
        items = tuple([self._read(item, depth + 1) for item in raw[:2]])
        return TypeExpr("iterable", (TypeExpr("tuple", items),) if items else ())


def _may_lack(part: Any) -> bool:
    """Is it an annotation in quotes, which Python does not read, of a key that may be missing?"""
    return type(part) is typing.ForwardRef and "NotRequired[" in part.__forward_arg__


def _only_call(names: Mapping[str, Any]) -> FunctionType | None:
    """The ``__call__`` of a Protocol that asks for nothing else: its objects are functions."""
    declared = names.get("__annotations__", {})
    declared = declared if type(declared) is dict else {}
    asked = [name for name in (*names, *declared) if name[:1] != "_"]
    asked += [name for name in names if name in SPECIAL_METHODS and name not in _NOT_ASKED]
    call = names.get("__call__")
    is_alone = names.get("_is_protocol") is True and not asked
    return call if is_alone and type(call) is FunctionType else None


_FORMS: Final[Mapping[str, Callable[[AnnotationReader, tuple[Any, ...], int], TypeExpr]]] = {
    "Union": AnnotationReader._union,  # noqa: SLF001  (the table belongs to the class)
    "UnionType": AnnotationReader._union,  # noqa: SLF001
    "Optional": AnnotationReader._optional,  # noqa: SLF001
    "Literal": AnnotationReader._literal,  # noqa: SLF001
    "Callable": AnnotationReader._callable,  # noqa: SLF001
    "Tuple": AnnotationReader._tuple,  # noqa: SLF001
    "tuple": AnnotationReader._tuple,  # noqa: SLF001
    "Type": AnnotationReader._type,  # noqa: SLF001
    "type": AnnotationReader._type,  # noqa: SLF001
    "Self": AnnotationReader._self,  # noqa: SLF001
    "ItemsView": AnnotationReader._pairs,  # noqa: SLF001
}


def _type_arguments(raw: Any) -> tuple[Any, ...]:
    found = typing.get_args(raw)
    if not found and type(raw).__name__ in ("GenericAlias", "_GenericAlias"):
        return ((),)  # tuple[()]
    return tuple(found) if type(found) is tuple else ()


def _name_of(head: Any) -> str:
    if static_lookup.is_class(head):
        return static_lookup.qualname(head)
    found = getattr(head, "_name", None) if type(head).__module__ == "typing" else None
    return _BUILTIN_NAMES.get(found, found) if type(found) is str else ""


#: Bare aliases such as ``typing.List``, for which ``get_origin`` is not called.
_BUILTIN_NAMES: Final = {
    "List": "list",
    "Dict": "dict",
    "FrozenSet": "frozenset",
    "Set": "set",
}


def _module_of(head: Any) -> str:
    return (
        static_lookup.module_name(head) if static_lookup.is_class(head) else type(head).__module__
    )


def _last(tree: ast.expr) -> str:
    if isinstance(tree, ast.Attribute):
        return tree.attr
    name = tree.id if isinstance(tree, ast.Name) else ""
    return _BUILTIN_NAMES.get(name, name)


def _is_ellipsis(raw: Any) -> bool:
    return raw is Ellipsis or (isinstance(raw, ast.Constant) and raw.value is Ellipsis)


def _is_empty_tuple(raw: Any) -> bool:
    return raw == () if type(raw) is tuple else isinstance(raw, ast.Tuple) and not raw.elts
