"""What a reader would not commit beside the rest is left out, and no branch with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selection_cases import SITES, goal_map, run_of

from unitcraft.core.goals import FILLED, Family, Goal
from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import Build, Call, Const, Ref, Sequence, Symbol
from unitcraft.explore.execution import Execution, RunFailure, cost
from unitcraft.explore.plausibility.argument_fit import Fit
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.instrument.sites import BranchSite, RaiseLines
from unitcraft.subject.model import Invocable, Subject
from unitcraft.suite import tests as suite_tests
from unitcraft.suite.generated.acceptance import (
    MAX_FOR_PATH,
    MIN_BEFORE_RAISE,
    MIN_BESIDE,
    MIN_FOR_SILENT,
    acceptable,
    with_own_results,
    without_foreign_words,
    without_mute,
)

BRANCH = (Goal(Family.BRANCH, 1),)


def mutant(number):
    return (Goal(Family.MUTANT, number),)


def raising(number, type_="builtins:ValueError", line=3):
    failed = RunFailure(0, type_, "bad", 2, line, "m")
    return replace(run_of(number, 3, (1,)), failed=failed, behaviour="")


def goals_where(lines=()):
    goals = goal_map([])
    goals.judge._lines = {("m", line): RaiseLines("m", line, line) for line in lines}
    return goals


def test_mutants_alone_keep_few_runs_of_one_path():
    runs = [run_of(number, 3, (1,)) for number in range(6)]
    chosen = [(runs[0], mutant(9)), *[(run, mutant(at)) for at, run in enumerate(runs[1:])]]
    kept = acceptable([*chosen, (run_of(7, 3, (2,)), BRANCH)], goals_where())
    assert len(kept) == MAX_FOR_PATH
    assert kept[-1][1] == BRANCH, "what a branch needs comes first and always stays"


def test_members_that_classes_inherit_from_one_have_one_path():
    code = "m:4"
    names = ("m:C.f", "m:D.f", "m:E.f", "m:f")
    goals = goals_where()
    goals._scopes.update(dict.fromkeys(names[:3], code))
    goals._defined.update(names)
    runs = [replace(run_of(at, 3, (1,)), invocable=name) for at, name in enumerate(names)]
    chosen = [(run, mutant(at)) for at, run in enumerate(runs)]
    chosen.append((run_of(7, 3, (2,)), BRANCH))
    assert [run.invocable for run, _ in acceptable(chosen, goals)] == [*names[:2], "m:f", "m:f"]


def test_a_further_run_of_a_path_stays_for_what_its_assertions_show():
    runs = [run_of(number, 3, (1,)) for number in range(5)]
    shown = [
        tuple([Goal(Family.MUTANT_BY_CHECK, 10 * at + number) for number in range(count)])
        for at, count in enumerate((3, 3, 3, 2, 1))
    ]
    other = (run_of(9, 3, (2,)), BRANCH)
    kept = acceptable([*zip(runs, shown, strict=True), other], goals_where())
    assert [run.sequence.calls[0].args[0].value for run, _ in kept] == [0, 1, 2, 3, 9]


def test_a_stand_in_is_kept_for_code_that_nothing_else_reaches_alone():
    call = Call("function", "m:f", (Build(Symbol("types", "SimpleNamespace")),))
    run = replace(run_of(1, 3, (1,)), sequence=Sequence((call,)))
    real = (run_of(2, 3, (2,)), mutant(1))
    goals = goals_where()
    assert goals.price(run) > cost(run.sequence)
    for own, kept in [(BRANCH, True), ((Goal(Family.RETURN, 0, "m:f"),), False)]:
        assert ((run, own) in acceptable([(run, own), real], goals)) is kept


def test_a_result_that_only_a_stand_in_shows_in_a_selection_has_another_run():
    mock = Build(Symbol("unittest.mock", "Mock"))
    answered = Execution(
        "m:f", Sequence((Call("function", "m:f", (mock,)),)), None, "int1", (1,), (), (), ()
    )
    plain = run_of(5, 3, (2,))
    goals = goals_where()
    results = tuple([Goal(Family.RETURN, 0, "m:f", detail) for detail in ("", FILLED)])
    goals.best = dict.fromkeys(results, (1, plain))
    goals.goals_of = lambda _: list(results)
    chosen = [(answered, results), (run_of(6, 3, (3,)), BRANCH)]
    assert with_own_results(chosen, goals) == chosen, "another run shows it"
    goals.goals_of = lambda run: list(results) if run in (answered, plain) else []
    assert with_own_results(chosen, goals) == [*chosen, (plain, results)]


@pytest.mark.parametrize("detail", ["True", "", FILLED, "None"])
def test_what_is_answered_is_kept_where_a_function_of_the_world_is_replaced(detail):
    mock = Build(Symbol("unittest.mock", "Mock"), (), (("return_value", Const(1)),))
    setting = Call("arrange", "setattr", (Const("m.os.stat"), mock))
    real = (run_of(2, 3, (2,)), mutant(1))
    truth = (Goal(Family.RETURN, 0, "m:f", detail),)
    for calls, kept in [
        ((setting, Call("function", "m:f", (Const(1),))), detail != "None"),
        ((Call("function", "m:f", (mock,)),), False),
    ]:
        run = replace(run_of(1, 3, (1,)), sequence=Sequence(calls))
        assert ((run, truth) in acceptable([(run, truth), real], goals_where())) is kept


def test_whoever_asks_for_mutants_alone_gets_them_all():
    chosen = [(run_of(number, 3, (1,)), mutant(number)) for number in range(6)]
    assert acceptable(chosen, goals_where()) == chosen


def test_one_raise_has_one_test_unless_branches_need_more():
    other = (Goal(Family.BRANCH, 2),)
    chosen = [(raising(1), BRANCH), (raising(2), mutant(1)), (raising(3), other),
              (raising(4, line=5), mutant(2))]  # fmt: skip
    kept = acceptable(chosen, goals_where([3, 5]))
    assert [run.sequence.calls[0].args[0].value for run, _ in kept] == [1, 3, 4]


def test_an_exception_from_one_line_has_its_most_direct_test_and_those_that_reach_more():
    def through(name, number, *hits, line=3):
        run = replace(raising(number, line=line), invocable=f"m:{name}", last_hits=hits)
        return run, (Goal(Family.EXCEPTION, line, run.invocable, "ValueError"),)

    goals = goals_where([3, 5])
    goals.goals_of = lambda run: [Goal(Family.BRANCH, hit) for hit in run.last_hits]
    chosen = [through("wide", 1, 1, 2, 8), through("near", 2, 1),
              through("far", 3, 1, 2, 5, 6, 7), through("other", 4, 1, 2, line=5)]  # fmt: skip
    kept = acceptable([*chosen, (run_of(5, 3, (2,)), BRANCH)], goals)
    assert [run.sequence.calls[0].args[0].value for run, _ in kept] == [2, 3, 4, 5]


def test_one_raise_refuses_one_argument_of_a_wrong_kind_for_all_its_callers():
    goals = goals_where([3])
    goals.plausibility.fit_of_sequence = lambda sequence: (
        Fit.FITS if sequence.calls[0].args[0].value == 4 else Fit.CONTRADICTED
    )  # fmt: skip
    chosen = [
        (replace(raising(number), invocable=f"m:{number}"), (Goal(Family.EXCEPTION, 3, "m:f"),))
        for number in (1, 2, 4)
    ]
    sites = tuple([Goal(Family.BRANCH, number) for number in range(MIN_BEFORE_RAISE)])
    needed = (replace(raising(3), invocable="m:3"), sites)
    kept = acceptable([*chosen, needed], goals)
    assert [run.sequence.calls[0].args[0].value for run, _ in kept] == [4, 3]


def test_a_function_has_one_incidental_exception():
    chosen = [(raising(1), BRANCH), (raising(2, "builtins:KeyError", 9), (Goal(Family.BRANCH, 2),)),
              (run_of(3, 3, (1,)), (Goal(Family.BRANCH, 3),))]  # fmt: skip
    kept = acceptable(chosen, goals_where())
    assert [run.sequence.calls[0].args[0].value for run, _ in kept] == [1, 3]


def test_only_words_of_the_project_are_expected():
    stated, foreign, fine = raising(1), raising(2, line=9), run_of(3, 3, (1,))
    chosen = [(run, BRANCH) for run in (stated, foreign, fine)]
    raised = Raised("builtins:ValueError", "bad")
    ends = (raised, raised, Returned())
    tests = [
        suite_tests.Test("m:f", run.sequence, end)
        for (run, _), end in zip(chosen, ends, strict=True)
    ]
    found = without_foreign_words(tests, chosen, goals_where([3]))
    assert [getattr(test.outcome, "message", "-") for test in found] == ["bad", None, "-"]


def test_what_the_project_hands_on_of_the_interpreter_is_not_expected():
    run = raising(1)
    raised = Raised("m:Failed", "'int' object is not iterable")
    test = suite_tests.Test("m:f", run.sequence, raised)
    (found,) = without_foreign_words([test], [(run, BRANCH)], goals_where([3]))
    assert found.outcome == replace(raised, message=None)
    worded = replace(test, outcome=replace(raised, type="builtins:TypeError"))
    assert without_foreign_words([worded], [(run, BRANCH)], goals_where([3])) == (worded,)


def test_what_asserts_nothing_is_left_out_beside_what_does():
    one, goals = run_of(1, 3, (1,)), goals_where()
    run, chosen = one.sequence, [(one, BRANCH)]
    shown = suite_tests.Check(Ref(0), "==", Const(1))
    of_class = suite_tests.Check(Ref(0), "isinstance", Symbol("m", "C"))
    telling = suite_tests.Test("m:C.f", run, Returned(), (shown,))
    mute = [
        suite_tests.Test("m:C.f", run, Returned()),
        suite_tests.Test("m:C", run, Returned(), (of_class,)),
    ]
    assert without_mute([*mute, telling], chosen, goals) == (telling,)
    assert without_mute([mute[0], mute[0], mute[1]], chosen, goals) == (mute[0],)
    asked = suite_tests.Test("m:C.f", run, Returned(), (), (Goal(Family.PATH, 0, "m:C.f", (1,)),))
    assert without_mute([telling, asked], chosen, goals) == (telling, asked)
    other = suite_tests.Test("m:g", run_of(2, 3, (1,)).sequence, Returned(), (shown,))
    goals.plausibility._known[run.key] = (Fit.DOUBTFUL, 0)
    assert without_mute([mute[0], other], chosen, goals) == (other,)
    assert without_mute(mute[:1], chosen, goals) == (mute[0],), "better than an empty suite"


@pytest.mark.parametrize("behaviour", ["None", "m:C"])
def test_what_shows_nothing_is_called_only_for_the_sites_that_it_alone_reaches(behaviour):
    goals = goals_where()
    sites = [(1,), tuple(range(2, 2 + MIN_FOR_SILENT)), (1,), tuple(range(7, 6 + MIN_FOR_SILENT))]
    runs = [replace(run_of(at, 3, hits), behaviour=behaviour) for at, hits in enumerate(sites)]
    chosen = [(run, BRANCH) for run in runs]
    goals.goals_of = lambda run: [Goal(Family.BRANCH, hit) for hit in run.hits]
    tests = [suite_tests.Test("m:f", run.sequence, Returned(), (), BRANCH) for run in runs]
    shown = suite_tests.Check(Ref(0), "==", Const(1))
    tests[0] = replace(tests[0], checks=(shown,))
    assert without_mute(tests, chosen, goals) == (tests[0], tests[1])


def test_a_doubted_argument_is_worth_more_than_a_site_and_no_exception_that_nobody_meant():
    goals, runs = goals_where(), [run_of(number, 3, (1,)) for number in range(3)]
    runs += [raising(3, "builtins:KeyError", 9), raising(4, "builtins:KeyError", 9)]
    runs.append(run_of(5, 3, (1,)))
    two = (Goal(Family.BRANCH, 2), Goal(Family.BRANCH, 3))
    fits = (Fit.FITS, Fit.DOUBTFUL, Fit.DOUBTFUL, Fit.UNKNOWN, Fit.FITS, Fit.ODD)
    for run, fit in zip(runs, fits, strict=True):
        goals.plausibility._known[run.sequence.key] = (fit, 0)
    runs.append(raising(6, "builtins:IndexError", 8))
    goals.plausibility._known[runs[-1].sequence.key] = (Fit.UNKNOWN, 0)
    goals_of = (BRANCH, BRANCH, two, BRANCH, BRANCH, BRANCH, two)
    chosen = list(zip(runs, goals_of, strict=True))
    kept = acceptable(chosen[:6], goals)
    assert [run.sequence.calls[0].args[0].value for run, _ in kept] == [0, 2, 4, 5]
    assert acceptable([chosen[0], chosen[6]], goals) == [chosen[0], chosen[6]]
    assert acceptable(chosen[1:2], goals) == chosen[1:2], "better than an empty suite"


def class_run(name, number, hits=(1,)):
    call = Call("method", name, (Const(number),))
    return Execution(f"m:C.{name}", Sequence((call,)), None, "int1", hits, (), (), ())


def class_goals(*runs):
    members = [
        Invocable("m:C.__init__", "constructor", "__init__", "m:C", module="m", first=1, last=3),
        Invocable("m:C.f", "method", "f", "m:C", module="m", first=4, last=SITES),
        Invocable("m:C.kind", "method", "kind", "m:C", module="base", first=1, last=2),
        Invocable("m:D.kind", "method", "kind", "m:D", module="base", first=1, last=2),
    ]
    sites = [BranchSite("m", "C.f", 4, "if", "true") for _ in range(SITES)]
    goals = GoalMap(Subject("m", "m.py", (), tuple(members)), sites, [])
    for run in runs:
        goals.offer(run, cost(run.sequence))
    goals.keep_only(set(Family) - {Family.PATH})
    return goals


def test_what_a_class_inherits_or_only_makes_is_not_tested_beside_its_own_members():
    own, made, inherited = class_run("f", 1), class_run("__init__", 2), class_run("kind", 3)
    goals = class_goals(own, made, inherited)
    by_check = tuple([Goal(Family.MUTANT_BY_CHECK, number) for number in range(2)])
    kinds = (Goal(Family.RETURN, 0, "m:C.f"),)
    rows = [(own, BRANCH), (made, kinds), (inherited, (*kinds, *by_check))]
    assert acceptable(rows, goals) == rows[:1]
    assert acceptable([rows[0], (made, (*kinds, *by_check))], goals) == rows[:1]
    assert acceptable(rows[1:2], goals) == rows[1:2], "better than an empty suite"
    assert acceptable(rows[2:], goals) == rows[2:], "where nothing else shows the class"


def test_an_inherited_member_of_a_class_without_others_stays_where_it_kills_mutants():
    own = class_run("f", 1)
    inherited = replace(class_run("kind", 3), invocable="m:D.kind")
    rows = [(own, BRANCH), (inherited, (Goal(Family.RETURN, 0, "m:D.kind"),))]
    goals = class_goals(own, inherited)
    assert acceptable(rows, goals) == rows[:1]
    assert acceptable(rows[1:], goals) == rows[1:], "where nothing else is tested"
    for run in (own, inherited):
        goals.add_goals(run, list(mutant(1)))
    assert acceptable(rows, goals) == rows, "its class changes the result"


def test_a_member_that_reaches_a_site_of_its_own_stays():
    own, inherited = class_run("f", 1), class_run("kind", 3, (1, 2))
    rows = [(own, BRANCH), (inherited, (Goal(Family.BRANCH, 2),))]
    assert acceptable(rows, class_goals(own, inherited)) == rows


def test_an_inherited_member_stays_where_it_alone_shows_several_mutants_of_the_class():
    own, inherited = class_run("f", 1), class_run("kind", 3)
    goals = class_goals(own, inherited)
    killed = [Goal(Family.MUTANT_BY_CHECK, number) for number in range(MIN_BESIDE)]
    rows = [(own, BRANCH), (inherited, tuple(killed))]
    goals.add_goals(inherited, killed[1:])
    assert acceptable(rows, goals) == rows[:1]
    goals.add_goals(inherited, killed[:1])
    assert acceptable(rows, goals) == rows
    goals.add_goals(own, killed[:1])
    assert acceptable(rows, goals) == rows[:1]


def test_that_the_code_calls_a_function_as_that_cannot_be_called_has_no_test():
    message = "f() got an unexpected keyword argument 'status'"
    failed = RunFailure(0, "builtins:TypeError", message, 2, 3, "m")
    run = replace(run_of(1, 3, (1,)), failed=failed, behaviour="")
    other = (run_of(2, 3, (2,)), BRANCH)
    goals = goals_where([3])
    assert acceptable([(run, (Goal(Family.EXCEPTION, 0, "m:f"),)), other], goals) == [other]
    assert not goals.judge.is_raised_here(failed)
