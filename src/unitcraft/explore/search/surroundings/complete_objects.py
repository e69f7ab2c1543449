"""Attributes that others set: an object that lacks one gets it before it is used.

A plugin is given its name by the loader, a mixin its fields by the class it is mixed into.  Where a
run ends because an object that it made lacks an attribute, the next runs set it: to what its class
declares it to be, another object of the class among that, else to what the code does with it.

Invariant: no attribute is set that is among those that calls can set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Call,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    renumber_call,
)
from unitcraft.core.types import TypeExpr
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_stand_ins import UNKNOWN_USES, values_of
from unitcraft.subject.reading.replaceable_calls import AttributeUse

#: In place of an object of the same class as that which lacks the attribute.
ANOTHER: Final = Source("another")
#: The values that a class, by its id, declares for an attribute; none where it declares nothing.
DeclaredValues = Callable[[str, str], SequenceOf[Arg]]
_LACKING: Final = re.compile(r"^'(\w+)' object has no attribute '(\w+)'$")


def complete_objects(
    run: Execution,
    stored: Container[str],
    uses: Mapping[str, AttributeUse] = UNKNOWN_USES,
    declared: DeclaredValues = lambda _cls, _name: (),
) -> list[Sequence]:
    """Variants of ``run`` in which an object has the attribute that it lacked at the end.

    ``stored`` are the names of the attributes that the module sets, ``uses`` what it does with
    those that it reads, ``declared`` the values that a class promises.
    """
    failed = run.failed
    lacking = _LACKING.match(failed.message or "") if failed else None
    if lacking is None or lacking[2].startswith("__") or lacking[2] in stored:
        return []
    return [
        _set_after(run.sequence, at, lacking[2], value)
        for at, cls in enumerate(_classes_made(run.sequence.calls, lacking[1]))
        if cls
        for value in declared(cls, lacking[2]) or values_of(lacking[2], uses)
    ]


def _classes_made(calls: SequenceOf[Call], name: str) -> Iterator[str]:
    """For each Call the id of the class called ``name`` of which it makes an object, or ''.

    For a class that the test writes it is that of its first base.
    """
    for call in calls:
        made = call.args[0] if (call.kind, call.name) == ("operator", "call") else None
        define = calls[made.index] if isinstance(made, Ref) else None
        if call.kind == "function" and re.split(r"[.:]", call.name)[-1] == name:
            yield call.name
        elif define is not None and define.kind == "define" and f"class {name}(" in define.name:
            base = define.args[0] if define.args else None
            yield f"{base.module}:{base.qualname}" if isinstance(base, Symbol) else ""
        else:
            yield ""


def _set_after(sequence: Sequence, at: int, name: str, value: Arg) -> Sequence:
    """``sequence`` that sets the attribute ``name`` of the result of Call ``at``.

    ANOTHER stands for an object that the same Call makes once more.
    """
    new = [sequence.calls[at]] if ANOTHER in (value, *getattr(value, "items", ())) else []
    where = {old: old + (1 + len(new)) * (old > at) for old in range(len(sequence))}
    calls = [renumber_call(call, where) for call in sequence.calls]
    setting = Call("set", name, (Ref(at), _with_object(value, Ref(at + 1))))
    return Sequence((*calls[: at + 1], *new, setting, *calls[at + 1 :]))


def _with_object(value: Arg, made: Ref) -> Arg:
    if isinstance(value, Display):
        return Display(value.kind, tuple([made if one == ANOTHER else one for one in value.items]))
    return made if value == ANOTHER else value


def declared_values(
    declared: TypeExpr, cls: str, plain: Callable[[TypeExpr], Iterable[Arg]]
) -> list[Arg]:
    """Values of a declared type, with ANOTHER for objects of the class ``cls`` itself.

    ``plain`` answers some that need no other Call.
    """
    if declared.name == "union":
        none_first = sorted(declared.args, key=lambda one: one.name != "none")
        return [one for member in none_first for one in declared_values(member, cls, plain)]
    if declared.name == "class" and declared.cls == cls:
        return [ANOTHER]
    if declared.name == "list" and declared.args and declared.args[0].cls == cls:
        return [Display("list", ()), Display("list", (ANOTHER,))]
    return list(plain(declared))
