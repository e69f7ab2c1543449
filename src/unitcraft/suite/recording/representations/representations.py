"""The five digests of one execution's input: receiver and arguments on entry.

Invariant: each digest is made from the one of the finer representation and from what that
representation adds, or depends on its parts alone; so equal digests of one representation are
equal digests of every coarser one, whatever the Subject does.

Source: ROSTRA, "Redundant Test Cases Defined" and "Five State-Representation Techniques".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from marshal import dumps
from typing import Any, Final, Protocol

from unitcraft.state.heap.atoms import token_of
from unitcraft.state.heap.canonical import MARSHAL_VERSION, digest_with_cost
from unitcraft.suite.recording.recorded_functions import RecordedFunction, Subjects
from unitcraft.suite.recording.recordings import AssumptionKind
from unitcraft.suite.recording.representations.method_sequences import (
    Histories,
    History,
    combine_digests,
)

Digest = bytes | None
Report = Callable[[AssumptionKind, str, str], None]

#: Tokens of all states of one test; beyond that its executions are unlike all others.
MAX_TOKENS: Final = 300_000

#: Tests of a suite that may come to MAX_TOKENS, about a second of CPU time each; after them such a
#: suite (its subjects are at work in pytest itself, say) has a tenth of that for each test.
MAX_SPENT_TESTS: Final = 20

#: Objects of one state: a larger state usually reaches into the test framework.
MAX_OBJECTS: Final = 10_000

_UNKNOWN: Final = (None, None, None, None, None)


class Relevance(Protocol):
    """Computes the MonitorEquals and PairwiseEquals digests of objects."""

    def begin(self) -> None:
        """A test starts."""

    def of(self, value: object, state: Digest, size: int) -> tuple[Digest, Digest]:
        """The digests for an object that is now in ``state``, which is ``size`` tokens long."""


@dataclass(frozen=True, slots=True)
class Argument:
    """The receiver or an argument on entry, unless it is a plain value.

    ``size`` is the length of its state in tokens; objects of subject classes have a ``history``.
    """

    position: int
    value: Any
    state: Digest
    size: int
    history: History | None


@dataclass(frozen=True, slots=True)
class ExecutionEntry:
    """An execution that has begun; ``digests`` are its inputs by representation."""

    site: RecordedFunction
    objects: tuple[Argument, ...] = ()
    digests: tuple[Digest, ...] = _UNKNOWN


class InputReader:
    """Reads the arguments of executions (mutable: it counts the work done for the test)."""

    def __init__(self, subjects: Subjects, histories: Histories, relevance: Relevance) -> None:
        self._subjects = subjects
        self._histories = histories
        self._relevance = relevance
        self._tokens = 0
        self._spent_tests = 0

    def begin(self) -> None:
        """A test starts."""
        self._spent_tests += self.is_spent
        self._tokens = 0
        self._relevance.begin()

    @property
    def is_spent(self) -> bool:
        """Have the states of this test become too costly to follow?"""
        return self._tokens > MAX_TOKENS // (10 if self._spent_tests >= MAX_SPENT_TESTS else 1)

    def state(self, *roots: object) -> Digest:
        """The digest of some objects; None when they cannot be read or cost too much."""
        return self._measured(roots)[0]

    def _measured(self, roots: tuple[object, ...]) -> tuple[Digest, int]:
        if self.is_spent:
            return None, 0
        digest, size = digest_with_cost(roots, MAX_OBJECTS)
        self._tokens += size
        return digest, size

    def entry(
        self, site: RecordedFunction, values: tuple[Any, ...], chain: bytes = b""
    ) -> ExecutionEntry:
        """The inputs of an execution of ``site`` with ``values``, resumed after ``chain``."""
        plain: list[Any] = [site.id, chain]
        objects: list[Argument] = []
        for position, value in enumerate((*values, *site.contents())):
            token = token_of(value)
            plain.append(b"" if token is None else token)
            if token is None:
                objects.append(self._argument(position, value))
        return ExecutionEntry(
            site, tuple(objects), self._digests(site, dumps(plain, MARSHAL_VERSION), objects)
        )

    def _argument(self, position: int, value: Any) -> Argument:
        state, size = self._measured((value,))
        history = None
        if state is not None and self._subjects.has_instance(value):
            history = self._histories.of(value, state)
        return Argument(position, value, state, size, history)

    def _digests(
        self, site: RecordedFunction, plain: bytes, objects: list[Argument]
    ) -> tuple[Digest, ...]:
        whole = self._whole(plain, objects)
        modifying = sequence = None
        if whole is not None:
            histories = [one.history for one in objects if one.history is not None]
            modifying = combine_digests(whole, *[history.modifying for history in histories])
            sequence = combine_digests(modifying, *[history.whole for history in histories])
        return sequence, modifying, whole, *self._relevant(site, plain, objects, whole)

    def _whole(self, plain: bytes, objects: list[Argument]) -> Digest:
        """WholeState: the heap reachable from all arguments together, sharing included."""
        known = [one.state for one in objects if one.state is not None]
        if len(known) < len(objects):
            return None
        if len(objects) > 1:
            together = self.state(*[one.value for one in objects])
            return None if together is None else combine_digests(together, plain)
        return combine_digests(*known, plain)

    def _relevant(
        self, site: RecordedFunction, plain: bytes, objects: list[Argument], whole: Digest
    ) -> tuple[Digest, Digest]:
        """MonitorEquals and PairwiseEquals: what ``==`` ignores does not count."""
        ours = [self._subjects.has_instance(one.value) for one in objects]
        if site.creates or not any(ours):
            return whole, whole
        monitored, pairwise = [_aliases(objects), plain], [_aliases(objects), plain]
        for one, is_ours in zip(objects, ours, strict=True):
            seen = same = one.state
            if is_ours:
                seen, same = self._relevance.of(one.value, one.state, one.size)
            if seen is None or same is None:
                return None, None
            monitored.append(seen)
            pairwise.append(same)
        return combine_digests(*monitored), combine_digests(*pairwise)


def _aliases(objects: list[Argument]) -> bytes:
    """For each argument the first one that is the same object."""
    addresses = [id(one.value) for one in objects]
    return bytes([min(addresses.index(address), 255) for address in addresses])
