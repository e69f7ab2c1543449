"""What field probes call: which definition of a field each use read, within one run.

A pair is (definition site, use site): the use read what that definition stored in the very
object.  A definition is a store, an augmented store, a deletion (a use reads it by finding
nothing) or the declaration in the class body; changing a value in place is a use.

Invariant: a probe returns its object or value unchanged and raises nothing; objects of the
Subject are held between ``begin`` and ``end`` only, so that an identity means one object.
"""

from __future__ import annotations

from types import MemberDescriptorType
from typing import Any, Final

#: Pairs that one run may report.
MOST_PAIRS: Final = 400
_NOTHING: Final = object()
_UNSEEN: Final = object()


class Flow:
    """The definitions that reach the present moment of a run, and the pairs of its last Call.

    ``module`` is the Subject's, '' when fields are not probed.  ``declared`` maps (class,
    field) to the definition site in the class body.
    """

    __slots__ = ("active", "declared", "defined", "module", "noting", "pairs", "stored")

    def __init__(self) -> None:
        self.module = ""
        self.declared: dict[tuple[str, str], int] = {}
        self.active = False
        self.noting = False
        #: (identity, field) -> [the object, definition site, the value if seen]
        self.stored: dict[tuple[int, str], list[Any]] = {}
        self.pairs: dict[tuple[int, int], None] = {}
        #: Definitions of the last Call.
        self.defined: dict[int, None] = {}

    def begin(self) -> None:
        """Forget the last run and follow the fields of this one."""
        self.end()
        self.active = bool(self.module)

    def end(self) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Follow no more; the pairs and the definitions of the last Call, sorted."""
        found = tuple(sorted(self.pairs)), tuple(sorted(self.defined))
        self.active = self.noting = False
        self.stored = {}
        self.pairs = {}
        self.defined = {}
        return found

    def define(self, site: int, value: Any, name: str, held: Any) -> None:
        """Note a definition; ``held`` is what a use will find, if that is known."""
        if self.active and self.mine(value):
            self.stored[id(value), name] = [value, site, held]
            if self.noting:
                self.defined[site] = None

    def mine(self, value: Any) -> bool:
        """Is ``value`` an object of a class of the Subject?"""
        return type(value).__module__ == self.module

    def reached(self, value: Any, name: str) -> int | None:
        """The definition site that a use of the field would read now, or None."""
        held = _held(value, name)
        entry = self.stored.get((id(value), name))
        if entry is None:
            return self._declared(type(value), name, held)
        if entry[2] is _UNSEEN and held is not _NOTHING:
            entry[2] = held
        if entry[2] is not held:  # something stored it behind the back of the probes
            return None
        return int(entry[1])

    def _declared(self, cls: type, name: str, held: Any) -> int | None:
        if held is not _NOTHING and name not in getattr(cls, "__dataclass_fields__", ()):
            return None
        for base in cls.__mro__:
            key = (base.__qualname__.replace(".<locals>", ""), name)
            if base.__module__ == self.module and key in self.declared:
                return self.declared[key]
        return None


FLOW: Final = Flow()


def _held(value: Any, name: str) -> Any:
    """What the object itself holds in the field, behind the back of its class."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    if name in own:
        return own[name]
    for base in type(value).__mro__:
        slot = base.__dict__.get(name)
        if type(slot) is MemberDescriptorType:
            return _slot(slot, value)
    return _NOTHING


def _slot(slot: MemberDescriptorType, value: Any) -> Any:
    try:
        return slot.__get__(value)
    except AttributeError:
        return _NOTHING


def use(site: int, value: Any, name: str) -> Any:
    """``value``, whose field is about to be read."""
    flow = FLOW
    if flow.noting and flow.mine(value) and len(flow.pairs) < MOST_PAIRS:
        definition = flow.reached(value, name)
        if definition is not None:
            flow.pairs[definition, site] = None
    return value


def define(site: int, value: Any, name: str) -> Any:
    """``value``, whose field is about to be stored."""
    FLOW.define(site, value, name, _UNSEEN)
    return value


def delete(site: int, value: Any, name: str) -> Any:
    """``value``, whose field is about to be deleted."""
    FLOW.define(site, value, name, _NOTHING)
    return value


def augment(site: int, value: Any, name: str, operand: Any) -> Any:
    """``operand``, with which the field of ``value`` is about to be changed."""
    define(site, value, name)
    return operand


def use_and_define(used: int, defined: int, value: Any, name: str) -> Any:
    """``value``, whose field is about to be read and stored."""
    return define(defined, use(used, value, name), name)
