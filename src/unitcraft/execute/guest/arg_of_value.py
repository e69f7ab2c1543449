"""Turns a value of the Subject into a term that a test can contain, or into Opaque.

Invariant: ``to_arg(value)`` is a term whose evaluation gives an equal value of
the same class; where a class of the Subject defines equality, the term is evaluated
and compared.  A value that cannot be rebuilt, or has no stable text, is Opaque.
"""

from __future__ import annotations

import ast
import contextlib
import datetime as dt
import enum
import math
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any, Final

from unitcraft.core.encoding import encode
from unitcraft.core.outcomes import Opaque, ResultValue
from unitcraft.core.sequences import Arg, Build, Const, Display, DisplayKind, Symbol, TempPath
from unitcraft.execute.guest import interpret
from unitcraft.execute.guest.interpret import type_name
from unitcraft.execute.guest.stdlib_reprs import STDLIB_REPRS, flags_in, joined

#: Characters of a text that a test contains as a literal.
MAX_TEXT: Final = 1500

#: Characters of a regular expression that a test contains: nobody can check a longer one.
MAX_PATTERN: Final = 100

#: Characters of a folder that is told from a text by chance: ``/usr`` has four.
MIN_FOLDER: Final = 5

#: Values in one term, nested ones included.
MAX_ITEMS: Final = 200

#: Levels of nesting in one term.
MAX_DEPTH: Final = 8

#: Characters from which on a text of this machine is told from others by chance.
MIN_OF_MACHINE: Final = 12

_DIGIT = re.compile(r"\d")
_VERSION = re.compile(r"\d+\.\d+\.\d")
#: Addresses, and the class of a test, which is named after the function that defines it.
_ADDRESS = re.compile(rf"0x[0-9a-fA-F]{{5,}}|object at |\b{interpret.MAKER}\.<locals>\.")
_DISPLAYS: Final[dict[type, DisplayKind]] = {
    list: "list", tuple: "tuple", set: "set", frozenset: "frozenset", dict: "dict",
}  # fmt: skip

#: Packages whose classes are written by a row of ``STDLIB_REPRS`` or not at all.
_LIBRARY: Final = sys.stdlib_module_names


class _NoTerm(Exception):  # noqa: N818 - a signal, not an error
    """The value has no term."""


def is_stable_text(text: str) -> bool:
    """Is ``text`` free of addresses and of this machine's folders, and short enough to write down?

    The folders are those that code is imported from: they differ where the test will run, as do the
    versions of the interpreter, of what is installed and of the system.
    """
    if len(text) > MAX_TEXT or _ADDRESS.search(text):
        return False
    if any(one in text for one in _OF_MACHINE):
        return False
    if any(world.folder in text for world in interpret.WORLDS):
        return False
    if _VERSION.search(text) and _names_installed_version(text):
        return False
    return os.sep not in text or not any(
        type(folder) is str and len(folder) >= MIN_FOLDER and folder in text for folder in sys.path
    )


def texts_of_machine() -> tuple[str, ...]:
    """What tells this machine's system from others: names of its kernel, values of its os-release.

    Only texts with a digit: others stand in programs, too.
    """
    system = os.uname()
    lines: list[str] = []
    with contextlib.suppress(OSError, ValueError):
        lines = Path("/etc/os-release").read_text("utf-8").splitlines()
    values = [line.partition("=")[2].strip("\"'") for line in lines]
    told = (system.nodename, system.release, system.version, *values)
    return tuple([one for one in told if len(one) >= MIN_OF_MACHINE and _DIGIT.search(one)])


#: Read once, before any run, which would seem to look at the file.
_OF_MACHINE: Final = texts_of_machine()


def _names_installed_version(text: str) -> bool:
    """Does ``text`` say the name of a loaded package, or Python, and the version that it has?"""
    lower = text.lower()
    interpreter = sys.version.partition(" ")[0]
    if interpreter in text and ("python" in lower or text == interpreter):
        return True
    loaded = [(name, module) for name, module in list(sys.modules.items()) if "." not in name]
    return any(
        type(version) is str and _VERSION.search(version) and version in text
        for name, module in loaded
        if name.lower() in lower or name.lower().replace("_", "-") in lower
        for version in [getattr(module, "__dict__", {}).get("__version__")]
    )


def compares_by_value(cls: type) -> bool:
    """Does the class define its own equality?"""
    equal: object = cls.__eq__
    return equal is not object.__eq__


def to_arg(value: Any) -> ResultValue:
    """The term of ``value``, or Opaque.  Never raises an Exception."""
    try:
        return _TermBuilder().build(value, 0)
    except _NoTerm:
        pass
    except Exception:  # noqa: BLE001 - a value of the Subject may do anything
        return Opaque(type_name(type(value)))
    return Opaque(type_name(type(value)), compares_by_value(type(value)))


