"""The kill matrix on real workers: which runs kill which mutants, and by what."""

from __future__ import annotations

import ast
import dataclasses
from pathlib import Path

import pytest
from source_lab import Lab

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.goals import Family, Goal
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.execution import cost, execution_of
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.stepping_stones import SteppingStones
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.model import Constant
from unitcraft.subject.values.value_pools import ValuePools
from unitcraft.suite.generated.mutant_goals import (
    JUDGE,
    MAX_CHANCE_KILLS,
    MAX_MUTANTS,
    KillChecker,
    MutantFigures,
    _killed_for_good,
    add_mutant_goals,
    assertion_kill_share,
    kill_goals,
    needed_observations,
)
from unitcraft.suite.generated.vary_for_mutants import AimedRun, MutantVariation, OpenMutant
from unitcraft.suite.mutation.agents.kill_check import _chosen
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource
from unitcraft.suite.mutation.trial_choice import (
    MAX_TESTS,
    MIN_TESTS,
    affordable,
    aimed_first,
    reaching,
)

SOURCE = """
import functools
import time

def larger(a, b):
    if a > b:
        return a
    return b

def idle(a):
    return a * 1

@functools.cache
def cached(a):
    return a + 7

def quoted(text):
    return "'" + text.strip() + "'"

def told():
    return {"at": {"now": time.time(), "size": 3}, "name": "x"}

def loop(n):
    while n > 0:
        n -= 1
    return n

class Counter:
    def __init__(self):
        self.value = 0
        self.calls = 0

    def add(self, amount):
        self.value += amount
        self.calls += 1
"""
RUNS = {
    "larger(3, 2)": "larger", "larger(2, 2)": "larger", "larger(1, 2)": "larger",
    "idle(0)": "idle", "cached(5)": "cached", "cached(6)": "cached", "told()": "told",
    "quoted('abc')": "quoted",
    "loop(3)": "loop",
    "c = Counter()\nc.add(4)": "Counter.add", "c = Counter()\nc.add(0)": "Counter.add",
}  # fmt: skip


BRANCH = Goal(Family.BRANCH, 4)


def killed(number: int) -> Goal:
    return Goal(Family.MUTANT, number)


def by_check(number: int) -> Goal:
    return Goal(Family.MUTANT_BY_CHECK, number)


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    """(spec, sites, subject, Executions by text)."""
    folder = tmp_path_factory.mktemp("strengthen")
    Path(folder, "sample.py").write_text(SOURCE, encoding="utf-8-sig")
    spec = HostSpec(
        "unitcraft.explore.agents.search_agent",
        {"module": "sample", "rewrite": True},
        paths=(str(folder),),
    )
    with Pool(spec) as pool:
        sequences = [Lab.sequence(None, text) for text in RUNS]
        replies = pool.map("run", [encode_sequence(one) for one in sequences])
        runs = {
            text: execution_of(f"sample:{name}", sequence, reply.value)
            for (text, name), sequence, reply in zip(RUNS.items(), sequences, replies, strict=True)
        }
        sites = [BranchSite(*row) for row in pool.ready["sites"]]
        return spec, sites, request_subject(pool, "sample"), runs


@pytest.fixture(scope="module")
def places(material):
    """The mutants by number, as the judge lists their ids."""
    spec = material[0]
    options = {**spec.options, "limit": MAX_MUTANTS, "seed": 0}
    known = {one.about.id: one for one in ModuleSource("sample", "sample.py", SOURCE).mutants}
    with Pool(dataclasses.replace(spec, entry=JUDGE, options=options)) as pool:
        return [known[name] for name, *_ in pool.ready["mutants"]]


@pytest.fixture(scope="module")
def kills(material):
    spec, sites, _, runs = material
    with KillChecker(sites, "sample", spec, 1, 0) as bench:
        return bench.judged(list(runs.values()))


