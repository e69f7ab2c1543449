"""The probes of fields: the definition that reaches each use of a field, within one run.

A pair is (definition site, use site): the use read the value that the definition stored in the
same object.  A definition is a store, an augmented store, a deletion (a use reads it by finding
nothing) or the declaration in the class body; changing a value in place is a use.

Invariant: a probe returns its object or value unchanged and raises nothing; objects of the
Subject are held between ``begin`` and ``end`` only, so that an identity means one object.
"""

from __future__ import annotations

import ast
from types import MemberDescriptorType
from typing import Any, ClassVar, Final

from unitcraft.instrument import field_probes

#: Pairs that one run may report.
MAX_PAIRS: Final = 400
#: The value of a field that the object does not hold.
_NOTHING: Final = object()

#: The value of a field that was stored but not read since.
_UNSEEN: Final = object()


class Definitions:
    """The definitions that reach the current point of a run, and the pairs of its last Call.

    ``module`` is the Subject's, '' when fields are not probed.  ``declared`` maps (class,
    field) to the definition site in the class body.  ``noting`` is set during the last Call.
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
        """Forget the last run and begin to record."""
        self.end()
        self.active = bool(self.module)

    def end(self) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Stop recording; the pairs and the definitions of the last Call, sorted."""
        found = tuple(sorted(self.pairs)), tuple(sorted(self.defined))
        self.active = self.noting = False
        self.stored = {}
        self.pairs = {}
        self.defined = {}
        return found

    def define(self, site: int, value: Any, name: str, held: Any) -> None:
        """Record a definition; ``held`` is the value that a use will find, if that is known."""
        if self.active and self.is_of_subject(value):
            self.stored[id(value), name] = [value, site, held]
            if self.noting:
                self.defined[site] = None

    def is_of_subject(self, value: Any) -> bool:
        """Is ``value`` an object of a class of the Subject?"""
        return type(value).__module__ == self.module

    def reaching(self, value: Any, name: str) -> int | None:
        """The definition site that a use of the field would read now, or None."""
        held = _held(value, name)
        entry = self.stored.get((id(value), name))
        if entry is None:
            return self._reaching_declaration(type(value), name, held)
        if entry[2] is _UNSEEN and held is not _NOTHING:
            entry[2] = held
        if entry[2] is not held:  # it was stored without a probe
            return None
        return int(entry[1])

    def _reaching_declaration(self, cls: type, name: str, held: Any) -> int | None:
        if held is not _NOTHING and name not in getattr(cls, "__dataclass_fields__", ()):
            return None
        for base in cls.__mro__:
            key = (base.__qualname__.replace(".<locals>", ""), name)
            if base.__module__ == self.module and key in self.declared:
                return self.declared[key]
        return None


#: The definitions of this process.
DEFINITIONS: Final = Definitions()


def _held(value: Any, name: str) -> Any:
    """The value that the object itself holds in the field, without asking its class."""
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
    definitions = DEFINITIONS
    if (
        definitions.noting
        and definitions.is_of_subject(value)
        and len(definitions.pairs) < MAX_PAIRS
    ):
        definition = definitions.reaching(value, name)
        if definition is not None:
            definitions.pairs[definition, site] = None
    return value


def define(site: int, value: Any, name: str) -> Any:
    """``value``, whose field is about to be stored."""
    DEFINITIONS.define(site, value, name, _UNSEEN)
    return value


def delete(site: int, value: Any, name: str) -> Any:
    """``value``, whose field is about to be deleted."""
    DEFINITIONS.define(site, value, name, _NOTHING)
    return value


def augment(site: int, value: Any, name: str, operand: Any) -> Any:
    """``operand``, with which the field of ``value`` is about to be changed."""
    define(site, value, name)
    return operand


def use_and_define(used: int, defined: int, value: Any, name: str) -> Any:
    """``value``, whose field is about to be read and stored."""
    return define(defined, use(used, value, name), name)


class FollowedFields:
    """The fields of ``module``, whose uses and definitions its rewritten code reports from now on.

    For the import hook, before any other rewriting: ``table`` receives the sites.
    """

    probes: ClassVar[dict[str, Any]] = {
        field_probes.USE: use,
        field_probes.DEFINE: define,
        field_probes.FORGET: delete,
        field_probes.AUGMENT: augment,
        field_probes.USE_AND_DEFINE: use_and_define,
    }

    def __init__(self, module: str) -> None:
        self.module = module
        self.table = field_probes.FieldTable()
        DEFINITIONS.module = module

    def rewrite(self, tree: ast.Module, module: str) -> ast.Module:
        """``tree``, changed in place; the declarations of its classes are definitions."""
        if module == self.module:
            tree = field_probes.FieldRewriter(self.table).visit(tree)
            DEFINITIONS.declared = self.table.declared()
        return tree
