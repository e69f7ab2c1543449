"""Terms of values that are, or hold, other results of the same run.

Invariant: a Ref in such a term is the number of the very object that stands there, so that the test
can write the variable in its place.
"""

from __future__ import annotations

from typing import Any, Final

from unitcraft.core.outcomes import Opaque, ResultValue
from unitcraft.core.sequences import Display, DisplayKind, Ref
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.interpret import MAX_ITEMS_DRAINED, Results
from unitcraft.explore.agents.observer_calls import is_of_project

#: Containers of which a test says what is in them.
_DISPLAYS: Final[dict[type, DisplayKind]] = {list: "list", tuple: "tuple", dict: "dict"}
#: Modules of the classes of stand-ins.
_STAND_INS: Final = ("types", "unittest.mock")
#: Containers inside each other of which it says so.
MAX_NESTED: Final = 2
#: Types whose values are compared by value, never by identity.
ATOMS: Final = (type(None), bool, int, float, complex, str, bytes)


def known_term(seen: Any, results: Results, observed: int) -> Ref | Display | None:
    """The term of what result number ``observed`` shows, where that is or holds other results.

    Of a container that a test can write without them None, as of every value.
    """
    others = [None if at == observed else one for at, one in enumerate(results)]
    if type(seen) not in _DISPLAYS:
        known = (at for at, one in enumerate(others) if one is seen)
        return next((Ref(at) for at in known if _is_object(seen)), None)
    held = seen.values() if type(seen) is dict else seen
    if not any(one is other for one in held if _is_object(one) for other in others):
        return None
    return made_of(seen, others)


def _is_object(value: Any) -> bool:
    """Is it an object of a class of the project's, or what stands in for one?"""
    return is_of_project(value) or type(value).__module__ in _STAND_INS


def made_of(value: Any, known: Results, depth: int = 0) -> Display | None:
    """The term of a container that holds results ``known`` before; None where it has none.

    Keys have terms of their own.
    """
    kind = _DISPLAYS.get(type(value))
    if kind is None or len(value) > MAX_ITEMS_DRAINED or depth > MAX_NESTED:
        return None
    is_dict = kind == "dict"
    parts = [part for pair in value.items() for part in pair] if is_dict else value
    terms = [
        to_arg(part) if is_dict and not at % 2 else _term_inside(part, known, depth)
        for at, part in enumerate(parts)
    ]
    items = tuple([term for term in terms if term is not None and not isinstance(term, Opaque)])
    return Display(kind, items) if len(items) == len(terms) else None


def _term_inside(part: Any, known: Results, depth: int) -> ResultValue | None:
    """The term of a part of a container: of an object that was ``known`` before, its number."""
    known_as = (at for at, one in enumerate(known) if one is part and type(one) not in ATOMS)
    at = next(known_as, -1)
    term = Ref(at) if at >= 0 else to_arg(part)
    return made_of(part, known, depth + 1) if isinstance(term, Opaque) else term
