"""Terms: expressions over the inputs, as plain tuples that ``evaluate`` computes as CPython does.

A term is an atom (None, bool, int, float, str, bytes: a constant), ``("v", n)`` (input
number ``n``) or ``(operation, *terms)`` with an operation of ``OPERATIONS``.  A constraint is
``(term, outcome)``: evaluating the term gives a value of that truth.

Invariant: a term means what CPython computes for it, raising included; nothing is
approximated here.  Terms hold no object of a Subject and are compared with ``operations.same``
where 1, True and 1.0 must differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Final, Literal

from unitcraft.symbolic.terms.operations import EVALUATED

Term = Any  # an atom or a tuple of an operation and Terms
Constraint = tuple[Term, bool]
Kind = Literal["int", "float", "str", "bytes"]

#: The operation of an input.
VARIABLE: Final = "v"
#: Evaluating the operand raises nothing.
OK: Final = "ok"
#: The name of the class of the error that evaluating the operand raises, or "".
RAISES: Final = "raises"
#: Both operands are of one class and equal: the operation of a concretization.
SAME: Final = "same"

#: Nodes of a term, repeats counted; a trace is cut before the first larger term.
MAX_TERM_NODES: Final = 400


def variable(number: int) -> Term:
    """Input ``number`` (from 0)."""
    return (VARIABLE, number)


def evaluate(term: Term, values: Sequence[Any]) -> Any:
    """The value of ``term`` when input n is ``values[n]``; raises what CPython raises."""
    if type(term) is not tuple:
        return term
    name = term[0]
    if name == VARIABLE:
        return values[term[1]]
    if name == OK:
        return not _raised_class(term[1], values)
    if name == RAISES:
        return _raised_class(term[1], values)
    if len(term) == _OF_TWO:  # most terms: without a list of operands
        first, second = term[1], term[2]
        if type(first) is tuple:
            first = values[first[1]] if first[0] == VARIABLE else evaluate(first, values)
        if type(second) is tuple:
            second = values[second[1]] if second[0] == VARIABLE else evaluate(second, values)
        return EVALUATED[name](first, second)
    return EVALUATED[name](*[evaluate(part, values) for part in term[1:]])


#: Parts of a term with two operands.
_OF_TWO: Final = 3


def compiled(term: Term) -> Callable[[Sequence[Any]], Any]:
    """``evaluate`` for ``term``, made for many evaluations."""
    if type(term) is not tuple:
        return lambda _values: term
    name = term[0]
    if name == VARIABLE:
        return itemgetter(term[1])
    if name in (OK, RAISES):
        return lambda values: evaluate(term, values)
    function = EVALUATED[name]
    if len(term) != _OF_TWO:
        parts = [compiled(part) for part in term[1:]]
        return lambda values: function(*[part(values) for part in parts])
    if all(type(part) is tuple and part[0] == VARIABLE for part in term[1:]):
        one, two = term[1][1], term[2][1]
        return lambda values: function(values[one], values[two])
    first, second = compiled(term[1]), compiled(term[2])
    return lambda values: function(first(values), second(values))


def _raised_class(term: Term, values: Sequence[Any]) -> str:
    try:
        evaluate(term, values)
    except Exception as error:  # noqa: BLE001 - whatever the operation raises
        return type(error).__name__
    return ""


def holds(constraint: Constraint, values: Sequence[Any]) -> bool:
    """Do ``values`` satisfy ``constraint``?  A term that raises satisfies nothing."""
    try:
        return bool(evaluate(constraint[0], values)) is constraint[1]
    except Exception:  # noqa: BLE001 - whatever the operation raises
        return False


def are_satisfied(constraints: Iterable[Constraint], values: Sequence[Any]) -> bool:
    """Do ``values`` satisfy all ``constraints``?"""
    try:
        for term, outcome in constraints:
            if bool(evaluate(term, values)) is not outcome:
                return False
    except Exception:  # noqa: BLE001 - whatever an operation raises
        return False
    return True


def variables_of(term: Term) -> tuple[int, ...]:
    """The inputs that ``term`` mentions, ascending; shared parts are visited once."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting = [term]
    while waiting:
        part = waiting.pop()
        if type(part) is not tuple:
            continue
        if part[0] == VARIABLE:
            found.add(part[1])
        elif id(part) not in seen:
            seen.add(id(part))
            waiting += part[1:]
    return tuple(sorted(found))


def constants_of(term: Term) -> Iterator[Any]:
    """The atoms in ``term``, from left to right, without the inputs."""
    if type(term) is not tuple:
        yield term
    elif term[0] != VARIABLE:
        for part in term[1:]:
            yield from constants_of(part)


def substitute(term: Term, parts: dict[int, Term]) -> Term:
    """``term`` with every input that is in ``parts`` replaced."""
    if type(term) is not tuple:
        return term
    if term[0] == VARIABLE:
        return parts.get(term[1], term)
    return (term[0], *[substitute(part, parts) for part in term[1:]])
