"""Records the method executions of the running test.

Invariant: only executions entered from outside the subjects count, unless inner ones are asked
for; nothing that happens here reaches the Subject: no exception, no kept reference, no call of its
code except ``==`` on copies.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from types import FunctionType, coroutine
from typing import Any, Final

from unitcraft.state.heap.canonical import digest_with_cost
from unitcraft.state.heap.object_layout import class_id, solid_base
from unitcraft.suite.recording.guest.lru_caches import unmask_caches
from unitcraft.suite.recording.guest.test_locations import CallsOfTests
from unitcraft.suite.recording.guest.trampoline import Hooks, divert, is_diverted
from unitcraft.suite.recording.guest.unrecorded_results import is_foreign, is_plain_container
from unitcraft.suite.recording.recorded_functions import (
    RecordedFunction,
    Subjects,
    functions_in,
    functions_of,
)
from unitcraft.suite.recording.recordings import SITE_BYTES, UNLIKE, Assumption, AssumptionKind
from unitcraft.suite.recording.representations.method_sequences import (
    Histories,
    History,
    combine_digests,
)
from unitcraft.suite.recording.representations.representations import (
    Argument,
    Digest,
    ExecutionEntry,
    InputReader,
    Relevance,
    Report,
)

#: Results of one test that are looked at again when it is over: each is read as a whole.
MAX_HELD: Final = 32


class _Local(threading.local):
    busy = False


class Recorder:
    """Abstract state: the diverted functions, Histories, and the executions of the current test."""

    def __init__(
        self,
        subjects: Subjects,
        relevance: Callable[[Report], Relevance],
        calls_of_tests: CallsOfTests | None = None,
        *,
        inner: bool = False,
    ) -> None:
        self._subjects = subjects
        self._local = _Local()
        self._histories = Histories()
        self._inputs = InputReader(subjects, self._histories, relevance(self.break_assumption))
        self._inner = inner
        self._calls_of_tests = calls_of_tests
        self._modules: set[str] = set()
        self._assumptions: dict[tuple[AssumptionKind, str], Assumption] = {}
        self._sites: dict[str, int] = {}
        self._rows: dict[bytes, int] = {}
        self._sent = (0, 0)
        self._is_foreign = False
        self._handed_out: list[tuple[Any, bytes]] = []
        self.active = False
        self._hooks = Hooks(
            self._local, self.enter, self.leave, self.raised, self.drive, coroutine(self.drive)
        )

    def exclude(self, modules: Iterable[str], files: Iterable[str]) -> None:
        """These modules hold tests, so calls of their functions are no executions.

        Calls that the framework makes are none either: the tests are in these ``files``.
        """
        self._subjects.exclude(modules)
        if self._calls_of_tests is not None:
            self._calls_of_tests.learn(files)

    def divert_loaded(self) -> None:
        """Divert the functions of every loaded subject module that is not yet diverted."""
        for module in self._subjects.loaded():
            if module.__name__ in self._modules:
                continue
            self._modules.add(module.__name__)
            unmask_caches(module)
            for function, site in functions_of(module):
                if not is_diverted(function):
                    self._divert(function, site)

    def _divert(self, function: FunctionType, site: RecordedFunction) -> None:
        try:
            divert(function, site, self._hooks)
        except (ValueError, SyntaxError, StopIteration) as error:
            self.break_assumption("unreadable", site.id, f"not recorded: {error}")

    # The life of a test.

    def begin(self) -> None:
        """A test starts."""
        self._rows.clear()
        self._is_foreign = False
        self._inputs.begin()
        self.active = True

    def end(self) -> dict[str, Any]:
        """The test is over: what is new since the last one, as plain data."""
        self.active = False
        self._is_foreign = self._is_foreign or self._has_changed_results()
        self._handed_out.clear()
        self._histories.forget_held()
        if self._inputs.is_spent:
            self.break_assumption("costly", "", "states too large to follow to the end of a test")
        first_site, first_assumption = self._sent
        self._sent = (len(self._sites), len(self._assumptions))
        broken = islice(self._assumptions.values(), first_assumption, None)
        return {
            "sites": list(islice(self._sites, first_site, None)),
            "assumptions": [(one.kind, one.subject, one.detail) for one in broken],
            "rows": b"".join(self._rows),
            "calls": sum(self._rows.values()),
            "foreign": self._is_foreign,
        }

    def break_assumption(self, kind: AssumptionKind, subject: str, detail: str = "") -> None:
        """Report something that a representation takes for granted and that does not hold."""
        self._assumptions.setdefault((kind, subject), Assumption(kind, subject, detail))

    # One execution.

    def enter(
        self, site: RecordedFunction, values: tuple[Any, ...], chain: bytes = b""
    ) -> ExecutionEntry | None:
        """An execution begins; None when it is not recorded."""
        if not self.active:
            return None
        if self._calls_of_tests is not None and not self._calls_of_tests.is_made_now():
            return None
        self._local.busy = True
        try:
            entry = self._inputs.entry(site, values, chain)
        except Exception as error:  # noqa: BLE001 - unreadable, whatever the reason
            self.break_assumption("unreadable", site.id, type(error).__name__)
            entry = ExecutionEntry(site)
        self._local.busy = not self._inner
        return entry

    def leave(self, entry: ExecutionEntry | None, result: Any) -> None:
        """The execution returned (or yielded) ``result``."""
        if entry is None:
            return
        self._local.busy = True
        try:
            outcome = self._outcome(entry, result)
            self._finish(entry, outcome)
            self._adopt(entry, result)
            if not self._is_foreign and not any(one.value is result for one in entry.objects):
                self._is_foreign = is_foreign(result, self._subjects)
                self._hold(result)
        except Exception as error:  # noqa: BLE001 - as in ``enter``
            self.break_assumption("unreadable", entry.site.id, type(error).__name__)
        self._local.busy = False

    def raised(self, entry: ExecutionEntry | None, error: BaseException) -> None:
        """The execution raised."""
        if entry is None:
            return
        self._local.busy = True
        try:
            self._finish(entry, combine_digests(b"raised", class_id(type(error)).encode()))
        except Exception as problem:  # noqa: BLE001 - as in ``enter``
            self.break_assumption("unreadable", entry.site.id, type(problem).__name__)
        self._local.busy = False

    def drive(
        self, site: RecordedFunction, inner: Any, values: tuple[Any, ...]
    ) -> Generator[Any, Any, Any]:
        """Run a generator or coroutine; every resumption is an execution of its own."""
        chain, step, sent = b"start", inner.send, None
        while True:
            entry = None
            if not self._local.busy:
                given = values if sent is None else (*values, sent)
                entry = self.enter(site, given, chain)
                chain = (entry.digests[2] if entry else None) or b"unknown"
            try:
                item = step(sent)
            except StopIteration as stop:
                self.leave(entry, stop.value)
                return stop.value
            except BaseException as error:
                self.raised(entry, error)
                raise
            self.leave(entry, item)
            try:
                step, sent = inner.send, (yield item)
            except GeneratorExit:
                inner.close()
                raise
            except BaseException as error:  # noqa: BLE001 - handed on to the generator
                step, sent = inner.throw, error

    def _hold(self, result: Any) -> None:
        """Remember a container that the test got, and may change without a recorded call."""
        if len(self._handed_out) < MAX_HELD and is_plain_container(result):
            state = self._inputs.state(result)
            if state is not None:
                self._handed_out.append((result, state))

    def _has_changed_results(self) -> bool:
        """Is a container that was handed out another one now?  Later calls may have met it so."""
        return any(self._inputs.state(value) != state for value, state in self._handed_out)

    def _outcome(self, entry: ExecutionEntry, result: Any) -> bytes:
        """The digest of a result; of its class alone where it cannot be compared."""
        for one in entry.objects:
            if one.value is result:
                return combine_digests(b"argument", str(one.position).encode())
        digest = self._inputs.state(result)
        return combine_digests(b"returned", digest or class_id(type(result)).encode())

    def _finish(self, entry: ExecutionEntry, outcome: bytes) -> None:
        """Write the execution down and bring the Histories up to date."""
        after = [self._inputs.state(one.value) for one in entry.objects]
        known = [state for state in after if state is not None]
        exit_ = combine_digests(b"exit", *known) if len(known) == len(after) else None
        for one, state in zip(entry.objects, after, strict=True):
            if state is not None:
                self._follow(entry, one, state)
        self._write(entry, exit_, outcome)

    def _follow(self, entry: ExecutionEntry, one: Argument, state: bytes) -> None:
        """Bring the History of an argument up to date, which is in ``state`` now."""
        is_receiver = one.position == 0 and entry.site.has_receiver
        is_same = state == one.state
        if not (is_same or is_receiver or one.state is None) and _is_store(one.value):
            detail = f"an argument of class {class_id(type(one.value))}"
            self.break_assumption("argument-changed", entry.site.id, detail)
        sequence, modifying = entry.digests[:2]
        if one.history is None or sequence is None or modifying is None:
            return
        if is_receiver or not is_same:
            link = str(one.position).encode()
            changed = combine_digests(b"after", link, modifying)
            kept = one.history.modifying if is_same else changed
            history = History(combine_digests(b"after", link, sequence), kept, state)
            self._histories.put(one.value, history)

    def _adopt(self, entry: ExecutionEntry, result: Any) -> None:
        """Record that the execution made its result: an object, or functions to be recorded."""
        for function, site in functions_in(result, self._subjects):
            if not is_diverted(function):
                self._divert(function, site)
        if not self._subjects.has_instance(result) or self._histories.knows(result):
            return
        state = digest_with_cost((result,))[0]
        sequence, modifying = entry.digests[:2]
        if state is not None and sequence is not None and modifying is not None:
            made = b"result"
            history = History(
                combine_digests(made, sequence), combine_digests(made, modifying), state
            )
            self._histories.put(result, history)

    def _write(self, entry: ExecutionEntry, exit_: Digest, outcome: Digest) -> None:
        site = self._sites.setdefault(entry.site.id, len(self._sites))
        digests = [digest or UNLIKE for digest in (*entry.digests, exit_, outcome)]
        row = b"".join((site.to_bytes(SITE_BYTES, "big"), *digests))
        self._rows[row] = self._rows.get(row, 0) + 1


def _is_store(value: object) -> bool:
    """Is this an object that methods are not expected to change, no iterator or function?"""
    kind = type(value)
    return solid_base(kind) in (None, list, dict, set, bytearray) and not hasattr(kind, "__next__")
