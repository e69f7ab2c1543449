"""Runs source plainly and on proxies, and asserts that both agree."""

from __future__ import annotations

import ast
import datetime as dt
import re
import sys
from collections import deque
from random import Random
from types import ModuleType

from unitcraft.instrument.interception import InterceptionRewriter
from unitcraft.symbolic.intercept.intercepts import INTERCEPTS
from unitcraft.symbolic.proxies.int_float import SymFloat, SymInt, sym_float, sym_int
from unitcraft.symbolic.proxies.moments import SymMoment, SymSpan, microseconds_of
from unitcraft.symbolic.proxies.ranges import SymRange
from unitcraft.symbolic.proxies.regex_match import SymMatch
from unitcraft.symbolic.proxies.strings import SymBytes, SymStr, sym_bytes, sym_str
from unitcraft.symbolic.proxies.trace import (
    EVENTS,
    Proxied,
    concrete_value,
    recorded_events,
    reset_trace,
)
from unitcraft.symbolic.terms.operations import same
from unitcraft.symbolic.terms.term import are_satisfied, variable, variables_of

MAKE = {int: sym_int, float: sym_float, str: sym_str, bytes: sym_bytes}
PROXIES = (SymInt, SymFloat, SymStr, SymBytes)
#: Inputs that are drawn with all atoms changed.
MIXED = 30
#: Inputs by which a path is tried again.
POOL = {
    int: (0, 1, -1, 2, 3, 5, 7, 10, -4, 100, 255, 256, 300, 1000),
    float: (0.0, -0.0, 1.0, -1.5, 2.5, 0.1, 1e300, float("nan"), float("inf"), -float("inf")),
    str: ("", "a", "abc", "ABC", "12", " 7 ", "a,b", "x-1", "é", "12-", "b", "{}", "%s"),
    bytes: (b"", b"a", b"abc", b"12", b"\xff", b"a,b"),
}


def _namespace(source, tree):
    name = "agreeing"
    module = ModuleType(name)
    sys.modules[name] = module
    if tree is not None:
        vars(module).update(INTERCEPTS)
    exec(compile(tree or source, "<agreeing>", "exec"), vars(module))
    return vars(module)


class Program:
    """A function as it is written, and rewritten."""

    def __init__(self, source, name="f"):
        self.source = source
        self.plainly = _namespace(source, None)[name]
        tree = ast.fix_missing_locations(InterceptionRewriter().visit(ast.parse(source)))
        self.rewritten = _namespace(source, tree)[name]

    def plain(self, inputs):
        """The outcome of the run on the inputs themselves."""
        return _outcome(self.plainly, _fresh_inputs(inputs), shown)

    def symbolic(self, inputs):
        """(outcome, skeleton, events) of the run on proxies, also in mutable inputs.

        The skeleton is the outcome without the values of proxies: the same all along a path.
        """
        reset_trace()
        counter = iter(range(1000))
        args = tuple([_proxied(one, counter) for one in inputs])
        outcome, skeleton = _outcome(self.rewritten, args, _both)
        events, whole = recorded_events()
        assert whole
        return (outcome, skeleton, events)


def _both(value):
    return (shown(value), shown(value, hide=True))


def _outcome(function, args, form):
    try:
        result = function(*args)
    except Exception as error:  # noqa: BLE001 - whatever the Subject raises
        raised = ("raised", type(error).__name__)
        return (raised, raised) if form is _both else raised
    made = form(result)
    return (("value", made[0]), ("value", made[1])) if form is _both else ("value", made)


def _fresh_inputs(inputs):
    return tuple([_copy(one) for one in inputs])


def _copy(value):
    if type(value) in (list, tuple):
        return type(value)([_copy(item) for item in value])
    return {key: _copy(item) for key, item in value.items()} if type(value) is dict else value


def _proxied(value, counter):
    make = MAKE.get(type(value))
    if make is not None:
        return make(value, variable(next(counter)))
    if type(value) in (list, tuple):
        return type(value)([_proxied(item, counter) for item in value])
    if type(value) is dict:
        return {key: _proxied(item, counter) for key, item in value.items()}
    return value


def atoms(value):
    """The inputs of ``value`` in the order of their variables."""
    if type(value) in MAKE:
        return [value]
    if type(value) is dict:
        return [atom for item in value.values() for atom in atoms(item)]
    return [atom for item in value for atom in atoms(item)] if type(value) in (list, tuple) else []


