"""Which kind of variation gets the next run: kinds compete by what they paid.

Every site that no run hit, although one came near to it, is varied towards: from runs that took the
other outcome of the same branch.  A kind is chosen by chance, with weights that follow the sites
that it won for the runs that it cost; each keeps a share, because what pays differs from module to
module and changes as a search goes on.

Invariant: the choice depends on the seed and on the runs in their order; a kind that never pays is
asked at least ``MIN_SHARE`` of the time.

Source: MOPT; simplified: weights of one stage, without a swarm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.fill_mappings import FillMappings
from unitcraft.explore.search.variation.kinds.call_others_first import CallOthersFirst
from unitcraft.explore.search.variation.kinds.change_leaves import ChangeLeaves
from unitcraft.explore.search.variation.kinds.change_nesting import ChangeNesting
from unitcraft.explore.search.variation.kinds.exchange_receivers import ExchangeReceivers
from unitcraft.explore.search.variation.kinds.give_attributes import GiveAttributes
from unitcraft.explore.search.variation.kinds.grow_texts import GrowTexts
from unitcraft.explore.search.variation.kinds.pass_time import PassTime, may_pass
from unitcraft.explore.search.variation.kinds.replace_calls import ReplaceCalls
from unitcraft.explore.search.variation.kinds.set_flags import SetFlags
from unitcraft.explore.search.variation.kinds.share_objects import ShareObjects
from unitcraft.explore.search.variation.kinds.split_answers import SplitAnswers
from unitcraft.explore.search.variation.kinds.store_again import StoreAgain
from unitcraft.explore.search.variation.kinds.take_parts import TakeParts
from unitcraft.explore.search.variation.kinds.vary_options import VaryOptions
from unitcraft.explore.search.variation.variation_kind import Materials, VariationKind

#: The kinds, in the order in which they are shown.
KINDS: Final[tuple[type[VariationKind], ...]] = (
    GrowTexts, ChangeLeaves, FillMappings, VaryOptions, ShareObjects, ChangeNesting,
    ReplaceCalls, SplitAnswers, ExchangeReceivers, GiveAttributes, TakeParts, StoreAgain,
    CallOthersFirst, PassTime, SetFlags,
)  # fmt: skip
#: The names of those that are used.
NAMES: Final = tuple(kind.name for kind in KINDS)
#: Weight of a kind that has won nothing, as a share of an average one.
#: Off: no site of 153, 7 % more runs.
MIN_SHARE: Final = 0.2
#: Runs of a kind that count as one win before anything is known of it.
#: Halved: no site of 153, 4 % more runs.
PRIOR_RUNS: Final = 100


@dataclass(slots=True)
class Ledger:
    """What a kind of proposals cost and won (mutable: a tally)."""

    runs: int = 0
    goals: int = 0
    sites: int = 0


class Schedule:
    """Abstract state: the ledger of each kind."""

    def __init__(self, seed: int, kinds: Iterable[type[VariationKind]] = KINDS) -> None:
        self.kinds = [kind() for kind in kinds if kind not in KINDS or kind.name in NAMES]
        self.ledgers = {kind.name: Ledger() for kind in self.kinds}
        self._rng = seeded_random(seed, "variation")

    def tallies(self) -> tuple[tuple[str, int, int, int], ...]:
        """(kind, runs, new Goals, new sites) of each kind that had runs."""
        return tuple(
            (name, one.runs, one.goals, one.sites) for name, one in self.ledgers.items() if one.runs
        )

    def propose(
        self,
        parents: list[Execution],
        materials_of: Callable[[Execution], Materials],
        count: int,
    ) -> list[tuple[str, Execution, Sequence]]:
        """(kind, parent, Sequence) for at most ``count`` variations of ``parents``."""
        made: list[tuple[str, Execution, Sequence]] = []
        weights = self._weights()
        for _ in range(count if parents and self.kinds else 0):
            parent = parents[self._rng.randrange(len(parents))]
            found = self._vary(parent, materials_of(parent), weights)
            if found is not None:
                made.append((found[0], parent, found[1]))
        return made

    def _vary(
        self, parent: Execution, materials: Materials, weights: Mapping[str, float]
    ) -> tuple[str, Sequence] | None:
        rng = self._rng
        useless = set() if materials.errors or materials.outside else {ReplaceCalls.name}
        useless |= set() if materials.reads_state else {CallOthersFirst.name}
        useless |= (
            set() if materials.mocks and may_pass(parent.sequence, materials) else {PassTime.name}
        )
        useless |= set() if materials.mocks else {GiveAttributes.name}
        useless |= set() if materials.flags else {SetFlags.name}
        kinds = [one for one in self.kinds if one.name not in useless]
        while kinds:
            kind = rng.choices(kinds, [weights[one.name] for one in kinds])[0]
            made = kind.vary(parent, materials, rng)
            if made is not None and made.key != parent.sequence.key:
                return kind.name, made
            kinds.remove(kind)
        return None

    def _weights(self) -> dict[str, float]:
        """The sites that each kind won for its runs, beside those of all, not below a share.

        They hold until the next ``note``: a search that asked anew for each variation spent a fifth
        of its own time on them.
        """
        runs = sum(ledger.runs for ledger in self.ledgers.values())
        sites = sum(ledger.sites for ledger in self.ledgers.values())
        average = (sites + 1) / (runs + PRIOR_RUNS)
        return {
            name: max((one.sites + 1) / (one.runs + PRIOR_RUNS) / average, MIN_SHARE)
            for name, one in self.ledgers.items()
        }

    def note(self, kind: str, *, kept: bool, sites: int) -> None:
        """Record that a run of ``kind`` reached a new Goal, and how many new sites."""
        ledger = self.ledgers.setdefault(kind, Ledger())
        ledger.runs += 1
        ledger.goals += kept
        ledger.sites += sites
