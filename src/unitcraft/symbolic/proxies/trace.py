"""The trace of one run: which constraints its inputs met, in order.

Invariant: an event is ``(term, outcome)`` with a term that evaluates to that truth under the
inputs of the run; whoever runs the same code on inputs that satisfy all events meets the
same events.  The outcome of an event of ``SAME`` is True; its other values are one branch.  A
value whose origin cannot be followed any further is *concretized*: an event says that it has just
this value.

Deviation: the branches of a comparison are recorded where the comparison is made, also when
its result is not tested at once.

Source: JTESTCRAFT, section 3.1; concretization is the array index constraints of section 3.2 (heap
simulation), used for everything that enters code which is not followed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final, TypeGuard

from unitcraft.instrument import interception
from unitcraft.symbolic.terms.operations import OF_FIXED_SIZE, OPERATIONS, UNLIMITED, TooLargeError
from unitcraft.symbolic.terms.raise_conditions import (
    FALLIBLE,
    may_raise,
    raises_several_classes,
    type_error_depends_on_values,
)
from unitcraft.symbolic.terms.term import (
    MAX_TERM_NODES,
    OK,
    RAISES,
    SAME,
    VARIABLE,
    Constraint,
    Term,
)

#: The events of the run under way; emptied in place, so that bound methods stay valid.
EVENTS: Final[list[Constraint]] = []
#: (site, number of events before it) for every mark that the rewritten code left.
MARKS: Final[list[tuple[int, int]]] = []
#: Parts, operation included, of a term of inputs and constants that needs no count of its nodes.
MAX_FLAT_PARTS: Final = 4
#: Levels of nesting of a term; ``evaluate`` recurs once for each.
MAX_TERM_DEPTH: Final = 60
#: Events kept of one run; the rest is cut off.
MAX_EVENTS: Final = 4000
#: Marks kept of one site in a run: those of the first rounds of a loop.
MAX_MARKS_PER_SITE: Final = 12

record = EVENTS.append


class Proxied:
    """The class of all proxies: values that know the term they came from in ``term``.

    ``concrete`` is the value without it.
    """

    __slots__ = ()
    term: Term
    concrete: Any


def concrete_value(value: Any) -> Any:
    """``value`` without proxies, no event recorded; tuples and lists are made anew."""
    plainly = _PLAIN.get(type(value))
    return value if plainly is None else plainly(value)


def is_instance(value: Any, classes: type | tuple[type, ...]) -> TypeGuard[Any]:
    """``isinstance`` that runs no ``__class__`` and no ``__getattribute__`` of the Subject.

    A proxy is an instance of the class that it stands for.
    """
    kind = type(value)
    return issubclass(PROXIES.get(kind, kind), classes)


def term_of(value: Any) -> Term:
    """The term of an argument: a proxy's own, a display of a tuple or list, else a constant."""
    kind = type(value)
    if kind in PROXIES:
        return value.term
    if kind is tuple or kind is list:
        return (kind.__name__, *[term_of(item) for item in value])
    return value


def is_symbolic(value: Any) -> bool:
    """Is ``value`` a proxy, or a tuple or list with one in it?"""
    kind = type(value)
    if kind in PROXIES:
        return True
    if kind is not tuple and kind is not list:
        return False
    for item in value:
        kind = type(item)
        if kind in PROXIES:
            return True
        if kind is tuple or kind is list:
            return _symbolic_inside(value)
    return False


def _symbolic_inside(value: Any) -> bool:
    """``is_symbolic`` of a nested tuple or list, which may hold itself."""
    waiting, met = [value], set()
    while waiting:
        holder = waiting.pop()
        if id(holder) in met:
            continue
        met.add(id(holder))
        for item in holder:
            kind = type(item)
            if kind in PROXIES:
                return True
            if kind is tuple or kind is list:
                waiting.append(item)
    return False


_PLAIN: Final[dict[type, Any]] = {
    tuple: lambda value: tuple([concrete_value(item) for item in value]),
    list: lambda value: [concrete_value(item) for item in value],
}
#: The function that makes a proxy of a value and its term, by the type of the value.
PROXY_MAKERS: Final[dict[type, Any]] = {}
#: The classes of proxies, which have no subclasses, and the class that each of them stands for.
PROXIES: Final[dict[type, type]] = {}


def register_proxy(kind: type, proxy: type, make: Any, value_of: Any) -> None:
    """Register the class ``proxy`` for values of ``kind``.

    ``make(value, term)`` makes a proxy; ``value_of`` gives its plain value.
    """
    PROXY_MAKERS[kind] = make
    PROXIES[proxy] = kind
    _PLAIN[proxy] = value_of


def concretize(value: Any) -> Any:
    """The plain value of ``value``; an event fixes it, its origin is followed no further."""
    if not is_symbolic(value):
        return value
    known = concrete_value(value)
    if type(known) is tuple or type(known) is list:
        for item in value:
            concretize(item)
    else:
        record(((SAME, value.term, known), True))
    return known


