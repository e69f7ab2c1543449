"""What the code of others says of a parameter of the same name.

``Tree.get(key)`` hands its key on, and nothing is seen of it; ``get_tree_node(mapping, key)`` of
the same module splits it: a text.  Of 40 modules drawn at random 29 of 100 parameters have no
evidence of their own, and 42 of 100 of these have a namesake that has.

Invariant: namesakes that disagree say nothing; a key of a container is no function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from unitcraft.core.types import TypeExpr
from unitcraft.explore.plausibility.operands import owner_of
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.subject.scopes import word_set

#: Letters of a name: shorter ones stand for anything.
MIN_LETTERS: Final = 3
#: Methods whose first parameter is a key.
_LOOK_UPS: Final = word_set("__getitem__ __setitem__ __delitem__ __contains__ __missing__")
#: The likeliest type of a parameter by its own code, or None.
OwnType = Callable[[Invocable, Parameter], TypeExpr | None]


class Namesakes:
    """The parameters of each name in a Subject (a memory of what was asked for)."""

    def __init__(self, subject: Subject, own_type: OwnType) -> None:
        self._own_type = own_type
        self._named: dict[tuple[str, str], list[tuple[Invocable, Parameter]]] = {}
        self._types: dict[tuple[str, str], TypeExpr | None] = {}
        self._keys = frozenset(_keys(subject))
        for invocable in subject.invocables:
            for one in invocable.parameters:
                if not one.kind.startswith("var_"):
                    where = (invocable.module, one.name)
                    self._named.setdefault(where, []).append((invocable, one))

    def type_of(self, invocable: Invocable, parameter: Parameter) -> TypeExpr | None:
        """The type that all namesakes in the module agree on of which something is known.

        Of containers that one whose items are known, where there is such.  Of a member that a class
        has from another module, those in the module of the class, if none in its own tells.
        None as well for what is declared to take anything.
        """
        is_short = len(parameter.name.strip("_")) < MIN_LETTERS
        if is_short or parameter.origin == "annotation" or parameter.kind.startswith("var_"):
            return None
        homes = dict.fromkeys((invocable.module, invocable.owner.partition(":")[0]))
        agreed = [self._agreed_in(home, parameter.name) for home in homes]
        found = next((type_ for type_ in agreed if type_ is not None), None)
        is_function = found is not None and found.name == "callable"
        is_key = is_function and (invocable.owner, parameter.name) in self._keys
        return None if is_key else found

    def _agreed_in(self, module: str, name: str) -> TypeExpr | None:
        where = (module, name)
        if where not in self._types:
            self._types[where] = self._agreed(where)
        return self._types[where]

    def _agreed(self, where: tuple[str, str]) -> TypeExpr | None:
        found: TypeExpr | None = None
        for invocable, parameter in self._named.get(where, ()):
            type_ = self._own_type(invocable, parameter)
            if type_ is None:
                continue
            is_operand = type_.cls == owner_of(invocable) != ""
            if is_operand or (found is not None and type_.name != found.name):
                return None
            found = type_ if found is None or not found.args else found
        return found


def _keys(subject: Subject) -> Iterator[tuple[str, str]]:
    """(class, parameter) of what containers are asked for."""
    for one in subject.invocables:
        if one.id.rpartition(".")[2] in _LOOK_UPS and one.parameters:
            yield one.owner, one.parameters[0].name
