"""What ``--fix`` leaves behind when it is interrupted or cannot write."""

from __future__ import annotations

import pytest

from unitcraft.app import fixing
from unitcraft.app.fixing import Edit
from unitcraft.app.minimising import Minimising
from unitcraft.core.errors import UnitcraftError
from unitcraft.suite.minimise import Minimised
from unitcraft.suite.recording.covering import Covered
from unitcraft.suite.recording.running import SuiteSpec, assembled

OLD, NEW = "def test():\n    pass\n", "\n"


@pytest.fixture
def edits(tmp_path):
    files = [tmp_path / name for name in ("test_a.py", "test_b.py")]
    for file in files:
        file.write_text(OLD)
    return [Edit(file, OLD, NEW, 1) for file in files]


def made(branches=(), verdicts=()):
    covered = Covered(tuple(branches), 0, {"n": frozenset(range(len(branches)))}, dict(verdicts))
    return Minimising(SuiteSpec((), (), ""), assembled([]), covered, Minimised((), (), ()))


def texts(edits):
    return [edit.file.read_text() for edit in edits]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interrupted_proof_leaves_the_old_files(edits, monkeypatch, error):
    seen = []

    def interrupted(spec):
        seen.append(texts(edits))
        raise error

    monkeypatch.setattr(fixing, "cover_suite", interrupted)
    with pytest.raises(error):
        fixing._tried(edits, made())
    assert seen == [[NEW, NEW]]
    assert texts(edits) == [OLD, OLD]


def test_interrupted_write_leaves_the_old_files(edits, monkeypatch):
    write = fixing.write_atomically

    def interrupted(path, text):
        if path == edits[1].file and text == NEW:
            raise KeyboardInterrupt
        write(path, text)

    monkeypatch.setattr(fixing, "write_atomically", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fixing._tried(edits, made())
    assert texts(edits) == [OLD, OLD]


@pytest.mark.parametrize(
    ("after", "cause"),
    [
        (Covered(("x",), 0, {"n": frozenset({0})}, {"n": "passed"}), "1 branches are not taken"),
        (Covered(("x", "y"), 0, {"n": frozenset({0, 1})}, {"n": "failed"}), "got 1 failed"),
        (Covered(("x", "y"), 0, {"n": frozenset({0, 1})}, {}), "got no tests"),
    ],
)
def test_a_loss_is_undone_and_told(edits, monkeypatch, after, cause):
    monkeypatch.setattr(fixing, "cover_suite", lambda _: after)
    before = made(["x", "y"], [("n", "passed"), ("m", "passed"), ("k", "passed")])
    with pytest.raises(UnitcraftError) as caught:
        fixing._tried(edits, before)
    assert caught.value.slug == "fix-undone"
    assert cause in caught.value.cause
    assert texts(edits) == [OLD, OLD]


def test_no_loss_leaves_the_new_files(edits, monkeypatch):
    after = Covered(("x",), 0, {"n": frozenset({0})}, {"n": "passed"})
    monkeypatch.setattr(fixing, "cover_suite", lambda _: after)
    before = made(["x"], [("n", "passed"), ("m", "passed"), ("k", "passed")])
    assert fixing._tried(edits, before) == after
    assert texts(edits) == [NEW, NEW]
