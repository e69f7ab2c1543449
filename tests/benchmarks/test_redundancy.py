"""Random suites that see everything, and the rows and faults of the redundancy table."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import bench_recording
import bench_redundancy
import random_suites

from unitcraft.suite.existing.assess import Prediction
from unitcraft.suite.recording.recordings import REPRESENTATIONS

FOLDER = Path(__file__).parents[2] / "benchmarks"
BY_NAME = {one.module: one for one in random_suites.SUBJECTS}
GUESS = Prediction(0.5, 0.1, 0.0, "WholeState", 20)


def row(counts=(1, 2, 3, 3, 3), lost=(0, 0, 0, 1, 1), guess=GUESS):
    redundant = {
        name: frozenset(str(number) for number in range(count))
        for name, count in zip(REPRESENTATIONS, counts, strict=True)
    }
    losses = {name: (0, one) for name, one in zip(REPRESENTATIONS, lost, strict=True)}
    return bench_redundancy.Row("m", 10, redundant, 7, 8, 9, losses, guess)


@pytest.mark.parametrize("name", ["int_stack", "shopping_cart", "binomial_heap"])
def test_random_suites_pass_and_are_the_same_again(tmp_path, name):
    texts = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        folder.mkdir()
        path = str(FOLDER / "subjects")
        random_suites.write_suite(BY_NAME[name], folder, 20, 0, [path])
        texts.append((folder / "test_random.py").read_text())
    assert texts[0] == texts[1]
    (tmp_path / "a" / "pytest.ini").write_text(f"[pytest]\npythonpath = . {FOLDER / 'subjects'}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-pno:cacheprovider", "-pno:hypothesispytest"]
    done = subprocess.run(command, cwd=tmp_path / "a", capture_output=True, text=True, check=False)
    assert "20 passed" in done.stdout


class Node:
    def __init__(self, value, other=None):
        self.value, self.other = value, other


def test_all_of_a_heap_is_seen():
    """Values, classes, order and sharing."""
    shared = [1]
    ring = Node(1)
    ring.other = ring
    heaps = [1, True, 1.0, "1", None, [1], (1,), {1: 2}, Node(1), Node(2), ring, Node(1, Node(1))]
    heaps += [[shared, shared], [[1], [1]], {2: 1, 1: 2}, {1: 2, 2: 1}, [], (), {}]
    assert len({random_suites.seen(one) for one in heaps}) == len(heaps)
    assert random_suites.seen(ring) == "Node other value #0 1"


def test_what_a_technique_takes_of_what_the_stricter_ones_leave():
    assert bench_redundancy.taken(row()) == pytest.approx([1 / 9, 1 / 8, 0])
    assert bench_redundancy.measured(row()) == "WholeState"
    assert bench_redundancy.measured(row((0, 0, 0, 0, 0))) == "WholeSeq"
    assert bench_redundancy.line(row()) == (
        "| m | 10 | 10.0 | 20.0 | 30.0 | 30.0 | 30.0 | 7 | 0 0 0 0 0 | 8 of 9 | 0 0 0 1 1 "
        "| 50 10 0 | 11 12 0 | WholeState |"
    )
    other = row((0, 5, 5, 5, 5))
    assert bench_redundancy.line(other).endswith("| ModifyingSeq, not WholeState |")


def test_faults_are_told():
    assert bench_redundancy.faults(row()) == []
    assert bench_redundancy.faults(row((1, 2, 3, 2, 3))) == [
        "m: WholeState finds tests that MonitorEquals does not"
    ]
    assert bench_redundancy.faults(row(lost=(0, 0, 1, 1, 1))) == [
        "m: without the tests of WholeState: (0, 1) branches, mutants lost"
    ]


def test_a_recording_that_costs_too_much_is_told(capsys):
    def cost(wall, cpu, peak):
        return bench_recording.Cost(wall, cpu, peak, 20.0)

    plain = cost(1.0, 1.0, 50.0)
    good = {size: (plain, cost(1.0, 1.0 + size * 50e-6, 60.0)) for size in bench_recording.SIZES}
    assert bench_recording.verdict(good) == 0
    assert bench_recording.drawn(good).count("<polyline") == 3
    assert bench_recording.verdict({**good, 200_000: (plain, cost(130.0, 31.0, 2000.0))}) == 1
    assert len(capsys.readouterr().out.strip().splitlines()) == 3