def noticed(material, places, kills, text):
    """(function, line, operator) of the mutants that a run kills -> keys that differ."""
    found = kills.reveals.get(material[3][text].sequence.key, {})
    numbers = [(goal.number, keys) for goal, keys in found.items() if goal.family is Family.MUTANT]
    about = [(places[number].about, keys) for number, keys in numbers]
    return [(one.function, SOURCE.splitlines()[one.line - 1].strip(), keys) for one, keys in about]


def test_a_run_notices_the_mutants_of_what_it_enters_only(material, places, kills):
    for text, name in RUNS.items():
        functions = {row[0] for row in noticed(material, places, kills, text)}
        assert functions <= {name, "Counter.__init__"}
        assert name in functions or text == "idle(0)"


def test_the_right_run_notices_the_right_mutant(material, places, kills):
    def lines(text):
        return [line for _, line, _ in noticed(material, places, kills, text)]

    assert "if a > b:" in lines("larger(3, 2)")
    assert "return b" in lines("larger(1, 2)")
    assert "return b" not in lines("larger(3, 2)")
    assert "return a" not in lines("larger(1, 2)")
    assert "self.value += amount" in lines("c = Counter()\nc.add(4)")
    assert len(lines("c = Counter()\nc.add(0)")) < len(lines("c = Counter()\nc.add(4)"))


def test_a_result_mutant_shows_in_the_result_and_a_state_mutant_in_an_observer(
    material, places, kills
):
    for _, _, keys in noticed(material, places, kills, "larger(1, 2)"):
        assert set(keys) <= {"result", "outcome"}
    by_line = {line: keys for _, line, keys in noticed(
        material, places, kills, "c = Counter()\nc.add(4)")}  # fmt: skip
    assert any("'value'" in key for key in by_line["self.value += amount"])
    assert any("'calls'" in key for key in by_line["self.calls += 1"])
    assert not any("'value'" in key for key in by_line["self.calls += 1"])


def test_a_dictionary_that_asks_the_time_is_told_by_what_it_holds(material, places, kills):
    found = [keys for _, _, keys in noticed(material, places, kills, "told()")]
    held = {ast.literal_eval(key)[1] for keys in found for key in keys}
    assert held == {"[*].", '["at"]["size"]', '["at"][*].', '["name"]'}


def test_a_cache_does_not_hide_mutants(material, places, kills):
    assert noticed(material, places, kills, "cached(5)")


def test_an_endless_loop_is_noticed_by_its_outcome(material, places, kills):
    keys = [keys for _, line, keys in noticed(material, places, kills, "loop(3)")
            if line == "n -= 1"]  # fmt: skip
    assert ("outcome",) in keys


def test_counts(places, kills):
    assert kills.mutants == len(places)
    assert 0 < kills.killed < kills.mutants
    named = {goal for found in kills.reveals.values() for goal in found}
    assert sum(goal.family is Family.MUTANT for goal in named) == kills.killed


AT_IMPORT = """
def double(number):
    return number * 2

def once(number):
    return number + 1

LIMIT = double(3) + once(1)
del once

def limit():
    return LIMIT
"""


def test_mutants_of_what_only_the_import_runs_are_counted_and_told_apart(tmp_path):
    (tmp_path / "early.py").write_text(AT_IMPORT)
    agent = "unitcraft.explore.agents.search_agent"
    spec = HostSpec(agent, {"module": "early", "rewrite": True}, paths=(str(tmp_path),))
    with Pool(spec) as pool:
        ready = SearchReady.read(pool.ready)
    assert {ready.sites[number].scope for number in ready.imported} == {"double", "once"}
    mutants = ModuleSource("early", "early.py", AT_IMPORT).mutants
    with KillChecker(ready.sites, "early", spec, 1, 0) as bench:
        found = bench.figures(2, ready.imported)
    early = [one for one in mutants if one.users[0] in ("double", "once")]
    assert found == MutantFigures(len(mutants), 2, len(early))
    assert 0 < len(early) < len(mutants)


