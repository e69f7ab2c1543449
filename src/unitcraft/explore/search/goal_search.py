"""Goal-directed exploration of a Subject: which Sequences reach which Goals.

Each round asks every Invocable for proposals (new receivers in breadth-first order of discovery,
new arguments, operands that comparison tracing saw), runs them and learns from the answers.

Invariant: rounds are barriers and answers are taken in the order of their plan, pass by pass, so
the outcome is the same for any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from unitcraft.core.containment import Containment, describe_traceback
from unitcraft.core.encoding import Plain, encode_sequence
from unitcraft.core.events import Listener, Progress
from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import Reply
from unitcraft.explore.calls import drained, is_explosive
from unitcraft.explore.concolic.branch_negation import BranchNegation
from unitcraft.explore.execution import Execution, describe_failure, execution_of
from unitcraft.explore.search.bounded_runs import BoundedRuns, SparingPool, extra_charge
from unitcraft.explore.search.def_use_search import DefUseSearch
from unitcraft.explore.search.duck_typing import hint_types
from unitcraft.explore.search.entry_points import (
    SharedCode,
    factory_runs,
    inherited_entries,
    private_entries,
    public_entries,
)
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.random_walks import Walks
from unitcraft.explore.search.reservoir import Reservoir
from unitcraft.explore.search.search_result import BlockedRun, Limits, Patience, SearchResult
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.surroundings.written_classes import pool_with_heirs
from unitcraft.explore.search.variation.stepping_stones import SteppingStones
from unitcraft.explore.search.waiting_sequences import WaitingSequences
from unitcraft.instrument.sites import BranchSite, RaiseLines
from unitcraft.subject.model import Invocable, Subject
from unitcraft.subject.values.user_factories import UserValues
from unitcraft.subject.values.value_pools import ValuePools

#: Kept runs that one round of branch negation repeats on proxies.  Halved: no site of 324.
MAX_FOLLOWED = 60
#: Rounds of branch negation in a row: a bound.  Halved: no site of 324.
MAX_NEGATION_ROUNDS = 12
#: Times that guessing and branch negation alternate: a bound.  Halved: no site of 324.
MAX_ALTERNATIONS = 4
#: Rounds without a new Goal that end guessing.  Thrice: no site more of 361, 34 % more runs.
STALE_ROUNDS = 12
#: Proposals in a round, at least, for an Invocable whose code has unhit sites.  Halved: no site.
MIN_PROPOSALS = 4
#: Rounds without a new Goal after which the proposals for an Invocable are halved.  Halved: no site
#: alone; with less patience 14 of 213 Goals of one module.
HALVING_ROUNDS = 2
#: Proposals in a round for an Invocable that has gained lately.  Halved: 2 sites more of 361.
PER_ROUND = 24
#: Variations towards each missing site in a guessing round.  Off: no site of 153, 9 % more runs.
VARIATIONS = 2
#: The same when guessing brings nothing new, and all of them together at least.  Halved: no site of
#: 153, 6 % fewer runs, 1 Goal fewer of 370.
MANY_VARIATIONS, MIN_VARIATIONS = 24, 120
#: Rounds of variation without a new site after which guessing or the solver have their turn.
#: Halved: no site of 729, 2 % fewer runs.
STALE_VARYING_ROUNDS = 6
#: Shares of the runs there are that guessing, variation and the solver leave to those after them:
#: of 188 branches of a model of 25 classes 13 were missed without, 3 with them.  Of what is left:
#: of all, guessing left nothing to the others (301 -> 317 of 390 sites of a module of caches).
GUESSING_LEAVES, VARYING_LEAVES, SOLVING_LEAVES = 0.5, 0.8, 0.5
#: Runs for private code that no public code enters, as a share of those for the public code: that
#: of its Invocables among all, up to this one.  Half of it changes nothing on six modules.
MAX_PRIVATE_SHARE = 0.5


class GoalSearch:
    """One search over one Subject through one Pool of rewritten workers."""

    def __init__(
        self,
        subject: Subject,
        sites: list[BranchSite],
        raises: list[RaiseLines],
        pool: Pool,
        pools: ValuePools,
        user: UserValues,
        seed: int,
        negation: BranchNegation | None = None,
        contained: Containment | None = None,
    ) -> None:
        self.negation = negation
        self.contained = contained or Containment()
        self.spare = Reservoir(seed)
        self.unfollowed: list[Execution] = []
        self.bounds = BoundedRuns()
        self.max_executions = Limits().executions
        self.user = user
        self.subject = subject
        self.pool = pool
        self.seed = seed
        self.pools = pools
        objects = pool_with_heirs(subject, pools)
        self.findings = SearchResult(GoalMap(subject, sites, raises), objects)
        self.proposers: dict[str, Proposer] = {}
        self.waiting = WaitingSequences(self.findings.goals, self.proposers, seed, pools)
        self.stones = SteppingStones(self.findings.goals, self.proposers, pools, seed)
        self.varied_at = -1
        self.unprobed: list[Proposer] = []
        self.variables = self.findings.goals.variables = self.waiting.variables
        self.variables.watch(subject.module, sites, pools.looks_at_host, pools.told)
        self.run_before: set[str] = set()
        self.planned: list[tuple[str, Sequence]] = []
        self.gained: dict[str, int] = {}
        self.members = {info.id: info.members for info in subject.classes}
        self.sharing = SharedCode()
        self.changing: set[str] = set()
        self.rng = seeded_random(seed, "search")
        self._open(public_entries(subject))
        goals = self.findings.goals
        self.walks = Walks(subject, goals, self._proposer, self.proposers, objects, self.rng, seed)
        self.def_use = DefUseSearch(goals, self.proposers, objects.bases)

    def explore(self, limits: Limits, listener: Listener) -> SearchResult:
        """Search until the budget is spent or nothing new is found.

        Guessing goes on until ``STALE_ROUNDS`` rounds brought no new Goal, or its share is spent;
        then come the others.  What was never entered is opened (``explore.search.entry_points``).
        """
        self._learn_examples()
        for part in self.findings.parts(limits):
            self._alternate(part, listener)
        goals = self.findings.goals
        hidden = private_entries(self.subject, goals)
        if hidden:
            goals.admit(invocable.id for invocable in hidden)
            self._open(hidden)
            share = min(len(hidden) / len(self.proposers), MAX_PRIVATE_SHARE)
            self._alternate(self.findings.more(limits, share), listener)
        if not len(goals):
            inherited = inherited_entries(self.subject)
            goals.admit((invocable.id for invocable in inherited), inherited=True)
            self._open(inherited)
            self._alternate(next(self.findings.parts(limits)), listener)
        return self.findings

    def _open(self, invocables: Iterable[Invocable]) -> None:
        """Let the search call ``invocables``; those that it calls already go on as they are."""
        for invocable in invocables:
            if invocable.id not in self.proposers:
                self.sharing.add(invocable)
                self.proposers[invocable.id] = made = self._proposer(invocable)
                self.waiting.give_command_lines(made)
                self.gained[invocable.id] = self.findings.rounds
                self.unprobed.append(made)

    def _proposer(self, one: Invocable) -> Proposer:
        found, classes = self.findings, {info.id: info for info in self.subject.classes}
        judge = found.goals.plausibility
        return Proposer(one, classes, self.pools, found.objects, self.seed, judge)

    def _alternate(self, limits: Limits, listener: Listener) -> None:
        """Guess, vary, negate branches and draw sequences in turn, each with a share of runs."""
        found, self.max_executions = self.findings, limits.executions
        for _ in range(MAX_ALTERNATIONS):
            share = limits.leaving(GUESSING_LEAVES, found.executions)
            paid = self._guess(share, limits, listener)
            varied = self._vary(limits.leaving(VARYING_LEAVES, found.executions), listener)
            solved = self._solve(limits.leaving(SOLVING_LEAVES, found.executions), listener)
            if not solved and not varied and not self._influence(limits):
                break
        if paid:  # and the others did not need all that was left to them
            self._guess(limits, limits, listener)
            self._vary(limits, listener)

    def _goes_on(self, limits: Limits) -> bool:
        """Are runs and time left?"""
        if self.findings.executions >= limits.executions:
            return False
        late = limits.is_late()
        self.findings.truncated = self.findings.truncated or late
        return not late

    def _guess(self, share: Limits, limits: Limits, listener: Listener) -> bool:
        """Guess until nothing new is found, or a ``share`` of the runs is over; is it that?

        The last round is not cut: each Invocable has its proposals in it.
        """
        found, patience = self.findings, Patience(STALE_ROUNDS, self.findings.executions)
        while not patience.is_over() and self._goes_on(share):
            known = found.goals.gains
            self._run_new(self._plan(found.rounds), limits)
            found.rounds += 1
            if self.unprobed:
                usable = [p for p in self.unprobed if not self.bounds.is_spent(p.invocable.id)]
                with self.contained.part("duck typing"):
                    hint_types(usable, self.subject.classes, self.pool)
                self.unprobed = []
            advanced = self.waiting.take_advanced()
            self.gained.update(dict.fromkeys(advanced, found.rounds))
            patience.note(found.executions, gained=found.goals.gains > known or bool(advanced))
            self._report(share, listener)
        return not patience.is_over()

    def _vary(self, limits: Limits, listener: Listener) -> bool:
        """Vary while that pays, not again before sites were covered; were any?"""
        found, known = self.findings, self.findings.goals.progress
        patience = Patience(STALE_VARYING_ROUNDS, found.executions)
        if known == self.varied_at:
            return False
        while not patience.is_over() and self._goes_on(limits):
            hit, plan = found.goals.progress, self._waiting(PER_ROUND, self._is_wanting)
            with self.contained.part("proposing variations"):
                plan += self.stones.plan(MANY_VARIATIONS, MIN_VARIATIONS)
            self._run_new(plan, limits)
            is_new = bool(self.waiting.take_advanced()) or found.goals.progress > hit
            patience.note(found.executions, gained=is_new)
            self._report(limits, listener)
        self.varied_at = found.goals.progress
        return self.varied_at > known

    def _influence(self, limits: Limits) -> bool:
        """Run candidate sequences towards what stays open; were new sites covered?"""
        found, known = self.findings, self.findings.goals.progress
        patience = Patience(STALE_VARYING_ROUNDS, found.executions)
        while not patience.is_over() and self._goes_on(limits):
            hit = found.goals.progress
            plan = self._waiting(MIN_PROPOSALS, lambda name: found.goals.open_in(name, branch=True))
            with self.contained.part("proposing walks"):
                plan += self.walks.towards_targets(SparingPool(self.pool, self.bounds))
            found.executions += self.walks.take_charge()
            self._run_new(plan, limits)
            patience.note(found.executions, gained=found.goals.progress > hit)
        return found.goals.progress > known

    def _run_new(self, plan: Iterable[tuple[str, Sequence]], limits: Limits) -> None:
        left = max(0, limits.executions - self.findings.executions)
        self._run(self._not_run_before(plan)[:left])

    def _waiting(self, most: int, is_wanting: Callable[[str], bool]) -> list[tuple[str, Sequence]]:
        wanting = filter(is_wanting, self.proposers)
        return [(name, one) for name in wanting for one in self.waiting.take(name, most)]

    def _solve(self, limits: Limits, listener: Listener) -> bool:
        """Negate branches of what was kept since the last time and has open sites; any covered?"""
        if self.negation is None:
            return False
        found, missed = self.findings, len(self.findings.goals.missed())
        for _ in range(MAX_NEGATION_ROUNDS):
            if not self.unfollowed or not self._goes_on(limits):
                break
            open_ = [run for run in self.unfollowed if found.goals.open_in(run.invocable)]
            runs, self.unfollowed = open_[:MAX_FOLLOWED], open_[MAX_FOLLOWED:]
            left = limits.executions - found.executions
            plan: list[tuple[str, Sequence]] = []
            with self.contained.part("branch negation"):
                plan = self._not_run_before(self.negation.proposals(runs, left))
            found.executions += self.negation.take_charge()
            self._run(plan[: max(0, limits.executions - found.executions)])
            self._report(limits, listener)
        return len(found.goals.missed()) < missed

    def _report(self, limits: Limits, listener: Listener) -> None:
        done, known = self.findings.executions, f"{len(self.findings.goals)} goals"
        listener.progress(Progress(self.subject.module, "explore", done, limits.executions, known))

    def corpus(self) -> list[Execution]:
        """Runs that reached a new Goal when they were made, by Invocable."""
        return [run for proposer in self.proposers.values() for run in proposer.corpus]

    # -- planning ---------------------------------------------------------------

    def _learn_examples(self) -> None:
        """Run what is planned and the documented examples, whose arguments are tried first."""
        plan = [*factory_runs(self.subject, self.user, self.proposers), *self.planned]
        for example in self.subject.examples:
            if (proposer := self.proposers.get(example.invocable)) is None:
                continue
            plan.append((example.invocable, example.sequence))
            last = example.sequence.calls[-1]
            for slot, arg in zip(proposer.slots, last.args[last.kind == "method" :], strict=False):
                slot.try_first(arg)
        for value in self.subject.callers:
            caller = self.proposers.get(value.invocable)
            for slot in caller.slots if caller is not None else ():
                if slot.parameter.name == value.parameter:
                    slot.try_first(value.value)
        self._run(self._not_run_before(plan))
        lazy = [(name, drained(one)) for name, one in plan if self.proposers[name].drains]
        self._run(self._not_run_before(lazy))

    def _plan(self, number: int) -> list[tuple[str, Sequence]]:
        plan: list[tuple[str, Sequence]] = []
        for name, proposer in self.proposers.items():
            with self.contained.part("proposing calls"):
                plan.extend((name, one) for one in self._propose(name, proposer, number))
        with self.contained.part("proposing walks"):
            plan += self.walks.on_objects(self.changing)
        with self.contained.part("proposing variations"):
            plan += self.stones.plan(VARIATIONS, 0) if number else []
        return plan

    def _propose(self, name: str, proposer: Proposer, number: int) -> Iterator[Sequence]:
        """The waiting Sequences of one Invocable, new ones, and variations of kept ones."""
        share = self._share(name, PER_ROUND, number)
        yield from self.waiting.take(name, 2 * share + 2)
        yield from proposer.propose(share)
        if number:
            yield from proposer.variations(share // 2, proposer.rng)

    def _share(self, name: str, usual: int, number: int) -> int:
        """How many proposals: halved for every two rounds without a new Goal."""
        idle = max(0, number - self.gained.get(name, 0))
        if self._is_wanting(name):
            return max(MIN_PROPOSALS, usual >> min(4, idle // HALVING_ROUNDS))
        return max(1, usual // 4 >> min(4, idle))

    def _is_wanting(self, name: str) -> bool:
        """Has its code, or that of a constructor's class, unhit sites?  Or did no call return?"""
        goals, invocable = self.findings.goals, self.proposers[name].invocable
        if invocable.kind not in ("constructor", "classmethod"):
            is_open = goals.open_in(name) and self.sharing.has_turn(name, self.findings.rounds)
            return is_open or name not in self.findings.returned
        return any(map(goals.open_in, self.members.get(invocable.owner, ())))

    def _not_run_before(self, plan: Iterable[tuple[str, Sequence]]) -> list[tuple[str, Sequence]]:
        kept: list[tuple[str, Sequence]] = []
        for name, bare in plan:
            sequence = self.variables.arrange(name, bare)
            self.findings.proposed.add(name)
            key = sequence.key
            if key not in self.run_before and not is_explosive(sequence):
                self.run_before.add(key)
                kept.append((name, sequence))
        return kept

    # -- running ------------------------------------------------------------------

    def _run(self, plan: list[tuple[str, Sequence]]) -> None:
        for name, sequence, reply in self._replies(plan):
            self.findings.executions += 1
            ran = reply != Reply()  # else a guard struck before
            self.findings.tried[name] = self.findings.tried.get(name, 0) + ran
            if reply.error:
                self.contained.note("a worker", describe_traceback(reply.error))
            if reply.failure is not None:
                if not self.waiting.note_refusal(name, sequence, reply):
                    self.findings.blocked.append(BlockedRun(name, reply.failure))
            elif reply.value is not None:
                with self.contained.part("learning from a run"):
                    self._learn(name, execution_of(name, sequence, reply.value))

    def _replies(self, plan: list[tuple[str, Sequence]]) -> Iterator[tuple[str, Sequence, Reply]]:
        """The replies to ``plan``, pass by pass, without those that bounds have retired.

        One is learnt from while workers go on with those after it.
        """
        found = self.findings
        for chosen in self.bounds.passes(plan):
            items: list[Plain] = [encode_sequence(plan[number][1]) for number in chosen]
            answers = self.pool.map("run", items)
            for number, item, reply in zip(chosen, items, answers, strict=True):
                found.executions += self.bounds.note(*plan[number], reply.failure)
                found.executions += extra_charge(item, reply.value)
                yield *plan[number], reply
            if found.executions >= self.max_executions:
                break

    def _learn(self, name: str, run: Execution) -> None:
        goals = self.findings.goals
        sensible = goals.sensible(run)
        self.findings.sensible[name] = self.findings.sensible.get(name, 0) + sensible
        if run.failed is None:
            self.findings.returned[name] = self.findings.returned.get(name, 0) + 1
        else:
            failures = self.findings.raised if sensible else self.findings.misused
            failures[name] = describe_failure(run.failed)
        hit = goals.progress
        kept = goals.offer(run, goals.price(run)) if sensible else False
        is_new = goals.reaches_new_code(run)
        self.stones.note(run, kept=kept, is_new=is_new, sites=goals.progress - hit)
        if kept:
            self.gained[name] = self.findings.rounds + 1
            self.unfollowed.append(run)
        elif sensible:
            self.spare.offer(run)
        if sensible and not goals.is_incidental(run):
            changed = self.findings.objects.offer(run, kept=kept)
            self.changing.update([name] if changed else [])
        self.proposers[name].learn(run, sensible=sensible, kept=kept)
        self.waiting.note(name, run, kept=kept, is_new=is_new)
        ended = self.stones.ended_early(run) if is_new else None
        if ended is not None:
            self.waiting.put_first(ended[0], [ended[1]], run)
        self.waiting.put_first(name, self.variables.note(name, run), run)
        self.waiting.put(name, "resumed", self.findings.objects.resumed(run))
        for user, sequence in self.def_use.proposals(run, self.rng) if sensible else ():
            self.waiting.put_first(user, [sequence])
