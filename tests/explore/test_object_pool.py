"""The pool of object states: one history for each digest, each makes its object."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from source_lab import rng

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, expected_error
from unitcraft.explore.agents.run_calls import run_calls
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.values.object_pool import (
    MAX_CALLS,
    MAX_FOR_SHAPE,
    MAX_SHAPES,
    MAX_STATES,
    Composer,
    ObjectHistory,
    ObjectPool,
    pick,
    pool_for,
)  # fmt: skip
from unitcraft.explore.search.values.value_choice import MAX_WAITS
from unitcraft.state.heap.canonical import canonical
from unitcraft.subject.values.value_pools import ValuePools

BOXES = """
class Box:
    def __init__(self, size=0):
        self.size = size

    def grow(self):
        self.size += 1

    def join(self, other):
        self.other = other
        return Lid()

class Lid(Box):
    pass

class Bad:
    def __init__(self):
        raise OSError
"""


def sizes(lab, objects, cls="sample:Box"):
    """The ``size`` of the object of each seed, by running it."""
    found = []
    for seed in objects.seeds(cls):
        results = []
        assert seed.sequence.rep_ok()
        assert run_calls(encode_sequence(seed.sequence), results) is None
        found.append(results[seed.index].size)
    return found


def test_a_state_is_kept_once_with_its_first_sequence(lab):
    one = lab(BOXES)
    objects = one.filled("Box(1)", "Box(2)", "b = Box()\nb.grow()", "Box(1)")
    assert sizes(one, objects) == [1, 2]
    assert [len(seed.sequence) for seed in objects.seeds("sample:Box")] == [1, 1]


def test_the_receiver_after_the_call_is_a_new_state(lab):
    one = lab(BOXES)
    objects = one.filled("Box()", "b = Box()\nb.grow()", "b = Box()\nb.grow()\nb.grow()")
    assert sizes(one, objects) == [0, 1, 2]


def test_calls_that_the_object_does_not_need_are_left_out(lab):
    one = lab(BOXES)
    objects = one.objects()
    objects.offer(one.run("x = Box(5)\ny = Box(6)\nx.grow()\nz = Box(9)"), kept=True)
    assert [(len(seed.sequence), seed.index) for seed in objects.seeds("sample:Box")] == [(1, 0)]
    assert sizes(one, objects) == [9]


def test_the_argument_of_a_call_is_found_after_slicing(lab):
    one = lab(BOXES)
    objects = one.filled("w = Box(7)\nx = Box(1)\ny = Box(2)\nx.join(y)")
    assert sizes(one, objects, "sample:Lid") == [0]
    assert sorted(sizes(one, objects)) == [0, 1, 2]


def test_subclasses_stand_in_after_the_classes_own(lab):
    one = lab(BOXES)
    objects = one.filled("Lid(5)", "Box(1)")
    assert sizes(one, objects) == [1, 5]
    assert sizes(one, objects, "sample:Lid") == [5]
    assert objects.seeds("sample:Nothing") == []


def test_a_raise_leaves_no_state(lab):
    one = lab(BOXES)
    assert one.objects().offer(one.run("Bad()"), kept=True) == 0


def made(number: int, shape: bytes = b"s", calls: int = 1) -> Execution:
    chain = [Call("function", "m:C", (Const(number),))]
    chain += [Call("method", "f", (Ref(0),)) for _ in range(calls - 1)]
    row = (0, "m:C", number.to_bytes(4, "big"), shape)
    return Execution("m:C", Sequence(tuple(chain)), None, "", (), (), (), (row,))


@pytest.mark.parametrize(("kept", "expected"), [(False, MAX_FOR_SHAPE), (True, 2 * MAX_STATES)])
def test_states_of_one_shape_are_few_unless_they_brought_a_goal(kept, expected):
    objects = ObjectPool({"m:C": ()})
    added = sum(objects.offer(made(number), kept=kept) for number in range(2 * MAX_STATES))
    assert added == len(objects.seeds("m:C")) == expected


def test_states_of_many_shapes_are_bounded():
    objects, most = ObjectPool({"m:C": ()}), MAX_STATES + MAX_SHAPES
    for number in range(2 * most):
        objects.offer(made(number, number.to_bytes(4, "big")), kept=False)
    assert len(objects.seeds("m:C")) == most
    for number in range(2 * most):  # those that grew have a bound of their own
        objects.offer(made(1000 + number, number.to_bytes(4, "little"), calls=2), kept=False)
    assert sum(one.is_grown for one in objects.seeds("m:C")) == most


def test_a_late_state_is_kept_if_it_is_the_first_of_its_shape():
    objects = ObjectPool({"m:C": ()})
    for number in range(MAX_STATES):
        objects.offer(made(number, bytes([number // MAX_FOR_SHAPE])), kept=False)
    assert len(objects.seeds("m:C")) == MAX_STATES
    late = [
        objects.offer(made(900 + at, shape), kept=False)
        for at, shape in enumerate((b"over", b"over", b"0"))
    ]
    assert late == [1, 0, 1]


def test_states_know_whether_they_came_with_a_goal():
    objects = ObjectPool({"m:C": ()})
    for number in range(2):
        objects.offer(made(number), kept=bool(number))
    assert [one.is_telling for one in objects.seeds("m:C")] == [False, True]


def test_a_state_does_not_count_as_kept_because_another_of_the_run_was_added():
    """Two objects of a crowded shape in one run that reached nothing: none is added."""
    objects = ObjectPool({"m:C": ()})
    for number in range(MAX_FOR_SHAPE):
        objects.offer(made(number), kept=False)
    call = Call("function", "m:f", (Ref(0), Ref(1)))
    sequence = Sequence((Call("function", "m:C"), Call("function", "m:C"), call))
    rows = ((0, "m:C", b"new", b"other"), (1, "m:C", b"newer", b"s"))
    run = Execution("m:f", sequence, None, "", (), (), (), rows)
    assert objects.offer(run, kept=False) == 1


def test_long_histories_and_unknown_classes_are_no_seeds():
    assert ObjectPool({"m:C": ()}).offer(made(1, calls=MAX_CALLS + 1), kept=True) == 0
    assert ObjectPool({"m:D": ()}).offer(made(1), kept=True) == 0


def test_a_composer_renumbers_each_seed_it_appends():
    box = Call("function", "m:C", (Const(1),))
    seed = ObjectHistory(
        Sequence((box, Call("method", "f", (Ref(0), Display("list", (Ref(0),)))))), 0
    )
    composer = Composer()
    first, second = composer.add(seed), composer.add(seed)
    assert (first, second) == (Ref(0), Ref(2))
    sequence = composer.finish(Call("function", "m:g", (first, second)))
    assert sequence.calls[3].args == (Ref(2), Display("list", (Ref(2),)))
    assert sequence.rep_ok()


def test_early_seeds_are_picked_more_often():
    seeds = [ObjectHistory(Sequence(()), number) for number in range(10)]
    chance = rng()
    picked = [pick(seeds, chance).index for _ in range(500)]
    assert set(picked) == set(range(10))
    assert sum(number < 5 for number in picked) > 350


STEPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9), st.integers(0, 9)), max_size=8)


def program(steps) -> Sequence:
    """A random history of boxes: made, grown and joined."""
    calls = [Call("function", "sample:Box", (Const(0),))]
    boxes = [0]
    for kind, first, second in steps:
        one, other = Ref(boxes[first % len(boxes)]), Ref(boxes[second % len(boxes)])
        if kind == 0:
            boxes.append(len(calls))
            calls.append(Call("function", "sample:Box", (Const(first),)))
        elif kind == 1:
            calls.append(Call("method", "grow", (one,)))
        else:
            boxes.append(len(calls))
            calls.append(Call("method", "join", (one, other)))
    return Sequence(tuple(calls))


def test_random_histories_leave_distinct_seeds_that_reach_their_digest(lab):
    one = lab(BOXES)

    @settings(max_examples=60, deadline=None, database=None)
    @given(st.lists(STEPS, min_size=1, max_size=4))
    def check(histories):
        objects = one.objects()
        for steps in histories:
            objects.offer(one.run(program(steps)), kept=True)
        for cls in objects.classes():
            own = [seed for seed in objects.seeds(cls) if seed in objects._seeds[cls]]
            digests = []
            for seed in own:
                results = []
                assert seed.sequence.rep_ok()
                assert run_calls(encode_sequence(seed.sequence), results) is None
                digests.append(canonical((results[seed.index],)))
            assert len(set(digests)) == len(digests)
            assert {(cls, digest, ()) for digest in digests} <= objects._digests

    check()


def test_a_parameter_that_asks_for_a_node_finds_one(lab):
    one = lab("import ast\ndef label(node: ast.Name, others: list[ast.alias]) -> str: ...\n")
    pool = pool_for(one.subject)
    assert pool.classes() == ("ast:Name", "ast:alias")
    assert pool.seeds("ast:Name")[0].sequence.calls[0].name == "ast:parse"


def test_heirs_of_a_template_come_first_and_in_turns():
    bases = {"m:C": (), "m:D": ("m:C",), "m:E": ("m:C",)}
    one = ObjectHistory(Sequence((Call("function", "m:C"),)), 0)
    found = {}
    for templates in (frozenset(["m:C"]), frozenset()):
        objects = ObjectPool(bases, templates)
        for cls in ("m:C", "m:D", "m:E"):
            calls = [Call("function", cls, (Const(number),)) for number in range(2)]
            objects.give(cls, [replace(one, sequence=Sequence((call,))) for call in calls])
        found[bool(templates)] = [seed.sequence.calls[0].name for seed in objects.seeds("m:C")]
    assert found[True] == ["m:D", "m:E", "m:D", "m:E", "m:C", "m:C"]
    assert found[False] == ["m:C", "m:C", "m:D", "m:D", "m:E", "m:E"]


def test_objects_of_a_class_that_implements_a_protocol_are_of_that_too(lab):
    """It need not derive from it: what has the members of an account is one."""
    bench = lab("""
