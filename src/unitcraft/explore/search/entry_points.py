"""The Invocables that a search calls, in three stages.

First the public API.  When that brings nothing new, private functions and methods that no run has
entered: code that siblings, frameworks or nobody calls is behaviour as well.  Last, and only where
no Goal was reached at all, what classes merely inherit: a module of nothing but subclasses has one
test for each class.

Invariant: an Invocable is opened once, in source order; collaborators lend their constructors only
(``random_walks`` calls what changes their objects, on the way to a target).
"""

from __future__ import annotations

from collections.abc import Container

from unitcraft.core.sequences import Build, Call, Sequence
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.subject.model import ClassInfo, Invocable, Subject
from unitcraft.subject.values.user_factories import UserValues


class SharedCode:
    """Which of the Invocables that are called run the same code (mutable: they are added).

    A member that six classes inherit has one open site, not six.  In 20,000 runs of a module of
    caches 299, 311 and 298 sites (three seeds), 298, 300 and 285 where each heir has its own turn;
    31 other modules as before.
    """

    def __init__(self) -> None:
        self._groups: dict[tuple[str, int, str], list[str]] = {}
        self._group: dict[str, list[str]] = {}

    def add(self, invocable: Invocable) -> None:
        """Note one more Invocable."""
        name = invocable.name if invocable.first else invocable.id
        group = self._groups.setdefault((invocable.module, invocable.first, name), [])
        group.append(invocable.id)
        self._group[invocable.id] = group

    def has_turn(self, name: str, number: int) -> bool:
        """Is it the turn of the Invocable ``name`` in round ``number``, of those with its code?"""
        group = self._group[name]
        return group[number % len(group)] == name


def public_entries(subject: Subject) -> list[Invocable]:
    """The public API, and the constructors of whatever may be needed as an argument."""
    classes = {info.id: info for info in subject.classes}
    return [
        invocable
        for invocable in subject.invocables
        if (invocable.kind != "field" or invocable.is_open_field)
        and is_wanted(invocable, classes, subject.module)
    ]


def is_wanted(invocable: Invocable, classes: dict[str, ClassInfo], module: str) -> bool:
    """Does the first stage call it, in a search of ``module``?

    A member that another module of the package defines is called when it acts on what the class
    defines or prepares its state.
    """
    owner = classes.get(invocable.owner)
    if is_written(invocable, owner) or invocable.trivial:
        return False
    helper = owner is not None and ("collaborator" in owner.tags or not owner.public)
    if helper or invocable.kind == "constructor":
        return invocable.kind == "constructor"
    if owner is not None and owner.module == module and invocable.module not in ("", module):
        return invocable.public and (invocable.uses_own or bool(invocable.writes))
    return invocable.public


def is_written(invocable: Invocable, owner: ClassInfo | None) -> bool:
    """Is it a member of an abstract class, or a Protocol, that a test has to define itself?"""
    if owner is None or owner.concrete:
        return False
    return any(one.id == invocable.id for one in owner.unimplemented[1:])


def private_entries(subject: Subject, goals: GoalMap) -> list[Invocable]:
    """Own functions and methods that the first stage leaves out and that no run has entered.

    A name of underscores alone is no name to call something by, and what has no behaviour of its
    own shows in whatever calls it.
    """
    classes = {info.id: info for info in subject.classes}
    return [
        invocable
        for invocable in subject.invocables
        if invocable.kind != "field"
        and invocable.module == subject.module
        and invocable.name.strip("_")
        and not invocable.trivial
        and not is_wanted(invocable, classes, subject.module)
        and not is_written(invocable, classes.get(invocable.owner))
        and "collaborator" not in _tags(invocable, classes)
        and not goals.is_entered(invocable.id)
    ]


def inherited_entries(subject: Subject) -> list[Invocable]:
    """Constructors and public members that the module's own classes have from elsewhere."""
    classes = {info.id: info for info in subject.classes}
    return [
        invocable
        for invocable in subject.invocables
        if invocable.owner
        and invocable.kind != "field"
        and invocable.public
        and invocable.module != subject.module
        and "collaborator" not in _tags(invocable, classes)
    ]


def _tags(invocable: Invocable, classes: dict[str, ClassInfo]) -> tuple[str, ...]:
    owner = classes.get(invocable.owner)
    return () if owner is None else owner.tags


def factory_runs(
    subject: Subject, user: UserValues, called: Container[str]
) -> list[tuple[str, Sequence]]:
    """Calls of the user's factories: each makes a first receiver of its class.

    They are of the first member of the class that is among those ``called``.
    """
    plan: list[tuple[str, Sequence]] = []
    for info in subject.classes:
        member = next((name for name in info.members if name in called), None)
        for made in user.of_class(info.id) if member else ():
            assert isinstance(made, Build)  # noqa: S101 - see UserValues.of_class
            name = f"{made.callee.module}:{made.callee.qualname}"
            plan.append((str(member), Sequence((Call("function", name),))))
    return plan