def test_mutants_that_chosen_runs_kill_are_counted_once(material, kills):
    runs = list(material[3].values())
    assert kills.killed_by([*runs, *runs]) == kills.killed
    assert kills.killed_by([]) == 0


def test_the_answer_does_not_depend_on_the_number_of_workers(material, kills):
    spec, sites, _, runs = material
    with KillChecker(sites, "sample", spec, 2, 0) as bench:
        assert bench.judged(list(runs.values())) == kills


def test_mutants_become_goals_of_the_cheapest_run_that_notices_them(material):
    spec, sites, subject, runs = material
    goals = GoalMap(subject, sites, [])
    goals.offer(runs["larger(3, 2)"], cost(runs["larger(3, 2)"].sequence))
    extra = [runs["larger(1, 2)"], runs["c = Counter()\nc.add(4)"]]
    with KillChecker(sites, "sample", spec, 1, 0) as bench:
        found = add_mutant_goals(goals, extra, [], bench)
    mutants = {goal for goal in goals.best if goal.family is Family.MUTANT}
    assert len(mutants) == found.killed > 0
    for goal in mutants:
        _, run = goals.best[goal]
        assert goal in goals.goals_of(run)
        assert goal in found.reveals[run.sequence.key]


def test_runs_are_varied_towards_mutants_that_nothing_kills(material):
    spec, sites, subject, runs = material
    goals = GoalMap(subject, sites, [])
    goals.offer(runs["larger(2, 2)"], cost(runs["larger(2, 2)"].sequence))
    asked = []

    def vary(near):
        asked.append(near)
        return [AimedRun(runs["larger(3, 2)"], frozenset())]

    with KillChecker(sites, "sample", spec, 1, 0) as bench:
        found = add_mutant_goals(goals, [], [], bench, vary)
    key = runs["larger(3, 2)"].sequence.key
    assert {one.scope for one in asked[0]} == {"larger"}
    assert all(one.runs == (runs["larger(2, 2)"],) for one in asked[0])
    assert found.reveals[key]
    assert any(run.sequence.key == key for _, run in goals.best.values())
    assert len(asked[1]) < len(asked[0])
    assert len(asked) == 2  # the second brought nothing new


def test_what_exceptions_of_few_runs_kill_is_not_killed_for_good():
    def reveals(number, *, by_check):
        return kill_goals(number, ("result",), by_check=by_check)

    few = {str(at): reveals(1, by_check=False) for at in range(MAX_CHANCE_KILLS)}
    assert _killed_for_good(few) == frozenset()
    assert _killed_for_good(few | {"more": reveals(1, by_check=False)}) == {1}
    assert _killed_for_good({"one": reveals(2, by_check=True)}) == {2}


def test_runs_made_towards_a_mutant_are_tried_on_it_before_cheaper_ones():
    tests = list(range(3 * MAX_TESTS))
    aimed = {MAX_TESTS + 1, 3 * MAX_TESTS - 1}
    chosen = aimed_first(tests, aimed, MAX_TESTS)
    assert aimed < set(chosen)
    assert len(chosen) == MAX_TESTS
    assert chosen == sorted(chosen)
    assert aimed_first(tests, set(tests), 3) == [0, 1, 2]
    assert aimed_first(tests, {70, 71}, 3) == [0, 70, 71]


def test_variations_say_towards_which_mutants_they_were_made(material):
    spec, sites, subject, runs = material
    goals = GoalMap(subject, sites, [])
    stones = SteppingStones(goals, {}, ValuePools(subject), 0)
    near = [OpenMutant("larger", 0, 0, (runs["larger(2, 2)"],), at) for at in (4, 7)]
    with Pool(spec) as pool:
        made = list(MutantVariation(goals, stones, SparingPool(pool))(near))
    assert {4, 7} == set().union(*(one.mutants for one in made))
    assert all(one.mutants for one in made)


