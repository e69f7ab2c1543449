"""Shrinks the executions that hold Goals, by delta debugging of their Sequences.

Invariant: a candidate replaces an execution only for the Goals that it was observed to reach, and
only when it costs less to read.

Source: DELTADEBUGGING; *simplified*: halves of the Calls, then single Calls, then simpler values
are tried in rounds, without the growing granularity of ddmin, so that the result need not be
1-minimal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Final

from unitcraft.core.goals import Goal
from unitcraft.core.sequences import (
    Arg,
    Atom,
    Build,
    Const,
    Display,
    Sequence,
    Source,
    TempPath,
    children,
    refs_of,
    renumber_call,
)
from unitcraft.explore.execution import (
    SAME_NUMBER,
    SHOWING,
    TYPICAL_WORDS,
    Execution,
    cost,
    execution_of,
)
from unitcraft.explore.intent import folders_named_as_files, is_idle, on_own_class
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.plausibility.plain_arguments import PlainArguments
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.grow_stand_ins import is_replacement
from unitcraft.explore.search.variation.places import (
    MOCK,
    answering,
    answers_of,
    places,
    recording,
)
from unitcraft.subject.values.stdlib_values import OPEN_CLASSES, VALUES
from unitcraft.subject.values.syntax_nodes import PARSE_FUNCTIONS
from unitcraft.suite.generated.plain_texts import MAX_DROPPED, SETTING, plainer_texts, simpler_bytes
from unitcraft.suite.shrinking.fewer_calls import (
    with_class_once,
    with_objects_once,
    with_parts,
    without_all,
)
from unitcraft.suite.shrinking.typical_leaves import typical_dates, typical_sources

#: Candidates tried for one execution in a round: a bound.  Halved: no test and no line differs.
MAX_CANDIDATES = 40
#: Candidates of one execution in a round with an argument that a caller would rather pass.
MAX_PLAIN = 12
#: Candidates of one execution in a round with an option given, where its result is empty.
MAX_IDLE = 6
#: Rounds of candidates.  Halved: 1 test and 1 line more, of 54 and 286.
MAX_ROUNDS = 8

#: Typical values of a kind: tried in place of any other, as what shows the kind best.
_TYPICAL_ATOMS: Final[dict[type, tuple[Atom, ...]]] = {
    str: ("abc",),
    bytes: (b"abc",),
    int: (1, 2),
    float: (1.5,),
    type(None): ("abc", 1),
}
#: The letters of a text that has to have some length and nothing else.
_LETTERS: Final = "abcdefgh"
_NUMBERS: Final = (Const(1), Const(2))
_WORDS: Final = tuple(map(Const, TYPICAL_WORDS[:2]))
#: The same for containers that are empty.
_TYPICAL_ITEMS: Final[dict[str, tuple[tuple[Arg, ...], ...]]] = {
    "list": (_NUMBERS, _WORDS),
    "tuple": (_NUMBERS, _WORDS),
    "set": (_NUMBERS, _WORDS),
    "dict": ((Const("abc"), Const(1)), (Const("abc"), Const("def"))),
}

_DIGIT: Final = re.compile("[0-9]")

#: An execution, the Goals that it is kept for (() where all count), and a smaller Sequence.
Variant = tuple[Execution, tuple[Goal, ...], Sequence]


def shrink(
    goals: GoalMap,
    pool: SparingPool,
    plain: PlainArguments | None = None,
    seeded: Callable[[Sequence], Iterable[Sequence]] = lambda _: (),
) -> None:
    """Offer smaller variants of the best executions to ``goals`` until none is better.

    ``plain`` proposes arguments that a caller would rather pass, ``seeded`` seeds for what draws
    from chance.
    """

    def best() -> list[tuple[Execution, tuple[Goal, ...]]]:
        runs = {run.sequence.key: run for _, run in goals.best.values()}
        return [(run, ()) for run in runs.values()]

    def offer(batch: list[Variant]) -> bool:
        once = {candidate.key: (run, own, candidate) for run, own, candidate in batch}
        for smaller, _ in run_variants(list(once.values()), goals, pool):
            goals.offer(smaller, goals.price(smaller))
        return bool(batch)

    offer([
        (replace(run, invocable=name), (), alone)
        for run, _ in best()
        for name, alone in taken_apart(run, goals.plausibility)
    ])  # fmt: skip
    offer([(run, (), one) for run, _ in best() if run.drew for one in seeded(run.sequence)])
    shrink_in_rounds(best, MAX_CANDIDATES, offer, plain)


def taken_apart(run: Execution, plausibility: Plausibility) -> Iterator[tuple[str, Sequence]]:
    """(Invocable, Calls) of each Call of ``run`` that no other one builds on, with what it needs.

    What one Call reached has a test of its own then, and is no preparation for the last one.
    """
    sequence = run.sequence
    used = {ref for call in sequence.calls for ref in refs_of(call)}
    ends = [
        at for at, call in enumerate(sequence.calls)
        if at not in used and call.kind not in SETTING
    ]  # fmt: skip
    for at in ends if len(ends) > 1 else ():
        called = plausibility.called(sequence, sequence.calls[at])
        is_last = at == len(sequence) - 1
        if is_last or (called is not None and sequence.calls[at].kind in ("function", "method")):
            alone = _with_what_it_needs(sequence, at)
            yield run.invocable if is_last or called is None else called.id, alone


def _with_what_it_needs(sequence: Sequence, last: int) -> Sequence:
    """Call number ``last`` after those that it refers to, and after what is arranged for it."""
    needed: set[int] = set()
    open_ = [last, *[at for at in range(last) if sequence.calls[at].kind in SETTING]]
    while open_:
        at = open_.pop()
        if at not in needed:
            needed.add(at)
            open_ += refs_of(sequence.calls[at])
    kept = sorted(needed)
    where = {old: new for new, old in enumerate(kept)}
    return Sequence(tuple([renumber_call(sequence.calls[old], where) for old in kept]))


def shrink_in_rounds(
    kept: Callable[[], Iterable[tuple[Execution, tuple[Goal, ...]]]],
    limit: int,
    accept: Callable[[list[Variant]], bool],
    plain: PlainArguments | None = None,
) -> None:
    """Hand smaller variants of the ``kept`` executions to ``accept`` until it is not content.

    A round has up to ``limit`` variants of each execution, and none that was tried for the same
    Goals in an earlier round; those of ``plain`` come beside them.
    """
    tried: set[tuple[str, tuple[Goal, ...]]] = set()
    for _ in range(MAX_ROUNDS):
        batch: list[Variant] = []
        for run, own in kept():
            for found, most in _smaller(run, limit, plain):
                new = (one for one in found if (one.key, own) not in tried)
                batch += [(run, own, one) for one in islice(new, most)]
        tried.update([(candidate.key, own) for _, own, candidate in batch])
        if not accept(batch):
            return


def _smaller(
    run: Execution, limit: int, plain: PlainArguments | None
) -> Iterator[tuple[Iterable[Sequence], int | None]]:
    """Smaller variants of ``run`` by kind, with how many of them a round has; None: all."""
    sequence = run.sequence
    yield chain(_on_own_class(run), _with_plain_digits(run), _with_names_of_folders(run)), None
    yield plain.variants(sequence) if plain else (), MAX_PLAIN
    yield plain.with_options(sequence) if plain and is_idle(run) else (), MAX_IDLE
    yield plainer_texts(sequence), None
    yield cheaper_variants(sequence), limit


def _on_own_class(run: Execution) -> Iterator[Sequence]:
    """The same Calls on an instance of the class that defines the member."""
    found = on_own_class(run)
    return iter([] if found is None else [found])


def _with_plain_digits(run: Execution) -> Iterator[Sequence]:
    """The Calls of a run that raised, each text with ones for digits.

    A pattern says how many digits a date, a time or a version has, not which of them are one.
    """
    if run.failed is None:
        return
    for arg, put in places(run.sequence):
        if isinstance(arg, Const) and isinstance(arg.value, str):
            plain = _DIGIT.sub("1", arg.value)
            if plain != arg.value:
                yield put(Const(plain))


def _with_names_of_folders(run: Execution) -> Iterator[Sequence]:
    """The same Calls, with a name without an ending for a folder."""
    named = folders_named_as_files(run)
    for arg, put in places(run.sequence) if named else ():
        if isinstance(arg, TempPath) and arg in named:
            yield put(replace(arg, name=arg.name.partition(".")[0]))


def run_variants(
    batch: list[Variant], goals: GoalMap, pool: SparingPool
) -> Iterator[tuple[Execution, Variant]]:
    """The sensible executions of the variants, each with its variant."""
    replies = pool.run([(run.invocable, candidate) for run, _, candidate in batch])
    for variant, reply in zip(batch, replies, strict=True):
        if reply.value is not None and reply.failure is None:
            smaller = execution_of(variant[0].invocable, variant[2], reply.value)
            if goals.sensible(smaller):
                yield smaller, variant


def cheaper_variants(sequence: Sequence) -> Iterator[Sequence]:
    """The candidates of ``smaller_variants`` that cost less to read."""
    price = cost(sequence)
    return (candidate for candidate in smaller_variants(sequence) if cost(candidate) < price)


def smaller_variants(sequence: Sequence) -> Iterator[Sequence]:
    """Candidates: Calls dropped (halves first), a value made simpler."""
    size = len(sequence)
    if size > 4:  # noqa: PLR2004 - long histories lose halves first
        for start, stop in ((1, size // 2), (size // 2, size - 1)):
            cut = without_all(sequence, range(start, stop))
            if cut is not None:
                yield cut
    for position in range(size - 2, -1, -1):
        dropped = without_all(sequence, (position,))
        if dropped is not None:
            yield dropped
    yield from with_class_once(sequence)
    yield from with_objects_once(sequence)
    yield from with_parts(sequence)
    yield from _without_argument(sequence)
    setting = [
        call
        for call in sequence.calls
        if (call.kind == "arrange" and not is_replacement(call)) or call.name in PARSE_FUNCTIONS
    ]
    typical = [one for call in setting for arg in call.args for one in (arg, *_constants_in(arg))]
    for arg, put in places(sequence):
        if isinstance(arg, TempPath) or (isinstance(arg, Build) and _id_of(arg) in VALUES):
            typical += _constants_in(arg)
        if not any(arg is one for one in typical):
            for value in simpler_values(arg):
                yield put(value)


def _constants_in(arg: Arg) -> list[Arg]:
    """The constants inside ``arg``: names and texts of surroundings stay as a person has them."""
    return [
        one
        for child in children(arg)
        for one in ([child] if isinstance(child, Const) else _constants_in(child))
    ]


def _without_argument(sequence: Sequence) -> Iterator[Sequence]:
    """The Sequence without a keyword argument, or without the last positional one, of a Call."""
    for position in range(len(sequence) - 1, -1, -1):
        call = sequence.calls[position]
        shorter = [
            replace(call, kwargs=call.kwargs[:index] + call.kwargs[index + 1 :])
            for index in range(len(call.kwargs))
        ]
        if call.kind in ("function", "method") and len(call.args) > (call.kind == "method"):
            shorter.append(replace(call, args=call.args[:-1]))
        for one in shorter:
            calls = (*sequence.calls[:position], one, *sequence.calls[position + 1 :])
            yield Sequence(calls)


def simpler_values(leaf: Arg) -> Iterator[Arg]:
    """Simpler values of the same kind, simplest first; a stand-in loses an attribute.

    For None they are plain ones.  Of values that say little a typical one of the kind is simpler
    than an empty one.
    """
    yield from _typical_values(leaf)
    yield from _simpler_answers(leaf)
    if isinstance(leaf, Build):
        if leaf.callee == MOCK and leaf != recording(Const(None)):
            yield recording(Const(None))
        elif leaf.callee in OPEN_CLASSES:
            for index in range(len(leaf.kwargs)):
                yield Build(leaf.callee, leaf.args, leaf.kwargs[:index] + leaf.kwargs[index + 1 :])
        yield from VALUES.get(_id_of(leaf), ())[:1]
    if isinstance(leaf, Display):
        yield from _with_fewer_items(leaf)
    elif isinstance(leaf, Const):
        yield from map(Const, _simpler_atoms(leaf.value))


def _simpler_atoms(value: Atom) -> Iterator[Atom]:
    """Parts of a text, smaller numbers; a number for a truth value where none is meant."""
    if isinstance(value, str) and len(value) > 1 and not value.startswith("--"):
        yield from (value[: len(value) // 2], value[len(value) // 2 :], value[:-1], value[1:])
    elif isinstance(value, bytes) and len(value) > 1:
        yield from simpler_bytes(value)
    elif isinstance(value, bool):
        yield from (1, 2) if value else (0,)
    elif isinstance(value, int) and not 0 <= value <= 2:  # noqa: PLR2004
        parts = (value // 2, value // 10) if abs(value) > 2 else ()  # noqa: PLR2004
        yield from (0, 1, 2, *parts)


def _simpler_answers(leaf: Arg) -> Iterator[Arg]:
    """A function that gives one of its answers always, or to all arguments but the others."""
    answers = answers_of(leaf) if isinstance(leaf, Build | Source) else None
    if answers is None or not answers.by_key.items:
        return
    table = answers.by_key.items
    nothing = Display("dict", ())
    yield from (answering(answers._replace(by_key=nothing, default=one)) for one in answers.all())
    for at in range(0, len(table), 2):
        rest = Display("dict", table[:at] + table[at + 2 :])
        yield answering(answers._replace(by_key=rest, default=table[at + 1]))


def _with_fewer_items(leaf: Display) -> Iterator[Display]:
    """The first item alone, and all items but one; of a dictionary pairs, or none."""
    unit = 2 if leaf.kind == "dict" else 1
    if leaf.kind == "dict" and leaf.items:
        yield Display("dict", ())
    if len(leaf.items) > unit:
        yield Display(leaf.kind, leaf.items[:unit])
        yield Display(leaf.kind, leaf.items[:-unit])
        yield Display(leaf.kind, leaf.items[unit:])
        for at in range(unit, min(len(leaf.items) - unit, MAX_DROPPED * unit), unit):
            yield Display(leaf.kind, leaf.items[:at] + leaf.items[at + unit :])


def _id_of(build: Build) -> str:
    return f"{build.callee.module}:{build.callee.qualname}"


def _typical_values(leaf: Arg) -> Iterator[Arg]:
    """What a person would write where any value of the kind does; no file where any does."""
    if isinstance(leaf, TempPath):
        yield from [replace(leaf, content=None)] if leaf.name and leaf.content is not None else []
    elif isinstance(leaf, Display):
        is_nested = leaf.kind != "dict" and {type(one) for one in leaf.items} == {Display}
        if (is_nested or not leaf.items) and leaf.kind in _TYPICAL_ITEMS:
            yield from (Display(leaf.kind, items) for items in _TYPICAL_ITEMS[leaf.kind])
    elif isinstance(leaf, Source):
        yield from typical_sources(leaf)
    elif isinstance(leaf, Build):
        yield from typical_dates(leaf)
    elif leaf in SAME_NUMBER:
        yield SHOWING
    elif isinstance(leaf, Const):
        yield from map(Const, _TYPICAL_ATOMS.get(type(leaf.value), ()))
        size = len(leaf.value) if isinstance(leaf.value, str) else 0
        if len("abc") < size <= len(_LETTERS) and leaf.value != _LETTERS[:size]:
            yield Const(_LETTERS[:size])
