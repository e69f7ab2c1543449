"""What single nodes of a syntax tree do with a value: tables of operations, bindings.

``Callee`` is what is known of a function that a node calls.

Invariant: answers depend on the node alone.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from unitcraft.subject.model import ParameterUse
from unitcraft.subject.scopes import uncopied, word_set

#: Operator of two operands -> the operation.
BINARY: Final = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.LShift: "lshift",
    ast.RShift: "rshift", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
#: Comparison -> the operation.
COMPARISONS: Final = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip
#: Operator of one operand -> the operation.
UNARY: Final = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
#: Builtin function -> the operation on its first argument.
BUILTINS: Final = {
    **dict.fromkeys(
        word_set("all any enumerate frozenset iter list reversed set sorted sum tuple zip"),
        "iterate",
    ),
    "len": "len", "int": "int", "float": "float", "abs": "abs", "round": "round", "next": "next",
    "open": "fspath", "range": "index", "chr": "index", "dict": "mapping", "ord": "character",
}  # fmt: skip
#: Builtin functions whose second argument is iterated.
OVER_SECOND: Final = word_set("map filter enumerate zip")
#: Methods that only texts have, and whose first argument is a text.
_TEXT_METHODS: Final = word_set(
    "split rsplit partition rpartition replace find rfind strip lstrip rstrip"
)
#: Method -> the kinds of its first argument: of texts, of files and streams, and of futures of any
#: class.
ARGUMENT_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(_TEXT_METHODS, ("str|bytes",)), "write": ("str|bytes",),
    **dict.fromkeys(("startswith", "endswith"), ("str|bytes|tuple",)),
    "set_exception": ("builtins:Exception",), "insert": ("int", ""),
}  # fmt: skip
#: Conversion of ``%`` or of a format specification, by its letter -> the kind that it takes.
CONVERSIONS: Final = {**dict.fromkeys("dioxXcbn", "int"), **dict.fromkeys("eEfFgG%", "float")}
_PERCENT: Final = re.compile(r"%(?!%)(?:\((\w*)\))?[-#0 +]*[\d.*]*([a-zA-Z])")
_BRACES: Final = re.compile(r"(?<!\{)\{(\w*)(?:![rsa])?(?::[^{}]*?([a-zA-Z%])?)?\}(?!\})")
#: Builtin functions that test the kind of a value.
TESTS: Final = word_set("isinstance issubclass hasattr callable getattr type")
#: Exceptions that a wrong kind of argument raises.
BROAD: Final = word_set("Exception BaseException TypeError AttributeError KeyError IndexError")


class Callee(NamedTuple):
    """What a callee accepts: kinds by place and by name, ``|`` between them, '' where unknown.

    ``own`` is its id if it is an Invocable.  ``certain``: it refuses what is of another kind.
    ``receivers`` arguments, 1 where a method is called through its class, stand before the others.
    """

    own: str = ""
    places: tuple[str, ...] = ()
    names: Mapping[str, str] = MappingProxyType({})
    certain: bool = False
    receivers: int = 0


#: Finds the Callee that an expression names in a method of a class ('' for functions), by its id.
Callees = Callable[[ast.expr, str], Callee]


#: Functions of asyncio and methods of its loops that await what they are given.
AWAITING: Final = ("create_task", "ensure_future", "gather", "run", "shield", "wait_for")
#: What a file answers that is read.
READING: Final = ("read()", "readline()")
#: Methods by which a container takes an item, its last argument.
_TAKES_ITEM: Final = word_set("add append appendleft insert push setdefault")
#: How paths go on from a container to an item of it.
_TO_ITEM: Final = ("[]", ".values()[]", ".get()", ".pop()", ".popleft()")


#: Methods that answer an item of a container.
GIVES_ITEM: Final = word_set("get pop popleft setdefault")
#: Functions whose result has the items of their first argument.
_SAME_ITEMS: Final = word_set("sorted reversed list tuple iter set frozenset")


def loop_parts(target: ast.expr, over: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(part of a loop's target, the container whose items it stands for) for each such part."""
    parts = target.elts if isinstance(target, ast.Tuple) else []
    match over:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]) if len(parts) == 2:  # noqa: PLR2004 - (number, item)
            yield from loop_parts(parts[1], inner)
        case ast.Call(func=ast.Name(id="zip"), args=args) if len(parts) == len(args):
            for part, inner in zip(parts, args, strict=True):
                yield from loop_parts(part, inner)
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _SAME_ITEMS:
            yield from loop_parts(target, inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="items"), args=[]):
            yield from [(parts[1], inner)] if len(parts) == 2 else []  # noqa: PLR2004 - (key, value)
        case ast.Call(func=ast.Attribute(value=inner, attr="values"), args=[]):
            yield target, inner
        case _:
            yield target, over


