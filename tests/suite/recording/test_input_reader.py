"""The work that reading the inputs of executions may take."""

from __future__ import annotations

from unitcraft.suite.recording.recorded_functions import Subjects
from unitcraft.suite.recording.representations.equality_representations import (
    EqualityRepresentations,
)
from unitcraft.suite.recording.representations.method_sequences import Histories
from unitcraft.suite.recording.representations.representations import (
    MAX_SPENT_TESTS,
    MAX_TOKENS,
    InputReader,
)


def test_a_suite_of_states_too_large_to_follow_has_less_for_each_test_after_some():
    """Where the subject is what pytest is made of, every test took a second."""
    reader = InputReader(Subjects(("shop",)), Histories(), EqualityRepresentations(lambda *_: None))
    large = list(range(MAX_TOKENS // 3))
    known = []
    for _ in range(MAX_SPENT_TESTS + 3):
        reader.begin()
        known.append([reader.state(large) is not None for _ in range(9)].count(True))
        assert reader.is_spent
    assert known == [3] * MAX_SPENT_TESTS + [1] * 3
    reader.begin()
    assert reader.state([1, 2, 3]) is not None