def test_variations_are_tried_once_and_are_sensible(material):
    spec, sites, subject, runs = material
    goals = GoalMap(subject, sites, [])
    stones = SteppingStones(goals, {}, ValuePools(subject), 0)
    near = [OpenMutant("larger", 0, 0, (runs["larger(2, 2)"],))]
    with Pool(spec) as pool:
        vary = MutantVariation(goals, stones, SparingPool(pool))
        first = [made.run.sequence.key for made in vary(near)]
        assert first
        assert not set(first) & {made.run.sequence.key for made in vary(near)}


def test_the_clock_is_set_where_a_run_says_nothing_that_could_be_asserted(material):
    spec, sites, subject, runs = material
    goals = GoalMap(subject, sites, [])
    stones = SteppingStones(goals, {}, ValuePools(subject, source=SOURCE), 0)
    near = [OpenMutant("told", 0, 0, (runs["told()"],))]
    with Pool(spec) as pool:
        made = [
            one.run.sequence.calls
            for one in MutantVariation(goals, stones, SparingPool(pool))(near)
        ]
    clocks = [calls[0] for calls in made if calls[0].kind == "arrange"]
    assert {call.args[0].value for call in clocks} == {"sample.time.time"}


def test_keys_on_the_lines_of_a_mutant_are_those_by_which_it_looks_something_up(material):
    _, sites, subject, _ = material
    source = 'def f(d):\n    """Words."""\n    return d["key"] + "text", d.get(\n        "other")\n'
    keys = tuple([Constant(text, "f", "key") for text in ("key", "other", "elsewhere")])
    pools = ValuePools(dataclasses.replace(subject, constants=keys), source=source)
    stones = SteppingStones(GoalMap(subject, sites, []), {}, pools, 0)
    assert stones.keys_on("f", range(3, 4)) == ("key",)
    assert stones.keys_on("f", range(2, 5)) == ("key", "other")


def test_a_text_is_given_in_a_form_that_the_code_changes(material):
    _, sites, subject, runs = material
    stones = SteppingStones(GoalMap(subject, sites, []), {}, ValuePools(subject, source=SOURCE), 0)
    parents = [runs["quoted('abc')"], runs["larger(3, 2)"]]
    (made,) = stones.with_changed_forms("quoted", parents)
    assert made == ("sample:quoted", Lab.sequence(None, "quoted(' abc ')"))
    assert list(stones.with_changed_forms("larger", parents)) == []


def test_a_crash_and_an_endless_loop_are_not_noticed_by_a_check(kills, material):
    found = kills.reveals[material[3]["loop(3)"].sequence.key]
    endless = [
        goal.number
        for goal, keys in found.items()
        if keys == ("outcome",) and goal.family is Family.MUTANT
    ]
    assert endless
    assert all(by_check(number) not in found for number in endless)
    larger = kills.reveals[material[3]["larger(1, 2)"].sequence.key]
    assert any(goal.family is Family.MUTANT_BY_CHECK for goal in larger)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (0, 0, [0, 1, 2, 3]),  # of data
        (4, 4, [0, 2]),
        (3, 5, [0, 1, 2]),
        (7, 8, [2]),
    ],
)
def test_a_mutant_is_tried_by_runs_that_reach_its_lines(first, last, expected):
    lines = [frozenset({1, 4}), frozenset({1, 3}), frozenset({3, 4, 8}), frozenset({1})]
    assert reaching([0, 1, 2, 3], lines, first, last) == expected


def test_a_few_runs_are_tried_where_none_is_seen_to_reach_the_lines():
    assert reaching([0, 1, 2], [frozenset({1})] * 3, 5, 5) == [0, 1]


@pytest.mark.parametrize(
    ("noticed", "expected"),
    [
        ((), 0.5),
        ((BRANCH,), 0.5),
        ((killed(1), by_check(1)), 1.0),
        ((killed(1), killed(2), by_check(2)), 0.5),
        ((killed(1),), 0.0),
    ],
)
def test_clarity_is_the_share_of_mutants_that_a_check_shows(noticed, expected):
    assert assertion_kill_share(noticed) == expected


