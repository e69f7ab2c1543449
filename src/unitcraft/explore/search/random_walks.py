"""Long histories: random walks over the calls that change an object, or influence a target.

Invariant: a walk starts from a known state or makes its objects, and uses small argument
alphabets, so that values meet again and structures grow deep instead of wide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from random import Random
from typing import Final

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import (
    Arg,
    Call,
    Display,
    Ref,
    Sequence,
    refs_of,
    renumber_call,
)
from unitcraft.explore.execution import Execution
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.influence.sequence_drawing import SequenceDrawing
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.values.object_pool import Composer, ObjectPool, pick
from unitcraft.explore.search.values.value_choice import Domains
from unitcraft.subject.model import Invocable, Subject

#: Calls in a walk, at least: shorter histories are proposed one by one.
MIN_STEPS = 3
#: Calls in a walk, at most.
MAX_STEPS = 16

#: States, the earliest ones, from which walks start.
MAX_STARTS = 20
#: Walks of one class in a round.  Off: no site of 361, within noise; they serve containers.
WALKS_PER_CLASS: Final = 20
#: Sequences that influence one target in a round, at least, and all of them together.  On a model
#: with two targets, 48 for each reach 60 of 63 sites, 12 reach 52, none 39.
MIN_SEQUENCES: Final = 12
SEQUENCES_PER_ROUND: Final = 96
#: Calls of such a sequence that make no object, at most.
MAX_INFLUENCING: Final = 10
#: Calls that are taken out of one sequence because they raise.
MAX_REPAIRS: Final = 10
#: Chance that calls are put into a run that is kept, and how many at most.
INSERTING_CHANCE: Final = 0.5
MAX_INSERTED: Final = 3
#: Chance that an object in such a run is of another class.
REPLACING_CHANCE: Final = 0.3
#: Chance that the history of a known state takes the place of a constructor.
HISTORY_CHANCE: Final = 0.5
#: Chance that a call takes the last object that fits.
LAST_CHANCE: Final = 0.4
#: Chance that an object is put into a container of objects.
USED_CHANCE: Final = 0.7


class Walks:
    """The walks of a search: those on one object, and those towards a target.

    ``make`` answers a Proposer for an Invocable that the search itself does not call: methods of
    collaborators change the objects that a target is given.
    """

    def __init__(
        self,
        subject: Subject,
        goals: GoalMap,
        make: Callable[[Invocable], Proposer],
        proposers: Mapping[str, Proposer],
        objects: ObjectPool,
        rng: Random,
        seed: int,
    ) -> None:
        self._subject = subject
        self._goals = goals
        self._make = make
        self._helpers: dict[str, Proposer] = {}
        self._proposers = proposers
        self._objects = objects
        self._rng = rng
        self._own_rng = seeded_random(seed, "candidate sequences")
        self._drawing: SequenceDrawing | None = None
        self._repairs: dict[str, int] = {}

    def on_objects(self, changing: Collection[str]) -> list[tuple[str, Sequence]]:
        """Long histories for the classes whose code has unhit sites.

        ``changing`` are the methods that were seen to change a state.
        """
        plan: list[tuple[str, Sequence]] = []
        for info in self._subject.classes:
            members = [self._proposers[name] for name in info.members if name in self._proposers]
            methods = [one for one in members if one.invocable.kind == "method"]
            if any(self._goals.open_in(one.invocable.id) for one in methods):
                moving = [one for one in methods if one.invocable.id in changing]
                others = [one for one in methods if one.invocable.id not in changing]
                plan += walks(info.id, moving, others, self._objects, self._rng, WALKS_PER_CLASS)
        return plan

    def towards_targets(self) -> list[tuple[str, Sequence]]:
        """Candidate sequences for each Invocable whose code has unhit sites."""
        if self._drawing is None:
            self._drawing = SequenceDrawing(analyse_influence(self._subject), self._subject)
        plan: list[tuple[str, Sequence]] = []
        numbers = {name: self._drawing.number_of(name) for name in self._proposers}
        targets = [
            (name, target)
            for name, target in numbers.items()
            if target is not None and self._goals.open_in(name) and self._drawing.changing(target)
        ]
        for name, target in targets:
            for _ in range(max(MIN_SEQUENCES, SEQUENCES_PER_ROUND // len(targets))):
                made = self._inserted(name, target) or self._drawn(target)
                if made is not None:
                    self._repairs[made.key] = MAX_REPAIRS
                    plan.append((name, made))
        return plan

    def repaired(self, run: Execution) -> list[Sequence]:
        """A candidate sequence without the Call that raised before the last one."""
        left = self._repairs.pop(run.sequence.key, 0)
        if run.failed is None or not left or run.failed.position >= len(run.sequence) - 1:
            return []
        made = without_call(run.sequence, run.failed.position)
        if made is None:
            return []
        self._repairs[made.key] = left - 1
        return [made]

    def _inserted(self, name: str, target: int) -> Sequence | None:
        """A kept run with calls before its last one that may influence that, now and then."""
        rng, drawing = self._own_rng, self._drawing
        assert drawing is not None  # noqa: S101 - the caller made it
        corpus = self._proposers[name].corpus
        if not corpus or rng.random() >= INSERTING_CHANCE:
            return None
        *calls, last = corpus[rng.randrange(len(corpus))].sequence.calls
        made = list(self._results(calls, 0))
        if made and rng.random() < REPLACING_CHANCE:
            self._replace_object(calls, made)
        changing = drawing.changing(target)
        for _ in range(rng.randint(1, MAX_INSERTED)):
            call = self._call(changing[rng.randrange(len(changing))], made)
            calls += [call] if call is not None else []
        return Sequence((*calls, last))

    def _replace_object(self, calls: list[Call], made: list[tuple[Ref, int]]) -> None:
        """Put an object of another class that fits where one of its class fits in its place."""
        assert self._drawing is not None  # noqa: S101 - it knows what was made
        place = self._own_rng.randrange(len(made))
        ref, returned = made[place]
        others = self._drawing.others_like(returned)
        if others:
            number = others[self._own_rng.randrange(len(others))]
            call = self._call(number, made[:place])
            if call is not None:
                calls[ref.index] = call
                made[place] = (ref, self._drawing.matrix.returns(number))

    def _drawn(self, target: int) -> Sequence | None:
        assert self._drawing is not None  # noqa: S101 - the caller made it
        count = self._own_rng.randint(1, MAX_INFLUENCING)
        numbers = self._drawing.draw(target, count, self._own_rng)
        return self._calls(numbers) if numbers is not None else None

    def _calls(self, numbers: tuple[int, ...]) -> Sequence | None:
        """The Calls of a candidate sequence, with arguments from small alphabets.

        In place of a constructor may stand a history of an object of its class.
        """
        drawing, rng = self._drawing, self._own_rng
        assert drawing is not None  # noqa: S101 - it drew the numbers
        composer = Composer()
        made: list[tuple[Ref, int]] = []
        for number in numbers:
            row = drawing.matrix.rows[number]
            seeds = self._objects.seeds(row.invocable.owner)
            if row.invocable.kind == "constructor" and seeds and rng.random() < HISTORY_CHANCE:
                before = len(composer.calls)
                ref = composer.add(pick(seeds, rng))
                made += self._results(composer.calls[before:], before)
                made.append((ref, drawing.matrix.returns(number)))
                continue
            call = self._call(number, made)
            if call is None:
                return None
            made.append((Ref(len(composer.calls)), drawing.matrix.returns(number)))
            composer.calls.append(call)
        return Sequence(tuple(composer.calls))

    def _results(self, calls: list[Call], first: int) -> Iterator[tuple[Ref, int]]:
        """The objects that the Calls of a history made besides."""
        assert self._drawing is not None  # noqa: S101 - as above
        for place, call in enumerate(calls):
            number = self._drawing.number_of(call.name) if call.kind == "function" else None
            if number is not None:
                yield Ref(first + place), self._drawing.matrix.returns(number)

    def _call(self, number: int, made: list[tuple[Ref, int]]) -> Call | None:
        """One Call of a candidate sequence on what was made before, the last result more often."""
        assert self._drawing is not None  # noqa: S101 - as above
        matrix, rng = self._drawing.matrix, self._own_rng
        row = matrix.rows[number]
        proposer = self._proposer(row.invocable)
        given: dict[str, Arg] = {}
        for slot, fits in zip(row.slots, matrix.fits[number], strict=True):
            fitting = [ref for ref, returned in made if returned & fits]
            if fitting and slot.many:
                items = [ref for ref in fitting if rng.random() < USED_CHANCE]
                given[slot.name] = Display("list", tuple(items))
            elif fitting:
                last = rng.random() < LAST_CHANCE
                given[slot.name] = fitting[-1] if last else fitting[rng.randrange(len(fitting))]
        if row.slots[:1] and row.slots[0].name == "self" and "self" not in given:
            return None
        return proposer.step_with(given, rng)

    def _proposer(self, invocable: Invocable) -> Proposer:
        name = invocable.id
        if name not in self._proposers and name not in self._helpers:
            self._helpers[name] = self._make(invocable)
        return self._proposers.get(name) or self._helpers[name]


def without_call(sequence: Sequence, position: int) -> Sequence | None:
    """``sequence`` without a Call and those that need its result; None if the last one does."""
    dropped = {position}
    for place, call in enumerate(sequence.calls):
        if not dropped.isdisjoint(refs_of(call)):
            dropped.add(place)
    left = [place for place in range(len(sequence)) if place not in dropped]
    if len(sequence) - 1 in dropped:
        return None
    where = {old: new for new, old in enumerate(left)}
    return Sequence(tuple([renumber_call(sequence.calls[old], where) for old in left]))


def walks(
    owner: str,
    changing: list[Proposer],
    others: list[Proposer],
    objects: ObjectPool,
    rng: Random,
    count: int,
) -> list[tuple[str, Sequence]]:
    """``count`` walks on objects of ``owner``: (Invocable of the last Call, Sequence).

    ``changing`` are methods that were seen to change the state; the last Call may be
    one of ``others`` too.
    """
    seeds = objects.seeds(owner)
    made: list[tuple[str, Sequence]] = []
    for _ in range(count if seeds and changing else 0):
        seed = pick(seeds[:MAX_STARTS], rng)
        calls = list(seed.sequence.calls)
        receiver = Ref(seed.index)
        domains: Domains = {}
        mix = [changing[rng.randrange(len(changing))] for _ in range(2)] + changing
        for _ in range(rng.randint(MIN_STEPS, MAX_STEPS)):
            _extend(calls, mix[rng.randrange(len(mix))], receiver, rng, domains)
        last = (changing + others)[rng.randrange(len(changing) + len(others))]
        if _extend(calls, last, receiver, rng, domains):
            made.append((last.invocable.id, Sequence(tuple(calls))))
    return made


def _extend(
    calls: list[Call], proposer: Proposer, receiver: Ref, rng: Random, domains: Domains
) -> bool:
    call = proposer.step(receiver, rng, domains)
    if call is None:
        return False
    calls.append(call)
    return True
