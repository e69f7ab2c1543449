"""Concrete exploration through guarded workers, on classes whose state spaces are known."""

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.explore.domains import Domains
from unitcraft.explore.statespace.concrete_task import ClassToExplore, explore_class
from unitcraft.explore.statespace.state_exploration import Bounds

SOURCE = '''
import abc
class Bag:
    def __init__(self):
        self.items = frozenset()
        self.log = 0
    def add(self, x):
        self.items |= {x}
    def refuse(self, x):
        """Changes the state, then raises."""
        self.items = frozenset()
        raise KeyError(x)
    def look(self):
        return len(self.items)
    def _hidden(self):
        self.items = None
    async def later(self):
        self.log = 1

class Leaver:
    def __init__(self):
        self.n = 0
    def step(self, n: int):
        self.n += 1
    def leave(self):
        import os
        os._exit(3)

class Broken:
    def __init__(self):
        raise ValueError("never")
    def f(self): ...

class Abstract(abc.ABC):
    @abc.abstractmethod
    def f(self): ...

shared = []

class Leaky:
    def __init__(self):
        self.seen = len(shared)
    def leak(self):
        shared.append(1)
        self.seen = len(shared)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("subject")
    (folder / "explored.py").write_text(SOURCE)
    return str(folder)


def run(folder, qualname, *methods, ints=3, iterations=3, **more):
    request = ClassToExplore(
        "explored", qualname, Bounds(iterations), methods, Domains(tuple(range(ints))),
        paths=(folder,), **more,
    )  # fmt: skip
    return explore_class(request)


def counts(exploration):
    return [(row.states, row.tests) for row in exploration.iterations]


def test_subsets_of_three(folder):
    assert counts(run(folder, "Bag", "add", iterations=5)) == [(4, 3), (7, 12), (8, 21), (8, 24)]


def test_the_state_at_an_exceptional_exit_counts(folder):
    found = run(folder, "Bag", "add", "refuse", iterations=2, graph=True)
    assert counts(found) == [(4, 6), (7, 24)]
    assert {step.outcome for step in found.edges} == {"", "builtins:KeyError"}


def test_without_names_all_public_methods_take_part(folder):
    task = run(folder, "Bag", iterations=1).task
    assert sorted({call.name for call in task.actions}) == ["add", "later", "look", "refuse"]


def test_awaited_methods_change_states(folder):
    assert counts(run(folder, "Bag", "later")) == [(2, 1), (2, 2)]


def test_runs_that_end_nowhere_are_counted_and_told(folder):
    found = run(folder, "Leaver", "leave", "step", ints=1, iterations=2)
    assert counts(found) == [(2, 2), (3, 4)]
    assert found.blocked == (("exhausted: exit", 2),)


def test_nothing_leaks_from_one_sequence_to_the_next(folder):
    assert counts(run(folder, "Leaky", "leak", iterations=4)) == [(2, 1), (3, 2), (4, 3), (5, 4)]


def test_the_number_of_workers_changes_nothing(folder):
    one, two = (run(folder, "Bag", "add", "refuse", jobs=jobs, graph=True) for jobs in (1, 2))
    assert counts(one) == counts(two)
    assert one.edges == two.edges


@pytest.mark.parametrize(
    ("qualname", "methods", "message"),
    [
        ("Bog", (), r"no class explored:Bog \[unknown-class\](.|\n)*did you mean 'Bag'"),
        ("Bag", ("ad",), r"no method explored:Bag.ad \[unknown-method\](.|\n)*mean 'add'"),
        ("Abstract", (), r"has no instances of its own \[nothing-to-explore\]"),
        ("Broken", ("f",), r"\[constructor-failed\](.|\n)*ValueError"),
    ],
)
def test_what_cannot_be_explored_is_an_error(folder, qualname, methods, message):
    with pytest.raises(UnitcraftError, match=message):
        run(folder, qualname, *methods)
