"""The names of the probes that rewritten code calls, and the making of such calls.

Invariant: every name begins with ``PROBE``, which is reserved: a Subject does not use it.
"""

from __future__ import annotations

import ast
from typing import Final

#: Beginning of every name that rewriting adds to a module.
PROBE: Final = "__unitcraft_"
CALL: Final = "__unitcraft_call__"
GET: Final = "__unitcraft_get__"
SET: Final = "__unitcraft_set__"
DELETE: Final = "__unitcraft_delete__"
SLICE: Final = "__unitcraft_slice__"
MEMBER: Final = "__unitcraft_member__"
IS: Final = "__unitcraft_is__"
FORMATTED: Final = "__unitcraft_formatted__"
JOINED: Final = "__unitcraft_joined__"
MODULO: Final = "__unitcraft_modulo__"
DICT: Final = "__unitcraft_dict__"
DICT_OF: Final = "__unitcraft_dict_of__"
SET_OF: Final = "__unitcraft_set_of__"
PLAIN: Final = "__unitcraft_plain__"
MODULO_IN_PLACE: Final = "__unitcraft_modulo_in_place__"
MAPPING: Final = "__unitcraft_mapping__"
UNPACKED: Final = "__unitcraft_unpacked__"
NEW_DICT: Final = "__unitcraft_new_dict__"
NEW_SET: Final = "__unitcraft_new_set__"
NEW_FROZEN: Final = "__unitcraft_new_frozen__"
IN_PLACE: Final = "__unitcraft_in_place__"


def probe_call(function: str, *args: ast.expr) -> ast.Call:
    """A call of a probe."""
    return ast.Call(ast.Name(function, ast.Load()), list(args), [])


def is_constant(node: ast.expr | None) -> bool:
    """Is ``node`` a constant?"""
    return isinstance(node, ast.Constant)


def or_none(node: ast.expr | None) -> ast.expr:
    """``node``, or the constant None."""
    return ast.Constant(None) if node is None else node
