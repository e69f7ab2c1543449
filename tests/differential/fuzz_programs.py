"""Runs programs and collects divergences."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from random import Random

import inputs
from program_fidelity import Program, divergence
from programs import program


@dataclass(frozen=True)
class Finding:
    """A divergence of the program of ``seed``."""

    seed: int
    program: Program
    runs: list[tuple[object, ...]]
    problem: str


def checked(seed: int, count: int = 6) -> Finding | None:
    """The divergence of the program of ``seed`` on ``count`` inputs, if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = program(seed)
        random = Random(seed)
        base = inputs.drawn(made.shapes, random)
        runs = [base, *[inputs.varied(made.shapes, base, random) for _ in range(count - 1)]]
        problem = divergence(made, runs)
    return None if problem is None else Finding(seed, made, runs, problem)
