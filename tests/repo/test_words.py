"""Words that no file of the project may hold."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from repository import ROOT

UNFINISHED = re.compile(
    r"\b(TO"
    r"DO|FIX"
    r"ME|XX"
    r"X|HA"
    r"CK)\b|\bfor "
    r"now\b|\bplace"
    r"holder|raise NotImplemented"
    r"Error",
)
MACHINE = re.compile(r"(?<![\w./])/(work|root|opt|home|tmp/uc)/")
HOSTS = re.compile(
    r"https?://(?!(www\.)?(example|localhost|127\.))[^\s)>\"']*(pypi|registry|index)"
)
SUFFIXES = {".py", ".md", ".toml", ".bib", ".yaml", ".json", ""}


def files() -> list[Path]:
    """The files that git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split("\n")
    names = [ROOT / name for name in listed if name]
    found = names or sorted((ROOT / "src").rglob("*.py"))
    return [file for file in found if file.suffix in SUFFIXES and file.is_file()]


def offences(pattern: re.Pattern[str], chosen: list[Path]) -> list[str]:
    return [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in chosen
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), start=1)
        if pattern.search(line)
    ]


def test_nothing_is_left_unfinished():
    assert offences(UNFINISHED, [file for file in files() if "src" in file.parts]) == []


@pytest.mark.parametrize("pattern", [MACHINE, HOSTS])
def test_no_file_names_a_machine(pattern):
    assert offences(pattern, [file for file in files() if file != Path(__file__).resolve()]) == []


def test_offences_are_seen(tmp_path, monkeypatch):
    monkeypatch.setattr("test_words.ROOT", tmp_path, raising=False)
    file = ROOT / "src" / "unitcraft" / "core" / "errors.py"
    assert offences(re.compile("class UnitcraftError"), [file]) != []