def apply_operation(name: str, *args: Any) -> Any:
    """Operation ``name`` of ``args``, some of them proxies: its result, followed if possible."""
    terms, values = [], []
    for arg in args:
        if type(arg) in PROXIES:
            terms.append(arg.term)
            values.append(arg.concrete)
        else:
            terms.append(term_of(arg))
            values.append(concrete_value(arg))
    term = (name, *terms)
    try:
        result = OPERATIONS[name](*values)
    except TooLargeError as error:
        record_failure(name, term, error)
        return UNLIMITED[name](*[concretize(arg) for arg in args])
    except Exception as error:
        record_failure(name, term, error)
        raise
    if name in FALLIBLE and may_raise(name, values, terms):
        record(((OK, term), True))
    return wrap(result, term)


def record_failure(name: str, term: Term, error: Exception) -> None:
    """Record that ``term``, an operation ``name``, raised ``error``, unless its types say so."""
    if isinstance(error, TypeError) and not type_error_depends_on_values(name):
        return
    record(((OK, term), False))
    if raises_several_classes(name):
        record(((SAME, (RAISES, term), type(error).__name__), True))


def wrap(result: Any, term: Term) -> Any:
    """``result``, the value of ``term``: a proxy, or a plain value after an event about it."""
    kind = type(result)
    make = PROXY_MAKERS.get(kind)
    if make is not None:
        return make(result, term)
    if kind is bool:
        record((term, result))
        return result
    if result is None:
        record(((SAME, term, None), True))
        return None
    if kind is tuple or kind is list:
        if term[0] not in OF_FIXED_SIZE:
            record(((SAME, ("len", term), len(result)), True))
        return kind([wrap(item, ("[]", term, place)) for place, item in enumerate(result)])
    record(((SAME, term, result), True))
    return result


def reset_trace() -> None:
    """Forget the events and marks of the last run."""
    EVENTS.clear()
    MARKS.clear()


class Marks:
    """Replaces the recorder's hits: keeps the order of sites among the events.

    ``known`` is the number of sites that the planner has heard of; later ones are not kept.
    """

    __slots__ = ("counts", "known")

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}
        self.known = sys.maxsize

    def __setitem__(self, site: int, _: int) -> None:
        seen = self.counts.get(site, 0)
        if seen < MAX_MARKS_PER_SITE and site < self.known:
            self.counts[site] = seen + 1
            MARKS.append((site, len(EVENTS)))


def recorded_events(start: int = 0) -> tuple[list[Constraint], bool]:
    """(events from ``start`` on, are these all?); a term that is too large cuts the trace."""
    sizes: dict[int, tuple[int, int]] = {}
    events = EVENTS[start : start + MAX_EVENTS]
    for place, (term, _) in enumerate(events):
        if not (_flat(term) or _small(term, sizes)):
            return events[:place], False
    return events, len(EVENTS) - start <= MAX_EVENTS


def _flat(term: Term) -> bool:
    """Is ``term`` an operation on a few inputs and constants?"""
    if type(term) is not tuple or len(term) > MAX_FLAT_PARTS:
        return False
    for part in term:  # noqa: SIM110 - a generator would cost more than all the rest
        if type(part) is tuple and part[0] != VARIABLE:
            return False
    return True


def _small(term: Term, sizes: dict[int, tuple[int, int]]) -> bool:
    """Has ``term`` at most the nodes and the depth of a term?  ``sizes``: (nodes, depth) by id."""
    if type(term) is not tuple:
        return True
    waiting = [term]
    while waiting:
        node = waiting[-1]
        if id(node) in sizes:
            waiting.pop()
            continue
        parts = [part for part in node[1:] if type(part) is tuple]
        unknown = [part for part in parts if id(part) not in sizes]
        if unknown:
            waiting += unknown
            continue
        known = [sizes[id(part)] for part in parts]
        nodes = len(node) + sum(size for size, _ in known)
        depth = 1 + max((deep for _, deep in known), default=0)
        sizes[id(node)] = (nodes, depth)
        if nodes > MAX_TERM_NODES or depth > MAX_TERM_DEPTH:
            return False
        waiting.pop()
    return True


def apply_mixed(function: Callable[..., Any], first: Any, second: Any) -> Any:
    """Apply ``function`` to a proxy of a number and something other than a plain number.

    NotImplemented leaves it to the other operand, which has Python code or does not take numbers;
    C code gets the concretized value.
    """
    other = second if type(first) in PROXIES else first
    kind = type(other)
    if kind in _NON_NUMERIC or _rewritten(kind):
        return NotImplemented
    return function(concretize(first), concretize(second))


#: Classes that do not take numbers, or ask for ``__index__``.
_NON_NUMERIC: Final = frozenset(
    {
        str, bytes, bytearray, type(None), list, tuple, dict, set, frozenset, range, type,
        FunctionType,
    }
)  # fmt: skip
_KNOWN: Final[dict[type, bool]] = {}


def _rewritten(kind: type) -> bool:
    """Is ``kind`` a class with rewritten methods, and no number?"""
    known = _KNOWN.get(kind)
    if known is None:
        methods = [item for base in kind.__mro__ for item in vars(base).values()]
        known = _KNOWN[kind] = not issubclass(kind, (int, float, complex)) and any(
            type(item) is FunctionType and interception.CALL in item.__globals__ for item in methods
        )
    return known
