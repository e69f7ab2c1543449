"""Random walks: long histories of one object, well formed and repeatable."""

from __future__ import annotations

import pytest
from source_lab import rng

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.calls import without_calls
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.random_walks import MAX_STEPS, MIN_STEPS, Walks, walks

STACK = """
class Stack:
    def __init__(self):
        self.items = []

    def push(self, item: int):
        self.items.append(item)

    def pop(self) -> int:
        return self.items.pop()

    def top(self):
        return self.items[-1]

    def needs(self, *, name: str):
        return name
"""


@pytest.fixture
def stack(lab):
    return lab(STACK)


def walked(stack, changing, others, *texts, count=40):
    objects = stack.filled(*texts)
    moving = [stack.proposer(f"Stack.{name}", objects) for name in changing]
    still = [stack.proposer(f"Stack.{name}", objects) for name in others]
    return walks("sample:Stack", moving, still, objects, rng("walks"), count)


def test_walks_are_well_formed_histories_of_one_object(stack):
    made = walked(stack, ["push", "pop"], ["top"], "Stack()")
    assert len(made) == 40
    for name, sequence in made:
        assert sequence.rep_ok()
        assert sequence.calls[0].name == "sample:Stack"
        assert all(call.args[0] == Ref(0) for call in sequence.calls[1:])
        assert MIN_STEPS + 2 <= len(sequence) <= MAX_STEPS + 2
        assert name == f"sample:Stack.{sequence.calls[-1].name}"
    assert {name for name, _ in made} == {f"sample:Stack.{n}" for n in ("push", "pop", "top")}
    assert {call.name for _, one in made for call in one.calls[1:-1]} == {"push", "pop"}


def test_values_meet_again(stack):
    pushed = [
        [call.args[1] for call in sequence.calls if call.name == "push"]
        for _, sequence in walked(stack, ["push"], [], "Stack()")
    ]
    assert sum(len(set(values)) < len(values) for values in pushed) > 20
    assert {type(value) for values in pushed for value in values} == {Const}


def test_what_was_stored_is_looked_up_by_keys_of_the_same_alphabet(lab):
    box = lab("""
        class Box:
            def __init__(self): self.held = {}
            def put(self, key, value): self.held[key] = value
            def drop(self, key): del self.held[key]
    """)
    objects = box.filled("Box()")
    put, drop = (box.proposer(f"Box.{name}", objects) for name in ("put", "drop"))
    put.slots[0].records["int"].tried = drop.slots[0].records["str"].tried = 1
    for _, one in walks("sample:Box", [put, drop], [], objects, rng("walks"), 20):
        assert len({type(call.args[1].value) for call in one.calls[1:]}) == 1


def test_walks_run_deep(stack):
    depths = [
        len(self_of(stack, sequence).items)
        for _, sequence in walked(stack, ["push"], [], "Stack()")
    ]
    assert max(depths) >= 10


def self_of(stack, sequence):
    from unitcraft.core.encoding import encode_sequence  # noqa: PLC0415
    from unitcraft.explore.agents.run_calls import run_calls  # noqa: PLC0415

    results = []
    assert run_calls(encode_sequence(sequence), results) is None
    return results[0]


@pytest.mark.parametrize(("changing", "texts"), [([], ["Stack()"]), (["push"], []), ([], [])])
def test_without_a_start_or_a_change_there_is_no_walk(stack, changing, texts):
    assert walked(stack, changing, ["top"], *texts) == []


def test_a_method_that_cannot_be_called_positionally_is_never_the_end(stack):
    made = walked(stack, ["push"], ["needs"], "Stack()")
    assert {name for name, _ in made} == {"sample:Stack.push"}


def test_the_same_chance_walks_the_same_way(stack):
    assert walked(stack, ["push", "pop"], ["top"], "Stack()") == walked(
        stack, ["push", "pop"], ["top"], "Stack()"
    )


BOARD = """
class Cell:
    def __init__(self):
        self.guest = None


class Guest:
    def __init__(self):
        self.cell = None

    def occupy(self, cell: Cell):
        assert cell.guest is None
        self.cell = cell
        cell.guest = self


class Wall(Guest):
    pass


class Move:
    def __init__(self, guest: Guest, target: Cell):
        assert guest.cell is not None
        self.guest = guest
        self.target = target

    def possible(self) -> bool:
        if self.target.guest is None:
            return True
        return isinstance(self.target.guest, Wall)
"""


