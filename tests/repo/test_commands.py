"""Every command that a document shows works: it runs in a copy, or is a target of make."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT

from unitcraft.app.cli import exit_code

DOCUMENTS = sorted(
    [
        *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
        ROOT / "tests" / "README.md",
        *(ROOT / "docs").glob("*.md"),
    ]
)
#: Where the commands of this environment are.
BIN = Path(sys.executable).parent
BLOCK = re.compile(r"```(?:console|sh)\n(.*?)```", re.DOTALL)


def commands() -> list[str]:
    """The lines of shell blocks: after ``$`` in a console, all of them in a script."""
    found = []
    for document in DOCUMENTS:
        for block in BLOCK.findall(document.read_text()):
            lines = [line.strip() for line in block.splitlines()]
            prompts = [line[1:].strip() for line in lines if line.startswith("$")]
            found += prompts or [line for line in lines if line and not line.startswith("#")]
    return sorted(set(found))


def sample() -> str:
    """The tests that README shows as written."""
    return README.read_text().partition("```python\n")[2].partition("```")[0]


def excerpt(suite: str) -> str:
    """The tests of a suite that README shows: the first of each of these names."""
    blocks = [block.strip("\n") for block in suite.split("\n\n\n")]
    chosen = [
        next((block for block in blocks if block.startswith(f"def test_{name}")), "")
        for name in SHOWN
    ]
    return "\n\n\n".join(block for block in chosen if block) + "\n"


def targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


#: The command that writes what README shows.
SAMPLE_FROM = "unitcraft generate ledger.accounts:Account --stdout"
#: The beginnings of the names of the tests that it shows.
SHOWN = (
    "deposit_rejects", "deposit_after_freeze", "withdraw_raises",
    "freeze",
)  # fmt: skip
README = ROOT / "README.md"

MAKE = [line for line in commands() if line.startswith("make")]
OTHERS = ("make", ".ci/run", "pip ", "pipx ", "uvx ")
RUN = [line for line in commands() if not line.startswith(OTHERS)]


def test_documents_show_commands():
    assert MAKE
    assert RUN
    assert SAMPLE_FROM in RUN
    assert sample().count("def test_") > 3


@pytest.mark.parametrize("line", MAKE)
def test_make_has_the_target(line):
    wanted = [word for word in shlex.split(line)[1:] if "=" not in word]
    assert set(wanted) <= targets()


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The example in a directory of its own, and the commands of this environment first."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "examples", root / "examples")
    return root


@pytest.mark.parametrize("line", RUN)
def test_command_runs(line, copy, monkeypatch, capfd):
    """Commands of unitcraft run in this process, which starts the same guarded processes."""
    words = ["sh", "-c", line] if ">" in line else shlex.split(line)
    words[:1] = {"pytest": [sys.executable, "-m", "pytest"]}.get(words[0], words[:1])
    path = str(Path(copy, "examples/ledger/src"))
    if words[0] == "unitcraft":
        monkeypatch.chdir(copy)
        monkeypatch.setenv("PYTHONPATH", path)
        code = exit_code(words[1:])
        shown = capfd.readouterr()
        assert code == 0, shown
        if line == SAMPLE_FROM:
            written = excerpt(shown.out)
            if os.environ.get("UPDATE_SAMPLES"):
                README.write_text(README.read_text().replace(sample(), written))
            assert written == sample(), "UPDATE_SAMPLES=1 puts what is written now into README"
        return
    done = subprocess.run(
        words,
        cwd=copy,
        env={**os.environ, "PYTHONPATH": path, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
