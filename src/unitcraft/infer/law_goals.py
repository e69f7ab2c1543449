"""What the criterion ``law`` asks a search for: tests that refuted laws while these were learned.

Laws are guesses until values or histories refute them; what refuted one is an input that an
observer of the class had not thought of, and joins the suite.  Laws that hold almost everywhere
come first: the exception is meant, or a fault.  What a law says only under a condition is tried
where the condition does not hold, last: a fault may be what the condition leaves out.

Invariant: a Goal is given to the Sequences that are planned for it and to no other.

Source: MUTUAL, "Feedback Loop Framework", tests selected for the suite.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.goals import Family, Goal
from unitcraft.infer.class_request import ClassToSpecify, classes_to_specify
from unitcraft.infer.infer_class import infer_specification, open_host

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unitcraft.core.sequences import Sequence
    from unitcraft.execute.spec import HostSpec
    from unitcraft.infer.specification import Specification
    from unitcraft.subject.model import Subject

#: Calls of a test that a reader follows; capacities are met by histories of 70.
MAX_CALLS: Final = 8
#: Tests of one class: the four classes of the benchmark refute 4 to 40 laws each.
MAX_TESTS: Final = 12


@dataclass(slots=True)
class PlannedLaws:
    """Sequences to run, by Invocable, and the Goals of each by its key."""

    plan: list[tuple[str, Sequence]] = field(default_factory=list)
    goals: dict[str, tuple[Goal, ...]] = field(default_factory=dict)


def plan_laws(spec: HostSpec, subject: Subject, jobs: int, seed: int) -> PlannedLaws:
    """The Sequences for all public classes of ``subject``, which ``spec`` is a host of."""
    planned = PlannedLaws()
    wanted = [info.qualname for info in classes_to_specify(subject)]
    if not wanted:
        return planned
    with open_host(ClassToSpecify(subject.module, "", jobs=jobs, **spec.setting)) as host:
        for name in wanted:
            try:
                request = ClassToSpecify(subject.module, name, jobs=jobs, seed=seed, **spec.setting)
                found = infer_specification(host, request)
            except UnitcraftError:  # of a class that makes no objects there is nothing to say
                continue
            _plan_class(planned, found, {one.id for one in subject.invocables})
    return planned


def _plan_class(planned: PlannedLaws, found: Specification, known: set[str]) -> None:
    for number, (text, invocable, sequence) in enumerate(_tests(found, known)):
        if number == MAX_TESTS:
            return
        planned.plan.append((invocable, sequence))
        goal = Goal(Family.LAW, 0, found.target, text)
        planned.goals[sequence.key] = (*planned.goals.get(sequence.key, ()), goal)


def _tests(found: Specification, known: set[str]) -> Iterator[tuple[str, str, Sequence]]:
    """(law, Invocable, test), each test once."""
    seen: set[str] = set()
    for law in (*found.near, *found.refuted, *found.relaxed):
        test = law.refuting
        if test is None or test.invocable not in known or len(test.sequence) > MAX_CALLS:
            continue
        if test.sequence.key not in seen:
            seen.add(test.sequence.key)
            yield law.text, test.invocable, test.sequence
