"""Observes the selected executions twice on the original code, in fresh processes.

Invariant: every expected value comes from a worker forked freshly from a host that has only
imported the Subject, under two hash seeds, two clocks and two environments.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from unitcraft.core import rule_codes
from unitcraft.core.encoding import Plain, encode_sequence
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding
from unitcraft.core.goals import ROUND_TRIP, Family, Goal
from unitcraft.core.outcomes import Exhausted, Raised, Rejected, Returned
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec, Reply
from unitcraft.explore.agents.answers import (
    SURROUNDINGS,
    AfterAnswer,
    by_place,
    is_dict,
    without_result,
)
from unitcraft.explore.execution import Execution
from unitcraft.subject.reading.environment_names import names_read, telling_values
from unitcraft.suite.generated.assertions import build_test, checks_of
from unitcraft.suite.generated.hash_equality import compare_hashes
from unitcraft.suite.generated.idle_settings import alarmed, idle, told_settings, uncalled
from unitcraft.suite.generated.lifted_arguments import lift_arguments, lower_arguments
from unitcraft.suite.generated.mutant_goals import (
    KillMatrix,
    assertion_kill_share,
    needed_observations,
)
from unitcraft.suite.generated.procedures import Procedures, tells_result
from unitcraft.suite.generated.round_trips import with_way
from unitcraft.suite.relations import CALLABLE
from unitcraft.suite.surroundings import (
    Surroundings,
    free_variables,
    other_environments,
    variables_set,
    with_own_variables,
)
from unitcraft.suite.telling.differing_values import class_of_value
from unitcraft.suite.telling.telling_observations import Contrast, contrasts, telling_by_key
from unitcraft.suite.telling.what_stayed import is_silent, places_changed, what_stayed, without_idle
from unitcraft.suite.tests import OTHER_CLOCK_SHIFT, OTHER_HASH_SEED, Check, Test

#: Beginnings of the messages of exceptions by which the kernel refuses or limits an effect.
_REFUSALS = (
    *(f"[Errno {number}] " for number in (errno.EPERM, errno.EACCES, errno.EFBIG, errno.EMFILE)),
    "can't start new thread",
)


@dataclass(frozen=True, slots=True)
class ObservedTests:
    """The tests on which two processes agreed, and the reasons why others were dropped.

    ``surroundings``: the environments of the two.
    """

    tests: tuple[Test, ...]
    findings: tuple[Finding, ...]
    surroundings: Surroundings = field(default_factory=Surroundings)


class _TwoObservations(NamedTuple):
    """What each of ``sequences`` came to: ``first`` here, ``second`` elsewhere.

    ``before`` is its state before the last Call, ``untold`` what ``second`` is without the Calls
    that are ``told`` settings: see ``_without_telling``; ``uncalled`` are those that replace a
    function which it does not call, ``ways`` what both answer where the last Call takes back what
    the one before it did.
    """

    sequences: list[Sequence]
    before: list[Plain]
    first: list[Reply]
    second: list[Reply]
    untold: list[Plain]
    told: frozenset[Call]
    uncalled: list[frozenset[Call]]
    ways: list[Plain]
    surroundings: Surroundings


def observe(
    chosen: list[tuple[Execution, tuple[Goal, ...]]],
    spec: HostSpec,
    jobs: int,
    reveals: KillMatrix,
    source: str = "",
) -> ObservedTests:
    """The Tests of the chosen executions, observed on hosts made from ``spec`` (not rewritten).

    ``reveals``, the kill matrix, decides which observations are asserted.  ``source`` is the text
    of the Subject: variables of the environment that it or its import names are observed.
    """
    if not chosen:
        return ObservedTests((), ())
    lifted = [lift_arguments(compare_hashes(run.sequence)) for run, _ in chosen]
    seen = _observe_twice(lifted, _round_trips(chosen), spec, jobs, source)
    lifted = seen.sequences
    procedures = Procedures(source)
    names = [run.invocable for run, _ in chosen]
    compared = _compared(names, lifted, seen.first)
    after = [AfterAnswer.read(reply.value) for reply in seen.first]
    changed = places_changed(zip(names, lifted, seen.before, after, strict=True))
    stayed: dict[int, Test] = {}
    tests: list[Test] = []
    spare: list[Test] = []  # nothing to assert and no branch of its own, but better than none
    findings: list[Finding] = []
    for (run, goals), named, contrast, earlier, one, two, three, unused, way in zip(
        chosen, lifted, compared, seen.before, seen.first, seen.second, seen.untold, seen.uncalled,
        seen.ways, strict=True,
    ):  # fmt: skip
        shown, again = _answers(one.value, two.value, len(named) - 1)
        failure = one.failure or two.failure or exceeded_bound(shown)
        kills = reveals.get(run.sequence.key, {})
        test: Test | None = None
        if failure is None:
            telling = telling_by_key(shown, named, contrast, earlier)
            answer = procedures.answer_of(run.invocable)
            is_told = tells_result(named, shown, again, answer)
            needed = needed_observations(goals, kills, telling, is_told=is_told)
            test = build_test(
                run.invocable, named, goals, earlier, shown, again, needed,
                answer=answer, contrast=contrast,
            )  # fmt: skip
        if test is None:
            findings.append(_dropped_finding(run.invocable, failure, one.value))
            continue
        if not _has_printed(shown) and not _has_printed(again):
            test = _printing_nothing(test, procedures)
        kept = tests if is_worth_a_test(test) else spare
        if shown is not None and again is not None:
            test = with_way(class_of_value(test, shown, again), AfterAnswer.read(way))
        settings = seen.told if three is not None and three == two.value else frozenset()
        kept.append(_finished(test, run, kills, settings, unused))
        told = test if needed else without_idle(test, shown)
        if more := checks_of(what_stayed(told, shown, again, changed)):
            told = replace(told, checks=(*more, *told.checks))
            stayed[id(kept[-1])] = _finished(told, run, kills, settings, unused)
    tests = _telling(tests) or [test for test in spare if _tells_class(test)]
    tests = [stayed.get(id(test), test) for test in tests]
    return ObservedTests(tuple(tests), tuple(findings), seen.surroundings)


def _finished(
    test: Test,
    run: Execution,
    kills: Mapping[Goal, tuple[str, ...]],
    settings: frozenset[Call],
    unused: frozenset[Call],
) -> Test:
    """``test`` with its arguments in place again, and with what the run says of it."""
    made = lower_arguments(test)
    unread = settings | uncalled(made, unused)
    clarity = assertion_kill_share(kills)
    return replace(made, clarity=clarity, took=run.own_hits, idle=unread)


def _compared(
    invocables: list[str], sequences: list[Sequence], replies: list[Reply]
) -> list[Contrast]:
    """What tells the result of each test from those of others of its function."""
    return contrasts(
        (name, len(sequence) - 1, AfterAnswer.read(reply.value))
        for name, sequence, reply in zip(invocables, sequences, replies, strict=True)
    )


def _round_trips(chosen: list[tuple[Execution, tuple[Goal, ...]]]) -> list[bool]:
    return [any(goal.detail == ROUND_TRIP for goal in goals) for _, goals in chosen]


def _answers(one: Plain, two: Plain, last: int) -> tuple[AfterAnswer | None, AfterAnswer | None]:
    """The two answers; of dictionaries that differ what they hold, as far as there is a term."""
    if is_dict(one) or is_dict(two):
        one, two = without_result(one, two, last), without_result(two, one, last)
    first, second = AfterAnswer.read(one), AfterAnswer.read(two)
    if first is None or second is None:
        return first, second
    return by_place(first, second), by_place(second, first)


def _observe_twice(
    sequences: list[Sequence], trips: list[bool], spec: HostSpec, jobs: int, source: str
) -> _TwoObservations:
    """What ``sequences`` come to on a host of ``spec``, and on another elsewhere."""
    with Pool(spec, jobs) as pool:
        sequences = _with_own_variables(pool, sequences) if "environ" in source else sequences
        items = [encode_sequence(sequence) for sequence in sequences]
        parts = [item[:-1] for item, is_trip in zip(items, trips, strict=True) if is_trip]
        before = [reply.value for reply in pool.map("before", items, isolate=True)]
        first = list(pool.map("after", items, isolate=True))
        unused = _uncalled(pool, sequences, first)
        there = list(pool.map("after", parts, isolate=True))
        given = dict(spec.environment)
        asked = (*names_read(source), *pool.notes["variables"])
        read = free_variables(name for name in asked if name not in given)
        other = replace(spec, lends=pool.notes["optional"])
        told = told_settings(spec.focus[0] if spec.focus else "", pool.notes["told"])
    pool, surroundings = open_elsewhere(other, jobs, read, telling_values(source))
    with pool:
        second = list(pool.map("after", items, isolate=True))
        untold = _without_telling(pool, sequences, told)
        back = list(pool.map("after", parts, isolate=True))
    agreed = iter([one.value if one == two else None for one, two in zip(there, back, strict=True)])
    ways = [next(agreed) if is_trip else None for is_trip in trips]
    return _TwoObservations(
        sequences, before, first, second, untold, told, unused, ways, surroundings
    )


def _with_own_variables(pool: Pool, sequences: list[Sequence]) -> list[Sequence]:
    """``sequences``, of which those that set variables of the environment begin without them.

    But where the code sets a variable only if there is none.
    """
    names = [variables_set(answer) for answer in _answers_of(pool, sequences)]
    own = [with_own_variables(one, set_) for one, set_ in zip(sequences, names, strict=True)]
    changed = [at for at, one in enumerate(own) if one != sequences[at]]
    again = _answers_of(pool, [own[at] for at in changed])
    kept = {
        at: own[at]
        for at, answer in zip(changed, again, strict=True)
        if variables_set(answer) == names[at]
    }
    return [kept.get(at, one) for at, one in enumerate(sequences)]


def _answers_of(pool: Pool, sequences: list[Sequence]) -> list[AfterAnswer | None]:
    items = [encode_sequence(sequence) for sequence in sequences]
    return [AfterAnswer.read(reply.value) for reply in pool.map("after", items, isolate=True)]


def _uncalled(pool: Pool, sequences: list[Sequence], answers: list[Reply]) -> list[frozenset[Call]]:
    """The Calls of each of ``sequences`` that replace a function which nothing calls then."""
    tried = [alarmed(sequence) for sequence in sequences]
    items = [encode_sequence(one) for found in tried for one in found.values()]
    replies = iter(list(pool.map("after", items, isolate=True)))
    return [
        frozenset([call for call in found if next(replies) == answer])
        for found, answer in zip(tried, answers, strict=True)
    ]


def _without_telling(
    pool: Pool, sequences: list[Sequence], settings: frozenset[Call]
) -> list[Plain]:
    """What each of ``sequences`` comes to without those of its Calls that are ``settings``.

    None where it has none of them.
    """
    bare = [idle(sequence, settings) for sequence in sequences]
    items = [encode_sequence(one) for one in bare if one is not None]
    replies = iter(list(pool.map("after", items, isolate=True)))
    return [None if one is None else next(replies).value for one in bare]


def open_elsewhere(
    spec: HostSpec, jobs: int, variables: tuple[str, ...], telling: Mapping[str, str]
) -> tuple[Pool, Surroundings]:
    """Workers of ``spec`` in the environment that tells most and in which the Subject imports.

    Where ``spec`` lends optional modules, each is tried with and without them.
    """
    other = replace(spec, hash_seed=OTHER_HASH_SEED, clock_shift=OTHER_CLOCK_SHIFT, elsewhere=True)
    tried = [
        replace(other, environment=(*environment, *spec.environment), lends=lends)
        for environment in other_environments(variables, telling)
        for lends in ((True, False) if spec.lends else (False,))
    ]
    for one in tried:
        try:
            pool = Pool(one, jobs)
        except UnitcraftError as error:
            if error.slug == "import-hang":
                break  # another try would cost as long
        else:
            around = one.environment[: len(one.environment) - len(spec.environment)]
            return pool, Surroundings(variables, around)
    bare = replace(other, elsewhere=False, lends=False)
    return Pool(bare, jobs), Surroundings(variables, ())


def _tells_class(test: Test) -> bool:
    """Is the class of its result asserted?"""
    return any(check.relation == "isinstance" for check in test.checks)


def _has_telling_check(test: Test) -> bool:
    """Does a Check say more than that the class made an instance, or that nothing came back?"""
    last = Ref(len(test.sequence) - 1)
    return any(
        check.observed != last or (check.relation != "isinstance" and check.expected != Const(None))
        for check in test.checks
    )


def _says_callable(test: Test) -> bool:
    """Does it assert nothing but that the result can be called?"""
    is_plain = test.outcome == Returned() and not test.warns
    return is_plain and all(check.expected == CALLABLE for check in test.checks)


def _shows_false(test: Test) -> bool:
    """Is an expected value False: objects that were made alike have different hashes?"""
    return any(check.expected == Const(value=False) for check in test.checks)


def is_worth_a_test(test: Test) -> bool:
    """Does the test tell something, raise, or reach a branch of its own?

    A path or a def-use pair is a Goal only when the user asked for it, and counts as well.
    """
    if test.invocable.endswith(".__hash__") and _shows_false(test):
        return False
    if isinstance(test.outcome, Raised) or test.warns or _has_telling_check(test):
        return True
    by_check = bool(test.checks)
    return any(
        goal.family.record.stands_alone or (by_check and goal.family is Family.MUTANT_BY_CHECK)
        for goal in test.goals
    )


def _printing_nothing(test: Test, procedures: Procedures) -> Test:
    """``test`` with the Check that nothing was printed, where it has no other and it might be."""
    stream = procedures.stream_of(test.invocable)
    if not stream or test.checks or test.warns or test.outcome != Returned():
        return test
    printed = Call("output", stream)
    return replace(test, checks=(Check(printed, "==", Const("")),))


def _has_printed(answer: AfterAnswer | None) -> bool:
    """Did the run leave something in its surroundings?"""
    return answer is None or any(index == SURROUNDINGS for index, _, _ in answer.focus)


def _telling(tests: list[Test]) -> list[Test]:
    """The ``tests`` without those that assert next to nothing and reach what others reach too."""
    silent = [one for one in tests if is_silent(one) or _says_callable(one)]
    reached = {site for test in tests if test not in silent for site in _sites(test)}
    idle = {id(test) for test in silent if reached.issuperset(_sites(test))}
    return [test for test in tests if id(test) not in idle]


def _sites(test: Test) -> set[int]:
    """The branch sites that the last Call took, and those for which the test was kept."""
    kept = {goal.number for goal in test.goals if goal.family is Family.BRANCH}
    return kept.union(test.took)


def exceeded_bound(answer: AfterAnswer | None) -> Rejected | Exhausted | None:
    """The bound of the guard, the kernel or this machine's rights that the last Call exceeded.

    Elsewhere the same Call may well succeed, so that such an exception is no expectation.
    """
    if answer is None or answer.outcome is None:
        return None
    type_, message = answer.outcome.type, answer.outcome.message
    if type_ == "builtins:MemoryError" and not message:
        return Exhausted("memory", "MemoryError")
    if isinstance(message, str) and message.startswith(_REFUSALS):
        return Rejected(f"{type_.rpartition(':')[2]}: {message}")
    return None


def _dropped_finding(invocable: str, failure: Rejected | Exhausted | None, value: Plain) -> Finding:
    if failure is not None:
        return blocked_finding(invocable, failure)
    what = "its outcome differs between two runs" if value is not None else "it cannot be replayed"
    return Finding(rule_codes.UNSTABLE, invocable, what)


def blocked_finding(invocable: str, failure: Rejected | Exhausted) -> Finding:
    """The finding of a run that the policy refused or a bound ended."""
    if isinstance(failure, Rejected):
        return Finding(rule_codes.BLOCKED, invocable, f"blocked: {failure.event}", failure.where)
    code = {"crash": rule_codes.CRASH, "exit": rule_codes.CRASH, "memory": rule_codes.TOO_LARGE,
            "output": rule_codes.TOO_LARGE}.get(failure.reason, rule_codes.BUDGET)  # fmt: skip
    detail = f" ({failure.detail})" if failure.detail else ""
    return Finding(code, invocable, f"ended by {failure.reason}{detail}")
