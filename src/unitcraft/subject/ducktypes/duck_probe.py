"""Probes: objects that support every operation and record each one.

Invariant: an operation on a probe succeeds until the recorder's budget or the nesting limit is
reached, and raises ``ProbeBudgetSpent`` from then on; an iterator over a probe
ends after ``PROBE_LENGTH`` items.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from unitcraft.subject.ducktypes.probe_operation import ProbeOperation

MAX_OPERATIONS: Final = 200  # operations recorded in one run; ends runs that loop on probes
MAX_DEPTH: Final = 4  # results of operations on results; deeper ones end the run
PROBE_LENGTH: Final = 2  # items of a probe: its length, and what iterating it yields


class ProbeBudgetSpent(BaseException):
    """The budget of a recorder is spent.  A BaseException: the Subject must not catch it."""


@dataclass(slots=True)
class ProbeRecorder:
    """The operations on the probes of one run, in order (mutable)."""

    sightings: list[ProbeOperation] = field(default_factory=list)

    def note(self, path: str, operation: str, operand: str = "", arity: int = 0) -> None:
        """Record one operation.  Raises Enough at the limit."""
        if len(self.sightings) >= MAX_OPERATIONS:
            raise ProbeBudgetSpent
        self.sightings.append(ProbeOperation(path, operation, operand, arity))


def make_probe(name: str, recorder: ProbeRecorder) -> Any:
    """A new probe for parameter ``name``."""
    return Probe(name, recorder, 0)


def _kind(value: object) -> str:
    return "probe" if type(value) is Probe else type(value).__name__


class Probe:
    """Supports every operation.

    Its own fields are named ``_x_``, so that they do not hide attributes the Subject reads.
    """

    __slots__ = ("_depth_", "_left_", "_path_", "_recorder_")

    def __init__(self, path: str, recorder: ProbeRecorder, depth: int) -> None:
        self._path_ = path
        self._recorder_ = recorder
        self._depth_ = depth
        self._left_ = PROBE_LENGTH

    def _note_(self, operation: str, operand: str = "", arity: int = 0) -> None:
        self._recorder_.note(self._path_, operation, operand, arity)

    def _child_(self, suffix: str) -> Any:
        if self._depth_ >= MAX_DEPTH:
            raise ProbeBudgetSpent
        return Probe(f"{self._path_}{suffix}", self._recorder_, self._depth_ + 1)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        self._note_("attribute", name)
        return self._child_(f".{name}")

    def __call__(self, *args: object, **kwargs: object) -> Any:  # noqa: D102
        self._note_("call", ",".join([_kind(arg) for arg in args]), len(args) + len(kwargs))
        return self._child_("()")

    def __iter__(self) -> Iterator[Any]:
        self._note_("iterate")
        return iter([self._child_("[]") for _ in range(PROBE_LENGTH)])

    def __next__(self) -> Any:
        self._note_("next")
        if not self._left_:
            raise StopIteration
        self._left_ -= 1
        return self._child_("[]")

    def __len__(self) -> int:
        self._note_("len")
        return PROBE_LENGTH

    def __getitem__(self, key: object) -> Any:
        self._note_("getitem", _kind(key))
        return self._child_("[]")

    def __setitem__(self, key: object, value: object) -> None:
        self._note_("setitem", _kind(key))

    def __delitem__(self, key: object) -> None:
        self._note_("delitem", _kind(key))

    def __contains__(self, item: object) -> bool:
        self._note_("contains", _kind(item))
        return False

    def __bool__(self) -> bool:
        self._note_("bool")
        return True

    def __hash__(self) -> int:
        self._note_("hash")
        return hash(self._path_)

    def __str__(self) -> str:
        self._note_("str")
        return "probe"

    def __repr__(self) -> str:
        return "probe"

    def __format__(self, spec: str) -> str:
        self._note_("format", spec)
        return "probe"

    def __int__(self) -> int:
        self._note_("int")
        return 1

    def __index__(self) -> int:
        self._note_("index")
        return 1

    def __float__(self) -> float:
        self._note_("float")
        return 1.0

    def __complex__(self) -> complex:
        self._note_("complex")
        return 1j

    def __fspath__(self) -> str:
        self._note_("fspath")
        return "probe"

    def __enter__(self) -> Any:
        self._note_("enter")
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __await__(self) -> Iterator[Any]:
        self._note_("await")
        return iter(())


def _comparison(operation: str, *, answer: bool) -> Any:
    def compare(self: Any, other: object) -> bool:
        self._note_(operation, _operand(other))
        return answer

    return compare


def _arithmetic(operation: str) -> Any:
    def operate(self: Any, other: object) -> Any:
        self._note_(operation, _operand(other))
        return self._child_("")

    return operate


def _unary(operation: str) -> Any:
    def operate(self: Any) -> Any:
        self._note_(operation)
        return self._child_("")

    return operate


def _operand(value: object) -> str:
    return _kind(value)


for _name, _answer in (
    ("eq", False),
    ("ne", True),
    ("lt", False),
    ("le", True),
    ("gt", True),
    ("ge", True),
):
    setattr(Probe, f"__{_name}__", _comparison(_name, answer=_answer))
for _name in (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "lshift",
    "rshift",
    "and",
    "or",
    "xor",
    "divmod",
):
    for _prefix in ("", "r"):
        setattr(Probe, f"__{_prefix}{_name}__", _arithmetic(_prefix + _name))
for _name in ("neg", "pos", "abs", "invert", "round", "trunc", "floor", "ceil"):
    setattr(Probe, f"__{_name}__", _unary(_name))
