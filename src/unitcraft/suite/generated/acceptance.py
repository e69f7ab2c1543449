"""Leaves out of a selection what a reader would not commit beside the rest.

Set cover keeps a run for every Goal that nothing else reaches, and a killed mutant is a Goal.  A
reader sees less in it: the second test of a path that differs in a constant only, the second
exception that fell out of other code.

Invariant: every branch that a run with a meant end and plausible arguments reaches stays reached;
what is left out showed a path that another run of the same Invocable shows, was one more incidental
exception, or had an argument that nobody would pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from unitcraft.core.goals import FILLED, Family, Goal
from unitcraft.core.outcomes import Raised, is_of_interpreter
from unitcraft.core.sequences import Ref, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.intent import given_back, is_misfit
from unitcraft.explore.plausibility.argument_fit import Fit
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.grow_stand_ins import has_stand_in
from unitcraft.suite.generated.lifted_arguments import lower_arguments
from unitcraft.suite.generated.set_cover import Selection
from unitcraft.suite.telling.undecided import Undecided
from unitcraft.suite.tests import Test

#: Runs of one path that are kept for the mutants that they kill: a typical one and one more.
MAX_FOR_PATH: Final = 2
#: Mutants that a further run of a path has to show by a failed assertion, and none other does.
MIN_TELLING: Final = 2
#: Mutants that a run beside what a class defines has to show by a failed assertion, and none other
#: does: a tree that inherits ``pop_item`` is turned by little else.
MIN_BESIDE: Final = 4
#: Sites that a run with a doubtful argument is not kept for.
MAX_FOR_DOUBT: Final = 1
#: Runs that end at one ``raise`` and are kept for the mutants that they kill.
MAX_FOR_RAISE: Final = 1
#: Goals that only a further run reaches on its way to a ``raise`` that another shows: fewer are
#: not worth a test that ends in the same exception.
MIN_BEFORE_RAISE: Final = 2
#: Sites that only a run without an effect to assert reaches, for which a test of nothing
#: is written: of 18 such tests readers commit none.
MIN_FOR_SILENT: Final = 3
#: Families whose Goals say what a test is about.
_TELLING: Final = frozenset({Family.BOUNDARY, Family.NEIGHBOUR, Family.ENTRY})
#: Families whose Goals are no reason for a second test of one raise: another kills the mutants too.
_OF_RAISE: Final = frozenset({Family.EXCEPTION, Family.MUTANT_BY_CHECK})
#: Families that are Goals only where somebody asks for them by name, and need no assertion.
_ASKED: Final = frozenset({Family.PATH, Family.DEF_USE})


def acceptable(chosen: Selection, goals: GoalMap) -> Selection:
    """The runs of ``chosen`` that a reader would keep, in their order.

    Whoever asks for mutants alone gets them all; a suite that would be empty keeps what there is.
    """
    if all(goal.family.record.is_mutant for _, own in chosen for goal in own):
        return chosen
    fitting = [pair for pair in chosen if not _is_unfit(*pair, goals)]
    chosen = _refused_once(_without_side_members(fitting or chosen, goals), goals)
    chosen = _raised_once(chosen, goals)
    ranked = sorted(range(len(chosen)), key=lambda at: _rank(chosen[at][1], at))
    shown: Counter[tuple[object, ...]] = Counter()
    kept: set[int] = set()
    for at in ranked:
        run, own = chosen[at]
        incidental = goals.is_incidental(run)
        path = _path_of(run, goals.code_of(run.invocable), incidental=incidental)
        needed = _is_needed(run, own, incidental=incidental)
        limit = MAX_FOR_PATH if run.failed is None else MAX_FOR_RAISE
        if has_stand_in(run.sequence):
            limit = 0
        telling = sum(goal.family is Family.MUTANT_BY_CHECK for goal in own) >= MIN_TELLING
        seen = telling and run.failed is None and not has_stand_in(run.sequence)
        if needed or seen or shown[path] < limit:
            shown[path] += 1
            kept.add(at)
    return [pair for at, pair in enumerate(chosen) if at in kept]


def with_own_results(chosen: Selection, goals: GoalMap) -> Selection:
    """``chosen``, and a run for each result that only runs show which a reader would not keep.

    Set cover prefers a run that reaches more, and that may be one with a stand-in.
    """
    kept = acceptable(chosen, goals)
    shown = {goal for run, _ in kept for goal in goals.goals_of(run)}
    shown.update(given_back(goals.best))
    lost: dict[str, tuple[Execution, tuple[Goal, ...]]] = {}
    for goal, (_, run) in goals.best.items():
        is_result = goal.family is Family.RETURN and goal.detail in ("", FILLED)
        if is_result and goal not in shown and not has_stand_in(run.sequence):
            lost[run.sequence.key] = run, (*lost.get(run.sequence.key, (run, ()))[1], goal)
    return [*chosen, *lost.values()]


def _without_side_members(chosen: Selection, goals: GoalMap) -> Selection:
    """``chosen`` without runs beside what a class defines, where others show that.

    Such are runs of members that a class has from another module, and of a constructor, as long as
    other runs reach the same sites and kill nearly all mutants that they kill: what reads back the
    arguments readers delete (42 of 100; 27 are committed).  A class of inherited members
    alone has no test either, beside those of other classes, where nothing that it defines changes
    the result: the run kills no mutant.
    """
    own = {
        _class_of(run, goals)
        for run, _ in chosen
        if not (goals.is_inherited(run.invocable) or goals.is_constructor(run.invocable))
    }
    reached = Counter(goal for run, _ in chosen for goal in _shown_by(run, goals))
    kept: Selection = []
    for run, wanted in chosen:
        found = _shown_by(run, goals)
        alone = [goal for goal in found if reached[goal] <= 1]
        shared = len(alone) < MIN_BESIDE and not any(map(_stands_alone, alone))
        shown = _class_of(run, goals) in own or (
            bool(own) and goals.is_inherited(run.invocable) and not _kills_any(run, goals)
        )
        if shared and shown and _is_beside(run, wanted, goals):
            reached.subtract(found)
        else:
            kept.append((run, wanted))
    return kept


def _kills_any(run: Execution, goals: GoalMap) -> bool:
    return any(goal.family.record.is_mutant for goal in goals.goals_of(run))


def _class_of(run: Execution, goals: GoalMap) -> str:
    """The id of the class; a constructor that no class here defines has the id of its class."""
    owner, _, name = run.invocable.rpartition(".")
    return run.invocable if goals.is_constructor(run.invocable) and name != "__init__" else owner


def _sites_of(run: Execution, goals: GoalMap) -> list[Goal]:
    """The Goals of the run for which a test is written even without an assertion."""
    return [goal for goal in goals.goals_of(run) if goal.family.record.stands_alone]


def _shown_by(run: Execution, goals: GoalMap) -> list[Goal]:
    """The sites that the run reaches, and the mutants that it kills by a Check."""
    return [
        goal
        for goal in goals.goals_of(run)
        if _stands_alone(goal) or goal.family is Family.MUTANT_BY_CHECK
    ]


def _stands_alone(goal: Goal) -> bool:
    return goal.family.record.stands_alone


def _is_beside(run: Execution, own: tuple[Goal, ...], goals: GoalMap) -> bool:
    """Does it return from a member of another module, or only from a constructor?"""
    if run.failed is not None or any(goal.family in _TELLING for goal in own):
        return False
    if goals.is_inherited(run.invocable):
        return True
    return goals.is_constructor(run.invocable)


def _refused_once(chosen: Selection, goals: GoalMap) -> Selection:
    """``chosen`` with one run for each ``raise`` by which the Subject refuses a kind of argument.

    What ``parse`` refuses, its callers refuse no better.  The run with most Goals stays, and those
    that branches need.
    """
    order = sorted(range(len(chosen)), key=lambda at: (-len(chosen[at][1]), at))
    shown: set[tuple[object, ...]] = set()
    dropped: set[int] = set()
    for at in order:
        run, own = chosen[at]
        failed = run.failed
        odd = goals.plausibility.fit_of_sequence(run.sequence) >= Fit.ODD
        if failed is None or not odd or goals.is_doubtful(run):
            continue
        place = (failed.module, failed.line, failed.type)
        if place in shown and not any(goal.family.record.stands_alone for goal in own):
            dropped.add(at)
        shown.add(place)
    return [pair for at, pair in enumerate(chosen) if at not in dropped]


def _raised_once(chosen: Selection, goals: GoalMap) -> Selection:
    """``chosen`` with one run for each exception from one line, whatever it was called through.

    The most direct one stays, which runs least code on arguments that others would pass, and each
    that alone reaches another Goal.
    """
    shown = Counter(goal for run, _ in chosen for goal in goals.goals_of(run))
    direct: dict[tuple[object, ...], int] = {}

    def rank(at: int) -> tuple[bool, int, int]:
        run = chosen[at][0]
        is_odd = goals.plausibility.fit_of_sequence(run.sequence) >= Fit.ODD
        return is_odd, len(set(run.last_hits)), at

    dropped: set[int] = set()
    for at in sorted(range(len(chosen)), key=rank):
        run, own = chosen[at]
        if run.failed is None or not run.failed.module:
            continue
        place = (run.failed.module, run.failed.line, run.failed.type)
        if (
            direct.setdefault(place, at) == at
            or chosen[direct[place]][0].invocable == run.invocable
        ):
            continue
        told = {one for one in (*goals.goals_of(run), *own) if shown[one] <= 1}
        if sum(goal.family not in _OF_RAISE for goal in told) < MIN_BEFORE_RAISE:
            dropped.add(at)
            shown.subtract(goals.goals_of(run))
    return [pair for at, pair in enumerate(chosen) if at not in dropped]


def _is_unfit(run: Execution, own: tuple[Goal, ...], goals: GoalMap) -> bool:
    """Is an argument such that nobody would write the test for the site that it shows?

    An exception that nobody meant is that argument's where nothing speaks for it; that the code
    calls a function as that cannot be called is a fault, which no test should ask for, nor that the
    text of what it raises cannot be made of it.
    """
    if sum(goal.family.record.stands_alone for goal in own) > MAX_FOR_DOUBT:
        return False
    failed = run.failed
    if failed is not None and (is_misfit(failed) or goals.judge.is_failed_statement(failed)):
        return True
    if goals.is_incidental(run):
        return goals.plausibility.fit_of_sequence(run.sequence) > Fit.FITS
    return _is_contradicted(run, goals)


def _is_contradicted(run: Execution, goals: GoalMap) -> bool:
    """Does evidence speak against an argument that the Subject does not refuse itself?"""
    fit = goals.plausibility.fit_of_sequence(run.sequence)
    return fit >= Fit.DOUBTFUL and goals.is_doubtful(run)


def _rank(own: tuple[Goal, ...], at: int) -> tuple[bool, int, int]:
    """Runs that branches need come first, then those with most Goals."""
    for_mutants = all(goal.family.record.is_mutant for goal in own)
    return (for_mutants, -len(own), at)


def _is_needed(run: Execution, own: tuple[Goal, ...], *, incidental: bool) -> bool:
    """Is there more to the run than mutants, or for a stand-in than that the call returned?

    What a stand-in's own answers lead to is worth a test only for the code that it reaches, and
    where it answers for the world: for what is answered then, which nothing else brings about.
    """
    if incidental:
        return False
    if has_stand_in(run.sequence):
        passed = [call for call in run.sequence.calls if call.kind != "arrange"]
        says = not has_stand_in(Sequence(tuple(passed)))
        return any(
            goal.family.record.stands_alone
            or (says and goal.family is Family.RETURN and goal.detail != "None")
            for goal in own
        )
    return any(not goal.family.record.is_mutant for goal in own)


def _path_of(run: Execution, code: str, *, incidental: bool) -> tuple[object, ...]:
    """What a reader sees of the run: the path and kind of result, or where and how it raised.

    ``code`` is what it runs: a member that two classes inherit is one piece of code.
    """
    if incidental:
        return (run.invocable, "incidental")
    failed = run.failed
    if failed is not None:
        return (code, failed.module, failed.line, failed.type)
    return (code, run.last_hits, run.behaviour)


def without_foreign_words(
    tests: Iterable[Test], chosen: Selection, goals: GoalMap
) -> tuple[Test, ...]:
    """``tests``, none of which expects a message that other projects word.

    The wording of the interpreter, of the standard library and of dependencies is theirs to change,
    also where an exception of the project hands it on.
    """
    foreign = {run.sequence.key for run, _ in chosen if not goals.words_its_message(run)}
    return tuple(
        replace(test, outcome=replace(test.outcome, message=None))
        if isinstance(test.outcome, Raised)
        and (run_key(test) in foreign or _hands_on(test.outcome))
        else test
        for test in tests
    )


def with_undecided(tests: Iterable[Test], unsaid: Mapping[str, Undecided]) -> list[Test]:
    """``tests``, each with the parameters that do not decide how it ends: ``unsaid``, by runs."""
    known = [(test, unsaid.get(run_key(test), Undecided())) for test in tests]
    return [replace(one, undecided=what.values, classless=what.classes) for one, what in known]


def _hands_on(raised: Raised) -> bool:
    """Does an exception of the project say nothing but what the interpreter said?"""
    return not raised.type.startswith("builtins:") and is_of_interpreter(raised.message)


def without_mute(tests: Iterable[Test], chosen: Selection, goals: GoalMap) -> tuple[Test, ...]:
    """``tests`` without those that assert nothing: nobody who reads them learns what is right.

    Kept are those that alone reach ``MIN_FOR_SILENT`` sites, or that a criterion asks for by name,
    and the first where a suite has nothing else.
    """
    given = list(tests)
    runs = {run.sequence.key: run for run, _ in chosen}
    doubted = {key for key, run in runs.items() if _is_contradicted(run, goals)}
    fine = [one for one in given if not _is_mute(one) or run_key(one) not in doubted]
    given = fine or given
    ran = [runs.get(run_key(test)) for test in given]
    sites_of = [_sites_of(run, goals) if run is not None else [] for run in ran]
    reached = Counter(site for sites in sites_of for site in sites)
    kept: list[Test] = []
    for test, sites in zip(given, sites_of, strict=True):
        only_here = sum(reached[site] == 1 for site in sites)
        asked = any(goal.family in _ASKED for goal in test.goals)
        if asked or only_here >= MIN_FOR_SILENT or not _is_mute(test):
            kept.append(test)
        else:
            reached.subtract(sites)
    return tuple(kept or given[:1])


def run_key(test: Test) -> str:
    """The key of the Sequence of the run that ``test`` was made of."""
    return lower_arguments(replace(test, checks=())).sequence.key


def _is_mute(test: Test) -> bool:
    """Does the test return and assert at most the class of what it got?"""
    last = Ref(len(test.sequence) - 1)
    return not (isinstance(test.outcome, Raised) or test.warns) and all(
        check.relation == "isinstance" and check.observed == last for check in test.checks
    )
