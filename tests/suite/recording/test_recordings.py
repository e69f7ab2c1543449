"""Rows and columns of a Recording agree with its executions."""

from __future__ import annotations

from array import array

from unitcraft.suite.recording.recordings import WIDTH, ExecutionRow, Recording

ROWS = [ExecutionRow(0, 1, 2, 3, 4, 5, 6, 1), ExecutionRow(1, 0, 0, 3, 4, 5, 6, 2)]
DIGESTS = (None, *(bytes([number] * 16) for number in range(1, 7)))


def recording():
    numbers = array("q", [number for row in ROWS for number in row])
    return Recording((), ("m:f", "m:g"), DIGESTS, numbers)


def test_rows_are_the_numbers_by_name():
    assert len(ExecutionRow._fields) == WIDTH
    assert list(recording().rows()) == ROWS
    assert list(Recording((), (), (), array("q")).rows()) == []


def test_a_column_is_one_field_of_some_rows():
    assert list(recording().column("invocable", 0, 2)) == [0, 1]
    assert list(recording().column("outcome", 1, 2)) == [2]
    assert list(recording().column("outcome", 1, 1)) == []


def test_an_execution_has_the_digests_that_its_row_numbers():
    one = recording().execution(1)
    assert (one.invocable, one.exit, one.outcome) == ("m:g", DIGESTS[6], DIGESTS[2])
    assert one.inputs == (None, None, *DIGESTS[3:6])
