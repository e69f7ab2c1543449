"""Traced runs: run a Sequence on rewritten code and answer its outcome, sites and objects.

Invariant: an answer holds only atoms and names; objects of the Subject stay in
the worker.  ``behaviour`` classifies the result, a canonical digest identifies the state of an
object.
"""

from __future__ import annotations

from functools import partial
from hashlib import blake2b
from marshal import dumps
from traceback import walk_tb
from types import FunctionType
from typing import Any, Final

from unitcraft.core.encoding import Plain
from unitcraft.core.outcomes import Position
from unitcraft.execute.guest.interpret import MADE, TEST_MODULE, WORLDS, Results, type_name
from unitcraft.execute.isolation.entropy import ENTROPY
from unitcraft.execute.steps import COUNTER
from unitcraft.explore.agents.answers import RunAnswer, TouchedObject
from unitcraft.explore.agents.missing_owner import owner_of
from unitcraft.explore.agents.run_calls import (
    SequenceFailure,
    describe_raise,
    message_of,
    run_calls,
    told_by_command,
)
from unitcraft.instrument.branch_recorder import RECORDER
from unitcraft.instrument.reaching_definitions import DEFINITIONS
from unitcraft.state.heap.builtin_containers import generators_read_by
from unitcraft.state.heap.canonical import DIGEST_SIZE, MARSHAL_VERSION, tokens

#: Types whose values are arguments, not states.
_VALUES: Final = (
    type(None), bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type,
)  # fmt: skip

#: A Call of a function that another Call returned, as ``explore.calls.CALLED``.
_CALLED: Final = ("operator", "call")
#: The file of the code of arguments that are written as source.
_ARGUMENT: Final = "<argument>"

#: Iterators of these modules are classified as "iterator": their items matter, not their class.
_ITERATORS: Final = frozenset({"builtins", "itertools", "collections"})


#: Characters or bytes of a result, as many as a worker may answer with: no test shows more, and
#: looking at it takes as long as hitting a bound.
MAX_RESULT_TEXT: Final = 1 << 24
#: Items of a result: as many bytes of references.
MAX_RESULT_ITEMS: Final = MAX_RESULT_TEXT // 8
#: Exceptions behind each other that are followed to the first: a bound on chains.
MAX_BEHIND: Final = 8


def describe_failure(error: BaseException, package: str) -> Plain:
    """``describe_raise``, then what is behind ``error``, who lacked what it misses, and a line.

    Behind it is the first exception of the chain, as (type, message, owner), or None: a handler
    that fails itself, for want of something in a stand-in, hides what brought it there.  The owner
    is what lacks an attribute or a key (see ``missing_owner``), the line is where the outermost
    function of ``package`` was, 0 for none.
    """
    first = error
    for _ in range(MAX_BEHIND):
        if first.__context__ is None:
            break
        first = first.__context__
    behind = None
    if first is not error:
        behind = (type_name(type(first)), message_of(first), owner_of(first))
    return (*describe_raise(error, package), behind, owner_of(error), _outermost(error, package))


def _outermost(error: BaseException, package: str) -> int:
    for frame, line in walk_tb(error.__traceback__):
        name = frame.f_globals.get("__name__", "")
        if isinstance(name, str) and f"{name}.".startswith(f"{package}."):
            return line
    return 0


def behaviour(value: Any, given: Results) -> str:
    """A short class of a result: its kind, sign or size, and whether it is an argument."""
    cls = type(value)
    if value is None or value is NotImplemented or cls is bool:
        return str(value)
    if cls in (int, float):
        return f"{cls.__name__}{'?' if value != value else (value > 0) - (value < 0)}"  # noqa: PLR0124
    if cls.__module__ in _ITERATORS and hasattr(cls, "__next__"):
        return "iterator"
    if cls in (str, bytes, list, tuple, dict, set, frozenset):
        size = len(value)
        same = size and any(type(other) is cls and _is_equal(other, value) for other in given)
        return f"{cls.__name__}{min(size, 2)}{'=' if same else ''}"
    for index, other in enumerate(given):
        if other is value:
            return f"same{index}"
    if told := told_by_command(value):
        return f"exit {told['exit_code']}{' silent' if told.get('output') == '' else ''}"
    if cls is FunctionType or cls is partial:
        return " ".join(["function", *public_names(value)])
    return f"{cls.__module__}:{cls.__qualname__}"


