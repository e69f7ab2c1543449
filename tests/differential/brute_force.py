"""Checks what the solvers say of turned branches against all inputs of a small domain.

A program of small ints runs on every input; each event of a few runs is turned, and the solvers
are asked for inputs of the domain that satisfy the turned path.  A model must satisfy it, run into
the turned branch and be of the domain; a proof that there is none must agree with the enumeration.
"""

from __future__ import annotations

import warnings
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import program_fidelity
from fuzz_programs import Finding
from programs import program

from unitcraft.solve.chain import chain
from unitcraft.solve.protocol import Query, Sat, Unsat
from unitcraft.symbolic.terms.operations import same
from unitcraft.symbolic.terms.term import are_satisfied

LEAST, GREATEST = -3, 4
SHAPES = (("int", "int"), ("int", "int"), ("ints", ("list", "int", "int")))
#: Turned branches of one program.
MOST_QUERIES = 10
#: Verdicts of all programs so far, by kind.
VERDICTS: Counter[str] = Counter()


def checked(seed: int, most: int = MOST_QUERIES) -> Finding | None:
    """The first wrong verdict on the program of ``seed``, if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = program(seed, SHAPES, 2)
        kinds = program_fidelity.kinds(made.shapes)
        inputs = list(product(range(LEAST, GREATEST + 1), repeat=len(kinds)))
        _, code = program_fidelity.compiled(made.source)
        random = Random(seed)
        tried: list[Any] = []
        for values in random.sample(inputs, 6):
            run = program_fidelity.run(code, made.shapes, values, followed=True)
            places = random.sample(range(len(run.events)), min(3, len(run.events)))
            for place in places:
                turned = tuple(run.events[:place]), run.events[place]
                if len(tried) >= most or any(same(turned[1], other) for other in tried):
                    continue
                tried.append(turned[1])
                problem = _wrong(code, made.shapes, inputs, run, place)
                if problem is not None:
                    return Finding(seed, made, [values], problem)
    return None


def _wrong(
    code: Any, shapes: Any, inputs: list[Any], run: program_fidelity.Run, place: int
) -> str | None:
    """What is wrong with the verdict on ``run`` turned at event ``place``."""
    term, outcome = run.events[place]
    domain = [
        ((op, ("v", number), bound), True)
        for number in range(len(inputs[0]))
        for op, bound in ((">=", LEAST), ("<=", GREATEST))
    ]
    turned = (*domain, *run.events[:place], (term, not outcome))
    kinds = tuple(["int"] * len(inputs[0]))
    verdict = chain(strict=True).solve(Query(turned, kinds, run.values))
    VERDICTS[type(verdict).__name__] += 1
    if type(verdict) is Sat:
        if not are_satisfied(turned, verdict.values):
            return f"the model {verdict.values} does not satisfy {turned}"
        other = program_fidelity.run(code, shapes, verdict.values, followed=True)
        return program_fidelity.apart(run, other) or _not_turned(run, other, place)
    if type(verdict) is Unsat:
        for values in inputs:
            if are_satisfied(turned, values):
                return f"called infeasible, but {values} satisfies {turned}"
    return None


def _not_turned(run: program_fidelity.Run, other: program_fidelity.Run, place: int) -> str | None:
    """How ``other`` leaves the path of ``run`` elsewhere than at ``place``."""
    before = zip(run.events[:place], other.events[:place], strict=False)
    if len(other.events) <= place or not all(same(one, two) for one, two in before):
        return f"{other.values} leaves the path before event {place}"
    if same(run.events[place], other.events[place]):
        return f"{other.values} does not turn event {place}, {run.events[place]}"
    return None
