"""The constants of the search: which are listed, how one is changed, and the table of all."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
SOURCE = '''"""A module."""
from typing import Final

#: Runs in a row.
ROUNDS: Final = 5
#: One of 3 in a hundred.
SHARE: Final = 0.25
#: How often.
TURN: Final[float] = 0.5
ONCE: Final = 1
OFF: Final = False
BELOW: Final = -1
NAMES: Final = ("a", "b")
'''


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(FOLDER))
    spec = importlib.util.spec_from_file_location(
        "ablate_constants", FOLDER / "ablate_constants.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(FOLDER))


@pytest.fixture
def constants(bench, tmp_path):
    room = tmp_path / "unitcraft" / "explore"
    room.mkdir(parents=True)
    (room / "walks.py").write_text(SOURCE)
    return list(bench.untold(tmp_path, ("explore",)))


def test_the_numbers_whose_comments_state_no_figure_are_listed_with_another_value(constants):
    found = [(one.key, one.value, one.changed) for one in constants]
    assert found == [
        ("unitcraft.explore.walks.ROUNDS", 5, 2),
        ("unitcraft.explore.walks.TURN", 0.5, 0.25),
        ("unitcraft.explore.walks.ONCE", 1, 2),
    ]


def test_a_constant_is_changed_in_a_copy_and_has_its_own_value_afterwards(
    bench, constants, tmp_path
):
    path = tmp_path / "unitcraft" / "explore" / "walks.py"
    with bench.with_change(tmp_path, constants[0]):
        assert path.read_text() == SOURCE.replace("ROUNDS: Final = 5", "ROUNDS: Final = 2")
    assert path.read_text() == SOURCE
    assert bench.changed_text(SOURCE, constants[1]) == SOURCE.replace("= 0.5", "= 0.25")


def test_the_table_sums_the_modules_and_marks_what_is_more_than_the_spread(bench, constants):
    entries = [bench.generate.Entry("p==1", "m"), bench.generate.Entry("p==1", "n")]
    done = {
        f"unchanged {module} {seed}": {"sites": 10 + seed, "goals": 20, "runs": 100}
        for module in "mn"
        for seed in bench.SEEDS
    }
    rounds = constants[0].key
    done |= {f"{rounds} {one}": {"sites": 8, "goals": 20, "runs": 101} for one in "mn"}
    done[f"{constants[1].key} m"] = None
    assert bench.table(constants[:2], entries, done)[2:] == [
        "| unchanged |  |  | 20 | 40 | 200 |",
        "| spread of three seeds |  |  | 4 | 0 | 0 |",
        "| `explore.walks.ROUNDS` | 5 | 2 | -4 | 0 | **+2** |",
        "| `explore.walks.TURN` | 0.5 | 0.25 | failed | failed | failed |",
    ]


def test_every_constant_of_the_search_has_a_figure(bench):
    """In the comment above it, or in the table of the docs, of its present value."""
    text = (FOLDER.parent / "docs" / "search-constants.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([\w.]+)` \| ([\w.+]+) \|", text, re.MULTILINE))
    wanted = {
        one.key.removeprefix("unitcraft."): f"{one.value:g}"
        for one in bench.untold(bench.SOURCES, bench.ROOMS)
    }
    assert told == wanted
