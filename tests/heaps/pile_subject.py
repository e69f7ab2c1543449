"""A pile of cells as source: one method breaks its invariant."""

from __future__ import annotations

SOURCE = """\
class Cell:
    def __init__(self, after):
        self.after = after


class Pile:
    def __init__(self):
        self.top = None
        self.many: bool = False

    def put(self):
        self.top = Cell(self.top)

    def mark(self):
        if self.top is not None and self.top.after is not None:
            self.many = True

    def take(self):
        if self.top is not None:
            self.top = self.top.after

    def rep_ok(self):
        met, cell = [], self.top
        while cell is not None:
            if any(cell is one for one in met):
                return False
            met.append(cell)
            cell = cell.after
        return len(met) > 1 or not self.many
"""
