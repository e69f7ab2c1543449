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

from unitcraft.state.canonical import MARSHAL_VERSION, comparable
from unitcraft.state.leaves import token_of
from unitcraft.suite.recording.histories import Histories, History, combined
from unitcraft.suite.recording.model import AssumptionKind
from unitcraft.suite.recording.sites import Subjects

Digest = bytes | None
Report = Callable[[AssumptionKind, str, str], None]

#: Tokens that the states of one test may cost; then its executions are unlike all others.
MOST_TOKENS: Final = 5_000_000

_UNKNOWN: Final = (None, None, None, None, None)


class Relevance(Protocol):
    """What ``==`` makes of the objects of a class: the MonitorEquals and PairwiseEquals digests."""

    def of(self, value: object, state: Digest) -> tuple[Digest, Digest]:
        """The digests for an object that is now in ``state``."""


@dataclass(slots=True)
class Entry:
    """An execution that has begun (mutable: filled in while it runs).

    ``objects`` are (position, object, state, History or None) for the arguments that are not
    plain values; those of subject classes have a History.  ``digests`` are the inputs.
    """

    site: Any
    objects: list[tuple[int, Any, Digest, History | None]]
    digests: tuple[Digest, ...] = _UNKNOWN


class Inputs:
    """Reads the arguments of executions (mutable: it counts the work done for the test)."""

    def __init__(self, subjects: Subjects, histories: Histories, relevance: Relevance) -> None:
        self._subjects = subjects
        self._histories = histories
        self._relevance = relevance
        self.tokens = 0

    def state(self, *roots: object) -> Digest:
        """The digest of some objects; None when they cannot be read or cost too much."""
        if self.tokens > MOST_TOKENS:
            return None
        digest, size = comparable(roots)
        self.tokens += size
        return digest

    def entry(self, site: Any, values: tuple[Any, ...], chain: bytes = b"") -> Entry:
        """The inputs of an execution of ``site`` with ``values``, resumed after ``chain``."""
        plain: list[Any] = [site.id, chain]
        entry = Entry(site, [])
        objects = entry.objects
        for position, value in enumerate(values):
            token = token_of(value)
            if token is not None:
                plain.append(token)
                continue
            plain.append(b"")
            state = self.state(value)
            history = None
            if state is not None and self._subjects.has_instance(value):
                history = self._histories.of(value, state)
            objects.append((position, value, state, history))
        entry.digests = self._digests(site, dumps(plain, MARSHAL_VERSION), objects)
        return entry

    def _digests(
        self, site: Any, plain: bytes, objects: list[tuple[int, Any, Digest, History | None]]
    ) -> tuple[Digest, ...]:
        states = [state for _, _, state, _ in objects]
        whole = self._whole(plain, objects, states)
        if whole is None:
            modifying = sequence = None
        else:
            histories = [history for _, _, _, history in objects if history is not None]
            modifying = combined(whole, *[history.modifying for history in histories])
            sequence = combined(modifying, *[history.whole for history in histories])
        monitored, pairwise = self._relevant(site, plain, objects, whole)
        return sequence, modifying, whole, monitored, pairwise

    def _whole(self, plain: bytes, objects: list[Any], states: list[Digest]) -> Digest:
        """WholeState: the heap reachable from all arguments together, sharing included."""
        if len(objects) > 1 and None not in states:
            together = self.state(*[value for _, value, _, _ in objects])
            return None if together is None else combined(together, plain)
        known = [state for state in states if state is not None]
        return combined(*known, plain) if len(known) == len(states) else None

    def _relevant(
        self,
        site: Any,
        plain: bytes,
        objects: list[tuple[int, Any, Digest, History | None]],
        whole: Digest,
    ) -> tuple[Digest, Digest]:
        """MonitorEquals and PairwiseEquals: what ``==`` ignores does not count."""
        if site.creates or not any(
            self._subjects.has_instance(value) for _, value, _, _ in objects
        ):
            return whole, whole
        monitored, pairwise = [_aliases(objects), plain], [_aliases(objects), plain]
        for _, value, state, _ in objects:
            seen, same = (
                self._relevance.of(value, state)
                if self._subjects.has_instance(value)
                else (state, state)
            )
            if seen is None or same is None:
                return None, None
            monitored.append(seen)
            pairwise.append(same)
        return combined(*monitored), combined(*pairwise)


def _aliases(objects: list[tuple[int, Any, Digest, History | None]]) -> bytes:
    """For each argument the first one that is the same object."""
    addresses = [id(value) for _, value, _, _ in objects]
    return bytes([min(addresses.index(address), 255) for address in addresses])
