"""Runs from which others start: towards each site that is missing, from runs that came near to it.

Invariant: a stone is a run that came to new code or reached a new Goal, misuse or not; which ones
are varied, and how, depends on the runs in their order and on a stream of chance of its own.

Source: AFL; *differs*: parents are chosen for each missing site, by the outcome beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Final, Protocol

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Arg, Build, Call, Const, Ref, Sequence, refs_of
from unitcraft.core.types import ANY
from unitcraft.explore.declared_types import may_be
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.values.object_pool import ObjectHistory
from unitcraft.explore.search.variation.module_flags import module_flags
from unitcraft.explore.search.variation.places import places
from unitcraft.explore.search.variation.schedule import Schedule
from unitcraft.explore.search.variation.sites_ahead import SiteAhead
from unitcraft.explore.search.variation.state_readers import state_readers
from unitcraft.explore.search.variation.variation_kind import Materials, ParameterSlot
from unitcraft.subject.known_types import STR
from unitcraft.subject.model import Invocable
from unitcraft.subject.reading.replaceable_calls import tree_of
from unitcraft.subject.scopes import asked_attributes, names_by_line, texts_by_line
from unitcraft.subject.values.telling_texts import in_form
from unitcraft.subject.values.value_pools import ValuePools

#: Stones that are kept.  Halved: no site, no run of 9,800.
MAX_STONES: Final = 600
#: Stones from which one site is tried in one round, the newest ones.
#: Halved: no site of 153, 8 % more runs.
MAX_PARENTS: Final = 12
#: Texts of one run's comparisons that become tokens.  Halved: no site, 7 runs fewer of 9,800.
MAX_COMPARED: Final = 40
#: Operands of conditions get so many times fewer variations than branches.
#: One: 7 sites fewer of 153, all of one module.
CONDITION_DIVISOR: Final = 4
#: Variations in one round, over all sites.  Halved with nine others, sites of ``pellets`` (664,
#: seed 0): +7.
MAX_PLANNED: Final = 400
#: Ways to make an object of one class that are kept, the first ones.  Halved: no site of 759.
MAX_MAKINGS: Final = 40
#: Runs of other Invocables that may come before one.
MAX_OTHERS: Final = 40


class Missing(Protocol):
    """What is missing (see ``goal_map.GoalMap``)."""

    def sites_ahead(self) -> list[SiteAhead]:
        """The missing sites that a run came near to."""
        ...

    def is_half_open(self, number: int) -> bool:
        """Is one of the outcomes of the comparison at site ``number`` missing?"""
        ...


class Drawing(Protocol):
    """The parameters of an Invocable, and values for them (see ``sequence_generator.Proposer``)."""

    invocable: Invocable

    def parameter_slots(self) -> tuple[ParameterSlot, ...]:
        """The parameters in their order."""
        ...

    def draw_plain(self, number: int) -> Arg | None:
        """A value for parameter ``number`` that refers to no other Call."""
        ...

    def known_receivers(self) -> list[ObjectHistory]:
        """Ways to the objects on which it can be called."""
        ...


class SteppingStones:
    """Abstract state: the ``stones``, the schedule of kinds, and which kind made each proposal.

    A function of another project is replaced only after a run ended in a call of it.
    """

    def __init__(
        self, goals: Missing, drawings: Mapping[str, Drawing], pools: ValuePools, seed: int
    ) -> None:
        self.schedule = Schedule(seed)
        self._goals = goals
        self._drawings = drawings
        self._pools = pools
        self._rng = seeded_random(seed, "stepping stones")
        self.stones: list[Execution] = []
        self._kept: set[str] = set()
        self._distances: dict[int, int] = {}
        self._makers: dict[str, str] = {}
        self._failed: set[str] = set()
        tree = tree_of(pools.source)
        self._names, self._asked = names_by_line(tree), asked_attributes(tree)
        self._texts = texts_by_line(tree)
        self._readers, self._flags = state_readers(tree), module_flags(tree)
        self._makings: dict[str, dict[frozenset[int], Call]] = {}
        self._materials: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]] = {}

    def note(self, run: Execution, *, kept: bool, is_new: bool, sites: int) -> None:
        """Credit the kind that made ``run``, if one did; vary the run if it came to something.

        It came to new code, a new Goal, or nearer to the other outcome of a comparison.
        """
        self._note_making(run)
        if run.failed is not None and run.calling is not None:
            self._failed.add(self._pools.callees.get(run.calling, ""))
        kind = self._makers.pop(run.sequence.key, None)
        if kind is not None:
            self.schedule.note(kind, kept=kept, sites=sites)
        if self._comes_nearer(run) or kept or is_new:
            self.stones.append(run)
            del self.stones[:-MAX_STONES]
            if kept:
                self._kept.add(run.sequence.key)

    def _note_making(self, run: Execution) -> None:
        """Keep the Call by which ``run`` made an object, if it took a way of its own through it."""
        call = run.sequence.calls[-1]
        made = self._drawings.get(call.name) if call.kind == "function" else None
        if run.failed is not None or made is None or made.invocable.kind != "constructor":
            return
        known = self._makings.setdefault(call.name, {})
        if len(known) < MAX_MAKINGS and not refs_of(call):
            known.setdefault(frozenset(run.hits), call)

    def _comes_nearer(self, run: Execution) -> bool:
        """Has a comparison with an outcome that is missing operands nearer than ever before?"""
        nearer = False
        for site, _, left, right in run.comparisons:
            if type(left) is type(right) is int and self._goals.is_half_open(site):
                distance = abs(left - right)
                if distance < self._distances.get(site, distance + 1):
                    nearer = nearer or site in self._distances
                    self._distances[site] = distance
        return nearer

    def plan(self, each: int, least: int) -> list[tuple[str, Sequence]]:
        """(Invocable, Sequence): ``each`` variations towards a missing branch.

        At least ``least`` altogether, if anything is missing; operands of conditions get fewer.
        """
        near = self._near()
        wanted = [site for site in self._goals.sites_ahead() if site.beside in near]
        shares = [CONDITION_DIVISOR if site.is_branch else 1 for site in wanted]
        total = min(MAX_PLANNED, max(least, each * sum(shares) // CONDITION_DIVISOR))
        plan: list[tuple[str, Sequence]] = []
        for site, share in zip(wanted, shares, strict=True):
            count = max(1, total * share // sum(shares))
            parents = self._parents(site, near)
            plan += self.towards(site.scope, parents, count, site.line)
        return plan

    def _near(self) -> Mapping[int, list[Execution]]:
        """The stones that hit a site, by the site."""
        near: defaultdict[int, list[Execution]] = defaultdict(list)
        for stone in self.stones:
            for number in stone.hits:
                near[number].append(stone)
        return near

    def _parents(self, site: SiteAhead, near: Mapping[int, list[Execution]]) -> list[Execution]:
        """The newest of the stones near ``site``.

        Where only misuse came to it, half of them are runs that worked and took the other outcome.
        """
        beside = near[site.beside]
        working = [run for run in near.get(site.other, ()) if run.sequence.key in self._kept]
        kept = working[-MAX_PARENTS // 2 :]
        return [*beside[len(kept) - MAX_PARENTS :], *kept]

    def towards(
        self, scope: str, parents: list[Execution], count: int, line: int = 0
    ) -> Iterator[tuple[str, Sequence]]:
        """(Invocable, Sequence) for at most ``count`` variations of ``parents``.

        They are made of what is near to the code of ``scope``, and to its ``line``.
        """

        def materials_of(parent: Execution) -> Materials:
            found = self._materials_of(scope, parent, parents)
            names, asked = self._names.get(line, frozenset()), self._asked.get(scope, {})
            near = asked.get(line) or tuple(chain.from_iterable(asked.values()))
            flags = [(f"{self._pools.module}.{one}", to) for one, to in self._flags.get(line, ())]
            return replace(found, line=line, names=names, asked=near, flags=tuple(flags))

        for kind, parent, made in self.schedule.propose(parents, materials_of, count):
            if self.keeps_promises(parent, made):
                self._makers[made.key] = kind
                yield parent.invocable, made

    def with_changed_forms(
        self, scope: str, parents: list[Execution]
    ) -> Iterator[tuple[str, Sequence]]:
        """(Invocable, Sequence) of ``parents`` with their texts in forms that ``scope`` changes.

        Nobody sees that a text is stripped, or in lower case then, where it was so before.
        """
        for parent in parents:
            for arg, put in places(parent.sequence):
                if isinstance(arg, Const) and isinstance(arg.value, str) and arg.value:
                    for method in self._pools.changed_forms.get(scope, ()):
                        made = put(Const(in_form(arg.value, method)))
                        if self.keeps_promises(parent, made):
                            yield parent.invocable, made

    def keys_on(self, scope: str, lines: Iterable[int]) -> tuple[str, ...]:
        """The texts on ``lines`` of ``scope`` by which the code looks something up."""
        keys = self._pools.keys(scope)
        texts = dict.fromkeys(text for line in lines for text in self._texts.get(line, ()))
        return tuple([text for text in texts if text in keys])

    @property
    def source(self) -> str:
        """The text of the module."""
        return self._pools.source

    def parameter_names(self, run: Execution, at: int) -> tuple[str, ...]:
        """The parameters of Call ``at`` of ``run`` that can be given by name, in their order."""
        drawing = self._drawing(run, at)
        slots = drawing.parameter_slots() if drawing is not None else ()
        return tuple(
            [one.parameter.name for one in slots if one.parameter.kind != "positional_only"]
        )

    @property
    def clocks(self) -> tuple[str, ...]:
        """The functions that the module asks for the time and that can be replaced."""
        return self._pools.clocks

    def _as_meant(self, error: Arg) -> Arg:
        """``error`` with arguments of the likeliest types, if its class is one of the module."""
        home = f"{error.callee.module}:{error.callee.qualname}" if isinstance(error, Build) else ""
        made = self._drawings.get(home)
        if made is None or not isinstance(error, Build):
            return error
        args = list(error.args)
        for at, slot in enumerate(made.parameter_slots()[: len(args)]):
            likely = slot.hints[0] if slot.hints else slot.declared
            found = self._pools.values(likely, "", 1, name=slot.parameter.name)
            if likely != ANY and found and (likely != STR or args[at] == Const(None)):
                args[at] = found[0]
        return replace(error, args=tuple(args))

    def _materials_of(self, scope: str, parent: Execution, parents: list[Execution]) -> Materials:
        pools = self._pools
        if scope not in self._materials:
            self._materials[scope] = (pools.tokens(scope), pools.keys(scope), pools.numbers(scope))
        tokens, keys, numbers = self._materials[scope]

        def slots(at: int) -> tuple[ParameterSlot, ...]:
            drawing = self._drawing(parent, at)
            return drawing.parameter_slots() if drawing is not None else ()

        def draw(at: int, number: int) -> Arg | None:
            drawing = self._drawing(parent, at)
            return drawing.draw_plain(number) if drawing is not None else None

        compared = dict.fromkeys(_compared(parent))
        return Materials(
            scope,
            (*compared, *tokens),
            keys,
            numbers,
            (*parents, *self._alike(parent)),
            slots,
            draw,
            tuple([(at, name, self._as_meant(one)) for at, name, one in pools.errors(scope)]),
            tuple([one for one, known in pools.outside(scope) if known or one in self._failed]),
            pools.answers,
            uses=pools.attribute_uses,
            clocks=pools.clocks,
            mocks=pools.mocks,
            makings=lambda name: tuple(self._makings.get(name, {}).values()),
            receivers=lambda: self._receivers(parent),
            others=lambda: self._others(parent),
            reads_state=parent.sequence.calls[-1].name.rpartition(":")[2] in self._readers,
        )

    def _receivers(self, parent: Execution) -> list[ObjectHistory]:
        drawing = self._drawing(parent, len(parent.sequence) - 1)
        return drawing.known_receivers() if drawing is not None else []

    def _others(self, parent: Execution) -> list[Execution]:
        """The newest kept stones of other Invocables that returned."""
        return [
            one
            for one in self.stones
            if one.invocable != parent.invocable
            and one.failed is None
            and one.sequence.key in self._kept
        ][-MAX_OTHERS:]

    def _alike(self, parent: Execution) -> list[Execution]:
        """The newest stones of the Invocable of ``parent``, wherever they came to."""
        found = [one for one in self.stones if one.invocable == parent.invocable]
        return found[-MAX_PARENTS:]

    def ended_early(self, run: Execution) -> tuple[str, Sequence] | None:
        """(Invocable, Sequence) of the Calls of a run up to one that raised before the last."""
        at = run.failed.position if run.failed is not None else len(run.sequence)
        called = self._drawing(run, at) if at < len(run.sequence) - 1 else None
        if called is None:
            return None
        return called.invocable.id, Sequence(run.sequence.calls[: at + 1])

    def _drawing(self, run: Execution, at: int) -> Drawing | None:
        """The Invocable that Call ``at`` of ``run`` calls, if that is known."""
        return self._called(run.sequence, at, run.invocable)

    def _called(self, sequence: Sequence, at: int, invocable: str) -> Drawing | None:
        """The Invocable that Call ``at`` calls, if that is known; the last one is ``invocable``."""
        call = sequence.calls[at]
        if call.kind == "function":
            return self._drawings.get(call.name)
        if call.kind == "method" and at == len(sequence) - 1:
            found = self._drawings.get(invocable)
            if found is not None and found.invocable.name == call.name:
                return found
        if call.kind == "method" and isinstance(call.args[0], Ref):
            maker = sequence.calls[call.args[0].index]
            return self._drawings.get(f"{maker.name}.{call.name}")
        return None

    def keeps_promises(self, parent: Execution, made: Sequence) -> bool:
        """Do the arguments that differ from those of ``parent`` fit their declared types?"""
        for at, new in enumerate(made.calls):
            is_new = new not in parent.sequence.calls
            drawing = self._called(made, at, parent.invocable) if is_new else None
            if drawing is None:
                continue
            slots = drawing.parameter_slots()
            first = 1 if new.kind == "method" else 0
            named = {slot.parameter.name: slot for slot in slots}
            given = [
                *zip(slots, new.args[first:], strict=False),
                *((named[name], arg) for name, arg in new.kwargs if name in named),
            ]
            if not all(may_be(arg, slot.declared) for slot, arg in given):
                return False
        return True


def _compared(run: Execution) -> Iterator[str]:
    """Short texts that ``run`` compared something with."""
    for _, kind, _, right in run.comparisons[:MAX_COMPARED]:
        operands = right if isinstance(right, tuple) and kind in ("in", "key") else (right,)
        for one in operands:
            if isinstance(one, str) and one:
                yield one
