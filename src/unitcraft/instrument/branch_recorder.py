"""The probes of branches: they mark sites and record the operands of comparisons.

Invariant: a probe returns exactly what the rewritten form would have returned
and raises exactly what it would have raised; between ``start`` and ``stop`` the
recorder holds only atoms, never an object of the Subject, and no text that differs in each run.
"""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from unitcraft.instrument import branch_probes
from unitcraft.instrument.branch_probes import CLASS_METHODS

if TYPE_CHECKING:
    import ast

    from unitcraft.core.encoding import Plain

#: Operand pairs recorded in one run, so that a loop over a table cannot fill the answer.
MAX_COMPARISONS: Final = 160
#: Operand pairs that one site may record in a run.
MAX_FOR_SITE: Final = 80
#: Characters (or bytes) of a recorded text.
MAX_TEXT: Final = 200
#: Atoms recorded of one container.
MAX_CONTAINER: Final = 12
#: Numbers from here on are not recorded.
MAX_NUMBER: Final = 10**18
#: What stands before the address of an object in its text.
ADDRESS: Final = " at 0x"

_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_NUMBERS: Final = (int, float, bool)
_TEXTS: Final = (str, bytes)
#: What a class says of itself, past its metaclass.
_MODULE_OF: Final = type.__dict__["__module__"].__get__
_NAME_OF: Final = type.__dict__["__name__"].__get__
#: (module, name) of a class -> how what its objects are made of is got from one.
_MADE_OF: Final = {
    ("decimal", "Decimal"): "finite", ("fractions", "Fraction"): "number",
    ("datetime", "timedelta"): "duration", ("datetime", "date"): "text",
    ("datetime", "datetime"): "text", ("datetime", "time"): "text",
}  # fmt: skip


class KnownNames(NamedTuple):
    """The attributes of ``owner``, and the first of them that are ``like`` a name."""

    owner: Any
    names: list[str]
    like: dict[str, tuple[str, ...]]


class Recorder:
    """Hits and comparisons of one run.

    ``hits`` has one byte for each site.  ``comparisons`` holds
    (site of the true outcome, operator, left, right) with atoms only; ``counts`` is the number
    of them for each site.  ``tables`` are the sites that look values up in tables, ``patterns``
    the regexes whose matches are recorded.  ``known`` is the number of sites that the planner has
    heard of: code that is loaded later has numbers from there on, and is not reported.
    ``volatile`` are parts of texts that no other run has: such texts are not recorded.
    ``names`` are the attributes of the classes and modules that were asked for some, by identity.
    """

    __slots__ = (
        "active", "comparisons", "counts", "hits", "known", "names", "patterns", "tables",
        "volatile",
    )  # fmt: skip

    def __init__(self) -> None:
        self.hits = bytearray(4096)
        self.known = sys.maxsize
        self.tables: set[int] = set()
        self.patterns: set[str] = set()
        self.comparisons: dict[Plain, None] = {}
        self.counts: dict[int, int] = {}
        self.names: dict[int, KnownNames] = {}
        self.volatile: tuple[str, ...] = (ADDRESS,)
        self.active = False

    def reserve(self, sites: int) -> None:
        """Make room for the hits of ``sites`` sites."""
        if sites > len(self.hits):
            self.hits.extend(bytes(2 * sites - len(self.hits)))

    def start(self) -> None:
        """Forget the last run and begin to record comparisons."""
        self.clear()
        self.active = True

    def clear(self) -> None:
        """Forget hits and comparisons, keep the mode."""
        self.hits[:] = bytes(len(self.hits))
        self.comparisons = {}
        self.counts = {}
        self.names = {}

    def stop(self) -> tuple[tuple[int, ...], tuple[Plain, ...]]:
        """The hit sites in number order and the comparisons in order of occurrence."""
        self.active = False
        hits = self.hits
        found, position = [], hits.find(1, 0, self.known)
        while position >= 0:
            found.append(position)
            position = hits.find(1, position + 1, self.known)
        return tuple(found), tuple(self.comparisons)

    def keep(self, site: int, name: str, left: Any, right: Any) -> None:
        """Record a pair of operands, if there is room for one more of its site."""
        if name in ("matched", "member"):
            has_room = site < self.known and len(self.comparisons) < MAX_COMPARISONS
        else:
            has_room = self.has_room(site)
        entry = (site, name, left, right)
        if has_room and entry not in self.comparisons:
            self.counts[site] = self.counts.get(site, 0) + 1
            self.comparisons[entry] = None

    def has_room(self, site: int) -> bool:
        """Is the recorder active, and would a new pair of operands of ``site`` be kept?"""
        return (
            self.active
            and site < self.known
            and len(self.comparisons) < MAX_COMPARISONS
            and self.counts.get(site, 0) < MAX_FOR_SITE
        )


#: The recorder of this process.
RECORDER: Final = Recorder()


#: Classes whose objects have atoms.
_CONTAINERS: Final = frozenset({dict, list, tuple, set, frozenset, str, bytes})


