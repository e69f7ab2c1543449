"""The specification of a guarded host and the reply to one item, as plain data.

Invariant: what the host reads of a HostSpec is nothing but plain values, so that ``to_plain`` loses
only the interpreter, which the parent has started by then.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from unitcraft.core.encoding import Plain
from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.execute.policy import Policy

if TYPE_CHECKING:
    from unitcraft.core.interpreter import Interpreter

#: Steps (loop turns and function entries) that one item may take.
DEFAULT_STEPS = 200_000


@dataclass(frozen=True, slots=True)
class HostSpec:
    """A host process: the agent that runs in it and the bounds around it.

    ``entry`` names a module with ``prepare(options, import_subject) -> Plain``, called once inside
    the guard, which imports the Subject by ``import_subject(name)``, and ``SERVICES``, a dict of
    name -> function of one Plain.  ``paths`` come first on ``sys.path`` of the Subject;
    ``entry_paths`` are where ``entry`` itself is found, if it is not part of unitcraft.
    ``subject`` names the modules (with all below them) whose state is reset between items; empty:
    every module that ``prepare`` loaded from below ``paths``.  ``focus``
    names those whose state is compared after each item from the start; that of the others is
    compared after each batch, until a batch changed it.  Empty: all.
    ``clock_shift`` (seconds) moves the clock that the Subject sees; in ``virtual_time`` it begins
    anew with each item and depends on nothing else.  ``environment`` is added to
    the scrubbed one; ``before_import`` are functions to call before the Subject is imported, as
    ``module:function``.  ``elsewhere``: machine and user are reported to be others, ``lends``:
    optional modules that are missing are there, as stand-ins.  ``item_seconds`` bounds the CPU time
    of one item (three times that in wall time), ``import_seconds`` the wall time of ``prepare``.
    ``memory_mb`` bounds a process (MiB of addresses), ``item_memory_mb`` what the items of a worker
    may allocate beyond what ``prepare`` did: 512 is more than 32 results of the largest size that
    is looked at.  ``traced``: count steps by the interpreter's events, for code without probes.
    ``python`` is the interpreter to start (None: our own).
    """

    entry: str
    options: Plain = None
    paths: tuple[str, ...] = ()
    entry_paths: tuple[str, ...] = ()
    subject: tuple[str, ...] = ()
    focus: tuple[str, ...] = ()
    hash_seed: int = 0
    clock_shift: float = 0.0
    virtual_time: bool = False
    environment: tuple[tuple[str, str], ...] = ()
    before_import: tuple[str, ...] = ()
    elsewhere: bool = False
    lends: bool = False
    policy: Policy = field(default_factory=Policy)
    item_seconds: float = 2.0
    import_seconds: float = 30.0
    steps: int = DEFAULT_STEPS
    memory_mb: int = 2048
    item_memory_mb: int = 512
    traced: bool = False
    python: Interpreter | None = None

    @property
    def setting(self) -> dict[str, Any]:
        """The fields of a ProjectSetting, for requests about the same project."""
        names = ("paths", "policy", "python", "before_import")
        return {"env": self.environment, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectSetting:
    """How the code of a project runs, whatever is asked about it; the fields are those of hosts."""

    paths: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy)
    python: Interpreter | None = None
    env: tuple[tuple[str, str], ...] = ()
    before_import: tuple[str, ...] = ()

    @property
    def setting(self) -> dict[str, Any]:
        """The fields by name, for other requests about the same project."""
        return {one.name: getattr(self, one.name) for one in fields(ProjectSetting)}

    def host(self, entry: str, module: str, **options: Plain) -> HostSpec:
        """The host in which ``entry`` imports ``module``, and runs the code as it stands."""
        return HostSpec(
            entry,
            {"module": module, **options},
            paths=self.paths,
            policy=self.policy,
            environment=self.env,
            before_import=self.before_import,
            python=self.python,
            focus=(module,),
        )


class Reply(NamedTuple):
    """The answer to one item: a value, or why there is none.

    ``failure`` is caused by the Subject.  ``error`` is a fault of unitcraft: the traceback of an
    exception that the service itself let escape (empty otherwise).  ``shown`` is what the service
    would have answered about an item that was refused an effect.
    """

    value: Plain = None
    failure: Rejected | Exhausted | None = None
    error: str = ""
    shown: Plain = None


def to_plain(spec: HostSpec) -> Plain:
    """A dict of the fields of ``spec``."""
    names = [name for name in HostSpec.__slots__ if name not in ("policy", "python")]
    plain = {name: getattr(spec, name) for name in names}
    return {**plain, "policy": (spec.policy.level, spec.policy.allow)}


def from_plain(plain: Plain) -> HostSpec:
    """The HostSpec of ``to_plain``."""
    level, allow = plain["policy"]
    return HostSpec(**{**plain, "policy": Policy(level, allow)})
