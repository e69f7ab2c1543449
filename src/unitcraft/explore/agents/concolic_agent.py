"""The concolic agent: run Calls on proxies of their inputs and answer the events of the run.

An event is a constraint with its outcome; together they are the path condition of the run.
``explain`` asks for the calls inside the run too.

Invariant: an answer depends on the Calls and the input values alone, and holds terms and atoms
only; recording a call changes neither its outcome nor its events.
"""

from __future__ import annotations

import marshal
import sys
from functools import partial
from hashlib import blake2b
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from unitcraft.execute.guest.interpret import DISPLAYS, INPUTS, STAND_INS
from unitcraft.explore.agents.concolic_answer import ConcolicAnswer
from unitcraft.explore.agents.replay_calls import replay
from unitcraft.instrument import interception
from unitcraft.instrument.branch_probes import BranchProbes
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.step_probes import StepProbes
from unitcraft.state.heap.atoms import LEAVES, token_of
from unitcraft.state.heap.canonical import DIGEST_SIZE, MARSHAL_VERSION, canonical, tokens
from unitcraft.state.heap.class_plans import PLANS, plan_of
from unitcraft.symbolic.containers.container_classes import STANDS_FOR
from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies.trace import (
    EVENTS,
    MARKS,
    PROXIES,
    PROXY_MAKERS,
    Marks,
    concrete_value,
    is_symbolic,
    recorded_events,
    reset_trace,
    term_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from unitcraft.core.encoding import Plain

#: Factor of the recursion limit: probes and methods of proxies take frames of their own.
FRAME_FACTOR: Final = 3
#: The first part of the token of a proxy.
_SLOT: Final = "slot"
#: The terms of the proxies met while the tokens of one heap are made.
_SLOTS: Final[list[Any]] = []
#: Not empty while the tokens of proxies are those of their values (a list, as a flag to share).
_AS_VALUES: Final[list[bool]] = []
#: Sites hit in the run under way.
_HITS: Final = Marks()
#: Calls of rewritten functions in the run under way: (place, name, terms), or (place, "", ())
#: where one ends; place is the number of events before.
_CALLS: Final[list[tuple[int, str, tuple[Any, ...]]]] = []
#: Entries of _CALLS that one run keeps: bounds memory and the answer's size.
MAX_CALL_EVENTS: Final = 400
#: Types whose values stand for themselves in the terms of a call.
_ATOMS: Final = frozenset({type(None), bool, int, float, str, bytes})
#: The term of any other argument.
_OTHER: Final = ("object",)


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import ``options["module"]`` with intercepted operations; answers {"sites": …}.

    With ``options["sites"]`` the code leaves marks where it branches; else there are no sites.
    With ``options["calls"]`` the answers tell the calls of rewritten code.
    """
    name = options["module"]
    branches = BranchProbes(intercepts.branch_intercepts(_HITS))
    counted = branches if options.get("sites") else StepProbes()
    probes = {**intercepts.INTERCEPTS}
    if options.get("calls"):
        probes[interception.CALL] = track_call
    hook = Hook(name, counted, interception.Interception(probes))
    hook.install()
    import_subject(name)
    _HITS.known = len(branches.table.sites)
    hook.choice.settle()
    ready = {"sites": branches.table.as_plain()}
    hook.choice.load_late()
    sys.setrecursionlimit(FRAME_FACTOR * sys.getrecursionlimit())
    DISPLAYS.update({"dict": _P[interception.DICT_OF], "set": _P[interception.SET_OF]})
    STAND_INS.update(_STANDINS)
    LEAVES.update(dict.fromkeys(PROXIES, _slot))
    for made, stands_for in STANDS_FOR.items():
        PLANS[made] = plan_of(stands_for)
    return ready


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


def track_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The probe of calls; records where a call of rewritten code begins and ends."""
    inner = function.__func__ if type(function) is MethodType else function
    if type(inner) is not FunctionType or interception.CALL not in inner.__globals__:
        return intercepts.call(function, *args, **kwargs)
    if len(_CALLS) >= MAX_CALL_EVENTS:
        return function(*args, **kwargs)
    terms = tuple([_term_of_argument(value) for value in (*args, *kwargs.values())])
    _CALLS.append((len(EVENTS), f"{inner.__module__}:{inner.__qualname__}", terms))
    try:
        return function(*args, **kwargs)
    finally:
        _CALLS.append((len(EVENTS), "", ()))


def _term_of_argument(value: Any) -> Any:
    return term_of(value) if is_symbolic(value) or type(value) in _ATOMS else _OTHER


def _slot(value: Any) -> Any:
    if _AS_VALUES:
        wrapped = token_of(concrete_value(value))
        return None if wrapped is None else wrapped[0]
    _SLOTS.append(value.term)
    return (_SLOT, value.__class__.__name__, len(_SLOTS) - 1)


def follow(item: Plain) -> Plain:
    """Run ``(calls, values, known)`` on proxies of ``values`` up to the first Call that raises.

    ``known`` has a byte for each expected event: its outcome.  Answers a ConcolicAnswer.
    """
    calls, values, known = item
    begin(values)
    results: list[Any] = []
    outcome = replay(calls, results, past_raise=False)
    return _answer(outcome, known, len(results) if outcome else len(results) - 1).plain()


def end(item: Plain) -> Plain:
    """As ``follow``, with the marks of the last Call only, and the heap of all objects returned."""
    calls, values, known = item
    begin(values)
    results: list[Any] = []
    outcome = replay(calls[:-1], results, past_raise=False)
    if not outcome:
        MARKS.clear()
        _HITS.counts.clear()
        outcome = replay(calls[-1:], results, past_raise=False)
    answer = _answer(outcome, known, len(results) if outcome else len(results) - 1)
    objects = [one for one in results if one is not None and _term_of(one) is None]
    return answer._replace(heap=(*_describe(tuple(objects)), b"")).plain()


def fields(item: Plain) -> Plain:
    """As ``follow``, with what the fields of the first result hold in the end, in order."""
    calls, values, known = item
    begin(values)
    results: list[Any] = []
    outcome = replay(calls, results, past_raise=False)
    answer = _answer(outcome, known, len(results) if outcome else len(results) - 1)
    found = vars(results[0]) if results and hasattr(results[0], "__dict__") else {}
    terms = [(name, _term_of(value)) for name, value in found.items()]
    return answer._replace(fields=tuple([one for one in terms if one[1] is not None])).plain()


def _term_of(value: Any) -> Any:
    """The term of an atom other than None; None for any other value."""
    if type(value) in PROXIES:
        return value.term
    return value if type(value) in (bool, *PROXY_MAKERS) else None


def reach(item: Plain) -> Plain:
    """Run ``(calls, values, known)`` on proxies of ``values`` and look at the receiver.

    Calls that raise do not end the run.  ``known`` has a byte for each expected event, those of
    the Calls before the last one.  Answers a ConcolicAnswer with the heap, and with the marks of
    the last Call only.
    """
    calls, values, known = item
    begin(values)
    results: list[Any] = []
    outcome = replay(calls[:-1], results)
    if not outcome or results:
        MARKS.clear()
        _HITS.counts.clear()
        outcome = replay(calls[-1:], results)
    answer = _answer(outcome, known, len(calls) - 1)
    if not results:
        return answer.plain()
    shape, slots = _describe((results[0],))
    digest = _digest_of_values(results[0]) if slots else shape
    return answer._replace(heap=(shape, slots, digest)).plain()


def _answer(outcome: str, known: bytes, last: int) -> ConcolicAnswer:
    """The answer of the run that just ended; ``known``: the outcomes of the expected events."""
    events, whole = recorded_events(len(known))
    as_known = bytes([one[1] for one in EVENTS[: len(known)]]) == known
    sent = tuple([marshal.dumps(one, MARSHAL_VERSION) for one in events])
    return ConcolicAnswer(outcome, as_known, sent, whole, tuple(MARKS), last, tuple(_CALLS))


def begin(values: Plain) -> None:
    """Forget the last run; proxies of ``values`` are the inputs."""
    reset_trace()
    _HITS.counts.clear()
    _CALLS.clear()
    INPUTS[:] = [
        PROXY_MAKERS[type(value)](value, ("v", place)) for place, value in enumerate(values)
    ]


def _describe(objects: tuple[Any, ...]) -> tuple[bytes, tuple[Any, ...]]:
    """The digest of the heap with marks in its symbolic slots, and the terms in them."""
    _SLOTS.clear()
    terms: list[Any] = []
    form = [_number_slots(token, terms) for token in tokens(objects)]
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
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {
    "reach": reach,
    "follow": follow,
    "end": end,
    "fields": fields,
}
