"""Args, Calls and Sequences: the programs that unitcraft runs and writes, as pure structure.

Invariant: a value of this module describes how to obtain a Python object and never holds an
object made by the Subject, so it can cross process boundaries, be compared and be printed as
source text.

Texts of Args and Calls are keys of everything, and that of a dataclass takes twice as long to make
as the same one here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import EllipsisType
from typing import Final, Literal

Atom = None | bool | int | float | complex | str | bytes | EllipsisType

DisplayKind = Literal["list", "tuple", "set", "frozenset", "dict"]

CallKind = Literal[
    "function", "method", "get", "set", "operator", "output", "arrange", "define", "invoke"
]

Then = Literal["", "await", "drain", "collect", "enter", "await enter"]

#: In the path of a ``get``: the rest is read from each item of what stands before it.  Where there
#: is none the items are, which are the keys of a dictionary.
EACH: Final = "[*]."
#: Keys of a dictionary that are read so.
MAX_KEYS_TOLD: Final = 24

#: Zeros in bytes that are written ``bytes(8)``, and so cost what that costs to read.
ZEROS: Final = re.compile(rb"\x00{8,}")

#: Continuations that are written as statements: ``async for``, ``with`` and ``async with``.
ENTERED: Final = ("collect", "enter", "await enter")
#: Continuations that an event loop carries out.
AWAITED: Final = ("await", "collect", "await enter")
#: Before the class, ``module:qualname``, of the exception with which a Call is expected to end.
RAISES: Final = "raises "
#: Before the continuation of the first encoded Call of a Sequence whose Calls share a loop.
SHARING: Final = "shared "
#: Methods that enter a context manager -> those that leave it.
LEAVING: Final = {"__enter__": "__exit__", "__aenter__": "__aexit__"}


@dataclass(frozen=True, slots=True, repr=False)
class Const:
    """A literal atom.

    The Consts of 1 and True compare equal; ``arg_key`` tells them apart.
    """

    value: Atom

    def __repr__(self) -> str:
        return f"Const(value={self.value!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Ref:
    """The result of Call number ``index`` (from 0) of the same Sequence."""

    index: int

    def __repr__(self) -> str:
        return f"Ref(index={self.index!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Symbol:
    """An importable object: ``qualname`` looked up by attribute in ``module``, '' the module."""

    module: str
    qualname: str

    def __repr__(self) -> str:
        return f"Symbol(module={self.module!r}, qualname={self.qualname!r})"


#: What joins two flags; it is written as ``|``.
EITHER: Final = Symbol("operator", "or_")


@dataclass(frozen=True, slots=True, repr=False)
class Display:
    """A container literal; for ``dict`` the items alternate key, value."""

    kind: DisplayKind
    items: tuple[Arg, ...]

    def __repr__(self) -> str:
        return f"Display(kind={self.kind!r}, items={self.items!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Source:
    """A self-contained expression over builtins, such as ``lambda x: x + 1``."""

    text: str

    def __repr__(self) -> str:
        return f"Source(text={self.text!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Build:
    """A value made in place: ``callee(*args, **kwargs)``, such as ``Decimal("1.5")``."""

    callee: Symbol
    args: tuple[Arg, ...] = ()
    kwargs: tuple[tuple[str, Arg], ...] = ()

    def __repr__(self) -> str:
        return f"Build(callee={self.callee!r}, args={self.args!r}, kwargs={self.kwargs!r})"


@dataclass(frozen=True, slots=True, repr=False)
class TempPath:
    """A path in the folder that a test has of its own: ``tmp_path / name``, '' the folder itself.

    ``content`` is what stands there before the test's first use of the path: None nothing, a Const
    of text or bytes a file, a Display of a dict a folder with what stands at each name.
    ``is_text``: the path is passed as text.
    """

    name: str
    content: Arg | None = None
    is_text: bool = False

    def __repr__(self) -> str:
        return f"TempPath(name={self.name!r}, content={self.content!r}, is_text={self.is_text!r})"


Arg = Const | Ref | Symbol | Display | Source | Build | TempPath


@dataclass(frozen=True, slots=True, repr=False)
class Call:
    """One step of a Sequence.

    ``function``: ``name`` is ``module:qualname`` (functions, classes, class and
    static methods), called with ``args``.  ``method``: ``args[0]`` is the
    receiver.  ``get`` and ``set``: attribute ``name`` of ``args[0]``; of a ``get`` any path,
    such as ``adapters["https://"].retries.total``, with ``EACH`` for what all items have; ``set``
    assigns ``args[1]``.  ``operator``: ``name`` is a key of ``core.operators.OPERATORS``, applied
    to ``args``.  ``arrange``: surroundings are set for the Calls that follow, as pytest's
    ``monkeypatch`` does by its method ``name`` (setenv, delenv, setattr).  ``define``: a class that
    the test writes; ``name`` is its text, in which ``{n}`` stands for ``args[n]``, evaluated anew
    wherever the text comes to it.  ``invoke``: the command of click at ``module:qualname`` runs on
    the words ``args[0]``, as ``CliRunner().invoke(cli, ["add", "x"])``; what its code raises is
    raised.  ``output``, an observer: what the test printed on the stream
    ``out`` or ``err``, or on ``both``; what its last Call ``warns`` of.  ``then``: the result is
    left alone (''), awaited (``await``, see ``shares_loop``), iterated into a list of bounded
    length (``drain``, or ``collect`` where that is asynchronous), or entered as a context manager
    (``enter``, ``await enter``); or the Call is expected to raise an exception of just that class,
    after which the Sequence goes on (``raises module:qualname``).
    """

    kind: CallKind
    name: str
    args: tuple[Arg, ...] = ()
    kwargs: tuple[tuple[str, Arg], ...] = ()
    then: Then | str = ""

    def __repr__(self) -> str:
        head = f"Call(kind={self.kind!r}, name={self.name!r}, "
        return f"{head}args={self.args!r}, kwargs={self.kwargs!r}, then={self.then!r})"


@dataclass(frozen=True, slots=True)
class Sequence:
    """An immutable straight-line program; every Ref points to an earlier Call.

    Sequences are told apart by ``key``: those of 1 and True are equal, because their Consts are.
    """

    calls: tuple[Call, ...]
    _key: str = field(default="", init=False, repr=False, compare=False)

    @property
    def key(self) -> str:
        """A text that is equal for the same program only (see ``arg_key``); made once."""
        if not self._key:
            object.__setattr__(self, "_key", repr(self.calls))
        return self._key

    def __len__(self) -> int:
        return len(self.calls)

    def rep_ok(self) -> bool:
        """Does every Ref point backwards?"""
        return all(
            ref < position for position, call in enumerate(self.calls) for ref in refs_of(call)
        )


def children(arg: Arg) -> tuple[Arg, ...]:
    """The Args directly inside ``arg``, in source order."""
    if isinstance(arg, Display):
        return arg.items
    if isinstance(arg, Build):
        return (*arg.args, *(value for _, value in arg.kwargs))
    if isinstance(arg, TempPath) and arg.content is not None:
        return (arg.content,)
    return ()


def refs_in(arg: Arg) -> tuple[int, ...]:
    """The call indexes that ``arg`` refers to, in source order, with repeats."""
    found: list[int] = []
    _collect_refs((arg,), found)
    return tuple(found)


def refs_of(call: Call) -> tuple[int, ...]:
    """The call indexes that ``call`` refers to, in source order, with repeats."""
    found: list[int] = []
    _collect_refs(arguments(call), found)
    return tuple(found)


def _collect_refs(args: tuple[Arg, ...], found: list[int]) -> None:
    for arg in args:
        if isinstance(arg, Ref):
            found.append(arg.index)
        elif not isinstance(arg, Const):
            _collect_refs(children(arg), found)


def arguments(call: Call) -> tuple[Arg, ...]:
    """All arguments of ``call``: receiver first, keyword values last."""
    return (*call.args, *(value for _, value in call.kwargs))


def renumber_refs(arg: Arg, where: Mapping[int, int]) -> Arg:
    """``arg`` with every Ref renumbered by ``where``.  Raises KeyError on a missing index."""
    return replace_refs(arg, lambda index: Ref(where[index]))


def replace_refs(arg: Arg, place: Callable[[int], Arg]) -> Arg:
    """``arg`` with what ``place`` gives for its index in the place of every Ref."""
    if isinstance(arg, Ref):
        return place(arg.index)
    if isinstance(arg, Display):
        return Display(arg.kind, tuple([replace_refs(item, place) for item in arg.items]))
    if isinstance(arg, Build):
        return Build(
            arg.callee,
            tuple([replace_refs(item, place) for item in arg.args]),
            tuple([(name, replace_refs(item, place)) for name, item in arg.kwargs]),
        )
    return arg


def renumber_call(call: Call, where: dict[int, int]) -> Call:
    """``call`` with every Ref renumbered by ``where``."""
    if all(where[index] == index for index in refs_of(call)):
        return call
    return Call(
        call.kind,
        call.name,
        tuple(renumber_refs(arg, where) for arg in call.args),
        tuple((name, renumber_refs(arg, where)) for name, arg in call.kwargs),
        call.then,
    )


def slice_sequence(sequence: Sequence, wanted: tuple[int, ...]) -> Sequence:
    """The calls ``wanted`` with all calls that they refer to, in their order, renumbered."""
    keep = set(wanted)
    for index in range(len(sequence.calls) - 1, -1, -1):
        if index in keep:
            keep.update(refs_of(sequence.calls[index]))
    if len(keep) == len(sequence):
        return sequence
    where = {old: new for new, old in enumerate(sorted(keep))}
    return Sequence(tuple(renumber_call(sequence.calls[old], where) for old in sorted(keep)))


def connected_calls(sequence: Sequence, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """The indexes of the calls that may influence the results ``wanted``, in order.

    The closure of ``wanted`` under two rules: the calls that a kept call refers to, and every
    call that refers to a kept call's result, because it may have modified the object.  Calls
    that arrange surroundings concern all others.
    """
    arranging = [index for index, call in enumerate(sequence.calls) if call.kind == "arrange"]
    keep = {*wanted, *arranging}
    size = 0
    while len(keep) != size:
        size = len(keep)
        for index, call in enumerate(sequence.calls):
            refs = refs_of(call)
            if index in keep:
                keep.update(refs)
            elif not keep.isdisjoint(refs):
                keep.add(index)
    return tuple(sorted(keep))


def shares_loop(sequence: Sequence) -> bool:
    """Have its Calls one event loop, because something is done after one of them was awaited?

    A single awaited Call that comes last has a loop of its own.
    """
    calls = sequence.calls
    return any(call.then in AWAITED for call in calls[:-1]) or calls[-1].name == "__aenter__"


def expected_error(call: Call) -> str:
    """The class, ``module:qualname``, of the exception that ``call`` shall raise; '' for none."""
    return call.then.removeprefix(RAISES) if call.then.startswith(RAISES) else ""


def class_name(call: Call) -> str:
    """The name of the class that a ``define`` Call makes."""
    head = call.name[call.name.index("class ") :]
    return head.removeprefix("class ").partition(":")[0].partition("(")[0]


def is_heir(call: Call) -> bool:
    """Is ``args[0]`` the base of the class that a ``define`` Call makes?"""
    return call.kind == "define" and call.name.partition("\n")[0].endswith("({0}):")


def arg_key(arg: Arg) -> str:
    """A text that is equal for equal Args only; 1, True and 1.0 differ, 0.0 and -0.0 too."""
    return repr(arg)
