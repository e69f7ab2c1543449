"""Which kinds of values support what the code does with a parameter.

The answer for a builtin class is found by trying the operation on a sample of it, so that it is
the interpreter's and not a table's.

Invariant: only values of builtin classes are touched, never one of the Subject; None as an answer
means that nothing is known.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import operator
import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType, MappingProxyType
from typing import Any, Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Source, Symbol, TempPath
from unitcraft.core.types import TypeExpr
from unitcraft.subject.model import ParameterUse
from unitcraft.subject.scopes import word_set

_CONTAINERS: Final[Mapping[str, type]] = MappingProxyType(
    {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}
)
#: A sample of each class, as the operand of operations; the text formats one value.
_SAMPLES: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "bool": True, "int": 1, "float": 1.5, "complex": 1j, "str": "%s", "bytes": b"a",
        "list": ["a"], "tuple": ("a",), "set": {"a"}, "frozenset": frozenset("a"),
        "dict": {"a": 1}, "NoneType": None,
    }
)  # fmt: skip
_BINARY: Final[Mapping[str, Callable[[Any, Any], Any]]] = MappingProxyType(
    {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul,
        "truediv": operator.truediv, "floordiv": operator.floordiv, "mod": operator.mod,
        "pow": operator.pow, "lshift": operator.lshift, "rshift": operator.rshift,
        "and": operator.and_, "or": operator.or_, "xor": operator.xor,
        "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    }
)  # fmt: skip
_UNARY: Final[Mapping[str, Callable[[Any], Any]]] = MappingProxyType(
    {
        "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "int": int,
        "float": float, "abs": abs, "round": round, "index": operator.index, "len": len,
        "iterate": iter, "unpack": iter,
    }
)  # fmt: skip
#: Operation -> classes that support it.
_ONLY: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "call": word_set("function type"),
        "mapping": word_set("dict"),
        "join": word_set("list tuple set frozenset dict iterator"),
        "fspath": word_set("str bytes int"),
        "character": word_set("str bytes"),
        "next": frozenset(),
        "enter": frozenset(),
        "await": frozenset(),
        "raise": frozenset(["type"]),
        "catch": word_set("type tuple"),
        "setitem": word_set("list dict"),
        "delitem": word_set("list dict"),
    }
)
#: Kind that a callee accepts -> the classes whose values it takes, beside the class itself.
_TAKEN: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "float": word_set("int bool"), "int": word_set("bool"), "complex": word_set("int float"),
        "path": word_set("str"), "function": word_set("type"),
        "iterable": word_set("list tuple set frozenset dict str bytes iterator"),
    }
)  # fmt: skip
_INDEXES: Final = word_set("int slice")
#: TypeExpr name -> the class of its values.
_OF_TYPE: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{name: name for name in _SAMPLES},
        "none": "NoneType", "vartuple": "tuple", "mapping": "dict", "sequence": "list",
        "iterable": "list", "callable": "function", "type": "type",
    }
)  # fmt: skip


#: Functions of the language that answer True or False.
_PREDICATES: Final = word_set("all any bool callable hasattr isinstance issubclass")


def kind_of(arg: Arg) -> str:
    """The name of the builtin class of an argument ('' if it is none, or not known)."""
    match arg:
        case Const(value):
            return type(value).__name__ if type(value).__name__ in _SAMPLES else ""
        case Display(kind):
            return kind
        case Source(text):
            is_bound = text.endswith((".__next__", ".get"))
            return "function" if text.startswith("lambda") or is_bound else ""
        case Symbol("builtins", name):
            return "type" if isinstance(vars(builtins).get(name), type) else "function"
        case Build(Symbol("builtins", "iter")):
            return "iterator"
        case Build(Symbol("unittest.mock", "Mock" | "AsyncMock"), _, kwargs):
            return "function" if "spec" not in dict(kwargs) else ""
        case TempPath(is_text=True):
            return "str"
    return ""


def takes_arguments(arg: Arg, type_: TypeExpr) -> bool:
    """May ``arg`` be called with as many arguments as the type says, if it is a ``lambda``?"""
    is_known = type_.name == "callable" and bool(type_.args) and not type_.args[0].literals
    return not is_known or takes_number(arg, len(type_.args) - 1)


def takes_number(arg: Arg, count: int) -> bool:
    """May ``arg`` be called with ``count`` arguments by their places, if it is a ``lambda``?"""
    if not isinstance(arg, Source) or not arg.text.startswith("lambda"):
        return True
    given = _arguments_of(arg.text)
    if given is None:
        return True
    most = len(given.args) if given.vararg is None else count
    return len(given.args) - len(given.defaults) <= count <= most


@cache
def _arguments_of(text: str) -> ast.arguments | None:
    """The parameters of the function that ``text`` stands for, None if it is no ``lambda``."""
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    return node.args if isinstance(node, ast.Lambda) else None


def answers_truth(arg: Arg) -> bool:
    """May what ``arg`` answers be True or False: is it no function that is known to answer else?"""
    if isinstance(arg, Symbol) and arg.module == "builtins":
        return arg.qualname in _PREDICATES
    if not isinstance(arg, Source) or not arg.text.startswith("lambda"):
        return True
    body = ast.parse(arg.text, mode="eval").body
    return not isinstance(body, ast.Lambda) or _is_truth(body.body)


def _is_truth(node: ast.expr) -> bool:
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=True | False):
            return True
        case ast.BoolOp(values=values):
            return all(_is_truth(one) for one in values)
        case ast.Call(func=ast.Name(id=name)):
            return name in _PREDICATES
    return isinstance(node, ast.Call)


def kind_of_type(type_: TypeExpr) -> str:
    """The builtin class of a type's values ('' if it has none of its own)."""
    return _OF_TYPE.get(type_.name, "")


