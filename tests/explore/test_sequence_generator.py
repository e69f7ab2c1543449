"""Proposals: well formed, of the declared types, learning, and the same for the same seed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from source_lab import rng

from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, Symbol, arguments
from unitcraft.explore.calls import is_explosive
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.values.returned_calls import FOLLOW_UPS
from unitcraft.explore.search.values.value_choice import ALPHABETS

SOURCE = """
import enum
from typing import Literal

class Colour(enum.Enum):
    RED = 1
    BLUE = 2

    def mixed(self):
        return self

class Box:
    def __init__(self, size: int = 0):
        self.size = size

    def put(self, item: str, *, times: int = 1):
        return item * times

    def merge(self, other: "Box") -> "Box":
        return other

    @property
    def width(self) -> int:
        return self.size

    @width.setter
    def width(self, value: int):
        self.size = value

    def __getitem__(self, index: int):
        return index

    def __radd__(self, other: int):
        return other

    def __pow__(self, power: int):
        return power

    def __call__(self, a: int, b: str = ""):
        return a

def typed(number: int, text: str, flag: bool, ratio: float, raw: bytes):
    return number

def listed(items: list[int], table: dict[str, int], pair: tuple[int, str]):
    return items

def chosen(mode: Literal["r", "w"], maybe: int | None = None):
    return mode

def boxes(items: list[Box], main: Box):
    return items

def untyped(thing, other=None):
    return thing

def spread(*numbers: int, **named: str):
    return numbers

async def later(name: str):
    return name

def stream(count: int):
    yield count

def free():
    return 1

def factory():
    return lambda x: x
