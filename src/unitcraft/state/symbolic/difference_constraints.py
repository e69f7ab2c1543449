r"""Constraints as facts of difference logic: x - y <= c and x - y != c over integers.

Invariant: a constraint is equivalent to the disjunction of the Facts that ``facts_of`` gives, or
it gives None (*opaque*); nothing is approximated.  So that one theory serves all kinds, a
value is named by its place in the order of its kind:

- an int by itself;
- a float by the number of floats between 0.0 and it (-0.0 and 0.0 share a place, which is all
  that comparisons can see); NaN, of which every comparison but ``!=`` is false, comes after
  infinity;
- a str or bytes by itself, as a node: x - y <= -k says that a chain of k strict steps leads
  from x up to y.  Such distances add up in every linear order, ``""`` is the least value and
  ``x + "\0"`` the next one after x, so that the reasoning on integers is sound here too, and
  elimination exact.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import inf, isnan
from struct import Struct
from typing import Final, NamedTuple

from unitcraft.solve.differences.linear import ZERO, difference_of
from unitcraft.symbolic.kinds.kinds import KINDS, kind_of
from unitcraft.symbolic.terms.term import OK, SAME, VARIABLE, Constraint, Kind, Term, variables_of

#: An input (its number), ``ZERO`` (the int 0 and the float 0.0) or a constant str or bytes.
DifferenceNode = int | str | bytes

#: (first, second, c): first - second is at most c, or is not c.
Fact = tuple[DifferenceNode, DifferenceNode, int]


class Facts(NamedTuple):
    """A conjunction: upper bounds of differences, and values that differences do not have."""

    bounds: tuple[Fact, ...] = ()
    unequal: tuple[Fact, ...] = ()


#: A disjunction: ``NEVER`` is empty, ``ALWAYS`` demands nothing.
Alternatives = tuple[Facts, ...]

ALWAYS: Final[Alternatives] = (Facts(),)
NEVER: Final[Alternatives] = ()

_NEGATED: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}

_DOUBLE: Final = Struct("<d")
_BITS: Final = Struct("<q")


def float_rank(value: float) -> int:
    """The number of floats from 0.0 up to ``value``, negative below; NaN is one past infinity."""
    bits: int = _BITS.unpack(_DOUBLE.pack(value))[0]
    if isnan(value):
        return NAN
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


INFINITY: Final[int] = _BITS.unpack(_DOUBLE.pack(inf))[0]
NAN: Final = INFINITY + 1


def facts_of(constraint: Constraint, kinds: tuple[Kind, ...]) -> Alternatives | None:
    """The disjunction that ``constraint`` is equivalent to; None when it is opaque."""
    mentioned = {kinds[number] for number in variables_of(constraint[0])}
    if mentioned == {"int"}:
        return integer_facts(constraint)
    if len(mentioned) != 1:
        return None
    kind = KINDS[mentioned.pop()]
    is_ordered = kind.is_number or kind.is_text
    return _order_facts(constraint[0], constraint[1], kinds) if is_ordered else None


def integer_facts(constraint: Constraint) -> Alternatives | None:
    """As ``facts_of`` for a constraint on ints alone."""
    plain = _is_type_blind(constraint[0])
    return _cached_facts(constraint) if plain else _integer_facts(constraint)


def _is_type_blind(term: Term) -> bool:
    """Is this a comparison of inputs and atoms, which 1, True and 1.0 do not change?"""
    return (
        type(term) is tuple
        and term[0] in _NEGATED
        and (type(term[1]) is not tuple or term[1][0] == VARIABLE)
        and (type(term[2]) is not tuple or term[2][0] == VARIABLE)
    )


@lru_cache(maxsize=1 << 16)
def _cached_facts(constraint: Constraint) -> Alternatives | None:
    return _integer_facts(constraint)


def _integer_facts(constraint: Constraint) -> Alternatives | None:
    difference = difference_of(constraint)
    if difference is None:
        return None
    bounds, unequal = difference
    return (Facts(bounds, () if unequal is None else (unequal,)),)


def kind_bounds(number: int, kind: Kind) -> tuple[Fact, ...]:
    """The facts about input ``number`` that follow from its kind."""
    if kind == "int":
        return ()
    if kind == "float":
        return (number, ZERO, NAN), (ZERO, number, INFINITY)
    return ((KINDS[kind].empty, number, 0),) if KINDS[kind].is_text else ()


def text_distance(low: DifferenceNode, high: DifferenceNode) -> int:
    r"""How many strict steps lead from one constant up to a greater one; ``FAR``: any number.

    Finite only when nothing but zero characters was appended.
    """
    if isinstance(low, str) and isinstance(high, str):
        added = len(high) - len(low)
        return added if high == low + "\0" * added else FAR
    if isinstance(low, bytes) and isinstance(high, bytes):
        added = len(high) - len(low)
        return added if high == low + b"\0" * added else FAR
    raise TypeError(f"{low!r} and {high!r} are no two texts")


#: Stands for any number of steps: more than a path condition can count.
FAR: Final = 1 << 62


def _order_facts(term: Term, outcome: bool, kinds: tuple[Kind, ...]) -> Alternatives | None:  # noqa: FBT001
    """As ``facts_of`` for inputs of one kind other than int."""
    if type(term) is not tuple:
        return None
    name = term[0]
    if name == "truth":
        return _order_facts(term[1], outcome, kinds)
    if name == OK:
        harmless = _order_facts(term[1], outcome, kinds) is not None
        return (ALWAYS if outcome else NEVER) if harmless else None
    if name == VARIABLE:
        return _comparison_facts("!=", term, KINDS[kinds[term[1]]].empty, outcome, kinds)
    if name == SAME and _kind(term[1], kinds) != "float":
        return _comparison_facts("==", term[1], term[2], outcome, kinds)
    return _comparison_facts(name, term[1], term[2], outcome, kinds) if name in _NEGATED else None


def _kind(term: Term, kinds: tuple[Kind, ...]) -> Kind | None:
    if type(term) is tuple:
        return kinds[term[1]] if term[0] == VARIABLE else None
    return kind_of(term)


def _comparison_facts(
    name: str, left: Term, right: Term, outcome: bool, kinds: tuple[Kind, ...]  # noqa: FBT001
) -> Alternatives | None:  # fmt: skip
    if isinstance(left, int):
        left, right, name = right, left, _MIRRORED[name]
    if isinstance(right, int):
        right = _equal_float(right)
    kind = _kind(left, kinds)
    if kind is None or kind != _kind(right, kinds):
        return None
    if kind == "float":
        return _float_facts(name, _float_node(left), _float_node(right), outcome)
    return _relation_facts(name if outcome else _NEGATED[name], _node(left), _node(right), 0)


def _node(term: Term) -> DifferenceNode:
    node: DifferenceNode = term[1] if type(term) is tuple else term
    return node


def _equal_float(value: int) -> float | None:
    """The float that equals ``value``, if there is one."""
    try:
        return float(value) if float(value) == value else None
    except OverflowError:
        return None


def _float_node(term: Term) -> tuple[DifferenceNode, int]:
    """A float as a node and a distance from it."""
    return (term[1], 0) if type(term) is tuple else (ZERO, float_rank(term))


def _float_facts(
    name: str, left: tuple[DifferenceNode, int], right: tuple[DifferenceNode, int], outcome: bool  # noqa: FBT001
) -> Alternatives:  # fmt: skip
    """Every comparison with NaN is false, except ``!=``; the places do the rest."""
    if name == "!=":
        name, outcome = "==", not outcome
    if name in {">", ">="}:
        left, right, name = right, left, _MIRRORED[name]
    (x, at), (y, to) = left, right
    if (ZERO, NAN) in {left, right}:
        return NEVER if outcome else ALWAYS
    if outcome:
        number = (y if y != ZERO else x, ZERO, INFINITY)
        found = _relation_facts(name, x, y, to - at)
        return tuple(Facts((*facts.bounds, number), facts.unequal) for facts in found)
    nan = (Facts(((ZERO, y, -NAN),)),) if y != ZERO else ()
    return _relation_facts(_NEGATED[name], x, y, to - at) + nan


def _relation_facts(name: str, x: DifferenceNode, y: DifferenceNode, c: int) -> Alternatives:
    """``x - y`` compared with ``c`` in a linear order."""
    if x == y:
        x = y = ZERO
    return _FACTS[name](x, y, c)


_FACTS: Final[dict[str, Callable[[DifferenceNode, DifferenceNode, int], Alternatives]]] = {
    "<": lambda x, y, c: (Facts(((x, y, c - 1),)),),
    "<=": lambda x, y, c: (Facts(((x, y, c),)),),
    ">": lambda x, y, c: (Facts(((y, x, -c - 1),)),),
    ">=": lambda x, y, c: (Facts(((y, x, -c),)),),
    "==": lambda x, y, c: (Facts(((x, y, c), (y, x, -c))),),
    "!=": lambda x, y, c: (Facts((), ((x, y, c),)),),
}
