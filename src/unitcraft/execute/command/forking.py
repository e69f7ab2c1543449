"""The forks of a guarded command that may fork: only through this module, and not in turn.

Invariant: outside the calls of this module the audit hook refuses forks and signals as in every
guarded process; a child of ``fork`` has the layers of a worker.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from typing import Final

from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox import guard
from unitcraft.execute.sandbox.audit import Journal

_fork: Final = os.fork
_kill: Final = os.kill
_exit: Final = os._exit
#: The journal and the policy of this process, if it may fork; else empty.
_KEPT: Final[list[tuple[Journal, Policy]]] = []


def enable_forks(journal: Journal, policy: Policy) -> None:
    """Let this process fork from now on."""
    _KEPT[:] = [(journal, policy)]


def fork(*, again: bool = False) -> int:
    """As ``os.fork``; the child may fork in turn only when ``again``."""
    host = os.getpid()
    with _hook_off():
        pid = _fork()
        if pid == 0 and not again:
            for _, policy in _KEPT:
                guard.raise_worker(policy, host)
    if pid == 0 and not again:
        _KEPT.clear()
    return pid


def kill(pid: int) -> None:
    """Kill a child of ``fork``; one that has ended already is not an error."""
    with _hook_off(), contextlib.suppress(ProcessLookupError):
        _kill(pid, signal.SIGKILL)


def exit_now(status: int = 0) -> None:
    """End this process at once, without cleaning up."""
    _exit(status)


@contextlib.contextmanager
def _hook_off() -> Iterator[None]:
    """Switch the audit hook off for the body."""
    kept = [journal for journal, _ in _KEPT]
    before = [journal.quiet for journal in kept]
    for journal in kept:
        journal.quiet = True
    try:
        yield
    finally:
        for journal, quiet in zip(kept, before, strict=True):
            journal.quiet = quiet
