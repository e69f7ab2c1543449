"""The kinds of the items of a collection: what is put beside them is mostly of one of these.

Invariant: what is no literal is of no other kind, for nobody knows what it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display
from unitcraft.core.types import TypeExpr
from unitcraft.explore.declared_types import may_be
from unitcraft.explore.plausibility.evidence_ladder import OF_ITEMS
from unitcraft.explore.plausibility.parameter_evidence import Evidence
from unitcraft.subject.ducktypes.kind_support import (
    answers_truth,
    kind_of,
    lacks_attribute,
    supports,
)
from unitcraft.subject.model import ParameterUse
from unitcraft.subject.scopes import word_set

#: Operators whose other operand is an item, or holds items.
ITEM_OPERATORS: Final = (
    "in", "+", "-", "&", "|", "^", "+=", "-=", "&=", "|=", "^=", "<", "<=", ">", ">=",
)  # fmt: skip
#: Classes of which items mostly are.
PLAIN: Final = word_set("str int float bool bytes list tuple dict set")
#: What is added to the greatest number of a collection for one that it lacks.
_NEXT: Final = 1


def items_in(args: Iterable[Arg], *, alone: bool) -> tuple[Arg, ...]:
    """The items of the containers among ``args``, keys of dictionaries.

    ``alone``: what is no container is an item itself.
    """
    found: list[Arg] = []
    for arg in args:
        if isinstance(arg, Display):
            found += arg.items[::2] if arg.kind == "dict" else arg.items
        elif alone and _tells(arg):
            found.append(arg)
    return tuple(found)


def is_of_other_kind(arg: Arg, items: tuple[Arg, ...]) -> bool:
    """Is ``arg`` neither of the kind of one of ``items`` nor a container of such?

    A text is a container of texts.
    """
    known = {_kind(one) for one in items if _tells(one)}
    if not known or not (_tells(arg) or isinstance(arg, Display)):
        return False
    held = {_kind(one) for one in items_in((arg,), alone=True) if _tells(one)}
    return bool(held) and not held & known


def of_like_kind(arg: Arg, items: tuple[Arg, ...]) -> Iterator[Arg]:
    """Args for the place of ``arg`` of the kind of ``items``: new ones and known ones."""
    numbers = [one.value for one in items if isinstance(one, Const) and type(one.value) is int]
    new = [Const(max(numbers) + _NEXT)] if numbers else []
    if items and not isinstance(arg, Display):
        yield from (*new, items[0])
    if items:
        yield Display(arg.kind if isinstance(arg, Display) else "list", (*items[:1], *new))


def _tells(arg: Arg) -> bool:
    return isinstance(arg, Build) or (isinstance(arg, Const) and arg.value is not None)


def _kind(arg: Arg) -> str:
    if isinstance(arg, Build):
        return f"{arg.callee.module}:{arg.callee.qualname}"
    return kind_of(arg)


def parts_agree(arg: Arg, type_: TypeExpr) -> bool:
    """May the items of a container, or the answers of a function, be what the type says?"""
    if type_.name == "callable" and type_.args[-1:] == (TypeExpr("bool"),):
        return answers_truth(arg)
    if not isinstance(arg, Display) or not type_.args:
        return True
    if arg.kind != "dict" and type_.name in OF_ITEMS:
        return all(may_be(item, type_.args[0]) for item in arg.items)
    return type_.name != arg.kind or may_be(arg, type_)


def refused_uses(evidence: Evidence, arg: Arg, kind: str) -> Iterator[ParameterUse]:
    """The uses of a parameter that the class of ``arg`` does not support, or those of its items.

    Of items only what the code certainly does with each of them counts, and only if values of one
    class support it all: under the keys of a dictionary stands this and that.
    """
    path = evidence.parameter.name
    own = [use for use in evidence.uses if use.path == path]
    yield from [use for use in own if _lacks(arg, kind, use)]
    below = [use for use in evidence.uses if use.path == f"{path}[]" and use.certain]
    gives_keys = kind == "dict" and any(use.operation == "iterate" for use in own)
    if isinstance(arg, Display) and not gives_keys and any(_does_all(one, below) for one in PLAIN):
        for item in arg.items[1::2] if kind == "dict" else arg.items:
            yield from [use for use in below if _lacks(item, kind_of(item), use)]


def _does_all(kind: str, uses: list[ParameterUse]) -> bool:
    """Do values of a builtin class support all of it?"""
    return all(supports(kind, use) is not False for use in uses)


def _lacks(arg: Arg, kind: str, use: ParameterUse) -> bool:
    """Is it known that the class of ``arg`` does not support ``use``?"""
    if kind or not isinstance(arg, Build):
        return bool(kind) and supports(kind, use) is False
    home = f"{arg.callee.module}:{arg.callee.qualname}"
    return use.operation == "attribute" and lacks_attribute(home, use.operand)


def is_listed_text(evidence: Evidence, kind: str) -> bool:
    """Is it a list where the code compares items with characters, so that most pass a text?"""
    path = f"{evidence.parameter.name}[]"
    told = any((one.path, one.operation) == (path, "character") for one in evidence.uses)
    return told and kind in ("list", "tuple") and evidence.candidates[0].type.name == "str"
