"""What ``--fix`` leaves behind when it is interrupted, killed, or cannot write."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from unitcraft.app.suites import fix
from unitcraft.app.suites.edit_tests import WHOLE
from unitcraft.app.suites.fix import Edit
from unitcraft.app.suites.minimize_command import MinimizeResult
from unitcraft.core.errors import UnitcraftError
from unitcraft.suite.existing.minimise import Minimisation
from unitcraft.suite.recording.cover import SuiteCoverage
from unitcraft.suite.recording.record import SuiteSpec, assemble_recording

OLD, NEW = "def test():\n    pass\n", "\n"


@pytest.fixture
def edits(tmp_path):
    files = [tmp_path / name for name in ("test_a.py", "test_b.py")]
    for file in files:
        file.write_text(OLD)
    return [Edit(file, OLD, NEW, 1) for file in files]


def made(branches=(), verdicts=()):
    covered = SuiteCoverage(
        tuple(branches), 0, {"n": frozenset(range(len(branches)))}, dict(verdicts)
    )
    return MinimizeResult(
        SuiteSpec((), (), ""), assemble_recording([]), covered, Minimisation((), (), ())
    )


def texts(edits):
    return [edit.file.read_text() for edit in edits]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interrupted_proof_leaves_the_old_files(edits, monkeypatch, error):
    seen = []

    def interrupted(spec):
        seen.append(texts(edits))
        raise error

    monkeypatch.setattr(fix, "cover_suite", interrupted)
    with pytest.raises(error):
        fix._write_and_prove(edits, made())
    assert seen == [[NEW, NEW]]
    assert texts(edits) == [OLD, OLD]


def test_interrupted_write_leaves_the_old_files(edits, monkeypatch):
    write = fix.write_atomically

    def interrupted(path, text, encoding):
        if path == edits[1].file and text == NEW:
            raise KeyboardInterrupt
        write(path, text, encoding)

    monkeypatch.setattr(fix, "write_atomically", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fix._write_and_prove(edits, made())
    assert texts(edits) == [OLD, OLD]


@pytest.mark.parametrize(
    ("after", "cause"),
    [
        (
            SuiteCoverage(("x",), 0, {"n": frozenset({0})}, {"n": "passed"}),
            "1 branches are not taken",
        ),
        (SuiteCoverage(("x", "y"), 0, {"n": frozenset({0, 1})}, {"n": "failed"}), "got 1 failed"),
        (SuiteCoverage(("x", "y"), 0, {"n": frozenset({0, 1})}, {}), "got no tests"),
    ],
)
def test_a_loss_is_undone_and_told(edits, monkeypatch, after, cause):
    monkeypatch.setattr(fix, "cover_suite", lambda _: after)
    before = made(["x", "y"], [("n", "passed"), ("m", "passed"), ("k", "passed")])
    with pytest.raises(UnitcraftError) as caught:
        fix._write_and_prove(edits, before)
    assert caught.value.slug == "fix-undone"
    assert cause in caught.value.cause
    assert texts(edits) == [OLD, OLD]


def test_a_failure_less_is_no_loss(edits, monkeypatch):
    """A flaky test that failed before, and passes now."""
    monkeypatch.setattr(
        fix, "cover_suite", lambda _: SuiteCoverage(by_test={}, verdicts={"n": "passed"})
    )
    before = made((), [("n", "failed"), ("m", "passed"), ("k", "passed")])
    fix._write_and_prove(edits, before)
    assert texts(edits) == [NEW, NEW]


def test_no_loss_leaves_the_new_files(edits, monkeypatch):
    after = SuiteCoverage(("x",), 0, {"n": frozenset({0})}, {"n": "passed"})
    monkeypatch.setattr(fix, "cover_suite", lambda _: after)
    before = made(["x"], [("n", "passed"), ("m", "passed"), ("k", "passed")])
    assert fix._write_and_prove(edits, before) == after
    assert texts(edits) == [NEW, NEW]


TEST = """# {encoding}
from shop import twice


def helper(x):
    return twice(x)


def test_one():
    assert helper(1) == 2, "{letter}"


# {letter}: again.
def test_two():
    assert helper(1) == 2, "{letter}"
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-8", "-"), ("utf-8-sig", "-"), ("iso-8859-1", "-*- coding: latin-1 -*-")],
)
def test_encodings_and_line_ends_stay(tmp_path, encoding, mark, ending):
    file = tmp_path / "test_shop.py"
    old = TEST.format(encoding=mark, letter="ä").replace("\n", ending)
    file.write_bytes(old.encode(encoding))
    edit = fix._edit(file, {14: WHOLE}, made())
    assert (edit.old, edit.encoding) == (old, encoding)
    fix.write_atomically(edit.file, edit.new, edit.encoding)
    assert file.read_bytes() == old.partition(f"{ending}{ending}# ä")[0].encode(encoding)


@pytest.mark.parametrize("data", [b"x = '\xff'\n", b"# coding: no-such-one\n"])
def test_a_file_that_cannot_be_decoded_stays(tmp_path, data):
    file = tmp_path / "test_shop.py"
    file.write_bytes(data)
    assert fix._edit(file, {1: WHOLE}, made()) is None


# From the outside.

KILLING = """
import os, signal, sys
from pathlib import Path
from unitcraft.app import atomic_write

def killed(*arguments, **more):
    os.kill(os.getpid(), signal.SIGKILL)

place = sys.argv[1]
if place == "after":
    replace = Path.replace
    Path.replace = lambda self, target: (replace(self, target), killed())
elif place == "replace":
    Path.replace = killed
elif place == "fsync":
    os.fsync = killed
else:
    atomic_write.tempfile.mkstemp = killed
atomic_write.write_atomically(Path(sys.argv[2]), "new" * 100_000)
"""


@pytest.mark.parametrize(
    ("place", "is_new"), [("mkstemp", False), ("fsync", False), ("replace", False), ("after", True)]
)
def test_killed_at_each_step_of_a_write(tmp_path, place, is_new):
    file = tmp_path / "test_a.py"
    file.write_text("old")
    done = subprocess.run([sys.executable, "-c", KILLING, place, str(file)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert file.read_text() == ("new" * 100_000 if is_new else "old")
    left = [path.name for path in tmp_path.iterdir() if path != file]
    assert all(name.startswith(".test_a.py.") and name.endswith(".tmp") for name in left)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_ended_in_the_middle_of_a_fix(tmp_path, number):
    """While the new text is being proved; but for SIGKILL the old one comes back."""
    (tmp_path / "shop.py").write_text("def twice(x):\n    return 2 * x\n")
    file = tmp_path / "test_shop.py"
    old = TEST.format(encoding="-", letter="a")
    slow = "\n\ndef test_three():\n    import time; time.sleep(0.7)\n    assert twice(3)\n"
    file.write_text(old + slow)
    new = old.partition("\n\n# a: ")[0] + slow
    process = subprocess.Popen(
        [sys.executable, "-m", "unitcraft", "check", "-s", "shop", "--fix"], cwd=tmp_path,
        start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while file.read_text() == old + slow and time.monotonic() < deadline:
        time.sleep(0.01)
    assert file.read_text() == new
    process.send_signal(number)
    assert process.wait(60) != 0
    assert file.read_text() == (new if number == signal.SIGKILL else old + slow)
    left = {path.name for path in tmp_path.iterdir()} - {"__pycache__", ".pytest_cache"}
    assert left == {"shop.py", "test_shop.py"}
