"""Random terms, calls and sequences that respect their invariants."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from unitcraft.core.operators import OPERATORS
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol

NAMES = st.sampled_from(["value", "Cart", "Cart.add", "naïve"])
SYMBOLS = st.builds(Symbol, st.sampled_from(["shop", "shop.cart"]), NAMES)
ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.text(),
    st.binary(), st.just(...),
)  # fmt: skip
KINDS = st.sampled_from(["list", "tuple", "set", "frozenset", "dict"])


@cache
def args(refs: int):
    """Arguments of a call that has ``refs`` calls before it."""
    leaves = [st.builds(Const, ATOMS), SYMBOLS, st.builds(Source, st.just("lambda x: x"))]
    leaves += [st.builds(Ref, st.integers(0, refs - 1))] if refs else []

    def inner(children):
        items = st.lists(children, max_size=3).map(tuple)
        keywords = st.lists(st.tuples(NAMES, children), max_size=2).map(tuple)
        return st.builds(Display, KINDS, items) | st.builds(Build, SYMBOLS, items, keywords)

    return st.recursive(st.one_of(leaves), inner, max_leaves=6)


@cache
def calls(refs: int):
    plain = st.tuples(
        st.sampled_from(["function", "method", "get", "set"]), st.just("shop:Cart.add")
    )
    operator = st.tuples(st.just("operator"), st.sampled_from(sorted(OPERATORS)))
    return st.builds(
        lambda kind, items, keywords, then: Call(*kind, items, keywords, then),
        plain | operator,
        st.lists(args(refs), max_size=3).map(tuple),
        st.lists(st.tuples(NAMES, args(refs)), max_size=2).map(tuple),
        st.sampled_from(["", "await", "drain"]),
    )


@st.composite
def sequences(draw):
    size = draw(st.integers(1, 5))
    return Sequence(tuple(draw(calls(position)) for position in range(size)))
