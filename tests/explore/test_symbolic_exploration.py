"""Symbolic exploration through guarded workers, on classes whose paths can be counted by hand."""

from __future__ import annotations

import importlib
import sys

import pytest

from unitcraft.core.encoding import encode_call
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.sequences import Call, Const, Source
from unitcraft.execute.guest.interpret import compile_call
from unitcraft.explore.domains import Domains
from unitcraft.explore.statespace import symbolic_exploration as symbolic_module
from unitcraft.explore.statespace.concrete_task import ClassToExplore
from unitcraft.explore.statespace.state_exploration import Bounds
from unitcraft.explore.statespace.symbolic_exploration import PathSelection
from unitcraft.explore.statespace.symbolic_task import Heuristics, explore_symbolically

SOURCE = '''
class Gate:
    """Open at the code 4711; three wrong codes lock it."""
    def __init__(self):
        self.open = False
        self.wrong = 0
    def enter(self, code: int):
        if self.wrong == 3:
            raise RuntimeError("locked")
        if code == 4711:
            self.open = True
        else:
            self.wrong += 1

class Least:
    """The least of the numbers seen."""
    def __init__(self):
        self.number = None
    def see(self, number: int):
        if self.number is None or number < self.number:
            self.number = number
    def ask(self):
        return self.number

class Halves:
    """Positive and negative numbers are states of one shape."""
    def __init__(self):
        self.number = None
    def take(self, number: int):
        if number > 0:
            self.number = number
        else:
            self.number = number
    def sign(self):
        return self.number is not None and self.number > 0

class Deep:
    """The fifth step rings; notes only make more states."""
    def __init__(self):
        self.level = 0
        self.notes = ()
    def note(self, x: int):
        if x > 0:
            self.notes += (True,)
        else:
            self.notes += (False,)
    def step(self):
        self.level += 1
        if self.level == 5:
            self.level = 100

class Kinds:
    def __init__(self, start: int = 0):
        self.last = None
    def whole(self, n: int):
        self.last = n
    def real(self, x: float):
        self.last = x + 0.5 if x > 0.25 else None
    def text(self, s: str):
        if s.startswith("ab"):
            self.last = s
    def flag(self, on: bool):
        self.last = on
    def several(self, values: list[int]):
        self.last = sum(values) > 10

class Long:
    def __init__(self):
        self.hits = 0
    def count(self, x: int):
        for n in range(10_000):
            if n < x:
                self.hits += 1

class Down:
    def __init__(self):
        self.deep = 0
    def down(self, n: int):
        return 0 if n <= 0 else 1 + self.down(n - 1)

class Nosy:
    """Behaves otherwise where its code was rewritten."""
    def __init__(self):
        self.n = 0
    def step(self, x: int):
        if x > 3 and "__unitcraft_call__" in globals():
            self.n = x
    def fail(self, x: int):
        if x > 3 and "__unitcraft_call__" in globals():
            raise ValueError(x)
        self.n = x

class Endless:
    def __init__(self):
        self.n = 0
    def step(self, x: int):
        if x == 7:
            while True:
                self.n += 1
        self.n = 1
    def leave(self, x: int):
        if x > 5:
            import os
            os._exit(3)
        self.n = 2

class Broken:
    def __init__(self):
        raise ValueError("no")
    def step(self, x: int):
        pass

class Unstable:
    """Asks something else from the second run on: the interpreter remembers."""
    def __init__(self):
        self.n = 0
    def step(self, x: int):
        import sys
        sys.unstable_runs = getattr(sys, "unstable_runs", 0) + 1
        if sys.unstable_runs > 1:
            self.n = 1 if x > 5 else 2
        elif x > 3:
            self.n = 3

class Powers:
    def __init__(self):
        self.found = False
    def guess(self, x: int, y: int):
        if x * x * x - y * y * 7 == 12 and x > 100_000:
            self.found = True
'''


