from unitcraft.explore.statespace.frontier import BestFirst, BreadthFirst
from unitcraft.explore.statespace.state_exploration import Bounds, Transition, explore_states


class Counter:
    """Numbers modulo ``size``; the actions add 1 or double; 13 cannot be left."""

    def __init__(self, size):
        self.size = size

    def initial(self):
        return [1]

    def actions(self, state):
        return [] if state == 13 else ["add", "double"]

    def steps(self, work):
        for state, action in work:
            target = (state + 1 if action == "add" else state * 2) % self.size
            yield Transition(state, action, "", None if target == 7 else target)


class Plain(set):
    dropped = ()

    def add(self, state):
        before = len(self)
        super().add(state)
        return len(self) > before

    def wants(self, state):
        return state not in self.dropped


def run(bounds, frontier=None, seen=None, size=16):
    seen, steps = Plain() if seen is None else seen, []
    rows = explore_states(
        Counter(size), seen, frontier or BreadthFirst(), bounds, lambda *step: steps.append(step)
    )
    return [(row.iteration, row.states, row.tests, row.complete) for row in rows], seen, steps


def test_counts_are_cumulative_and_the_initial_state_counts():
    rows, seen, _ = run(Bounds(3))
    assert rows == [(1, 2, 2, True), (2, 4, 4, True), (3, 7, 8, True)]
    assert seen == {1, 2, 3, 4, 5, 6, 8}


def test_exploration_ends_when_nothing_is_new():
    rows, seen, _ = run(Bounds(100))
    assert rows[-1][0] < 10
    assert seen == set(range(14)) - {7}


def test_a_bound_on_tests_cuts_an_iteration_short():
    rows, _, steps = run(Bounds(100, tests=5))
    assert rows[-1] == (3, 4, 5, False)
    assert len(steps) == 5


def test_the_watcher_learns_what_was_new():
    _, _, steps = run(Bounds(1))
    assert [(step.target, new) for step, new in steps] == [(2, True), (2, False)]


def test_a_step_without_a_target_is_a_test_but_no_state():
    rows, seen, steps = run(Bounds(4))
    assert any(step.target is None and not new for step, new in steps)
    assert rows[-1][2] == len(steps)
    assert 7 not in seen


def test_a_state_that_is_no_longer_wanted_is_not_explored():
    seen = Plain()
    seen.dropped = (3,)
    _, _, steps = run(Bounds(4), seen=seen)
    assert {step.source for step, _ in steps} == {1, 2, 4, 5, 8}


def test_best_first_takes_the_least_keys_and_keeps_the_rest():
    _, _, steps = run(Bounds(4), frontier=BestFirst(lambda state: -state, 1))
    assert [step.source for step, _ in steps[::2]] == [1, 2, 4, 8]


def test_best_first_is_stable_and_loses_nothing():
    frontier = BestFirst(len, 2)
    for word in ("bb", "a", "cc", "d", "e"):
        frontier.put(word)
    assert [frontier.take(), frontier.take(), frontier.take(), frontier.take()] == [
        ["a", "d"], ["e", "bb"], ["cc"], [],
    ]  # fmt: skip
