"""Who ends the process badly is found by halving."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unitcraft.emit.verify.bisect_failures import MAX_RUNS, bisect_failures


def search(tests, bad):
    runs = []

    def ends_well(part):
        runs.append(part)
        return not set(part) & set(bad)

    return bisect_failures(tests, ends_well), len(runs)


@given(st.integers(0, 30), st.sets(st.integers(0, 29), max_size=2))
def test_all_culprits_and_nobody_else(number, bad):
    found, _ = search(list(range(number)), bad)
    assert found == sorted(one for one in bad if one < number)


def test_one_culprit_among_many_costs_few_runs():
    found, runs = search(list(range(64)), {37})
    assert found == [37]
    assert runs <= 13


def test_what_only_happens_together_has_no_culprit():
    assert bisect_failures([1, 2], lambda part: len(part) < 2) == []


def test_the_search_is_bounded_and_then_names_whole_parts():
    found, runs = search(list(range(300)), range(300))
    assert found == list(range(300))
    assert runs == MAX_RUNS
