"""Places of a project's own state: which of them a test or a call changed, and putting them back.

A place is a list, dictionary or set that a module, a class or an object of a module holds under a
name, or the name of an atom there: registries, counters, instances that are made once.

Invariant: comparing and putting back run no code of the Subject.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from threading import Thread
from types import ModuleType
from typing import Any, Final

from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import (
    ClassHolder,
    Holder,
    MappingHolder,
    SequenceHolder,
    namespace,
)

#: Kinds of containers -> the method that refills them.
_CONTAINERS: Final[Mapping[type[Any], str]] = {list: "extend", dict: "", set: "update"}
_ATOMS: Final = (type(None), bool, int, float, str, bytes)
#: Items of a container that is watched in each run; a test states fewer.
MAX_WATCHED: Final = 256
#: Objects of one class that a module names, beyond which they are a table that is not watched in
#: each run: a call that changes one would be shown by one of hundreds.
MAX_OBJECTS: Final = 32


@dataclass(frozen=True, slots=True)
class _Owner:
    """A module, class or object, its name among the names of ``module``, and what it held."""

    module: str
    qualname: str
    itself: Any
    held: Mapping[str, Any]

    def rebound(self) -> list[str]:
        """The names of atoms and containers that hold something else now.

        A thread that is made once stays where it is: who put it back would leave it without owner.
        """
        now = namespace(self.itself) if _is_class(self.itself) else _attributes(self.itself)
        return [
            name
            for name, value in self.held.items()
            if _is_plain_name(name)
            and (type(value) in _ATOMS or type(value) in _CONTAINERS)
            and now.get(name, value) is not value
            and not issubclass(type(now[name]), Thread)
        ]

    def place(self, name: str) -> str:
        """The name of a place here, among the names of the module."""
        return f"{self.qualname}.{name}" if self.qualname else name


class OwnState:
    """The places of ``package``'s modules, or of one module (mutable: those of the last ``save``).

    ``alone``: the module of that name alone, without what is too large for a test to state.
    """

    def __init__(self, package: str, *, alone: bool = False) -> None:
        self._package = package
        self._alone = alone
        self._modules: list[str] = []
        self._places: list[tuple[_Owner, str]] = []
        self._snapshot = Snapshot(())

    def save(self) -> None:
        """Remember what all places hold, unless they hold what was remembered."""
        if self._modules != list(sys.modules):
            self._modules = list(sys.modules)
            self._places = []
            self._snapshot = Snapshot(self._holders())

    def is_clean(self) -> bool:
        """Do all places hold what was remembered?"""
        return self._snapshot.is_clean()

    def changed(self) -> list[tuple[str, str, Any]]:
        """(module, qualified name, what it held) of each place that changed."""
        found = [self._places[number] for number in self._snapshot.changed()]
        return [
            (owner.module, owner.place(one), owner.held[one])
            for owner, name in found
            for one in ([name] if name else owner.rebound())
        ]

    def put_back(self) -> None:
        """Let every place hold what was remembered."""
        self._modules = self._modules if self._snapshot.restore() else []

    def _holders(self) -> Iterator[Holder]:
        for name in [self._package] if self._alone else sorted(sys.modules):
            module = sys.modules.get(name)
            if type(module) is ModuleType and f"{name}.".startswith(f"{self._package}."):
                yield from self._held_by(_Owner(name, "", module, dict(module.__dict__)))

    def _held_by(self, owner: _Owner) -> Iterator[Holder]:
        """Holders of the namespace of ``owner`` and of what its names hold."""
        self._places.append((owner, ""))
        is_class = _is_class(owner.itself)
        many = self._tabled(owner) if not owner.qualname else ()
        yield ClassHolder(owner.itself) if is_class else MappingHolder(_attributes(owner.itself))
        for name, value in owner.held.items():
            if not _is_plain_name(name):
                continue
            if type(value) in _CONTAINERS:
                if not self._alone or len(value) <= MAX_WATCHED:
                    self._places.append((owner, name))
                    yield _holder(value)
            elif (
                not owner.qualname and type(value) not in many and _has_places(value, owner.module)
            ):
                held = dict(namespace(value) if _is_class(value) else _attributes(value))
                yield from self._held_by(_Owner(owner.module, name, value, held))

    def _tabled(self, owner: _Owner) -> set[type[Any]]:
        """Classes of which ``owner`` names too many objects to watch each in each run."""
        counts = Counter(map(type, owner.held.values())) if self._alone else {}
        return {kind for kind, count in counts.items() if count > MAX_OBJECTS and kind is not type}


def _is_plain_name(name: object) -> bool:
    return type(name) is str and name[:2] != "__"


def _is_class(value: Any) -> bool:
    return issubclass(type(value), type)


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes of a module or an object themselves."""
    found: dict[str, Any] = object.__getattribute__(value, "__dict__")
    return found


def _holder(container: Any) -> Holder:
    kind = type(container)
    if kind is dict:
        return MappingHolder(container)
    return SequenceHolder(container, kind, _CONTAINERS[kind])


def _has_places(value: Any, module: str) -> bool:
    """Is it a class of ``module``, or an object of one whose attributes anybody may set?"""
    if _is_class(value):
        return namespace(value).get("__module__") == module
    kind = type(value)
    return (
        namespace(kind).get("__module__") == module
        and type.__getattribute__(kind, "__setattr__") is object.__setattr__
        and type.__getattribute__(kind, "__getattribute__") is object.__getattribute__
        and type(getattr(value, "__dict__", None)) is dict
    )
