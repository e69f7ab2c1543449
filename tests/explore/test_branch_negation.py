"""Branch negation: program text and a kept run in, the inputs that it proposes out."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.concolic import branch_negation
from unitcraft.explore.concolic.branch_negation import MAX_NEGATIONS, BranchNegation
from unitcraft.explore.execution import Execution
from unitcraft.solve.chain import chain
from unitcraft.solve.protocol import Unknown
from unitcraft.solve.statistics import Statistics

#: Runs: more than any question costs.
MANY = 10_000

CODE = """\
import itertools

WORDS = {"up": 1, "down": -1}
STEPS = [3, 1, 4, 1]
COUNT = itertools.count()


def sign(x): return "negative" if x < 0 else "other"

def nested(x, y):
    if x > 10:
        if y == x + 1:
            return "both"
        return "first"
    return "none"

def boundary(x):
    if x >= 18:
        return "adult"
    return "minor"

def ratio(x):
    return "big" if x > 0.5 else "small"

def secret(word):
    return word == "sesame"

def prefixed(text):
    if text.startswith("http://"):
        return text[7:]
    return text

def rounds(n):
    total = 0
    for i in range(n):
        total += i
        if total > 5:
            return "full"
    return total

def looked_up(word): return WORDS[word]

def indexed(i):
    if STEPS[i] == 4:
        return "four"
    return "other"

def checked(age):
    if age < 0:
        raise ValueError(age)
    return age

def divided(a, b): return a // b

def related(a, b):
    if a + b == 100 and a > b:
        return "more"
    return "less"

def infeasible(x):
    if 2 * x == 7:
        return "never"
    return "always"

def settled(x):
    if x > 5:
        if x > 3:
            return "yes"
    return "no"

def constant():
    return 1

def opaque(x):
    return hash(str(x)) == 12345

def many(a, b, c, d, e, f):
    return [v > 7 for v in (a, b, c, d, e, f)]

def endless(n):
    while n:
        pass

def counted(x):
    if next(COUNT) % 2:
        return x > 1
    return x == 20


class Account:
    def __init__(self, balance): self.balance = balance

    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError("too much")
        self.balance -= amount
        return self.balance