class _TermBuilder:
    """One walk over a value.

    ``left`` is the number of values that may still be visited; ``path`` holds the values around
    the current one, so that cycles are found.
    """

    __slots__ = ("left", "path")

    def __init__(self) -> None:
        self.left = MAX_ITEMS
        self.path: list[Any] = []

    def build(self, value: Any, depth: int) -> Arg:
        self.left -= 1
        if self.left < 0 or depth > MAX_DEPTH or any(value is outer for outer in self.path):
            raise _NoTerm
        cls = type(value)
        if cls in (str, bytes):
            return _own_path(value, is_text=True) or _text(value)
        if value is None or value is ... or cls in (bool, int, float, complex):
            return _number(value)
        self.path.append(value)
        try:
            return self._compound(value, cls, depth + 1)
        finally:
            self.path.pop()

    def _compound(self, value: Any, cls: type, depth: int) -> Arg:
        kind = _DISPLAYS.get(cls)
        if kind is not None:
            return self._display(kind, value, depth)
        if isinstance(value, enum.Enum):
            return _member(value, cls)
        named = _named(value)
        if named is not None:
            return named
        own = _own_path(value, is_text=False) if isinstance(value, PurePath) else None
        if own is not None:
            return own
        if isinstance(value, re.Pattern) and len(value.pattern) > MAX_PATTERN:
            raise _NoTerm
        rich = STDLIB_REPRS.get(_unshifted_class(cls))
        if rich is not None:
            args, kwargs = rich.parts(value)
            return Build(
                rich.symbol,
                tuple(self.build(arg, depth) for arg in args),
                tuple((name, self.build(arg, depth)) for name, arg in kwargs),
            )
        return _global(value, cls) or self._rebuild(value, cls, depth)

    def _display(self, kind: DisplayKind, value: Any, depth: int) -> Arg:
        if kind == "dict":
            parts = [part for pair in value.items() for part in pair]
            return Display(kind, tuple(self.build(part, depth) for part in parts))
        items = [self.build(item, depth) for item in value]
        if kind in ("set", "frozenset"):
            items.sort(key=repr)
        return Display(kind, tuple(items))

    def _rebuild(self, value: Any, cls: type, depth: int) -> Arg:
        """A constructor call that gives an equal object of the same class, checked by a run."""
        if not compares_by_value(cls) or cls.__module__.partition(".")[0] in _LIBRARY:
            raise _NoTerm
        for recipe in _RECIPES:
            try:
                term = recipe(self, value, cls, depth)
                made = interpret.compile_argument(encode(term))([])
                if type(made) is cls and (made == value) is True:
                    return term
            except Exception:  # noqa: BLE001, S112 - the next recipe may do
                continue
        raise _NoTerm


def _unshifted_class(cls: type) -> type:
    """The class whose name ``cls`` bears: a shifted clock puts subclasses in its place."""
    base = cls.__base__
    return base if base is not None and type_name(base) == type_name(cls) else cls


def _own_path(value: Any, *, is_text: bool) -> Arg | None:
    """A path in the folder that the test of this run has of its own; None for any other value."""
    names = [world.name_of(str(value)) for world in interpret.WORLDS]
    return next((TempPath(name, None, is_text) for name in names if name is not None), None)


def _text(value: str | bytes) -> Arg:
    text = value if isinstance(value, str) else value.decode("latin-1")
    if not is_stable_text(text):
        raise _NoTerm
    return Const(value)


def _number(value: Any) -> Arg:
    if type(value) is int and abs(value) >= 10**60:
        raise _NoTerm
    return Const(value)


def _member(value: enum.Enum, cls: type) -> Arg:
    name = value._name_
    if parts := flags_in(value):
        return joined([_member(one, cls) for one in parts])
    if name is None or getattr(cls, name, None) is not value:
        raise _NoTerm
    owner = _symbol(cls)
    return Symbol(owner.module, f"{owner.qualname}.{name}")


def _named(value: Any) -> Arg | None:
    """The Symbol of a class, function or builtin that is found again under its own name."""
    if value is NotImplemented:
        return Symbol("builtins", "NotImplemented")
    if value is dt.UTC:
        return Symbol("datetime", "timezone.utc")
    if not (isinstance(value, type) or type(value).__name__ in _FUNCTION_TYPES):
        return None
    module, qualname = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not module or not qualname or "<" in qualname:
        raise _NoTerm
    try:
        found = interpret.resolve(module, qualname)
    except Exception:  # noqa: BLE001
        raise _NoTerm from None
    if found is not value:
        raise _NoTerm
    return Symbol(module, qualname)


def _global(value: Any, cls: type) -> Symbol | None:
    """The Symbol of an object that the module of its class has held since import, by a public name.

    Of an object without an equality of its own a test says that it is that very one.
    """
    held = interpret.AT_IMPORT.get(cls.__module__)
    if held is None or compares_by_value(cls):
        return None
    names = [name for name, one in held.items() if one is value and name[:1] != "_"]
    return Symbol(cls.__module__, names[0]) if names else None


#: Names of the classes of functions.
_FUNCTION_TYPES: Final = ("function", "builtin_function_or_method")


