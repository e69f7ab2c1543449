"""The sample of spare runs: bounded, fair, and the same each time."""

from __future__ import annotations

from collections import Counter

from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.reservoir import MAX_RUNS, Reservoir


def run(number, name="m:f"):
    sequence = Sequence((Call("function", name, (Const(number),)),))
    return Execution(name, sequence, None, "int1", (), (), (), ())


def sample(seed, count):
    spare = Reservoir(seed)
    for number in range(count):
        spare.offer(run(number))
    return [one.sequence.calls[0].args[0].value for one in spare.runs()]


def test_few_runs_are_all_kept_and_each_invocable_has_its_own_sample():
    assert sample(1, MAX_RUNS - 1) == list(range(MAX_RUNS - 1))
    spare = Reservoir(1)
    for number in range(3 * MAX_RUNS):
        spare.offer(run(number))
        spare.offer(run(number, "m:g"))
    assert Counter(one.invocable for one in spare.runs()) == {"m:f": MAX_RUNS, "m:g": MAX_RUNS}


def test_the_sample_is_fair_and_follows_from_the_seed():
    assert sample(5, 200) == sample(5, 200)
    assert sample(5, 200) != sample(6, 200)
    kept = Counter(number for seed in range(400) for number in sample(seed, 64))
    assert set(kept) == set(range(64))
    assert 25 < min(kept.values()) <= max(kept.values()) < 80  # 50 expected
