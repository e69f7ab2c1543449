"""Where a campaign's process forks: before conftest files, and again before tests are collected.

Invariant: the warm session and the children for mutants go on from here; a process that waits for
them runs no code of the suite before its fork.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import sys
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import pytest

from unitcraft.execute.command import forking
from unitcraft.suite.mutation.mutants.code_objects import identity, inner_codes, live_functions
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session import assert_rewrite_cache, forked_trials
from unitcraft.suite.mutation.session.forked_trials import Continued
from unitcraft.suite.mutation.session.reimport_trials import Fresh, Left, Open, Say
from unitcraft.suite.mutation.session.warm_session import Session


class Answers:
    """A fork that may fork, and the pipe on which it answers."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        self.pid = forking.fork(again=True)
        os.close(self._out if self.pid == 0 else self._in)

    def leave(self, answer: Any) -> None:
        """In the fork: answer with a plain value and end."""
        forked_trials.send(self._in, marshal.dumps(answer, 4))
        sys.stdout.flush()
        sys.stderr.flush()
        forking.leave()

    def receive(self) -> Any:
        """What the fork answered; None too when it died."""
        data = b""
        while chunk := os.read(self._out, forked_trials.CHUNK):
            data += chunk
        os.close(self._out)
        _, status = os.waitpid(self.pid, 0)
        return None if status or not data else marshal.loads(data)  # noqa: S302 - plain values


class Gate:
    """A pytest plugin that forks the warm session before pytest loads the first conftest files.

    What the session leaves is tried from here, unless a plugin has imported a subject already.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        say: Say,
        sources: Sequence[ModuleSource],
        session: Session,
        outer: Answers,
    ) -> None:
        self._settings = settings
        self._sources = sources
        self._say = say
        self._session = session
        self._outer = outer
        self._left: Left | None = None
        self._swapping = Swapping()
        self._open: list[Open] = []
        self.finish: Callable[[int], None] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        """Most processes go on from here; this one ends here."""
        if any(name in sys.modules for name in self._settings["modules"]):
            return
        answers = Answers()
        if answers.pid == 0:
            self._outer = answers
            return
        early_config.pluginmanager.unregister(self._session)
        early_config.pluginmanager.unregister(self._session.collected)
        self._session.forget()
        plain = answers.receive()
        if plain is not None:
            left = Left(*plain)
            fresh = Fresh(self._settings, self._say, self._sources, left)
            fresh.warm_up()
            assert_rewrite_cache.keep(left.rewritten)
            gc.freeze()
            self._open = [Open(*one) for one in left.open]
            if self._open and self._forks_later(left):
                return
            try:
                fresh.all(self._open)
            except Continued as continued:
                self.finish = fresh.go_on(early_config, continued)
                return
            plain = Left([], *plain[1:]).as_plain()
        self._outer.leave(plain)

    def _forks_later(self, left: Left) -> bool:
        """Try mutants that are in time before collection there; is this that process?"""
        answers = Answers()
        if answers.pid == 0:
            self._outer = answers
            self._left = left
            return True
        rest = answers.receive()
        if rest is not None:
            self._open = [Open(*one) for one in rest]
        return False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Children for mutants that are in time here."""
        left = self._left
        if left is None:
            return
        early = Fresh(self._settings, self._say, self._sources, left)
        late = Fresh(self._settings, self._say, self._sources, left, put=self._swapping.put)
        trying = early
        try:
            if not any(name in sys.modules for name in self._settings["modules"]):
                gc.freeze()
                early.all([one for one in self._open if not one.late])
                self._open = [one for one in self._open if one.late]
            for name in self._settings["modules"] if self._open else ():
                importlib.import_module(name)
            trying = late
            self._swapping.find(self._sources)
            rest = late.narrow([one for one in self._open if one.late])
        except Continued as continued:
            self._left = None
            self.finish = trying.go_on(session.config, continued)
            trying.plugin.pytest_collection(session)
            return
        kept = [one for one in self._open if not one.late]
        self._outer.leave([(one.id, one.late, one.test) for one in [*kept, *rest]])

    def leave(self, answer: Any) -> None:
        """End this process."""
        self._outer.leave(None if self._left is not None else answer)


class Swapping:
    """Puts mutants in place where their modules have been imported."""

    def __init__(self) -> None:
        self._lives: dict[str, dict[tuple[str, int], list[FunctionType]]] = {}

    def find(self, sources: Sequence[ModuleSource]) -> None:
        """Look for the live functions, once for all children."""
        self._lives = {source.file: live_functions(source.file) for source in sources}
        gc.freeze()

    def put(self, source: ModuleSource, mutant: SourceMutant) -> None:
        """Give the functions of a mutant their code."""
        code = next(source.distinct([mutant]))[1]
        for inner in inner_codes(code):
            for function in self._lives[source.file].get(identity(inner), ()):
                function.__code__ = inner