def item_of_lambda(call: ast.Call) -> tuple[str, ast.expr] | None:
    """(parameter of a ``lambda``, the container of which a function hands it the items)."""
    keys = [one.value for one in call.keywords if one.arg == "key"]
    match call:
        case ast.Call(func=ast.Name(id="filter" | "map"), args=[function, container]):
            pass
        case ast.Call(func=ast.Name(id="sorted" | "min" | "max"), args=[container]) if keys:
            function = keys[0]
        case ast.Call(func=ast.Attribute(value=container, attr="sort")) if keys:
            function = keys[0]
        case _:
            return None
    match function:
        case ast.Lambda(args=ast.arguments(args=[parameter])):
            return parameter.arg, container
    return None


def called_back(node: ast.Call) -> Iterator[tuple[ast.expr, int]]:
    """(function, number of arguments) of what is handed to a builtin function that calls it."""
    match node.func:
        case ast.Name("map" | "filter") if len(node.args) > 1:
            yield node.args[0], len(node.args) - 1
        case ast.Name("sorted" | "min" | "max") | ast.Attribute(_, "sort"):
            yield from [(one.value, 1) for one in node.keywords if one.arg == "key"]


def head_of(path: str) -> str:
    """The name with which a path begins."""
    return path.partition(".")[0].partition("[")[0].partition("(")[0]


def tells_kind(rows: list[ParameterUse], path: str) -> bool:
    """Do the rows say of what kind the value at ``path`` is, be a callee's parameter of several?"""
    return any(
        row.path == path and row.operation not in ("pass", "bool", "is", "isinstance")
        for row in rows
    )


def item_kept(node: ast.AST, receiver: str) -> str:
    """The field that takes an item: by ``self.field.append(...)``, or as ``self.field[...]``."""
    match node:
        case ast.Call(ast.Attribute(container, name)) if name in _TAKES_ITEM:
            return _field(container, receiver).partition(".")[2]
        case ast.Subscript(value=container, ctx=ast.Store()):
            return _field(container, receiver).partition(".")[2]
    return ""


def of_kept(rest: str, *, as_item: bool) -> str | None:
    """How a path goes on from what a field keeps, or from an item of it; None: it leads elsewhere.

    ``rest`` is how it goes on from the field.
    """
    if not as_item:
        return rest
    return next((rest[len(way) :] for way in _TO_ITEM if rest.startswith(way)), None)


def first_bindings(body: list[ast.stmt], is_own: Callable[[ast.expr], bool]) -> dict[str, int]:
    """Name -> the line on which a statement of ``body`` itself first binds it, ``+=`` aside.

    After ``p = p or DEFAULT`` and ``p = DEFAULT if p is None else p`` it still is what was passed.
    So it mostly is, another of its kind, after ``p = self.clean(p)``, where ``is_own`` says that
    the module itself has what is called: with 21 of 22 such statements in 111 modules.
    """
    found: dict[str, int] = {}
    for node in body:
        is_kept = isinstance(node, ast.Assign) and (_is_default(node) or _is_remade(node, is_own))
        targets = node.targets if isinstance(node, ast.Assign) and not is_kept else []
        for inner in [part for target in targets for part in ast.walk(target)]:
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
                found.setdefault(inner.id, inner.lineno)
    return found


def _is_default(node: ast.Assign) -> bool:
    """Does it put something in the place of a variable in one case only?"""
    match node:
        case ast.Assign([ast.Name(name)], ast.BoolOp(op=ast.Or()) | ast.IfExp() as value):
            kept = uncopied(value)
            return isinstance(kept, ast.Name) and kept.id == name
    return False


