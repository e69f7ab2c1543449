"""Inlining: results of a test that need no variable are written where they are used.

Invariant: the written test evaluates the Calls in the order of the Sequence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import Call, Ref, Symbol, refs_in, refs_of, shares_loop
from unitcraft.emit.code.call_code import (
    expression,
    is_augmented,
    is_statement,
    opens_block,
)
from unitcraft.emit.code.formatter import Leaf
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.literal_code import Code
from unitcraft.suite.tests import Check, Test

#: Calls written inside each other: with more of them a reader needs a variable.
_MAX_NESTING = 3


def _check_refs(check: Check) -> tuple[int, ...]:
    """The results that ``check`` refers to, in the order of evaluation."""
    return (*_observed_refs(check), *refs_in(check.expected))


def _observed_refs(check: Check) -> tuple[int, ...]:
    observed = check.observed
    return (observed.index,) if isinstance(observed, Ref) else _evaluation_order(observed)


def _evaluation_order(call: Call) -> tuple[int, ...]:
    """The results that ``call`` uses, in the order in which its text evaluates them."""
    if call.kind == "operator" and call.name == "in":
        return (*refs_in(call.args[1]), *refs_in(call.args[0]))
    return refs_of(call)


def _entered_refs(call: Call) -> tuple[int, ...]:
    """The manager that a ``with`` statement enters first of all, if a Call made it."""
    is_with = call.kind == "operator" and call.name in ("with", "with raise")
    manager = call.args[0] if is_with or opens_block(call) else None
    return (manager.index,) if isinstance(manager, Ref) else ()


def _use_counts(test: Test) -> Counter[int]:
    """How often each result is used."""
    refs = [index for call in test.sequence.calls for index in refs_of(call)]
    return Counter([*refs, *[index for check in test.checks for index in _check_refs(check)]])


def in_reading_order(test: Test) -> list[int]:
    """Positions of the Checks; the only one about the last result comes first.

    What was printed comes next, before an observer can print more.
    """
    last = Ref(len(test.sequence) - 1)
    order = sorted(range(len(test.checks)), key=lambda at: not _is_printed(test.checks[at]))
    direct = [position for position in order if test.checks[position].observed == last]
    if len(direct) == 1 and _use_counts(test)[last.index] == 1:
        order.remove(direct[0])
        order.insert(0, direct[0])
    return order


def _is_printed(check: Check) -> bool:
    return isinstance(check.observed, Call) and check.observed.kind == "output"


def choose_inlined(test: Test, forbidden: frozenset[int]) -> dict[int, int]:
    """Inlined result -> the Call that it is written into; the first Check is number ``len``."""
    calls = test.sequence.calls
    times = _use_counts(test)
    consumers: list[tuple[int, tuple[int, ...]]] = [
        (position, _entered_refs(call) if is_statement(call) else _evaluation_order(call))
        for position, call in enumerate(calls)
    ]
    order = in_reading_order(test)
    if (isinstance(test.outcome, Raised) or test.warns) and not _entered_refs(calls[-1]):
        consumers.pop()
    elif order:
        consumers.append((len(calls), _observed_refs(test.checks[order[0]])))
    found: dict[int, int] = {}
    starts = list(range(len(calls) + 1))
    depth = [1] * (len(calls) + 1)
    for position, refs in consumers:
        expected = position - 1
        for ref in reversed(refs):
            single = times[ref] == 1 and ref not in forbidden and not is_statement(calls[ref])
            single = single and not (test.holds and position < len(calls))
            if ref == expected and single and depth[ref] < _MAX_NESTING:
                found[ref] = position
                expected = starts[ref] - 1
                depth[position] = max(depth[position], depth[ref] + 1)
        starts[position] = expected + 1
    return found


@dataclass(slots=True)
class Scope:
    """The names of one test function (mutable: ``used`` collects the inlined results)."""

    test: Test
    imports: Imports
    names: dict[int, str]
    inlined: dict[int, int]
    endless: Callable[[int], bool]
    used: list[int] = field(default_factory=list)

    @property
    def in_coroutine(self) -> bool:
        """Do the Calls share an event loop?"""
        return shares_loop(self.test.sequence)

    def symbol(self, symbol: Symbol) -> str:
        """The expression that reaches ``symbol``."""
        return self.imports.symbol(symbol)

    def ref(self, index: int) -> Code:
        """The variable of a result, or the Call itself where it is inlined."""
        if index not in self.inlined:
            return Code(Leaf(self.names[index]))
        self.used.append(index)
        return self.value(index)

    def value(self, index: int) -> Code:
        """The expression of Call ``index``."""
        call = self.test.sequence.calls[index]
        return expression(call, self, self.imports, endless=self.endless(index))


def needs_variable(test: Test, placed: dict[int, int]) -> list[int]:
    """The results that are used and not inlined, in order."""
    times = _use_counts(test)
    return [
        index
        for index in range(len(test.sequence))
        if times[index] and index not in placed and not _is_reuse(test, index)
    ]


def _is_reuse(test: Test, index: int) -> bool:
    return reused_variable(test, index) is not None


def reused_variable(test: Test, index: int) -> int | None:
    """The result whose variable Call ``index`` (``a += b``) takes over, if it does."""
    call = test.sequence.calls[index]
    if not is_augmented(call) or not isinstance(call.args[0], Ref):
        return None
    receiver = call.args[0].index
    later = [*test.sequence.calls[index + 1 :]]
    seen = [ref for step in later for ref in refs_of(step)]
    seen += [ref for check in test.checks for ref in _check_refs(check)]
    return None if receiver in seen else receiver
