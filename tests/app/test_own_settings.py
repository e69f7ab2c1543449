"""Suites of projects whose settings are stricter than usual, from the outside."""

from __future__ import annotations

import pytest

MODULE = "def f(x):\n    return x + 1\n"
TEST = "from m import f\n\n\ndef test_f():\n    assert f(1) == 2\n"


@pytest.fixture
def strict(tmp_path):
    """A project that turns every warning into an error."""
    (tmp_path / "m.py").write_text(MODULE)
    (tmp_path / "test_m.py").write_text(TEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\npythonpath = .\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ("check", "test_m.py", "-s", "m", "--select", "UC1"),
        ("mutants", "run", "test_m.py", "-s", "m"),
    ],
)
def test_commands_run_where_warnings_are_errors(words, strict, run):
    done = run(*words)
    assert "[suite-not-run]" not in done.stderr
    assert done.returncode == 0


CACHED = """\
import pytest

from m import f


@pytest.fixture
def folder(request):
    return request.config.cache.mkdir("servers")


def test_f(folder, cache):
    assert cache.get("m/before", 0) < 9
    cache.set("m/before", 1)
    assert f(1) == 2
"""


@pytest.mark.parametrize(
    "words",
    [
        ("check", "test_m.py", "-s", "m"),
        ("minimize", "test_m.py", "-s", "m"),
        ("mutants", "run", "test_m.py", "-s", "m"),
    ],
)
def test_suites_that_use_the_cache_of_pytest_find_one_of_their_own(words, strict, run):
    (strict / ".pytest_cache/v/m").mkdir(parents=True)
    (strict / ".pytest_cache/v/m/before").write_text("9")
    (strict / "test_m.py").write_text(CACHED)
    settings = (strict / "pytest.ini").read_text()
    (strict / "pytest.ini").write_text(f"{settings}addopts = --ff --strict-config\n")
    done = run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "did not pass" not in done.stdout
    assert (strict / ".pytest_cache/v/m/before").read_text() == "9"