from typing import Protocol

class Account(Protocol):
    @property
    def code(self) -> str: ...

class Root:
    def __init__(self, code: str): self._code = code
    @property
    def code(self) -> str: return self._code

def ledger(account: Account): return account.code
""")
    pool = pool_for(bench.subject)
    assert pool.bases["sample:Root"][-1] == "sample:Account"
    assert pool.seeds("sample:Account") == []
    pool.offer(bench.run("root = Root('abc')"), kept=True)
    (seed,) = pool.seeds("sample:Account")
    assert seed.sequence == bench.sequence("root = Root('abc')")


LEDGERS = """
class Account:
    def __init__(self, code: str): self.code = code

class Ledger:
    def __init__(self, account: Account, size: int = 0): self.account = account

def close(ledger: Ledger, day=None): return ledger.account.code
"""


def test_an_invocable_waits_for_the_objects_that_its_parameters_are_declared_to_be(lab):
    bench = lab(LEDGERS)
    pool = pool_for(bench.subject)
    pools = ValuePools(bench.subject)
    (ledger,) = [one for one in bench.subject.invocables if one.id == "sample:Ledger"]
    proposer = Proposer(ledger, (), pools, pool, 0)
    assert [proposer.propose(1) for _ in range(MAX_WAITS)] == [[]] * MAX_WAITS
    assert proposer.propose(1) != [], "nobody can make an account, it seems"
    other = Proposer(ledger, (), pools, pool, 0)
    assert other.propose(1) == []
    pool.offer(bench.run("account = Account('abc')"), kept=True)
    (made,) = other.propose(1)
    assert [call.name for call in made.calls] == ["sample:Account", "sample:Ledger"]


LOCK = """
class Wrong(Exception):
    pass

