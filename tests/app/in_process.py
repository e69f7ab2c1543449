"""Runs the command line in this process: what it starts is shared with the tests before it."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass

import pytest
from report_schema import check_document

from unitcraft.app.cli import exit_code
from unitcraft.suite.existing.suite_sources import source_of


@dataclass(frozen=True, slots=True)
class Finished:
    """A run of the command line: exit code and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def run_here(cwd, *words, **env) -> Finished:
    """Run ``unitcraft`` with words in a directory, as ``own_process.command`` does in another."""
    out, err = io.StringIO(), io.StringIO()
    source_of.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        for name, value in env.items():
            patch.setenv(name, value)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = exit_code(words)
    check_document(out.getvalue())
    return Finished(code, out.getvalue(), err.getvalue())