"""


@pytest.fixture(scope="module")
def pool(tmp_path_factory):
    folder = tmp_path_factory.mktemp("negated")
    (folder / "negated.py").write_text(CODE)
    spec = HostSpec(
        "unitcraft.explore.agents.concolic_agent",
        {"module": "negated", "sites": True},
        (str(folder),),
    )
    with Pool(spec, 1) as made:
        yield made


def kept(name, *inputs):
    """A run of the search that called ``name`` and was kept."""
    call = Call("function", f"negated:{name}", tuple(Const(value) for value in inputs))
    return of_calls(f"negated:{name}", call)


def of_calls(invocable, *calls):
    return Execution(invocable, Sequence(calls), None, "", (), (), (), ())


def inputs_of(sequence):
    return tuple(a.value for call in sequence.calls for a in call.args if isinstance(a, Const))


@pytest.fixture
def negation(pool):
    return BranchNegation(pool, chain(strict=True))


@pytest.fixture
def proposed(negation):
    """The inputs that are proposed for runs, each a row of a name and inputs."""

    def asked(*runs):
        found = negation.proposals([kept(*run) for run in runs], MANY)
        return [inputs_of(sequence) for _, sequence in found]

    return asked


#: Name -> (function and inputs of the kept run, inputs that are proposed, deepest branch first).
PROGRAMS = {
    "comparison: the other branch, zero, and the neighbour of zero": (
        ("sign", 5), [(-1,), (0,), (-1,)],
    ),
    "nested: from outside, the outer branch only": (
        ("nested", 0, 0), [(11, 1), (10, 1), (11, 1)],
    ),
    "nested: from inside, the inner branch and then the outer": (
        ("nested", 20, 0), [(11, 12), (1, 2), (10, 1), (11, 1)],
    ),
    "boundary: 17 and 18": (("boundary", 40), [(1,), (18,), (17,)]),
    "boundary of floats: equal operands, no neighbour": (("ratio", 0.25), [(1.0,), (0.5,)]),
    "string equality": (("secret", "x"), [("sesame",)]),
    "prefix": (("prefixed", "x"), [("http://",)]),
    "loop bound: one round more or less": (
        ("rounds", 2), [(3,), (2,), (3,), (1,), (1,), (2,), (0,), (0,), (1,)],
    ),
    "look-up in a dictionary": (("looked_up", "x"), [("up",)]),
    "look-up in a list": (("indexed", 0), [(2,), (4,), (4,), (3,), (-1,), (0,)]),
    "exception that the code raises": (("checked", 3), [(-1,), (0,), (-1,)]),
    "exception of an operation": (("divided", 4, 2), [(1, 0)]),
    "two inputs related": (("related", 1, 2), [(98, 2)]),
    "infeasible: nothing": (("infeasible", 3), []),
    "infeasible below another branch": (("settled", 9), [(1,), (5,), (6,)]),
    "no inputs: nothing": (("constant",), []),
    "concretized: some other value": (("opaque", 3), [(1,)]),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_inputs_that_are_proposed(proposed, name):
    run, expected = PROGRAMS[name]
    assert proposed(run) == expected


def test_the_whole_sequence_is_filled_in(negation):
    made = Call("function", "negated:Account", (Const(5),))
    paid = Call("method", "withdraw", (Ref(0), Const(3)))
    found = negation.proposals([of_calls("negated:Account.withdraw", made, paid)], MANY)
    assert {name for name, _ in found} == {"negated:Account.withdraw"}
    assert [inputs_of(sequence) for _, sequence in found] == [(1, 2), (1, 1), (1, 2)]


def test_a_branch_that_another_kept_run_took_is_not_asked_for(proposed):
    assert (1,) in proposed(("boundary", 40))
    assert proposed(("boundary", 3)) == []


def test_kept_runs_of_one_round_are_in_the_tree_before_a_branch_is_negated(proposed):
    assert proposed(("boundary", 40), ("boundary", 3)) == [(18,), (17,)]


def test_a_leaf_is_asked_for_once(pool):
    solver = Counting()
    negation = BranchNegation(pool, solver)
    negation.proposals([kept("secret", "x")], MANY)
    negation.proposals([kept("secret", "y")], MANY)
    assert solver.asked == 1


class Counting:
    """A solver that counts the queries."""

    def __init__(self):
        self.inner, self.asked = chain(strict=True), 0

    def solve(self, query):
        self.asked += 1
        return self.inner.solve(query)


def test_each_outcome_of_a_site_is_asked_for_a_bounded_number_of_times(pool):
    """Six comparisons at one site: four other branches, four boundaries."""
    solver = Counting()
    found = BranchNegation(pool, solver).proposals([kept("many", *range(6))], MANY)
    assert solver.asked == 2 * MAX_NEGATIONS
    assert all(inputs_of(sequence)[:2] == (1, 2) for _, sequence in found)


def test_questions_about_one_run_are_bounded(pool, monkeypatch):
    monkeypatch.setattr(branch_negation, "MAX_QUERIES", 3)
    solver = Counting()
    BranchNegation(pool, solver).proposals([kept("many", *range(6))], MANY)
    assert solver.asked == 3


def test_a_run_with_too_many_inputs_is_not_repeated(proposed, monkeypatch):
    monkeypatch.setattr(branch_negation, "MAX_INPUTS", 5)
    assert proposed(("many", *range(6))) == []


def test_a_run_that_diverges_is_dropped(proposed):
    """Which comparison ``counted`` makes depends on the calls before it."""
    assert proposed(("counted", 4), ("counted", 3)) == [(20,)]


def test_trees_are_forgotten_when_they_are_large(proposed, monkeypatch):
    monkeypatch.setattr(branch_negation, "MAX_NODES", 0)
    assert proposed(("boundary", 40)) == [(1,), (18,), (17,)]
    assert proposed(("boundary", 3)) != []


def test_a_run_that_a_worker_does_not_finish_is_left_out(negation):
    assert negation.proposals([kept("endless", 3), kept("secret", "x")], MANY) != []


def test_the_work_of_the_solver_is_charged_once(pool):
    counts = Statistics()
    negation = BranchNegation(pool, chain(counts), statistics=counts)
    assert negation.take_charge() == 0
    counts.spend("repair", 3 * branch_negation.WORK_OF_A_RUN)
    counts.note("z3", Unknown("bound"))
    assert negation.take_charge() == 3 + branch_negation.Z3_QUERY_CHARGE
    assert negation.take_charge() == 0
    negation.proposals([kept("boundary", 3)], MANY)
    assert counts.work > 3 * branch_negation.WORK_OF_A_RUN
