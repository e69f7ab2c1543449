"""The ablation: its lists, its changes of values, its table; and one small run."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from unitcraft.explore.search.variation.schedule import NAMES

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def ablation():
    sys.path.insert(0, str(FOLDER))
    spec = importlib.util.spec_from_file_location("ablation", FOLDER / "ablation.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module")
def entries(ablation):
    return ablation.read_modules(ablation.MODULES)


@pytest.fixture(scope="module")
def variants(ablation):
    return ablation.read_variants(ablation.VARIANTS)


@pytest.mark.parametrize(
    ("value", "change", "wanted"),
    [
        (12, "half", 6), (1, "half", 1), (0.6, "half", 0.3), (12, "double", 24), (12, "off", 0),
        (0.5, "off", 0.0), ((1, 2, 3), "half", (1, 2)), ((1, 2), "off", ()), ({"a": 1}, "off", {}),
        ({"a": (1, 2)}, "half", {"a": (1,)}), (3, 7, 7), (1.5, 1.0, 1.0),
    ],
)  # fmt: skip
def test_a_value_is_changed(ablation, value, change, wanted):
    made = ablation.ablation_run.changed(value, change)
    assert made == wanted
    assert type(made) is type(wanted)


def test_a_function_that_is_off_answers_nothing(ablation):
    assert ablation.ablation_run.changed(len, "off")([1], 2) == {}


def test_every_constant_of_the_lists_exists_and_can_be_changed(ablation, variants):
    for variant in [*variants, *ablation.read_variants(FOLDER / "ablation_kinds.json")]:
        for home, constant, change in variant.patches:
            value = getattr(ablation.ablation_run.owner_of(home), constant)
            assert ablation.ablation_run.changed(value, change) != value, variant.name


def test_names_of_variants_differ(variants):
    names = [(one.mode, one.name) for one in variants]
    assert len(set(names)) == len(names)


def test_a_kind_of_proposals_is_switched_off_in_the_search_and_in_a_whole_run(ablation):
    """The second says what it is worth in mutants and lines."""
    kinds = ablation.read_variants(FOLDER / "ablation_kinds.json")
    named = {(one.mode, one.name) for one in kinds}
    assert len(named) == len(kinds)
    assert {name for mode, name in named if mode == "full"} == {
        name for mode, name in named if mode == "search"
    }


def test_each_kind_of_variation_is_switched_off_alone(ablation):
    rows = ablation.read_variants(FOLDER / "ablation_kinds.json")
    kept = {tuple(change) for one in rows for _, name, change in one.patches if name == "NAMES"}
    assert kept == {tuple(one for one in NAMES if one != off) for off in NAMES}


def test_a_variant_follows_the_unchanged_engine_of_its_mode_and_criterion(ablation, variants):
    known = set()
    for one in variants:
        if ablation.is_baseline(one):
            known.add((one.mode, one.criterion))
        assert (one.mode, one.criterion) in known


def test_modules_are_pinned_and_are_no_module_of_the_other_benchmark(ablation, entries):
    assert all("==" in pin for one in entries for pin in (one.project, *one.needs))
    assert not {one.project for one in entries} & {
        one.project for one in ablation.generate.listed()
    }


def test_only_the_unchanged_engine_runs_with_several_seeds(ablation, variants, entries):
    jobs = ablation.all_jobs(variants, entries)
    assert {job.seed for job in jobs if ablation.is_baseline(job.variant)} == {0, 1, 2}
    assert {job.seed for job in jobs if not ablation.is_baseline(job.variant)} == {0}
    assert len({job.key for job in jobs}) == len(jobs)


def test_finished_runs_are_read_without_a_torn_line(ablation, tmp_path):
    results = tmp_path / "results.jsonl"
    assert ablation.finished(results) == {}
    results.write_text('{"run": "a", "found": {"sites": 1}}\n{"run": "b", "fou')
    assert ablation.finished(results) == {"a": {"sites": 1}}


def test_the_digest_changes_with_the_source(ablation, tmp_path):
    (tmp_path / "one.py").write_text("A = 1\n")
    before = ablation.engine_digest(tmp_path)
    assert before == ablation.engine_digest(tmp_path)
    (tmp_path / "one.py").write_text("A = 2\n")
    assert before != ablation.engine_digest(tmp_path)


def test_the_table_shows_differences_and_stars_those_beyond_the_spread(ablation):
    entries = [ablation.generate.Entry("p==1", name) for name in ("one", "two")]
    base = ablation.Variant("unchanged", "search")
    half = ablation.Variant("m.LIMIT half", "search", (("m", "LIMIT", "half"),))
    row = {"sites": 10, "goals": 20, "runs": 30, "cpu": 2.0}
    done = {job.key: row for job in ablation.all_jobs([base, half], entries)}
    done["search unchanged one 1"] = row | {"sites": 12}
    done["search m.LIMIT half one 0"] = row | {"sites": 7, "goals": 19}
    done["search m.LIMIT half two 0"] = None
    lines = ablation.table([base, half], entries, done)
    assert lines[2].split()[1:] == ["20", "40", "60", "4"]
    assert lines[3].split()[-4:] == ["2", "0", "0", "0"]
    assert "(1 failed)" in lines[4]
    assert lines[4].split()[-4:] == ["-3*", "-1*", "+0", "+0"]


def test_one_run_searches_a_module_with_a_changed_constant(ablation, tmp_path):
    (tmp_path / "small.py").write_text("def sign(x: int) -> int:\n    return 1 if x > 0 else 0\n")
    order = {
        "home": str(tmp_path), "module": "small", "seed": 0, "mode": "search", "criterion": [],
        "patches": [["unitcraft.explore.search.goal_search", "STALE_ROUNDS", 1]],
    }  # fmt: skip
    words = [sys.executable, ablation.ablation_run.__file__, json.dumps(order)]
    done = subprocess.run(words, capture_output=True, check=True, cwd=tmp_path)
    found = json.loads(done.stdout)
    assert found["sites"] == 3
    assert 0 < found["runs"] < 200
