"""Def-use search: after a Call that defines a field, propose a Call that may use it.

Two objects in the same state may have got there by different definitions, so a search that keeps
one Sequence for each state misses pairs.  This one tries each pair after several states.

Invariant: proposals depend on the runs in their order and on the given Random alone; a pair is
tried once on a state.

Source: JTESTCRAFT, section 4.1.2; differs: pairs are covered by running, not by summaries of paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Final

from unitcraft.core.sequences import Ref, Sequence
from unitcraft.explore.calls import call_of
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.values.object_pool import MAX_CALLS

#: States after which one pair is tried.  The criterion has to be asked for.
MAX_STATES_PER_PAIR: Final = 16
#: Calls with different arguments that are tried on each state.  The same.
ARGUMENT_TRIES: Final = 3


class DefUseSearch:
    """Proposes a use after each definition.  Abstract state: the (pair, state) tried already."""

    def __init__(
        self,
        goals: GoalMap,
        proposers: Mapping[str, Proposer],
        bases: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._goals = goals
        self._proposers = proposers
        self._bases = bases
        self._asked: Counter[tuple[str, tuple[int, int]]] = Counter()
        self._seen: set[tuple[str, int, int, bytes]] = set()

    def proposals(self, run: Execution, rng: Random) -> list[tuple[str, Sequence]]:
        """(Invocable, Sequence) for the missing pairs whose definition ``run`` has executed."""
        if not run.returned or len(run.sequence) >= MAX_CALLS:
            return []
        made: list[tuple[str, Sequence]] = []
        for definition in run.defined:
            for name, pair in self._goals.wanted_uses(definition):
                for index, cls, digest, _ in run.objects:
                    if self._fits(name, cls) and self._is_new(name, pair, digest):
                        made += self._uses(run, name, Ref(index), rng)
        return made

    def _fits(self, name: str, cls: str) -> bool:
        proposer = self._proposers.get(name)
        owner = proposer.invocable.owner if proposer is not None else ""
        return bool(owner) and (owner == cls or owner in self._bases.get(cls, ()))

    def _is_new(self, name: str, pair: tuple[int, int], digest: bytes) -> bool:
        key = (name, *pair, digest)
        if key in self._seen or self._asked[name, pair] >= MAX_STATES_PER_PAIR:
            return False
        self._seen.add(key)
        self._asked[name, pair] += 1
        return True

    def _uses(
        self, run: Execution, name: str, receiver: Ref, rng: Random
    ) -> list[tuple[str, Sequence]]:
        proposer = self._proposers[name]
        calls = [proposer.step(receiver, rng) for _ in range(ARGUMENT_TRIES)]
        if proposer.invocable.kind == "property":
            calls.append(call_of(proposer.invocable, (receiver,), [], [], drains=False))
        made = {repr(call): call for call in calls if call is not None}
        return [(name, Sequence((*run.sequence.calls, call))) for call in made.values()]
