"""Object states found so far: for each class, the shortest Sequence to each state.

Invariant: two histories of one class never have the same canonical digest, unless classes that
they write answer differently; the order is the order of discovery, which is breadth-first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from random import Random

from unitcraft.core.sequences import (
    RAISES,
    Call,
    Ref,
    Sequence,
    connected_calls,
    renumber_call,
    slice_sequence,
)
from unitcraft.core.types import TypeExpr
from unitcraft.explore.calls import one_for_two
from unitcraft.explore.execution import Execution
from unitcraft.explore.intent import templates_of
from unitcraft.subject.model import Subject
from unitcraft.subject.values.syntax_nodes import named_nodes, ways_to_node

#: States kept for each class as they were made, and as many that grew by calls, unless they came
#: with a new Goal.  Halved, sites of ``pellets`` (664, seeds 0 and 1): +6, -5.
MAX_STATES = 80
#: States of one shape (atoms by class, sign and emptiness) kept for each class, unless they came
#: with a new Goal.  With 4, objects that differ from a default by a text fall out: a branch of
#: tests/subjects/orders.py is missed.  Halved, sites of ``pellets`` (664, seeds 0 and 1): +4, +3.
MAX_FOR_SHAPE = 16
#: States that are kept beside MAX_STATES, each the first of its shape: what a class comes to late,
#: a game that is over, is a shape.  Without: 5 sites fewer of ``pellets`` in three seeds.
MAX_SHAPES = 160
#: Calls in the history of an object; longer histories are not kept.  Halved, sites of ``pellets``
#: (664, seeds 0 and 1): +2, +2.
MAX_CALLS = 12


@dataclass(frozen=True, slots=True)
class ObjectHistory:
    """A way to an object: the result of Call ``index`` after all of ``sequence``.

    ``is_telling``: the run that made it reached a new Goal.
    """

    sequence: Sequence
    index: int
    is_telling: bool = False

    @property
    def is_grown(self) -> bool:
        """Were Calls made on the object, or on what it holds, since it was made?"""
        return self.index < len(self.sequence) - 1


class ObjectPool:
    """Histories of objects by class id; ``templates`` are classes that leave methods to heirs.

    Objects of ``makeable`` classes are made of such as can be made without them.
    """

    __slots__ = (
        "_counts", "_digests", "_seeds", "_shapes", "_states", "_templates", "_thrown", "bases",
        "makeable",
    )  # fmt: skip

    def __init__(
        self, bases: dict[str, tuple[str, ...]], templates: frozenset[str] = frozenset()
    ) -> None:
        self.bases = bases
        self._templates = templates
        self._digests: set[tuple[str, bytes, tuple[Call, ...]]] = set()
        self._seeds: dict[str, list[ObjectHistory]] = {}
        self._shapes: Counter[tuple[str, bytes]] = Counter()
        self._counts: Counter[tuple[str, bool]] = Counter()
        self._states: dict[tuple[str, int], bytes] = {}
        #: Names of methods that changed an object and raised, and what they raised.
        self._thrown: set[tuple[str, str]] = set()
        self.makeable: frozenset[str] = frozenset()

    def classes(self) -> tuple[str, ...]:
        """Class ids of which there is an object, in order of discovery."""
        return tuple(self._seeds)

    def seeds(self, cls: str) -> list[ObjectHistory]:
        """The histories of objects of ``cls`` and its subclasses, own ones first.

        Of a template its heirs come first, one of each after the other.
        """
        own = self._seeds.get(cls, [])
        heirs = [
            other for other in self._seeds if other != cls and cls in self.bases.get(other, ())
        ]
        if not heirs:
            return own
        columns = [self._seeds[other] for other in heirs]
        if cls in self._templates:
            turns = chain.from_iterable(zip_longest(*columns))
            return [*[seed for seed in turns if seed is not None], *own]
        return own + list(chain.from_iterable(columns))

    def give(self, cls: str, seeds: list[ObjectHistory]) -> None:
        """Add ways to objects of a class that is not the Subject's."""
        if seeds and cls not in self._seeds:
            self._seeds[cls] = seeds

    def offer(self, execution: Execution, *, kept: bool) -> int:
        """Add the new states that ``execution`` shows; answers how many.

        ``kept``: the execution reached a new Goal, so its states count whatever their shape and
        however many there are.
        """
        sequence = _expecting(execution, len(execution.sequence) - 1)
        if sequence is None:
            return 0
        added = 0
        last = len(sequence) - 1
        written = tuple([call for call in sequence.calls if call.kind == "define"])
        for index, cls, digest, shape in execution.objects:
            if cls not in self.bases or (cls, digest, written) in self._digests:
                continue
            if not kept and self._shapes[cls, shape] >= self._most(cls, is_grown=index < last):
                continue
            needed = connected_calls(sequence, (index, last))
            is_changed = execution.returned or self._is_another(execution, index, digest)
            if len(needed) > MAX_CALLS or not is_changed:
                continue
            self._digests.add((cls, digest, written))
            self._shapes[cls, shape] += 1
            made = slice_sequence(sequence, needed)
            history = ObjectHistory(made, needed.index(index), is_telling=kept)
            self._states[made.key, history.index] = digest
            self._counts[cls, history.is_grown] += 1
            self._seeds.setdefault(cls, []).append(history)
            added += 1
        if added and execution.failed is not None:
            self._thrown.add((sequence.calls[-1].name, execution.failed.type))
        return added

    def _is_another(self, run: Execution, index: int, digest: bytes) -> bool:
        """Had object ``index`` another state before the last Call, as far as that is known?"""
        before = Sequence(run.sequence.calls[:-1])
        needed = connected_calls(before, (index,))
        known = self._states.get((slice_sequence(before, needed).key, needed.index(index)))
        return known is not None and known != digest

    def resumed(self, run: Execution) -> list[Sequence]:
        """``run``, which ended before its last Call, gone on with where that changed its object."""
        failed = run.failed
        if failed is None or failed.position >= len(run.sequence) - 1:
            return []
        if (run.sequence.calls[failed.position].name, failed.type) not in self._thrown:
            return []
        resumed = _expecting(run, failed.position)
        return [resumed] if resumed is not None else []

    def _most(self, cls: str, *, is_grown: bool) -> int:
        """How many states of one shape there may be before another one is left out."""
        count = self._counts[cls, is_grown]
        return MAX_FOR_SHAPE if count < MAX_STATES else int(count < MAX_STATES + MAX_SHAPES)


