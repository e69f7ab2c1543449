"""Stepping stones: sites ahead, kinds that compete, and runs that come nearer."""

from __future__ import annotations

import textwrap
from dataclasses import replace

from unitcraft.core.sequences import Const
from unitcraft.explore.search.variation.kinds.change_leaves import ChangeLeaves
from unitcraft.explore.search.variation.schedule import Schedule
from unitcraft.explore.search.variation.sites_ahead import find_sites_ahead
from unitcraft.explore.search.variation.stepping_stones import SteppingStones
from unitcraft.explore.search.variation.variation_kind import Materials
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.values.value_pools import ValuePools

NOTHING = Materials("", (), (), (), (), lambda _: (), lambda *_: None)


def site(line, kind, outcome):
    return BranchSite("m", "f", line, kind, outcome)


def test_a_missing_site_is_ahead_if_one_beside_it_or_the_last_before_it_was_hit():
    sites = [
        site(1, "entry", "entered"),
        site(2, "if", "true"), site(2, "if", "false"),
        site(3, "if", "true"), site(3, "if", "false"),
        site(5, "handler", "caught"), site(6, "entry", "entered"),
    ]  # fmt: skip
    hit = [1, 1, 0, 0, 0, 0, 0]
    found = find_sites_ahead(sites, [True] * 7, hit, hit)
    assert [(one.number, one.beside) for one in found] == [(2, 1), (3, 1), (5, 1)]
    assert find_sites_ahead(sites, [False] * 7, hit, hit) == []
    touched = [1, 1, 0, 1, 0, 0, 0]
    found = find_sites_ahead(sites, [True] * 7, hit, touched)
    assert [(one.number, one.beside) for one in found] == [(2, 1), (3, 3), (4, 3), (5, 3)]
    assert [one.other for one in found] == [-1, -1, -1, -1]
    (misused,) = find_sites_ahead(sites[:3], [True] * 3, [1, 1, 0], [1, 1, 1])
    assert (misused.number, misused.beside, misused.other) == (2, 2, 1)


def test_what_comes_before_a_handler_that_was_reached_is_ahead_though_nothing_raised_behind_it():
    sites = [
        site(1, "entry", "entered"), site(3, "if", "true"), site(3, "if", "false"),
        site(5, "if", "true"), site(5, "if", "false"), site(7, "handler", "caught"),
        site(8, "if", "true"), site(8, "if", "false"),
    ]  # fmt: skip
    hit = [1, 1, 1, 0, 0, 1, 1, 1]
    found = find_sites_ahead(sites, [True] * 8, hit, hit)
    assert [(one.number, one.beside) for one in found] == [(3, 2)]


class Text:
    name = "text"

    def vary(self, run, materials, rng):
        return ChangeLeaves().vary(run, materials, rng)


def test_the_kind_that_pays_gets_most_and_the_other_keeps_a_share(lab):
    parent = lab("def f(n):\n    return n").run("f(3)")
    schedule = Schedule(0, (Text, ChangeLeaves))
    for _ in range(600):
        schedule.note("text", kept=False, sites=0)
        schedule.note("leaves", kept=True, sites=1)
    made = schedule.propose([parent], lambda _: NOTHING, 400)
    kinds = [kind for kind, _, _ in made]
    assert 20 < kinds.count("text") < kinds.count("leaves")
    assert schedule.tallies() == (("text", 600, 0, 0), ("leaves", 600, 600, 600))
    assert schedule.propose([], lambda _: NOTHING, 5) == []


def stones_of(one):
    goals = one.goals()
    drawings = {"sample:f": one.proposer("f")}
    return goals, SteppingStones(goals, drawings, ValuePools(one.subject), 0)


def learn(goals, stones, run):
    hit = goals.progress
    kept = goals.offer(run, 1)
    is_new = goals.reaches_new_code(run)
    stones.note(run, kept=kept, is_new=is_new, sites=goals.progress - hit)


def test_nothing_is_varied_where_nothing_is_missing(lab):
    one = lab("def f(n: int):\n    return n")
    goals, stones = stones_of(one)
    learn(goals, stones, one.run("f(3)"))
    assert stones.plan(24, 120) == []


def test_runs_near_to_what_is_missing_are_varied_within_their_types(lab):
    one = lab("""
        def f(n: int, word: str, loud=False):
            if n == 12345:
                return word
            return n
        """)
    goals, stones = stones_of(one)
    learn(goals, stones, one.run("f(3, 'a')"))
    plan = stones.plan(24, 120)
    assert len(plan) > 60
    for name, sequence in plan:
        assert name == "sample:f"
        args = dict(zip(("n", "word"), sequence.calls[0].args, strict=True))
        assert type(args["n"].value) is int
        assert type(args["word"].value) is str
    assert any(dict(s.calls[0].kwargs).get("loud") == Const(value=True) for _, s in plan)


