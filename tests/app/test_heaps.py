"""``unitcraft heaps`` on a small list.

``cli_heaps`` over ``heaps_command``, ``heap_task`` and ``laws_of_objects``.
"""

from __future__ import annotations

import json
import signal
import xml.etree.ElementTree as ET

import pytest

from unitcraft.app.cli import exit_code
from unitcraft.app.exploration import heaps_command
from unitcraft.app.suites.fields_command import render_fields
from unitcraft.core.errors import Terminated
from unitcraft.heaps.transcoping import FieldSuite
from unitcraft.suite.existing.assess_fields import FieldCoverage

RISING = '''\
from __future__ import annotations


class Node:
    def __init__(self, key: int) -> None:
        self.key = key
        self._next: Node | None = None


class Rising:
    """Integers in ascending order."""

    def __init__(self) -> None:
        self.head = None

    def add(self, key: int) -> None:
        node = Node(key)
        node._next, self.head = self.head, node

    def add_first(self, key: int) -> None:
        if self.head is None:
            self.add(key)

    def holds_together(self) -> bool:  # unitcraft: rep-ok
        seen = []
        node = self.head
        while node is not None:
            if any(node is one for one in seen) or (seen and seen[-1].key >= node.key):
                return False
            seen.append(node)
            node = node._next
        return True


class Bare:
    def __init__(self) -> None:
        self.x = 0


class Chain:
    def __init__(self) -> None:
        self.head: Node | None = None
        self.size = 0

    def add(self) -> None:
        node = Node(7)
        node._next, self.head = self.head, node
        self.size += 1
'''


@pytest.fixture
def rising(tmp_path):
    (tmp_path / "rising.py").write_text(RISING)
    return tmp_path


def test_counts_and_extensions_are_those_counted_by_hand(rising, run):
    done = run("heaps", "rising.py:Rising", "--scope", "1..7", "--format", "json")
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    assert plain["invariant"] == "holds_together"
    assert [one["valid"] for one in plain["scopes"]] == [2, 3, 4, 5, 6, 7, 8]
    sizes = [one["sizes"]["Node._next"] for one in plain["extensions"]]
    assert sizes == [2 * scope - 1 for scope in range(1, 8)]
    assert plain["predicted"]["Node._next"] == pytest.approx(13)
    assert plain["suite"]["heaps"][1]["Node0"]["_next"] is None


def test_an_invariant_is_inferred(rising, run):
    done = run("heaps", "rising:Chain", "--scope", "1..3", "--rep-ok", "inferred")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:4] == [
        "rising:Chain, the inferred invariant, lazy engine",
        "    tree(self, 'head', '_next')",
        "    and counted(self, ('head', '_next'), 'size', 0)",
        "    and rising(self, ('head', '_next'), '_next', 'key')",
    ]
    assert [line.split()[2] for line in lines[-4:-1]] == ["2", "3", "4"]


def test_the_other_engine_agrees_and_draws(rising, run):
    done = run(
        "heaps", "rising:Rising", "--scope", "3", "--engine", "korat", "--field", "Node.key=0..2",
        "--graph", "heaps.svg",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "rising:Rising, holds_together, korat engine"
    # the empty list, and the ascending lists of one, two and three keys out of three
    assert done.stdout.splitlines()[2].split()[2] == str(1 + 3 + 3 + 1)
    assert "suite: 4 of 8 heaps" in done.stdout
    assert ET.parse(rising / "heaps.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        (("rising:Bare",), "no-invariant"),
        (("rising:Rising", "--rep-ok", "nothing"), "no-invariant"),
        (("rising:Rising", "--field", "Node.kex=0"), "unknown-field"),
        (("rising:Rising", "--field", "Node.key=what"), "bad-values"),
        (("rising",), "not-a-class"),
        (("rising:Rising", "--field", "Node.key"), "is not NAME=VALUES"),
        (("rising:Rising", "--scope", "0"), "from 1 on"),
        (("rising:Rising", "--scope", "3..6", "--transcope", "size-linear"), "scopes from 1 on"),
    ],
)
def test_what_cannot_be_done_is_said(rising, run, words, slug):
    done = run("heaps", *words)
    assert done.returncode == 2
    assert slug in done.stderr


def test_what_calls_reach_is_a_finding_where_it_is_not_valid(rising, run):
    done = run("heaps", "rising:Rising", "--scope", "1", "--reach", "--format", "json")
    assert done.returncode == 1, done.stderr
    reached = json.loads(done.stdout)["reached"]
    assert reached["sequences"][1] == "rising = Rising(); rising.add(0)"
    assert reached["violations"][0]["code"] == "UC401"
    assert (
        "rising.add(0); rising.add(0); holds_together does not hold"
        in (reached["violations"][0]["sequence"])
    )
    assert "UC401" in run("heaps", "rising:Rising", "--scope", "1", "--reach").stdout


HAND = """\
from rising import Rising


def test_three():
    rising = Rising()
    for key in (3, 2, 1):
        rising.add(key)
    rising.add_first(0)
"""


def test_assess_measures_the_heaps_that_a_suite_meets(rising, run):
    (rising / "test_hand.py").write_text(HAND)
    words = ("test_hand.py", "-s", "rising", "--criterion", "field", "--scope", "4")
    done = run("assess", *words, "--format", "json")
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["suites"][0]["classes"]
    assert found["wanted"]["Node._next"] == 7
    assert found["covered"]["Node._next"] == 5
    assert found["missing"] == ["Node2._next = Node3", "Node3._next = None"]
    assert (found["heaps"], found["exhaustive"], found["non_null"]) == (4, False, True)


def test_field_coverage_stands_side_by_side():
    sizes = {"Node.next": 3}
    one = {"Node.next": 1}
    poor = FieldCoverage(
        "m:C", "ok", 2, sizes, one, ("a",) * 20, 2, is_non_null=False, stopped="bounds"
    )
    rich = FieldCoverage("m:C", "ok", 2, sizes, sizes, (), 5, is_non_null=True)
    assert render_fields(("one", "two"), [[poor], [rich]], "full").splitlines() == [
        "m:C, ok, scope 2",
        "pairs met           one  two",
        "Node.next           1/3  3/3",
        "different heaps       2    5",
        "field-exhaustive     no  yes",
        "no field None only   no  yes",
        "not all heaps are known: bounds",
        "one does not meet:",
        *["  a"] * 12,
        "  and 8 more",
    ]


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("during", ["generate_heaps", "reach_heaps"])
def test_finished_scopes_are_printed_when_a_signal_ends_the_run(
    rising, monkeypatch, capsys, during, ended_by
):
    def end(*_arguments):
        raise {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: Terminated}[ended_by]

    if during == "reach_heaps":
        monkeypatch.setattr(heaps_command, during, end)
    else:
        monkeypatch.setattr(FieldSuite, "_predict", end)  # after five scopes
    monkeypatch.chdir(rising)
    code = exit_code(["heaps", "rising:Rising", "--scope", "1..6", "--reach"])
    lines = capsys.readouterr().out.splitlines()
    assert code == 128 + ended_by
    scopes = range(1, 6 if during == "generate_heaps" else 7)
    assert [line.split()[2] for line in lines[2 : 2 + len(scopes)]] == [str(n + 1) for n in scopes]
    assert "not complete: interrupted" in lines
