"""Observing chosen executions on the original code, in fresh processes, twice.

Invariant: every expected value comes from a worker forked freshly from a host
that has only imported the Subject, under two hash seeds and two clocks.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass, replace

from unitcraft.core import rule_codes
from unitcraft.core.encoding import Plain, encode_sequence
from unitcraft.core.events import Finding
from unitcraft.core.outcomes import Exhausted, Raised, Rejected
from unitcraft.core.sequences import Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.execution import Execution
from unitcraft.suite.generated.assertions import build
from unitcraft.suite.generated.mutant_goals import Reveals, clarity, telling
from unitcraft.suite.tests import OTHER_CLOCK, OTHER_HASH_SEED, Test

#: How the message of an exception begins by which the kernel refuses or cuts an effect.
_REFUSALS = (
    *(f"[Errno {number}] " for number in (errno.EPERM, errno.EACCES, errno.EFBIG, errno.EMFILE)),
    "can't start new thread",
)
#: Families of Goals that are worth a test without a Check.
_SHOWN = ("b:", "p:", "u:")


@dataclass(frozen=True, slots=True)
class Observed:
    """Tests that two processes agreed on, and why the others were dropped."""

    tests: tuple[Test, ...]
    findings: tuple[Finding, ...]


def observe(
    chosen: list[tuple[Execution, tuple[str, ...]]], spec: HostSpec, jobs: int, reveals: Reveals
) -> Observed:
    """The Tests of the chosen executions, observed on hosts made from ``spec`` (not rewritten).

    ``reveals`` tells which observations notice which mutants; it decides what is asserted.
    """
    items = [encode_sequence(run.sequence) for run, _ in chosen]
    with Pool(spec, jobs) as pool:
        before = [reply.value for reply in pool.map("before", items, isolate=True)]
        first = list(pool.map("after", items, isolate=True))
    other = replace(spec, hash_seed=OTHER_HASH_SEED, clock_shift=OTHER_CLOCK)
    with Pool(other, jobs) as pool:
        second = list(pool.map("after", items, isolate=True))
    tests: list[Test] = []
    findings: list[Finding] = []
    for (run, goals), earlier, one, two in zip(chosen, before, first, second, strict=True):
        failure = one.failure or two.failure or bounded(one.value)
        test = (
            None
            if failure is not None
            else build(
                run.invocable,
                run.sequence,
                goals,
                earlier,
                one.value,
                two.value,
                telling(goals, reveals.get(repr(run.sequence), {})),
            )
        )
        if test is not None and (test.checks or shows(test)):
            noticed = reveals.get(repr(run.sequence), {})
            tests.append(replace(test, clarity=clarity(noticed)))
        elif test is not None:
            continue  # nothing to assert and no branch of its own
        else:
            findings.append(_dropped(run.invocable, failure, one.value, run.sequence))
    return Observed(tuple(tests), tuple(findings))


def shows(test: Test) -> bool:
    """Is the test worth keeping without a Check: it raises, or reaches a branch of its own?

    A path or a def-use pair is kept for only when a person asked for it, and counts as well.
    """
    return isinstance(test.outcome, Raised) or any(goal[:2] in _SHOWN for goal in test.goals)


def bounded(answer: Plain) -> Rejected | Exhausted | None:
    """What the bounds of the guard, the kernel or this machine's rights did to the last Call.

    Elsewhere the same Call may well succeed, so that such an exception is no expectation.
    """
    if answer is None or answer[0] is None:
        return None
    type_, message = answer[0][1:3]
    if type_ == "builtins:MemoryError" and not message:
        return Exhausted("memory", "MemoryError")
    if isinstance(message, str) and message.startswith(_REFUSALS):
        return Rejected(f"{type_.rpartition(':')[2]}: {message}")
    return None


def _dropped(
    invocable: str, failure: Rejected | Exhausted | None, value: Plain, sequence: Sequence
) -> Finding:
    del sequence
    if failure is not None:
        return blocked(invocable, failure)
    what = "its outcome differs between two runs" if value is not None else "it cannot be replayed"
    return Finding(rule_codes.UNSTABLE, invocable, what)


def blocked(invocable: str, failure: Rejected | Exhausted) -> Finding:
    """The finding of a run that the policy refused or a bound ended."""
    if isinstance(failure, Rejected):
        return Finding(rule_codes.BLOCKED, invocable, f"blocked: {failure.event}", failure.where)
    code = {"crash": rule_codes.CRASH, "exit": rule_codes.CRASH, "memory": rule_codes.TOO_LARGE,
            "output": rule_codes.TOO_LARGE}.get(failure.reason, rule_codes.BUDGET)  # fmt: skip
    detail = f" ({failure.detail})" if failure.detail else ""
    return Finding(code, invocable, f"ended by {failure.reason}{detail}")