def _symbol(cls: type) -> Symbol:
    if "<" in cls.__qualname__:
        raise _NoTerm
    return Symbol(cls.__module__, cls.__qualname__)


def _from_fields(builder: _TermBuilder, value: Any, cls: type, depth: int) -> Arg:
    """Dataclasses and named tuples: their fields are their constructor's arguments.

    Of a dataclass of another project those that have the default are left out: nothing that is
    tested here decides them.
    """
    fields = getattr(cls, "_fields", None)
    if fields is not None and isinstance(value, tuple):
        return Build(_symbol(cls), tuple(builder.build(item, depth) for item in value))
    table = getattr(cls, "__dataclass_fields__", None)
    if table is None:
        raise _NoTerm
    is_own = cls.__module__ in interpret.AT_IMPORT
    named = [
        (name, getattr(value, name))
        for name, field in table.items()
        if field.init
        and field._field_type.name == "_FIELD"  # noqa: SLF001 - tells ClassVar and InitVar
        and (is_own or not _is_default(field, getattr(value, name)))
    ]
    return Build(
        _symbol(cls), (), tuple((name, builder.build(item, depth)) for name, item in named)
    )


def _is_default(field: Any, value: Any) -> bool:
    """Is ``value`` the default of a field of a dataclass: a plain one, or an empty container?"""
    default = field.default_factory() if field.default_factory in _CONTAINERS else field.default
    if type(value) is not type(default):
        return False
    if type(value) in _CONTAINERS:
        return not (value or default)
    return type(value) in _ATOMS and bool(value == default)


#: Classes of values that are compared without running code of the Subject; containers if empty.
_CONTAINERS: Final = (list, dict, set, tuple)
_ATOMS: Final = (str, bytes, int, float, bool, type(None))


def _from_repr(builder: _TermBuilder, value: Any, cls: type, depth: int) -> Arg:
    """``Fraction(1, 2)``: a repr that is a constructor call with literal arguments."""
    del builder, depth
    text = repr(value)
    if not is_stable_text(text):
        raise _NoTerm
    node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.Call) or ast.unparse(node.func).split(".")[-1] != cls.__name__:
        raise _NoTerm
    return Build(
        _symbol(cls),
        tuple(_literal(arg) for arg in node.args),
        tuple((word.arg, _literal(word.value)) for word in node.keywords if word.arg),
    )


def _literal(node: ast.expr) -> Arg:
    return _TermBuilder().build(ast.literal_eval(node), 0)


def _from_init(builder: _TermBuilder, value: Any, cls: type, depth: int) -> Arg:
    """Attributes that are named like the constructor's parameters (``x`` or ``_x``).

    Those that have the default are left out, and what stands behind them is given by name.
    """
    init: Any = cls.__dict__.get("__init__") or getattr(cls, "__init__", None)
    code = getattr(init, "__code__", None)
    if code is None or code.co_flags & 0x0C:
        raise _NoTerm
    names = code.co_varnames[1 : code.co_argcount]
    parts = [_attribute(value, name) for name in names]
    defaults = getattr(init, "__defaults__", None) or ()
    required = len(names) - len(defaults)
    given = [
        at < required or not _same(part, defaults[at - required]) for at, part in enumerate(parts)
    ]
    named = max([*given, False].index(False), code.co_posonlyargcount - 1)
    terms = [builder.build(part, depth) for part in parts]
    behind = zip(names[named:], terms[named:], given[named:], strict=True)
    kwargs = tuple([(name, term) for name, term, is_given in behind if is_given])
    return Build(_symbol(cls), tuple(terms[:named]), kwargs)


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and left == right


def _attribute(value: Any, name: str) -> Any:
    for candidate in (name, "_" + name, f"_{type(value).__name__.lstrip('_')}__{name}"):
        if hasattr(value, candidate):
            return getattr(value, candidate)
    raise _NoTerm


def _from_contents(builder: _TermBuilder, value: Any, cls: type, depth: int) -> Arg:
    """Collections that their constructor rebuilds from the list of their items."""
    if hasattr(cls, "items") and hasattr(cls, "keys"):
        return Build(_symbol(cls), (builder.build(dict(value.items()), depth),))
    return Build(_symbol(cls), (builder.build(list(value), depth),))


def _from_text(builder: _TermBuilder, value: Any, cls: type, depth: int) -> Arg:
    """Values that their constructor parses back from their text."""
    return Build(_symbol(cls), (builder.build(str(value), depth),))


#: Ways to rebuild an object, tried in order.
_RECIPES: Final[tuple[Callable[[_TermBuilder, Any, type, int], Arg], ...]] = (
    _from_fields, _from_repr, _from_init, _from_contents, _from_text,
)  # fmt: skip


def is_simple_float(value: float) -> bool:
    """Is the float a multiple of 1/1024, or infinite, so that ``==`` is the right comparison?"""
    return math.isinf(value) or (math.isfinite(value) and (value * 1024).is_integer())
