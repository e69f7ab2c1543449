"""Microseconds for each Query and layer, on path conditions of the shapes that exploring makes.

All figures of a row come from one run on one machine: read the ratios, not the times.
"""

from __future__ import annotations

import random
import sys
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from unitcraft.solve.cache import Cache
from unitcraft.solve.chain import chain
from unitcraft.solve.differences.difference_logic import DifferenceLogic
from unitcraft.solve.inversion.repair import Repair
from unitcraft.solve.layer import End
from unitcraft.solve.local_search.alternating_variable import AlternatingVariable
from unitcraft.solve.local_search.finite_domains import FiniteDomains
from unitcraft.solve.protocol import Query, Sat, Unknown
from unitcraft.solve.smt.z3_layer import Z3
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.term import holds

if TYPE_CHECKING:
    from unitcraft.solve.protocol import Solver

#: Queries of each family.
COUNT = 200


def order(rng: random.Random) -> Query:
    """The path of inserting six ints into a search tree, one comparison negated."""
    values = [rng.randrange(20) for _ in range(6)]
    constraints: list[Any] = []
    tree: list[int] = []
    for number, value in enumerate(values):
        for other in tree:
            for name, outcome in (("==", value == values[other]), ("<", value < values[other])):
                constraints.append(((name, ("v", number), ("v", other)), outcome))
        if value not in [values[other] for other in tree]:
            tree.append(number)
    cut = rng.randint(8, min(20, len(constraints)))
    return negate_last(constraints[:cut], ("int",) * 6, tuple(values))


def arithmetic(rng: random.Random) -> Query:
    """Sums, products, remainders of three ints."""
    values = tuple(rng.randint(-50, 50) for _ in range(3))
    terms = [
        ("<", ("+", ("*", ("v", 0), rng.randint(2, 5)), ("v", 1)), rng.randint(-50, 50)),
        ("==", ("%", ("v", 1), rng.randint(2, 9)), rng.randint(0, 2)),
        (">", ("*", ("v", 0), ("v", 2)), rng.randint(-99, 99)),
        ("==", ("//", ("v", 2), rng.randint(2, 9)), rng.randint(-3, 3)),
        ("==", ("&", ("v", 1), 6), rng.randint(0, 6)),
    ]
    rng.shuffle(terms)
    return negate_last(observe(terms[: rng.randint(2, 5)], values), ("int",) * 3, values)


def texts(rng: random.Random) -> Query:
    """Searches, parts and predicates of one text."""
    value = "".join(rng.choice("ab1,x") for _ in range(rng.randint(0, 6)))
    terms = [
        ("str.startswith", ("v", 0), "ab"),
        ("in", ",", ("v", 0)),
        (">", ("len", ("v", 0)), rng.randint(1, 6)),
        ("==", ("[:]", ("v", 0), 0, 1, None), rng.choice("abx")),
        ("str.isdigit", ("v", 0)),
        ("==", ("str.lower", ("str.strip", ("v", 0))), "stop"),
    ]
    rng.shuffle(terms)
    return negate_last(observe(terms[: rng.randint(2, 5)], (value,)), ("str",), (value,))


def reals(rng: random.Random) -> Query:
    """Arithmetic and comparisons of two floats."""
    values = (rng.uniform(-9, 9), rng.uniform(-9, 9))
    terms = [
        ("<", ("+", ("v", 0), ("v", 1)), rng.randint(-9, 9)),
        (">", ("v", 0), 0.5),
        ("<", ("*", ("v", 0), ("v", 0)), 7.5),
        (">=", ("v", 1), ("v", 0)),
    ]
    rng.shuffle(terms)
    return negate_last(observe(terms[: rng.randint(2, 4)], values), ("float",) * 2, values)


def observe(terms: list[Any], values: tuple[Any, ...]) -> list[Any]:
    """Each term with the outcome that it has."""
    return [(term, holds((term, True), values)) for term in terms]


def negate_last(constraints: list[Any], kinds: Any, values: tuple[Any, ...]) -> Query:
    """The Query that asks for the other outcome of the last constraint."""
    term, outcome = constraints[-1]
    return Query((*constraints[:-1], (term, not outcome)), kinds, values)


LAYERS: dict[str, Any] = {
    "differences": DifferenceLogic,
    "cache miss": Cache,
    "enumerate": FiniteDomains,
    "repair": Repair,
    "local": lambda end, counts: AlternatingVariable(end, counts, 400),
    "z3": Z3,
    "chain": lambda _end, counts: chain(counts),
}


def measure(solver: Solver, queries: list[Query]) -> tuple[float, int, int]:
    """Median microseconds for each Query, how many Sat, and how many Unknown."""
    times, verdicts = [], []
    for query in queries:
        start = perf_counter()
        verdicts.append(type(solver.solve(query)))
        times.append(perf_counter() - start)
    return median(times) * 1e6, verdicts.count(Sat), verdicts.count(Unknown)


def main() -> None:
    """Print one row for each family of Queries and layer."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    print(
        f"{'queries':12}{'layer':12}{'us':>9}{'Sat':>6}{'Unsat':>6}{'Unknown':>8}{'z3/layer':>10}"
    )
    for family in (order, arithmetic, texts, reals):
        rng = random.Random(0)
        queries = [family(rng) for _ in range(count)]
        rows = {}
        for name, layer in LAYERS.items():
            counts = Statistics()
            rows[name] = measure(layer(End(counts), counts), queries)
        for name, (time, sat, unknown) in rows.items():
            cells = f"{time:9.1f}{sat:6}{count - sat - unknown:6}{unknown:8}"
            print(f"{family.__name__:12}{name:12}{cells}{rows['z3'][0] / time:10.1f}")


if __name__ == "__main__":
    main()