@pytest.fixture
def explore(tmp_path):
    (tmp_path / "sample.py").write_text(SOURCE)

    def run(cls, iterations=3, methods=(), heuristics=None, jobs=1, domains=None):
        request = ClassToExplore(
            "sample", cls, Bounds(iterations), methods, domains or Domains((0,), floats=(0.0,)),
            paths=(str(tmp_path),), jobs=jobs,
        )  # fmt: skip
        return explore_symbolically(request, heuristics)

    return run


def counts(exploration):
    return [(one.states, one.tests) for one in exploration.iterations]


def test_a_test_is_a_path_and_a_state_stands_for_all_values(explore):
    found = explore("Gate", 6)
    assert counts(found)[:3] == [(3, 2), (5, 6), (7, 10)]
    assert found.counts.paths == found.iterations[-1].tests
    assert found.counts.infeasible == found.counts.unknown == found.counts.diverged == 0


def test_exploration_ends_when_no_state_is_new(explore):
    found = explore("Gate", 20)
    assert found.iterations[-1].states == 8
    assert len(found.iterations) < 10


def test_a_state_is_pruned_when_a_known_one_is_more_general(explore):
    assert counts(explore("Least", 4)) == [(2, 2), (2, 5)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_counts_do_not_depend_on_workers_or_order(explore, jobs):
    wanted = counts(explore("Gate", 6))
    for seed in range(2):
        choices = PathSelection(shuffle=seed)
        found = explore("Gate", 6, heuristics=Heuristics(choices=choices), jobs=jobs)
        assert counts(found) == wanted


def test_every_kind_of_parameter_has_its_unknowns(explore):
    stock = {"str": (Const("a"), Const("b")), "list": ()}
    domains = Domains((0,), otherwise=lambda kind: stock.get(kind.name, ()), floats=(0.0,))
    found = explore("Kinds", 1, ("whole", "real", "text", "flag"), domains=domains)
    assert counts(found) == [(6, 7)]


def test_concrete_parameters_stay_what_they_are(explore):
    values = {"code": (Source("1"), Source("4711"))}
    found = explore("Gate", 2, domains=Domains((0,), values))
    assert counts(found) == [(3, 2), (5, 6)]
    assert found.solved == {}


def test_comparing_shapes_only_explores_less(explore):
    full, less = explore("Halves", 3), explore("Halves", 3, heuristics=Heuristics(compare="shape"))
    assert (counts(full)[0], counts(less)[0]) == ((3, 3), (2, 3))
    assert less.iterations[-1].tests < full.iterations[-1].tests


@pytest.mark.parametrize("compare", ["implication", "syntactic", "shape"])
def test_every_comparison_ends(explore, compare):
    found = explore("Gate", 8, heuristics=Heuristics(compare=compare))
    assert found.iterations[-1].states == 8


def test_a_sample_of_the_methods_explores_a_part_and_depends_on_the_seed_only(explore):
    half = Heuristics(choices=PathSelection(sample=0.5, seed=1))
    first = explore("Kinds", 3, ("whole", "flag"), half)
    again = explore("Kinds", 3, ("whole", "flag"), half)
    full = explore("Kinds", 3, ("whole", "flag"))
    assert counts(first) == counts(again)
    assert first.iterations[-1].tests < full.iterations[-1].tests


def test_preferring_uncovered_branches_reaches_the_deep_one_with_less_work(explore):
    few = explore("Deep", 6, heuristics=Heuristics(width=1))
    full = explore("Deep", 6, heuristics=Heuristics(covering=True))
    assert few.branches == full.branches
    assert few.branches[0] == 7
    assert 10 * few.iterations[-1].tests < full.iterations[-1].tests


def test_witnesses_are_concrete_sequences_that_cover_the_branches(explore, tmp_path, monkeypatch):
    found = explore("Gate", 8, heuristics=Heuristics(covering=True))
    assert found.branches[0] == 6
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "sample", raising=False)
    importlib.import_module("sample")
    ends = set()
    for sequence in found.witnesses:
        assert sequence.rep_ok()
        results = []
        for call in sequence.calls:
            try:
                results.append(compile_call(encode_call(call))(results))
            except RuntimeError:
                ends.add("locked")
                results.append(None)
        ends.add((results[0].open, results[0].wrong))
    assert {(True, 0), (False, 1), "locked"} <= ends
    assert Call("method", "enter", (sequence.calls[1].args[0], Const(4711))) in [
        call for sequence in found.witnesses for call in sequence.calls
    ]


