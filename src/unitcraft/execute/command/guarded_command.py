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
from typing import IO

from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.execute.policy import Policy
from unitcraft.execute.pool.host_process import (
    BEGIN,
    FLAGS,
    OURS,
    host_environment,
    kill_group,
)

#: The first code of the command.
START = f"""{BEGIN}
from unitcraft.execute.command.guarded_main import main
main()
"""


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
) -> Completed:
    """Run ``python`` with ``argv`` (``-m module …`` or a script) and wait for it.

    ``paths`` come first on ``sys.path``.  ``env`` is added to a scrubbed environment.  HOME and
    TMPDIR are a scratch folder that is removed afterwards; ``cwd`` defaults to it.
    ``timeout`` is wall time in seconds.  ``forks``: it may fork, through ``forking``.
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
            "parent": os.getpid(),
            "forks": forks,
            "lent": python.lent,
        }
        command = [python.executable, *FLAGS, "-c", START, OURS, json.dumps(settings)]
        return _run([*command, *argv], cwd or scratch, environment, timeout, capture_bytes)


def _run(
    command: list[str], cwd: str, environment: Mapping[str, str], timeout: float, size: int
) -> Completed:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter, or the one that was chosen
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=cwd,
            env=environment,
            start_new_session=True,
        )
        try:
            process.wait(timeout)
            timed_out = False
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            kill_group(process.pid)
            process.wait()
        return Completed(process.returncode, _text(out, size), _text(err, size), timed_out)


def _text(stream: IO[bytes], size: int) -> str:
    """The beginning and the end of a file, ``size`` bytes in all."""
    length = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    if length <= size:
        return stream.read().decode("utf-8", "replace")
    first = stream.read(size // 2)
    stream.seek(length - size // 2)
    return (first + b"\n[...]\n" + stream.read()).decode("utf-8", "replace")
