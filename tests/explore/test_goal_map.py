"""Goals: what counts as reached, what is misuse, and that only cheaper runs replace."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unitcraft.core.goals import FILLED, Family, Goal
from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.execution import Execution, RunFailure, cost
from unitcraft.explore.search.goal_criteria import MAX_PATHS, Aim, aim_of
from unitcraft.explore.search.goal_map import MAX_BEHAVIOURS, GoalMap
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.model import Invocable, Regex, Subject

SOURCE = """
def sign(number):
    if number < 0:
        raise ValueError("negative")
    if number == 77:
        raise TypeError("not that one")
    return number + 1

def longest(text):
    return max(text.split(), key=len)
"""


def site_of(goals, line, outcome):
    return next(
        number
        for number, site in enumerate(goals.sites)
        if (site.line, site.kind, site.outcome) == (line, "if", outcome)
    )


def test_both_branches_are_goals_and_the_missed_ones_are_told(lab):
    one = lab(SOURCE)
    goals = one.goals()
    assert goals.offer(one.run("sign(1)"), 10)
    assert Goal(Family.BRANCH, site_of(goals, 3, "false")) in goals.best
    assert (3, "if", "true") in [(s.line, s.kind, s.outcome) for s in goals.missed()]
    assert goals.open_in("sample:sign")
    for call in ("sign(-1)", "sign(77)", "sign(2)"):
        goals.offer(one.run(call), 10)
    assert not goals.open_in("sample:sign")
    assert {site.scope for site in goals.missed()} == {"longest"}


def test_the_same_run_again_is_nothing_new(lab):
    one = lab(SOURCE)
    goals = one.goals()
    assert goals.offer(one.run("sign(1)"), 10)
    assert not goals.offer(one.run("sign(1)"), 10)
    assert not goals.offer(one.run("sign(3)"), 10), "same path, same class of result"
    assert goals.offer(one.run("sign(-1)"), 10)


def test_exceptions_are_goals_by_type_and_line(lab):
    one = lab(SOURCE)
    goals = one.goals()
    goals.offer(one.run("sign(-1)"), 10)
    goals.offer(one.run("sign(77)"), 10)
    found = [(goal.detail, goal.number) for goal in goals.best if goal.family is Family.EXCEPTION]
    assert found == [("builtins:ValueError", 4), ("builtins:TypeError", 6)]


@pytest.mark.parametrize(
    ("call", "sensible"),
    [
        ("sign(1)", True),
        ("sign(-1)", True),
        ("sign(77)", True),  # a TypeError of its own raise statement
        ("sign('a')", False),  # a TypeError of an operator
        ("sign()", False),
        ("sign(None)", False),
        ("longest(3)", False),
        ("longest('')", True),  # max() of nothing: ValueError from below the code
        ("a = sign(-1)\nsign(1)", False),  # an earlier call raised
    ],
)
def test_misuse_is_told_from_what_a_caller_may_see(lab, call, sensible):
    one = lab(SOURCE)
    assert one.goals().sensible(one.run(call)) is sensible


def test_an_operator_that_declines_is_no_result(lab):
    one = lab("class A:\n    def __eq__(self, other):\n        return NotImplemented\n")
    run = one.run("a = A()\na.__eq__(1)", "A.__eq__")
    assert run.behaviour == "NotImplemented"
    assert not one.goals().sensible(run)


def test_only_an_operator_between_two_operands_declines(lab):
    one = lab("class A:\n    def __iter__(self):\n        return map(len, [1])\n"
              "    def __add__(self, other):\n        return NotImplemented\n")  # fmt: skip
    goals = one.goals()
    assert not goals.sensible(one.run("a = A()\nlist(a)", "A.__iter__"))
    assert goals.sensible(one.run("a = A()\na + a", "A.__add__"))


def run_of(name: str, size: int, hits: tuple[int, ...], behaviour: str = "int1") -> Execution:
    sequence = Sequence((Call("function", name, (Const("x" * size),)),))
    return Execution(name, sequence, None, behaviour, hits, hits, (), ())


def goal_map(sites: int = 12) -> GoalMap:
    table = [BranchSite("m", "f", 1 + n // 2, "if", ("true", "false")[n % 2]) for n in range(sites)]
    return GoalMap(Subject("m", "m.py", (), (Invocable("m:f", "function", "f", module="m"),)),
                   table, [])  # fmt: skip


def test_runs_of_helpers_reach_no_goal():
    goals = goal_map()
    assert not goals.offer(run_of("m:other", 1, (0, 1)), 1)
    assert goals.best == {}


def test_behaviours_and_paths_are_bounded():
    goals = goal_map(64)
    for number in range(40):
        goals.offer(run_of("m:f", 1, (number,), f"str{number}"), 5)
    families = [goal.family for goal in goals.best]
    assert families.count(Family.RESULT) == MAX_BEHAVIOURS
    assert families.count(Family.PATH) == MAX_PATHS
    assert families.count(Family.BRANCH) == 40


@pytest.mark.parametrize(("criterion", "gained"), [("branch", 0), ("path", 1), ("result", 1)])
def test_a_search_goes_on_for_paths_and_kinds_of_results_that_are_asked_for(criterion, gained):
    goals = goal_map(4)
    goals.aim(aim_of(SearchReady([], [], frozenset(), ()), [criterion]))
    goals.offer(run_of("m:f", 1, (0,)), 5)
    goals.offer(run_of("m:f", 1, (2,)), 5)
    before = goals.gains
    path, result = (0, 2), "str"
    assert not goals.offer(run_of("m:f", 1, (0,)), 5)
    assert goals.offer(run_of("m:f", 1, path if criterion != "result" else (0,), result), 5)
    assert goals.gains - before == gained


def test_a_pattern_of_the_module_counts_where_a_helper_matches_it():
    sites = [BranchSite(name, "f", 1, "condition", "true") for name in ("m", "other", "other")]
    subject = Subject("m", "m.py", (), (Invocable("m:f", "function", "f", module="m"),),
                      regexes=(Regex("a+", 0),))  # fmt: skip
    goals = GoalMap(subject, sites, [])
    assert goals.worth_negating((1, "regex", "b", ("a+", 0)), kept=False)
    assert not goals.worth_negating((1, "regex", "b", ("c+", 0)), kept=True)
    assert goals.worth_negating((0, "regex", "b", ("c+", 0)), kept=False)
    run = replace(run_of("m:f", 1, (1, 2)), comparisons=((1, "matched", "a+", None),))
    goals.offer(run, 1)
    assert not goals.worth_negating((1, "regex", "b", ("a+", 0)), kept=False)


def test_only_the_families_that_are_asked_for_stay():
    goals = goal_map()
    goals.offer(run_of("m:f", 1, (0, 3)), 5)
    goals.keep_only({Family.BRANCH, Family.RETURN})
    assert {goal.family for goal in goals.best} == {Family.BRANCH, Family.RETURN}
    assert all(goal in goals.best for goal in goals.goals_of(run_of("m:f", 1, (0, 3))))


def test_credited_goals_are_held_by_the_cheapest_and_shown_by_all():
    goals = goal_map()
    dear, cheap = run_of("m:f", 30, (0,)), run_of("m:f", 2, (0,))
    first, second = Goal(Family.MUTANT, 1), Goal(Family.MUTANT, 2)
    goals.add_goals(dear, [first, second])
    goals.add_goals(cheap, [second])
    assert goals.best[first][1] is dear
    assert goals.best[second][1] is cheap
    assert second in goals.goals_of(dear)
    assert first not in goals.goals_of(cheap)


RUNS = st.lists(
    st.tuples(st.integers(1, 30), st.sets(st.integers(0, 11), max_size=6).map(sorted).map(tuple)),
    max_size=15,
)


@given(RUNS)
def test_a_goal_is_never_lost_and_only_a_cheaper_run_replaces(rows):
    goals = goal_map()
    for size, hits in rows:
        before = dict(goals.best)
        run = run_of("m:f", size, hits)
        new = goals.offer(run, cost(run.sequence))
        assert set(before) <= set(goals.best)
        assert new == (len(goals.best) > len(before))
        for goal, (price, held) in before.items():
            now = goals.best[goal]
            assert now == (price, held) or now[0] < price
    for goal, (_, held) in goals.best.items():
        assert goal in goals.goals_of(held)


def test_a_failed_earlier_call_reaches_nothing_sensible():
    sequence = Sequence((Call("function", "m:f"), Call("function", "m:f")))
    failed = RunFailure(0, "builtins:ValueError", None, 2, 1, "m")
    run = Execution("m:f", sequence, failed, "", (0,), (0,), (), ())
    assert not goal_map().sensible(run)


def test_in_a_search_of_one_function_the_code_of_others_has_no_goals(lab):
    one = lab(SOURCE + "\ndef both(number):\n    return 0 if number > 5 else sign(number)\n")
    goals = one.goals()
    goals.aim(Aim(lines=(12, 13)))
    assert not goals.offer(one.run("sign(1)"), 10)
    assert goals.offer(one.run("both(1)"), 10)
    numbers = [goal.number for goal in goals.best if goal.family is Family.BRANCH]
    assert {goals.sites[number].scope for number in numbers} == {"both"}
    assert {site.scope for site in goals.missed()} == {"both"}


def test_both_answers_of_an_inherited_predicate_are_goals():
    fits = Invocable("shop:Home.fits", "classmethod", "fits", "shop:Home", module="links", first=1,
                     last=2, uses_own=True)  # fmt: skip
    goals = GoalMap(Subject("shop", "shop.py", (), (fits,)), [], [])
    for text, behaviour in (("a", "False"), ("b", "True"), ("c", "False"), ("d", "int1")):
        call = Call("function", "shop:Home.fits", (Const(text),))
        run = Execution("shop:Home.fits", Sequence((call,)), None, behaviour, (), (), (), ())
        goals.offer(run, 10)
    returned = [goal.detail for goal in goals.best if goal.family is Family.RETURN]
    assert returned == ["False", "True", ""]


def test_a_predicate_is_shown_by_both_results(lab):
    one = lab("""
        def is_long(text):
            return len(text) > 3

        def same(value):
            return value
        """)
    goals = one.goals()
    for text in ("is_long('a')", "is_long('abcd')", "is_long('abcde')", "same(1)", "same(True)"):
        run = one.run(text)
        goals.offer(run, goals.price(run))
    returned = [goal.detail for goal in goals.best if goal.family is Family.RETURN]
    assert returned == ["False", "True", "", FILLED]


def test_what_is_forgotten_stays_so_and_a_function_of_other_results_is_no_predicate(lab):
    one = lab("def first(items):\n    return items[0]\n")
    goals = one.goals()
    runs = [one.run(text) for text in ("first([True])", "first([1])", "first('abc')")]
    for run in runs[:2]:
        goals.offer(run, goals.price(run))
    goals.keep_only(set(Family) - {Family.PATH, Family.RESULT})
    for run in runs:
        goals.offer(run, goals.price(run))
    families = [(goal.family, goal.detail) for goal in goals.best if goal.scope]
    assert sorted(families) == [(Family.RETURN, ""), (Family.RETURN, FILLED)]


def test_a_result_that_holds_something_is_a_goal_beside_an_empty_one(lab):
    one = lab("""
        def words(text):
            return text.split()
        """)
    goals = one.goals()
    for text in ("words('')", "words('a b')"):
        run = one.run(text)
        goals.offer(run, goals.price(run))
        found = [goal.detail for goal in goals.best if goal.family is Family.RETURN]
        assert found == (["", FILLED] if "a b" in text else [""])


MEMBERS = """
TABLE = {"red": 1, "blue": 2}
SEEN = set()

