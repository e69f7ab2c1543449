"""Uncovered branches: program text in, the branches that no path takes and the reason out."""

from __future__ import annotations

from itertools import islice

import pytest

from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.concolic.candidate_sequences import Variants
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.path_forest import ForestExploration
from unitcraft.explore.explain.uncovered_branches import (
    branch_sites,
    decided_lines,
    find_uncovered,
)
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain

CODE = """\
def covered(x: int) -> int:
    if x > 3:
        return 1
    return 2


def impossible(x: int) -> int:
    if x > 3:
        if x < 2:
            return 1
    return 2


def never(x: int) -> int:
    if 2 * x == 7:
        return 1
    return 2


def fixed(x: int) -> int:
    if len([]) > 1:
        return x
    return 2


def unreached(x: int) -> int:
    return x
    if x > 1:
        return 1


def endless(n: int) -> int:
    while n > 0:
        n -= 1
        if n == -100:
            return 1
    return n
"""


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("uncovered")
    (folder / "branches.py").write_text(CODE)
    spec = HostSpec(
        "unitcraft.explore.agents.concolic_agent",
        {"module": "branches", "sites": True},
        (str(folder),),
    )
    with Pool(spec, 1) as made:
        yield made


@pytest.fixture
def uncovered(pool):
    """(line, outcome, why, details) of the uncovered branches of a function."""
    subject = request_subject(pool, "branches")
    sites = [BranchSite(*row) for row in pool.ready["sites"]]

    def found(name, most=12):
        target = next(one for one in subject.invocables if one.id == f"branches:{name}")
        variants = list(islice(Variants(subject, InputShapes(subject)).of(target, 0), 8))
        solver = chain()
        forest = ForestExploration(pool, solver, name).explore(variants, most)
        numbers = branch_sites(sites, "branches", (target.first, target.last), CODE)
        return [
            (one.line, one.outcome, one.why, one.details)
            for one in find_uncovered(forest, sites, numbers, solver)
        ]

    return found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("covered", []),
        ("impossible", [(9, "true", "infeasible", ("x < 2 contradicts x > 3",))]),
        ("never", [(15, "true", "infeasible", ("2 * x == 7 never holds",))]),
        ("fixed", [(21, "true", "fixed", ())]),
        ("unreached", [(28, "true", "unreached", ()), (28, "false", "unreached", ())]),
    ],
)
def test_branches_that_no_path_took(uncovered, name, expected):
    assert uncovered(name) == expected


def test_a_bound_is_no_proof(uncovered):
    assert {why for _, _, why, _ in uncovered("endless", 3)} <= {"bound", "clashing", "unknown"}


def test_tests_without_a_statement_of_their_own_are_decided_lines():
    source = "x = 1 if a else 2\nassert b\ny = [c\n  for c in d\n  if c]\nz = e < f\n"
    assert decided_lines(source) == {1, 2, 5}