"""
TYPES = {"int": int, "str": str, "bool": bool, "float": (int, float), "bytes": bytes}


def proposed(one: Proposer, count=60):
    made = one.propose(count)
    assert made
    assert all(sequence.rep_ok() for sequence in made)
    return made


@pytest.fixture
def sample(lab):
    return lab(SOURCE)


@pytest.fixture
def objects(sample):
    return sample.filled("Box(1)", "Box(2)", "b = Box()\nb.width = 5")


def given(sequence, position):
    return sequence.calls[-1].args[position]


def test_atoms_have_the_annotated_type(sample):
    for sequence in proposed(sample.proposer("typed")):
        call = sequence.calls[-1]
        assert (call.kind, call.name, len(call.args)) == ("function", "sample:typed", 5)
        for arg, name in zip(call.args, TYPES, strict=True):
            assert isinstance(arg, Const)
            assert isinstance(arg.value, TYPES[name])
            assert name == "bool" or not isinstance(arg.value, bool)


def test_containers_have_elements_of_the_annotated_type(sample):
    sizes = set()
    for sequence in proposed(sample.proposer("listed")):
        items, table, pair = sequence.calls[-1].args
        assert (items.kind, table.kind, pair.kind) == ("list", "dict", "tuple")
        assert all(type(item.value) is int for item in items.items)
        assert all(type(item.value) is str for item in table.items[::2])
        assert [type(item.value) for item in pair.items] == [int, str]
        sizes.add(len(items.items))
    assert {0, 1, 2} <= sizes


def test_literals_and_optionals_are_all_met(sample):
    made = [sequence.calls[-1] for sequence in proposed(sample.proposer("chosen"))]
    assert {call.args[0].value for call in made} == {"r", "w"}
    seconds = [call.args[1].value if len(call.args) > 1 else "left out" for call in made]
    assert None in seconds
    assert "left out" in seconds
    assert any(type(value) is int for value in seconds)


def test_without_a_seed_there_is_no_receiver(sample):
    assert sample.proposer("Box.put").propose(20) == []
    assert sample.proposer("Box.put").bare_call() is None


def test_receivers_are_the_known_states_in_order(sample, objects):
    firsts = [sequence.calls[:-1] for sequence in proposed(sample.proposer("Box.put", objects))]
    seen = list(dict.fromkeys(firsts))
    assert seen[: len(objects.seeds("sample:Box"))] or seen
    assert set(seen) == {seed.sequence.calls for seed in objects.seeds("sample:Box")}


def test_keyword_only_arguments_go_by_name_and_may_be_left_out(sample, objects):
    calls = [one.calls[-1] for one in proposed(sample.proposer("Box.put", objects))]
    assert {tuple(name for name, _ in call.kwargs) for call in calls} == {(), ("times",)}
    assert all(type(value.value) is int for call in calls for _, value in call.kwargs)
    assert all(type(call.args[1].value) is str for call in calls)


def test_objects_are_made_by_their_own_calls(sample, objects):
    for sequence in proposed(sample.proposer("boxes", objects)):
        items, main = sequence.calls[-1].args
        assert items.kind == "list"
        assert all(isinstance(item, Ref) for item in (*items.items, main))
    merged = proposed(sample.proposer("Box.merge", objects))
    assert all(isinstance(given(sequence, 1), Ref) for sequence in merged)


def test_the_receiver_of_an_enum_is_a_member(sample):
    made = proposed(sample.proposer("Colour.mixed"), 8)
    names = {given(sequence, 0) for sequence in made}
    assert names == {Symbol("sample", "Colour.RED"), Symbol("sample", "Colour.BLUE")}


def test_a_property_is_read_and_written_with_its_type(sample, objects):
    calls = [one.calls[-1] for one in proposed(sample.proposer("Box.width", objects))]
    assert {call.kind for call in calls} == {"get", "set"}
    assert {type(call.args[1].value) for call in calls if call.kind == "set"} == {int}


@pytest.mark.parametrize(
    ("method", "operator", "receiver"),
    [("__getitem__", "[]", 0), ("__radd__", "+", 1), ("__pow__", "**", 0), ("__call__", "call", 0)],
)
def test_special_methods_are_called_by_their_operator(sample, objects, method, operator, receiver):
    for sequence in proposed(sample.proposer(f"Box.{method}", objects)):
        call = sequence.calls[-1]
        assert (call.kind, call.name) == ("operator", operator)
        assert isinstance(call.args[receiver], Ref)
        assert not is_explosive(sequence)


def test_coroutines_are_awaited_and_generators_drained(sample):
    assert {one.calls[-1].then for one in proposed(sample.proposer("later"))} == {"await"}
    assert {one.calls[-1].then for one in proposed(sample.proposer("stream"))} == {"drain"}
    assert {one.calls[-1].then for one in proposed(sample.proposer("typed"))} == {""}


def test_returned_iterators_are_drained_unless_plain_results_came_first(sample):
    run = sample.run("untyped([])")
    lazy = replace(run, behaviour="iterator")
    eager, drained = sample.proposer("untyped"), sample.proposer("untyped")
    eager.learn(run, sensible=True, kept=False)
    eager.learn(lazy, sensible=True, kept=False)
    assert {one.calls[-1].then for one in proposed(eager, 5)} == {""}
    drained.learn(lazy, sensible=True, kept=False)
    assert {one.calls[-1].then for one in proposed(drained, 5)} == {"drain"}


def test_stars_take_any_number_of_their_type(sample):
    calls = [one.calls[-1] for one in proposed(sample.proposer("spread"))]
    assert len({len(call.args) for call in calls}) > 1
    assert {type(arg.value) for call in calls for arg in call.args} == {int}
    assert {type(arg.value) for call in calls for _, arg in call.kwargs} <= {str}
    assert all(len({name for name, _ in call.kwargs}) == len(call.kwargs) for call in calls)


def test_untyped_parameters_meet_many_kinds(sample, objects):
    made = proposed(sample.proposer("untyped", objects), 120)
    kinds = {type(getattr(given(one, 0), "value", given(one, 0))).__name__ for one in made}
    assert {"int", "str", "Display", "Ref", "NoneType"} <= kinds


def test_learning_turns_to_the_kinds_that_work(sample):
    proposer = sample.proposer("untyped")
    for _ in range(8):
        for sequence in proposer.propose(20):
            wanted = type(getattr(given(sequence, 0), "value", None)) is str
            run = sample.run(sequence, "untyped")
            proposer.learn(run, sensible=wanted, kept=False)
    later = [type(getattr(given(one, 0), "value", None)) for one in proposer.propose(100)]
    assert later.count(str) > 60


def test_given_values_come_first(sample):
    proposer = sample.proposer("typed")
    proposer.slots[1].firsts.append(Const("from an example"))
    assert Const("from an example") in [given(one, 1) for one in proposer.propose(2)]


def test_hints_are_tried_but_not_trusted(sample):
    from unitcraft.core.types import TypeExpr  # noqa: PLC0415

    proposer = sample.proposer("untyped")
    proposer.slots[0].add_hint(TypeExpr("bytes"))
    kinds = [type(getattr(given(one, 0), "value", None)) for one in proposer.propose(60)]
    assert kinds.count(bytes) > 10
    assert len(set(kinds)) > 3


def test_a_variation_changes_one_argument_of_a_kept_run(sample):
    proposer = sample.proposer("typed")
    assert proposer.variations(5, rng()) == []
    run = sample.run("typed(1, 'a', True, 0.5, b'x')")
    proposer.learn(run, sensible=True, kept=True)
    made = proposer.variations(40, rng())
    assert len(made) == 40
    old = run.sequence.calls[0].args
    for sequence in made:
        new = sequence.calls[0].args
        changed = [n for n in range(5) if repr(new[n]) != repr(old[n])]
        assert len(changed) <= 1
        assert all(isinstance(new[n].value, TYPES[list(TYPES)[n]]) for n in changed)


def test_variations_of_methods_keep_the_receiver(sample, objects):
    proposer = sample.proposer("Box.put", objects)
    run = sample.run("b = Box(1)\nb.put('a', times=2)")
    proposer.learn(run, sensible=True, kept=True)
    for sequence in proposer.variations(20, rng()):
        assert sequence.rep_ok()
        assert given(sequence, 0) == Ref(0)
        assert type(given(sequence, 1).value) is str


def test_returned_functions_are_followed_a_few_calls_deep(sample):
    proposer = sample.proposer("factory")
    run = sample.run("factory()")
    made = proposer.follow_ups(run)
    assert len(made) == FOLLOW_UPS
    assert {one.calls[-1].name for one in made} == {"call"}
    assert all(one.rep_ok() and one.calls[-1].args[0] == Ref(0) for one in made)
    assert proposer.follow_ups(sample.run("free()")) == []


def test_steps_of_walks_use_small_alphabets(sample, objects):
    proposer = sample.proposer("Box.put", objects)
    calls = [proposer.step(Ref(4), rng(number)) for number in range(50)]
    assert {call.args[0] for call in calls} == {Ref(4)}
    assert {call.args[1] for call in calls} <= set(ALPHABETS["str"])
    assert all(call.kwargs == () for call in calls)


@pytest.mark.parametrize("name", ["typed", "listed", "untyped", "Box.put", "boxes", "spread"])
def test_the_same_seed_proposes_the_same_and_another_seed_does_not(sample, objects, name):
    first, again = (sample.proposer(name, objects).propose(40) for _ in range(2))
    assert repr(first) == repr(again)
    assert sample.proposer(name, objects, seed=7).propose(40) != first


@pytest.mark.parametrize(
    ("text", "expected"),
    [("b = Box(9)\nb.__pow__(3)", False), ("Box(10**9)", False)],
)
def test_only_operators_explode(sample, text, expected):
    assert is_explosive(sample.sequence(text.replace("10**9", "1000000000"))) is expected


def test_an_operator_with_a_large_operand_explodes(sample):
    from unitcraft.core.sequences import Call, Sequence  # noqa: PLC0415

    for name, operand, expected in (("**", 65, True), ("**", 64, False), ("<<", 10**6, True),
                                    ("+", 10**6, False), ("**", -65, True)):  # fmt: skip
        sequence = Sequence((Call("operator", name, (Const(2), Const(operand))),))
        assert is_explosive(sequence) is expected


def test_every_invocable_proposes_what_can_be_run(sample, objects):
    for invocable in sample.subject.invocables:
        if invocable.kind == "field":
            continue
        for sequence in sample.proposer(invocable.id.partition(":")[2], objects).propose(15):
            assert sequence.rep_ok()
            position, *_ = sample.runner.run(_plain(sequence))
            assert position in (-1, len(sequence) - 1), "no earlier call of a proposal fails"
            assert all(not isinstance(arg, Display) or arg.items is not None
                       for arg in arguments(sequence.calls[-1]))  # fmt: skip


def _plain(sequence):
    from unitcraft.core.encoding import encode_sequence  # noqa: PLC0415

    return encode_sequence(sequence)


def test_a_descriptor_made_of_what_nobody_would_pass_is_not_used_in_a_class(lab):
    one = lab("""
        class Lazy:
            def __init__(self, make):
                self.make = make
            def __get__(self, obj, owner):
                return self if obj is None else self.make(obj)
        """)
    proposer = one.proposer("Lazy")
    proposer.drawer.plausibility = Plausibility(one.subject)
    assert proposer.follow_ups(one.run("Lazy(1)")) == []
    made = Call("function", "sample:Lazy", (Symbol("builtins", "str"),))
    assert proposer.follow_ups(one.run(Sequence((made,))))