def shown(value, *, hide=False):
    """``value`` in a form that tells classes, NaN and -0.0 apart, proxies by value or hidden."""
    if type(value) in (SymMoment, SymSpan):
        known = value.moment if type(value) is SymMoment else concrete_value(value.total)
        return ("followed", type(known).__name__) if hide else repr(known)
    if isinstance(value, (dt.date, dt.timedelta)):
        return repr(value if isinstance(value, dt.date) else microseconds_of(value))
    if isinstance(value, (Proxied, SymMatch)):
        known = value.match if type(value) is SymMatch else value.concrete
        return ("followed", type(known).__name__) if hide else shown(known)
    if type(value) in (SymRange, range):
        return ("range", [shown(item, hide=hide) for item in value])
    name = type(value).__name__
    if isinstance(value, dict):
        return (name, _shown_pairs(value, hide=hide))
    if isinstance(value, _LISTED):
        return (name, [shown(item, hide=hide) for item in value])
    if isinstance(value, (set, frozenset)):
        return (name, sorted([repr(shown(item, hide=hide)) for item in value]))
    if isinstance(value, re.Match):
        return (name, (value.span(), value.groups()))
    if isinstance(value, float):
        return (name, value.hex())
    return (name, shown(vars(value), hide=hide) if hasattr(value, "__dict__") else repr(value))


def _shown_pairs(table, *, hide):
    before = len(EVENTS)
    made = [
        (shown(key, hide=hide), shown(dict.__getitem__(table, key), hide=hide))
        for key in list(table)
    ]
    del EVENTS[before:]
    return made


_LISTED = (list, tuple, deque, type({}.keys()), type({}.values()))


def same_events(first, second):
    """Are two traces one, with NaN the same as itself?"""
    return len(first) == len(second) and all(
        one[1] is other[1] and same(one[0], other[0])
        for one, other in zip(first, second, strict=True)
    )


def agree(source, name, *inputs, pool=True):
    """``name`` of ``source`` does the same plainly and on proxies of ``inputs``; the events."""
    program = Program(source, name)
    return agrees(program, inputs, pool=pool)


def agrees(program, inputs, *, pool=True):
    """As ``agree``, for a program made before."""
    expected = program.plain(inputs)
    outcome, skeleton, events = program.symbolic(inputs)
    if outcome != expected:
        _fail(program, inputs, outcome, "instead of", expected, events)
    values = [atom for one in inputs for atom in atoms(one)]
    for event in events:
        if not are_satisfied([event], values) or not variables_of(event[0]):
            _fail(
                program,
                inputs,
                outcome,
                "with an event that does not hold, or of constants:",
                event,
                events,
            )
    for other in others(inputs) if pool else ():
        if are_satisfied(events, [atom for one in other for atom in atoms(one)]):
            again, same, met = program.symbolic(other)
            if program.plain(other) != again or not same_events(met, events) or same != skeleton:
                _fail(program, inputs, skeleton, events, "but of", other, again, same, met)
    return events


def _fail(program, *parts):
    raise AssertionError("\n".join([program.source, *[str(part) for part in parts]]))


def others(inputs):
    """Inputs of the same shape: one atom changed, then several at once."""
    for place, one in enumerate(inputs):
        for changed in _changed(one):
            yield (*inputs[:place], changed, *inputs[place + 1 :])
    choose = Random(0)
    if sum(len(atoms(one)) for one in inputs) > 1:
        for _ in range(MIXED):
            yield tuple([_mixed(one, choose) for one in inputs])


def _mixed(value, choose):
    if type(value) in POOL:
        return choose.choice((value, *POOL[type(value)]))
    if type(value) in (list, tuple):
        return type(value)([_mixed(item, choose) for item in value])
    if type(value) is dict:
        return {key: _mixed(item, choose) for key, item in value.items()}
    return value


def _changed(value):
    if type(value) in POOL:
        yield from POOL[type(value)]
    elif type(value) in (list, tuple):
        for place, item in enumerate(value):
            for changed in _changed(item):
                yield type(value)([*value[:place], changed, *value[place + 1 :]])
    elif type(value) is dict:
        for key, item in value.items():
            for changed in _changed(item):
                yield {**value, key: changed}


def unfailing(events):
    """No event says that something did not fail."""
    return not any(term[0] == "ok" and outcome for term, outcome in events)
