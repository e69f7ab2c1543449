"""Weak tests: no assertion, one that cannot fail, no kill."""

from __future__ import annotations

from array import array

from unitcraft.core import rule_codes
from unitcraft.suite.existing.weak_tests import weak_tests
from unitcraft.suite.recording import recordings

TESTS = """\
def test_sound():
    assert f() == 1


def test_silent():
    f()


def test_empty():
    assert True
"""


def recording_in(folder, *rows):
    """A Recording of tests (name, line, verdict) in one file."""
    file = folder / "test_it.py"
    file.write_text(TESTS)
    tests = [
        recordings.RecordedTest(
            f"test_it.py::{name}", verdict, 0.1, 0, 0, 0,
            place=recordings.TestLocation(str(file), line) if line else None,
        )
        for name, line, verdict in rows
    ]  # fmt: skip
    return recordings.Recording(tuple(tests), (), (None,), array("I"))


def found(recording, killed=None):
    return [(one.target.rpartition("::")[2], one.code) for one in weak_tests(recording, killed)]


def test_each_function_is_judged_once(tmp_path):
    recording = recording_in(
        tmp_path, ("test_sound", 1, "passed"), ("test_silent[0]", 5, "passed"),
        ("test_silent[1]", 5, "passed"), ("test_empty", 9, "passed"),
    )  # fmt: skip
    assert found(recording) == [
        ("test_silent[0]", rule_codes.NO_ASSERTION),
        ("test_empty", rule_codes.EMPTY_ASSERTION),
    ]


def test_tests_without_a_readable_function_are_not_judged(tmp_path):
    recording = recording_in(
        tmp_path, ("a_doctest", 0, "passed"), ("test_silent", 5, "skipped"), ("gone", 77, "passed")
    )
    assert found(recording) == []


def test_a_test_that_kills_nothing(tmp_path):
    recording = recording_in(tmp_path, ("test_sound", 1, "passed"))
    assert found(recording, {"test_it.py::test_sound": 0}) == [
        ("test_sound", rule_codes.KILLS_NOTHING)
    ]
    assert found(recording, {"test_it.py::test_sound": 2}) == []
    assert found(recording, {}) == []
