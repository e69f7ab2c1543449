"""From the name of a class to its Specification: learn, confirm, learn from what refuted.

Invariant: a round learns from a small universe and confirms on a large one; what refutes a law
joins the small one, until a round refutes nothing or MAX_ITERATIONS is reached.  What is shown held
everywhere in the last round.

Source: MUTUAL, "Feedback Loop Framework"; HENKEL for the laws.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from unitcraft.core.events import Listener, Progress, SilentListener
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.subject_request import request_subject
from unitcraft.infer.algebraic.confirmation import Confirmation, Verdict, is_met, joined
from unitcraft.infer.algebraic.law_terms import Law, is_state
from unitcraft.infer.axiomatic.axioms import frame_axioms
from unitcraft.infer.axiomatic.constructor_laws import ConstructorLaws, count_arguments
from unitcraft.infer.class_request import ClassToSpecify, find_class, nothing_to_say
from unitcraft.infer.learning import Learned, learn, order_of, prune, relaxed
from unitcraft.infer.output.law_groups import LawGroups
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.output.shown_laws import LawShow
from unitcraft.infer.specification import Specification
from unitcraft.infer.stated_contracts import read_contracts
from unitcraft.infer.universe.class_operations import (
    attributes_of,
    constructors_of,
    domain_of,
    operations_of,
    other_constructors,
)
from unitcraft.infer.universe.determinism import elsewhere, exclude_unsteady, steady_starts
from unitcraft.infer.universe.made_objects import make_objects
from unitcraft.infer.universe.profiles import Profile, profiles_of
from unitcraft.infer.universe.state_equality import StateEquality
from unitcraft.infer.universe.transition_table import MAX_PAIRS, TransitionTable
from unitcraft.infer.universe.universes import Size, Universe
from unitcraft.infer.universe.untyped import present_attributes, resolve_sorts
from unitcraft.infer.universe.values import Values
from unitcraft.subject.model import Subject
from unitcraft.subject.source_files import SourceFiles

#: Rounds of learning and refuting; the classes of the benchmarks need two or three.
MAX_ITERATIONS: Final = 4
#: The universe of far values and random histories, and its rows: a last try to refute.
WIDE: Final = Size(depth=1, level=90, states=120, calls=60, walks=True)
MAX_WIDE_ROWS: Final = 400
#: Rows on which a law is tried in each round, and may cost another; in the end, those of proofs.
MAX_QUICK_ROWS: Final = 120
#: The share of the table that learning may fill: what is not run refutes nothing.
MAX_LEARNED_PAIRS: Final = 0.6
#: States that refuted a law and are learned from.
MAX_REFUTING: Final = 16
SMALL: Final = Size(depth=3, level=30, states=40, calls=40)
LARGE: Final = Size(depth=4, level=48, states=160, calls=36, walks=True)


@dataclass(frozen=True, slots=True)
class OpenHost:
    """A host that has imported a module, what it was asked to be, and the described Subject."""

    pool: Pool
    spec: HostSpec
    subject: Subject


@contextmanager
def open_host(request: ClassToSpecify) -> Iterator[OpenHost]:
    """A host for the module of ``request``.  Raises UnitcraftError when it cannot be imported."""
    spec = request.host("unitcraft.infer.agents.table_agent", request.module)
    with Pool(spec, request.jobs) as pool:
        yield OpenHost(pool, spec, request_subject(pool, request.module))


def infer_specification(
    host: OpenHost, request: ClassToSpecify, listener: Listener | None = None
) -> Specification:
    """The Specification of the class of ``request``, whose module ``host`` has imported.

    Raises UnitcraftError: the class is not there, makes no objects or has no operations, a method
    is unknown or a law cannot be read.
    """
    run = Inference(request, host.subject, host.pool, listener or SilentListener())
    run.prepare(host.spec)
    return run.specification()


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage is collected inside: next to nothing that inference makes is in a cycle.

    The table and the terms are many, and each collection would look through all of them.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Inference:
    """One inference (mutable while it runs)."""

    def __init__(
        self, request: ClassToSpecify, subject: Subject, pool: Pool, listener: Listener
    ) -> None:
        self._request = request
        self._listener = listener
        self._subject = subject
        self.pool = pool
        info, constructor = find_class(subject, request)
        wanted = operations_of(subject, info, request.methods, request.given)
        objects = make_objects(subject, constructor, wanted, pool, request.ints, request.given)
        constructor, self._pools = objects.constructor, objects.pools
        learned, confirmed = objects.learned, objects.confirmed
        if not learned:
            raise nothing_to_say(request.target, "its constructor raised with all values tried")
        operations = resolve_sorts(wanted, self._pools, learned, pool)
        if not request.methods:
            operations += present_attributes(attributes_of(info, operations), learned, pool)
        if not operations:
            cause = "no public method can be called with values known here"
            raise nothing_to_say(request.target, cause)
        self._left_out = tuple(
            (one.name, "fewer than two values are known for a parameter")
            for one in wanted
            if one.name not in {other.name for other in operations}
        )
        operations += constructors_of(constructor, request.given)
        operations += [] if request.methods else other_constructors(subject, info)
        self.table = TransitionTable(pool, operations, Values())
        self.equality = StateEquality(self.table)
        made = [self.table.add_start(call, place) for place, call in enumerate(confirmed)]
        self._starts = [state for state in made if state is not None]
        self._few = [s for call, s in zip(confirmed, made, strict=True)
                     if s is not None and call in learned]  # fmt: skip
        far = enumerate(objects.far, len(confirmed))
        made = [self.table.add_start(call, place) for place, call in far]
        self._far = [state for state in made if state is not None]
        self._equatable = "equatable" in info.tags
        self._extra: list[int] = []
        self._stated: list[Law] = []
        tree = SourceFiles().class_named(subject.file, request.qualname)
        self._claims = read_contracts(tree, operations)
        told = {one.name for one in request.preconditions}
        claimed = [one for one in self._claims.preconditions if one.name not in told]
        self._preconditions = (*request.preconditions, *claimed)

    def prepare(self, spec: HostSpec) -> None:
        """Explore, leave out what does not repeat, and choose how states are compared."""
        self._report("explore", 0)
        small = self._universe(fresh=False)
        with Pool(elsewhere(spec)) as other:
            steady = steady_starts(self.table, self._starts, other)
            self._starts = [state for state in self._starts if state in steady]
            far = steady_starts(self.table, self._far, other)
            self._far = [state for state in self._far if state in far]
            self._few = [state for state in self._few if state in steady]
            if not self._few:
                raise nothing_to_say(self._request.target, "its objects differ from run to run")
            small.explore(self._few, SMALL)
            small.steps([(self._few[0], call) for call in small.class_calls()])
            exclude_unsteady(self.table, other)
        if self._equatable:
            wide = self._universe(fresh=True, wide=True)
            self.equality.adopt_equals(self._observers(wide))
        if not self.equality.uses_equals:
            self.equality.adopt_unordered()
        profiles = profiles_of(self.table, self.equality)
        parser = LawParser(self.table.operations, profiles, self.table.values)
        self._stated = [parser.law(given) for given in self._request.checked]
        claims = map(parser.law_or_none, self._claims.laws)
        self._stated += [law for law in claims if law is not None and law not in self._stated]

    def _observers(self, small: Universe) -> list[int]:
        """Calls whose outcomes equal states have in common, those that tell most for least first.

        A call that changes its receiver makes a state that has to be told apart in turn: of these
        come last those without arguments, as they are few.
        """
        profiles = profiles_of(self.table, self.equality)
        ranked: list[list[int]] = [[], [], []]
        for call in small.calls():
            place, args = self.table.called[call]
            profile = profiles[place]
            if profile.makes or (profile.returns_none and not profile.raises):
                continue
            if not (profile.is_mutator and args):
                ranked[2 if profile.is_mutator else bool(args)].append(call)
        return [call for calls in ranked for call in calls]

    def _universe(self, *, fresh: bool, wide: bool = False, meant_only: bool = True) -> Universe:
        """A universe with the values to learn from, with fresh ones, or with far ones too."""
        values = self.table.values
        numbers: dict[str, tuple[int, ...]] = {}
        for operation in self.table.operations:
            for sort, one in zip(operation.sorts, operation.given, strict=True):
                pool = self._pools.pool(sort, one.type)
                args = (*pool.learned, *pool.fresh) if fresh else pool.learned
                args = (*args, *pool.wide) if wide else args
                numbers[sort] = tuple(dict.fromkeys(values.of_arg(arg) for arg in args))
        conditions = self._preconditions if meant_only else ()
        return Universe(self.table, self.equality, numbers, conditions)

    def learned_universe(self, size: Size) -> Universe:
        """A universe of the values that are learned from."""
        found = self._universe(fresh=False)
        found.explore(self._few, size, self._request.seed)
        found.starts = list(dict.fromkeys([*found.starts, *self._extra]))
        return found

    def larger_universe(self, size: Size, seed: int, *, meant_only: bool = True) -> Universe:
        """A universe of all values, to judge laws by that were confirmed on a smaller one.

        Without ``meant_only`` it makes calls that the user said are not meant.
        """
        found = self._universe(fresh=True, wide=True, meant_only=meant_only)
        found.explore([*self._starts, *self._far], size, seed)
        return found

    @uncollected()
    def specification(self) -> Specification:
        """Learn and confirm until nothing is refuted."""
        self.table.most = int(MAX_LEARNED_PAIRS * MAX_PAIRS)
        large = self._universe(fresh=True)
        large.explore(self._starts, LARGE, self._request.seed)
        quick = Confirmation(large, MAX_QUICK_ROWS)
        refuted: dict[Law, Verdict] = {}
        first: Universe | None = None
        for iteration in range(1, MAX_ITERATIONS + 1):
            self._report("learn", iteration)
            small = self.learned_universe(SMALL)
            small.beside = tuple(large.starts)
            if first is None:
                first = small
                large.starts = list(dict.fromkeys([*small.starts, *large.starts]))
            profiles = profiles_of(self.table, self.equality)
            learned = learn(small, profiles)
            verdicts = {law: quick.check(law) for law in learned.laws}
            failing = {law: one for law, one in verdicts.items() if one.witness is not None}
            new = {law: one for law, one in failing.items() if law not in refuted}
            refuted.update(new)
            if not new or not self.learn_from(new):
                break
        self._report("confirm", iteration)
        self.table.most = MAX_PAIRS
        kept = [law for law, verdict in verdicts.items() if verdict.confirmed]
        kept += _weaker(failing, learned, (quick,))
        laws = self._confirm(kept, (first or large, large), learned, profiles, refuted)
        rounds = (iteration, not new)
        return self._result(laws, refuted, learned, (first or large, large), profiles, rounds)

    def _confirm(
        self,
        kept: list[Law],
        universes: tuple[Universe, Universe],
        learned: Learned,
        profiles: list[Profile],
        refuted: dict[Law, Verdict],
    ) -> dict[Law, Verdict]:
        """Laws that follow from no others and that no row refutes, with their Verdicts.

        The rows are all that there are in both ``universes``, then far values and random
        histories; what is refuted no longer prunes others, which are then looked at.
        """
        first, large = universes
        wide = self._universe(fresh=True, wide=True)
        wide.explore([*self._starts, *self._far], WIDE, self._request.seed + 1)
        checks = (Confirmation(first), Confirmation(large), Confirmation(wide, MAX_WIDE_ROWS))
        made = ConstructorLaws(large, profiles, self._few[0]).run()
        known = {law: joined([check.check(law) for check in checks]) for law in made}
        kept = [*[law for law in made if not count_arguments(law)], *kept]
        if self.equality.disagreement:  # fields are alike in small objects that differ when large
            kept = [law for law in kept if not is_state(law.left)]
        unmet: set[Law] = set()
        laws = prune(kept, learned.rows, profiles)
        for _ in range(MAX_ITERATIONS):
            for law in [one for one in laws if one not in known]:
                verdicts = [check.check(law) for check in checks]
                met = checks[-1].check_where_met(law) if joined(verdicts).confirmed else None
                verdicts += [met] if met is not None else []
                known[law] = joined(verdicts)
                if not is_met(law, verdicts, has_variants=len(self._starts) > 1):
                    unmet.add(law)
                if known[law].witness is not None:
                    refuted[law] = known[law]
            bad = [law for law in laws if not known[law].confirmed or law in unmet]
            if not bad:
                break
            weaker = [law for law in _weaker(bad, learned, checks) if law not in known]
            kept = [*[law for law in kept if law not in bad], *weaker]
            laws = prune(kept, learned.rows, profiles, () if weaker else set(laws))
        shown = [law for law in made if known[law].confirmed]
        return {law: known[law] for law in (*shown, *laws) if law in known}

    def learn_from(self, refuted: Mapping[Law, Verdict]) -> bool:
        """Values and states of the rows that refuted laws are learned from; were any new?"""
        before = (len(self._extra), repr([self._pools.pool(s) for s in self._sorts()]))
        for verdict in refuted.values():
            witness = verdict.witness
            if witness is None:
                continue
            if witness.state not in self._extra and len(self._extra) < MAX_REFUTING:
                self._extra.append(witness.state)
            for variable, value in zip(witness.variables, witness.values, strict=True):
                self._pools.learn(variable.sort, self.table.values.arg(value))
        return before != (len(self._extra), repr([self._pools.pool(s) for s in self._sorts()]))

    def _sorts(self) -> list[str]:
        return list(dict.fromkeys(s for one in self.table.operations for s in one.sorts))

    def _result(
        self,
        laws: Mapping[Law, Verdict],
        refuted: Mapping[Law, Verdict],
        learned: Learned,
        universes: tuple[Universe, Universe],
        profiles: list[Profile],
        rounds: tuple[int, bool],
    ) -> Specification:
        first, large = universes
        witnesses = [one.witness.state for one in refuted.values() if one.witness is not None]
        telling = list(dict.fromkeys(witnesses))[:MAX_REFUTING]
        show = LawShow(self.table, self.equality, profiles, Confirmation(first), telling)
        confirmation = Confirmation(large)
        explained = {law.left for law in learned.laws}
        near = [
            show.law(one.law, confirmation.check(one.law))
            for one in learned.near
            if one.law.left not in explained
        ]
        proving = Confirmation(large, MAX_QUICK_ROWS)
        groups = LawGroups(learned.rows, profiles, confirmation, proving).run(list(laws))
        shown = show.lines(groups, laws, confirmation, self.pool)
        shown = show.ranked(shown, order_of(profiles))
        return Specification(
            self._request.target,
            tuple(shown),
            tuple(frame_axioms(self.table, profiles_of(self.table, self.equality))),
            tuple(one for one in near if not one.confirmed.confirmed),
            tuple(show.law(law, verdict) for law, verdict in refuted.items()),
            tuple(show.law(law, confirmation.check(law)) for law in self._stated),
            (*self._left_out, *self._excluded()),
            tuple(f"{one.name}: {one.text}" for one in self._preconditions),
            self.equality.sentence(),
            self.equality.uses_equals,
            (len(first.starts), len(large.starts)),
            len(self.table),
            *rounds,
            show.steps(profiles),
            show.apart(first.starts),
            domain_of(self.table.operations),
            tuple(show.law(law, confirmation.check(law)) for law in relaxed(laws)),
        )

    def _excluded(self) -> list[tuple[str, str]]:
        names = self.table.operations
        return [(names[place].name, reason) for place, reason in self.table.excluded.items()]

    def _report(self, phase: str, done: int) -> None:
        note = f"{len(self.table.states)} states, {len(self.table)} pairs"
        self._listener.progress(Progress(self._request.target, phase, done, MAX_ITERATIONS, note))


def _weaker(refuted: Iterable[Law], learned: Learned, checks: Sequence[Confirmation]) -> list[Law]:
    """What may be meant by laws that were refuted, as far as ``checks`` do not refute it too."""
    found = {other: None for law in refuted for other in learned.search.weaker(law)}
    return [law for law in found if all(check.check(law).witness is None for check in checks)]
