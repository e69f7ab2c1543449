"""How a Check compares what it observes with the term of what it expects.

Invariant: objects of the test, members and constants are compared by identity, numbers that a
display rounds approximately, all else by equality.
"""

from __future__ import annotations

import math
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Ref, Symbol
from unitcraft.execute.guest.arg_of_value import is_simple_float
from unitcraft.suite.tests import Relation

#: The class of what can be called: ``isinstance`` of it is ``callable(...)``.
CALLABLE: Final = Symbol("collections.abc", "Callable")


def relation(term: Arg) -> Relation:
    """How to compare with ``term``."""
    if isinstance(term, Const):
        return _atom_relation(term.value)
    if isinstance(term, Symbol | Ref):
        return "is"
    exact = isinstance(term, Display) and term.kind in ("set", "frozenset")
    if isinstance(term, Display) and not exact and any(_inexact(item) for item in term.items):
        return "approx" if all(not isinstance(i, (Display, Build)) for i in term.items) else "=="
    return "=="


def _atom_relation(value: object) -> Relation:
    if value is None or isinstance(value, bool) or value is ...:
        return "is"
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        return "==" if is_simple_float(value) else "approx"
    return "=="


def _inexact(item: Arg) -> bool:
    return (
        isinstance(item, Const)
        and isinstance(item.value, float)
        and (not math.isnan(item.value) and not is_simple_float(item.value))
    )


def class_of_term(term: Arg) -> Symbol | None:
    """The class of the value that a term makes; None: it is not known."""
    match term:
        case Const(value):
            return Symbol("builtins", type(value).__name__)
        case Display(kind):
            return Symbol("builtins", kind)
        case Build(Symbol("re", "compile")):
            return Symbol("re", "Pattern")
        case Build(callee) if callee.qualname.rpartition(".")[2][:1].isupper():
            return callee
    return None
