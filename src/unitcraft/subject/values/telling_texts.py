"""Texts which the functions that a module calls change.

Whether a path is expanded shows on ``$NAME`` only, whether a text is stripped on one with blanks.

Invariant: the order is that of the calls in the source.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

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


def telling_texts(source: str) -> tuple[str, ...]:
    """A text for each function of ``CHANGED`` that ``source`` calls, in order, each once."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ()
    names = [_name(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return tuple(dict.fromkeys([CHANGED[name] for name in names if name in CHANGED]))


def _name(func: ast.expr) -> str:
    match func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
