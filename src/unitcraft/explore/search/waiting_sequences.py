"""Sequences that wait to be run, made from what earlier runs showed.

Invariant: each Invocable has a queue of its own, in which all comparisons have their turns; what
is put depends on the runs alone, in their order, and on a stream of chance of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from unitcraft.core.encoding import Plain
from unitcraft.core.outcomes import Position, Rejected
from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Arg, Call, Const, Display, Sequence
from unitcraft.execute.spec import Reply
from unitcraft.explore.execution import Execution, execution_of
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.missed_values import given_left_out, values_for_key
from unitcraft.explore.search.other_kinds import other_kinds
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.surroundings.answer_calls import CallAnswers
from unitcraft.explore.search.surroundings.command_sequences import (
    calls_behind,
    command_calls,
    lines_behind,
)
from unitcraft.explore.search.surroundings.complete_objects import complete_objects, declared_values
from unitcraft.explore.search.surroundings.complete_texts import complete
from unitcraft.explore.search.surroundings.place_files import (
    fill_paths,
    names_host,
    own_paths,
    refused_look,
)
from unitcraft.explore.search.surroundings.set_variables import VariableChoice
from unitcraft.explore.search.turn_queue import TurnQueue
from unitcraft.explore.search.variation.counted_calls import CountedCalls
from unitcraft.explore.search.variation.fill_mappings import (
    MAX_STATED,
    fill_missed,
    holds_objects,
    missed_keys,
)
from unitcraft.explore.search.variation.grow_stand_ins import (
    alternatives,
    grow,
    missed_by,
    stand_in,
)
from unitcraft.explore.search.variation.input_to_state import (
    inputs,
    of_asked_kind,
    substitutions,
)
from unitcraft.explore.search.variation.kinds.split_answers import (
    answers_in_shape,
    places_of_answers,
)
from unitcraft.explore.search.variation.places import Place, places
from unitcraft.explore.search.variation.variation_kind import NO_ANSWERS
from unitcraft.subject.runtime_types import type_of_class
from unitcraft.subject.values.stdlib_values import VALUES
from unitcraft.subject.values.texts.document_texts import has_document
from unitcraft.subject.values.texts.file_texts import FileTexts
from unitcraft.subject.values.value_pools import ValuePools

#: Runs that are given what they missed, for each thing that was missing at one line: it may be
#: missed on several ways there.  Two take 3 % fewer runs, eight 2 % more, for the same 221 sites
#: (``make ablation``, six modules drawn at random).
MAX_SAME_MISS = 4
#: Runs of one Invocable and one outcome that are given files; kept runs always are, and those with
#: arguments that few would pass are counted apart.
#: One: no site of 153, 39 runs fewer of 9,800.
MAX_SAME_LOOK = 3
#: Runs of one Invocable that end in want of one attribute, after which a test sets it although the
#: module's own code does: the call that would has ended too soon, again and again.  Halved with
#: three others, sites of ``pellets`` (664, seed 0): 0.
MANY_LACKING = 32
#: Comparisons that come last before the line at which a function that never returned ended, where
#: it came further than ever: the check that turned it away is among them.  Halved with eleven such
#: bounds, sites of ``pellets`` (664, seed 0): +3.
MAX_LAST = 4
#: Characters of an operand by which what is made from comparisons with it is known.  Halved with
#: eleven such bounds, sites of ``pellets`` (664, seed 0): +3.
MAX_PURPOSE = 60
#: Values of a class that a check of a kind asks for which are put in each place of the other kind.
#: Halved with nine others, sites of ``pellets`` (664, seed 0): +7.
MAX_OF_CLASS = 2
#: Types that one parameter takes from checks of its type.  Halved: no site of 759, 1 % more runs.
MAX_CHECKED_TYPES = 8


class WaitingSequences:
    """The queues of a search (mutable); ``proposers`` are those of the search, as they come."""

    def __init__(
        self,
        goals: GoalMap,
        proposers: Mapping[str, Proposer],
        seed: int,
        pools: ValuePools | None = None,
    ) -> None:
        self._goals = goals
        self._pools = pools
        self._completed: Counter[tuple[str, Position, str | None]] = Counter()
        self._stored = pools.stored_attributes if pools is not None else frozenset()
        self._shapes = pools.answers if pools is not None else NO_ANSWERS
        self._uses = {
            name: use._replace(answers=self._shapes.of(name))
            for name, use in (pools.attribute_uses if pools is not None else {}).items()
        }
        self._files = pools.files if pools is not None else None
        self._lines = pools.command_lines if pools is not None else ()
        self._takers = pools.takers if pools is not None else ()
        self._commands: dict[str, list[Call]] = {}
        self._may_replace = pools is None or pools.mocks
        self.variables = VariableChoice()
        self._answers = CallAnswers({}, {})
        if pools is not None:
            self.variables = VariableChoice(pools.variables, pools.telling_values)
            self.variables.shapes = pools.answers
            if pools.mocks:
                self._answers = CallAnswers(pools.callees, pools.hooks, pools.asked_results)
        self._proposers = proposers
        self._rng = seeded_random(seed, "substitute")
        self._queues: dict[str, TurnQueue] = defaultdict(TurnQueue)
        self._counted = CountedCalls()
        self._placed: Counter[tuple[str, str, bool, bool]] = Counter()
        self._grown: Counter[tuple[str, int, str | None]] = Counter()
        self._filled: Counter[tuple[str, int, str, bool, bool]] = Counter()
        self._lacked: Counter[tuple[str, str | None]] = Counter()
        self._checked: set[str] = set()
        self._advanced: set[str] = set()
        self._ends: set[Position | str] = set()

    def take(self, name: str, most: int) -> list[Sequence]:
        """At most ``most`` Sequences for the Invocable ``name``, which leave its queue."""
        return self._queues[name].take(most)

    def put_first(self, name: str, found: Iterable[Sequence], run: Execution | None = None) -> None:
        """Put what ``run`` suggests at the front of a queue, the last Sequence foremost."""
        self._queues[name].put_first(found, run and _end_of(run))

    def put(self, name: str, purpose: str, found: Iterable[Sequence]) -> None:
        """Let Sequences wait for the turn of ``purpose``."""
        self._queues[name].put(purpose, found)

    def take_advanced(self) -> frozenset[str]:
        """Whose runs came to new code, misuse or not, or ended in other calls, since last asked."""
        advanced, self._advanced = frozenset(self._advanced), set()
        return advanced

    def note(self, name: str, run: Execution, *, kept: bool, is_new: bool) -> None:
        """Queue what ``run`` suggests; ``kept``: it reached a new Goal, ``is_new``: new code."""
        self._substitute(name, run, kept=kept)
        if kept and run.failed is None and name not in self._checked:
            self._checked.add(name)
            self._queues[name].put("other kinds", other_kinds(run, self._proposers[name].slots))
        if kept:
            self.put_first(name, reversed([*lines_behind(run, self._lines)]), run)
            for other, calls in self._commands.items():
                self.put_first(other, reversed([*calls_behind(run, calls)]), run)
        proposer = self._proposers[name]  # what few would pass has no turns of the others
        self._queues[name].put_first(proposer.follow_ups(run), (_end_of(run), proposer.is_odd(run)))
        self._grow(name, run, kept=kept, is_new=is_new)
        self._complete(name, run)
        self.put_first(name, self._counted.repeated(run), run)
        if run.touched and self._files is not None:
            self._place_files(name, run, self._files, kept=kept)
        target, variables = self._answers.target_of(run), self.variables
        if target:
            found = variables.take_function(name, run, target, always=False)
            self.put_first(name, reversed(found), run)
        for one in sorted(variables.functions_of(run)):
            self.put_first(name, reversed(variables.take_function(name, run, one)), run)

    def _complete(self, name: str, run: Execution) -> None:
        """Queue what gives a text of the run what the call in which it ended looked for."""
        if self._pools is None or run.failed is None or run.calling is None:
            return
        ended = (name, run.calling, run.failed.message)
        if self._completed[ended] < MAX_SAME_MISS:
            made = complete(run, self._pools.wanted_texts(run.calling))
            self._completed[ended] += bool(made)
            self.put_first(name, reversed(made), run)

    def give_command_lines(self, made: Proposer) -> None:
        """Let a function that parses a command line have some that its parser knows."""
        if made.invocable.command is not None:
            calls = list(command_calls(made.invocable.command))
            made.suggest(made.slots[0].parameter.name, [call.args[0] for call in calls])
            self._commands[made.invocable.id] = calls
            self._queues[made.invocable.id].put("", [Sequence((one,)) for one in calls])
            return
        for function, parameter in self._takers:
            if function == made.invocable.name and not parameter:
                self.variables.take_words(made.invocable.id, self._lines)
            elif function == made.invocable.name:
                words = [Display("list", tuple(map(Const, line))) for line in self._lines]
                made.suggest(parameter, words)
                if _takes_one(made, parameter):
                    calls = [Call("function", made.invocable.id, (one,)) for one in words]
                    self._queues[made.invocable.id].put("", [Sequence((one,)) for one in calls])

    def note_refusal(self, name: str, sequence: Sequence, reply: Reply) -> bool:
        """Queue variants of a run that was refused something; is there any, of this or another?"""
        event = reply.failure.event if isinstance(reply.failure, Rejected) else ""
        refused = None if reply.shown is None else execution_of(name, sequence, reply.shown)
        target = self._answers.target_of_refusal(refused, event)
        if refused is not None and target is not None:
            self.put_first(
                name, reversed(self.variables.take_function(name, refused, target)), refused
            )
            return True
        answers = self.variables.note_refusal(name, sequence, event)
        self._queues[name].put_first(reversed(answers))
        if answers:
            return True
        run = refused_look(name, sequence, event)
        if run is None or self._files is None or not names_host(run):
            return False
        self._place_files(name, run, self._files, kept=False)
        return True

    def _place_files(self, name: str, run: Execution, files: FileTexts, *, kept: bool) -> None:
        """Queue what gives a run that looked at files such files of its own."""
        scope = name.partition(":")[2]
        contents = files.contents(scope)
        failure = run.failed.type if run.failed else ""
        outside = names_host(run)
        made = fill_paths(run, contents)
        if outside:
            made += own_paths(run, files.name(scope), contents)
        looked = (name, failure, outside, self._proposers[name].is_odd(run))
        if made and (kept or self._placed[looked] < MAX_SAME_LOOK):
            self._placed[looked] += 1
            self.put_first(name, reversed(made), run)

    def _grow(self, name: str, run: Execution, *, kept: bool, is_new: bool) -> None:
        """Queue what gives the run's arguments what it missed, and other results of stand-ins."""
        end = run.calling or name  # a place is new once, whoever comes there
        if is_new or end not in self._ends:
            self._advanced.add(name)
        self._ends.add(end)
        missed = (name, run.failed.line if run.failed else 0, missed_by(run))
        grown: list[Sequence] = []
        is_new_miss = missed[2] is not None and self._grown[missed] < MAX_SAME_MISS
        if is_new_miss and self._may_replace:
            grown += grow(run, self._open_calls(name, run), self._uses)
            grown += answers_in_shape(run, self._shapes)
            if not grown:
                grown = stand_in(run, self._is_untyped, self._uses)
                grown = grown or self._complete_objects(name, run)
            self._grown[missed] += bool(grown)
        if is_new or kept:
            grown += alternatives(run)
        grown += self._fill(name, run)
        self.put_first(name, reversed(grown), run)

    def _complete_objects(self, name: str, run: Execution) -> list[Sequence]:
        """Variants of ``run`` whose objects have what they lacked: what calls set, if none does."""
        failed = run.failed
        lacked = (name, failed.message if failed is not None else "")
        self._lacked[lacked] += 1
        is_set = self._lacked[lacked] < MANY_LACKING
        classes, pools = self._proposers[name].classes, self._pools

        def declared(cls: str, attribute: str) -> list[Arg]:
            """Some values of the type that a class declares for an attribute."""
            fields = dict(classes[cls].fields) if cls in classes else {}
            if attribute not in fields or pools is None:
                return []
            plain = partial(pools.values, limit=MAX_STATED, name=attribute)
            return declared_values(fields[attribute], cls, plain)

        return complete_objects(run, self._stored if is_set else (), self._uses, declared)

    def _fill(self, name: str, run: Execution) -> list[Sequence]:
        """Variants of a run whose containers have what was looked up in them and missing."""
        open_calls = self._open_calls(name, run)
        made: list[Sequence] = []
        if not (missing := list(missed_keys(run))):
            return made
        if run.failed is not None:  # what was missed last is what the code complains of
            missing.reverse()
        holds = holds_objects(run.sequence)  # then other values do not tell what it leads to
        for at, (site, key, there) in enumerate(missing):
            ended = at == 0 and run.failed is not None and not self._is_asked_for(name, key)
            missed = (name, site, repr(key), has_document(run.sequence.calls[-1]), holds)
            is_open = holds or ended or self._goals.is_half_open(site)
            if self._filled[missed] < MAX_SAME_MISS and is_open:
                known: tuple[Arg, ...] = ()
                plausibility, pools = self._goals.plausibility, self._pools
                if pools is not None:
                    known = tuple(values_for_key(run, key, open_calls, plausibility, pools))
                found = fill_missed(run, key, there, open_calls, known)
                if pools is not None and not there:
                    found = [*given_left_out(run, key, plausibility, pools), *found]
                self._filled[missed] += bool(found)
                made += found
        return made

    def _is_asked_for(self, name: str, key: Any) -> bool:
        """Does the code of the Invocable ``name`` name the ``key`` itself?  Others are data."""
        return self._pools is not None and key in self._pools.keys(name.partition(":")[2])

    def _open_calls(self, name: str, run: Execution) -> list[int]:
        """The numbers of the Calls of ``run`` that take keyword arguments of any name."""
        last = len(run.sequence) - 1
        names = [call.name if call.kind == "function" else "" for call in run.sequence.calls[:last]]
        found = [self._proposers.get(one) for one in (*names, name)]
        return [at for at, one in enumerate(found) if one is not None and one.takes_any_keyword()]

    def _is_untyped(self, call: Call, index: int) -> bool:
        """Has the parameter for argument ``index`` of a function or constructor no type?

        It has one where a class that fits can be built: an object of it is no stand-in.
        """
        proposer = self._proposers.get(call.name) if call.kind == "function" else None
        slots = proposer.slots if proposer is not None else []
        if proposer is None or index >= len(slots) or slots[index].declared.name != "any":
            return False
        evidence = slots[index].evidence
        classes = [one.type.cls for one in evidence.candidates] if evidence is not None else []
        return not any(cls in VALUES or proposer.objects.seeds(cls) for cls in classes if cls)

    def _substitute(self, name: str, run: Execution, *, kept: bool) -> None:
        """Queue Sequences in which the operand of a comparison becomes the input.

        Runs that go on to their end have turns of their own: of those that raise behind the
        comparison no variant may be sensible, and they may be the first and the most.
        """
        queue = self._queues[name]
        goals = self._goals
        found: list[Place] | None = None
        for comparison in run.comparisons:
            if comparison[1] in ("matched", "member"):
                continue
            if not goals.worth_negating(comparison, kept=kept):
                continue
            purpose = (_purpose_of(comparison), run.returned)
            if comparison[1] == "isinstance":
                self._add_hints(name, comparison)
            if not queue.is_full(purpose):
                found = list(inputs(places(run.sequence))) if found is None else found
                queue.put(purpose, self._negated(run, comparison, found))
        if goals.advances.is_last(run):
            found = list(inputs(places(run.sequence))) if found is None else found
            for comparison in run.comparisons[-MAX_LAST:]:
                queue.put_first(reversed(list(self._negated(run, comparison, found))), run.failed)

    def _negated(self, run: Execution, comparison: Plain, found: list[Place]) -> Iterable[Sequence]:
        """Sequences in which ``comparison`` may come out otherwise; ``found`` are the inputs."""
        if comparison[1] == "isinstance":
            return of_asked_kind(places(run.sequence), comparison, self._of_class)
        line = self._goals.sites[comparison[0]].line
        split = inputs(places_of_answers(run.sequence, line, self._shapes))
        return substitutions([*split, *found], comparison, self._rng)

    def _of_class(self, cls: str) -> tuple[Arg, ...]:
        """Values of the class with id ``cls`` that need no other Call."""
        if self._pools is None:
            return ()
        return self._pools.values(type_of_class(cls), limit=MAX_OF_CLASS)

    def _add_hints(self, name: str, comparison: Plain) -> None:
        """Classes that the code asks for become types of untyped parameters."""
        for slot in self._proposers[name].slots:
            if slot.declared.name == "any":
                for cls in comparison[3]:
                    if len(slot.hints) < MAX_CHECKED_TYPES:
                        slot.add_hint(type_of_class(cls))


def _end_of(run: Execution) -> Plain:
    """Where the run ended: the exception, its place, and the call of the Subject that it was in."""
    failed = run.failed
    return failed and (failed.type, failed.module, failed.line, run.calling)


def _purpose_of(comparison: Plain) -> Plain:
    """What Sequences made from ``comparison`` are for: its site, and what a text was matched to.

    A loop may match many expressions at one site; the operands of other comparisons may differ
    in each run.
    """
    site, kind, _, right = comparison
    return (site, kind, right[0][:MAX_PURPOSE]) if kind == "regex" else (site, kind)


def _takes_one(made: Proposer, parameter: str) -> bool:
    """Can the function be called with its first parameter alone, which is ``parameter``?"""
    first, *rest = [slot.parameter for slot in made.slots]
    optional = not any(one.required for one in rest)
    return made.invocable.kind == "function" and first.name == parameter and optional
