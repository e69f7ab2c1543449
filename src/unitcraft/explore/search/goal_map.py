"""Goals of a search and the cheapest Execution for each.

Invariant: a Goal once reached stays reached, and its Execution is only ever replaced by a cheaper
one (ties keep the older).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from unitcraft.core.encoding import Plain
from unitcraft.core.goals import Family, Goal, def_use_goal, entry_goal, neighbour_goal
from unitcraft.explore.calls import gives_twice
from unitcraft.explore.contracts import Contracts
from unitcraft.explore.execution import MISUSE, Execution, RunFailure, cost
from unitcraft.explore.intent import (
    INCIDENTAL_BURDEN,
    Intent,
    IntentJudge,
    burden_of_run,
    is_failed_by_test,
    is_stray,
    is_unfilled,
    return_goals,
    templates_of,
)
from unitcraft.explore.plausibility.argument_fit import Fit, Plausibility
from unitcraft.explore.search.goal_criteria import Aim
from unitcraft.explore.search.surroundings import answer_kinds as answers
from unitcraft.explore.search.surroundings import command_sequences as commands
from unitcraft.explore.search.surroundings.place_files import depends_on_host
from unitcraft.explore.search.surroundings.set_variables import VariableChoice
from unitcraft.explore.search.surroundings.written_classes import says_nothing
from unitcraft.explore.search.variation import sites_ahead as ahead
from unitcraft.explore.search.variation.grow_stand_ins import has_stand_in, is_ended
from unitcraft.instrument.sites import BranchSite, RaiseLines
from unitcraft.subject.model import Subject

#: Distinct classes of results of one Invocable that count as Goals.  Off: no site of 324.
MAX_BEHAVIOURS = 4
#: Members of a table, and patterns, that count as Goals at one site.
MAX_MEMBERS, MAX_PATTERNS = 10, 100
#: Times that a comparison is negated for the sake of its boundary.  Halved: no site of 729.
MAX_BOUNDARY_NEGATIONS = 40

#: Comparisons whose boundary, equal operands, is a Goal of its own.
_ORDERS = frozenset({"<", "<=", ">", ">="})
#: Comparisons whose boundary, equal and neighbouring integers, counts where a branch depends on it.
_EQUALITIES = frozenset({"==", "!="})


class GoalMap:
    """Goals reached, with the run that shows each; ``raises`` are the raise statements.

    ``gains`` counts the Goals for whose sake a search goes on; ``mutated`` are the functions that
    each mutant is in, by its number.
    """

    def __init__(self, subject: Subject, sites: list[BranchSite], raises: list[RaiseLines]) -> None:
        self.best: dict[Goal, tuple[int, Execution]] = {}
        self.gains = 0
        self.variables = VariableChoice()
        self.mutated: Mapping[int, tuple[str, ...]] = {}
        self.plausibility = Plausibility(subject)
        self.sites = sites
        hollow = subject.trivial_lines()
        self._own = [one.module == subject.module and one.line not in hollow for one in sites]
        self._patterns = frozenset(regex.pattern for regex in subject.regexes)
        self._branches = {
            number: Goal(Family.CONDITION if site.kind == "condition" else Family.BRANCH, number)
            for number, site in enumerate(sites)
            if self._own[number]
        }
        self._hit = bytearray(len(sites))
        self.advances = ahead.Advances()
        self._touched = bytearray(len(sites))
        self._entered = ahead.EnteredFunctions(sites)
        self.progress = 0
        self._credited: dict[str, list[Goal]] = {}
        self._counts: Counter[tuple[Family, int, str]] = Counter()
        self._negated: Counter[int] = Counter()
        self._classes = {i.id for i in subject.classes}
        self._templates = templates_of(subject)
        own_classes = {i.id for i in subject.classes if i.module == subject.module}
        helpers = {i.id for i in subject.classes if "collaborator" in i.tags or not i.public}
        self._tested = {i.id for i in subject.invocables if i.owner not in helpers}
        self._defined = {i.id for i in subject.invocables if i.module == subject.module}
        self._inherited = {i.id for i in subject.invocables if i.uses_own}
        self._constructors = {i.id for i in subject.invocables if i.kind == "constructor"}
        self._scopes = {
            i.id: f"{i.module}:{i.first}" if i.id in self._defined else i.id
            for i in subject.invocables
        }
        self.judge = IntentJudge(subject, raises)
        self._contracts = Contracts(subject)
        self._aim = Aim()
        self._gone: frozenset[Family] = frozenset()
        self._others: set[str] = set()
        self._uses: dict[str, list[tuple[int, int]]] = {}
        self._refused = commands.refused_lines(subject)
        self._spans = {i.id: (i.first, i.last) for i in subject.invocables if i.id in self._defined}
        self._code = {
            invocable.id: self._sites_between(invocable.module, invocable.first, invocable.last)
            for invocable in subject.invocables
            if invocable.id in self._defined or invocable.owner not in own_classes
        }

    def __len__(self) -> int:
        return len(self.best)

    def aim(self, aim: Aim) -> None:
        """Set the Aim of the criteria; to be called before the first offer."""
        self._aim = aim
        if aim.lines is not None:
            first, last = aim.lines
            for number, site in enumerate(self.sites):
                self._own[number] = self._own[number] and first <= site.line <= last
            spans = self._spans.items()
            self._tested -= {name for name, (start, _) in spans if not first <= start <= last}
        self._uses = {
            name: [(pair.definition, pair.use) for pair in aim.pairs
                   if any(first <= line <= last for line in pair.lines)]
            for name, (first, last) in self._spans.items()
        }  # fmt: skip

    def _sites_between(self, module: str, first: int, last: int) -> list[int]:
        found = enumerate(self.sites)
        return [at for at, one in found if one.module == module and first <= one.line <= last]

    def sensible(self, run: Execution) -> bool:
        """Is the run free of misuse: it returned, or raised something that a caller may see?

        What depends on where it runs (``depends_on_host``), or what the test itself defines, says
        nothing, nor does an exception that no ``raise`` of the Subject makes where a stand-in is
        among the arguments: it is the stand-in that does not fit; nor a run with an argument that
        strong evidence contradicts, unless the Subject itself refuses it.
        """
        if depends_on_host(run, self.variables) or not answers.are_as_documented(run.sequence):
            return False
        if says_nothing(run.sequence):
            return False
        failed = run.failed
        if failed is not None:
            if failed.position != len(run.sequence) - 1 or is_failed_by_test(failed, run):
                return False
            if self.judge.is_raised_here(failed):
                return True
        if self.plausibility.fit_of_sequence(run.sequence) is Fit.CONTRADICTED:
            return False
        if failed is None:
            return run.behaviour != "NotImplemented"
        passed_on = self.judge.passes_on(failed, run) or is_ended(failed, run)
        if passed_on or self._declines(run, failed):
            return True
        if not failed.inside or failed.type in MISUSE:
            return False
        return not has_stand_in(run.sequence)

    def is_inherited(self, invocable: str) -> bool:
        """Is its code another module's?"""
        return invocable not in self._defined

    def code_of(self, invocable: str) -> str:
        """What the Invocable runs: the same for members that classes inherit from one."""
        return self._scopes.get(invocable, invocable)

    def is_constructor(self, invocable: str) -> bool:
        """Does the Invocable only make an object?"""
        return invocable in self._constructors

    def is_incidental(self, run: Execution) -> bool:
        """Did the run end in an exception that nobody meant?"""
        failed = run.failed
        if failed is None or self._declines(run, failed):
            return False
        return self.judge.intent_of(run.invocable, failed) is Intent.INCIDENTAL

    def _is_stray(self, run: Execution) -> bool:
        """Did the last Call run other code in place of that which it is about?"""
        return is_stray(run, self._code.get(run.invocable, ()), self._refused)

    def is_doubtful(self, run: Execution) -> bool:
        """Has it an argument that nobody would pass, and does the Subject not refuse it itself?"""
        fit = self.plausibility.fit_of_sequence(run.sequence)
        return fit >= Fit.ODD and not self._is_refused(run)

    def _is_refused(self, run: Execution) -> bool:
        if (failed := run.failed) is None:
            return False
        return self.judge.refuses(run.invocable, failed) or self._declines(run, failed)

    def words_its_message(self, run: Execution) -> bool:
        """Is the message of the run's exception text of the project, as it was meant?"""
        if (failed := run.failed) is None:
            return True
        is_stated = self.judge.intent_of(run.invocable, failed) is Intent.STATED
        return is_stated and not is_unfilled(failed.message)

    def price(self, run: Execution) -> int:
        """What a reader pays for the run: its text, and more where end or arguments say little."""
        says_little = self.is_incidental(run) or self._is_stray(run)
        burden = INCIDENTAL_BURDEN * says_little + answers.burden_of_answers(run.sequence)
        burden += burden_of_run(run, self._classes, self._templates)
        return (
            cost(run.sequence)
            + burden
            + self.plausibility.penalty_of(run.sequence, is_refused=self._is_refused(run))
        )

    def _declines(self, run: Execution, failed: RunFailure) -> bool:
        """Did an operator's method return NotImplemented, for which TypeError is raised?"""
        last = run.sequence.calls[-1]
        return (
            last.kind == "operator"
            and not last.name[:1].isalnum()
            and failed.type == "builtins:TypeError"
            and not failed.inside
            and any(number in run.last_hits for number in self._code.get(run.invocable, ()))
        )

    def offer(self, run: Execution, cost: int) -> bool:
        """Record ``run`` for its Goals; answers whether it reached a new one."""
        known = len(self.best)
        self._record(filter(self._counts_still, self._goals(run)), run, cost)
        for number in run.hits:
            self.progress += self._own[number] and not self._hit[number]
            self._hit[number] = 1
        return len(self.best) > known

    def _record(self, goals: Iterable[Goal], run: Execution, cost: int) -> None:
        for goal in goals:
            held = self.best.get(goal)
            self.gains += held is None and goal.family not in self._aim.aside
            if held is None or cost < held[0]:
                self.best[goal] = (cost, run)

    def _goals(self, run: Execution) -> list[Goal]:
        own, name = self._own, run.invocable
        if name not in self._tested:
            return []
        goals = [self._branches[number] for number in run.hits if own[number]]
        scope = self._scopes[name]
        if name not in self._defined:
            return goals + self._inherited_goals(run, scope)
        if self._is_stray(run) or self.is_doubtful(run):
            return goals
        goals += self._contracts.goals_of(run)
        if self.is_incidental(run):
            return goals
        if (failed := run.failed) is not None:
            line = run.line_of_failure(scope.rpartition(":")[0])
            goals.append(Goal(Family.EXCEPTION, line, scope, failed.type))
        else:
            goals += return_goals(run, scope)
            goals += self._bounded(Goal(Family.RESULT, 0, scope, run.behaviour), MAX_BEHAVIOURS)
        for site, kind, item, other in run.comparisons:
            if own[site]:
                goals += self._boundary(site, kind, item, other)
            is_member = kind == "member" and own[site] and not gives_twice(run.sequence, item)
            if is_member or (kind == "matched" and self._is_own_match(site, item)):
                most = MAX_MEMBERS if is_member else MAX_PATTERNS
                goals += self._bounded(entry_goal(site, item), most)
        goals += self._bounded(Goal(Family.PATH, 0, scope, run.last_hits), self._aim.paths)
        return [*goals, *map(def_use_goal, run.pairs), *self._aim.planned.get(run.sequence.key, ())]

    def _inherited_goals(self, run: Execution, scope: str) -> list[Goal]:
        """That an inherited member returned, once for each class and kind of result."""
        if run.invocable not in self._inherited or run.failed is not None:
            return []
        kinds = self._bounded(Goal(Family.RESULT, 0, scope, run.behaviour), MAX_BEHAVIOURS)
        return [Goal(Family.RETURN, 0, scope, run.truth), *kinds]

    def _boundary(self, site: int, kind: str, item: Plain, other: Plain) -> list[Goal]:
        """Equal operands of an order; equal and neighbouring integers where a branch depends."""
        if kind in _ORDERS and type(item) is not str and item == other:
            return [Goal(Family.BOUNDARY, site)]
        if kind not in _ORDERS and kind not in _EQUALITIES:
            return []
        integers = type(item) is int and type(other) is int
        if integers and abs(item - other) <= 1 and site in self._aim.guards:
            return [neighbour_goal(site, item - other)]
        return []

    def _bounded(self, goal: Goal, limit: int) -> tuple[Goal, ...]:
        """The Goal, unless ``limit`` others with other details alone were reached before."""
        if goal not in self.best:
            kind = (goal.family, goal.number, goal.scope)
            if self._counts[kind] >= limit:
                return ()
            self._counts[kind] += 1
        return (goal,)

    def worth_negating(self, comparison: Plain, *, kept: bool) -> bool:
        """Is an outcome at the comparison's site, or a pattern's match, still missing?"""
        site, kind, _, right = comparison
        if kind == "regex" and entry_goal(site, right[0]) not in self.best:
            return self._is_own_match(site, right[0])
        if self._wants_boundary(comparison):
            return True
        return kept or not (self._hit[site] and self._hit[site + 1])

    def _is_own_match(self, site: int, pattern: Plain) -> bool:
        """Does the module match there, or a helper elsewhere match a pattern of the module?"""
        return self._own[site] or pattern in self._patterns

    def _wants_boundary(self, comparison: Plain) -> bool:
        """Is the comparison of integers one whose boundary is asked for and not yet complete?"""
        site, kind, left, right = comparison
        known = kind in _ORDERS or kind in _EQUALITIES
        if not known or site not in self._aim.guards or not type(left) is type(right) is int:
            return False
        equal = Goal(Family.BOUNDARY, site) if kind in _ORDERS else neighbour_goal(site, 0)
        if {equal, neighbour_goal(site, 1), neighbour_goal(site, -1)} <= self.best.keys():
            return False
        self._negated[site] += 1
        return self._negated[site] <= MAX_BOUNDARY_NEGATIONS

    def admit(self, names: Iterable[str], *, inherited: bool = False) -> None:
        """Count runs of the Invocables ``names`` from now on; ``inherited``: once for each."""
        (self._inherited if inherited else self._tested).update(names)

    def reaches_new_code(self, run: Execution) -> bool:
        """Is it the first run, misuse or not, to hit one of its own sites, or to come so far?"""
        new = [number for number in run.hits if self._own[number] and not self._touched[number]]
        for number in new:
            self._touched[number] = 1
        self._entered.note(run.invocable, new)
        is_further = self.advances.note(run)
        self.progress += is_further
        return is_further or bool(new)

    def is_entered(self, invocable: str) -> bool:
        """Has a run hit a site in the Invocable's code?"""
        return any(self._hit[number] for number in self._code.get(invocable, ()))

    def open_in(self, invocable: str, *, branch: bool = False) -> bool:
        """Has its own code, or what it led to, missing sites (``branch``: no operands), or uses?"""
        code = (*self._code.get(invocable, ()), *self._entered.leads_to(invocable))
        missing = {self.sites[at].kind for at in code if not self._hit[at]}
        joined = all(map(self.is_joined, self._uses.get(invocable, ())))
        return bool(missing - {"condition"}) if branch else bool(missing) or not joined

    def is_joined(self, pair: tuple[int, int]) -> bool:
        """Has a run reached the def-use pair?"""
        return def_use_goal(pair) in self.best

    def wanted_uses(self, definition: int) -> list[tuple[str, tuple[int, int]]]:
        """(Invocable, pair) for each missing pair of ``definition`` whose use it contains."""
        return [
            (invocable, pair)
            for invocable, pairs in self._uses.items()
            for pair in pairs
            if pair[0] == definition and not self.is_joined(pair)
        ]

    def add_goals(self, run: Execution, found: list[Goal]) -> None:
        """Record Goals for ``run`` that its own answer does not show: the mutants it kills.

        No test is wanted for what an incidental exception, or a test beside the point, would tell.
        """
        if self.is_incidental(run) or self._is_stray(run) or self.is_doubtful(run):
            return
        self._credited.setdefault(run.sequence.key, []).extend(found)
        self._record(found, run, self.price(run))

    def keep_only(self, families: Collection[Family]) -> None:
        """Drop the Goals of all others, and the truth of what is no predicate, from now on."""
        self._gone |= frozenset(Family).difference(families)
        self._others |= {one.scope for one in self.best if one[0] is Family.RETURN and not one[3]}
        self.best = {goal: held for goal, held in self.best.items() if self._counts_still(goal)}

    def _counts_still(self, goal: Goal) -> bool:
        is_truth = goal.family is Family.RETURN and goal.detail in ("True", "False")
        return goal.family not in self._gone and not (is_truth and goal.scope in self._others)

    def goals_of(self, run: Execution) -> list[Goal]:
        """The reached Goals that ``run`` shows too."""
        credited = self._credited.get(run.sequence.key, [])
        reached = dict.fromkeys([*self._goals(run), *credited])
        return [goal for goal in reached if goal in self.best]

    def missed_pairs(self) -> list[str]:
        """Titles of the listed def-use pairs that no run covered, each once."""
        pairs = [one for one in self._aim.pairs if not self.is_joined((one.definition, one.use))]
        return list(dict.fromkeys([one.title for one in pairs]))

    def sites_ahead(self) -> list[ahead.SiteAhead]:
        """The missing sites that a run came near to, misuse or not."""
        return ahead.find_sites_ahead(self.sites, self._own, self._hit, self._touched)

    def is_half_open(self, number: int) -> bool:
        """Is one of the outcomes of the comparison at site ``number`` missing?"""
        return self._own[number] and not (self._hit[number] and self._hit[number + 1])

    def missed(self) -> list[BranchSite]:
        """Sites of the Subject that no run hit, in source order."""
        missing = [own and not hit for own, hit in zip(self._own, self._hit, strict=True)]
        return [site for site, open_ in zip(self.sites, missing, strict=True) if open_]
