"""The effects of an Invocable: the variables and elements it touches, and what it takes and makes.

Invariant: plain structure; a Variable of a class is owned by the first class of its family (the
classes that inheritance connects), so that equal Variables are those that may be the same.

Source: JTESTCRAFT, section 4.3.1, tables 4.2 and 4.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unitcraft.subject.model import Invocable


@dataclass(frozen=True, slots=True)
class Variable:
    """A field (``owner`` is a class id) or a variable of a module (``owner`` is ``module:``).

    ``of_class``: the class itself holds it, and no object has one of its own.

    While source is read, an owner of '' is an object of unknown class, and a name of '' a
    container that no field holds.
    """

    owner: str
    name: str
    of_class: bool = False

    @property
    def is_shared(self) -> bool:
        """Is there one of it only, whatever objects there are?"""
        return self.of_class or self.owner.endswith(":")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for an object that an earlier call returned: the receiver, or a parameter.

    ``classes`` are the ids of the classes that fit; ``many``: a container that holds any number.
    """

    name: str
    classes: tuple[str, ...]
    required: bool = True
    many: bool = False


@dataclass(frozen=True, slots=True)
class Effects:
    """What an Invocable, and all that it may call, does with variables and elements.

    ``stores`` and ``loads`` are the containers whose elements it changes and reads, by the
    variable that holds them.  ``returns`` are ids of the classes that its result may have.
    """

    invocable: Invocable
    defines: tuple[Variable, ...] = ()
    uses: tuple[Variable, ...] = ()
    stores: tuple[Variable, ...] = ()
    loads: tuple[Variable, ...] = ()
    slots: tuple[Slot, ...] = ()
    returns: tuple[str, ...] = ()
