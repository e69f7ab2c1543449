"""Constraints as facts about differences: x - y <= c and x - y != c over integers.

Invariant: a constraint is equivalent to the disjunction of the Facts that ``facts_of`` gives, or
it gives None (*opaque*); nothing is approximated.  So that one theory serves all kinds, a
value is named by its place in the order of its kind:

- an int by itself;
- a float by the number of floats between 0.0 and it (-0.0 and 0.0 share a place, which is all that
  comparisons can see); NaN, of which every comparison but ``!=`` is false, comes after
  infinity;
- a str or bytes by itself, as a node: x - y <= -k says that there is a chain of k strict steps
  from x up to y.  Such distances add up in every linear order, ``""`` is the least value, and
  ``x + "\0"`` is the next one after x, so that the reasoning on integers is sound and
  elimination exact here too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import ceil, floor, inf, isfinite, isnan
from struct import pack, unpack
from typing import Final, NamedTuple

from unitcraft.symbolic.terms import OK, SAME, VARIABLE, Constraint, Kind, Term

#: An input (its number), ``ZERO``, or a constant str or bytes.
Node = int | str | bytes

#: The node of the integer 0 and of the float 0.0.
ZERO: Final = -1

#: first - second <= limit (or != limit).
Fact = tuple[Node, Node, int]


class Facts(NamedTuple):
    """What holds together: upper bounds of differences, and values that differences lack."""

    bounds: tuple[Fact, ...] = ()
    unequal: tuple[Fact, ...] = ()


#: A disjunction: () is false, ``TRUE`` is true.
Alternatives = tuple[Facts, ...]

TRUE: Final[Alternatives] = (Facts(),)
FALSE: Final[Alternatives] = ()

_OPPOSITE: Final = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
_EMPTY: Final[dict[Kind, Term]] = {"int": 0, "float": 0.0, "str": "", "bytes": b""}
_MIRRORED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def place(value: float) -> int:
    """The number of floats from 0.0 up to ``value``, negative below it; NaN is one past infinity."""
    if isnan(value):
        return NAN
    bits: int = unpack("<q", pack("<d", value))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


INFINITY: Final = unpack("<q", pack("<d", inf))[0]
NAN: Final = INFINITY + 1


def facts_of(constraint: Constraint, kinds: tuple[Kind, ...]) -> Alternatives | None:
    """The disjunction that ``constraint`` is equivalent to; None when it is opaque."""
    term, outcome = constraint
    if type(term) is not tuple:
        return TRUE if bool(term) is outcome else FALSE
    name = term[0]
    if name == "truth":
        return facts_of((term[1], outcome), kinds)
    if name == OK:
        return (TRUE if outcome else FALSE) if _never_raises(term[1], kinds) else None
    if name in _OPPOSITE:
        return _compared(name, term[1], term[2], outcome=outcome, kinds=kinds)
    if name == SAME:
        return _same(term, outcome=outcome, kinds=kinds)
    kind = kind_of(term, kinds)
    return kind and _compared("!=", term, _EMPTY[kind], outcome=outcome, kinds=kinds)


def _same(term: Term, *, outcome: bool, kinds: tuple[Kind, ...]) -> Alternatives | None:
    """Sameness is equality where equal values cannot be told apart."""
    first, second = kind_of(term[1], kinds), kind_of(term[2], kinds)
    if None in {first, second} or "float" in {first, second}:
        return None
    if bool in {type(term[1]), type(term[2])}:
        return None
    if first != second:
        return FALSE if outcome else TRUE
    return _compared("==", term[1], term[2], outcome=outcome, kinds=kinds)


def _never_raises(term: Term, kinds: tuple[Kind, ...]) -> bool:
    if type(term) is tuple and term[0] in _OPPOSITE:
        return _compared(term[0], term[1], term[2], outcome=True, kinds=kinds) is not None
    return kind_of(term, kinds) is not None


def kind_of(term: Term, kinds: tuple[Kind, ...]) -> Kind | None:
    """The kind of an atom, an input or a linear combination of ints; None: not understood."""
    if type(term) is tuple:
        if term[0] == VARIABLE:
            return kinds[term[1]]
        return None if linear(term, kinds) is None else "int"
    return _ATOMS.get(type(term))


_ATOMS: Final[dict[type, Kind]] = {
    int: "int", bool: "int", float: "float", str: "str", bytes: "bytes",
}  # fmt: skip


def _compared(
    name: str, left: Term, right: Term, *, outcome: bool, kinds: tuple[Kind, ...]
) -> Alternatives | None:
    first, second = kind_of(left, kinds), kind_of(right, kinds)
    if first is None or second is None:
        return None
    if first != second:
        return _mixed(name, left, right, outcome=outcome, kinds=kinds)
    if first == "float":
        return _floats(name, _located(left), _located(right), outcome=outcome)
    name = name if outcome else _OPPOSITE[name]
    if first == "int":
        return _integers(name, left, right, kinds)
    return _ordered(name, _node(left), _node(right), 0)


def _node(term: Term) -> Node:
    node: Node = term[1] if type(term) is tuple else term
    return node


def _mixed(
    name: str, left: Term, right: Term, *, outcome: bool, kinds: tuple[Kind, ...]
) -> Alternatives | None:
    """An int against a float: understood only where one of them is a constant."""
    if type(left) is float or isinstance(left, int):
        left, right, name = right, left, _MIRRORED[name]
    if isinstance(right, int) and kind_of(left, kinds) == "float":
        exact = _exactly(right)
        return None if exact is None else _compared(
            name, left, exact, outcome=outcome, kinds=kinds
        )  # fmt: skip
    if type(right) is not float or kind_of(left, kinds) != "int":
        return None
    if not isfinite(right):
        known = {"<": right > 0, "<=": right > 0, ">": right < 0, ">=": right < 0, "!=": True}
        return TRUE if known.get(name, False) is outcome else FALSE
    if name in {"==", "!="} and not right.is_integer():
        return TRUE if (name == "!=") is outcome else FALSE
    whole = ceil(right) if name in {"<", ">="} else floor(right)
    return _compared(name, left, whole, outcome=outcome, kinds=kinds)


def _exactly(value: int) -> float | None:
    """The float that equals ``value``, if there is one."""
    try:
        return float(value) if float(value) == value else None
    except OverflowError:
        return None


def _located(term: Term) -> tuple[Node, int]:
    """A float as a node and a distance from it."""
    return (term[1], 0) if type(term) is tuple else (ZERO, place(term))


def _floats(name: str, left: tuple[Node, int], right: tuple[Node, int], *, outcome: bool) -> (
    Alternatives
):  # fmt: skip
    """Every comparison with NaN is false, except ``!=``."""
    if name == "!=":
        name, outcome = "==", not outcome
    if name in {">", ">="}:
        left, right, name = right, left, _MIRRORED[name]
    (x, at), (y, to) = left, right
    if (ZERO, NAN) in {left, right}:
        return FALSE if outcome else TRUE
    if outcome:
        number = ((y, ZERO, INFINITY),) if y != ZERO else ((x, ZERO, INFINITY),)
        return tuple(Facts(f.bounds + number, f.unequal) for f in _ordered(name, x, y, to - at))
    nan = (Facts(((ZERO, y, -NAN),)),) if y != ZERO else ()
    return _ordered(_OPPOSITE[name], x, y, to - at) + nan


def _integers(name: str, left: Term, right: Term, kinds: tuple[Kind, ...]) -> Alternatives | None:
    """Both sides on one side, divided by what the factors share."""
    first, second = linear(left, kinds), linear(right, kinds)
    if first is None or second is None:
        return None
    parts, c = _plus(first, second, -1)
    factors = [(node, factor) for node, factor in parts.items() if factor]
    if not factors:
        return _ordered(name, ZERO, ZERO, -c)
    if len(factors) == 1:
        factors.append((ZERO, -factors[0][1]))
    (x, factor), (y, other) = factors[:2]
    if len(factors) > 2 or factor != -other:  # noqa: PLR2004 - a difference has two nodes
        return None
    return _divided(name, x, y, factor, -c) if factor > 0 else _divided(name, y, x, other, -c)


def _divided(name: str, x: Node, y: Node, factor: int, c: int) -> Alternatives:
    """``factor * (x - y)`` compared with ``c``; ``factor`` is positive."""
    if name in {"==", "!="} and c % factor:
        return TRUE if name == "!=" else FALSE
    return _ordered(name, x, y, -(-c // factor) if name in {"<", ">="} else c // factor)


#: Factors of nodes, and a constant.
Linear = tuple[dict[Node, int], int]


def linear(term: Term, kinds: tuple[Kind, ...]) -> Linear | None:
    """``term`` as a sum of multiples of int inputs and a constant; None: it is not that."""
    if type(term) is not tuple:
        return ({}, int(term)) if isinstance(term, int) else None
    name = term[0]
    if name == VARIABLE:
        return ({term[1]: 1}, 0) if kinds[term[1]] == "int" else None
    if name not in {"+", "-", "*", "neg", "pos"}:
        return None
    parts = [linear(part, kinds) for part in term[1:]]
    first = parts[0]
    if first is None or parts[-1] is None:
        return None
    if len(parts) == 1:
        return _plus(({}, 0), first, -1 if name == "neg" else 1)
    if name == "*":
        return _multiplied(first, parts[-1])
    return _plus(first, parts[-1], 1 if name == "+" else -1)


def _plus(first: Linear, second: Linear, sign: int) -> Linear:
    parts = dict(first[0])
    for node, factor in second[0].items():
        parts[node] = parts.get(node, 0) + sign * factor
    return parts, first[1] + sign * second[1]


def _multiplied(first: Linear, second: Linear) -> Linear | None:
    if first[0] and second[0]:
        return None
    (parts, c), (_, factor) = (first, second) if first[0] else (second, first)
    return {node: old * factor for node, old in parts.items()}, c * factor


def _ordered(name: str, x: Node, y: Node, c: int) -> Alternatives:
    """``x - y`` compared with ``c`` in a linear order."""
    if x == y:
        return TRUE if _HOLDS[name](0, c) else FALSE
    return _BUILDERS[name](x, y, c)


_HOLDS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip

_BUILDERS: Final[dict[str, Callable[[Node, Node, int], Alternatives]]] = {
    "<": lambda x, y, c: (Facts(((x, y, c - 1),)),),
    "<=": lambda x, y, c: (Facts(((x, y, c),)),),
    ">": lambda x, y, c: (Facts(((y, x, -c - 1),)),),
    ">=": lambda x, y, c: (Facts(((y, x, -c),)),),
    "==": lambda x, y, c: (Facts(((x, y, c), (y, x, -c))),),
    "!=": lambda x, y, c: (Facts((), ((x, y, c),)),),
}
