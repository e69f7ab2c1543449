"""Paths after calls that lead nowhere new are left out, and no others."""

from __future__ import annotations

from collections import Counter

import pytest

from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.concolic.candidate_sequences import Variants
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.known_beginnings import without_known_beginnings
from unitcraft.explore.concolic.path_forest import ForestExploration
from unitcraft.explore.subject_request import request_subject
from unitcraft.solve.chain import chain

CODE = """\
class Gate:
    def __init__(self, limit: int = 3) -> None:
        self.opened = False
        self.limit = limit
        self.count = 0

    def open(self, key: str) -> None:
        if key == "sesame":
            self.opened = True

    def close(self) -> None:
        self.opened = False

    def enter(self) -> str:
        if not self.opened:
            raise PermissionError("closed")
        return "in"

    def add(self, amount: int) -> None:
        self.count += amount

    def is_full(self) -> bool:
        return self.count >= self.limit


def double(number: int) -> int:
    return 2 * number if number > 3 else 0
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """(earlier calls, outcome) of the paths of a target, before and after."""
    folder = tmp_path_factory.mktemp("gates")
    (folder / "gates.py").write_text(CODE)
    spec = HostSpec(
        "unitcraft.explore.agents.concolic_agent",
        {"module": "gates", "sites": True, "calls": True},
        (str(folder),),
    )
    with Pool(spec, 1) as pool:
        subject = request_subject(pool, "gates")

        def explored(name):
            target = next(one for one in subject.invocables if one.id == f"gates:{name}")
            variants = list(Variants(subject, InputShapes(subject)).of(target, 2))
            forest = ForestExploration(pool, chain(), target.id).explore(variants, 100)
            paths = [one for one in forest.found if one.at_target]
            left = without_known_beginnings(paths, pool, chain())
            return [
                Counter((one.job.variant.after, one.outcome) for one in found)
                for found in (paths, left)
            ]

        yield explored


def test_a_beginning_after_which_the_object_is_as_before_is_left_out(kept):
    before, after = kept("Gate.enter")
    assert ("open", "close") in {calls for calls, _ in before}
    assert after == {((), "builtins:PermissionError"): 1, (("open",), ""): 1}


def test_a_new_state_keeps_all_its_paths(kept):
    before, after = kept("Gate.is_full")
    assert before[("add",), ""] == after[("add",), ""] == 2
    assert {calls for calls, _ in after} == {(), ("add",)}


def test_paths_of_a_function_stay(kept):
    before, after = kept("double")
    assert before == after == {((), ""): 2}
