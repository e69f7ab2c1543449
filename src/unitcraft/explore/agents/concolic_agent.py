"""The concolic agent: run Calls on proxies of their inputs and answer the events of the run.

An event is a constraint with its outcome; together they are the path condition of the run.

Invariant: an answer depends on the Calls and the input values alone, and holds terms and atoms
only.
"""

from __future__ import annotations

import importlib
import marshal
import sys
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from unitcraft.execute.guest.arg_of_value import type_name
from unitcraft.execute.guest.interpret import (
    DISPLAYS,
    INPUTS,
    MAX_COMPILED,
    STAND_INS,
    compile_call,
)
from unitcraft.instrument import interception
from unitcraft.instrument.import_hook import Hook
from unitcraft.state.heap.atoms import LEAVES, token_of
from unitcraft.state.heap.canonical import DIGEST_SIZE, MARSHAL_VERSION, canonical, tokens
from unitcraft.state.heap.class_plans import PLANS, plan_of
from unitcraft.subject.description.describe import describe
from unitcraft.subject.subject_codec import encode_subject
from unitcraft.symbolic.containers.container_classes import STANDS_FOR
from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies.int_float import SymFloat, SymInt, sym_float, sym_int
from unitcraft.symbolic.proxies.strings import SymBytes, SymStr, sym_bytes, sym_str
from unitcraft.symbolic.proxies.trace import (
    EVENTS,
    MARKS,
    Marks,
    concrete_value,
    recorded_events,
    reset_trace,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain

#: Factor of the recursion limit: probes and methods of proxies take frames of their own.
FRAME_FACTOR: Final = 3
#: The function that makes a proxy of a value, by its type.
_MAKE: Final[dict[type, Callable[[Any, Any], Any]]] = {
    int: sym_int, float: sym_float, str: sym_str, bytes: sym_bytes,
}  # fmt: skip
#: The first part of the token of a proxy.
_SLOT: Final = "slot"
#: The terms of the proxies met while the tokens of one heap are made.
_SLOTS: Final[list[Any]] = []
#: Not empty while the tokens of proxies are those of their values (a list, as a flag to share).
_AS_VALUES: Final[list[bool]] = []
#: Marshalled Call -> the function that runs it.
_COMPILED: Final[dict[bytes, Callable[[list[Any]], Any]]] = {}
#: Sites hit in the run under way.
_HITS: Final = Marks()


def prepare(options: Plain) -> Plain:
    """Import ``options["module"]`` with intercepted operations; answers its Subject.

    With ``options["sites"]`` the code leaves marks where it branches, and the answer is
    {"subject": …, "sites": …}.
    """
    name = options["module"]
    sites = bool(options.get("sites"))
    table = (
        {**intercepts.INTERCEPTS, **intercepts.branch_intercepts(_HITS)}
        if sites
        else intercepts.INTERCEPTS
    )
    hook = Hook(name.partition(".")[0], tracing=sites, marking=sites, blind=True, probes=table)
    hook.install()
    module = importlib.import_module(name)
    _HITS.known = len(hook.table.sites)
    sys.setrecursionlimit(FRAME_FACTOR * sys.getrecursionlimit())
    DISPLAYS.update({"dict": _P[interception.DICT_OF], "set": _P[interception.SET_OF]})
    STAND_INS.update(_STANDINS)
    for kind in (SymInt, SymFloat, SymStr, SymBytes):
        LEAVES[kind] = _slot
    for made, stands_for in STANDS_FOR.items():
        PLANS[made] = plan_of(stands_for)
    subject = encode_subject(describe(module))
    return {"subject": subject, "sites": hook.table.as_plain()} if sites else subject


_P: Final = intercepts.INTERCEPTS
#: How a program's own Calls treat proxies: as rewritten code does.
_STANDINS: Final[dict[str, Callable[..., Any]]] = {
    "call": _P[interception.CALL],
    "[]": _P[interception.GET],
    "[]=": lambda container, index, value: _P[interception.SET](value, container, index),
    "del[]": _P[interception.DELETE],
    "in": lambda container, item: _P[interception.MEMBER](*(False, item, container)),
    "%": _P[interception.MODULO],
    **{
        name: partial(_P[interception.CALL], function)
        for name, function in (
            ("len", len), ("str", str), ("repr", repr), ("int", int), ("float", float),
            ("bytes", bytes), ("bool", bool), ("round", round), ("format", format), ("set", set),
            ("dict", dict),
        )
    },
}  # fmt: skip


def _slot(value: Any) -> Any:
    if _AS_VALUES:
        wrapped = token_of(concrete_value(value))
        return None if wrapped is None else wrapped[0]
    _SLOTS.append(value.term)
    return (_SLOT, value.__class__.__name__, len(_SLOTS) - 1)


def reach(item: Plain) -> Plain:
    """Replay ``(calls, values, known)`` on proxies of ``values``.

    Answers (outcome, whether the first ``known`` events had the given outcomes, the events after
    them, whether these are all, shape, slots, digest, sites).  Shape and slots describe the
    receiver; the digest is that of the same heap with values in its slots; the sites are those
    that the last Call hit, in the order of their first hits.  ``known`` has a byte for each event
    of the Calls before the last one.
    """
    calls, values, known = item
    begin(values)
    results: list[Any] = []
    outcome = _run(calls[:-1], results)
    if not outcome or results:
        MARKS.clear()
        _HITS.counts.clear()
        outcome = _run(calls[-1:], results)
    events, whole = recorded_events(len(known))
    as_known = bytes([one[1] for one in EVENTS[: len(known)]]) == known
    shape, slots = _describe(results[0]) if results else (b"", ())
    digest = _digest_of_values(results[0]) if slots else shape
    sites = tuple(dict.fromkeys([site for site, _ in MARKS]))
    return (outcome, as_known, tuple(events), whole, shape, slots, digest, sites)


def follow(item: Plain) -> Plain:
    """Run ``(calls, values)``; answers (outcome, events, whether they are all, marks)."""
    calls, values = item
    begin(values)
    outcome = _run(calls, [])
    events, whole = recorded_events()
    return (outcome, tuple(events), whole, tuple(MARKS))


def begin(values: Plain) -> None:
    """Forget the last run; proxies of ``values`` are the inputs."""
    reset_trace()
    _HITS.counts.clear()
    INPUTS[:] = [_MAKE[type(value)](value, ("v", place)) for place, value in enumerate(values)]


def _run(calls: Plain, results: list[Any]) -> str:
    """Run ``calls`` and append what they return; answers the last outcome.

    A first Call that raises ends the run: there is no receiver.
    """
    outcome = ""
    for call in calls:
        action = _COMPILED.get(call) or action_of(call)
        try:
            results.append(action(results))
            outcome = ""
        except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit) as error:  # noqa: BLE001
            outcome = type_name(type(error))
            if not results:
                break
            results.append(None)
    return outcome


