"""Goals: what a run of the search, or a test, is kept for.

Invariant: a Goal is a plain value, equal to every Goal of the same family with the same fields, so
that it can be counted, sorted and looked up; what is known of a family as a whole stands in its
record and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyRecord:
    """What holds for all Goals of a family.

    ``criterion`` is the name by which a person asks for the family; ``by_default``: tests are kept
    for its Goals when nobody names a criterion; ``stands_alone``: a test that reaches one is worth
    keeping even when there is nothing to assert; ``is_mutant``: its Goals are killed mutants, so
    that running a Sequence on the original does not show them.
    """

    criterion: str
    by_default: bool = False
    stands_alone: bool = False
    is_mutant: bool = False


#: The detail of the Goal that a function gave back what went into its inverse.
ROUND_TRIP: Final = "round trip"
#: The detail of the Goal that a result holds something: it is neither empty nor zero.
FILLED: Final = "filled"


class Family(IntEnum):
    """The families of Goals, in the order in which Goals are sorted."""

    record: FamilyRecord

    def __new__(cls, record: FamilyRecord) -> Self:
        """The next member: numbers are hashed and compared faster than names."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.record = record
        return member

    BRANCH = FamilyRecord(criterion="branch", by_default=True, stands_alone=True)
    """A branch site that was hit: ``number`` is the site."""
    CONDITION = FamilyRecord(criterion="condition")
    """An outcome of a condition: ``number`` is the site."""
    EXCEPTION = FamilyRecord(criterion="exception", by_default=True)
    """A class of exceptions (``detail``) from a line (``number``) of an Invocable (``scope``)."""
    BOUNDARY = FamilyRecord(criterion="boundary", by_default=True)
    """Equal operands at ``<``, ``<=``, ``>`` or ``>=``: ``number`` is the site."""
    NEIGHBOUR = FamilyRecord(criterion="boundary")
    """Integers ``detail`` apart at a comparison that decides a branch: ``number`` is the site."""
    PATH = FamilyRecord(criterion="path", stands_alone=True)
    """A path of an Invocable (``scope``): ``detail`` are the sites that its last Call hit."""
    DEF_USE = FamilyRecord(criterion="def-use", stands_alone=True)
    """A def-use pair: a use of a field (site ``detail``) of a definition (site ``number``)."""
    RETURN = FamilyRecord(criterion="return", by_default=True)
    """An Invocable (``scope``) that returned, or (``number``) what it returned, called so often.

    ``detail`` is the result of a predicate, None where that is the answer, ROUND_TRIP (it gave back
    what went into its inverse), or FILLED.
    """
    RESULT = FamilyRecord(criterion="result")
    """A kind of result (``detail``) of an Invocable (``scope``); ``hash`` has one kind only."""
    ENTRY = FamilyRecord(criterion="entry", by_default=True)
    """An entry of a table, or a pattern (``detail``), that matched at a site (``number``)."""
    MUTANT = FamilyRecord(criterion="mutant", by_default=True, is_mutant=True)
    """A mutant (``number``) that the run kills."""
    MUTANT_BY_CHECK = FamilyRecord(criterion="mutant", by_default=True, is_mutant=True)
    """A mutant (``number``) that a Check of the run kills, not a crash."""
    HEAP = FamilyRecord(criterion="field", stands_alone=True)
    """An Invocable (``scope``) called with ``detail`` in a heap (``number``) that adds pairs."""
    LAW = FamilyRecord(criterion="law")
    """A law (``detail``) of a class (``scope``) that the run refuted while laws were learned."""
    CONTRACT = FamilyRecord(criterion="exception")
    """An ``assert`` (``number`` is its line, ``scope`` the module) that the code itself broke."""


class Goal(NamedTuple):
    """One Goal; what the other fields mean is said at its family.

    The fields that a family does not use keep their defaults; within a family ``detail`` has one
    type, so that Goals can be sorted.
    """

    family: Family
    number: int = 0
    scope: str = ""
    detail: str | int | tuple[int, ...] = ""


def entry_goal(site: int, item: object) -> Goal:
    """The Goal that ``item`` matched at a site."""
    return Goal(Family.ENTRY, site, "", repr(item))


def neighbour_goal(site: int, difference: int) -> Goal:
    """The Goal of integers so far apart at a site."""
    return Goal(Family.NEIGHBOUR, site, "", difference)


def def_use_goal(pair: tuple[int, int]) -> Goal:
    """The Goal of a (definition, use) pair."""
    return Goal(Family.DEF_USE, pair[0], "", pair[1])
