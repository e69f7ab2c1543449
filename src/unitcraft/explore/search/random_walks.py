"""Long histories: random walks over the calls that change an object, or influence a target.

Invariant: a walk starts from a known state or makes its objects, and uses small argument
alphabets, so that values meet again and structures grow deep instead of wide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from random import Random
from typing import Final

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Arg, Call, Display, Ref, Sequence, Symbol
from unitcraft.explore.calls import other_blocks, passed_to, without_calls
from unitcraft.explore.influence.seen_effects import SeenEffects
from unitcraft.explore.influence.sequence_drawing import SequenceDrawing
from unitcraft.explore.plausibility.argument_fit import Fit
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.values.kept_arguments import KeptArguments
from unitcraft.explore.search.values.object_pool import Composer, ObjectHistory, ObjectPool, pick
from unitcraft.explore.search.values.value_choice import Domains
from unitcraft.subject.model import Invocable, Subject

#: Calls in a walk, at least: shorter histories are proposed one by one.  Halved, sites of
#: ``pellets`` (664, seeds 0 and 1): +8, -5.
MIN_STEPS = 3
#: Calls in a walk, at most.  Halved, sites of ``pellets`` (664, seeds 0 to 2): +9, +13, +7, but
#: whole searches (60,000 runs, seeds 0 and 1) -5, +6; +1 and 0 of two modules; and no walk makes a
#: stack of ten.
MAX_STEPS = 16

#: States, the earliest ones, from which walks start.  Halved, sites of ``pellets`` (664, seeds 0
#: and 1): +2, +10.
MAX_STARTS = 20
#: Walks of one class in a round.  Off: no site of 361, within noise; they serve containers.
WALKS_PER_CLASS: Final = 20
#: Sequences that influence one target in a round, at least, and all of them together.  On a model
#: with two targets, 48 for each reach 60 of 63 sites, 12 reach 52, none 39.
MIN_SEQUENCES: Final = 24
SEQUENCES_PER_ROUND: Final = 160
#: Sequences that are drawn for each that is wanted: many come to one that was made before.  Halved
#: with the bound before and the three behind it, sites of ``pellets`` (664, seed 1): -4.
TRIES: Final = 4
#: Calls of such a sequence that make no object, at most.
MAX_INFLUENCING: Final = 10
#: Calls that are put into a kept run, at most.
MAX_INSERTED: Final = 3
#: Calls for objects that such a call needs and is given, each for the next, at most.
MAX_DEPTH: Final = 2
#: Chances, one in two: that calls are put into a kept run, that the history of a known state takes
#: the place of a constructor, that calls stand in the block of a context manager.  Halved, sites of
#: ``pellets`` (664, seed 1): -3.
EVEN_CHANCE: Final = 0.5
#: Chances that a kept run gets an object of another class, and a call in it a new object although
#: there is one.  Halved, sites of ``pellets`` (664, seed 1): -4.
NEW_OBJECT_CHANCE: Final = 0.3
#: Chance that the last call of a kept run is repeated, as it may count something.  The chances from
#: here on, MAKING_CHANCE and CONSTRUCTOR_CHANCE all at 0.5 and this at 0.3: 5 and 7 sites of 664 of
#: ``pellets`` fewer (whole searches, seeds 0 and 1, which differ by 10 themselves); none of 514 and
#: 93 of two other modules.
REPEATING_CHANCE: Final = 0.25
#: Chance that a call takes the last object that fits.
LAST_CHANCE: Final = 0.4
#: Chance that an object is put into a container of objects.
USED_CHANCE: Final = 0.7
#: Chance that a plain argument is one that a kept run passed.
KEPT_CHANCE: Final = 0.6


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
        self._seen = SeenEffects(subject, self._likely_classes)
        self._invocables = {
            one.owner if one.kind == "constructor" else one.id: one for one in subject.invocables
        }
        self._abstract = {
            one.id for one in subject.classes if not {"abstract", "protocol"}.isdisjoint(one.tags)
        }
        self._made: set[str] = set()
        self._charge = 0
        self._kept = KeptArguments(subject.handed)
        self._natural: dict[str, tuple[int, list[ObjectHistory]]] = {}

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

    def take_charge(self) -> int:
        """The runs that it took to see which calls raise, since the last time."""
        charge, self._charge = self._charge, 0
        return charge

    def towards_targets(self, pool: SparingPool) -> list[tuple[str, Sequence]]:
        """Candidate sequences for each Invocable whose code has unhit sites, branches first.

        Calls that raise before the last are left out.
        """
        corpora = {name: one.corpus for name, one in self._proposers.items()}
        self._drawing = self._seen.drawing(corpora)
        for corpus in corpora.values():
            self._kept.take(corpus, self._invocables)
        drawn: list[tuple[str, Sequence]] = []
        numbers = {name: self._drawing.number_of(name) for name in self._proposers}
        targets = [
            (name, target)
            for name, target in numbers.items()
            if target is not None and self._goals.open_in(name) and self._drawing.changing(target)
        ]
        targets = [one for one in targets if self._goals.open_in(one[0], branch=True)] or targets
        for name, target in targets:
            count = max(MIN_SEQUENCES, SEQUENCES_PER_ROUND // len(targets))
            drawn += [(name, one) for one in self._new_sequences(name, target, count)]
        return self._cleared(drawn, pool)

    def _likely_classes(self, invocable: Invocable, parameter: str) -> list[str]:
        """The classes of the Subject that the evidence for a parameter names."""
        evidence = self._goals.plausibility.evidence(invocable).get(parameter)
        return [one.type.cls for one in evidence.candidates if one.type.cls] if evidence else []

    def _new_sequences(self, name: str, target: int, count: int) -> Iterator[Sequence]:
        """At most ``count`` candidate sequences that were not made before."""
        for _ in range(count * TRIES):
            whole = self._inserted(name, target) or self._drawn(target)
            made = whole and without_calls(whole, (), self._acting_apart(whole))
            if count and made is not None and made.key not in self._made:
                count -= 1
                yield made

    def _cleared(
        self, drawn: list[tuple[str, Sequence]], pool: SparingPool
    ) -> list[tuple[str, Sequence]]:
        """``drawn`` without the Calls that raise before the last, and without repetitions."""
        found, charge = pool.failing([one for _, one in drawn])
        self._charge += charge
        plan: list[tuple[str, Sequence]] = []
        for (name, whole), failing in zip(drawn, found, strict=True):
            if failing is None:
                continue
            made = without_calls(whole, failing, self._acting_apart(whole))
            if made is not None and made.key not in self._made:
                self._made.add(made.key)
                plan.append((name, made))
        return plan

    def _inserted(self, name: str, target: int) -> Sequence | None:
        """A kept run, of the newer ones, with calls before its last one that may influence that."""
        rng, drawing = self._own_rng, self._drawing
        assert drawing is not None  # noqa: S101 - the caller made it
        corpus = self._proposers[name].corpus
        if not corpus or rng.random() >= EVEN_CHANCE:
            return None
        newest = int(len(corpus) * max(rng.random(), rng.random()))
        *calls, last = corpus[newest].sequence.calls
        made = list(self._results(calls, 0))
        if made and rng.random() < NEW_OBJECT_CHANCE:
            self._replace_object(calls, made)
        changing = drawing.changing(target)
        composer = Composer()
        composer.calls = calls
        if rng.random() < REPEATING_CHANCE:
            calls += [last] * rng.randint(1, MAX_INSERTED)
            return composer.finish(last)
        for _ in range(rng.randint(1, MAX_INSERTED)):
            self._append(composer, made, changing[rng.randrange(len(changing))])
        return composer.finish(last)

    def _append(
        self, composer: Composer, made: list[tuple[Ref, int]], number: int, depth: int = 0
    ) -> None:
        """Put Call ``number`` at the end, after new objects for it, now and then for all slots."""
        rng, drawing = self._own_rng, self._drawing
        assert drawing is not None  # noqa: S101 - as above
        for slot, fits in zip(
            drawing.matrix.rows[number].slots, drawing.matrix.fits[number], strict=True
        ):
            lacks = not any(returned & fits for _, returned in made)
            if depth < MAX_DEPTH and slot.required and (lacks or rng.random() < NEW_OBJECT_CHANCE):
                maker = drawing.maker(fits, rng)
                if maker is not None:
                    self._append(composer, made, maker, depth + 1)
        self._put(composer, made, number)

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
        composer = Composer()
        made: list[tuple[Ref, int]] = []
        if not all(self._put(composer, made, number) for number in numbers):
            return None
        return Sequence(tuple(composer.calls))

    def _put(self, composer: Composer, made: list[tuple[Ref, int]], number: int) -> bool:
        """Put Call ``number`` at the end, or the history of a known object for a constructor."""
        drawing, rng = self._drawing, self._own_rng
        assert drawing is not None  # noqa: S101 - it drew the number
        invocable = drawing.matrix.rows[number].invocable
        is_made, owner = invocable.kind == "constructor", invocable.owner
        if is_made and (owner in self._abstract or rng.random() < EVEN_CHANCE):
            seeds = self._natural_seeds(owner)
            if seeds:
                before = len(composer.calls)
                ref = composer.add(pick(seeds, rng))
                made += self._results(composer.calls[before:], before)
                made.append((ref, drawing.matrix.returns(number)))
                return True
        if is_made and owner in self._abstract:
            return False
        call = self._call(number, made)
        if call is not None:
            composer.calls += self._opened(call, len(composer.calls))
            made.append((Ref(len(composer.calls) - 1), drawing.matrix.returns(number)))
        return call is not None

    def _opened(self, call: Call, at: int) -> tuple[Call, ...]:
        """``call``, or what opens a block around what follows it, where it can be entered."""
        blocks = other_blocks(call, at)
        return blocks[-1] if blocks and self._own_rng.random() < EVEN_CHANCE else (call,)

    def _natural_seeds(self, owner: str) -> list[ObjectHistory]:
        """The histories of objects of ``owner`` whose arguments fit their types."""
        seeds = self._objects.seeds(owner)
        known, natural = self._natural.get(owner, (0, []))
        if len(seeds) != known:
            natural = [one for one in seeds if self._is_natural(one)]
            self._natural[owner] = len(seeds), natural
        return natural

    def _is_natural(self, seed: ObjectHistory) -> bool:
        """Do the arguments in its history fit their types?"""
        fit = self._goals.plausibility.fit_of_sequence(seed.sequence)
        return fit < Fit.DOUBTFUL and all(call.kind != "set" for call in seed.sequence.calls)

    def _results(self, calls: list[Call], first: int) -> Iterator[tuple[Ref, int]]:
        """The objects that the Calls of a history made besides."""
        assert self._drawing is not None  # noqa: S101 - as above
        for place, call in enumerate(calls):
            maker = _receiver(calls, place, first)
            made = maker or call
            if call.name == "call" and made.kind == "define" and isinstance(made.args[0], Symbol):
                base = f"{made.args[0].module}:{made.args[0].qualname}"
                yield Ref(first + place), self._drawing.matrix.of_class(base)
                continue
            number = self._number(call, maker)
            if number is not None:
                yield Ref(first + place), self._drawing.matrix.returns(number)

    def _number(self, call: Call, maker: Call | None) -> int | None:
        """The number of what ``call`` calls on what ``maker`` made, if that is known."""
        assert self._drawing is not None  # noqa: S101 - as above
        called = self._invocables.get(f"{maker.name}.{call.name}" if maker else call.name)
        return self._drawing.number_of(called.id) if called is not None else None

    def _acting_apart(self, whole: Sequence) -> tuple[int, ...]:
        """The Calls that act on the last one although they share no object with it."""
        assert self._drawing is not None  # noqa: S101 - as above
        calls = whole.calls
        numbers = [self._number(call, _receiver(calls, at, 0)) for at, call in enumerate(calls)]
        return self._drawing.acting_apart(numbers)

    def _call(self, number: int, made: list[tuple[Ref, int]]) -> Call | None:
        """One Call of a candidate sequence on what was made before, the last result more often."""
        assert self._drawing is not None  # noqa: S101 - as above
        matrix, rng = self._drawing.matrix, self._own_rng
        row = matrix.rows[number]
        proposer = self._proposer(row.invocable)
        given = self._kept_arguments(row.invocable, {slot.name for slot in row.slots})
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

    def _kept_arguments(self, invocable: Invocable, objects: Collection[str]) -> dict[str, Arg]:
        """Some of the plain arguments that kept runs passed, by name."""
        rng = self._own_rng
        given: dict[str, Arg] = {}
        for parameter in passed_to(invocable):
            if parameter.name not in objects and rng.random() < KEPT_CHANCE:
                value = self._kept.draw(invocable.id, parameter.name, rng)
                if value is not None:
                    given[parameter.name] = value
        return given

    def _proposer(self, invocable: Invocable) -> Proposer:
        name = invocable.id
        if name not in self._proposers and name not in self._helpers:
            self._helpers[name] = self._make(invocable)
        return self._proposers.get(name) or self._helpers[name]


def _receiver(calls: SequenceOf[Call], place: int, first: int) -> Call | None:
    """The Call that made the receiver of Call ``place``, where the numbers begin at ``first``."""
    call = calls[place]
    maker = call.args[0] if call.kind != "function" and call.args else None
    return calls[maker.index - first] if isinstance(maker, Ref) else None


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
