"""Texts made of values: ``str``, ``repr``, ``format``, ``%``, f-strings, ``print``.

Invariant: the text of a proxy, and of tuples and lists of atoms that hold one, is followed; code of
the Subject that makes a text runs as it is; values that C code renders are concretized before.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from itertools import count
from string import Formatter
from types import FunctionType
from typing import Any, Final

from unitcraft.instrument import interception
from unitcraft.symbolic.intercept.deep_concretization import concretize_deeply
from unitcraft.symbolic.proxies.strings import SymBytes, SymStr, can_be_term
from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    Proxied,
    apply_operation,
    concrete_value,
    concretize,
    is_instance,
    is_symbolic,
)

_ATOMS: Final = frozenset({int, float, str, bytes, bool, type(None)})
_FUNCTIONS: Final[dict[str, Callable[[Any], str]]] = {"str": str, "repr": repr, "ascii": ascii}


def render(name: str, value: Any) -> Any:
    """``str(value)``, ``repr(value)`` or ``ascii(value)``."""
    kind = type(value)
    function = _FUNCTIONS[name]
    if kind in _ATOMS:
        return function(value)
    if issubclass(kind, Proxied):
        return value if kind is SymStr and name == "str" else apply_operation(name, value)
    if kind is tuple or kind is list:
        if not is_symbolic(value):
            return function(value if _are_atoms(value) else concretize_deeply(value))
        if can_be_term(value):
            return apply_operation(name, value)
    if _is_rewritten(kind, "__str__" if name == "str" else "__repr__") or _is_its_only_argument(
        value, name
    ):
        return function(value)
    return function(concretize_deeply(value))


def _are_atoms(value: Any) -> bool:
    return all(type(item) in _ATOMS for item in value)


def _is_rewritten(kind: type, name: str) -> bool:
    """Is the text of such objects made by rewritten code?"""
    method = getattr(kind, name)
    if name == "__str__" and method is object.__str__:
        method = kind.__repr__
    return type(method) is FunctionType and interception.CALL in method.__globals__


def _is_its_only_argument(value: Any, name: str) -> bool:
    """Is it an exception whose text is its only argument?"""
    kind: Any = type(value)
    return (
        name == "str"
        and issubclass(kind, BaseException)
        and kind.__str__ is BaseException.__str__
        and len(value.args) == 1
    )


# -- format -------------------------------------------------------------------------


def format_field(value: Any, conversion: str, spec: Any) -> Any:
    """One part of an f-string: ``conversion`` is ``""``, ``"s"``, ``"r"`` or ``"a"``."""
    if conversion:
        value = render(_CONVERSIONS[conversion], value)
    kind = type(value)
    if kind in _ATOMS and type(spec) not in PROXIES:
        return format(value, spec)
    if issubclass(kind, Proxied) or (kind in _ATOMS and kind is not type(None)):
        if concrete_value(spec) == "" and type(spec) not in PROXIES:
            return render("str", value)
        return apply_operation("format", value, spec)
    if getattr(kind, "__format__", None) is object.__format__ and concrete_value(spec) == "":
        concretize(spec)
        return render("str", value)
    if _is_rewritten(kind, "__format__"):
        return format(value, spec if type(spec) not in PROXIES else concretize(spec))
    return format(concretize_deeply(value), concretize(spec))


_CONVERSIONS: Final = {"s": "str", "r": "repr", "a": "ascii"}


def join_parts(*parts: Any) -> Any:
    """The parts of an f-string together."""
    if not any(type(part) is SymStr for part in parts):
        return "".join(parts)
    return apply_operation("str.join", "", [part for part in parts if type(part) is SymStr or part])


_TEMPLATE: Final = Formatter()


def fill_in(text: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``text.format(*args, **kwargs)``."""
    values = (*args, *kwargs.values())
    if all(type(value) in _ATOMS for value in values) and type(text) not in PROXIES:
        return text.format(*args, **kwargs)
    if not all(map(can_be_term, values)) and type(text) is str:
        made = _fill_in_by_field(text, args, kwargs)
        if made is not None:
            return made
    if is_symbolic((text, values)) and all(map(can_be_term, values)):
        return apply_operation("str.filled_in", text, args, tuple(kwargs), tuple(kwargs.values()))
    known = [concretize_deeply(value) for value in args]
    return concretize(text).format(
        *known, **{key: concretize_deeply(value) for key, value in kwargs.items()}
    )