class Lock:
    def __init__(self, code):
        self.code = code
        self.tries = 0

    def open(self, code):
        if self.tries == 2:
            return False
        if code != self.code:
            self.tries += 1
            raise Wrong
        return True

    def check(self, code):
        if code != self.code:
            raise Wrong
"""


def test_a_call_that_raises_and_changes_its_object_is_gone_on_from(lab):
    one = lab(LOCK)
    objects = one.filled("Lock(1)", "lock = Lock(1)\nlock.open(2)")
    again = one.run("lock = Lock(1)\nlock.check(2)"), one.run("lock = Lock(3)\nlock.check(2)")
    assert [objects.offer(run, kept=True) for run in again] == [0, 0]
    [made, wrong] = objects.seeds("sample:Lock")
    assert made.sequence.calls == wrong.sequence.calls[:1]
    assert [expected_error(call) for call in wrong.sequence.calls] == ["", "sample:Wrong"]
    results = []
    assert run_calls(encode_sequence(wrong.sequence), results) is None
    assert results[0].tries == 1


def test_a_run_that_ended_early_is_resumed_where_its_method_is_known_to_change_objects(lab):
    one = lab(LOCK)
    objects = one.filled("Lock(1)", "lock = Lock(1)\nlock.open(2)")
    run = one.run("lock = Lock(1)\nlock.open(2)\nlock.open(2)\nlock.open(1)")
    [resumed] = objects.resumed(run)
    assert [expected_error(call) for call in resumed.calls] == ["", "sample:Wrong", "", ""]
    assert objects.resumed(one.run("lock = Lock(1)\nlock.check(2)\nlock.open(1)")) == []
    assert objects.resumed(one.run("lock = Lock(1)\nlock.open(2)")) == []