@pytest.mark.parametrize(
    ("reveals", "expected"),
    [
        ({}, ()),
        ({1: ("result",)}, ()),
        ({1: ("outcome", "a")}, ()),
        ({1: ("a",)}, ("a",)),
        ({1: ("a", "b"), 2: ("b", "c")}, ("b",)),
        ({1: ("a",), 2: ("b",), 3: ("a", "b")}, ("a", "b")),
        ({1: ("a",), 9: ("b",)}, ("a",)),  # the second is not one of its goals
        ({9: ("a",)}, ("a",)),  # others kill it too, and leave nothing
        ({8: ("a", "c"), 9: ("b", "c")}, ("c",)),
        ({9: ("result",)}, ()),
    ],
)
def test_telling_is_a_small_cover(reveals, expected):
    goals = (killed(1), killed(2), killed(3), BRANCH)
    by_goal = {killed(number): keys for number, keys in reveals.items()}
    assert needed_observations(goals, by_goal) == expected


def test_what_others_kill_is_no_reason_to_look_beside_a_result():
    by_goal = {killed(9): ("a",)}
    assert needed_observations((BRANCH,), by_goal, is_told=True) == ()
    moved = {"a": (True, False, 0, False, False)}
    assert needed_observations((killed(9),), by_goal, moved, is_told=True) == ("a",)


def test_beside_what_a_call_did_is_asserted_how_often_a_function_was_called_and_nothing_older():
    by_goal = {killed(1): ("a",), killed(2): ("b",), killed(3): ("('get', 'call_count')",)}
    moved = {"a": (True, False, 0, False, False)}
    every = ("('get', 'call_count')", "a", "b")
    assert sorted(needed_observations(tuple(by_goal), by_goal)) == sorted(every[:1])
    assert sorted(needed_observations(tuple(by_goal), by_goal, moved)) == sorted(every[:2])
    assert needed_observations((killed(2),), by_goal) == ("b",), "better than no assertion"


def test_of_those_that_kill_as_many_the_most_telling_is_needed():
    by_goal = {killed(1): ("a", "b"), killed(2): ("a", "b", "c")}
    telling = {"b": (1, False, True), "c": (2, True, True)}
    assert needed_observations((killed(1), killed(2)), by_goal, telling) == ("b",)


def test_mutants_of_one_class_are_those_of_code_that_it_has_or_uses(tmp_path):
    text = "LIMIT = 3\ndef f(a): return a + LIMIT\nclass C:\n  def m(self, a): return a * LIMIT\n"
    source = ModuleSource("m", str(tmp_path / "m.py"), text)
    options = {"seed": 0, "limit": 100}
    within = {one.about.id for one in _chosen(source, {**options, "within": "C.m"})}
    functions = {name.split(":")[1] for name in within}
    assert "C.m" in functions
    assert "f" not in functions
    assert "LIMIT=" in functions
    assert {one.about.id for one in _chosen(source, options)} > within


def test_what_is_tried_on_mutants_is_bounded_by_its_size():
    sizes = [10] * 24
    trials = {number: list(range(24)) for number in range(20)}  # 4,800 bytes

    def size(found):
        return sum(sizes[at] for tests in found.values() for at in tests)

    assert affordable(trials, sizes, 4_800) == trials
    fewer = affordable(trials, sizes, 2_400)
    assert list(fewer) == list(trials)
    assert {len(tests) for tests in fewer.values()} == {12}
    least = affordable(trials, sizes, 400)
    assert size(least) <= 400
    assert {len(tests) for tests in least.values()} == {MIN_TESTS}
    assert list(least) == [0, 4, 8, 12, 16]
    assert affordable({}, [], 0) == {}