def test_a_path_of_ten_thousand_branches_is_cut_and_said_to_be(explore):
    found = explore("Long", 1)
    assert found.counts.cut > 0
    assert found.counts.paths == found.iterations[-1].tests
    assert found.counts.reasons["bound"] > 0


def test_the_bound_on_paths_is_reported(explore):
    found = explore("Long", 1, heuristics=Heuristics(choices=PathSelection(paths=3)))
    assert found.counts.runs == 3
    assert found.counts.reasons["bound"] > 0


def test_recursion_on_an_unknown_is_bounded(explore):
    found = explore("Down", 1)
    assert found.counts.cut == 1
    assert 10 < found.counts.paths < 500


def test_a_run_that_does_not_end_or_dies_is_blocked_and_the_others_count(explore):
    found = explore("Endless", 1)
    assert dict(found.blocked).keys() == {"exhausted: steps", "exhausted: exit"}
    assert found.counts.paths == 2
    assert set(found.counts.reasons) == set(dict(found.blocked))


def test_code_that_behaves_differently_when_repeated_is_counted_as_diverged(explore):
    found = explore("Unstable", 1)
    assert found.counts.diverged == 1
    assert found.counts.reasons == {"diverged": 1}
    assert counts(found) == [(1, 1)]


def test_a_constraint_beyond_all_solvers_is_unknown_and_not_infeasible(explore):
    found = explore("Powers", 1)
    assert found.counts.unknown + found.counts.paths >= 2
    assert found.counts.infeasible == 0


def test_without_z3_what_it_would_have_answered_is_unknown(explore, monkeypatch):
    monkeypatch.setitem(sys.modules, "z3", None)
    found = explore("Powers", 1)
    assert found.counts.unknown > 0
    assert "z3" not in {name for name, row in found.solved.items() if row[0] + row[1]}
    assert counts(explore("Gate", 2)) == [(3, 2), (5, 6)]


def test_few_nodes_at_once_change_nothing(explore, monkeypatch):
    wanted = explore("Gate", 6)
    monkeypatch.setattr(symbolic_module, "_MAX_NODES", 0)
    found = explore("Gate", 6)
    assert (counts(found), found.counts) == (counts(wanted), wanted.counts)


@pytest.mark.parametrize(
    ("cls", "methods", "slug"),
    [
        ("Broken", (), "constructor-failed"),
        ("Gate", ("entre",), "unknown-method"),
        ("Gait", (), "unknown-class"),
    ],
)
def test_what_cannot_be_explored_is_an_error(explore, cls, methods, slug):
    with pytest.raises(UnitcraftError) as caught:
        explore(cls, 1, methods)
    assert caught.value.slug == slug


def test_a_parameter_that_nothing_has_is_an_error(explore):
    with pytest.raises(UnitcraftError, match="'value'") as caught:
        explore("Gate", 1, domains=Domains((0,), {"value": (Source("1"),)}))
    assert caught.value.slug == "unknown-parameter"
    assert "code" in caught.value.advice


def test_a_path_that_the_original_code_does_not_bear_out_is_dropped(explore):
    found = explore("Nosy", 1)
    assert found.counts.diverged == 2
    assert found.counts.runs == 4
    assert counts(found)[-1][1] == 2
