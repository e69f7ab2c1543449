"""Generates each Subject's suite once and runs it against planted-bug twins by plain pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from unitcraft.app.generate.generate_module import generate
from unitcraft.app.generate.generated_suite import GeneratedSuite, Options
from unitcraft.core.events import SilentListener
from unitcraft.subject.locate import locate

SUBJECTS = Path(__file__).resolve().parents[1] / "subjects"
KINDS = Path(__file__).resolve().parent / "kinds"

#: Runs pytest in a fork for each directory: one import of pytest serves them all, and what that
#: loaded is not looked through by the five collections at the end of each.
DRIVER = """
import gc, os, sys, tempfile
import pytest
with tempfile.TemporaryDirectory() as empty:
    sys.stdout = open(os.devnull, "w")
    pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", empty, empty])
    sys.stdout = sys.__stdout__
gc.collect()
gc.freeze()
for folder in sys.argv[1:]:
    child = os.fork()
    if not child:
        os.chdir(folder)
        sys.path.insert(0, folder)
        sys.stdout = sys.stderr = open("output.txt", "w")
        flags = ["-q", "--import-mode=importlib", "-p", "no:cacheprovider", "--rootdir", folder]
        code = pytest.main([*flags, "suite.py"])
        sys.stdout.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def source_of(name: str) -> str:
    return (SUBJECTS / f"{name}.py").read_text()


def generated(name: str, jobs: int = 1) -> GeneratedSuite:
    """The suite of a module of ``tests/subjects``, made with default options."""
    return generate(locate(f"{name}.py", SUBJECTS)[0], Options(jobs=jobs), SilentListener())


def exit_codes(
    root: Path, variants: list[tuple[str, str]], suite_of: Callable[[str], GeneratedSuite]
) -> list[int]:
    """Exit codes of pytest for the suite of each (module name, source text of the module)."""
    folders = []
    for number, (name, text) in enumerate(variants):
        folder = root / str(number)
        folder.mkdir()
        (folder / f"{name}.py").write_text(text)
        (folder / "suite.py").write_text(suite_of(name).text)
        folders.append(str(folder))
    command = [sys.executable, "-c", DRIVER, *folders]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=120
    )
    return [int(line) for line in done.stdout.split()]


@pytest.fixture(scope="session")
def suite_of(shared):
    """The suite of a module of ``tests/subjects``, generated once for all processes."""
    return lambda name, jobs=1: shared(f"{name}-{jobs}", lambda: generated(name, jobs))


@pytest.fixture(scope="session")
def kind_suite(shared):
    """The suite of a module of ``kinds``, by its name: generated once for all processes."""

    def made(name, options):
        located = locate(f"{name}.py", KINDS)[0]
        return generate(located, Options(jobs=1, **options), SilentListener())

    def suite(name, **options):
        return shared("-".join(["kind", name, *options]), lambda: made(name, options))

    return suite


@pytest.fixture(scope="session")
def run_variants(suite_of):
    return partial(exit_codes, suite_of=suite_of)


@pytest.fixture(scope="session")
def source_text():
    return source_of
