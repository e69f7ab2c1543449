"""Compares runs of rewritten code on proxies with runs of the code as it is.

``divergence`` says how a program breaks the contract of the trace: a run on proxies ends as the
plain run does; its events and its result, as terms, hold under its inputs; two runs meet the
same events up to the first whose outcome differs, and end alike when none differs.
"""

from __future__ import annotations

import ast
import enum
import sys
from collections.abc import ItemsView, KeysView
from dataclasses import dataclass, field
from itertools import combinations
from types import FunctionType, ModuleType
from typing import Any

import inputs

from unitcraft.instrument.interception import InterceptionRewriter
from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies import trace
from unitcraft.symbolic.terms.operations import same
from unitcraft.symbolic.terms.term import SAME, evaluate, holds

#: For programs that break the contract: functions of the trace under fixed names.
concrete_value, is_symbolic, record, term_of = (
    trace.concrete_value, trace.is_symbolic, trace.record, trace.term_of,
)  # fmt: skip

#: The module in which programs run.
NAME = "subject_of_fuzzing"
ATOMS = (int, float, str, bytes, bool, type(None), complex, type(...))


@dataclass(frozen=True)
class Program:
    """``source`` defines ``subject``, which takes one argument of each of ``shapes``."""

    source: str
    shapes: tuple[Any, ...]

    def test(self, runs: list[tuple[Any, ...]]) -> str:
        """A pytest test that checks the program on ``runs``."""
        return (
            "def test_divergence():\n"
            f"    program = Program({self.source!r}, {self.shapes!r})\n"
            "    nan, inf = float('nan'), float('inf')\n"
            f"    assert divergence(program, {runs!r}) is None\n"
        )


@dataclass
class Run:
    """How a run ended: a tree of its result, arguments and marks; and the events, if any."""

    values: tuple[Any, ...]
    kind: str
    tree: Any
    marks: list[int]
    events: list[Any] = field(default_factory=list)
    whole: bool = True


def kinds(shapes: tuple[Any, ...]) -> list[str]:
    """The atoms of all arguments."""
    return [atom for shape in shapes for atom in inputs.atoms(shape)]


def compiled(source: str) -> tuple[Any, Any]:
    """The code as it is, and rewritten."""
    tree = ast.fix_missing_locations(InterceptionRewriter().visit(ast.parse(source)))
    return compile(source, "<plain>", "exec"), compile(tree, "<followed>", "exec")


def run(code: Any, shapes: Any, values: Any, *, followed: bool) -> Run:
    """One run of ``subject``."""
    marks: list[int] = []
    trace.reset_trace()
    sys.modules[NAME] = ModuleType(NAME)
    space = vars(sys.modules[NAME])
    space["mark"] = marks.append
    if followed:
        space |= intercepts.INTERCEPTS
    exec(code, space)
    separate = inputs.separate(values)
    flat = inputs.proxies(shapes, separate) if followed else iter(separate)
    args = [inputs.build(shape, flat) for shape in shapes]
    try:
        result, kind = space["subject"](*args), "returned"
    except Exception as error:  # noqa: BLE001 - of whatever class
        result, kind = None, type(error).__name__
    events, whole = trace.recorded_events()
    events = list(events)
    return Run(values, kind, described([result, *args]), marks, events, whole)


def described(value: Any) -> Any:
    """``value`` as a tree: atoms, terms, and what may change numbered as first met."""
    return _described(value, {}, [])


def _described(value: Any, met: dict[int, int], alive: list[Any]) -> Any:
    kind = type(value)
    if isinstance(value, trace.Proxied):
        known = trace.concrete_value(value)
        return ("term", value.term, type(known).__name__, known)
    if kind in ATOMS:
        return ("atom", kind.__name__, value)
    if isinstance(value, range):
        bounds = (value.start, value.stop, value.step) if kind is range else value.bounds
        return ("range", [_described(bound, met, alive) for bound in bounds])
    if not isinstance(value, (tuple, frozenset)):
        if id(value) in met:
            return ("met", met[id(value)])
        met[id(value)] = len(met)
        alive.append(value)
    return _inside(value, met, alive)


def _inside(value: Any, met: dict[int, int], alive: list[Any]) -> Any:
    """What a container or an object holds."""
    kind = type(value)
    if isinstance(value, (KeysView, ItemsView)):
        return ("view", [_described(item, met, alive) for item in value])
    name = inputs.public(kind)
    if isinstance(value, (list, tuple)):
        return (name, [_described(item, met, alive) for item in value])
    if isinstance(value, dict):
        pairs = [
            (_described(key, met, alive), _described(item, met, alive))
            for key, item in dict.items(value)
        ]
        return (name, [("pair", list(pair)) for pair in pairs])
    if isinstance(value, (set, frozenset)):
        return ("any order", name, [_described(item, {}, alive) for item in inputs.elements(value)])
    if callable(value) and not hasattr(value, "__dict__"):
        return ("callable", "")
    if isinstance(value, (type, FunctionType, enum.Enum)):
        return (name, str(getattr(value, "__name__", value)))
    slots = [slot for base in kind.__mro__ for slot in getattr(base, "__slots__", ())]
    fields = {slot: getattr(value, slot) for slot in slots if hasattr(value, slot)}
    fields |= getattr(value, "__dict__", {})
    return (name, [(key, [_described(item, met, alive)]) for key, item in fields.items()])