def _expecting(run: Execution, position: int) -> Sequence | None:
    """The Calls of ``run`` as others may follow them; None where none can.

    A method that raised may have left its object in another state: an account is locked after the
    third wrong password.  The test says then that the Call raises, and goes on.
    """
    calls, failed = run.sequence.calls, run.failed
    if failed is None:
        return run.sequence
    call = calls[position]
    is_nameable = "<locals>" not in failed.type and call.kind == "method" and not call.then
    if not is_nameable or failed.position != position:
        return None
    expected = replace(call, then=f"{RAISES}{failed.type}")
    return Sequence((*calls[:position], expected, *calls[position + 1 :]))


def pool_for(subject: Subject, source: str = "") -> ObjectPool:
    """The pool of a Subject: it has nodes of syntax trees where parameters ask for them.

    ``source`` is its text, which names the classes of nodes that it looks for.
    """
    named = named_nodes(source)
    pool = ObjectPool(_bases(subject), templates_of(subject))
    pool.makeable = _makeable(subject, pool.bases)
    for invocable in subject.invocables:
        for parameter in invocable.parameters:
            for cls in _classes_in(parameter.type):
                pool.give(cls, [ObjectHistory(*way) for way in ways_to_node(cls, named)])
    return pool


def _bases(subject: Subject) -> dict[str, tuple[str, ...]]:
    """Class id -> its bases, Protocols that it implements without being told so among them."""
    protocols: dict[str, list[str]] = {}
    for info in subject.classes:
        for one in info.concrete:
            protocols.setdefault(one, []).append(info.id)
    return {
        info.id: tuple(dict.fromkeys([*info.bases, *protocols.get(info.id, ())]))
        for info in subject.classes
    }


def _makeable(subject: Subject, bases: dict[str, tuple[str, ...]]) -> frozenset[str]:
    """The classes of which an object can be made of objects that can be made without it."""
    wanted: dict[str, set[str]] = {}
    for one in subject.invocables:
        if one.kind == "constructor":
            required = {part.type.cls for part in one.parameters if part.required}
            wanted[one.owner or one.id] = required & bases.keys()
    found: set[str] = set()
    while ready := {cls for cls, needed in wanted.items() if needed <= found} - found:
        found |= ready | {base for cls in ready for base in bases.get(cls, ())}
    return frozenset(found)


def _classes_in(declared: TypeExpr) -> Iterator[str]:
    if declared.cls:
        yield declared.cls
    for inner in declared.args:
        yield from _classes_in(inner)


class Composer:
    """Builds one Sequence: histories of objects are appended, the final Call closes it."""

    __slots__ = ("calls",)

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def add(self, seed: ObjectHistory) -> Ref:
        """Append the calls of ``seed`` and return a reference to its object."""
        offset = len(self.calls)
        where = {old: old + offset for old in range(len(seed.sequence))}
        self.calls += [renumber_call(call, where) for call in seed.sequence.calls]
        return Ref(seed.index + offset)

    def finish(self, call: Call, rng: Random | None = None) -> Sequence:
        """The Sequence that ends with ``call``; by chance with one object for two made alike."""
        made = Sequence((*self.calls, call))
        shared = one_for_two(made, rng) if rng is not None else None
        return made if shared is None else shared


def pick(seeds: list[ObjectHistory], rng: Random) -> ObjectHistory:
    """A history by chance, early (short) ones more often."""
    position = int(len(seeds) * rng.random() * rng.random())
    return seeds[position]
