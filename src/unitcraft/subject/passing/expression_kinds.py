"""The types of expressions in the source of a module, as far as they are certain.

A name has the type of its annotation, or of all that its function binds it to, wherever in the
function it stands; so has a field of a class.  Functions have the type that they declare, else that
of all that they return.

Invariant: nothing of the module is run, and no attribute is looked up but statically; ANY is the
answer wherever one part is not known.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import function_behind
from unitcraft.subject.description.callee_types import home_of
from unitcraft.subject.description.caught_errors import resolve_name
from unitcraft.subject.description.classes import fields_of_class
from unitcraft.subject.description.signatures import result_of
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.known_types import STR
from unitcraft.subject.model import Invocable, Subject
from unitcraft.subject.passing.called_invocables import (
    CalledInvocables,
    is_global,
    loaded_class,
)
from unitcraft.subject.passing.display_types import (
    builtin_answer,
    container,
    container_answer,
    same_text,
    structural_type,
)
from unitcraft.subject.passing.library_results import BY_METHOD, RESULTS
from unitcraft.subject.passing.name_bindings import Binding, ModuleScopes, Scope
from unitcraft.subject.passing.operator_results import (
    NOTHING,
    agreed,
    item_of,
    join,
    part_of,
    without_none,
)
from unitcraft.subject.reading.node_operations import BINARY

#: Expressions on the way to one type, those that names are bound to among them: of 225 arguments in
#: 32 modules drawn at random none takes more than 41.
MAX_STEPS: Final = 400
#: Expressions inside one another, each of which takes up to 8 frames of the interpreter's 1000.
MAX_DEPTH: Final = 50
#: Items of a table that are looked at: 10 tell the same in each of those 32 modules.
MAX_ITEMS: Final = 50
_FUNCTION: Final = TypeExpr("callable")
_FUNCTIONS: Final = (FunctionType, BuiltinFunctionType, staticmethod, classmethod)
#: Types of variables that code uses again for something else, whatever it declares first.
_PLAIN: Final = ("bool", "int", "float", "str", "bytes")
#: Classes of objects that enter a block as themselves.
_ENTERED: Final = ("io:StringIO", "io:BytesIO", "sqlite3:Connection")
#: Decorators that leave what a function answers as it is.
_HARMLESS: Final = ("staticmethod", "classmethod")
#: Modules of bases that keep no fields, or none that code of heirs would bind.
_WITHOUT_FIELDS: Final = ("builtins", "abc", "typing", "enum")
#: Functions whose call answers something else than what they return.
_SUSPENDED: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass(slots=True)
class ExpressionTypes:
    """Types of the expressions of one module (mutable: a cache)."""

    view: DescriptionContext
    subject: Subject
    scopes: ModuleScopes
    _calls: CalledInvocables = field(init=False)
    _fields: dict[str, dict[str, TypeExpr]] = field(default_factory=dict)
    _found: dict[tuple[object, str], TypeExpr] = field(default_factory=dict)
    _pending: set[tuple[object, str]] = field(default_factory=set)
    _methods: frozenset[str] = frozenset()
    _steps: int = 0
    _depth: int = 0
    _is_cut: bool = False

    def __post_init__(self) -> None:
        """Index the methods by their names."""
        self._calls = CalledInvocables(self.view, self.subject, self._type)
        self._methods = frozenset(one.name for one in self.subject.invocables if one.owner)

    def type_of(self, node: ast.expr, scope: Scope) -> TypeExpr:
        """The type of ``node`` in ``scope``; ANY where it is not known."""
        self._steps = 0
        found = self._type(node, scope)
        return ANY if found == NOTHING else found

    def called(self, func: ast.expr, scope: Scope) -> tuple[Invocable | None, int]:
        """The Invocable that a call names, and how many arguments stand before its parameters'."""
        self._steps = 0
        return self._calls.called(func, scope), self._calls.receivers(func, scope)

    def _type(self, node: ast.expr, scope: Scope) -> TypeExpr:
        self._steps += 1
        if self._steps > MAX_STEPS or self._depth > MAX_DEPTH:
            return ANY
        self._depth += 1
        found = self._read(node, scope)
        self._depth -= 1
        return found

    def _read(self, node: ast.expr, scope: Scope) -> TypeExpr:
        match node:
            case ast.Name():
                return self._name(node, scope)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Call():
                return self._call(node, scope)
            case ast.Await(ast.Call(func)):
                made = self._calls.called(func, scope)
                return self._answer(made) if made is not None and made.is_async else ANY
        found = structural_type(node, lambda part: self._type(part, scope))
        return self._operated(node, scope) if found == ANY else found

    def _operated(self, node: ast.expr, scope: Scope) -> TypeExpr:
        """What an operator that a class defines is declared to answer."""
        if not isinstance(node, ast.BinOp):
            return ANY
        method = f"__{BINARY.get(type(node.op), '')}__"
        found = self._calls.known.get(f"{self._type(node.left, scope).cls}.{method}")
        return without_none(found.returns) if found is not None else ANY

    def _once(self, owner: object, name: str, find: Callable[[], TypeExpr]) -> TypeExpr:
        """What ``find`` answers, found once; NOTHING while it is being found.

        What depends on that is kept only where nothing is being found any more.
        """
        key = (owner, name)
        if key in self._found:
            return self._found[key]
        if key in self._pending:
            self._is_cut = True
            return NOTHING
        self._pending.add(key)
        found = find()
        self._pending.discard(key)
        if not self._pending or not self._is_cut:
            self._found[key] = found
        self._is_cut = self._is_cut and bool(self._pending)
        return found

    # -- names and attributes ---------------------------------------------------------

    def _name(self, node: ast.Name, scope: Scope) -> TypeExpr:
        """The type of a variable."""
        binder = scope.binder(node.id)
        if binder is None:
            return self._global(node)
        if node.id == binder.receiver and node.id not in binder.bindings:
            home = self._calls.class_around(binder)
            own = TypeExpr("class", cls=home) if home else ANY
            return TypeExpr("type", (own,)) if binder.of_class else own
        found = self._once(binder, node.id, lambda: self._bound(binder, node.id))
        return ANY if found.name == "union" and node.id in scope.tested else found

    def _global(self, node: ast.Name) -> TypeExpr:
        module = self.scopes.scopes[0]
        bindings = module.bindings.get(node.id, [])
        if node.id in self.view.names:
            is_shared = len([one for one in bindings if one.how == "unknown"]) > 1
            value = self.view.names[node.id]
            return ANY if is_shared and not static_lookup.is_class(value) else self.of_value(value)
        if bindings:
            return self._once(module, node.id, lambda: self._bound(module, node.id))
        return self.of_value(vars(builtins).get(node.id))

    def _bound(self, scope: Scope, name: str) -> TypeExpr:
        bindings = scope.bindings[name]
        marks = [one for one in bindings if one.how == "annotation"]
        if not marks:
            return agreed([self.of_binding(one, scope) for one in bindings])
        declared = join([self.of_binding(one, scope) for one in marks])
        if declared.name not in _PLAIN:
            return declared
        self._found[scope, name] = declared
        others = [self.of_binding(one, scope) for one in bindings if one not in marks]
        return agreed([declared, *[one for one in others if one != ANY]])

    def of_binding(self, binding: Binding, scope: Scope) -> TypeExpr:
        """The type of what a name is bound to."""
        node = binding.node
        if node is None:
            return ANY
        found = ANY
        match binding.how:
            case "annotation":
                hints = self.view.hints(self.view.module, self._calls.class_around(scope))
                found = without_none(hints.type_of(node))
            case "error":
                found = self._error(node)
            case "entered":
                found = self._entered(node, scope)
            case "item":
                found = item_of(self._type(node, scope))
            case "value":
                found = self._type(node, scope)
        for place, count in binding.path:
            found = part_of(found, place, count)
        return found

    def _error(self, node: ast.expr) -> TypeExpr:
        classes = node.elts if isinstance(node, ast.Tuple) else [node]
        found = [resolve_name(self.view, one) for one in classes]
        is_known = all(static_lookup.is_class(one) for one in found) and len(found) == 1
        return self._object_of(found[0]) if is_known else ANY

    def _entered(self, node: ast.expr, scope: Scope) -> TypeExpr:
        match node:
            case ast.Call(ast.Name("closing") | ast.Attribute(_, "closing"), [inner]):
                return self._type(inner, scope)
            case ast.Call(ast.Name(name) | ast.Attribute(_, name)) if name == "TemporaryDirectory":
                return STR
            case ast.Call(func):
                made = self._calls.called(func, scope)
                if made is not None and made.manages:
                    return item_of(made.returns)
        found = self._type(node, scope)
        if found.cls in _ENTERED:
            return found
        entering = self._calls.known.get(f"{found.cls}.__enter__")
        return entering.returns if entering is not None else ANY

    def _attribute(self, node: ast.Attribute, scope: Scope) -> TypeExpr:
        """The type of an attribute of an object, class or module."""
        if is_global(node, scope):
            value = resolve_name(self.view, node)
            if value is not None:
                is_member = static_lookup.is_instance(value, property)
                return ANY if is_member else self.of_value(value)
        owner = self._type(node.value, scope)
        return self._once(owner, node.attr, lambda: self._member(owner, node.attr))

    def _member(self, owner: TypeExpr, name: str) -> TypeExpr:
        """The type of an attribute of an object of the type ``owner``."""
        if owner == NOTHING:
            return NOTHING
        if owner.name != "class":
            return ANY
        found = self._calls.known.get(f"{owner.cls}.{name}")
        if found is not None and found.kind in ("property", "field"):
            declared = without_none(found.returns)
            return declared if declared != ANY else self._field(owner.cls, name)
        if found is not None:
            return _FUNCTION
        known = RESULTS.get(f"{owner.cls}.{name}")
        cls = loaded_class(owner.cls)
        held = static_lookup.lookup(cls, name) if known is not None and cls is not None else None
        is_method = held is None or callable(held[0])
        return known if known is not None and not is_method else self._field(owner.cls, name)

    def _field(self, home: str, name: str) -> TypeExpr:
        """The type of a field by what the class declares, else by all that is assigned to it."""
        cls = loaded_class(home)
        if home not in self._calls.bases or cls is None:
            return ANY
        if home not in self._fields:
            self._fields[home] = dict(fields_of_class(self.view, cls, home))
        declared = self._fields[home].get(name, ANY)
        if declared != ANY or name in self.scopes.elsewhere:
            return without_none(declared)
        kin = [one.partition(":") for one in (home, *self._calls.bases[home])]
        paths = [path for module, _, path in kin if module == self.view.module]
        bindings = [pair for path in paths for pair in self.scopes.fields.get((path, name), ())]
        is_all = len(paths) == len([one for one in kin if one[0] not in _WITHOUT_FIELDS])
        return agreed([self.of_binding(one, at) for at, one in bindings]) if is_all else ANY

    # -- objects ----------------------------------------------------------------------

    def _object_of(self, cls: type) -> TypeExpr:
        """The type of the objects of a class."""
        return self.view.hints(self.view.module).type_of(cls)

    def of_value(self, value: Any, depth: int = 1) -> TypeExpr:
        """The type of an object of the loaded module; ANY of None, which is mostly replaced."""
        if static_lookup.is_class(value):
            return TypeExpr("type", (self._object_of(value),))
        if static_lookup.is_instance(value, _FUNCTIONS):
            return _FUNCTION
        if value is None or static_lookup.is_instance(value, ModuleType):
            return ANY
        kind = type(value)
        if kind in (list, tuple, set, frozenset) and depth:
            is_ordered = kind in (list, tuple) or len(value) <= MAX_ITEMS
            first = list(value)[:MAX_ITEMS] if is_ordered else []
            held = [self.of_value(one, depth - 1) for one in first]
            name = "vartuple" if kind is tuple else kind.__name__
            return container(name, held)
        if kind is dict and depth:
            parts = [[self.of_value(one, depth - 1) for one in group][:MAX_ITEMS]
                     for group in (list(value), list(value.values()))]  # fmt: skip
            return container("dict", *parts)
        return self._object_of(kind)

    # -- calls ------------------------------------------------------------------------

    def _call(self, node: ast.Call, scope: Scope) -> TypeExpr:
        """The type of what a call answers."""
        invocable = self._calls.called(node.func, scope)
        if invocable is not None and invocable.kind == "constructor":
            return self._made(invocable)
        if invocable is not None:
            return ANY if invocable.is_async or invocable.manages else self._answer(invocable)
        if is_global(node.func, scope):
            found = self._of_global(node, scope)
            if found is not None:
                return found
        return (
            self._of_method(node.func, node, scope) if isinstance(node.func, ast.Attribute) else ANY
        )

    def _of_global(self, node: ast.Call, scope: Scope) -> TypeExpr | None:
        """What a function of another module or of Python answers; None if none is called."""
        func = node.func
        if isinstance(func, ast.Name) and func.id not in self.view.names:
            found = builtin_answer(func.id, node, lambda part: self._type(part, scope))
            if found is not None:
                return found
        given = [self._type(one, scope) for one in node.args]
        if isinstance(func, ast.Attribute):
            cls = resolve_name(self.view, func.value)
            known = RESULTS.get(f"{home_of(cls)}.{func.attr}")
            if static_lookup.is_class(cls) and known is not None:
                return known
        value = resolve_name(self.view, func)
        return self._of_function(value, given) if value is not None else None

    def _made(self, maker: Invocable) -> TypeExpr:
        """The type of a new object; unknown where the class makes objects of others."""
        found = static_lookup.lookup(loaded_class(maker.owner) or object, "__new__")
        making = function_behind(found[0]) if found is not None else None
        is_own = making is not None and bool(self.view.module_of(making.__code__))
        return ANY if is_own else TypeExpr("class", cls=maker.owner)

    def _answer(self, invocable: Invocable) -> TypeExpr:
        """What a function declares to answer, else what all of its ``return`` statements do."""
        if invocable.returns != ANY or invocable.module != self.view.module:
            return without_none(invocable.returns)
        tree = self.view.sources.function_at(self.view.file, invocable.first)
        scope = self.scopes.by_node.get(tree) if tree is not None else None
        if scope is None or scope.node is None or scope.yields or scope.node.returns is not None:
            return ANY
        if any(ast.unparse(one) not in _HARMLESS for one in scope.node.decorator_list):
            return ANY
        given = [one for one in scope.returned if one is not None]
        return self._once(
            scope, "return", lambda: agreed([self._type(one, scope) for one in given])
        )

    def _of_function(self, value: Any, given: list[TypeExpr]) -> TypeExpr:
        """What a class or function that is no Invocable answers."""
        if static_lookup.is_class(value):
            made = self._object_of(value)
            is_bare = not made.cls and not made.args
            return container(made.name, map(item_of, given[:1])) if is_bare else made
        known = RESULTS.get(home_of(value))
        if known is not None:
            return same_text(known, given)
        function = function_behind(value) if type(value) is FunctionType else None
        if function is None or function.__code__.co_flags & _SUSPENDED:
            return ANY
        return without_none(
            result_of(function, self.view.hints(static_lookup.module_name(function)))
        )

    def _of_method(self, func: ast.Attribute, node: ast.Call, scope: Scope) -> TypeExpr:
        """What a method answers that is no Invocable."""
        owner = self._type(func.value, scope)
        if owner == NOTHING:
            return NOTHING
        if owner == ANY:
            return BY_METHOD.get(func.attr, ANY) if func.attr not in self._methods else ANY
        found = container_answer(owner, func.attr)
        if found is not None:
            others = [self._type(one, scope) for one in node.args[1:]]
            return agreed([found, *others])
        home = owner.cls or f"builtins:{owner.name.removeprefix('var')}"
        return RESULTS.get(f"{home}.{func.attr}", ANY)
