"""What the criterion ``field`` asks a search for: each method in each heap that adds pairs.

The heaps of a field-exhaustive suite are built by the shortest sequences of calls that reach them;
each public method follows with integers 0 to N or as many texts as arguments, and each such call
is a Goal.  Heaps that no sequence reaches are built (``heap_building``), and marked as such.

Invariant: a Goal is given to the Sequences that are planned for it and to no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unitcraft.core.call_text import arguments_text
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding
from unitcraft.core.goals import Family, Goal
from unitcraft.core.rule_codes import NO_SEQUENCE, VIOLATED
from unitcraft.core.sequences import Call, Ref, Sequence
from unitcraft.explore.domains import calls_of
from unitcraft.heaps.field_coverage import PairReader
from unitcraft.heaps.heap_building import build_heaps
from unitcraft.heaps.heap_generation import HeapGenerator
from unitcraft.heaps.heap_task import INFERRED, HeapsRequest, domains_of, generation_task
from unitcraft.heaps.reaching_sequences import SequenceSearch, calls_text, key_of
from unitcraft.heaps.transcoping import FieldSuite, StopRule

if TYPE_CHECKING:
    from unitcraft.execute.spec import HostSpec
    from unitcraft.explore.domains import Domains
    from unitcraft.heaps.heap_generation import GenerationTask, ValidHeap
    from unitcraft.heaps.reaching_sequences import Reached
    from unitcraft.subject.model import ClassInfo, Invocable, Subject

#: Candidates of one class: a suite of scope 6 of a search tree takes 5,150.
MAX_CANDIDATES = 500_000


@dataclass(frozen=True, slots=True)
class HeapCheck:
    """The invariant of a class, asked by ``call``; ``is_built``: no sequence reaches the heap."""

    target: str
    invariant: str
    call: Call
    is_built: bool


@dataclass(slots=True)
class PlannedHeaps:
    """Sequences to run, by Invocable, the Goals of each by its key, and what people should know.

    ``checks`` are the invariants to ask after each Sequence, by its key.
    """

    plan: list[tuple[str, Sequence]] = field(default_factory=list)
    goals: dict[str, tuple[Goal, ...]] = field(default_factory=dict)
    checks: dict[str, HeapCheck] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def plan_heaps(
    spec: HostSpec,
    subject: Subject,
    scope: int,
    rule: StopRule | None = None,
    invariant: str = "",
) -> PlannedHeaps:
    """The Sequences for all classes of ``subject`` that have a representation invariant.

    ``spec`` is a host of the Subject; ``rule`` ends the search of heaps early.  Raises
    UnitcraftError: ``no-invariant`` when no class has one.
    """
    planned = PlannedHeaps()
    for task, info in tasks_of_classes(spec, subject, scope, invariant):
        _plan_class(planned, task, info, subject, rule)
    return planned


def tasks_of_classes(
    spec: HostSpec, subject: Subject, scope: int, invariant: str = ""
) -> list[tuple[GenerationTask, ClassInfo]]:
    """What to generate for the classes of ``subject`` that have a representation invariant.

    It is ``invariant``, as in ``HeapsRequest``; INFERRED is for classes that have none.  Raises
    UnitcraftError: ``no-invariant`` when there are classes and none has one.
    """
    missing: UnitcraftError | None = None
    found = []
    for info in subject.classes:
        if info.module != subject.module or "collaborator" in info.tags or not info.public:
            continue
        wishes = ("", INFERRED) if invariant == INFERRED else (invariant,)
        for wish in wishes:
            try:
                found.append((generation_task(_request(spec, info, scope, wish)), info))
                break
            except UnitcraftError as error:
                if error.slug != "no-invariant":
                    raise
                missing = error
    if missing is not None and not found:
        raise missing
    return found


def _request(spec: HostSpec, info: ClassInfo, scope: int, invariant: str) -> HeapsRequest:
    return HeapsRequest(
        info.module,
        info.qualname,
        tuple(range(1, scope + 1)),
        invariant=invariant,
        candidates=MAX_CANDIDATES,
        **spec.setting,
    )


def _plan_class(
    planned: PlannedHeaps,
    task: GenerationTask,
    info: ClassInfo,
    subject: Subject,
    rule: StopRule | None,
) -> None:
    suite = FieldSuite(PairReader.of(task.model), task.scopes, rule)
    reached = SequenceSearch(task).run()
    suite.take(heaps_worth_keeping(task, reached))
    symbolic = task.model.symbolic_fields()
    forms = [heap.form for heap in suite.suite]
    paths = [reached.paths.get(key_of(form, symbolic)) for form in forms]
    unreached = [form for form, path in zip(forms, paths, strict=True) if path is None]
    builds = build_heaps(task, subject, unreached)
    built = iter(builds)
    methods = list(_methods(info, subject, task.model.invariant))
    domains = domains_of(task.scopes[-1])
    asked = _call_of(task, info, subject) if task.model.invariant.isidentifier() else None
    for number, path in enumerate(paths):
        calls = next(built) if path is None else path
        if calls is None:
            continue
        for method in methods:
            for last in _calls(method, domains):
                sequence = Sequence((*calls, last))
                planned.plan.append((method.id, sequence))
                passed = arguments_text(last.args[1:], last.kwargs)
                planned.goals[sequence.key] = (Goal(Family.HEAP, number, method.id, passed),)
                if asked is not None:
                    about = (task.target, task.model.invariant, asked, path is None)
                    planned.checks[sequence.key] = HeapCheck(*about)
    for violation in reached.violations if not task.model.is_inferred else ():
        text = f"{calls_text(violation.calls)}; then {task.model.invariant_name} does not hold"
        planned.findings.append(Finding(VIOLATED, task.target, text))
    if unreached:
        text = f"no sequence of calls reaches {len(unreached)} of {len(forms)} heaps"
        done = len([one for one in builds if one is not None])
        text += f"; tests build {done} of them field by field" if done else ""
        planned.findings.append(Finding(NO_SEQUENCE, task.target, text))


def heaps_worth_keeping(task: GenerationTask, reached: Reached) -> Iterator[ValidHeap]:
    """The valid heaps; of those that an inferred invariant allows only what calls reach."""
    symbolic = task.model.symbolic_fields()
    for heap in HeapGenerator(task).heaps():
        if not task.model.is_inferred or key_of(heap.form, symbolic) in reached.paths:
            yield heap


def _call_of(task: GenerationTask, info: ClassInfo, subject: Subject) -> Call:
    """The Call that asks the invariant of a receiver."""
    name = task.model.invariant
    members = {one.name: one.kind for one in subject.invocables if one.id in info.members}
    if members.get(name) == "property":
        return Call("get", name, (Ref(0),))
    if name not in members and f"{info.module}:{name}" in {one.id for one in subject.invocables}:
        return Call("function", f"{info.module}:{name}", (Ref(0),))
    return Call("method", name, (Ref(0),))


def _methods(info: ClassInfo, subject: Subject, invariant: str) -> Iterator[Invocable]:
    for one in subject.invocables:
        named = one.id in info.members and one.kind == "method" and one.public
        if named and one.name != invariant and not one.name.startswith("_"):
            yield one


def _calls(method: Invocable, domains: Domains) -> Iterator[Call]:
    """The Calls of a method over ``domains``; none when a parameter takes other values."""
    try:
        yield from calls_of(method, domains)
    except UnitcraftError:
        return