def _is_equal(one: Any, other: Any) -> bool:
    """Are two containers equal?  Their items may be compared by code that fails on the others."""
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - code of the Subject raises anything
        return False


def _is_argument(function: FunctionType) -> bool:
    """Was the function written as an argument?  A decorator answers what it registered."""
    return function.__code__.co_filename == _ARGUMENT


def public_names(function: Any) -> list[str]:
    """Public attributes that a decorator put on a function, with what each must be given.

    ``clear`` takes no argument, ``clear/1`` one.
    """
    names = [name for name in vars(function) if isinstance(name, str) and name[:1] != "_"]
    found = [(name, getattr(function, name, None)) for name in sorted(names)]
    return [name + _arity(one) for name, one in found if callable(one)][:4]


def _arity(function: Any) -> str:
    """How many arguments it must be given, '' for none and where that is not known."""
    if type(function) is not FunctionType:
        return ""
    count = function.__code__.co_argcount - len(function.__defaults__ or ())
    return f"/{count}" if count else ""


def check_size(value: Any) -> None:
    """Raise MemoryError for a number, text or container of many megabytes."""
    kind = type(value)
    if kind in (str, bytes, bytearray):
        is_vast = len(value) > MAX_RESULT_TEXT
    elif kind in (list, tuple, dict, set, frozenset):
        is_vast = len(value) > MAX_RESULT_ITEMS
    else:
        is_vast = kind is int and value.bit_length() > 8 * MAX_RESULT_TEXT
    if is_vast:
        raise MemoryError


def within_memory(failure: SequenceFailure | None) -> SequenceFailure | None:
    """The same ``failure``.  Raises MemoryError when there was no more memory.

    That is a bound of this process and nothing to expect elsewhere, and each such run has touched
    all of it.
    """
    if failure is not None and type(failure.error) is MemoryError and not failure.error.args:
        raise failure.error
    return failure


def _operands(call: Plain, results: Results) -> Results:
    return [
        results[arg[1]] if arg[0] == "r" else arg[1]
        for arg in call[2]
        if arg[0] == "c" or arg[0] == "r"
    ]


def _digest(form: list[Any]) -> bytes:
    written = dumps(form, MARSHAL_VERSION)
    for world in WORLDS:
        written = world.without_place(written)
    return blake2b(written, digest_size=DIGEST_SIZE).digest()


def heap_shape(form: list[Any]) -> list[Any]:
    """The canonical form with every atom replaced by its class: the shape of the heap."""
    return [
        token
        if type(token) is bytes or (type(token) is tuple and len(token) < 2)  # noqa: PLR2004
        else leaf_class(token)
        for token in form
    ]


def leaf_class(token: Any) -> str:
    """The class of an atom's token, with what code asks first of its value.

    That is its truth for a bool, its sign for a number, emptiness for texts and containers.
    """
    kind = type(token)
    if kind is bool or token is None:
        return str(token)
    if kind is int:
        return f"int{(token > 0) - (token < 0)}"
    if kind is str:
        return "str" if token else "str0"
    if kind is not tuple:
        return kind.__name__
    name, *parts = token
    if not parts:
        return f"{name}0"
    if name in ("float", "Decimal"):
        text = parts[0]
        is_zero = not text.lower().partition("e")[0].partition("p")[0].strip("-0x.")
        return f"{name}{'0' if is_zero else text[0] if text[0] == '-' else '+'}"
    return f"{name}0" if parts[0] == b"" or not any(parts) else name


