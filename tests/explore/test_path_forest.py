"""All paths of programs whose paths are known by construction, through guarded workers."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.concolic.candidate_sequences import MAX_VARIANTS, Variant, Variants
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.path_forest import ForestExploration
from unitcraft.explore.subject_request import request_subject
from unitcraft.solve.chain import chain
from unitcraft.symbolic.terms.call_summaries import CallSummaries
from unitcraft.symbolic.terms.term import are_satisfied

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks" / "subjects"

CODE = """\
from __future__ import annotations

from dataclasses import dataclass


def weight_category(mass: float, length: float) -> str:
    assert mass > 0.0
    assert length > 0.0
    index = mass / (length * length)
    if index < 18.5:
        return "underweight"
    elif index < 25.0:
        return "normal"
    return "overweight"


FLAGS = [False, True, True, False, True]


def flagged(i: int) -> str:
    if i < 0:
        raise ValueError(i)
    return "yes" if FLAGS[i] else "no"


def gcd(a: int, b: int) -> int:
    if b == 0:
        return a
    return gcd(b, a % b)


def largest(items: list[int]) -> int:
    best = 0
    for item in items:
        if item > best:
            best = item
    return best


def distinct(items: set[int]) -> int:
    return len(items)


@dataclass
class Point:
    x: int
    y: int = 0


def near(a: Point, b: Point) -> str:
    if a is b:
        return "one"
    return "column" if a.x == b.x else "apart"


def endless(n: int) -> int:
    while n > 0:
        n -= 1
    return n


class Broken:
    def __init__(self, size: int) -> None:
        if size < 0:
            raise ValueError(size)
        self.size = size

    def double(self) -> int:
        return 2 * self.size
"""


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    (folder / "known.py").write_text(CODE)
    spec = HostSpec(
        "unitcraft.explore.agents.concolic_agent",
        {"module": "known", "sites": True, "calls": True},
        (str(folder),),
    )
    with Pool(spec, 1) as made:
        yield made


@pytest.fixture
def explore(pool):
    subject = request_subject(pool, "known")

    def explored(name, calls=0, most=60):
        target = next(one for one in subject.invocables if one.id == f"known:{name}")
        variants = list(
            islice(Variants(subject, InputShapes(subject)).of(target, calls), MAX_VARIANTS)
        )
        return ForestExploration(pool, chain(strict=True), name).explore(variants, most)

    return explored


def outcomes(forest):
    return sorted(path.outcome.rpartition(":")[2] for path in forest.found)


def test_weight_categories_have_the_five_published_paths_and_an_underflow(explore):
    """JTESTCRAFT counts five; a denormal length adds a division by zero, which Java has not."""
    forest = explore("weight_category")
    assert outcomes(forest) == ["", "", "", "AssertionError", "AssertionError", "ZeroDivisionError"]


def test_an_element_of_a_constant_list_is_reasoned_about_as_a_whole(explore):
    """Out of bounds, true, false, whatever the index: three paths after the guard."""
    assert outcomes(explore("flagged")) == ["", "", "IndexError", "ValueError"]


def test_lists_take_every_length_and_order(explore):
    """Lengths 0 to 3: every element is a new maximum or not."""
    forest = explore("largest")
    assert len(forest.found) == 1 + 2 + 4 + 8
    assert {path.job.variant.when[0] for path in forest.found} == {
        f"len(items) == {length}" for length in range(4)
    }


def test_members_of_a_set_may_be_equal(explore):
    """1 + 1 + 2 + 5 partitions of up to three members."""
    assert len(explore("distinct").found) == 9


def test_one_object_for_two_parameters_is_a_choice(explore):
    forest = explore("near")
    shapes = sorted((path.job.variant.when, path.outcome) for path in forest.found)
    assert shapes == [((), ""), ((), ""), (("b is a",), "")]


def test_a_bound_leaves_the_rest_unexplored_and_says_so(explore):
    forest = explore("endless", most=5)
    assert len(forest.found) == 5
    assert list(forest.leaves("unexplored"))


def test_a_constructor_that_raises_ends_the_program(explore):
    forest = explore("Broken.double")
    assert [(path.at_target, path.outcome) for path in forest.found] == [
        (True, ""), (False, "builtins:ValueError"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["weight_category", "flagged", "largest", "near", "gcd"])
def test_inputs_satisfy_the_condition_of_their_path(explore, name):
    forest = explore(name, most=12)
    assert forest.rep_ok()
    for path in forest.found:
        assert are_satisfied(path.condition, path.met.values)
        assert path.program.calls[-1].name.startswith("known:")


def test_each_path_of_gcd_costs_one_node_of_its_tree(explore):
    """The shared steps are ``b != 0`` (of the test, of ``%``) and ``b == 0``."""
    summaries = CallSummaries()
    forest = explore("gcd", most=7)
    whole = [path for path in forest.found if path.met.whole]
    for path in whole:
        number = summaries.add("known:gcd", 2, path.condition, path.met.calls)
        assert summaries.expanded("known:gcd", number) == path.condition
    assert len(whole) > 4
    assert summaries.nodes == 1 + 3 + len(whole) - 1


def test_paths_do_not_depend_on_the_run(explore):
    first, second = explore("near"), explore("near")
    assert [(p.job.variant, p.met.values) for p in first.found] == [
        (p.job.variant, p.met.values) for p in second.found
    ]


def test_five_insertions_have_541_paths():
    """Fubini numbers: the ways in which n numbers can be ordered, ties allowed."""
    calls = [Call("function", "bin_search_tree:BinSearchTree")]
    calls += [Call("method", "insert", (Ref(0), Const(0))) for _ in range(5)]
    spec = HostSpec(
        "unitcraft.explore.agents.concolic_agent",
        {"module": "bin_search_tree"},
        (str(BENCHMARKS),),
    )
    variant = Variant((), Sequence(tuple(calls)), tuple("abcde"))
    with Pool(spec, 1) as pool:
        forest = ForestExploration(pool, chain(), "trees").explore([variant], 10_000)
    assert len(forest.found) == 541
    assert (forest.counts.unknown, forest.counts.diverged) == (0, 0)
    orders = {tuple(sorted(set(p.met.values)).index(v) for v in p.met.values) for p in forest.found}
    assert len(orders) == 541
