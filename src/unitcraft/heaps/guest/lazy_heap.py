"""A heap whose fields get a value when they are read for the first time.

Objects are made without their constructor and without fields.  Reading a field that is not there
leads to ``__getattr__``, which chooses a value and puts the choice on a stack; from then on the
field is an ordinary one, also in the next runs, until the choice is taken back.  So a run pays
for the fields only that no earlier run has read, and reads the others at full speed.

Invariant: the objects of a class are taken in the order of their numbers, a new one only after all
before it are in use, so that no two heaps of a search are isomorphic.  The fields that exist are
those on the stack.

Source: KORAT, "Generating candidate structures" (non-isomorphic field values); LAZY, lazy
initialization of reference fields.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from unitcraft.heaps.guest.field_choices import (
    NEW_INT,
    NO_CLASS,
    FieldDomain,
    ListValues,
    TableValues,
)
from unitcraft.heaps.guest.monitored_list import new_list
from unitcraft.heaps.guest.monitored_table import new_table
from unitcraft.symbolic.proxies.int_float import SymInt
from unitcraft.symbolic.proxies.trace import EVENTS
from unitcraft.symbolic.terms.term import variable

if TYPE_CHECKING:
    from collections.abc import Callable


class NoValueError(BaseException):
    """A field that has no possible value within the scope was read."""


class Choice:
    """One choice: the value number ``index`` of ``domain`` is at ``key`` of ``holder``.

    ``fresh``: it took an object that was not in use.  ``events`` is the number of events before
    it; ``symbol`` is the number of its symbolic input, -1 if the value is none.
    """

    __slots__ = ("domain", "events", "fresh", "holder", "index", "key", "symbol", "value")

    def __init__(self, holder: Any, key: Any, domain: FieldDomain) -> None:
        self.holder = holder
        self.key = key
        self.domain = domain
        self.index = -1
        self.events = len(EVENTS)
        self.fresh = False
        self.symbol = -1
        self.value: Any = None


class LazyHeap:
    """Abstract state: the choices made, and how many objects of each class they use.

    ``bounds`` are the numbers of objects of each class that may be used now, the last of them the
    bound of lengths; ``defer`` is told the last choice, the index and the size of values between
    these and ``limits``.  ``forced`` are the indexes of the first choices, ``values`` those of the
    symbolic inputs.
    """

    def __init__(self, limits: tuple[int, ...]) -> None:
        self.stack: list[Choice] = []
        self.used = [*([0] * (len(limits) - 1)), sys.maxsize]
        self.bounds = limits
        self.limits = limits
        self.defer: Callable[[int, int], None] = lambda _index, _size: None
        self.forced: tuple[int, ...] = ()
        self.values: list[int] = []
        self.symbols = 0

    def choose(self, holder: Any, key: Any, domain: FieldDomain) -> Any:
        """The first possible value for ``key``, which nobody has read before; it is stored."""
        choice = Choice(holder, key, domain)
        place = len(self.stack)
        self.stack.append(choice)
        if place < len(self.forced):
            self._take(choice, self.forced[place])
        elif not self.advance(choice):
            self.stack.pop()
            raise NoValueError
        return choice.value

    def advance(self, choice: Choice) -> bool:
        """Give the last choice its next value; False when there is none."""
        if choice.index >= 0:
            self._release(choice)
        index = self._following(choice, self.used)
        if index < 0:
            choice.index = len(choice.domain.values)
            return False
        self._take(choice, index)
        return True

    def first_other(self, floor: int) -> tuple[int, int]:
        """The place of the first choice from ``floor`` on that has another value, and its index.

        The index is -1 where no choice has one, or where values wait for more objects.
        """
        place, other = 0, -1
        if self.bounds == self.limits:
            used = self.used.copy()
            for at in range(len(self.stack) - 1, floor - 1, -1):
                choice = self.stack[at]
                if choice.fresh:
                    used[choice.domain.classes[choice.index]] -= 1
                index = self._following(choice, used)
                if index >= 0:
                    place, other = at, index
        return place, other

    def _following(self, choice: Choice, used: list[int]) -> int:
        """The index of the next possible value of ``choice``, -1 if there is none.

        ``self.defer`` is told of those before it that wait for more objects.
        """
        domain, bounds = choice.domain, self.bounds
        index = choice.index + 1
        while index < len(domain.values):
            number, ordinal = domain.classes[index], domain.ordinals[index]
            if ordinal <= used[number] + 1:
                if ordinal <= bounds[number]:
                    return index
                if ordinal <= self.limits[number]:
                    self.defer(index, ordinal)
            index = index + 1 if number == NO_CLASS else domain.ends[index]
        return -1

    def _take(self, choice: Choice, index: int) -> None:
        domain = choice.domain
        choice.index = index
        value = domain.values[index]
        number = domain.classes[index]
        if number >= 0:
            if domain.ordinals[index] > self.used[number]:
                self.used[number] += 1
                choice.fresh = True
        elif value is NEW_INT:
            value = self._new_symbol(choice)
        elif type(value) is ListValues:
            value = new_list(self, value)
        elif type(value) is TableValues:
            value = new_table(self, value)
        choice.value = choice.holder[choice.key] = value

    def _new_symbol(self, choice: Choice) -> SymInt:
        number = choice.symbol = self.symbols
        self.symbols += 1
        if number == len(self.values):
            self.values.append(0)
        value = self.values[number] = choice.domain.within(self.values[number])
        return SymInt(value, variable(number))

    def _release(self, choice: Choice) -> None:
        """Forget the value of the last choice.

        A fresh object is not used any more: fields of an object are read after the choice that
        had it first, and those choices are gone.
        """
        if choice.fresh:
            choice.fresh = False
            self.used[choice.domain.classes[choice.index]] -= 1
        elif choice.symbol >= 0:
            choice.symbol = -1
            self.symbols -= 1

    def drop(self) -> None:
        """Take back the last choice: its field does not exist any more."""
        choice = self.stack.pop()
        self._release(choice)
        del choice.holder[choice.key]

    def clear(self) -> None:
        """Take back all choices."""
        while self.stack:
            self.drop()

    def symbolic_choices(self) -> list[Choice]:
        """The choices of symbolic integers, in the order of their numbers."""
        return [choice for choice in self.stack if choice.symbol >= 0]

    def set_values(self, values: list[int]) -> None:
        """Give the symbolic inputs other values."""
        self.values = values
        for choice in self.symbolic_choices():
            choice.value.concrete = values[choice.symbol]
