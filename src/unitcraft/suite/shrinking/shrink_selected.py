"""Shrinks the selected executions while they still kill the mutants that they are kept for.

Invariant: an execution is replaced only by one that was observed to reach every Goal for which it
was selected, mutants included, and that is cheaper or kills more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Final

from unitcraft.core.goals import Family, Goal
from unitcraft.core.sequences import Sequence
from unitcraft.explore.execution import SHOWING, Execution, cost
from unitcraft.explore.intent import is_idle
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.plausibility.plain_arguments import PlainArguments, alike_items
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.places import places
from unitcraft.subject.ducktypes.result_uses import ResultUses
from unitcraft.suite.brief.needless_steps import without_needless_steps
from unitcraft.suite.generated.acceptance import with_own_results
from unitcraft.suite.generated.lifted_arguments import (
    recording_answers,
    recording_function,
    recording_logger,
    recording_variant,
)
from unitcraft.suite.generated.mutant_goals import KillChecker, KillMatrix
from unitcraft.suite.generated.plain_texts import with_words_for_letters
from unitcraft.suite.generated.recorded_stubs import recording_stubs
from unitcraft.suite.generated.set_cover import Selection, by_anything, select, with_new_kills
from unitcraft.suite.shrinking.fewer_calls import without_unused
from unitcraft.suite.shrinking.shrink import Variant, shrink_in_rounds
from unitcraft.suite.shrinking.variant_runner import Replacements, VariantRunner
from unitcraft.suite.telling.emptied_inputs import (
    buffered_texts,
    with_empty_buffers,
    with_empty_containers,
)
from unitcraft.suite.telling.examples.named_examples import is_alike, with_named_examples
from unitcraft.suite.telling.examples.whole_texts import with_whole_texts
from unitcraft.suite.telling.fuller_inputs import with_fuller_receiver, with_one_more, with_twin
from unitcraft.suite.telling.seeded_chance import usual_seeds
from unitcraft.suite.telling.set_clocks import with_passing_time
from unitcraft.suite.telling.stand_ins.keyed_answers import ANSWER_ROUNDS
from unitcraft.suite.telling.telling_functions import with_named_functions, with_telling_functions
from unitcraft.suite.telling.telling_options import (
    telling_data,
    without_option,
)
from unitcraft.suite.telling.telling_values import (
    distinct_variants,
    near_misses,
    telling_variants,
    with_telling_items,
)
from unitcraft.suite.telling.usual_parts import with_usual_parts

#: Smaller variants of one execution in a round: each is run on mutants; fewer than in ``shrink``.
MAX_CANDIDATES: Final = 30
#: Other runs, and other receivers, that are tried for one whose result holds nothing.
MAX_FULLER: Final = 4
#: What makes a Sequence in which more records its calls.
_RECORDERS: Final[tuple[Callable[[Sequence], Sequence], ...]] = (
    *[partial(recording_variant, recorder=one)
      for one in (recording_logger, recording_function, recording_answers)],
    recording_stubs,
)  # fmt: skip
_MANY: Final = "var_positional"
_RECORDED: Final = "call_args"  # in what kills a mutant: what a recorder was called with
_Judge = Callable[[Execution, Execution], bool]
_Variants = Mapping[str, list[Sequence]]


def shrink_selection(
    goals: GoalMap,
    reveals: KillMatrix,
    bench: KillChecker,
    pool: SparingPool,
    plain: PlainArguments | None = None,
    known: Iterable[Execution] = (),
) -> Selection:
    """The selection, after trying smaller and plainer variants of the selected executions.

    ``reveals`` grows by the mutants that the variants kill; ``pool`` runs them as the search does.
    ``known`` are runs with other kinds of results, which may show more.
    """
    runner = VariantRunner(goals, reveals, bench, pool, {})
    found: list[Execution] = []

    def accept(batch: list[Variant]) -> bool:
        better = list(runner.replacements(batch).values())
        found.extend(better)
        return bool(better)

    shrink_in_rounds(lambda: select(goals, found), MAX_CANDIDATES, accept, plain)
    runs = [run for run, _ in select(goals, found)]
    for name, noticed in bench.judged(runs).reveals.items():
        reveals.setdefault(name, {}).update(noticed)
    for run in runs:
        goals.add_goals(run, list(reveals.get(run.sequence.key, ())))
    uses = plain.result_uses if plain is not None else ResultUses()
    chosen, names = with_own_results(select(goals, found), goals), goals.plausibility
    for answers in ANSWER_ROUNDS:
        variants = {run.sequence.key: [*answers(run.sequence, uses)] for run, _ in chosen}
        wanted = [(run, tuple(map(by_anything, own))) for run, own in chosen]
        told = _replaced(wanted, variants, runner, lambda *_: True)
        chosen = [(run, own) for (run, _), (_, own) in zip(told, chosen, strict=True)]
    chosen = with_new_kills(chosen, reveals, goals, bench.new_kills)
    chosen = without_needless_steps(chosen, runner)
    chosen = _with_fuller_results(chosen, runner, known)
    chosen = _with_any(chosen, runner, with_twin, lambda run, one: run.truth == one.truth)
    chosen = _with_several_arguments(chosen, runner)
    chosen = _with_any(chosen, runner, lambda one: usual_seeds(one, names), _is_shorter)
    if plain is None or plain.may_replace:
        chosen = _with_any(chosen, runner, partial(_passing_time, names))
    chosen = _with_empty_buffers(chosen, runner)
    # Where a test observes the same of other values, they say nothing and distract, as do items
    # that come back as they were given; but that an operand is ignored is seen by one that differs.
    for vary, shows_more in (
        (with_named_functions, runner.sees_more),
        (with_telling_functions, runner.sees_another_result),
        (lambda one: telling_variants(one, names), runner.sees_difference),
        (with_telling_items, runner.sees_what_became_of_items),
    ):
        chosen = _with_any(chosen, runner, vary, shows_more, observes=True)
    chosen = _with_near_misses(chosen, runner)
    chosen = _with_telling_options(chosen, runner, plain)
    chosen = _with_usual_texts_and_parts(chosen, runner)
    for recorder in _RECORDERS if plain is None or plain.may_replace else ():
        chosen = _with_recorded_calls(chosen, runner, recorder)
    return with_named_examples(chosen, names, partial(_replaced, runner=runner, is_better=is_alike))


def _with_usual_texts_and_parts(chosen: Selection, runner: VariantRunner) -> Selection:
    """``chosen`` with whole texts, what other runs give, and nothing that says nothing."""
    names = runner.goals.plausibility
    shown = names.ladder.texts_of_callers()
    chosen = _with_any(chosen, runner, lambda one: with_whole_texts(one, shown))
    chosen = _with_any(chosen, runner, with_words_for_letters)
    chosen = with_usual_parts(chosen, lambda *of: _replaced(of[0], of[1], runner, lambda *_: True))
    chosen = _with_any(chosen, runner, distinct_variants, partial(_is_as_plain, names))
    chosen = _with_any(chosen, runner, lambda one: with_empty_containers(one, names))
    chosen = _with_any(chosen, runner, without_unused)
    return _with_any(chosen, runner, lambda one: alike_items(one, names))


def _with_any(
    chosen: Selection,
    runner: VariantRunner,
    vary: Callable[[Sequence], Iterable[Sequence] | Sequence | None],
    is_better: _Judge = lambda *_: True,
    *,
    observes: bool = False,
) -> Selection:
    """``chosen`` with the first variant of each run that reaches the same and is better.

    ``observes``: to judge that, the runs that have variants are observed before.
    """
    found = {run.sequence.key: vary(run.sequence) for run, _ in chosen}
    variants = {
        key: [one] if isinstance(one, Sequence) else [*(one or ())] for key, one in found.items()
    }
    if observes:
        runner.observe([run for run, _ in chosen if variants[run.sequence.key]])
    return _replaced(chosen, variants, runner, is_better)


def _is_shorter(run: Execution, one: Execution) -> bool:
    return cost(one.sequence) < cost(run.sequence)


def _is_as_plain(names: Plausibility, run: Execution, one: Execution) -> bool:
    """Would a caller pass the arguments of ``one`` as readily as those of ``run``?"""
    return names.penalty_of(one.sequence) <= names.penalty_of(run.sequence)


def _with_near_misses(chosen: Selection, runner: VariantRunner) -> Selection:
    """``chosen`` with what a predicate refuses made of what it accepts, where all else is alike."""
    answered: dict[tuple[str, str], list[Execution]] = {}
    for run, _ in chosen:
        answered.setdefault((run.invocable, run.truth), []).append(run)
    variants = {
        run.sequence.key: near_misses(run, answered.get((run.invocable, "True"), []))
        for run, _ in chosen
        if run.truth == "False"
    }
    return _replaced(chosen, variants, runner, lambda _, one: one.truth == "False")


def _with_fuller_results(
    chosen: Selection, runner: VariantRunner, known: Iterable[Execution]
) -> Selection:
    """``chosen`` with results that hold something, where none of their Invocable does.

    What reaches the same Goals is another run of it that is known, or its Call on an object that
    another test has filled.
    """
    runs = [run for run, _ in chosen]
    shown = {run.invocable for run in runs if run.failed is None and not is_idle(run)}
    idle = [run for run in runs if run.invocable not in shown and is_idle(run)]
    able = sorted(
        {one.sequence.key: one for one in known if one.returned and not is_idle(one)}.values(),
        key=lambda one: cost(one.sequence),
    )
    variants = {
        run.sequence.key: [
            *[one.sequence for one in able if one.invocable == run.invocable][:MAX_FULLER],
            *islice(with_fuller_receiver(run, runs), MAX_FULLER),
        ]
        for run in idle
    }
    return _replaced(chosen, variants, runner, lambda _, one: one.returned and not is_idle(one))


def _with_several_arguments(chosen: Selection, runner: VariantRunner) -> Selection:
    """``chosen`` with one argument more where only one of any number is given, and that shows."""
    variants: dict[str, list[Sequence]] = {}
    for run, _ in chosen:
        last = run.sequence.calls[-1]
        called = runner.goals.plausibility.called(run.sequence, last)
        kinds = [one.kind for one in called.parameters] if called is not None else []
        first = kinds.index(_MANY) + (last.kind == "method") if _MANY in kinds else -1
        if first >= 0 and len(last.args) == first + 1:
            more = with_one_more(run.sequence, first)
            variants[run.sequence.key] = [more] if more is not None else []
    runner.observe([run for run, _ in chosen if variants.get(run.sequence.key)])
    return _replaced(chosen, variants, runner, runner.sees_another_result)


def _passing_time(names: Plausibility, sequence: Sequence) -> Iterable[Sequence]:
    """``sequence`` with clocks that the test sets where they counted, or a limit had passed."""
    known = [names.called(sequence, call) for call in sequence.calls]
    taken = [one.parameters if one is not None else () for one in known]
    return with_passing_time(sequence, taken.__getitem__)


def _with_empty_buffers(chosen: Selection, runner: VariantRunner) -> Selection:
    """``chosen``, in which a file in memory holds nothing before unless that is seen to be read."""
    holding = [run for run, _ in chosen if buffered_texts(run.sequence)]
    runner.observe(holding)
    empty = [(run.sequence.key, with_empty_buffers(run.sequence)) for run in holding]
    variants = {key: [one] for key, one in empty if one is not None}
    return _replaced(chosen, variants, runner, runner.reads_nothing)


def _replaced(
    chosen: Selection, variants: _Variants, runner: VariantRunner, is_better: _Judge
) -> Selection:
    """``chosen`` with the first variant of each run, by its key, that can replace it and is better.

    Its arguments fit as well as those of the run, and it reaches the same Goals.
    """
    reached = runner.replacements(_fitting(chosen, variants, runner.goals))

    def best(run: Execution) -> Execution:
        able = _reached_for(run, variants.get(run.sequence.key, ()), reached)
        return next((one for one in able if is_better(run, one)), run)

    return [(best(run), own) for run, own in chosen]


def _with_telling_options(
    chosen: Selection, runner: VariantRunner, plain: PlainArguments | None
) -> Selection:
    """``chosen`` with data for which the options that runs give change what a test sees.

    Where a run shows the same without an option, the option is left out if it reaches the same
    Goals, else other data beside it are tried.  A collection keeps the items that it is made of.
    """
    plausibility = runner.goals.plausibility
    silent = runner.silent_options([run for run, _ in chosen])
    variants: dict[str, list[Sequence]] = {}
    for run, _ in chosen:
        key, options = run.sequence.key, silent.get(run.sequence.key, ())
        tokens = plain.tokens(run.invocable) if plain is not None else ()
        variants[key] = [without_option(run.sequence, one, plausibility) for one in options]
        variants[key] += telling_data(run.sequence, options, tokens) if options else []
    fit, items_left_out = plausibility.fit_of_sequence, plausibility.items_left_out

    def unfilled(sequence: Sequence) -> int:
        places = range(len(sequence))
        return sum(items_left_out(sequence, at) is not None for at in places)

    batch = [
        (run, own, one)
        for run, own in chosen
        for one in variants[run.sequence.key]
        if fit(one) <= fit(run.sequence) and unfilled(one) <= unfilled(run.sequence)
    ]
    reached = runner.replacements(batch)
    still_silent = runner.silent_options(_once(reached))

    def best(run: Execution) -> Execution:
        able = _reached_for(run, variants[run.sequence.key], reached)
        counts = [len(still_silent.get(one.sequence.key, ())) for one in (run, *able)]
        counts[0] = len(silent.get(run.sequence.key, ()))
        return (run, *able)[counts.index(min(counts))]

    return [(best(run), own) for run, own in chosen]


def _with_recorded_calls(
    chosen: Selection, runner: VariantRunner, recorded: Callable[[Sequence], Sequence]
) -> Selection:
    """``chosen``, in which what runs pass records its calls where that tells more.

    ``lambda x: x`` accepts every argument; a ``Mock`` in its place says afterwards which it was
    given.  It has to kill a mutant by a Check that no other run kills so; in place of a function
    that has a name by what it recorded.
    """
    goals, reveals = runner.goals, runner.reveals
    shown = {one for run, _ in chosen for one in reveals.get(run.sequence.key, ())}
    killed = {one for one in shown if one.family is Family.MUTANT_BY_CHECK}
    made = {
        run.sequence.key: recorded(run.sequence)
        for run, own in chosen
        if any(goal.family.record.stands_alone for goal in own)
    }
    variants = {key: [one] for key, one in made.items() if one.key != key}
    able = runner.replacements(_fitting(chosen, variants, goals))
    numbers = frozenset(goal.number for goal in killed)
    found = runner.bench.judged(_once(able), already_killed=numbers).reveals

    def best(run: Execution, own: tuple[Goal, ...]) -> tuple[Execution, tuple[Goal, ...]]:
        key = made.get(run.sequence.key, run.sequence).key
        new = [goal for goal in sorted(found.get(key, ())) if goal not in killed]
        other = able.get((run.sequence.key, key))
        named = any(arg == SHOWING for arg, _ in places(run.sequence))
        told = {one.family for one in new if not named or _RECORDED in repr(found[key][one])}
        if other is None or Family.MUTANT_BY_CHECK not in told:
            return run, own
        killed.update(new)
        reveals.setdefault(key, {}).update(found[key])
        goals.add_goals(other, new)
        return other, tuple(dict.fromkeys([*own, *new]))

    return [best(run, own) for run, own in chosen]


def _fitting(
    chosen: Selection, variants: Mapping[str, Iterable[Sequence]], goals: GoalMap
) -> list[Variant]:
    """The variants of each run, by its key, whose arguments fit as well as its own."""
    fit = goals.plausibility.fit_of_sequence
    return [
        (run, own, one)
        for run, own in chosen
        for one in variants.get(run.sequence.key, ())
        if fit(one) <= fit(run.sequence)
    ]


def _reached_for(
    run: Execution, variants: Iterable[Sequence], reached: Replacements
) -> list[Execution]:
    """The executions of ``variants`` that can replace ``run``, in their order."""
    found = [reached.get((run.sequence.key, one.key)) for one in variants]
    return [one for one in found if one is not None]


def _once(reached: Replacements) -> list[Execution]:
    return list({one.sequence.key: one for one in reached.values()}.values())
