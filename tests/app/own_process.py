"""Runs the command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys


def command(cwd, *words, **env):
    """Run ``unitcraft`` with words in a directory, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "unitcraft", *words], cwd=cwd, env={**os.environ, **env},
        capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