def _fill_in_by_field(text: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A constant template filled in as an f-string; None when its fields are not plain names."""
    parts: list[Any] = []
    fields = list(_TEMPLATE.parse(text))
    names = [field[1] for field in fields]
    if "" in names and any(map(str.isdigit, filter(None, names))):
        return None  # an error
    automatic = map(str, count())
    for literal, name, spec, conversion in fields:
        parts.append(literal)
        if name is None:
            continue
        name = name or next(automatic)  # noqa: PLW2901 - automatic numbering
        numbered = name.isdigit() and int(name) < len(args)
        if "{" in (spec or "") or not (name in kwargs or numbered):
            return None
        value = kwargs[name] if name in kwargs else args[int(name)]
        parts.append(format_field(value, conversion or "", spec or ""))
    return join_parts(*parts) if parts else ""


# -- % ------------------------------------------------------------------------------

_FIELD: Final = re.compile(r"%(?:%|[-+ #0]*[0-9]*(?:\.[0-9]+)?([a-zA-Z]))")
_KEYED: Final = re.compile(r"%\(")


def format_percent(text: Any, values: Any) -> Any:
    """``text % values`` for a text."""
    several = values if is_instance(values, tuple) else (values,)
    if all(type(value) in _ATOMS for value in several) and type(text) not in PROXIES:
        return text % values
    if type(values) is dict:
        return _format_percent_by_name(text, values)
    if not all(can_be_term(value) and type(value) is not list for value in several):
        several = _render_values(text, several)
    if not is_symbolic((text, *several)) and all(type(value) in _ATOMS for value in several):
        return text % several
    if is_symbolic((text, several)) and all(map(can_be_term, several)):
        return apply_operation("%", text, several if is_instance(values, tuple) else several[0])
    return concretize(text) % concretize_deeply(values)


def _render_values(text: Any, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """``values`` with texts in place of the objects that ``%s`` and ``%r`` would render."""
    if type(text) is not str:
        return values
    kinds = [found.group(1) for found in _FIELD.finditer(text) if found.group(1)]
    if len(kinds) != len(values) or _FIELD.sub("", text).count("%"):
        return values
    return tuple(_render_each(kinds, values))


def _render_each(kinds: list[str], values: tuple[Any, ...]) -> Iterator[Any]:
    for kind, value in zip(kinds, values, strict=True):
        if kind == "s" and type(value) not in _ATOMS and type(value) not in PROXIES:
            yield render("str", value)
        else:
            yield value


def _format_percent_by_name(text: Any, values: dict[Any, Any]) -> Any:
    """``"%(name)s" % {…}`` with the fields of a constant text in the order of their names."""
    if type(text) is str and _KEYED.search(text) and all(map(can_be_term, values.values())):
        names = _NAMES.findall(text)
        unnamed = _NAMES.sub("%", text)
        here = all(name in values for name in names) and "*" not in unnamed
        if here and is_symbolic(tuple(values.values())):
            return apply_operation("%", unnamed, tuple([values[name] for name in names]))
    return concretize(text) % concretize_deeply(values)


_NAMES: Final = re.compile(r"%\(([^()]*)\)")


def print_values(*values: Any, **options: Any) -> None:
    """``print``: text on the standard output is not followed, so that it needs no event."""
    if options.get("file") is not None or sys.stdout is not sys.__stdout__:
        values = tuple([concretize_deeply(value) for value in values])
        print(*values, **options)  # noqa: T201 - the Subject asked for it
        return
    texts = [concrete_value(render("str", value)) for value in values]
    print(*texts, **{name: concretize(option) for name, option in options.items()})  # noqa: T201


def modulo(first: Any, second: Any) -> Any:
    """``first % second``."""
    return format_percent(first, second) if type(first) in _TEXTS else first % second


_TEXTS: Final = frozenset({str, bytes, SymStr, SymBytes})