def test_options_of_every_call_on_the_way_are_varied(lab):
    one = lab("""
        class Box:
            def __init__(self, size=1):
                self.size = size
            def put(self, item: int, twice=False):
                self.size += 1 + twice
            def full(self):
                if self.size > 2000:
                    return True
                return False
        """)
    goals = one.goals()
    names = ("Box", "Box.put", "Box.full")
    drawings = {f"sample:{name}": one.proposer(name) for name in names}
    stones = SteppingStones(goals, drawings, ValuePools(one.subject), 0)
    learn(goals, stones, one.run("box = Box()\nbox.put(1)\nbox.full()"))
    given = [
        (at, name)
        for _, sequence in stones.plan(24, 120)
        for at, call in enumerate(sequence.calls)
        for name, _ in call.kwargs
    ]
    assert {(0, "size"), (1, "twice")} <= set(given)


def test_a_run_that_comes_nearer_is_a_stone(lab):
    one = lab("""
        def f(text: str):
            if text.count("x") == 7:
                return 1
            return 0
        """)
    goals, stones = stones_of(one)
    for text in ("x", "ab", "xxx", "xx"):
        learn(goals, stones, one.run(f"f({text!r})"))
    parents = [stone.sequence.calls[0].args[0].value for stone in stones.stones]
    assert parents == ["x", "xxx"]


def test_what_only_misuse_came_to_is_varied_from_runs_that_worked_as_well(lab):
    one = lab("""
        def f(table, where=None):
            words = ["from", table]
            if where:
                words.append(where)
            return " ".join(words)
        """)
    goals, stones = stones_of(one)
    for text in ("f('a')", "f(3, True)", "f([], 'b')"):
        run = one.run(text)
        hit = goals.progress
        kept = goals.offer(run, 1) if goals.sensible(run) else False
        is_new = goals.reaches_new_code(run)
        stones.note(run, kept=kept, is_new=is_new, sites=goals.progress - hit)
    bases = {sequence.calls[0].args[0] for _, sequence in stones.plan(24, 120)}
    assert {Const("a"), Const(3)} <= bases


def test_texts_of_runs_that_came_elsewhere_are_donated(lab):
    one = lab("""
        def f(text):
            if text.startswith("["):
                return 1
            if "=" in text:
                return 2
            return 3
        """)
    goals, stones = stones_of(one)
    for text in ("f('[QQ]')", "f('x')"):
        learn(goals, stones, one.run(text))
    made = [sequence.calls[0].args[0] for _, sequence in stones.plan(400, 400)]
    assert Const("[QQ]\nx") in made


def test_the_kind_that_made_a_run_is_credited(lab):
    one = lab("""
        def f(flag: bool):
            return 1 if flag else 0
        """)
    goals, stones = stones_of(one)
    learn(goals, stones, one.run("f(True)"))
    for name, sequence in stones.plan(24, 24):
        learn(goals, stones, one.run(sequence, name.partition(":")[2]))
    assert stones.schedule.ledgers["leaves"].sites == 1


def test_a_function_of_another_project_is_replaced_only_after_a_run_ended_in_it(lab):
    source = """
        from rich.markup import escape
        def f(text):
            shown = escape(text)
            if shown == 12345:
                return 1
            return 0
        """
    one = lab(source)
    goals = one.goals()
    pools = ValuePools(one.subject, source=textwrap.dedent(source))
    stones = SteppingStones(goals, {"sample:f": one.proposer("f")}, pools, 0)
    replaced = []
    for text in ("'abc'", "7"):
        run = one.run(f"f({text})")
        learn(goals, stones, replace(run, calling=next(iter(pools.callees))))
        plan = [sequence for _ in range(4) for _, sequence in stones.plan(24, 120)]
        replaced.append(any(one.calls[0].kind == "arrange" for one in plan))
    assert replaced == [False, True]


def test_another_object_is_judged_by_the_calls_that_made_it(lab):
    one = lab("""
        class Lamp:
            def __init__(self, rooms: list[str]):
                self.rooms = rooms
                self.colour = ""
            def paint(self, colour: str):
                self.colour = colour
            def show(self, text: str):
                if text == "x" and self.colour == "red":
                    return 1
                return 0
        """)
    goals = one.goals()
    drawings = {f"sample:{name}": one.proposer(name) for name in ("Lamp", "Lamp.paint")}
    stones = SteppingStones(goals, drawings, ValuePools(one.subject), 0)
    parent = one.run("lamp = Lamp(['hall'])\nlamp.show('x')")
    painted = one.run("lamp = Lamp(['hall'])\nlamp.paint('red')\nlamp.show('x')").sequence
    assert stones.keeps_promises(parent, painted)
    wrong = one.run("lamp = Lamp('hall')\nlamp.paint('red')\nlamp.show('x')").sequence
    assert not stones.keeps_promises(parent, wrong)


def test_an_error_of_the_module_is_given_what_it_is_meant_for(lab):
    source = """
        class Refused(Exception):
            def __init__(self, code: int, message: str, retry=True):
                super().__init__(message)
                self.code = code
        def f(client):
            try:
                client.send(1)
            except Refused as error:
                return error.code
        """
    one = lab(source)
    pools = ValuePools(one.subject, source=textwrap.dedent(source))
    drawings = {f"sample:{name}": one.proposer(name) for name in ("Refused", "f")}
    stones = SteppingStones(one.goals(), drawings, pools, 0)
    run = one.run("f(3)")
    (where, name, error), *_ = stones._materials_of("f", run, [run]).errors
    assert (where, name, error.callee.qualname) == ("", "send", "Refused")
    assert [type(arg.value) for arg in error.args] == [int, str]