def _is_atom(value: Any) -> bool:
    cls = type(value)
    return (cls in _TEXTS and len(value) <= MAX_TEXT and not _is_volatile(value)) or (
        cls in _NUMBERS and -MAX_NUMBER < value < MAX_NUMBER
    )


def _atom_for(value: Any) -> Any:
    """What stands for an object made of a number or a text, without code of the Subject."""
    cls = type(value)
    if cls is str:  # of a path in the folder of a run the last name is the same in each run
        return value.rpartition("/")[2] if _is_volatile(value) else value
    module, name = _MODULE_OF(cls), _NAME_OF(cls)
    kind = _MADE_OF.get((module, name)) if type(module) is str else None
    if kind is None or getattr(sys.modules.get(module), name, None) is not cls:
        return value
    if kind == "text":
        return value.isoformat()
    number = value.total_seconds() if kind == "duration" else value
    if (kind == "finite" and not value.is_finite()) or not -MAX_NUMBER < number < MAX_NUMBER:
        return value
    return int(number) if number == int(number) else float(number)


def _is_volatile(text: str | bytes) -> bool:
    """Does another run have another text in its place?"""
    if type(text) is bytes:
        return any(part.encode() in text for part in RECORDER.volatile)
    for part in RECORDER.volatile:  # noqa: SIM110 - a loop over a table asks for each of its rows
        if part in text:
            return True
    return False


def _atoms_of(container: Any) -> Plain:
    """The atoms of a container of the standard kinds, or None."""
    if type(container) in _TEXTS:
        return None if _is_volatile(text := _atom_for(container)) else text[:MAX_TEXT]
    if type(container) in _CONTAINERS:
        items = list(container) if len(container) <= 4 * MAX_CONTAINER else []
        atoms = [item for item in items if _is_atom(item)]
        atoms.sort(key=lambda item: (type(item).__name__, item))
        return tuple(atoms[:MAX_CONTAINER])
    return None


def compare(site: int, name: str, left: Any, right: Any) -> Any:
    """``left name right`` with its outcome marked; ``site + 1`` is the false outcome."""
    recorder = RECORDER
    value = _COMPARE[name](left, right)
    if type(value) is bool:
        recorder.hits[site if value else site + 1] = 1
        if recorder.has_room(site):
            left, right = _atom_for(left), _atom_for(right)
            if _is_atom(left) and _is_atom(right):
                recorder.keep(site, name, left, right)
    return value


def contains(site: int, negated: bool, item: Any, container: Any) -> bool:  # noqa: FBT001
    """``item in container`` (or ``not in``) with its outcome marked."""
    recorder = RECORDER
    found = operator.contains(container, item)
    value = not found if negated else found
    recorder.hits[site if value else site + 1] = 1
    if recorder.active and _is_atom(item := _atom_for(item)):
        if recorder.has_room(site):
            atoms = _atoms_of(container)
            if atoms is not None:
                recorder.keep(site, "in", item, atoms)
        if found and site in recorder.tables and type(container) in _CONTAINERS:
            recorder.keep(site, "member", item, None)
    return value


def mark_truth(site: int, value: Any) -> Any:
    """``value`` itself, its truth marked (operands of and, or, not and conditional expressions)."""
    RECORDER.hits[site if value else site + 1] = 1
    return value


def lookup(site: int, container: Any, index: Any) -> Any:
    """``container[index]``: found or missing; a dictionary's keys are candidates for ``index``."""
    recorder = RECORDER
    known = recorder.active and type(container) is dict and _is_atom(index)
    if known and recorder.has_room(site):
        recorder.keep(site, "key", index, _atoms_of(container))
    try:
        value = container[index]
    except LookupError:
        recorder.hits[site + 1] = 1
        raise
    recorder.hits[site] = 1
    if known and site in recorder.tables:
        recorder.keep(site, "member", index, None)
    return value


def call_method(site: int, name: str, receiver: Any, *args: Any, **kwargs: Any) -> Any:
    """``receiver.name(*args, **kwargs)``; text searches, regexes and dict look-ups are recorded."""
    recorder = RECORDER
    if recorder.active:
        _record_call(recorder, site, name, receiver, args)
    value = getattr(receiver, name)(*args, **kwargs)
    cls = type(value)
    if cls is bool or value is None or cls is re.Match:
        recorder.hits[site if value else site + 1] = 1
        if cls is re.Match and recorder.active and value.re.pattern in recorder.patterns:
            recorder.keep(site, "matched", value.re.pattern, None)
    return value


def _record_call(
    recorder: Recorder, site: int, name: str, receiver: Any, args: tuple[Any, ...]
) -> None:
    cls = type(receiver)
    if cls in _TEXTS and _is_atom(text := _atom_for(receiver)):
        _record_text(recorder, site, name, text, args)
    elif cls is re.Pattern:
        _record_regex(recorder, site, receiver, args[1:] if name == "sub" else args)
    elif receiver is re and args:
        pattern = args[0]
        if type(pattern) in _TEXTS:
            try:
                pattern = re.compile(pattern)
            except re.error:
                return
        if type(pattern) is re.Pattern:
            _record_regex(recorder, site, pattern, args[2:] if name == "sub" else args[1:])
    elif (
        cls is dict
        and name in ("get", "pop", "setdefault")
        and args
        and _is_atom(args[0])
        and recorder.has_room(site)
    ):
        recorder.keep(site, "key", args[0], _atoms_of(receiver))


