"""How often each layer answered: the figures by which the chain is judged.

Invariant: counting changes no Verdict; a Query that a layer passes on is not counted there.
"""

from __future__ import annotations

from unitcraft.solve.protocol import Sat, Unsat, Verdict


class Statistics:
    """Counts of Sat, Unsat and Unknown for each layer, in order of first answer; mutable.

    ``work``: nodes visited by all layers; ``most_work``: the most by each in one Query;
    ``failures``: (layer, exception) of each Query on which a layer raised.
    """

    __slots__ = ("counts", "failures", "most_work", "work")

    def __init__(self) -> None:
        self.counts: dict[str, list[int]] = {}
        self.most_work: dict[str, int] = {}
        self.failures: list[tuple[str, str]] = []
        self.work = 0

    def spend(self, layer: str, nodes: int) -> None:
        """Count the ``nodes`` that ``layer`` visited for one Query."""
        self.work += nodes
        if nodes > self.most_work.get(layer, 0):
            self.most_work[layer] = nodes

    def note_failure(self, layer: str, error: str) -> None:
        """Record that ``layer`` raised ``error``."""
        self.failures.append((layer, error))

    def note(self, layer: str, verdict: Verdict) -> None:
        """Count one ``verdict`` of ``layer``."""
        row = self.counts.get(layer)
        if row is None:
            row = self.counts[layer] = [0, 0, 0]
        kind = type(verdict)
        row[0 if kind is Sat else 1 if kind is Unsat else 2] += 1

    def total(self, layer: str) -> int:
        """How many Queries ``layer`` answered."""
        return sum(self.counts.get(layer, ()))

    def lines(self) -> list[str]:
        """One line for each layer: its name, then ``Sat Unsat Unknown`` counts."""
        return [f"{name} {' '.join(map(str, row))}" for name, row in self.counts.items()]