def resolved(tree: Any, values: Any) -> Any:
    """``tree`` with terms evaluated under ``values``, ready to be compared."""
    head = tree[0]
    if head == "term":
        known = evaluate(tree[1], values)
        return (type(known).__name__, _exact(known))
    if head == "atom":
        return (tree[1], _exact(tree[2]))
    if head == "any order":
        return (tree[1], sorted([repr(resolved(item, values)) for item in tree[2]]))
    if isinstance(tree[1], list):
        return (head, [resolved(item, values) for item in tree[1]])
    return tree


def known(tree: Any) -> Any:
    """``tree`` with the values that the terms had, ready to be compared."""
    head = tree[0]
    if head == "term":
        return (tree[2], _exact(tree[3]))
    if head == "atom":
        return (tree[1], _exact(tree[2]))
    if head == "any order":
        return (tree[1], sorted([repr(known(item)) for item in tree[2]]))
    if isinstance(tree[1], list):
        return (head, [known(item) for item in tree[1]])
    return tree


def small(tree: Any) -> bool:
    """Are all terms of ``tree`` small enough to be evaluated?"""
    if tree[0] == "term":
        return trace._small(tree[1], {})
    parts = tree[-1]
    return not isinstance(parts, list) or all(map(small, parts))


def _exact(value: Any) -> Any:
    if type(value) is float:
        return value.hex()
    return hex(value) if type(value) is int else repr(value)


def divergence(program: Program, runs: list[tuple[Any, ...]]) -> str | None:
    """What is wrong with the runs of ``program`` on the inputs ``runs``, None if nothing is."""
    plain_code, followed_code = compiled(program.source)
    followed: list[Run] = []
    plains: list[Run] = []
    for values in runs:
        plains.append(run(plain_code, program.shapes, values, followed=False))
        followed.append(run(followed_code, program.shapes, values, followed=True))
        if not (_bounded(plains[-1]) and _bounded(followed[-1])):
            return None
        problem = _unfaithful(plains[-1], followed[-1])
        if problem is not None:
            steady = _steady(plain_code, program.shapes, plains[-1])
            return f"{values!r}: {problem}" if steady else None
    for first, second in combinations(range(len(runs)), 2):
        problem = apart(followed[first], followed[second])
        if problem is None and same(followed[first].events, followed[second].events):
            problem = _result(plains[second], followed[first])
        if problem is not None and _steady(plain_code, program.shapes, plains[second]):
            return f"{runs[first]!r} and {runs[second]!r}: {problem}"
    return None


def _steady(code: Any, shapes: Any, first: Run) -> bool:
    """Does the plain run end alike wherever its objects lie, whose addresses order sets?"""
    shifted = []
    for round_ in range(12):
        shifted.append([bytearray(16 * (round_ + size)) for size in range(7 * round_)])
        again = run(code, shapes, first.values, followed=False)
        if _ending(again) != _ending(first):
            return False
    return True


def _ending(run: Run) -> Any:
    return (run.kind, run.marks, known(run.tree))


def _bounded(run: Run) -> bool:
    """Did ``run`` stay within the stack and the memory, of which proxies use more?"""
    return not {"RecursionError", "MemoryError"} & {run.kind, *map(str, run.marks)}


def _unfaithful(plain: Run, followed: Run) -> str | None:
    """How a run on proxies differs from the plain run on the same values."""
    if plain.kind != followed.kind:
        return f"plain {plain.kind}, followed {followed.kind}"
    if plain.marks != followed.marks:
        return f"plain path {plain.marks}, followed {followed.marks}"
    expected, found = known(plain.tree), known(followed.tree)
    if expected != found:
        return f"plain {expected}, followed {found}"
    for event in followed.events:
        if not holds(event, followed.values):
            return f"the event {event} does not hold"
        if not inputs.mentions(event[0]):
            return f"the event {event} is about constants"
    return _result(plain, followed)


def _result(plain: Run, followed: Run) -> str | None:
    """How the terms of a followed run miss the result of a plain run on inputs of its path."""
    if not followed.whole or not small(followed.tree):
        return None
    try:
        found = resolved(followed.tree, plain.values)
    except Exception as error:  # noqa: BLE001 - of whatever class
        return f"a term of {followed.tree} raises {error!r} under {plain.values}"
    expected = known(plain.tree)
    return None if expected == found else f"plain {expected}, terms give {found}"


def apart(first: Run, second: Run) -> str | None:
    """How two runs part other than by the outcome of one event."""
    for place, (one, two) in enumerate(zip(first.events, second.events, strict=False)):
        if same(one[0], two[0]) and one[1] == two[1]:
            continue
        pins = one[0][0] == SAME == two[0][0] and one[1] and two[1]
        if (pins and same(one[0][1], two[0][1])) or (same(one[0], two[0]) and one[1] != two[1]):
            return None
        return f"event {place} is {one} against {two}"
    if not (first.whole and second.whole):
        return None
    if len(first.events) != len(second.events):
        longer = max(first.events, second.events, key=len)
        return f"one run ends before the event {longer[min(len(first.events), len(second.events))]}"
    if first.kind != second.kind or first.marks != second.marks:
        return f"same events: {first.kind} {first.marks} against {second.kind} {second.marks}"
    return None
