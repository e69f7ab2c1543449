"""What results hold: terms that name other results of the run, and private attributes set in it.

Invariant: a Ref in such a term is the number of the very object that stands there, so that the test
can write the variable in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from unitcraft.core.encoding import Plain, decode, encode
from unitcraft.core.outcomes import Opaque, ResultValue
from unitcraft.core.sequences import (
    EACH,
    MAX_KEYS_TOLD,
    Build,
    Display,
    DisplayKind,
    Ref,
)
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.continuations import MAX_ITEMS_DRAINED
from unitcraft.execute.guest.interpret import Results, compile_argument, type_name
from unitcraft.explore.agents.observer_calls import is_key, is_of_project, observer_call
from unitcraft.state.heap.object_layout import Hidden, dictionary_of

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


class FieldsBefore(NamedTuple):
    """The attributes of the receiver of a method before it ran, and its number; -1 for none."""

    receiver: int
    held: dict[str, Any]


def receiver_fields(call: Plain, results: Results) -> FieldsBefore:
    """Those of the receiver of the encoded ``call``, which is a method of a result."""
    kind, _, args, *_ = call
    if kind != "method" or not args or args[0][0] != "r":
        return FieldsBefore(-1, {})
    return FieldsBefore(args[0][1], _dictionary(results[args[0][1]]))


def hidden_changes(before: FieldsBefore, results: Results) -> list[str]:
    """The private attributes that are others now, where no public one is.

    None whose name its class alone is to use.
    """
    now = _dictionary(results[before.receiver])
    changed = [name for name, value in now.items() if before.held.get(name, now) is not value]
    is_hidden = all(name[:1] == "_" and "__" not in name for name in changed)
    return changed if is_hidden else []


def _dictionary(value: Any) -> dict[str, Any]:
    """A copy of the instance dictionary; {} where there is none that can be read."""
    try:
        getter = dictionary_of(type(value))
    except Hidden:
        return {}
    found = {} if getter is None else getter(value)
    return {name: held for name, held in found.items() if type(name) is str}


def is_constructor(call: Plain, value: Any) -> bool:
    """Is the Call the constructor of its result, so that comparing with itself says nothing?"""
    return bool(call[0] == "function" and call[1] == type_name(type(value)))


def equal_twins(term: Plain, value: Any) -> Iterator[tuple[str, Any]]:
    """(attribute, object) of what ``==`` takes for ``value`` and may have another attribute.

    It is made as ``term`` says, or without one argument of that: whoever compares with
    ``Version(1, build="b")`` may see nothing of ``build``.
    """
    made = decode(term)
    if not isinstance(made, Build):
        return
    held = getattr(value, "__dict__", {})
    twins = [(name, made) for name in held if not name.startswith("_")]
    for left in made.kwargs:
        kept = tuple([one for one in made.kwargs if one != left])
        twins.append((left[0], replace(made, kwargs=kept)))
    for name, twin in twins:
        with suppress(Exception):  # arguments that are needed, and what ``==`` raises
            other = compile_argument(encode(twin))([])
            if other == value:
                yield name, other


def as_plain(value: Any) -> Any:
    """The tuple that a named tuple is equal to; any other value is itself."""
    kind = type(value)
    is_named = kind.__mro__[1:2] == (tuple,) and "_fields" in vars(kind)
    return tuple(value) if is_named and "__eq__" not in vars(kind) else value


def held_in_dict(term: Plain, index: int, path: str = "") -> Iterator[tuple[Plain, Plain]]:
    """(observer, term) pairs of what the dictionary with the encoded ``term`` holds.

    It is what ``path`` reads from result number ``index``, '' for the result: its keys, and the
    values under those that are texts.
    """
    if term[:2] != ("d", "dict"):
        return
    keys, values = term[2][::2], term[2][1::2]
    if len(keys) <= MAX_KEYS_TOLD:
        yield observer_call("get", f"{path}{EACH}", index), ("d", "list", keys)
    for key, value in zip(keys, values, strict=True):
        if key[0] == "c" and is_key(key[1]):
            inner = f'{path}["{key[1]}"]'
            yield observer_call("get", inner, index), value
            yield from held_in_dict(value, index, inner)
