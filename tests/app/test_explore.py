"""``unitcraft explore`` from the outside, on a class whose states can be counted by hand."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import pytest

LIMITED = '''\
class Switch:
    """On or off; it breaks at the third switching on."""

    def __init__(self, name: str = "lamp") -> None:
        self.on = False
        self.times = 0

    def press(self, level: int) -> None:
        if self.times == 3:
            raise RuntimeError("broken")
        self.on = level > 0
        self.times += self.on

    def is_on(self) -> bool:
        return self.on

    def _hidden(self) -> None:
        self.on = None
'''


@pytest.fixture
def switch(tmp_path):
    (tmp_path / "lamps.py").write_text(LIMITED)
    return tmp_path


def counts(done):
    return [(one["states"], one["tests"]) for one in json.loads(done.stdout)["iterations"]]


def test_counts_are_those_counted_by_hand(switch, run):
    done = run(
        "explore", "lamps.py:Switch", "--methods", "press", "--ints", "0..1",
        "--iterations", "5", "--format", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert counts(done) == [(2, 2), (4, 4), (6, 8), (6, 12)]


def test_text_is_a_table(switch, run):
    done = run("explore", "lamps:Switch", "--methods", "press", "--ints", "1", "--iterations", "2")
    assert done.stdout.splitlines()[:2] == ["lamps:Switch", "iteration  states  tests  seconds"]
    assert [line.split()[:3] for line in done.stdout.splitlines()[2:]] == [
        ["1", "2", "1"],
        ["2", "3", "2"],
    ]


def test_all_public_methods_are_called_without_being_named(switch, run):
    done = run("explore", "lamps:Switch", "--ints", "1", "--iterations", "1", "--format", "json")
    assert counts(done) == [(2, 2)]


def test_graph_draws_every_state(switch, run):
    done = run(
        "explore", "lamps:Switch", "--methods", "press", "--ints", "0..1", "--iterations", "5",
        "--graph", "out/states.svg",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    root = ET.parse(switch / "out" / "states.svg").getroot()
    boxes = [item for item in root.iter() if item.get("class") == "box"]
    assert len(boxes) == 6
    assert "press(0)" in [item.text for item in root.iter() if item.get("class") == "label"]


@pytest.mark.parametrize(
    ("target", "words", "slug"),
    [
        ("lamps.py", (), "not-a-class"),
        ("lamps:Swich", (), "target-not-found"),
        ("lost:Switch", (), "target-not-found"),
        ("lamps:Switch", ("--methods", "pres"), "unknown-method"),
    ],
)
def test_wrong_target_is_one_message(switch, run, target, words, slug):
    done = run("explore", target, *words)
    assert done.returncode == 2
    assert f"[{slug}]" in done.stderr
    assert "Traceback" not in done.stderr
