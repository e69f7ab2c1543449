"""Every branch of every function of ``tests/subjects/conditions.py`` is taken by some path."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path

import pytest

from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.concolic.candidate_sequences import MAX_VARIANTS, Variants
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.path_forest import ForestExploration
from unitcraft.explore.explain.uncovered_branches import branch_sites, find_uncovered
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain

SUBJECT = Path(__file__).resolve().parents[1] / "subjects" / "conditions.py"
SOURCE = SUBJECT.read_text(encoding="utf-8")
FUNCTIONS = [node.name for node in ast.parse(SOURCE).body if isinstance(node, ast.FunctionDef)]
#: Paths of one function: less than a second of work.
PATHS = 140
#: Sections need lines in an order; half a second too.
MORE_PATHS = {"lines_section": 270}


@pytest.fixture(scope="module")
def explored():
    """The function that explores a function of the module: (lines left, runs that diverged)."""
    options = {"module": SUBJECT.stem, "sites": True, "calls": True}
    spec = HostSpec("unitcraft.explore.agents.concolic_agent", options, (str(SUBJECT.parent),))
    with Pool(spec, 1) as pool:
        subject = request_subject(pool, SUBJECT.stem)
        sites = [BranchSite(*row) for row in pool.ready["sites"]]

        def explore(name):
            target = next(one for one in subject.invocables if one.name == name)
            shapes = Variants(subject, InputShapes(subject)).of(target, 0)
            most = MORE_PATHS.get(name, PATHS)
            variants = list(islice(shapes, MAX_VARIANTS))
            forest = ForestExploration(pool, chain(), target.id).explore(variants, most)
            lines = (target.first, target.last)
            numbers = branch_sites(sites, SUBJECT.stem, lines, SOURCE)
            left = find_uncovered(forest, sites, numbers, chain())
            return [(one.line, one.outcome, one.why) for one in left], forest.counts.diverged

        yield explore


@pytest.mark.parametrize("name", FUNCTIONS)
def test_all_branches_are_taken(explored, name):
    assert explored(name) == ([], 0)


def test_each_class_has_three_functions():
    classes = [name.partition("_")[0] for name in FUNCTIONS]
    assert {classes.count(one) for one in classes} == {3}
    assert len(set(classes)) == 11