def _is_remade(node: ast.Assign, is_own: Callable[[ast.expr], bool]) -> bool:
    """Does it put in the place of a variable what a function of the module makes of it?"""
    match node:
        case ast.Assign([ast.Name(name)], ast.Call(func, [ast.Name(same), *_])):
            return name == same and is_own(func)
    return False


def bound_inside(node: ast.AST) -> set[str]:
    """The names that are bound anywhere in a function, ``+=`` aside."""
    augmented = {id(inner.target) for inner in ast.walk(node) if isinstance(inner, ast.AugAssign)}
    return {
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and id(inner) not in augmented
        if not isinstance(inner.ctx, ast.Load)
    }


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Does a handler catch what a wrong kind of value raises?"""
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in BROAD for kind in kinds)


def class_names(node: ast.expr) -> Iterator[str]:
    """The last names of the classes that the second argument of ``isinstance`` lists."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Tuple(elts=parts):
            for part in parts:
                yield from class_names(part)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from class_names(left)
            yield from class_names(right)


def formatted(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The expressions that a text is formatted with, each with the kind that its place takes."""
    match node:
        case ast.FormattedValue(value=value, format_spec=spec):
            parts = spec.values if isinstance(spec, ast.JoinedStr) else []
            last = parts[-1].value if parts and isinstance(parts[-1], ast.Constant) else ""
            yield value, CONVERSIONS.get(str(last)[-1:], "")
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
            named = {one.arg: one.value for one in node.keywords if one.arg}
            for at, (name, letter) in enumerate(_BRACES.findall(text)):
                place = int(name) if name.isdigit() else at
                given = node.args[place] if place < len(node.args) else None
                found = named.get(name) if name and not name.isdigit() else given
                if found is not None:
                    yield found, CONVERSIONS.get(letter, "")
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            values = right.elts if isinstance(right, ast.Tuple) else [right]
            letters = [letter for name, letter in _PERCENT.findall(text) if not name]
            for each, letter in zip(values, letters, strict=False):
                yield each, CONVERSIONS.get(letter, "")


def flags(node: ast.AST, receiver: str = "") -> tuple[str, ...]:
    """The names of which a function asks nothing but whether they are true.

    Attributes of its ``receiver`` are among them, as ``self.name``, and what functions answer to
    it, as ``name()``.
    """
    asked: Counter[str] = Counter()
    read: Counter[str] = Counter()
    bound: Counter[str] = Counter()
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=name, ctx=ast.Load()):
                read[name] += 1
            case ast.Name(id=name):
                bound[name] += 1
            case ast.Attribute(ctx=ast.Load()) if name := _field(inner, receiver):
                read[name] += 1
            case ast.Call(func=ast.Name(id=name)):
                read[f"{name}()"] += 1
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                asked.update(_asked(test, receiver))
            case ast.Assert(test=test):
                asked.update(_asked(test, receiver))
            case ast.comprehension(ifs=tests):
                asked.update(name for test in tests for name in _asked(test, receiver))
    return tuple([name for name, count in asked.items() if count == read[name] > bound[name]])


def fields_used(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The fields of its receiver of which a method asks more than whether they are true."""
    named = [*node.args.posonlyargs, *node.args.args][:1]
    receiver = named[0].arg if named else ""
    only_asked = flags(node, receiver)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Load):
            name = _field(inner, receiver)
            if name and name not in only_asked:
                yield inner.attr


def _field(node: ast.expr, receiver: str) -> str:
    """``self.name`` for a read of that attribute of the receiver, '' for all else."""
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if receiver and owner == receiver:
            return f"{owner}.{name}"
    return ""


def _asked(test: ast.expr, receiver: str) -> Iterator[str]:
    """The names whose truth a condition asks for."""
    match test:
        case ast.Attribute() if name := _field(test, receiver):
            yield name
        case ast.Name(id=name):
            yield name
        case ast.Call(func=ast.Name(id=name)):
            yield f"{name}()"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _asked(operand, receiver)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _asked(value, receiver)
        case ast.Compare(
            left=ast.Name(id=name), ops=[_], comparators=[ast.Constant(value=True | False)]
        ):
            yield name
