"""Sums and products of integers in one form: are two terms the same polynomial?

``(a + b) * c`` and ``c * b + a * c`` are, whatever the calls are that stand for the letters.

Invariant: a form is the sum of its monomials, each with a factor that is not 0; a monomial names
its terms in the order of their texts.  Every part has to be an integer on all rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import Compute, Constant, Term, Test

if TYPE_CHECKING:
    from unitcraft.infer.algebraic.term_vectors import Rows

#: Monomials of one form; a product with more is no sum that a reader would compare.
MAX_MONOMIALS: Final = 40

#: The factor of each product of terms; that of no terms is the constant.
Polynomial = dict[tuple[Term, ...], int]


def are_one_polynomial(left: Term, right: Term, rows: Rows) -> bool:
    """Are both the same sum of products of integers, in whatever order?

    No for two terms of which none is computed: a law says that these are equal.
    """
    if not isinstance(left, Compute) and not isinstance(right, Compute):
        return False
    one = polynomial(left, rows)
    return one is not None and one == polynomial(right, rows)


def is_in_order(term: Test, rows: Rows) -> bool:
    """Is the right side at least, or more than, the left one, whatever the calls in it show?

    So it is where their difference is a sum of lengths and a number that is not too small.
    """
    if term.operator not in ("<", "<="):
        return False
    difference = polynomial(Compute(term.right, "-", term.left), rows)
    if difference is None:
        return False
    least = difference.pop((), 0)
    lengths = all(factor > 0 and all(map(_is_length, monomial))
                  for monomial, factor in difference.items())  # fmt: skip
    return lengths and least >= (1 if term.operator == "<" else 0)


def _is_length(term: Term) -> bool:
    return isinstance(term, Compute) and term.operator == "len"


def polynomial(term: Term, rows: Rows) -> Polynomial | None:
    """The form of ``term``; None where a part is no integer."""
    if isinstance(term, Compute) and term.operator in ("+", "-", "*"):
        left, right = polynomial(term.left, rows), polynomial(term.right, rows)
        if left is None or right is None:
            return None
        if term.operator == "*":
            return _product(left, right)
        return _sum(left, right, 1 if term.operator == "+" else -1)
    if isinstance(term, Compute) and term.operator == "negated":
        if isinstance(term.left, Compute) and term.left.operator == "negated":
            return None  # that twice is nothing is what a law says
        inner = polynomial(term.left, rows)
        return None if inner is None else _sum({}, inner, -1)
    values = rows.universe.table.values
    if not all(values.is_integer(one) for one in rows.distinct(term) if one >= 0):
        return None
    if isinstance(term, Constant):
        number = int(values.plain(term.value))
        return {(): number} if number else {}
    return {(term,): 1}


def _sum(left: Polynomial, right: Polynomial, sign: int) -> Polynomial:
    found = dict(left)
    for monomial, factor in right.items():
        found[monomial] = found.get(monomial, 0) + sign * factor
    return {monomial: factor for monomial, factor in found.items() if factor}


def _product(left: Polynomial, right: Polynomial) -> Polynomial | None:
    found: Polynomial = {}
    for one, factor in left.items():
        for other, by in right.items():
            monomial = tuple(sorted((*one, *other), key=repr))
            found[monomial] = found.get(monomial, 0) + factor * by
    if len(found) > MAX_MONOMIALS:
        return None
    return {monomial: factor for monomial, factor in found.items() if factor}
