"""Operations whose outcome differs from run to run: found by running pairs a second time.

Invariant: the second run has another hash seed and a shifted clock; an operation that differs on
one pair is left out of all laws, by name and with the reason.  What chance alone makes different
still leads to states: laws speak of those, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from unitcraft.infer.agents.table_agent import Repeated
from unitcraft.infer.universe.universes import evenly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.execute.spec import HostSpec
    from unitcraft.infer.universe.transition_table import TransitionTable

#: Pairs that run a second time.
MAX_REPEATED: Final = 1_500
#: Why an operation is left out whose outcome a random generator decides.
BY_CHANCE: Final = "it draws on chance"
#: Seconds that the clock of the second run is ahead: another day and another year.
AHEAD: Final = 400 * 86_400.0


def steady_starts(table: TransitionTable, starts: Sequence[int], other: Pool) -> list[int]:
    """Those of ``starts`` that a process with another hash seed and clock makes in the same way."""
    items = [table.item(state)[0] for state in starts]
    replies = list(other.map("start", items))
    pairs = zip(starts, replies, strict=True)
    return [
        state for state, reply in pairs if reply.value and reply.value[1] == table.digest(state)
    ]


def elsewhere(spec: HostSpec) -> HostSpec:
    """A host like ``spec`` with another hash seed and a shifted clock."""
    return replace(spec, hash_seed=spec.hash_seed + 1, clock_shift=AHEAD)


def exclude_unsteady(table: TransitionTable, other: Pool) -> None:
    """Leave out the operations of ``table`` that do not repeat in the process of ``other``.

    After a history that drew on chance an operation may differ for that alone: it is judged there
    only if there are no others.
    """
    pairs = evenly([pair for pair, entry in table.entries() if entry.kind != "?"], MAX_REPEATED)
    items = [table.step_item(*pair) for pair in pairs]
    runs: list[list[Repeated | None]] = [
        [reply.value and Repeated(*reply.value) for reply in pool.map("repeat", items)]
        for pool in (table.pool, other)
    ]
    by_chance: dict[int, bool] = {}
    plain: set[int] = set()
    for (_, call), one, two in zip(pairs, *runs, strict=True):
        operation = table.called[call][0]
        if one is not None and one.follows_chance:
            differs = two is None or one.answer != two.answer
            by_chance[operation] = by_chance.get(operation, False) or differs
            continue
        plain.add(operation)
        if one is not None and one.draws:
            table.leave_out(operation, BY_CHANCE)
        elif one != two:
            table.exclude(operation, "its outcome differs from run to run")
    for operation, differs in by_chance.items():
        if differs and operation not in plain:
            table.leave_out(operation, BY_CHANCE)
