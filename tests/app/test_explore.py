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


SYMBOLIC = '''\
class Safe:
    """Opens at the code 4711."""

    def __init__(self, code: int = 4711) -> None:
        self.code = code
        self.open = False

    def dial(self, number: int, hand: str = "left") -> None:
        if number == self.code:
            self.open = True

    def close(self) -> None:
        self.open = False
'''


@pytest.fixture
def safe(tmp_path):
    (tmp_path / "safes.py").write_text(SYMBOLIC)
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


def test_a_class_may_name_its_package_as_its_home(tmp_path, run):
    """As libraries do with what they export: ``Switch.__module__`` is ``house`` then."""
    (tmp_path / "house").mkdir()
    (tmp_path / "house/__init__.py").write_text(
        "from .lamps import Switch\nSwitch.__module__ = 'house'\n"
    )
    (tmp_path / "house/lamps.py").write_text(LIMITED)
    done = run("explore", "house.lamps:Switch", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert "house.lamps:Switch" in done.stdout
    laws = run("specs", "house.lamps:Switch", "-j", "1")
    assert laws.returncode == 0, laws.stderr


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
    assert "press(0) (stays)" in [item.text for item in root.iter() if item.get("class") == "label"]


def test_unknowns_are_counted_path_by_path(safe, run):
    done = run("explore", "safes:Safe", "--symbolic", "--iterations", "2", "--format", "json")
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    assert counts(done) == [(2, 3), (2, 6)]
    assert plain["symbolic"] == {
        "runs": 6, "paths": 6, "infeasible": 0, "unknown": {}, "diverged": 0, "cut": 0,
        "solvers": {"differences": {"sat": 2, "unsat": 0, "unknown": 0}},
    }  # fmt: skip


def test_the_same_class_needs_the_right_value_without_unknowns(safe, run):
    words = ("explore", "safes:Safe", "--iterations", "2", "--format", "json")
    assert counts(run(*words)) == [(1, 4)]
    assert counts(run(*words, "--concrete", "number=4711,0")) == [(2, 3), (2, 6)]


def test_symbolic_counts_do_not_depend_on_order_workers_or_hash_seed(safe, run):
    words = ("explore", "safes:Safe", "--symbolic", "--iterations", "2", "--format", "json")
    wanted = counts(run(*words))
    for extra in (("--shuffle", "5"), ("-j", "1"), ("-j", "3"), ("--compare", "syntactic")):
        assert counts(run(*words, *extra, PYTHONHASHSEED="7")) == wanted


def test_concrete_parameters_and_coverage_in_text(safe, run):
    done = run(
        "explore", "safes:Safe", "--symbolic", "--concrete", "hand='left','right'",
        "--iterations", "1", "--prefer-uncovered", "5",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2].split()[:3] == ["1", "2", "5"]
    assert done.stdout.splitlines()[-1] == "5 of 5 branches of the module covered"


ORDERS = """\
class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents


class Order:
    def __init__(self, weight: float) -> None:
        if weight <= 0:
            raise ValueError(weight)
        self.weight = weight
        self.cents = 0

    def add(self, price: Money) -> None:
        self.cents += price.cents

    async def empty(self) -> None:
        self.cents = 0
"""


def test_arguments_of_classes_and_what_a_constructor_takes_need_no_flag(tmp_path, run):
    (tmp_path / "orders.py").write_text(ORDERS)
    words = ("explore", "orders:Order", "--iterations", "2", "--format", "json")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    added = run(*words, "--methods", "add")
    assert counts(added)[0][0] > 1, added.stderr
    emptied = run(*words, "--methods", "add,empty")
    (_, tests), (_, more) = counts(added)[-1], counts(emptied)[-1]
    assert more > tests
    assert run(*words, "--methods", "add", "--symbolic").returncode == 0


def test_what_a_bound_left_out_is_said(safe, run):
    done = run("explore", "safes:Safe", "--symbolic", "--iterations", "1", "--paths", "1")
    last = done.stdout.splitlines()[-1]
    assert last == "1 branches neither taken nor shown to be infeasible: bound"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--compare", "shape"), "--compare needs --symbolic"),
        (("--prefer-uncovered", "3"), "--prefer-uncovered needs --symbolic"),
        (("--shuffle", "0"), "--shuffle needs --symbolic"),
        (("--symbolic", "--graph", "x.svg"), "--graph draws concrete states"),
        (("--symbolic", "--merge", "--compare", "shape"), "--merge compares by implication"),
        (("--symbolic", "--sample", "0"), "--sample"),
        (("--symbolic", "--sample", "1.5"), "--sample"),
        (("--concrete", "number"), "is not NAME=V1,V2"),
        (("--concrete", "number=a b"), "is not NAME=V1,V2"),
        (("--concrete", "number=print(1)"), "is not NAME=V1,V2"),
        (("--concrete", "1x=1"), "is not NAME=V1,V2"),
        (("--concrete", "level=1"), "[unknown-parameter]"),
    ],
)
def test_wrong_flags_are_one_message(safe, run, words, message):
    done = run("explore", "safes:Safe", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


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