def supports(kind: str, use: ParameterUse) -> bool | None:
    """Do values of the builtin class ``kind`` support ``use``?  None: not known."""
    return _supports(kind, use.operation, use.operand)


@cache
def has_attribute(home: str, name: str) -> bool:
    """Has the class ``module:qualname`` of the standard library the attribute?"""
    return hasattr(_of_library(home), name)


@cache
def has_method(home: str, name: str) -> bool:
    """Has the class ``module:qualname`` of the standard library a method of that name?"""
    return callable(getattr(_of_library(home), name, None))


@cache
def lacks_attribute(home: str, name: str) -> bool:
    """Is ``module:qualname`` a class of the standard library without the attribute?"""
    cls = _of_library(home)
    return isinstance(cls, type) and not hasattr(cls, name)


@cache
def is_class(home: str) -> bool | None:
    """Is ``module:qualname`` of the standard library a class?  None: not of that library."""
    found = _of_library(home)
    return None if found is None else isinstance(found, type)


@cache
def is_instance(home: str, of: str) -> bool | None:
    """Are values of ``home``, a builtin class or ``module:qualname``, instances of class ``of``?

    None: not known.  Only the standard library is asked, whose objects are of no class elsewhere.
    """
    cls = _class(home) or _of_library(home)
    wanted = _of_library(of)
    if wanted is None:
        return False if isinstance(cls, type) or ":" not in home else None
    if not isinstance(cls, type):
        return None
    try:
        return issubclass(cls, wanted)
    except TypeError:  # a Protocol that does not tell
        return None


def _of_library(home: str) -> Any:
    """The object ``module:qualname`` of the standard library, or None."""
    module, _, path = home.partition(":")
    if module.partition(".")[0] not in sys.stdlib_module_names:
        return None
    try:
        found: Any = importlib.import_module(module)
    except ImportError:  # a module of another platform
        return None
    for part in path.split("."):
        found = getattr(found, part, None)
    return found


@cache
def _supports(kind: str, operation: str, operand: str) -> bool | None:
    if operation == "attribute":
        cls = _class(kind)
        return None if cls is None else hasattr(cls, operand)
    if operation in _ONLY or operation == "argument":
        return _takes_part(kind, operation, operand)
    if kind not in _SAMPLES:
        return _of_others(kind, operation)
    sample = _SAMPLES[kind]
    if operation == "getitem":
        return _is_indexed_by(kind, operand)
    if operation == "contains":
        if kind in ("str", "bytes"):
            return operand in ("", kind)
        return hasattr(sample, "__contains__")
    if operation in _UNARY:
        if kind in ("str", "bytes") and operation in ("int", "float"):
            return True
        return _works(_UNARY[operation], sample)
    name = operation.removeprefix("r") if operation not in _BINARY else operation
    if name not in _BINARY:
        return None
    others = [_SAMPLES[operand]] if operand in _SAMPLES else list(_SAMPLES.values())
    pairs = [(sample, one) if name == operation else (one, sample) for one in others]
    return any(_works(_BINARY[name], *pair) for pair in pairs)


def _takes_part(kind: str, operation: str, operand: str) -> bool:
    """Has the operation a list of the classes that support it, and is ``kind`` on it?"""
    if operation == "argument":
        return any(_takes(wanted, kind) for wanted in operand.split("|"))
    return kind in _ONLY[operation] or (kind == "iterator" and operation == "next")


def _takes(wanted: str, kind: str) -> bool:
    """Does a callee that wants ``wanted``, a kind or a class, take values of class ``kind``?"""
    if ":" in wanted:
        return is_instance(kind, wanted) is not False
    return kind == wanted or kind in _TAKEN.get(wanted, ())


def _of_others(kind: str, operation: str) -> bool | None:
    """Functions, classes and iterators: none is a number, a text or a container."""
    if kind == "iterator":
        return operation in ("iterate", "unpack") or operation in ("contains", "bool")
    if kind not in ("function", "type"):
        return None
    known = operation in _UNARY or operation.removeprefix("r") in _BINARY or operation in _BINARY
    return False if known or operation in ("getitem", "contains") else None


def _is_indexed_by(kind: str, operand: str) -> bool:
    if kind == "dict":
        return operand not in _INDEXES
    return kind in ("str", "bytes", "list", "tuple") and operand in ("", *_INDEXES)


def _class(kind: str) -> type | None:
    if kind in _CONTAINERS:
        return _CONTAINERS[kind]
    if kind in _SAMPLES:
        return type(_SAMPLES[kind])
    return {"function": FunctionType, "type": type, "iterator": type(iter([]))}.get(kind)


def _works(function: Callable[..., Any], *operands: Any) -> bool:
    try:
        function(*operands)
    except (TypeError, AttributeError):
        return False
    except (ValueError, ArithmeticError):
        return True
    return True
