"""Detects which places of its own project a test leaves changed, and puts them back.

A place is a list, dictionary or set that a module or a class holds under a name, or the name of an
atom there: registries, counters, instances that are made once.

Invariant: comparing and putting back run no code of the Subject.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.sequences import Build, Symbol
from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import (
    ClassHolder,
    Holder,
    MappingHolder,
    SequenceHolder,
    namespace,
)
from unitcraft.subject.literal_args import literal_of

#: Kinds of containers -> the method that refills them.
_CONTAINERS: Final[Mapping[type[Any], str]] = {list: "extend", dict: "", set: "update"}
_ATOMS: Final = (type(None), bool, int, float, str, bytes)
#: Characters of a literal that a test states; what is larger is copied.
MAX_LITERAL: Final = 80


@dataclass(frozen=True, slots=True)
class _Owner:
    """A module or class, its name among the names of ``module``, and what its names held."""

    module: str
    qualname: str
    itself: Any
    held: Mapping[str, Any]

    def rebound(self) -> list[str]:
        """The names of atoms and containers that hold something else now."""
        is_class = issubclass(type(self.itself), type)
        now = namespace(self.itself) if is_class else self.itself.__dict__
        return [
            name
            for name, value in self.held.items()
            if _is_plain_name(name)
            and (type(value) in _ATOMS or type(value) in _CONTAINERS)
            and now.get(name, value) is not value
        ]


class OwnState:
    """The places of the modules of ``package`` (mutable: the snapshot is of the last ``save``)."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._modules: list[str] = []
        self._places: list[tuple[_Owner, str]] = []
        self._snapshot = Snapshot(())

    def save(self) -> None:
        """Remember what all places hold, unless they hold what was remembered."""
        if self._modules != list(sys.modules):
            self._modules = list(sys.modules)
            self._places = []
            self._snapshot = Snapshot(self._holders())

    def put_back(self) -> Iterator[tuple[str, str, Plain]]:
        """(module, qualified name, Arg) of each place that changed, with what it held; once."""
        changed = [self._places[number] for number in self._snapshot.changed()]
        found = [
            (owner, one) for owner, name in changed for one in ([name] if name else owner.rebound())
        ]
        self._modules = self._modules if self._snapshot.restore() else []
        for owner, name in found:
            joined = f"{owner.qualname}.{name}" if owner.qualname else name
            yield owner.module, joined, _as_it_was(owner.module, joined, owner.held[name])

    def _holders(self) -> Iterator[Holder]:
        for name, module in sorted(sys.modules.items()):
            if type(module) is ModuleType and f"{name}.".startswith(f"{self._package}."):
                yield from self._held_by(_Owner(name, "", module, dict(module.__dict__)))

    def _held_by(self, owner: _Owner) -> Iterator[Holder]:
        """Holders of the namespace of ``owner`` and of what its names hold."""
        is_module = not owner.qualname
        self._places.append((owner, ""))
        yield MappingHolder(owner.itself.__dict__) if is_module else ClassHolder(owner.itself)
        for name, value in owner.held.items():
            if not _is_plain_name(name):
                continue
            if type(value) in _CONTAINERS:
                self._places.append((owner, name))
                yield _holder(value)
            elif is_module and issubclass(type(value), type) and _is_of(value, owner.module):
                attributes = dict(namespace(value))
                yield from self._held_by(_Owner(owner.module, name, value, attributes))


def _is_plain_name(name: object) -> bool:
    return type(name) is str and name[:2] != "__"


def _holder(container: Any) -> Holder:
    kind = type(container)
    if kind is dict:
        return MappingHolder(container)
    return SequenceHolder(container, kind, _CONTAINERS[kind])


def _is_of(cls: type[Any], module: str) -> bool:
    return namespace(cls).get("__module__") == module


def _as_it_was(module: str, qualname: str, value: Any) -> Plain:
    """What a place held as an Arg: a literal, or a copy of what it holds."""
    literal = literal_of(value)
    if literal is not None and len(repr(value)) <= MAX_LITERAL:
        return encode(literal)
    return encode(Build(Symbol("builtins", type(value).__name__), (Symbol(module, qualname),)))
