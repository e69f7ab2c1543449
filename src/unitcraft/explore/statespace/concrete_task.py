"""From the name of a class to an Exploration: open workers, choose calls, explore, close.

Invariant: the Subject is loaded in the workers only; what is explored follows from its
description, the method names and the domains.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import ProjectSetting
from unitcraft.explore.domains import Domains, calls_of, with_own_classes
from unitcraft.explore.statespace.concrete_exploration import (
    ConcreteTask,
    Exploration,
    explore,
    structures_of,
    that_works,
)
from unitcraft.explore.statespace.state_graph import LINE_WIDTH, MAX_EDGES, states_to_draw
from unitcraft.explore.subject_request import request_subject
from unitcraft.state.heap.state_display import fields_of

if TYPE_CHECKING:
    from unitcraft.core.events import Listener
    from unitcraft.explore.statespace.state_exploration import Bounds
    from unitcraft.subject.model import ClassInfo, Invocable, Subject


#: Calls of a constructor that are tried for one that makes an object.
MAX_CONSTRUCTIONS: Final = 16


@dataclass(frozen=True, slots=True)
class ClassToExplore(ProjectSetting):
    """The class to explore: ``qualname`` of ``module``, importable from ``paths``.

    ``methods`` are names; none means every public method.  ``graph``: keep edges and fields of
    states for a picture.
    """

    module: str
    qualname: str
    bounds: Bounds
    methods: tuple[str, ...] = ()
    domains: Domains = Domains()  # noqa: RUF009 - frozen
    jobs: int = 1
    graph: bool = False


def explore_class(request: ClassToExplore, listener: Listener | None = None) -> Exploration:
    """Explore the class of ``request`` breadth first through guarded workers.

    Raises UnitcraftError: the module cannot be imported, the class or a method is not there,
    a parameter has no domain, or the constructor fails.
    """
    spec = request.host("unitcraft.explore.agents.replay_agent", request.module)
    with Pool(spec, request.jobs) as pool:
        task = that_works(task_of(request_subject(pool, request.module), request), pool)
        keep = MAX_EDGES if request.graph else 0
        found = explore(task, pool, request.bounds, listener=listener, keep_edges=keep)
        if not request.graph:
            return found
        structures = structures_of(task, pool, states_to_draw(found))
        lines = {digest: fields_of(shape, LINE_WIDTH) for digest, shape in structures.items()}
        return replace(found, lines=lines)


def task_of(subject: Subject, request: ClassToExplore) -> ConcreteTask:
    """The constructor's first Call and all Calls of the methods over the domains.

    Raises UnitcraftError ``unknown-class``, ``unknown-method``, ``unknown-parameter`` or
    ``no-domain``.
    """
    target = f"{subject.module}:{request.qualname}"
    members = _members(subject, request.qualname)
    constructor = next((one for one in members if one.kind == "constructor"), None)
    if constructor is None:
        raise UnitcraftError(
            "nothing-to-explore",
            f"{target} has no instances of its own",
            cause="it is abstract, or is made by calls that cannot be made here",
            advice="name a class that can be called",
        )
    methods = {member.name: member for member in members if member.kind == "method"}
    names = request.methods or tuple(
        name for name, method in methods.items() if method.public and not name.startswith("_")
    )
    for name in names:
        if name not in methods:
            raise unknown("method", f"{target}.{name}", name, list(methods))
    _check_parameters(target, [constructor, *[methods[name] for name in names]], request.domains)
    domains = with_own_classes(request.domains, subject)
    actions = [call for name in names for call in calls_of(methods[name], domains)]
    if not actions:
        raise UnitcraftError(
            "nothing-to-explore",
            f"{target}: there is no public method to call",
            advice="name methods with --methods",
        )
    first, *others = calls_of(constructor, domains)[:MAX_CONSTRUCTIONS]
    return ConcreteTask(target, first, tuple(actions), tuple(others))


def _members(subject: Subject, qualname: str) -> list[Invocable]:
    classes = classes_by_name(subject)
    if qualname not in classes:
        raise unknown("class", f"{subject.module}:{qualname}", qualname, list(classes))
    by_id = {invocable.id: invocable for invocable in subject.invocables}
    return [by_id[member] for member in classes[qualname].members if member in by_id]


def classes_by_name(subject: Subject) -> dict[str, ClassInfo]:
    """The classes by qualname: those of the module, then those that name another as their home.

    A package may say that what it exports is its own (``Value.__module__ = "outcome"``).
    """
    own = {info.qualname: info for info in subject.classes if info.module == subject.module}
    package = subject.module.partition(".")[0]
    moved = [info for info in subject.classes if info.module.partition(".")[0] == package]
    return {**{info.qualname: info for info in moved}, **own}


def _check_parameters(target: str, called: list[Invocable], domains: Domains) -> None:
    """Raises UnitcraftError when the domains name a parameter that nothing has."""
    known = dict.fromkeys(one.name for invocable in called for one in invocable.parameters)
    for name in domains.by_name:
        if name not in known:
            raise UnitcraftError(
                "unknown-parameter",
                f"no method of {target} that is called has a parameter {name!r}",
                advice=f"known: {', '.join(known)}" if known else "",
            )


def unknown(noun: str, target: str, name: str, known: list[str]) -> UnitcraftError:
    """The error of a name that is not there, with the nearest one that is."""
    close = get_close_matches(name, known, 1)
    public = ", ".join(one for one in known if not one.startswith("_"))
    advice = f"did you mean {close[0]!r}?" if close else f"known: {public}" if public else ""
    return UnitcraftError(f"unknown-{noun}", f"there is no {noun} {target}", advice=advice)
