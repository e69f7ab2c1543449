"""States that differ in the type, sign or emptiness of what they hold."""

from decimal import Decimal
from fractions import Fraction


class Balance:
    """Money of two kinds."""

    def __init__(self, cash=0, credit=0, bonus=0):
        self.cash = Decimal(cash)
        self.credit = Decimal(credit)
        self.bonus = Fraction(bonus)

    def parts(self):
        found = []
        if self.cash:
            found.append("cash")
        if self.credit < 0:
            found.append("debt")
        if self.bonus:
            found.append("bonus")
        return found


class Switches:
    """Three switches; all of them on rings a bell."""

    def __init__(self):
        self.left = self.middle = self.right = False

    def flip(self, name: str):
        if name == "left":
            self.left = not self.left
        elif name == "middle":
            self.middle = self.left and not self.middle
        elif name == "right":
            self.right = self.middle and not self.right
        else:
            raise KeyError(name)

    def rings(self):
        if self.left and self.middle and self.right:
            return True
        return False


class Packet:
    def __init__(self, head=b"", body=b"", mark=None):
        self.head, self.body, self.mark = bytes(head), bytes(body), mark

    def state(self):
        if self.head and not self.body:
            return "head only"
        if self.body and not self.head:
            return "body only"
        if self.mark is not None and not self.mark:
            return "unmarked"
        return "whole" if self.body else "empty"
