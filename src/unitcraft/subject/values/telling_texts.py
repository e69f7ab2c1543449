"""Texts which the functions that a module calls change.

Whether a path is expanded shows on ``$NAME`` only, whether a text is stripped on one with blanks.

Invariant: the order is that of the calls in the source.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.subject.reading.replaceable_calls import tree_of
from unitcraft.subject.scopes import walk_scopes

#: Name of a function or method of the standard library -> a text that it changes.
CHANGED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "expandvars": "$NAME", "expanduser": "~", "normpath": "a/../b",
        "unquote": "a%20b", "unquote_plus": "a+b", "quote": "a b", "quote_plus": "a b",
        "unescape": "&lt;a&gt;", "escape": "<a>", "dedent": "  first\n    second",
        "strip": " pear ", "lstrip": " pear ", "rstrip": "pear ", "expandtabs": "a\tb",
        "lower": "PEAR", "casefold": "PEAR", "upper": "pear", "swapcase": "Pear",
        "title": "pear apple", "capitalize": "pear apple",
        "split": "pear apple fig", "rsplit": "pear apple fig", "splitlines": "pear\napple",
    }
)  # fmt: skip


#: Method -> the same text in a form that it changes.
_FORMS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {
        "strip": " {} ".format, "lstrip": " {}".format, "rstrip": "{} ".format,
        "lower": str.upper, "casefold": str.upper, "upper": str.lower, "capitalize": str.lower,
        "title": str.lower, "swapcase": str.capitalize, "expandtabs": "\t{}".format,
    }
)  # fmt: skip


def changed_forms(source: str) -> dict[str, tuple[str, ...]]:
    """Scope -> the methods that it calls which change the form of a text, in order, each once."""
    return _called(source, _FORMS)


def in_form(text: str, method: str) -> str:
    """``text`` in a form that ``method``, one of ``changed_forms``, changes."""
    return _FORMS[method](text)


def telling_texts(source: str) -> dict[str, tuple[str, ...]]:
    """Scope -> a text for each function of ``CHANGED`` that it calls, in order, each once."""
    called = _called(source, CHANGED)
    return {
        scope: tuple(dict.fromkeys(map(CHANGED.__getitem__, names)))
        for scope, names in called.items()
    }


def _called(source: str, wanted: Container[str]) -> dict[str, tuple[str, ...]]:
    """Scope -> the functions and methods of ``wanted`` that it calls, in order, each once."""
    found: dict[str, dict[str, None]] = {}
    for node, scope in walk_scopes(tree_of(source)):
        name = _name(node.func) if isinstance(node, ast.Call) else ""
        if name in wanted:
            found.setdefault(scope, {})[name] = None
    return {scope: tuple(names) for scope, names in found.items()}


def _name(func: ast.expr) -> str:
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
