"""A person is told how far a run of a suite is."""

from __future__ import annotations

import threading

from unitcraft.suite.recording.run_progress import following


def test_what_the_file_says_is_told_while_the_body_runs(tmp_path):
    told, seen = [], threading.Event()

    def tell(ended, total):
        told.append((ended, total))
        seen.set()

    file = tmp_path / "ended"
    with following(file, tell, 0.01):
        file.write_bytes(b"12\n...")
        assert seen.wait(10)
    assert told[0] == (3, 12)
    told.clear()
    file.write_bytes(b"12\n....")
    assert told == []


def test_a_run_that_collects_tells_nothing_yet(tmp_path):
    told = []
    file = tmp_path / "ended"
    with following(file, lambda *found: told.append(found), 0.01):
        file.write_bytes(b"1")
    with following(file, None):
        pass
    assert told == []
