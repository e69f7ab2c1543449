"""The points at which a campaign's process forks: before conftest files, and before collection.

The warm session is a fork made before the first conftest file is loaded.  Its parent waits, then
tries the mutants that the session left (``reimport_trials``) from the same point, so that a mutant
is in place before anything of the suite is imported.  As many as possible are tried from a second
fork instead, right before collection, where the conftest files need not be loaded again: a mutant
whose lines do not run before collection is swapped into the imported modules there.

Invariant: a process that waits for a fork has run no code of the suite before the fork.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from unitcraft.execute.command import forking
from unitcraft.suite.mutation.mutants.code_swap import CodeSwap
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session import assert_rewrite_cache, forked_children
from unitcraft.suite.mutation.session.forked_children import Continued
from unitcraft.suite.mutation.session.reimport_trials import (
    PendingMutant,
    ReimportTrials,
    Say,
    SessionRemainder,
)
from unitcraft.suite.mutation.session.warm_session import WarmSession


class AnsweringFork:
    """A forked process that may fork again, and the pipe on which it sends one answer."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        self.pid = forking.fork(again=True)
        os.close(self._out if self.pid == 0 else self._in)

    def leave(self, answer: Any) -> None:
        """In the fork: send ``answer``, a plain value, and end the process."""
        forked_children.write_all(self._in, marshal.dumps(answer, 4))
        sys.stdout.flush()
        sys.stderr.flush()
        forking.exit_now()

    def receive(self) -> Any:
        """The answer of the fork; None also when it died."""
        data = b""
        while chunk := os.read(self._out, forked_children.READ_BYTES):
            data += chunk
        os.close(self._out)
        _, status = os.waitpid(self.pid, 0)
        return None if status or not data else marshal.loads(data)  # noqa: S302 - plain values


class ForkPoints:
    """A pytest plugin that forks at the two points (mutable).

    When a plugin of pytest has imported a subject already, nothing is forked here and the session
    runs in the same process.  ``finish``, if set, is called with pytest's exit status at the end.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        say: Say,
        sources: Sequence[ModuleSource],
        session: WarmSession,
        outer: AnsweringFork,
    ) -> None:
        self._settings = settings
        self._sources = sources
        self._say = say
        self._session = session
        self._outer = outer
        self._left: SessionRemainder | None = None
        self._imported_swap = ImportedSwap()
        self._pending: list[PendingMutant] = []
        self.finish: Callable[[int], None] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        """Fork the warm session; then try what it left, and end.

        Returns in the processes that continue with pytest: the session, a child with a mutant, and
        the fork that goes on to collection.
        """
        if any(name in sys.modules for name in self._settings["modules"]):
            return
        answers = AnsweringFork()
        if answers.pid == 0:
            self._outer = answers
            return
        early_config.pluginmanager.unregister(self._session)
        early_config.pluginmanager.unregister(self._session.collected)
        self._session.forget()
        plain = answers.receive()
        if plain is not None:
            left = SessionRemainder(*plain)
            fresh = ReimportTrials(self._settings, self._say, self._sources, left)
            fresh.warm_up()
            assert_rewrite_cache.use_cache(left.rewritten)
            gc.freeze()
            self._pending = [PendingMutant(*one) for one in left.open]
            if self._pending and self._fork_before_collection(left):
                return
            try:
                fresh.all(self._pending)
            except Continued as continued:
                self.finish = fresh.go_on(early_config, continued)
                return
            plain = SessionRemainder([], *plain[1:]).as_plain()
        self._outer.leave(plain)

    def _fork_before_collection(self, left: SessionRemainder) -> bool:
        """Fork a process that goes on to collection; True in that process.

        In the parent, ``_pending`` becomes the mutants that process left without a verdict.
        """
        answers = AnsweringFork()
        if answers.pid == 0:
            self._outer = answers
            self._left = left
            return True
        rest = answers.receive()
        if rest is not None:
            self._pending = [PendingMutant(*one) for one in rest]
        return False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Try the pending mutants in children that collect the suite; return only in such a child.

        Mutants whose lines do not run before collection are swapped into the imported modules;
        the others need a child that imports the module with the mutant in it.
        """
        left = self._left
        if left is None:
            return
        early = ReimportTrials(self._settings, self._say, self._sources, left)
        late = ReimportTrials(
            self._settings, self._say, self._sources, left, put=self._imported_swap.put
        )
        trying = early
        try:
            if not any(name in sys.modules for name in self._settings["modules"]):
                gc.freeze()
                early.all([one for one in self._pending if not one.late])
                self._pending = [one for one in self._pending if one.late]
            for name in self._settings["modules"] if self._pending else ():
                importlib.import_module(name)
            trying = late
            self._imported_swap.find(self._sources)
            rest = late.narrow([one for one in self._pending if one.late])
        except Continued as continued:
            self._left = None
            self.finish = trying.go_on(session.config, continued)
            trying.plugin.pytest_collection(session)
            return
        kept = [one for one in self._pending if not one.late]
        self._outer.leave([(one.id, one.late, one.test) for one in [*kept, *rest]])

    def leave(self, answer: Any) -> None:
        """End this process."""
        self._outer.leave(None if self._left is not None else answer)


class ImportedSwap:
    """Swaps mutants into modules that have been imported already."""

    def __init__(self) -> None:
        self._swaps: dict[str, CodeSwap] = {}

    def find(self, sources: Sequence[ModuleSource]) -> None:
        """Collect the live functions of the sources, before the children are forked."""
        self._swaps = {source.file: CodeSwap(source) for source in sources}
        gc.freeze()

    def put(self, source: ModuleSource, mutant: SourceMutant) -> None:
        """Swap ``mutant`` in."""
        swap = self._swaps[source.file]
        swap.load([mutant])
        swap.apply(mutant)
