"""Calls before the last one that a test can do without, and those that it cannot."""

from __future__ import annotations

import pytest

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.goals import Family
from unitcraft.explore.execution import cost
from unitcraft.suite.brief.needless_steps import without_needless_steps

SOURCE = """
class Word:
    def __init__(self, text, after=""):
        self.text = text
        self.after = after
        self._size = None

    def suffix(self):
        if not self.after:
            return ""
        return self.after[0]

    def size(self):
        if self._size is None:
            self._size = len(self.text)
        return self._size

    def copy(self):
        return Word(self.text, self.after)

    def joined(self, other):
        return [self.text, other.text]

    def rename(self, text):
        if not text:
            return
        self.text = text
"""
#: Runs that are selected -> what the selection becomes.
CASES = {
    "a dropped answer is a test": (
        ["w = Word('abc', 'xy')\nw.suffix()\nw.size()"],
        ["w = Word('abc', 'xy')\nw.size()", "w = Word('abc', 'xy')\nw.suffix()"],
    ),
    "a test that is there takes over": (
        ["w = Word('abc', 'xy')\nw.suffix()\nw.size()", "w = Word('abc', 'xy')\nw.suffix()"],
        ["w = Word('abc', 'xy')\nw.size()", "w = Word('abc', 'xy')\nw.suffix()"],
    ),
    "what decides the last call stays": (
        ["w = Word('abc')\nw.size()\nw.size()"],
        ["w = Word('abc')\nw.size()\nw.size()"],
    ),
    "a copy is the object itself": (
        ["w = Word('abc')\nv = w.copy()\nv.size()"],
        ["w = Word('abc')\nw.size()", "w = Word('abc')\nw.copy()"],
    ),
    "what the answer is about stays": (
        ["w = Word('abc')\nw.rename('word')\nw.size()"],
        ["w = Word('abc')\nw.rename('word')\nw.size()"],
    ),
    "a step keeps the calls before it, as far as it needs them": (
        ["w = Word('abc', 'xy')\nw.size()\nw.size()\nw.suffix()"],
        [
            "w = Word('abc', 'xy')\nw.suffix()", "w = Word('abc', 'xy')\nw.size()\nw.size()",
            "w = Word('abc', 'xy')\nw.size()",
        ],
    ),
    "two that need each other's last call": (
        [
            "w = Word('abc', 'xy')\nw.suffix()\nw.size()",
            "w = Word('abc', 'z')\nw.copy()\nw.suffix()",
        ],
        [
            "w = Word('abc', 'xy')\nw.size()", "w = Word('abc', 'z')\nw.suffix()",
            "w = Word('abc', 'xy')\nw.suffix()", "w = Word('abc', 'z')\nw.copy()",
        ],
    ),
    "what was made for it goes with it": (
        ["w = Word('abc', 'xy')\nx = Word('def', 'z')\nw.joined(x)\nw.suffix()"],
        [
            "w = Word('abc', 'xy')\nw.suffix()",
            "w = Word('abc', 'xy')\nx = Word('def', 'z')\nw.joined(x)",
        ],
    ),
    "a procedure that shows nothing stays": (
        ["w = Word('abc')\nw.rename('')\nw.size()"],
        ["w = Word('abc')\nw.rename('')\nw.size()"],
    ),
}  # fmt: skip


class LabRunner:
    """Runs variants in a Lab, and shows their results."""

    def __init__(self, sample, goals):
        self.sample, self.goals = sample, goals

    def observe(self, runs):
        """What a Lab runs it can show."""

    def replacements(self, batch, *, whole):
        assert not whole  # the shorter run need not kill what the step alone kills
        ran = [(one, self.sample.run(sequence, one.invocable[7:])) for one, _, sequence in batch]
        return {(one.sequence.key, run.sequence.key): run for one, run in ran}

    def sees_another_result(self, one, other):
        first, second = (
            self.sample.observer.after(encode_sequence(run.sequence))[1] for run in (one, other)
        )
        return first != second


@pytest.mark.parametrize("case", CASES)
def test_a_step_is_taken_out_where_nothing_is_lost(lab, case):
    sample = lab(SOURCE)
    given, expected = ([sample.run(text) for text in texts] for texts in CASES[case])
    goals = sample.goals()
    for run in given:
        goals.offer(run, cost(run.sequence))
    goals.keep_only({Family.BRANCH})
    free = set(goals.best)
    chosen = []
    for run in given:
        own = tuple([goal for goal in goals.goals_of(run) if goal in free])
        free -= set(own)
        chosen.append((run, own))

    found = without_needless_steps(chosen, LabRunner(sample, goals))
    assert [run.sequence for run, _ in found] == [run.sequence for run in expected]
    assert {goal for _, own in found for goal in own} == set(goals.best)
    assert all(set(own) <= set(goals.goals_of(run)) for run, own in found)
