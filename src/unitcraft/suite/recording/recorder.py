"""Records the method executions of the test that runs now.

Invariant: only executions entered from outside the subjects count, unless inner ones are asked
for; nothing that happens here reaches the Subject: no exception, no kept reference, no call of its
code except ``==`` on copies.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Generator
from types import FunctionType, coroutine
from typing import Any

from unitcraft.state.canonical import comparable
from unitcraft.state.layout import class_id
from unitcraft.suite.recording.histories import Histories, History, combined
from unitcraft.suite.recording.inputs import MOST_TOKENS, Digest, Entry, Inputs, Relevance, Report
from unitcraft.suite.recording.model import Assumption, AssumptionKind
from unitcraft.suite.recording.sites import Site, Subjects, functions_of
from unitcraft.suite.recording.trampoline import Hooks, divert


class _Local(threading.local):
    busy = False


class Recorder:
    """Abstract state: the diverted functions, Histories, and the executions of the current test."""

    def __init__(
        self,
        subjects: Subjects,
        relevance: Callable[[Report], Relevance],
        *,
        inner: bool = False,
    ) -> None:
        self._subjects = subjects
        self._local = _Local()
        self._histories = Histories()
        self._inputs = Inputs(subjects, self._histories, relevance(self.break_assumption))
        self._inner = inner
        self._modules: set[str] = set()
        self._assumptions: dict[tuple[AssumptionKind, str], Assumption] = {}
        self._digests: dict[Digest, int] = {None: 0}
        self._sites: dict[str, int] = {}
        self._rows: dict[tuple[int, ...], int] = {}
        self._sent = (0, 0, 0)
        self.active = False
        self._hooks = Hooks(
            self._local, self.enter, self.leave, self.raised, self.drive, coroutine(self.drive)
        )

    def divert_loaded(self) -> None:
        """Have the functions of every subject module that is loaded by now recorded."""
        for module in self._subjects.loaded():
            if module.__name__ in self._modules:
                continue
            self._modules.add(module.__name__)
            for function, site in functions_of(module):
                self._divert(function, site)

    def _divert(self, function: FunctionType, site: Site) -> None:
        try:
            divert(function, site, self._hooks)
        except (ValueError, SyntaxError, StopIteration) as error:
            self.break_assumption("unreadable", site.id, f"not recorded: {error}")

    # The life of a test.

    def begin(self) -> None:
        """A test starts."""
        self._rows.clear()
        self._inputs.tokens = 0
        self.active = True

    def end(self) -> dict[str, Any]:
        """The test is over: what is new since the last one, as plain data."""
        self.active = False
        self._histories.forget_held()
        if self._inputs.tokens > MOST_TOKENS:
            self.break_assumption("costly", "", "states too large to follow to the end of a test")
        first_digest, first_site, first_assumption = self._sent
        digests, sites = list(self._digests), list(self._sites)
        broken = list(self._assumptions.values())
        self._sent = (len(digests), len(sites), len(broken))
        numbers = array("q")
        for row in self._rows:
            numbers.extend(row)
        return {
            "digests": digests[first_digest:],
            "sites": sites[first_site:],
            "assumptions": [
                (one.kind, one.subject, one.detail) for one in broken[first_assumption:]
            ],
            "numbers": numbers.tobytes(),
            "calls": sum(self._rows.values()),
        }

    def break_assumption(self, kind: AssumptionKind, subject: str, detail: str = "") -> None:
        """Report something that a representation takes for granted and that does not hold."""
        self._assumptions.setdefault((kind, subject), Assumption(kind, subject, detail))

    # One execution.

    def enter(self, site: Site, values: tuple[Any, ...], chain: bytes = b"") -> Entry | None:
        """An execution begins; None when it is not recorded."""
        if not self.active:
            return None
        self._local.busy = True
        try:
            entry = self._inputs.entry(site, values, chain)
        except Exception as error:  # noqa: BLE001 - unreadable, whatever the reason
            self.break_assumption("unreadable", site.id, type(error).__name__)
            entry = Entry(site, [])
        self._local.busy = not self._inner
        return entry

    def leave(self, entry: Entry | None, result: Any) -> None:
        """The execution returned (or yielded) ``result``."""
        if entry is None:
            return
        self._local.busy = True
        try:
            outcome = self._outcome(entry, result)
            self._finish(entry, outcome)
            self._adopt(entry, result)
        except Exception as error:  # noqa: BLE001 - as in ``enter``
            self.break_assumption("unreadable", entry.site.id, type(error).__name__)
        self._local.busy = False

    def raised(self, entry: Entry | None, error: BaseException) -> None:
        """The execution raised."""
        if entry is None:
            return
        self._local.busy = True
        try:
            self._finish(entry, combined(b"raised", class_id(type(error)).encode()))
        except Exception as problem:  # noqa: BLE001 - as in ``enter``
            self.break_assumption("unreadable", entry.site.id, type(problem).__name__)
        self._local.busy = False

    def drive(self, site: Site, inner: Any, values: tuple[Any, ...]) -> Generator[Any, Any, Any]:
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

    def _outcome(self, entry: Entry, result: Any) -> bytes:
        """The digest of a result; of its class alone where it cannot be compared."""
        for position, value, _, _ in entry.objects:
            if value is result:
                return combined(b"argument", str(position).encode())
        digest = self._inputs.state(result)
        return combined(b"returned", digest or class_id(type(result)).encode())

    def _finish(self, entry: Entry, outcome: bytes) -> None:
        """Write the execution down and bring the Histories up to date."""
        after = [self._inputs.state(value) for _, value, _, _ in entry.objects]
        known = [state for state in after if state is not None]
        exit_ = combined(b"exit", *known) if len(known) == len(after) else None
        sequence, modifying = entry.digests[:2]
        for (position, value, before, history), state in zip(entry.objects, after, strict=True):
            is_receiver = position == 0 and entry.site.has_receiver
            if state != before and not is_receiver and before is not None:
                self._changed_argument(entry, value)
            if history is None or state is None or sequence is None or modifying is None:
                continue
            if is_receiver or state != before:
                link = str(position).encode()
                whole = combined(b"after", link, sequence)
                changing = combined(b"after", link, modifying)
                kept = history.modifying if state == before else changing
                self._histories.put(value, History(whole, kept, state))
        self._write(entry, exit_, outcome)

    def _changed_argument(self, entry: Entry, value: object) -> None:
        detail = f"an argument of class {class_id(type(value))}"
        self.break_assumption("argument-changed", entry.site.id, detail)

    def _adopt(self, entry: Entry, result: Any) -> None:
        """An object of a subject class that an execution returned was made by that execution."""
        if not self._subjects.has_instance(result) or self._histories.knows(result):
            return
        state = comparable((result,))[0]
        sequence, modifying = entry.digests[:2]
        if state is not None and sequence is not None and modifying is not None:
            made = b"result"
            history = History(combined(made, sequence), combined(made, modifying), state)
            self._histories.put(result, history)

    def _write(self, entry: Entry, exit_: Digest, outcome: Digest) -> None:
        number = self._digests
        columns = [
            number.setdefault(digest, len(number)) for digest in (*entry.digests, exit_, outcome)
        ]
        site = self._sites.setdefault(entry.site.id, len(self._sites))
        row = (site, *columns)
        self._rows[row] = self._rows.get(row, 0) + 1
