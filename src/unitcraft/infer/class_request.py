"""What is asked of inference: a class, the values to learn from, the calls that are meant.

Invariant: a request is plain data; the class is looked up in the description alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.sequences import Arg
from unitcraft.execute.spec import ProjectSetting
from unitcraft.explore.statespace.concrete_task import classes_by_name, unknown
from unitcraft.infer.universe.preconditions import Precondition

if TYPE_CHECKING:
    from unitcraft.subject.model import ClassInfo, Invocable, Subject


#: Tags of classes about which there are no laws of their own.
_SKIPPED: Final = frozenset(
    {"abstract", "protocol", "enum", "exception", "metaclass", "collaborator"}
)


@dataclass(frozen=True, slots=True)
class ClassToSpecify(ProjectSetting):
    """The class ``qualname`` of ``module``, importable from ``paths``.

    ``methods`` are names; none means every public one.  ``ints`` and ``given`` (by parameter) are
    values to learn from, ``preconditions`` which calls are meant, ``checked`` laws of the user.
    """

    module: str
    qualname: str
    methods: tuple[str, ...] = ()
    ints: tuple[int, ...] = ()
    given: Mapping[str, tuple[Arg, ...]] = field(default_factory=dict)
    preconditions: tuple[Precondition, ...] = ()
    checked: tuple[str, ...] = ()
    jobs: int = 1
    seed: int = 0

    @property
    def target(self) -> str:
        """The class as a target."""
        return f"{self.module}:{self.qualname}"


def classes_to_specify(subject: Subject) -> list[ClassInfo]:
    """The public classes of the module that have laws of their own."""
    return [
        info
        for info in subject.classes
        if info.module == subject.module and info.public and not _SKIPPED & set(info.tags)
    ]


def find_class(subject: Subject, request: ClassToSpecify) -> tuple[ClassInfo, Invocable]:
    """The class and its constructor.  Raises UnitcraftError."""
    own = classes_by_name(subject)
    if request.qualname not in own:
        raise unknown("class", request.target, request.qualname, list(own))
    info = own[request.qualname]
    by_id = {invocable.id: invocable for invocable in subject.invocables}
    members = [by_id[member] for member in info.members if member in by_id]
    for name in request.methods:
        if name not in {one.name for one in members}:
            raise unknown("method", f"{request.target}.{name}", name, [m.name for m in members])
    constructor = next((one for one in members if one.kind == "constructor"), None)
    if constructor is None:
        raise nothing_to_say(
            request.target, "it is abstract, or is made by calls that cannot be made here"
        )
    return info, constructor


def nothing_to_say(target: str, cause: str) -> UnitcraftError:
    """The error of a class that cannot be made or called."""
    return UnitcraftError(
        "nothing-to-specify",
        f"there is nothing to say about {target}",
        cause=cause,
        advice="name a class whose constructor works, or give values with --concrete NAME=V1,V2",
    )
