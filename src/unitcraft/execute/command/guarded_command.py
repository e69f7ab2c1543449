"""Runs one interpreter command line (``-m pytest …``) under the same layers as a worker.

Invariant: the command can change nothing outside ``writable``, starts no process, and no
process of it is alive when ``run_guarded`` returns.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Final

from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.execute.policy import Policy
from unitcraft.execute.pool.fork_server import Launch, start_process
from unitcraft.execute.pool.host_process import (
    BEGIN,
    FLAGS,
    OURS,
    host_environment,
    kill_group,
)

#: The first function of the command.
MAIN: Final = "unitcraft.execute.command.guarded_main:main"
#: What a fork server of commands has loaded: nearly all commands run pytest, which loads these
#: plugins and pdb when it starts.
MODULES: Final = (
    "unitcraft.execute.command.guarded_main",
    "pytest",
    "pdb",
    "_pytest.helpconfig",
    "_pytest.setuponly",
    "_pytest.setupplan",
    "_pytest.skipping",
    "_pytest.threadexception",
    "_pytest.tracemalloc",
    "_pytest.unittest",
    "_pytest.unraisableexception",
    "_pytest.warnings",
)


@dataclass(frozen=True, slots=True)
class Completed:
    """How a guarded command ended; ``returncode`` is negative for a signal.

    ``stdout`` and ``stderr`` hold at most the asked number of bytes, decoded; the
    rest is cut out of the middle.
    """

    returncode: int
    stdout: str
    stderr: str
    timed_out: bool = False


def run_guarded(
    argv: Sequence[str],
    *,
    policy: Policy | None = None,
    paths: Sequence[str] = (),
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    writable: Sequence[str] = (),
    hash_seed: int = 0,
    clock_shift: float = 0.0,
    timeout: float = 60.0,
    memory_mb: int = 2048,
    capture_bytes: int = 1 << 20,
    forks: bool = False,
    python: Interpreter = OWN,
    loads: Sequence[str] = (),
) -> Completed:
    """Run ``python`` with ``argv`` (``-m module …`` or a script) and wait for it.

    ``paths`` come first on ``sys.path``.  ``env`` is added to a scrubbed environment.  HOME and
    TMPDIR are a scratch folder that is removed afterwards; ``cwd`` defaults to it.
    ``timeout`` is wall time in seconds.  ``forks``: it may fork, through ``forking``.  ``loads``
    are modules that it imports whatever it is asked: a fork server has loaded them.
    """
    with tempfile.TemporaryDirectory(prefix="unitcraft-") as scratch:
        environment = {**host_environment(scratch, hash_seed), **(env or {})}
        chosen = policy or Policy()
        settings = {
            "level": chosen.level,
            "allow": chosen.allow,
            "paths": list(paths),
            "writable": [scratch, *writable],
            "clock_shift": clock_shift,
            "memory_mb": memory_mb,
            "forks": forks,
            "lent": python.lent,
        }
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            launch = Launch(
                command=(python.executable, *FLAGS),
                begin=BEGIN,
                ours=OURS,
                main=MAIN,
                words=(json.dumps(settings), *argv),
                cwd=cwd or scratch,
                environment=environment,
                stdout=out.fileno(),
                stderr=err.fileno(),
                modules=(*MODULES, *loads),
                shared=len(MODULES),
                paths=tuple(paths),
                lent=python.lent,
                digest=python.digest,
            )
            return _run(launch, out, err, timeout, capture_bytes)


def _run(launch: Launch, out: IO[bytes], err: IO[bytes], timeout: float, size: int) -> Completed:
    process = start_process(launch)
    try:
        process.wait(timeout)
        timed_out = False
    except subprocess.TimeoutExpired:
        timed_out = True
    finally:
        kill_group(process.pid)
        status = process.wait()
    return Completed(status, _text(out, size), _text(err, size), timed_out)


def _text(stream: IO[bytes], size: int) -> str:
    """The beginning and the end of a file, ``size`` bytes in all."""
    length = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if length <= size:
        return stream.read().decode("utf-8", "replace")
    first = stream.read(size // 2)
    stream.seek(length - size // 2)
    return (first + b"\n[...]\n" + stream.read()).decode("utf-8", "replace")