def number_of(name):
    return TABLE[name] if name in TABLE else 0

def is_new(name):
    if name in SEEN:
        return False
    SEEN.add(name)
    return True

class Bag:
    def __init__(self, items):
        self.items = list(items)

    def has(self, item):
        return item in self.items
"""


def test_members_are_those_of_tables_and_not_what_the_run_itself_put_there(lab):
    one = lab(MEMBERS)
    goals = one.goals()
    for name in ("red", "blue", "green"):
        goals.offer(one.run(f"number_of({name!r})"), 10)
        goals.offer(one.run(f"is_new({name!r})\nis_new({name!r})"), 10)
        goals.offer(one.run(f"b = Bag([{name!r}])\nb.has({name!r})"), 10)
    found = {goal.detail for goal in goals.best if goal.family is Family.ENTRY}
    assert found == {"'blue'", "'red'"}


TURNS = """
    def check(value):
        if value < 3:
            raise ValueError("small")
        if value > 5:
            raise ValueError("large")

    def f(a, b):
        check(a)
        check(b)
    """


def test_a_function_that_never_returns_advances_by_its_own_lines(lab):
    one = lab(TURNS)
    goals = one.goals()
    runs = [one.run(f"f({given})") for given in ("9, 1", "1, 1", "4, 1", "4, 9", "4, 2", "4, 4")]
    came = [goals.reaches_new_code(run) and goals.advances.is_last(run) for run in runs]
    assert came == [True, False, True, True, False, False]
    late = one.run("f(5, 9)")
    assert not goals.advances.note(late)
