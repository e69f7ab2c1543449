"""From the name of a class to the model of its heaps: describe, observe, derive the scope.

Invariant: the Subject is loaded in workers only; what is observed follows from its description
and a fixed seed.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from unitcraft.core.containment import describe_traceback
from unitcraft.core.encoding import pack_call
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.randomness import seeded_random
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec, ProjectSetting
from unitcraft.explore.domains import Domains, calls_of, with_own_classes
from unitcraft.explore.statespace.concrete_task import ClassToExplore, task_of
from unitcraft.explore.statespace.state_exploration import Bounds
from unitcraft.explore.subject_request import request_subject
from unitcraft.heaps.field_domains import Engine
from unitcraft.heaps.field_kind import INTS, PASSED, TEXTS, merge_kinds
from unitcraft.heaps.heap_generation import GenerationTask
from unitcraft.heaps.heap_scope import HeapModel, ScopeWishes, model_of
from unitcraft.heaps.shape_learning import has_tables, infer_invariant

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.execute.spec import Reply
    from unitcraft.subject.model import Subject

#: The service that reads fields and invariants.
SERVICE: Final = "unitcraft.heaps.guest.fields_agent:declare"
#: Sequences of calls whose results are observed, and calls of one.
MAX_OBSERVED: Final = 120
MAX_CALLS: Final = 8
#: Sequences without end after which no more are run: each costs seconds.
MAX_ENDLESS: Final = 4
#: Sequences that a worker is asked to run at once: those behind one without end are run again.
ASKED_AT_ONCE: Final = 8
#: Sequences whose results tell an invariant, and their arguments, one of them negative.
MAX_LEARNED: Final = 400
LEARNED_INTS: Final = (1, 0, 2, 3, -1)
#: Asks for an invariant that is inferred.
INFERRED: Final = "inferred"
#: Seconds of CPU time for reading fields.
MAX_SECONDS: Final = 20.0
#: Runs of the invariant in one search, unless a person says otherwise: a minute or two.
MAX_CANDIDATES: Final = 20_000_000


@dataclass(frozen=True, slots=True)
class HeapsRequest(ProjectSetting):
    """The heaps asked for: of the class ``qualname`` of ``module``, importable from ``paths``.

    ``invariant`` is the name of the method or function that tells valid heaps, an expression over
    ``self``, INFERRED, or '' to find it; ``laws`` are expressions that join what is inferred;
    ``jobs`` bounds the workers that search.
    """

    module: str
    qualname: str
    scopes: tuple[int, ...]
    engine: Engine = "lazy"
    invariant: str = ""
    wishes: ScopeWishes = ScopeWishes()  # noqa: RUF009 - frozen
    candidates: int = MAX_CANDIDATES
    laws: tuple[str, ...] = ()
    jobs: int = 1

    @property
    def target(self) -> str:
        """The class as a person names it."""
        return f"{self.module}:{self.qualname}"


def generation_task(request: HeapsRequest) -> GenerationTask:
    """What to generate for ``request``.

    Raises UnitcraftError: the module cannot be imported, the class is not there, it has no
    invariant, or a wish names nothing.
    """
    spec = request.host("unitcraft.heaps.guest.state_agent", request.module)
    return GenerationTask(
        request.target,
        _derive_model(request, spec),
        request.scopes,
        request.engine,
        spec,
        request.candidates,
        request.jobs,
    )


def _derive_model(request: HeapsRequest, spec: HostSpec) -> HeapModel:
    with Pool(spec, 1) as pool:
        subject = request_subject(pool, request.module)
        item = (request.module, request.qualname)
        (reply,) = pool.map(SERVICE, (item,), isolate=True, seconds=MAX_SECONDS, steps=1 << 40)
        if reply.value is None:
            raise UnitcraftError(
                "scope-failed",
                f"{request.target}: its fields cannot be read",
                cause=describe_traceback(reply.error) or str(reply.failure),
                advice="run `unitcraft explore` on the class: it says how its calls end",
            )
        declared, invariants = reply.value
        invariant = _invariant(request, subject, invariants)
        paths = [(*item, path) for path in _paths_to_observe(request, subject, invariant)]
        seen = [one.value for one in _answers(pool, "observe", paths)]
        kinds = merge_kinds(declared, *seen)
        model = model_of(declared[0][0], kinds, invariant, request.wishes)
        return model if invariant != INFERRED else _with_inferred(model, request, subject, pool)


def _answers(pool: Pool, service: str, items: list[Plain]) -> Iterator[Reply]:
    """The replies that have a value, until too many sequences of calls had no end."""
    ended = 0
    for reply in pool.map(service, items, batch=ASKED_AT_ONCE):
        if reply.value is not None:
            yield reply
        ended += reply.failure is not None
        if ended >= MAX_ENDLESS:
            return


def _with_inferred(
    model: HeapModel, request: HeapsRequest, subject: Subject, pool: Pool
) -> HeapModel:
    """``model`` with what holds on all objects that calls made.  Raises ``no-invariant``."""
    about = (request.module, request.qualname, "", model.layout())
    paths = _paths_to_observe(request, subject, INFERRED, LEARNED_INTS, MAX_LEARNED)
    items = [(*about, path) for path in paths]
    forms = [one.value[0] for one in _answers(pool, "state", items)]
    forms = [form for form in forms if form is not None and not has_tables(form)]
    found = [
        *infer_invariant(model, forms),
        *[f"({one})" for one in request.laws],
    ]
    if not found:
        raise UnitcraftError(
            "no-invariant",
            f"no representation invariant of {request.target} can be inferred",
            cause="calls make too few different objects, or these hold what heaps do not have",
            advice="write one that answers True or False",
        )
    return replace(model, invariant="\nand ".join(found), is_inferred=True)


def _invariant(request: HeapsRequest, subject: Subject, found: tuple[str, ...]) -> str:
    """The name of the invariant.  Raises UnitcraftError ``no-invariant``."""
    members = [one.name for one in subject.invocables]
    if request.invariant:
        named = request.invariant in members or request.invariant in found
        if named or request.invariant == INFERRED or _is_expression(request.invariant):
            return request.invariant
        known = f"known: {', '.join(found)}" if found else "write one that answers True or False"
        what = f"{request.target} has no {request.invariant!r}, nor has its module"
        raise UnitcraftError("no-invariant", what, advice=known)
    if not found:
        raise UnitcraftError(
            "no-invariant",
            f"{request.target} has no representation invariant",
            cause="no method is called rep_ok, check_invariants or the like",
            advice="write one, mark one with `# unitcraft: rep-ok`, or name one with --rep-ok",
        )
    return found[0]


def _is_expression(text: str) -> bool:
    """Is it Python that says something of ``self``?"""
    try:
        tree = ast.parse(f"(\n{text}\n)", mode="eval")
    except (SyntaxError, ValueError):
        return False
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return "self" in names and not isinstance(tree.body, ast.Name)


def methods_to_call(
    subject: Subject, qualname: str, invariant: str, domains: Domains
) -> tuple[str, ...]:
    """The public methods of a class that have arguments in ``domains``; () stands for all.

    Its invariant is left out, which may have no end.
    """
    owner = f"{subject.module}:{qualname}"
    members = next((info.members for info in subject.classes if info.id == owner), ())
    known = with_own_classes(domains, subject)
    found = []
    for one in subject.invocables:
        named = one.id in members and one.kind == "method" and one.public
        if not named or one.name.startswith("_") or one.name == invariant:
            continue
        with contextlib.suppress(UnitcraftError):  # it takes what these domains do not have
            calls_of(one, known)
            found.append(one.name)
    return tuple(found)


def domains_of(number: int) -> Domains:
    """The arguments of calls in the scope ``number``: integers 0 to it, and as many texts."""
    return Domains(tuple(range(number + 1)), texts=TEXTS[: number + 1])


def _paths_to_observe(
    request: HeapsRequest,
    subject: Subject,
    invariant: str,
    ints: tuple[int, ...] = INTS,
    most: int = MAX_OBSERVED,
) -> Iterator[tuple[bytes, ...]]:
    """Sequences of calls, marshalled, that make the objects to observe; none if none can be."""
    domains = Domains(ints, texts=PASSED)
    methods = methods_to_call(subject, request.qualname, invariant, domains)
    asked = ClassToExplore(request.module, request.qualname, Bounds(1), methods, domains=domains)
    try:
        task = task_of(subject, asked)
    except UnitcraftError as error:
        if error.slug == "unknown-class":
            raise
        return
    first = pack_call(task.constructor)
    calls = [pack_call(call) for call in task.actions]
    random = seeded_random(0, "heaps", request.target)
    for _ in range(most):
        yield (first, *random.choices(calls, k=random.randint(0, MAX_CALLS)))