def test_sequences_towards_a_target_bring_objects_of_several_classes_together(lab):
    board = lab(BOARD)
    goals, objects = board.goals(), board.objects()
    helpers = []

    def make(invocable):
        helpers.append(invocable.name)
        return board.proposer(invocable.id.partition(":")[2], objects)

    names = ("Cell", "Guest", "Wall", "Move", "Move.possible")
    proposers = {f"sample:{name}": board.proposer(name, objects) for name in names}
    towards = Walks(board.subject, goals, make, proposers, objects, rng("walks"), 0)
    reached = set()
    for _ in range(8):
        for name, sequence in towards.towards_targets(SparingPool(board.pool())):
            assert sequence.rep_ok()
            run = board.run(sequence, name.partition(":")[2])
            goals.offer(run, 1.0)
            assert run.failed is None or run.failed.position == len(sequence) - 1
            if name.endswith("possible") and run.failed is None:
                reached.add(run.behaviour)
    assert reached == {"True", "False"}
    assert helpers == ["occupy", "occupy"]  # of classes that the search itself does not call


def test_a_call_goes_with_those_that_need_it(stack):
    sequence = stack.sequence("a = Stack(); a.push(1); b = Stack(); b.push(2); a.pop()")
    assert [call.name for call in without_calls(sequence, [1]).calls] == ["sample:Stack", "pop"]
    assert without_calls(sequence, [0]) is None


def test_calls_that_act_through_a_module_or_class_stay():
    sequence = Sequence((
        Call("function", "m:register", (Const("a"),)),
        Call("function", "m:other", ()),
        Call("function", "m:encode", (Const("a"),)),
    ))  # fmt: skip
    assert [call.name for call in without_calls(sequence, (), [0]).calls] == [
        "m:register", "m:encode",
    ]  # fmt: skip
    assert [call.name for call in without_calls(sequence, [0], [0]).calls] == ["m:encode"]


def test_calls_that_share_no_object_with_the_last_go_too(stack):
    sequence = stack.sequence("a = Stack(); a.push(1); b = Stack(); b.push(2); a.pop()")
    assert [call.name for call in without_calls(sequence, ()).calls] == [
        "sample:Stack",
        "push",
        "pop",
    ]


GARDEN = """
class Bed:
    def __init__(self, size: int):
        assert 0 < size < 5
        self.plants = [None] * size

    def at(self, place: int) -> "Plot":
        assert 0 <= place < len(self.plants)
        return Plot(self, place)


class Plot:
    def __init__(self, bed: Bed, place: int):
        self.bed = bed
        self.place = place

    def is_in(self, bed: Bed) -> bool:
        if self.bed is bed:
            return True
        return False
"""


def sequences_towards(made, names, *runs, rounds=4):
    objects = made.filled(*runs)
    proposers = {f"sample:{name}": made.proposer(name, objects, judges=True) for name in names}
    for text in runs:
        run = made.run(text)
        proposers[run.invocable].learn(run, sensible=True, kept=True)
    goals = made.goals()
    towards = Walks(made.subject, goals, None, proposers, objects, rng("walks"), 0)
    return [
        one for _ in range(rounds) for _, one in towards.towards_targets(SparingPool(made.pool()))
    ], towards


def test_results_of_methods_are_objects_that_calls_are_given(lab):
    garden = lab(GARDEN)
    names = ("Bed", "Bed.at", "Plot", "Plot.is_in")
    found, towards = sequences_towards(garden, names, "Bed(3).at(1)")
    last = [one for one in found if one.calls[-1].name == "is_in"]
    assert any(call.name == "at" for one in last for call in one.calls[:-1])
    assert towards.take_charge() > len(found) > 0
    assert towards.take_charge() == 0


def test_objects_of_heirs_and_likely_classes_are_given(lab):
    shop = lab("""
    import abc

    class Watcher(abc.ABC):
        @abc.abstractmethod
        def hear(self, text): ...

    class Bell:
        def __init__(self):
            self.watchers = []

        def add(self, watcher: Watcher):
            if watcher in self.watchers:
                raise ValueError("twice")
            self.watchers.append(watcher)

    class Clock:
        def __init__(self, bell):
            self.bell = bell

        def strike(self):
            if self.bell.watchers:
                return "heard"
            return "lost"
    """)
    names = ("Bell", "Bell.add", "Clock", "Clock.strike")
    found, _ = sequences_towards(shop, names, "Clock(Bell()).strike()")
    made = [
        one
        for one in found
        if one.calls[-1].name == "strike" and any(call.name == "sample:Bell" for call in one.calls)
    ]
    assert made
