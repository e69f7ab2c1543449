"""Answers of stand-ins that differ by what is asked.

One run asks ``run_command("uname")`` and ``run_command("uptime")``, or whether each of several
paths exists; a function that answers always the same takes it one way.  What the code uses on one
line is the answer to one such question: only that answer is varied for what happens there.

Invariant: a function is split by texts that the source passes to it, and only where what it answers
is a literal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Sequence, arg_key
from unitcraft.explore.execution import Execution, is_readable
from unitcraft.explore.search.variation.kinds.change_leaves import change
from unitcraft.explore.search.variation.places import (
    Answers,
    Place,
    answering,
    answers_of,
    in_args,
    inside,
    is_literal,
    places,
    set_keyword,
    through,
)
from unitcraft.explore.search.variation.variation_kind import Materials
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes
from unitcraft.subject.reading.answer_uses import AnswerUse
from unitcraft.subject.values.stdlib_values import OPEN_CLASSES

#: Texts of a loop over which a function is asked, for each of which its answer is varied.  Halved
#: with eleven such bounds, sites of ``pellets`` (664, seed 0): +3.
MAX_KEYS: Final = 4
#: Chance that an answer gets the shape in which the code uses it, in place of a near value.
#: Halved: no site of 729.
SHAPE_CHANCE: Final = 0.3

#: Chance that an answer is varied which the line of the missing site uses, in place of another one
#: of that function.  Halved with nine others, sites of ``pellets`` (664, seed 0): +7.
LINE_CHANCE: Final = 0.75

#: A function of a stand-in by its name, and what puts another in its place.
_Function = tuple[str, Answers, Callable[[Answers], Sequence]]


def _functions(sequence: Sequence) -> Iterator[_Function]:
    """The functions of stand-ins that answer literals, and those in the place of others."""
    for at, call in enumerate(sequence.calls):
        if call.kind == "arrange" and isinstance(call.args[0], Const):
            name = str(call.args[0].value).rpartition(".")[2]
            yield from _function(name, call.args[-1], in_args(sequence, at, len(call.args) - 1))
    for arg, put in places(sequence):
        if isinstance(arg, Build) and arg.callee in OPEN_CLASSES:
            for index, (name, item) in enumerate(arg.kwargs):
                yield from _function(name, item, through(put, set_keyword(arg, index)))


def _function(name: str, arg: Arg, put: Callable[[Arg], Sequence]) -> Iterator[_Function]:
    answers = answers_of(arg)
    if answers is not None and is_literal(answers.default):
        yield name, answers, lambda new: put(answering(new))


def _split(one: _Function, use: AnswerUse) -> Iterator[Place]:
    """The answers of a function to the texts that ``use`` passes to it, and all that is in them."""
    _, answers, put = one
    for key in use.keys[:MAX_KEYS]:
        yield from inside(answers.of(key), _at_key(answers, put, key))


def _at_key(
    answers: Answers, put: Callable[[Answers], Sequence], key: str
) -> Callable[[Arg], Sequence]:
    return lambda new: put(answers.with_answer(key, new))


def _used_on(
    sequence: Sequence, lines: Collection[int], shapes: AnswerShapes
) -> Iterator[tuple[_Function, AnswerUse]]:
    """The functions of ``sequence`` whose answers the code uses on one of ``lines``."""
    near = shapes.used_on(lines)
    for one in _functions(sequence) if near else ():
        for use in near.get(one[0], ()):
            yield one, use


def places_of_answers(sequence: Sequence, line: int, shapes: AnswerShapes) -> Iterator[Place]:
    """The answers that the code uses on ``line``, each alone."""
    for one, use in _used_on(sequence, (line,), shapes):
        yield from _split(one, use)


def answers_in_shape(run: Execution, shapes: AnswerShapes) -> Iterator[Sequence]:
    """Variants of a run that raised in which an answer has the shape that the code uses there."""
    failed = run.failed
    if failed is None:
        return
    lines = {failed.line, *(run.calling[:1] if run.calling is not None else ())}
    for (_, answers, put), use in _used_on(run.sequence, lines, shapes):
        shape = shapes.shape_of(use)
        if shape is None:
            continue
        for key in use.keys[:MAX_KEYS]:
            if arg_key(answers.of(key)) != arg_key(shape):
                yield put(answers.with_answer(key, shape))
        if not use.keys and arg_key(answers.default) != arg_key(shape):
            yield put(answers._replace(default=shape))


class SplitAnswers:
    """A function of a stand-in answers one of the texts that it is asked for in another way."""

    name = "split answers"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with another answer to one text.

        It is one that the line uses which is wanted, or else what is around it.
        """
        shapes = materials.answers
        found = [
            (one, use)
            for one in _functions(run.sequence)
            for use in shapes.uses.get(one[0], ())
            if use.keys
        ]
        near = [pair for pair in found if pair[1].scope == materials.wanted] or found
        if rng.random() < LINE_CHANCE:
            near = [pair for pair in near if materials.line in pair[1].lines] or near
        if not near:
            return None
        one, use = near[rng.randrange(len(near))]
        key = use.keys[rng.randrange(len(use.keys))]
        shape = shapes.shape_of(use)
        if shape is not None and rng.random() < SHAPE_CHANCE:
            return one[2](one[1].with_answer(key, shape))
        inner = list(inside(one[1].of(key), _at_key(one[1], one[2], key)))
        arg, put = inner[rng.randrange(len(inner))]
        new = change(arg, (), materials, rng)
        return None if new is None or not is_readable(new) else put(new)
