"""The agent of specification inference: one step of a transition table, and what is true of it.

Invariant: the Subject runs on its own code, not rewritten; every item starts from constructors
and nothing of one item is kept for the next but compiled Calls.
"""

from __future__ import annotations

import itertools
import marshal
from contextlib import suppress
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from unitcraft.core.encoding import encode
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.interpret import MAX_COMPILED, type_name
from unitcraft.execute.isolation.entropy import ENTROPY
from unitcraft.execute.steps import BOUNDS
from unitcraft.explore.agents.replay_calls import compiled, replay
from unitcraft.state.heap.builtin_containers import generators_read_by
from unitcraft.state.heap.canonical import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain

#: Items taken from a generator: as many as the longest history makes.  A list with fewer is whole.
MAX_DRAINED: Final = 150
#: Fields of one object that ``fields`` answers: a reader takes in no more.
MAX_FIELDS: Final = 12
#: Types of keys whose order in a dict is found by their text.
_KEYS: Final = frozenset({str, int, bool, float, bytes, type(None)})
#: Types of results that are turned into Args without a call into the Subject.
_HARMLESS: Final = _KEYS


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import ``options["module"]``; answers {}."""
    import_subject(options["module"])
    return {}


def _digest(*objects: Any) -> bytes:
    """The digest of ``objects``; of a random generator its seed alone counts."""
    with generators_read_by(ENTROPY.seed_of):
        return canonical(objects)


def start(item: Plain) -> Plain:
    """The digest of the object that the one Call of ``item`` makes; empty when it raises."""
    results: list[Any] = []
    outcome = replay(item, results)
    return (outcome, _digest(results[0]) if results else b"")


def step(item: Plain) -> Plain:
    """Run the marshalled Calls of ``item[0]``; the last is called on result ``item[1]``.

    Answers (kind, payload, digest afterwards).  The kind is ``v`` (payload: an
    encoded value), ``self`` (the receiver was returned), ``s`` (payload: the digest of another
    object of its class), ``x`` (payload: the class raised), or ``lost`` when an earlier Call
    raised.
    """
    path, place = item
    results: list[Any] = []
    if replay(path[:-1], results, past_raise=False):
        return ("lost", None, b"")
    return _last_step(path[-1], results, results[place])


def _last_step(call: bytes, results: list[Any], receiver: Any) -> tuple[str, Plain, bytes]:
    outcome = replay_last(call, results)
    after = _digest(receiver)
    if outcome:
        return ("x", outcome, after)
    value = results[-1]
    if value is receiver:
        return ("self", None, after)
    if type(value) is type(receiver):
        return ("s", _digest(value), after)
    return ("v", encode(to_arg(value)), after)


def walk(item: Plain) -> Plain:
    """What ``step`` answers after each step of a walk, all of it in one history.

    ``item`` is (path, number of the result on which the first step calls, steps, its digest); a
    step is the Calls that make its arguments and the last one, and whether the next one calls on
    what this one made, not on what it was called on.  Answers a prefix: it ends after a step from
    which ``step`` would not go on in this way, as it raised, left what was there or did not make
    what it was to make, and after one whose result is not plain or was taken item by item.
    """
    path, place, steps, before = item
    results: list[Any] = []
    answers: list[tuple[str, Plain, bytes]] = []
    if replay(path, results, past_raise=False):
        return ()
    for calls, makes in steps:
        if replay(calls[:-1], results, past_raise=False):
            break
        answer = _last_step(calls[-1], results, results[place])
        answers.append(answer)
        kind, payload, after = answer
        if makes:
            goes_on, after, place = kind == "s", payload, len(results) - 1
        else:
            goes_on = kind == "self" or (kind == "v" and type(results[-1]) in _HARMLESS)
        if not goes_on or after == before or _undrained(calls[-1])[1]:
            break
        before = after
    return tuple(answers)


class Repeated(NamedTuple):
    """``step`` once more, whether the Calls before the last drew on chance, and whether any did."""

    answer: Plain
    follows_chance: bool
    draws: bool


def repeat(item: Plain) -> Plain:
    """The fields of ``Repeated``."""
    path, _ = item
    ENTROPY.start()
    replay(path[:-1], [], past_raise=False)
    follows_chance = bool(ENTROPY.drawn())
    ENTROPY.start()
    answer = step(item)
    return tuple(Repeated(answer, follows_chance, bool(ENTROPY.drawn())))


def replay_last(call: bytes, results: list[Any]) -> str:
    """Run one Call on ``results``; '' when it returned, else the class raised."""
    call, drains = _undrained(call)
    try:
        value = compiled(call)(results)
        results.append(list(itertools.islice(value, MAX_DRAINED)) if drains else value)
    except BOUNDS:
        raise
    except BaseException as error:  # noqa: BLE001 - any outcome of the Subject
        return type_name(type(error))
    return ""


def _undrained(call: bytes) -> tuple[bytes, bool]:
    """A Call without the taking of the few items that a test shows; were these to be taken?"""
    known = _UNDRAINED.get(call)
    if known is None:
        kind, name, args, kwargs, then = marshal.loads(call)  # noqa: S302 - the planner's own
        if len(_UNDRAINED) >= MAX_COMPILED:
            _UNDRAINED.clear()
        bare, drains = call, True
        if then == "drain":
            bare = marshal.dumps((kind, name, args, kwargs, ""), 2)
        elif (kind, name) == ("operator", "list"):
            bare = marshal.dumps(("function", "builtins:iter", args, kwargs, then), 2)
        else:
            drains = False
        known = _UNDRAINED[call] = (bare, drains)
    return known


def equals(item: Plain) -> Plain:
    """Which of the objects at the end of paths are ``==``?

    ``item`` is (paths, ((place, places), ...)), a path (Calls, number of the result).  Each object
    is made once; the one at each place is compared with those at its places.  Each answer is True,
    False, or None when ``==`` raised, was not symmetric, gave no bool or changed something.
    """
    paths, asked = item
    objects = [_made(path) for path in paths]
    before = _digest(*objects)
    answers = tuple(
        tuple(_equal(objects[place], objects[other]) for other in others) for place, others in asked
    )
    unchanged = _digest(*objects) == before
    return answers if unchanged else tuple((None,) * len(others) for _, others in asked)


def _equal(left: Any, right: Any) -> bool | None:
    try:
        forth, back = left == right, right == left
    except Exception:  # noqa: BLE001 - the Subject may raise anything
        return None
    return forth if forth is back and type(forth) is bool else None


def _made(path: Plain) -> Any:
    results: list[Any] = []
    replay(path[0], results, past_raise=False)
    return results[path[1]]


def unordered(item: Plain) -> Plain:
    """The digest of the object at the end of a path, in which the order of dicts does not count.

    Empty where no dict in it has two keys.  Only dicts whose keys are numbers and texts count as
    alike in any order.
    """
    value = _made(item)
    dicts = [one for one in _dicts_in(value) if len(one) > 1 and _KEYS.issuperset(map(type, one))]
    for one in dicts:
        pairs = sorted(one.items(), key=lambda pair: repr(pair[0]))
        one.clear()
        one.update(pairs)
    return _digest(value) if dicts else b""


def _dicts_in(value: Any) -> list[dict[Any, Any]]:
    """The dicts that are reached from ``value`` through fields and builtin containers."""
    seen: dict[int, Any] = {}
    todo = [value]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, (type, ModuleType, FunctionType)):
            continue
        seen[id(one)] = one
        if type(one) is dict:
            todo += one.values()
        elif type(one) in (list, tuple):
            todo += one
        elif hasattr(type(one), "__dict__"):
            todo += _fields_of(one)
    return [one for one in seen.values() if type(one) is dict]


def _fields_of(value: Any) -> list[Any]:
    """What the fields of an object hold, without code of its class."""
    try:
        named = object.__getattribute__(value, "__dict__")
    except AttributeError:
        named = {}
    slots = [
        getattr(cls, "__dict__", {}).get(name)
        for cls in type(value).__mro__
        for name in _names(cls.__dict__.get("__slots__", ()))
    ]
    found = list(named.values()) if type(named) is dict else []
    for slot in slots:
        if type(slot) is MemberDescriptorType:
            with suppress(AttributeError):
                found.append(slot.__get__(value))
    return found


def _names(slots: Any) -> tuple[Any, ...]:
    return (slots,) if type(slots) is str else tuple(slots) if type(slots) in (list, tuple) else ()


def fields(item: Plain) -> Plain:
    """(name, encoded value) of the plain fields of the object at the end of a path."""
    value = _made(item)
    named = getattr(value, "__dict__", None)
    rows = [] if type(named) is not dict else list(named.items())
    return tuple(
        (name, encode(to_arg(field))) for name, field in rows[:MAX_FIELDS] if type(name) is str
    )


def holds(item: Plain) -> Plain:
    """Does the expression of ``item`` evaluate to True after its statements?

    ``item`` is (statements, expression); answers '' for True, else what came instead.
    """
    statements, expression = item
    names: dict[str, Any] = {}
    try:
        exec(statements, names)  # noqa: S102 - the text is ours, run in the worker
        value = eval(expression, names)  # noqa: S307
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"[:200]
    return "" if value is True else repr(value)[:200]


#: Calls without their taking of items, by their encoding.
_UNDRAINED: dict[bytes, tuple[bytes, bool]] = {}
#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {
    "start": start, "step": step, "walk": walk, "repeat": repeat, "equals": equals,
    "fields": fields, "holds": holds, "unordered": unordered,
}  # fmt: skip
