"""MonitorEquals and PairwiseEquals: the parts of a state that ``==`` reads, and equal states.

Invariant: the digests depend on the state (WholeState) alone, so equal states have equal ones, and
a state whose class has no usable ``==`` keeps its own.  ``==`` runs on copies only.

Source: ROSTRA, "MonitorEquals Representation", "PairwiseEquals Representation" and "MonitorEquals
vs. PairwiseEquals"; MUTUAL, call depth and elements of arrays.  *Differs*: the object is compared
with a copy of itself, since ``self is other`` would read nothing; and PairwiseEquals compares the
states that MonitorEquals tells apart.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from marshal import dumps
from typing import Any, Final

from unitcraft.state.heap.atoms import ABSENT, token_of
from unitcraft.state.heap.builtin_containers import Unreadable, contents_of
from unitcraft.state.heap.canonical import DIGEST_SIZE, MARSHAL_VERSION, canonical, digest_with_cost
from unitcraft.state.heap.class_plans import holds_set, slot_content, unique_bytes
from unitcraft.state.heap.object_layout import (
    class_id,
    dictionary_of,
    mro_of,
    own_dict,
    slots_of,
    solid_base,
)
from unitcraft.suite.recording.representations.equality_copies import HeapCopy, TooManyObjects
from unitcraft.suite.recording.representations.field_monitor import (
    EVERYTHING,
    LENGTH,
    ReadLog,
    monitor_reads,
    watched_dict,
    watched_list,
)
from unitcraft.suite.recording.representations.method_sequences import combine_digests
from unitcraft.suite.recording.representations.representations import Digest, Report

#: States of one class that a new state is compared with; one that equals none of them is new.
MAX_COMPARED: Final = 500

#: Cost of comparisons that find no equal state, for one class, after which no more are made.
#: A comparison costs 1, and 1 more for every ``TOKENS_PER_COST`` tokens of the state.
MAX_COMPARISON_COST: Final = 10_000
#: Tokens of a state that add 1 to the cost of comparing it.
TOKENS_PER_COST: Final = 10

#: Tokens of the states that ``==`` may be watched on in one test; further states keep their own
#: digest.
MAX_WATCHED_TOKENS: Final = 10_000

IsShared = Callable[[type], bool]


@dataclass(frozen=True, slots=True)
class _Kept:
    """A state that stands for its equivalence class: a copy of it, and the digest of the class."""

    copy: Any
    state: bytes
    digest: bytes
    is_private: bool

    def is_fresh(self) -> bool:
        """Is the copy still in that state?  What it shares with live objects may have changed."""
        return self.is_private or digest_with_cost((self.copy,))[0] == self.state


class EqualityRepresentations:
    """The MonitorEquals and PairwiseEquals digests of objects (mutable: it remembers states)."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._known: dict[bytes, tuple[Digest, Digest]] = {}
        self._classes: dict[bytes, bytes] = {}
        self._kept: dict[type, deque[_Kept]] = {}
        self._budget: dict[type, int] = {}
        self._watched = 0

    def begin(self) -> None:
        """A test starts."""
        self._watched = 0

    def of(self, value: object, state: Digest, size: int) -> tuple[Digest, Digest]:
        """The digests for an object that is now in ``state``, which is ``size`` tokens long."""
        if state is None:
            return None, None
        known = self._known.get(state)
        if known is None:
            self._watched += size
            known = self._known[state] = self._found(value, state, size)
        return known

    def _found(self, value: object, state: bytes, size: int) -> tuple[bytes, bytes]:
        kind = type(value)
        if isinstance(value, type | enum.Enum):
            return state, state
        if not _has_eq(kind):
            self._report("no-eq", class_id(kind), "the whole state counts")
            return state, state
        if self._watched > MAX_WATCHED_TOKENS:
            self._report("costly", class_id(kind), "too many states to run == on in one test")
            return state, state
        try:
            comparison = _compared(value)
        except TooManyObjects:
            self._report("costly", class_id(kind), "too many objects to run == on")
            return state, state
        except Exception as error:  # noqa: BLE001 - whatever the Subject raises
            self._report("eq-fails", class_id(kind), f"== raises {type(error).__name__}")
            return state, state
        if comparison is None:
            self._report("eq-fails", class_id(kind), "an object does not equal its copy")
            return state, state
        monitored, is_shared = comparison
        if monitored not in self._classes:
            self._classes[monitored] = self._class_of(value, is_shared, monitored, state, size)
        return monitored, self._classes[monitored]

    def _class_of(
        self, value: Any, is_shared: IsShared, monitored: bytes, state: bytes, size: int
    ) -> bytes:
        """The digest of the class that ``==`` puts this state into."""
        kind = type(value)
        if self._budget.setdefault(kind, MAX_COMPARISON_COST) <= 0:
            self._report("costly", class_id(kind), "too many states to compare with ==")
            return monitored
        copy = HeapCopy(value, is_shared)
        if digest_with_cost((copy.value,))[0] != state:
            return monitored
        kept = self._kept.setdefault(kind, deque(maxlen=MAX_COMPARED))
        for other in kept:
            if other.is_fresh() and _equal(copy.value, other.copy):
                return other.digest
        self._budget[kind] -= len(kept) * (1 + size // TOKENS_PER_COST)
        digest = combine_digests(b"class", monitored)
        kept.appendleft(_Kept(copy.value, state, digest, not copy.shared))
        return digest


def _has_eq(kind: type) -> bool:
    """Does ``kind`` define what equal objects are (``object`` says: the same one)?"""
    return any("__eq__" in own_dict(base) for base in mro_of(kind)[:-1])


def _nothing(_: type) -> bool:
    return False


def _without_eq(kind: type) -> bool:
    """Are objects of this class equal to themselves only, so that copies share them?"""
    return not _has_eq(kind)


def _equal(one: Any, other: Any) -> bool:
    """Does ``==`` return a true value?  An exception counts as false."""
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - whatever the Subject raises
        return False


def _compared(value: Any) -> tuple[bytes, IsShared] | None:
    """(MonitorEquals digest, how to copy); None when an object does not equal its copy."""
    for is_shared in (_nothing, _without_eq):
        log = ReadLog()
        copies = [HeapCopy(value, is_shared, watched_list(log), watched_dict(log)) for _ in "ab"]
        for copy in copies:
            log.watch(copy.originals)
        one, other = (copy.value for copy in copies)
        with monitor_reads(copies[0].kinds, log):
            is_equal = bool(one == other)
        if is_equal and one is not other:
            copied = {id(original) for original in copies[0].originals.values()}
            return _restricted(value, log, copied), is_shared
    return None


def _restricted(root: Any, log: ReadLog, copied: set[int]) -> bytes:
    """The digest of the heap below ``root``, reduced to the parts in the Log."""
    queue, numbers, out = [root], {id(root): 0}, list[Any]()
    for value in queue:
        parts = log.parts.get(id(value))
        if id(value) not in copied or (parts is None and not _is_transparent(value, root)):
            out += [b"whole", digest_with_cost((value,))[0] or unique_bytes()]
            continue
        header, children = _read(value, parts or {})
        out += [class_id(type(value)), *header]
        for child in children:
            token = token_of(child)
            if token is None:
                number = numbers.setdefault(id(child), len(queue))
                if number == len(queue):
                    queue.append(child)
                token = ((number,),)
            out.append(token)
    return blake2b(dumps(out, MARSHAL_VERSION), digest_size=DIGEST_SIZE).digest()


def _is_transparent(value: Any, root: Any) -> bool:
    """Are the contents read whenever the object is, without the Log being told?"""
    return value is root or solid_base(type(value)) not in (None, list, dict)


def _read(value: Any, parts: dict[Any, None]) -> tuple[list[Any], list[Any]]:
    """(what was read, the values read) of one object, in a fixed order."""
    kind = type(value)
    if kind is list:
        return _read_list(value, parts)
    if kind is dict:
        return _read_dict(value, parts)
    return _read_fields(value, kind, parts)


def _read_list(value: list[Any], parts: dict[Any, None]) -> tuple[list[Any], list[Any]]:
    if EVERYTHING in parts:
        return [EVERYTHING, len(value)], value
    places = sorted(part for part in parts if type(part) is int)
    header = [len(value)] if LENGTH in parts else []
    return [*header, b"at", *places], [value[place] for place in places]


def _read_dict(value: dict[Any, Any], parts: dict[Any, None]) -> tuple[list[Any], list[Any]]:
    if EVERYTHING in parts or any(token_of(part[1]) is None for part in parts):
        return [EVERYTHING, len(value)], [*value, *value.values()]
    keys = sorted(
        (part[1] for part in parts), key=lambda key: dumps(token_of(key), MARSHAL_VERSION)
    )
    return [b"keys"], [one for key in keys for one in (key, value.get(key, ABSENT))]


def _read_fields(value: Any, kind: type, parts: dict[Any, None]) -> tuple[list[Any], list[Any]]:
    """The fields that were read, and what the object holds in C: that always counts."""
    fields = {name: slot_content(getter, value) for name, getter in slots_of(kind)}
    dictionary = dictionary_of(kind)
    if dictionary is not None:
        fields.update(dictionary(value))
    if "__dict__" not in parts:
        fields = {name: fields[name] for name in fields if name in parts}
    names = sorted(fields)
    contents = _contents(value, kind)
    return [len(contents), *names], [*contents, *[fields[name] for name in names]]


def _contents(value: Any, kind: type) -> list[Any]:
    """The contents of the C base of an object; members of sets in canonical order."""
    base = solid_base(kind)
    if base is None:
        return []
    reader = contents_of(base)
    if reader is None:
        return [unique_bytes()]
    try:
        return [canonical((value,))] if holds_set(kind) else list(reader(value))
    except Unreadable:
        return [unique_bytes()]
