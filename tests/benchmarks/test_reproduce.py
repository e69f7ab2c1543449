"""The published figures that a second reproduces, and the table's verdicts."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def reproduce():
    sys.path.insert(0, str(FOLDER))
    spec = importlib.util.spec_from_file_location("reproduce", FOLDER / "reproduce.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(FOLDER))


def test_small_rows_are_equal(reproduce, capsys):
    rows = [row for row in reproduce.CONCRETE if row.tests.value < 8000]
    assert {row.cls for row in rows} >= {"BinSearchTree", "TreeMap", "UBStack", "HeapArray"}
    assert reproduce.concrete(rows, 1) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert len(lines) == len(rows)
    assert all("equal" in line for line in lines)


def test_a_published_figure_that_differs_is_a_failure(reproduce):
    row = next(row for row in reproduce.CONCRETE if row.cls == "TreeMap" and row.bound == 4)
    assert reproduce.compared(row, 25, 168) == ("equal", False)
    assert reproduce.compared(row, 25, 169) == ("differs: tests", False)
    assert reproduce.compared(row, 26, 168) == ("differs: states", True)
    wrong = replace(row, states=reproduce.Count(26))
    assert reproduce.concrete([wrong], 1) == 1


@pytest.mark.parametrize("shuffle", [None, 3])
def test_small_symbolic_rows_are_equal_in_any_order(reproduce, capsys, shuffle):
    rows = [row for row in reproduce.SYMBOLIC if row.tests.value < 1000]
    assert len({row.cls for row in rows}) == 7
    assert reproduce.symbolic(rows, 1, shuffle) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert len(lines) == len(rows)
    assert all("equal" in line for line in lines)


def test_a_symbolic_figure_that_differs_is_a_failure(reproduce, capsys):
    row = next(row for row in reproduce.SYMBOLIC if row.cls == "LinkedList")
    wrong = replace(row, states=reproduce.Count(7, published=False))
    assert reproduce.symbolic([wrong], 1) == 0
    assert reproduce.symbolic([wrong], 1, shuffle=1) == 1
    assert reproduce.symbolic([replace(row, tests=reproduce.Count(26))], 1) == 1
    assert capsys.readouterr().out.count("differs") == 3


def test_coverage_is_measured_on_the_original_code(reproduce, capsys):
    floors = [floor for floor in reproduce.FLOORS if floor.cls in ("IntStack", "HeapArray")]
    assert reproduce.covering(floors, 1) == 0
    short = replace(floors[1], iterations=2)
    assert reproduce.covering([short], 1) == 1
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == [
        "verdict", "reached", "reached", "verdict", "below",
    ]  # fmt: skip


def test_small_heaps_are_equal(reproduce, capsys):
    heaps = sys.modules["reproduce_heaps"]
    assert heaps.korat([row for row in heaps.KORAT if row.explored < 8000]) == 0
    assert heaps.extensions(heaps.EXTENSIONS, 4) == 0
    assert heaps.agreement(heaps.AGREEING, 3) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 + 6 + 5
    assert all(line.endswith("equal") for line in lines)