def _record_text(
    recorder: Recorder, site: int, name: str, text: Any, args: tuple[Any, ...]
) -> None:
    if name in CLASS_METHODS:
        recorder.keep(site, name, text, None)
    elif args:
        operands = args[0] if type(args[0]) is tuple else (args[0],)
        for operand in operands[:MAX_CONTAINER]:
            if type(operand) in _TEXTS and operand and not _is_volatile(operand):
                recorder.keep(site, name, text, operand)


def _record_regex(
    recorder: Recorder, site: int, pattern: re.Pattern[Any], args: tuple[Any, ...]
) -> None:
    if args and type(args[0]) in _TEXTS and _is_atom(args[0]):
        recorder.keep(site, "regex", args[0], (pattern.pattern, int(pattern.flags)))


def check_instance(site: int, value: Any, classes: Any) -> bool:
    """``isinstance(value, classes)``; the names of the classes are recorded."""
    recorder = RECORDER
    outcome = isinstance(value, classes)
    recorder.hits[site if outcome else site + 1] = 1
    if recorder.active:
        wanted = classes if type(classes) is tuple else (classes,)
        names = tuple(
            f"{cls.__module__}:{cls.__qualname__}" for cls in wanted if isinstance(cls, type)
        )
        kind = type(value)
        recorder.keep(site, "isinstance", f"{kind.__module__}:{kind.__qualname__}", names)
    return outcome


def read_attribute(site: int, function: Any, *args: Any) -> Any:
    """``getattr(*args)`` or ``hasattr(*args)``; names of attributes that are there are recorded."""
    recorder = RECORDER
    if recorder.has_room(site) and type(args[1]) is str and _is_atom(args[1]):
        recorder.keep(site, "attribute", args[1], _names_like(args[0], args[1]))
    try:
        value = function(*args)
    except AttributeError:
        recorder.hits[site + 1] = 1
        raise
    is_missing = value is args[2] if len(args) > 2 else value is False  # noqa: PLR2004
    recorder.hits[site + 1 if is_missing else site] = 1
    return value


def _names_like(value: Any, name: str) -> tuple[str, ...]:
    """Attributes of ``value`` and its class: those that begin like ``name`` first, then data.

    No code of the class runs; a loop that asks for one name again and again gets what it got.
    """
    known = _known_names(value)
    if name not in known.like:
        known.like[name] = _sorted_by_likeness(known.names, name)
    return known.like[name]


def _sorted_by_likeness(names: list[str], name: str) -> tuple[str, ...]:
    hidden = "_" if name[:1] != "_" else "__"
    shown = [one for one in names if not one.startswith(hidden) or one == "__doc__"]
    alike = [one for one in shown if one[:1] == name[:1]]
    alike.sort(key=lambda one: -_shared_start(one, name))
    others = [one for one in shown if one[:1] != name[:1]] if len(alike) < MAX_CONTAINER else []
    return tuple([*alike, *others][:MAX_CONTAINER])


def _known_names(value: Any) -> KnownNames:
    """The attributes of ``value`` and its class, data first, as first seen in this run."""
    owner: Any = value if type(value) is ModuleType else type(value)
    known = RECORDER.names.get(id(owner))
    if known is not None:
        return known
    spaces = [vars(owner)] if owner is value else [vars(cls) for cls in owner.__mro__]
    found = {one: held for space in reversed(spaces) for one, held in space.items()}
    names = sorted((callable(held), one) for one, held in found.items() if type(one) is str)
    made = RECORDER.names[id(owner)] = KnownNames(owner, [one for _, one in names], {})
    return made


def _shared_start(first: str, second: str) -> int:
    """The characters with which both begin."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


class RecordedBranches(branch_probes.BranchProbes):
    """For the import hook: the code of a module tells the recorder of this process."""

    def __init__(self) -> None:
        super().__init__(
            {
                branch_probes.HITS: RECORDER.hits,
                branch_probes.COMPARE: compare,
                branch_probes.CONTAINS: contains,
                branch_probes.TRUTH: mark_truth,
                branch_probes.LOOKUP: lookup,
                branch_probes.METHOD: call_method,
                branch_probes.INSTANCE: check_instance,
                branch_probes.ATTRIBUTE: read_attribute,
            }
        )
        RECORDER.tables = self.table.tables

    def rewrite(self, tree: ast.Module, module: str) -> ast.Module:
        """``tree``, changed in place; the recorder has room for its sites."""
        made = super().rewrite(tree, module)
        RECORDER.reserve(len(self.table.sites))
        return made
