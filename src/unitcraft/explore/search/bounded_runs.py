"""What runs cost, and which kinds of arguments are no longer tried because a bound ended them.

A run that loops, allocates or waits until a bound ends it costs as much as hundreds or thousands
of others.  It is charged to the budget of the search accordingly; the plan of a round is
run in passes, so that few runs of one Invocable hit a bound before that is known; and kinds of
arguments with which an Invocable hits bounds are retired, for what follows the search too.  A run
that is told and answered at length, or takes many steps, is charged too.

Invariant: charges depend on the kind of bound, never on a clock; of a plan in which no run hits a
bound nothing is dropped.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Collection, Iterator
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, field
from typing import Final

from unitcraft.core import rule_codes
from unitcraft.core.encoding import Plain, encode_sequence
from unitcraft.core.events import Finding
from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    arguments,
    refs_of,
)
from unitcraft.execute.frames import MARSHAL_VERSION
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import Reply
from unitcraft.explore.agents.answers import RunAnswer

#: Kind of bound -> runs that could have been made at the same cost, of which a worker makes some
#: 1,000 in a second: time is at least a second, memory the half of it, 200,000 steps a tenth; a
#: worker that ends is forked again.
CHARGES: Final = {"time": 1000, "memory": 500, "steps": 100, "output": 50, "crash": 50, "exit": 20}
#: Microseconds for a byte that is asked or answered about a run, and for a step that it takes.  A
#: byte stands for all that is made, called and looked at: 0.3 to 0.9 where tests run on mutants and
#: 0.2 to 2.2 in searches of six modules, the most where much state is compared after each run.
BYTE_COST: Final = 0.5
STEP_COST: Final = 2.0
#: Microseconds that the bound of the search counts as a run.
COST_OF_A_RUN: Final = 1000
#: Runs with the same kinds of arguments that hit a bound before these are retired.  No run hits a
#: bound in five searches of 20,000 runs.
MAX_SAME_KINDS: Final = 3
#: The charge of one Invocable from which on only kinds of arguments are tried that ended well:
#: three runs out of time.  Half of it is not reached in five searches of 20,000 runs.
MAX_CHARGE: Final = 3000
#: Growth of the runs of an Invocable from pass to pass while it hits no bound: 24 proposals take
#: five passes in its first round, and one in later rounds.
#: Without: no site of 153, and no run, as none of seven modules has such an Invocable.  Three: of a
#: function that builds towers of powers seven runs of one pass were out of time, and four with two.
GROWTH: Final = 2
#: Charge that an Invocable which hits bounds may be expected to add in one pass, by what its runs
#: have cost so far.  No Invocable hits one in five searches of 20,000 runs.
MAX_EXPECTED_CHARGE: Final = 200

#: Numbers by magnitude and texts by length: upper ends of the ranges that are a kind each.
_ENDS: Final = (10, 1000, 10**6)
#: What the ranges are called, the last one without an end too.
_RANGES: Final = (*[f"below {end}" for end in _ENDS], "large")

_OBJECT: Final = "object"

#: The name of a Call, with the kinds of its arguments.
CallKinds = tuple[str, ...]


class BoundedRuns:
    """Abstract state: for each Invocable its runs, its charge, and its retired kinds.

    Beside these the keys of the Sequences that a bound ended, of which none is run again, and of
    Calls with arguments of their own in how many runs that a bound ended they were, and in others
    since: what follows one that drags on is not run either, whichever Invocable it is for.
    """

    def __init__(self) -> None:
        self._charge: Counter[str] = Counter()
        self._runs: Counter[str] = Counter()
        self._hits: Counter[tuple[str, CallKinds]] = Counter()
        self._well: dict[str, set[CallKinds]] = {}
        self._retired: dict[tuple[str, CallKinds], Exhausted] = {}
        self._ended: set[str] = set()
        self._slow: Counter[str] = Counter()
        self._fine: Counter[str] = Counter()

    def passes(self, plan: list[tuple[str, Sequence]]) -> Iterator[list[int]]:
        """The numbers of those of ``plan`` that are to run, in passes.

        The runs of a pass have to be noted before the next one is asked for.
        """
        chosen, waiting = self.take_pass(plan, list(range(len(plan))))
        while chosen:
            yield chosen
            chosen, waiting = self.take_pass(plan, waiting)

    def take_pass(
        self, plan: list[tuple[str, Sequence]], waiting: list[int]
    ) -> tuple[list[int], list[int]]:
        """The numbers of those that run next, of ``waiting`` ones, and of those that wait on.

        Few of an Invocable that has run little or hits bounds.  Retired ones are in neither list.
        """
        taken: Counter[str] = Counter()
        chosen: list[int] = []
        left: list[int] = []
        for number in waiting:
            name, sequence = plan[number]
            if self._slow and self.is_retired(name, sequence):
                continue
            ready = taken[name] < self._limit(name)
            taken[name] += 1
            (chosen if ready else left).append(number)
        return chosen, left

    def _limit(self, name: str) -> int:
        """The runs of an Invocable in one pass."""
        if not self._charge[name]:
            return 1 + (GROWTH - 1) * self._runs[name]
        return max(1, MAX_EXPECTED_CHARGE * self._runs[name] // self._charge[name])

    def is_retired(self, name: str, sequence: Sequence) -> bool:
        """Are the kinds of arguments of the last Call of ``sequence`` no longer tried?"""
        if sequence.key in self._ended:
            return True
        is_out = self._is_out(name, _last_kinds(sequence))
        return is_out or any(map(self._drags_on, _told_by(sequence)))

    def _is_out(self, name: str, kinds: CallKinds) -> bool:
        is_spent = self._charge[name] >= MAX_CHARGE and kinds not in self._well.get(name, ())
        return is_spent or (name, kinds) in self._retired

    def leads_on(self, calls: Sequence) -> bool:
        """May other Calls follow ``calls``: is none of them retired, or seen to drag on?"""
        told = _told_by(calls)
        return not self._slow or not (
            calls.key in self._ended
            or any(map(self._drags_on, told))
            or any(
                self._is_out(one.name, kinds_of(one, calls.calls[:at]))
                for at, one in enumerate(calls.calls)
            )
        )

    def note_lead(self, calls: Sequence, failure: Exhausted | Rejected | None) -> int:
        """Record how a run of Calls that others follow ended; its charge beyond one run."""
        if isinstance(failure, Exhausted):
            self._ended.add(calls.key)
            self._slow.update(_told_by(calls) or [calls.key])
            return CHARGES.get(failure.reason, 0)
        if self._slow:
            self._fine.update(filter(self._slow.__contains__, _told_by(calls)))
        return 0

    def note(self, name: str, sequence: Sequence, failure: Exhausted | Rejected | None) -> int:
        """Record how a run ended; what it is charged beyond one run."""
        self._runs[name] += 1
        if not isinstance(failure, Exhausted):
            if self._slow:
                self._fine.update(filter(self._slow.__contains__, _told_by(sequence)))
            if failure is None:
                self._well.setdefault(name, set()).add(_last_kinds(sequence))
            return 0
        charge = CHARGES.get(failure.reason, 0)
        self._charge[name] += charge
        self._ended.add(sequence.key)
        self._slow.update(_told_by(sequence) or [sequence.key])
        key = (name, _last_kinds(sequence))
        self._hits[key] += 1
        if self._hits[key] >= MAX_SAME_KINDS and key not in self._retired:
            self._retired[key] = failure
        return charge

    def _drags_on(self, call: str) -> bool:
        return self._slow[call] >= MAX_SAME_KINDS and self._slow[call] > self._fine[call]

    def is_spent(self, name: str) -> bool:
        """Has the Invocable been charged as much as one may be?"""
        return self._charge[name] >= MAX_CHARGE

    def findings(self) -> list[Finding]:
        """A finding for each retired kind of arguments."""
        return [
            Finding(
                rule_codes.BUDGET,
                name,
                f"no longer tried with ({', '.join(kinds[1:])}): {MAX_SAME_KINDS} runs ended by"
                f" {failure.reason}",
            )
            for (name, kinds), failure in self._retired.items()
        ]


@dataclass(frozen=True, slots=True)
class SparingPool:
    """Workers that run what ``bounds`` have not retired (mutable: they learn from each run)."""

    pool: Pool
    bounds: BoundedRuns = field(default_factory=BoundedRuns)

    def run(self, plan: list[tuple[str, Sequence]]) -> list[Reply]:
        """A Reply to each of ``plan``, the Sequences with their Invocables; empty: retired."""
        replies = [Reply()] * len(plan)
        for chosen in self.bounds.passes(plan):
            items = [encode_sequence(plan[number][1]) for number in chosen]
            for number, reply in zip(chosen, self.pool.map("run", items), strict=True):
                replies[number] = reply
                self.bounds.note(*plan[number], reply.failure)
        return replies

    def failing(self, plan: list[Sequence]) -> tuple[list[Collection[int] | None], int]:
        """(the Calls before the last of each that raise, charge); None where none may follow them.

        The last Call is not made: of what it comes to nothing is asked.
        """
        leads = [Sequence(one.calls[:-1]) for one in plan]
        asked = [at for at, lead in enumerate(leads) if lead.calls and self.bounds.leads_on(lead)]
        items = [(encode_sequence(leads[at]), _needed(leads[at])) for at in asked]
        found: list[Collection[int] | None] = [None if one.calls else () for one in leads]
        charge = 0
        for at, reply in zip(asked, self.pool.map("failing", items), strict=True):
            found[at] = reply.value
            charge += 1 + self.bounds.note_lead(leads[at], reply.failure)
        return found, charge


def _needed(calls: Sequence) -> tuple[tuple[int, ...], ...]:
    """The Calls that each of ``calls`` refers to."""
    return tuple(refs_of(call) for call in calls.calls)


def extra_charge(item: Plain, answer: Plain) -> int:
    """What a run is charged beyond one: by the sizes of question and answer, and its steps.

    Of what is the same on each machine these tell best how long a run takes.
    """
    if answer is None:
        return 0
    size = sum(len(marshal.dumps(one, MARSHAL_VERSION)) for one in (item, answer))
    return int(BYTE_COST * size + STEP_COST * RunAnswer(*answer).steps) // COST_OF_A_RUN


def _told_by(sequence: Sequence) -> list[str]:
    """The Calls of the Sequence that have arguments of their own, with these, as texts."""
    told = [
        (call.name, given)
        for call in sequence.calls
        if (given := [arg for arg in arguments(call) if not isinstance(arg, Ref)])
    ]
    return [repr(one) for one in told]


def kinds_of(call: Call, before: SequenceOf[Call] = ()) -> CallKinds:
    """The name of ``call`` and the kind of each argument, for people to read.

    Objects made with larger numbers or texts, by the Calls ``before`` it, are of kinds of their
    own: what it does to a table of thousands of rows says nothing of one of three.
    """
    kinds = tuple(map(_kind, arguments(call)))
    size = max((_size_of_largest(one) for one in before), default=0) if _OBJECT in kinds else 0
    if not size:
        return (call.name, *kinds)
    made = f"{_OBJECT} of something {_RANGES[size]}"
    return (call.name, *[made if kind == _OBJECT else kind for kind in kinds])


def _last_kinds(sequence: Sequence) -> CallKinds:
    return kinds_of(sequence.calls[-1], sequence.calls[:-1])


def _size_of_largest(call: Call) -> int:
    """The range of the largest number or text among the arguments of ``call``, counted from 0."""
    kinds = [_kind(arg) for arg in arguments(call)]
    return max(
        [at for at, text in enumerate(_RANGES) for kind in kinds if kind.endswith(text)] + [0]
    )


def _kind(arg: Arg) -> str:
    if isinstance(arg, Const):
        return _kind_of_atom(arg.value)
    if isinstance(arg, Display):
        return f"{arg.kind}{_size(len(arg.items))}"
    if isinstance(arg, Build):
        return arg.callee.qualname
    return _OBJECT if isinstance(arg, Ref) else type(arg).__name__.lower()


def _kind_of_atom(value: object) -> str:
    if isinstance(value, (bool, type(None))):
        return repr(value)
    if isinstance(value, (int, float)):
        sign = "-" if value < 0 else ""
        size = _size(abs(value)) if value == value else " nan"  # noqa: PLR0124
        return f"{type(value).__name__}{size.replace(' ', f' {sign}', 1)}"
    return f"{type(value).__name__}{_size(len(value))}" if hasattr(value, "__len__") else "value"


def _size(number: float) -> str:
    """The range in which a magnitude lies."""
    if not number:
        return " 0"
    return f" {_RANGES[sum(number >= end for end in _ENDS)]}"
