"""Rules that Python itself guarantees: of the smaller of two numbers, and of what is in a list.

Invariant: a rule holds of all values of builtin types for which its sides are defined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    ALWAYS,
    Atom,
    Compute,
    Constant,
    Guard,
    Law,
    Term,
    Test,
    Var,
)

if TYPE_CHECKING:
    from unitcraft.infer.universe.values import Values

_ONE: Final = Var("", 0)
_OTHER: Final = Var("", 1)
_ITEMS: Final = Var("", 2)
_LESS: Final = Atom(_OTHER, "<", _ONE)
_SAME: Final = Guard((Atom(_ONE, "==", _OTHER),))
_DIFFERENT: Final = Guard((Atom(_ONE, "==", _OTHER, negated=True),))
#: What ``min`` and ``max`` of two integers are.
_CHOICES: Final = tuple(
    Law(Compute(_ONE, operator, _OTHER), side, Guard((_LESS._replace(negated=negated),)))
    for operator, side, negated in (
        ("smaller", _ONE, True),
        ("smaller", _OTHER, False),
        ("larger", _ONE, False),
        ("larger", _OTHER, True),
    )
)
#: Operators that add an item, take all that are equal to one, take one at an end, keep all.
_ADDING: Final = ("append", "prepend", "insert", "with")
_TAKING: Final = ("remove", "without")
_CUTTING: Final = ("rest", "start")
_KEEPING: Final = ("sorted", "reversed", "distinct")


def builtin_rules(values: Values) -> tuple[Law, ...]:
    """The rules, with truth values as ``values`` numbers them."""
    true, false = (Constant(values.of_plain(truth)) for truth in (True, False))
    among: Term = Test(_ONE, "in", _ITEMS)
    absent = Guard((Atom(among, "==", true, negated=True),))
    found = [*_CHOICES]
    for operator in (*_ADDING, *_TAKING):
        asked = Test(_ONE, "in", Compute(_ITEMS, operator, _OTHER))
        answer = true if operator in _ADDING else false
        found += [Law(asked, among, _DIFFERENT), Law(asked, answer, _SAME)]
    for operators, kept, guard in ((_CUTTING, false, absent), (_KEEPING, among, ALWAYS)):
        found += [
            Law(Test(_ONE, "in", Compute(_ITEMS, operator, _OTHER)), kept, guard)
            for operator in operators
        ]
    return tuple(found)
