"""The points at which a campaign's process forks: before conftest files, and in an import.

The warm session is a fork made before the first conftest file is loaded.  Its parent waits, then
forks processes that go on with pytest and try the mutants that the session left
(``reimport_trials``): some right before collection, where a mutant whose lines do not run earlier
is swapped into the imported modules; others inside the import of a subject, right before the first
statement that a mutant changes, as up to there every mutant is the same.

Invariant: a process that waits for a fork has run nothing of a subject that a mutant changes, and
of the suite only what plain pytest runs before that, or what needs no subject.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import CodeType
from typing import Any, Final

import pytest

from unitcraft.execute.command import forking
from unitcraft.suite.mutation.mutants.code_swap import CodeSwap
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session import assert_rewrite_cache, forked_children
from unitcraft.suite.mutation.session.forked_children import Continued
from unitcraft.suite.mutation.session.line_probes import CodeFinder
from unitcraft.suite.mutation.session.reimport_trials import (
    PendingMutant,
    ReimportTrials,
    Say,
    SessionRemainder,
    import_all,
    import_mutant,
    independent_modules,
    use_slot_folder,
)
from unitcraft.suite.mutation.session.warm_session import WarmSession

#: Number of mutants from which on it is worth its time to import beforehand what needs no subject.
MIN_TO_WARM_UP: Final = 3
#: A subject, the number of the statement at which its import goes on, and the code of the rest.
Place = tuple[ModuleSource, int, dict[str, CodeType]]


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
        self._importing: ImportFork | None = None
        self._pending: list[PendingMutant] = []
        self._names: list[str] = []
        self._own: list[str] | None = None
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
            if len(left.open) >= MIN_TO_WARM_UP:
                import_all(self._independent(left.installed))
            assert_rewrite_cache.use_cache(left.rewritten)
            gc.freeze()
            self._pending = [PendingMutant(*one) for one in left.open]
            if self._goes_on(early_config, left):
                return
            pending = [(one.id, one.late, one.test) for one in self._pending]
            plain = SessionRemainder(pending, *plain[1:]).as_plain()
        self._outer.leave(plain)

    def _independent(self, names: Sequence[str]) -> list[str]:
        return independent_modules(names, self._settings["modules"], use_slot_folder)

    def _goes_on(self, config: pytest.Config, left: SessionRemainder) -> bool:
        """Try the pending mutants; True in the forks that go on with pytest.

        Late ones are swapped in right before collection.  Then all are tried in forks of the import
        of a subject: each by its known test, file by file, and those that live by the whole suite.
        """
        late = [one for one in self._pending if one.late]
        early = [one for one in self._pending if not one.late]
        if late and self._is_fork(late):
            self._left = left
            return True
        rest = [*early, *self._pending] if late else early
        for file in dict.fromkeys(one.file for one in rest if one.test):
            some = [one for one in rest if one.test and one.file == file]
            if self._is_fork(some):
                self._fork_at_import(config, left, file)
                return True
            living = {one.id for one in self._pending}
            rest = [one for one in rest if one not in some or one.id in living]
        for own in (self._own, []):
            if self._is_fork(rest):
                self._own = own
                self._fork_at_import(config, left, "")
                return True
            rest = self._pending
        return False

    def _is_fork(self, wanted: list[PendingMutant]) -> bool:
        """Fork a process that tries ``wanted``; True in it.

        In the parent, ``_pending`` becomes the mutants that it left without a verdict.
        """
        self._pending = wanted
        if not wanted:
            return False
        answers = AnsweringFork()
        if answers.pid == 0:
            self._outer = answers
            return True
        answer = answers.receive()
        if answer is not None:
            rest, self._own = answer
            self._pending = [PendingMutant(*one) for one in rest]
        return False

    def _answer(self, rest: Sequence[PendingMutant]) -> None:
        """In such a fork: end, with the mutants that have no verdict."""
        self._outer.leave(([(one.id, one.late, one.test) for one in rest], self._own))

    def _fork_at_import(self, config: pytest.Config, left: SessionRemainder, file: str) -> None:
        """Have the pending mutants tried in forks of this process, which goes on until then."""
        importing = ImportFork(self._sources)
        trials = ReimportTrials(self._settings, self._say, self._sources, left, put=importing.put)
        trials.plugin.file = file
        self._names = left.own if len(self._pending) >= MIN_TO_WARM_UP else []
        config.pluginmanager.register(trials.plugin)
        self._importing = importing

        def try_pending() -> None:
            gc.freeze()
            try:
                if file:
                    self._pending = trials.narrow(self._pending)
                elif not self._own or trials.holds():
                    trials.judge(self._pending)
                    self._pending = []
            except Continued as child:
                self._importing = None
                self.finish = trials.go_on(child)
                return
            self._answer(self._pending)

        importing.install([one.id for one in self._pending], try_pending)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Try the late mutants in children that collect the suite; return only in such a child.

        As their lines do not run before collection they are swapped into the imported modules.
        """
        if self._importing is not None and self._importing.waits:
            if self._own is None and self._names:
                self._own = self._independent(self._names)
            import_all(self._own or ())
        if self._left is None:
            return
        swap = ImportedSwap()
        trials = ReimportTrials(self._settings, self._say, self._sources, self._left, put=swap.put)
        for name in self._settings["modules"]:
            importlib.import_module(name)
        session.config.pluginmanager.register(trials.plugin)
        try:
            swap.find(self._sources)
            rest = trials.narrow(self._pending)
        except Continued as child:
            self._left = None
            self.finish = trials.go_on(child)
            trials.plugin.pytest_collection(session)
            return
        self._answer(rest)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self) -> None:
        """Fork here where collection has imported no subject: tests do."""
        if self._importing is not None:
            self._importing.call()

    def leave(self, answer: Any) -> None:
        """End this process."""
        waits = self._left is not None or self._importing is not None
        self._outer.leave(None if waits else answer)


class ImportFork:
    """Calls a function where the first subject with a mutant is imported (mutable).

    Abstract state: where it was called, if it was.
    """

    def __init__(self, sources: Sequence[ModuleSource]) -> None:
        self._sources = sources
        self._fork: Callable[[], None] | None = None
        self._at: Place | None = None

    def install(self, wanted: Iterable[str], fork: Callable[[], None]) -> None:
        """Have ``fork`` called before the first change of the mutants with the ids ``wanted``."""
        self._fork = fork
        ids = frozenset(wanted)
        for source in self._sources:
            mutants = [one for one in source.mutants if one.about.id in ids]
            if mutants:
                first = source.first_changed(mutants)
                codes = {source.module: source.compiled(None, first)}
                around = partial(self._execute, (source, first, codes))
                sys.meta_path.insert(0, CodeFinder(codes, around))

    def _execute(self, at: Place, rest: Callable[[], None]) -> None:
        source, first, _ = at
        before = source.compiled(None, 0, first)
        exec(before, vars(sys.modules[source.module]))  # noqa: S102 - the Subject itself
        if self._fork is not None:
            self._at = at
            self.call()
        rest()

    @property
    def waits(self) -> bool:
        """Is the function still to be called?"""
        return self._fork is not None

    def call(self) -> None:
        """Call the function, unless it was called."""
        fork, self._fork = self._fork, None
        if fork is not None:
            fork()

    def put(self, source: ModuleSource, mutant: SourceMutant) -> None:
        """Have the import that goes on, or the next one, load the module with the mutant."""
        if self._at is not None and self._at[0] is source:
            _, first, codes = self._at
            codes[source.module] = source.compiled(mutant, first)
        else:
            import_mutant(source, mutant)


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