def action_of(call: bytes) -> Callable[[list[Any]], Any]:
    """A function that runs a marshalled Call on the results so far; compiled once."""
    known = _COMPILED.get(call)
    if known is not None:
        return known
    if len(_COMPILED) >= MAX_COMPILED:
        _COMPILED.clear()
    action = _COMPILED[call] = compile_call(marshal.loads(call))  # noqa: S302 - the planner's own
    return action


def _describe(receiver: Any) -> tuple[bytes, tuple[Any, ...]]:
    """The digest of the heap with marks in its symbolic slots, and the terms in them."""
    _SLOTS.clear()
    terms: list[Any] = []
    form = [_number_slots(token, terms) for token in tokens((receiver,))]
    shape = blake2b(marshal.dumps(form, MARSHAL_VERSION), digest_size=DIGEST_SIZE).digest()
    return shape, tuple(terms)


def _digest_of_values(receiver: Any) -> bytes:
    """The digest that the heap would have without proxies."""
    _AS_VALUES.append(True)
    try:
        return canonical((receiver,))
    finally:
        _AS_VALUES.clear()


def _number_slots(token: Any, terms: list[Any]) -> Any:
    """``token`` with its slots numbered by their place in the form."""
    if type(token) is not tuple or len(token) < 2:  # noqa: PLR2004 - a leaf has two parts or more
        return token
    if token[0] == _SLOT:
        terms.append(_SLOTS[token[2]])
        return (_SLOT, token[1])
    return tuple([_number_slots(part, terms) for part in token])


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"reach": reach, "follow": follow}