def _objects(calls: Plain, results: Results) -> tuple[Plain, ...]:
    """A ``TouchedObject`` for each object that the last Call made or was given.

    A function that a Call returned may change what that was given: ``app.route("/")(show)``.  A
    random generator counts by its seed: a call whose only effect is to advance one leads to no
    new state.
    """
    last = len(calls) - 1
    touched = [arg[1] for arg in calls[last][2] if arg[0] == "r"]
    if calls[last][:2] == _CALLED and touched:
        touched += [arg[1] for arg in calls[touched[0]][2] if arg[0] == "r"]
    if len(results) > last:
        touched.append(last)
    found: list[Plain] = []
    for index in dict.fromkeys(touched):
        value = results[index]
        if type(value) not in _VALUES and not told_by_command(value):
            with generators_read_by(ENTROPY.seed_of):
                form = tokens((value,))
            name = type_name(_known_class(type(value)))
            found.append(
                tuple(TouchedObject(index, name, _digest(form), _digest(heap_shape(form))))
            )
    return tuple(found)


def _known_class(cls: type) -> type:
    """The class itself; the base of one that the test wrote."""
    return cls.__bases__[0] if cls.__module__ == TEST_MODULE else cls


def looks() -> tuple[tuple[tuple[bool, str], ...], tuple[str, ...]]:
    """The paths and the variables that the run looked at: see ``RunAnswer``."""
    for world in WORLDS:
        return tuple(world.touched()), world.variables()
    return (), ()


class TracedRunner:
    """The ``run`` service for one module of one package; answers are marshal-able tuples."""

    __slots__ = ("module", "package")

    def __init__(self, package: str, module: str = "") -> None:
        self.package = package
        self.module = module

    def run(self, calls: Plain) -> Plain:
        """A ``RunAnswer``.  Raises MemoryError where memory ends, or for a vast result."""
        ENTROPY.start()
        begun = COUNTER.taken()
        if not DEFINITIONS.module:
            answer = self._run(calls)
            return tuple(answer._replace(drew=ENTROPY.drawn(), steps=COUNTER.taken() - begun))
        DEFINITIONS.begin()
        try:
            answer = self._run(calls)
        finally:
            pairs, defined = DEFINITIONS.end()
        drew, steps = ENTROPY.drawn(), COUNTER.taken() - begun
        return tuple(answer._replace(pairs=pairs, defined=defined, drew=drew, steps=steps))

    def _run(self, calls: Plain) -> RunAnswer:
        MADE.begin()
        try:
            return self._trace(calls)
        finally:
            MADE.end()

    def _trace(self, calls: Plain) -> RunAnswer:
        results: Results = []
        recorder = RECORDER
        recorder.clear()
        failure = within_memory(run_calls(calls[:-1], results))
        before = recorder.stop()[0]
        if failure is not None:
            outcome = describe_failure(failure.error, self.package)
            calling = self._calling(failure.error)
            answer = RunAnswer(failure.position, outcome, before, before, (), (), *looks())
            return answer._replace(calling=calling)
        recorder.start()
        DEFINITIONS.noting = DEFINITIONS.active
        failure = within_memory(run_calls(calls, results))
        last, comparisons = recorder.stop()
        calling = self._calling(None if failure is None else failure.error)
        position, outcome = -1, None
        if failure is None:
            check_size(results[-1])
            hashed = calls[-1][:2] == ("operator", "hash")  # its value means nothing
            given = _operands(calls[-1], results)
            outcome = "hash" if hashed else behaviour(results[-1], given)
            if calls[-1][:2] == _CALLED and outcome == "function" and _is_argument(results[-1]):
                outcome = "argument"
        else:
            position, outcome = failure.position, describe_failure(failure.error, self.package)
            failure = None
        objects = _objects(calls, results)
        answer = RunAnswer(position, outcome, before, last, comparisons, objects, *looks())
        return answer._replace(calling=calling)

    def _calling(self, error: BaseException | None) -> Position | None:
        """The call of the module that was first refused an effect, else that which raised."""
        for world in WORLDS:
            return world.calling(self.module, error)
        return None
