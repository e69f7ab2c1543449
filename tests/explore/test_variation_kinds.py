"""The kinds of variation: each changes a run in one respect, by chance that is given."""

from __future__ import annotations

import ast
import dataclasses
from random import Random

import pytest
from source_lab import rng

from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.values.object_pool import ObjectHistory
from unitcraft.explore.search.values.parameter_model import model_of
from unitcraft.explore.search.variation import variation_kind
from unitcraft.explore.search.variation.fill_mappings import FillMappings, fill_missed
from unitcraft.explore.search.variation.grow_stand_ins import EMPTY, NAMESPACE
from unitcraft.explore.search.variation.kinds.call_others_first import MAX_CALLS, CallOthersFirst
from unitcraft.explore.search.variation.kinds.change_leaves import ChangeLeaves, change
from unitcraft.explore.search.variation.kinds.change_nesting import (
    MAX_DEPTH,
    ChangeNesting,
    depth_of,
)
from unitcraft.explore.search.variation.kinds.exchange_receivers import ExchangeReceivers
from unitcraft.explore.search.variation.kinds.give_attributes import GiveAttributes
from unitcraft.explore.search.variation.kinds.grow_texts import MAX_TEXT, GrowTexts
from unitcraft.explore.search.variation.kinds.pass_time import STEPS, PassTime
from unitcraft.explore.search.variation.kinds.replace_calls import ReplaceCalls
from unitcraft.explore.search.variation.kinds.set_flags import SetFlags
from unitcraft.explore.search.variation.kinds.share_objects import ShareObjects
from unitcraft.explore.search.variation.kinds.store_again import StoreAgain
from unitcraft.explore.search.variation.kinds.take_parts import TakeParts
from unitcraft.explore.search.variation.kinds.vary_options import VaryOptions
from unitcraft.explore.search.variation.module_flags import module_flags
from unitcraft.explore.search.variation.places import (
    is_literal,
    places,
    recording,
    refusing,
    result_of,
    returning,
)
from unitcraft.explore.search.variation.schedule import KINDS
from unitcraft.explore.search.variation.variation_kind import Materials
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes
from unitcraft.subject.model import Parameter
from unitcraft.subject.reading.answer_uses import answer_uses
from unitcraft.subject.reading.replaceable_calls import AttributeUse

STRICT = Parameter("strict", required=False, default=Const(value=False))
BOUNDS = Parameter(
    "bounds", required=False, default=Display("tuple", (Const(value=True), Const(value=True)))
)
REST = Parameter("rest", "var_keyword", required=False)


def dict_of(**pairs) -> Display:
    return Display("dict", tuple(arg for pair in pairs.items() for arg in map(as_arg, pair)))


def as_arg(value) -> Arg:
    return value if isinstance(value, (Build, Const, Display, Ref)) else Const(value)


def run(*args, comparisons=(), before=()):
    call = Call("function", "m:f", tuple(map(as_arg, args)))
    sequence = Sequence((*before, call))
    return Execution("m:f", sequence, None, "", (), (), tuple(comparisons), ())


def materials(*parameters, **changes):
    slots = tuple(model_of(parameter, "f") for parameter in parameters)
    made = variation_kind.Materials(
        "f", ("[x]", "key"), ("key",), (40,), (), lambda _: slots, lambda *_: Const(5)
    )
    return dataclasses.replace(made, **changes)


def varied(kind, parent, with_, count=200):
    chance = rng(kind.name)
    found = [kind.vary(parent, with_, chance) for _ in range(count)]
    return [one for one in found if one is not None]


def last_args(sequences):
    return [one.calls[-1].args for one in sequences]


def test_every_kind_repeats_itself_and_has_nothing_to_do_with_a_call_of_nothing():
    for kind in (made() for made in KINDS):
        parent = run("ab", 1, dict_of(k=1))
        with_ = materials(STRICT)
        assert varied(kind, parent, with_, 30) == varied(kind, parent, with_, 30)
        assert varied(kind, run(), materials()) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_without_neighbours_is_left_as_it_is(value):
    assert varied(ChangeLeaves(), run(value), materials()) == []


def test_texts_grow_by_tokens_and_stay_short():
    texts = [args[0].value for args in last_args(varied(GrowTexts(), run("ab", 7), materials()))]
    assert all(
        args[1] == Const(7) for args in last_args(varied(GrowTexts(), run("ab", 7), materials()))
    )
    assert any("[x]" in text and "ab" in text for text in texts)
    assert any("\n" in text for text in texts)
    assert "" not in {text for text in texts if len(text) > MAX_TEXT}
    assert {
        type(args[0].value) for args in last_args(varied(GrowTexts(), run(b"ab"), materials()))
    } == {bytes}


def test_texts_are_joined_with_those_of_other_runs():
    with_ = materials(donors=(run("QQQQ"),))
    assert any("Q" in args[0].value for args in last_args(varied(GrowTexts(), run("ab"), with_)))


def test_lines_of_other_runs_come_before_and_lines_are_indented():
    with_ = materials(donors=(run("QQQQ"),))
    found = {args[0].value for args in last_args(varied(GrowTexts(), run("ab"), with_))}
    assert "QQQQ\nab" in found
    lines = {
        args[0].value for args in last_args(varied(GrowTexts(), run("a\n  b\nc"), materials()))
    }
    assert {"a\n  b\n c", "a\n        b\nc"} & lines


def test_empty_fields_are_filled():
    texts = {args[0].value for args in last_args(varied(GrowTexts(), run(".."), materials(), 600))}
    assert any(text.count(".") == 2 and all(text.split(".")) for text in texts)


def test_leaves_keep_their_class():
    parent = run(3, Const(value=True), 1.5, "ab", Display("list", (Const(1), Const(2))))
    for args in last_args(varied(ChangeLeaves(), parent, materials())):
        for old, new in zip(parent.sequence.calls[0].args, args, strict=True):
            assert type(getattr(old, "value", None)) is type(getattr(new, "value", None))
            assert getattr(old, "kind", None) == getattr(new, "kind", None)
    numbers = {
        args[0].value for args in last_args(varied(ChangeLeaves(), run(3), materials(), 400))
    }
    assert {4, 2, -3, 0, 40, 41, 43} <= numbers


def test_what_is_given_for_a_star_becomes_more_and_fewer():
    first, rest = Parameter("n"), Parameter("rest", "var_positional", required=False)
    made = last_args(varied(ChangeLeaves(), run(1, "a", "b"), materials(first, rest), 400))
    given = {args[1:] for args in made if args[0] == Const(1)}
    a, b = Const("a"), Const("b")
    assert {(), (a,), (b,), (b, a), (a, a, b), (a, b, b)} <= given
    assert last_args(varied(ChangeLeaves(), run(None), materials(first, rest))) == []


def test_containers_become_others_of_the_same_atoms():
    parent = run(Display("list", (Const(1), Const("x"))))
    found = [args[0] for args in last_args(varied(ChangeNesting(), parent, materials(), 400))]
    shapes = {one.kind for one in found}
    assert shapes == {"list", "tuple", "dict", "set"}
    assert all(depth_of(one) <= MAX_DEPTH for one in found)
    inner = Display("dict", (Const("a"), Const(1)))
    assert Display("list", (inner, inner)) in found
    assert varied(ChangeNesting(), run(Const(1)), materials()) == []


def test_mappings_get_keys_of_the_code_once():
    found = [args[0] for args in last_args(varied(FillMappings(), run(dict_of(a=1)), materials()))]
    assert any(Const("key") in one.items[::2] for one in found)
    assert any(one.items[::2] == (Const("a"),) and one != dict_of(a=1) for one in found)
    again = varied(FillMappings(), run(dict_of(key=1)), materials())
    assert all(args[0].items[::2] == (Const("key"),) for args in last_args(again))


def test_any_keywords_get_names_and_numbers_of_the_code():
    found = [dict(one.calls[-1].kwargs) for one in varied(FillMappings(), run(), materials(REST))]
    assert {given.keys() == {"key"} for given in found} == {True}
    numbers = {one["key"].value for one in found if isinstance(one["key"], Const)} - {True, ""}
    assert numbers == {None, "a", 40, 41}


@pytest.mark.parametrize(
    ("arg", "there", "expected"),
    [
        (dict_of(a=1), ("a",), Display("dict", (Const("a"), Const(1), Const("k"), Const(1)))),
        (dict_of(), (), dict_of(k=1)),
        (Display("list", (Const("a"),)), ("a",), Display("list", (Const("a"), Const("k")))),
        (Const("text"), "text", dict_of(k=1)),
        (dict_of(a=1, b=dict_of()), (), dict_of(a=1, b=dict_of(k=1))),
    ],
)
def test_what_was_looked_up_and_missing_is_added(arg, there, expected):
    made = fill_missed(run(arg), "k", there)
    assert (expected,) in last_args(made)


def test_what_was_looked_up_elsewhere_is_not_added():
    assert fill_missed(run(dict_of(a=1)), "k", ("b",)) == []
    named = fill_missed(run(), "k", (), [0])
    assert {one.calls[-1].kwargs[0][0] for one in named} == {"k"}
    assert fill_missed(run(), "no name", (), [0]) == []


def test_what_was_given_for_an_item_of_a_container_becomes_what_was_looked_up():
    assert last_args(fill_missed(run(Const(1)), "k", (1, 2))) == [(Const("k"),)]
    assert fill_missed(run(Const(value=True)), "k", (1, 2)) == []  # which equals 1
    assert fill_missed(run(Const(9)), "k", (1, 2, 3, 4, 9)) == []  # a table of the module
    grown = last_args(fill_missed(run(dict_of(a=1)), "k", ("a",)))
    assert all(isinstance(one, Display) for (one,) in grown)


def test_a_missing_key_first_gets_what_the_module_states_for_it():
    stated = (Const("tcp"), Const("udp"), Const("icmp"))
    made = last_args(fill_missed(run(dict_of(a=1)), "k", ("a",), (), stated))
    assert made[:3] == [(dict_of(a=1, k=one),) for one in ("tcp", "udp", "a")]
    true_last = last_args(fill_missed(run(dict_of(a=1)), "k", ("a",)))
    assert str(true_last[2][0].items[-1].value) == "True"  # which equals 1, and is another value


def test_an_object_stands_under_the_key_that_was_missed():
    box = Build(Symbol("shop", "Box"), ())
    arg = Display("dict", (Const("a"), box, Const("b"), Const(1)))
    made = last_args(fill_missed(run(arg), "k", ("a", "b")))
    assert made[0] == (Display("dict", (Const("k"), box, Const("b"), Const(1))),)
    plain = last_args(fill_missed(run(dict_of(a=1)), "k", ("a",)))
    assert all(one.items[0] == Const("a") for (one,) in plain)


def test_a_function_stands_under_the_key_that_was_missed_beside_those_that_are_there():
    function = Source("lambda x: x")
    arg = Display("dict", (Const("a"), function))
    made = last_args(fill_missed(run(arg), "k", ("a",)))
    assert made[0] == (Display("dict", (Const("a"), function, Const("k"), function)),)


def test_the_first_mapping_of_a_list_that_lacks_a_key_has_it_alone():
    arg = Display("list", (dict_of(a=1), dict_of(b=1)))
    made = last_args(fill_missed(run(arg), "k", ("a",)))
    assert made[:2] == [(Display("list", (dict_of(a=1, k=one),)),) for one in ("a", 1)]
    mixed = last_args(fill_missed(run(Display("list", (dict_of(a=1), Const(1)))), "k", ("a",)))
    assert all(len(one.items) == 2 for (one,) in mixed)


def test_options_are_given_by_name_or_where_they_stood():
    found = varied(VaryOptions(), run(), materials(STRICT, BOUNDS), 400)
    given = [dict(one.calls[-1].kwargs) for one in found]
    assert {frozenset(one) for one in given} == {
        frozenset({"strict"}), frozenset({"bounds"}), frozenset({"strict", "bounds"}),
    }  # fmt: skip
    halves = Display("tuple", (Const(value=False), Const(value=True)))
    assert halves in [one.get("bounds") for one in given]
    stood = varied(VaryOptions(), run(value := True), materials(STRICT))
    assert value
    assert all(not one.calls[-1].kwargs for one in stood)


def test_an_option_that_is_given_is_left_out_now_and_then():
    given = Call("function", "m:f", (), (("strict", Const(value=True)), ("bounds", Const(1))))
    parent = dataclasses.replace(run(), sequence=Sequence((given,)))
    found = [dict(one.calls[-1].kwargs) for one in varied(VaryOptions(), parent, materials(STRICT))]
    assert {"bounds": Const(1)} in found
    assert all(one["bounds"] == Const(1) for one in found)


def test_an_object_is_shared_and_no_call_is_added():
    parent = run(1, before=(Call("function", "m:C"),))
    free = materials(Parameter("other"))
    found = varied(ShareObjects(), parent, free)
    assert (Ref(0),) in last_args(found)
    assert (Display("tuple", (Ref(0), Ref(0))),) in last_args(found)
    assert {len(one) for one in found} == {2}
    number = Parameter("other", type=TypeExpr("int"), origin="annotation")
    assert varied(ShareObjects(), parent, materials(number)) == []


def test_what_a_statement_leaves_is_nothing_to_share():
    named = Call("set", "name", (Ref(0), Const(1)))
    removed = Call("operator", "del[]", (Ref(0), Const(1)))
    parent = run(1, before=(Call("function", "m:C"), named, removed))
    shared = last_args(varied(ShareObjects(), parent, materials(Parameter("other"))))
    assert (Ref(0),) in shared
    assert not any("index=1" in repr(args) or "index=2" in repr(args) for args in shared)


def test_literals_are_atoms_in_containers():
    assert is_literal(dict_of(a=Display("list", (Const(1),))))
    assert not is_literal(Display("list", (Ref(0),)))
    assert ANY.name == "any"


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan"), 1e308])
def test_floats_that_are_no_numbers_or_vast_have_no_neighbours(value):
    materials = Materials("", (), (), (), (), lambda _: (), lambda _at, _number: None)
    assert change(Const(value), (), materials, Random(1)) is None


ERROR = Build(Symbol("builtins", "OSError"), (Const("message"),))


@pytest.mark.parametrize(
    ("target", "name", "before", "arg", "expected"),
    [
        ("m.fetch", "fetch", (), Const(1), [("m.fetch", refusing(ERROR))]),
        ("", "fetch", (), Const(1), []),
        (
            "m.fetch",
            "fetch",
            (Call("arrange", "setattr", (Const("m.fetch"), recording(Const(1)))),),
            Const(1),
            [("m.fetch", refusing(ERROR))],
        ),
    ],
)
def test_a_replaced_function_raises_what_is_caught_around_its_call(
    target, name, before, arg, expected
):
    with_ = materials(errors=((target, name, ERROR),))
    made = ReplaceCalls().vary(run(arg, before=before), with_, rng())
    arranged = [one for one in made.calls if one.kind == "arrange"] if made is not None else []
    assert [(one.args[0].value, one.args[1]) for one in arranged] == expected


def test_a_function_of_a_stand_in_raises_what_is_caught_around_its_call():
    stand_in = Build(NAMESPACE, (), (("send", returning(Const(1))), ("size", Const(2))))
    with_ = materials(errors=(("", "send", ERROR), ("", "other", ERROR)))
    made = ReplaceCalls().vary(run(stand_in), with_, rng())
    assert made.calls[-1].args[0].kwargs == (("send", refusing(ERROR)), ("size", Const(2)))
    assert ReplaceCalls().vary(run(stand_in), materials(), rng()) is None


def test_a_function_that_a_returned_function_is_given_raises():
    route = Call("function", "m:route")
    register = Call("operator", "call", (Ref(0), Source("lambda x: x")))
    with_ = materials(errors=(("", "handler", ERROR),))
    made = ReplaceCalls().vary(run(1, before=(route, register)), with_, rng())
    assert [one.args for one in made.calls] == [(), (Ref(0), refusing(ERROR)), (Const(1),)]


def test_an_argument_of_no_type_becomes_a_stand_in_whose_function_raises():
    free = Parameter("client")
    with_ = materials(free, errors=(("", "send", ERROR),))
    made = ReplaceCalls().vary(run(dict_of(send=1)), with_, rng())
    assert made.calls[-1].args == (Build(NAMESPACE, (), (("send", refusing(ERROR)),)),)


def test_a_function_that_reaches_out_answers_instead():
    typed = TypeExpr("int")
    with_ = materials(Parameter("count", type=typed), outside=("m.fetch",))
    made = [ReplaceCalls().vary(run(1), with_, Random(seed)) for seed in range(20)]
    answers = {result_of(one.calls[0].args[1]) for one in made}
    assert answers == {EMPTY, Const("a"), Const(None)}
    assert {one.calls[1:] for one in made} == {run(1).sequence.calls}


def test_functions_whose_exceptions_are_swallowed_answer_together_what_the_code_asks_of_them():
    source = "def f():\n    begin()\n    return count_colours() > 0"
    with_ = materials(
        errors=(("m.begin", "begin", ERROR), ("m.count_colours", "count_colours", ERROR)),
        answers=AnswerShapes(answer_uses(ast.parse(source))),
    )
    made = {
        tuple((call.args[0].value, result_of(call.args[1])) for call in one.calls[:-1])
        for one in (ReplaceCalls().vary(run(1), with_, Random(seed)) for seed in range(30))
    }
    assert made == {
        (("m.count_colours", Const(0)),), (("m.begin", None),), (("m.count_colours", None),),
        (("m.count_colours", Const(0)), ("m.begin", EMPTY)),
    }  # fmt: skip


def test_what_others_did_comes_before_a_call_of_a_function():
    job = (Call("function", "m:every", (Const(2),)), Call("method", "do", (Ref(0), Const("a"))))
    long = (Call("function", "m:every"),) * MAX_CALLS
    arranging = (Call("arrange", "setenv", (Const("A"), Const("b"))), job[0])
    with_ = materials(
        others=lambda: [
            Execution("m:Job.do", Sequence(calls), None, "", (), (), (), ())
            for calls in (job, long, arranging)
        ]
    )
    kind, parent = CallOthersFirst(), run(Ref(0), before=(Call("function", "m:jobs"),))
    (made,) = varied(kind, parent, with_, 5)
    assert made.calls == (*job, Call("function", "m:jobs"), Call("function", "m:f", (Ref(2),)))
    assert varied(kind, parent, materials(), 5) == []


def test_a_key_stays_one_that_can_be_hashed():
    table = Display("dict", (Const("a"), Const(1)))
    sequence = Sequence((Call("function", "m:f", (table, Display("set", (Const("b"),)))),))
    new = [put(Display("list", ())) for arg, put in places(sequence) if isinstance(arg, Const)]
    changed = [one.calls[0].args for one in new if one != sequence]
    assert changed == [
        (Display("dict", (Const("a"), Display("list", ()))), Display("set", (Const("b"),)))
    ]


def test_an_object_is_made_as_others_were_each_only_once():
    plain = Call("function", "m:Shop", (Display("dict", ()),))
    filled = Call("function", "m:Shop", (dict_of(a=1),))
    parent = run(Ref(0), before=(plain,))
    known = materials(makings=lambda name: (plain, filled) if name == "m:Shop" else ())
    assert [one.calls[0] for one in varied(ExchangeReceivers(), parent, known)] == [filled]


def test_the_last_call_is_made_on_other_known_objects_with_what_it_was_given():
    made, item = Call("function", "m:Shop"), Call("function", "m:Item", (Const(1),))
    calls = (made, item, Call("method", "buy", (Ref(0), Ref(1))))
    parent = Execution("m:Shop.buy", Sequence(calls), None, "", (), (), (), ())
    opened = Sequence((made, Call("method", "open", (Ref(0),))))
    known = materials(receivers=lambda: [ObjectHistory(opened, 0)])
    assert [one.calls for one in varied(ExchangeReceivers(), parent, known)] == [
        (item, made, Call("method", "open", (Ref(1),)), Call("method", "buy", (Ref(1), Ref(0))))
    ]


def test_objects_that_came_with_a_goal_are_tried_before_others():
    made = Call("function", "m:Shop")
    calls = (made, Call("method", "buy", (Ref(0),)))
    parent = Execution("m:Shop.buy", Sequence(calls), None, "", (), (), (), ())
    ways = [Sequence((made, Call("method", name, (Ref(0),)))) for name in "abcdef"]
    known = [ObjectHistory(way, 0, is_telling=way is ways[4]) for way in ways]
    kind, drawn = ExchangeReceivers(), rng()
    found = [kind.vary(parent, materials(receivers=lambda: known), drawn) for _ in known]
    assert next(one.calls[1].name for one in found) == "e"
    assert {one.calls[1].name for one in found} == set("abcdef")


def test_an_attribute_is_stored_again_before_the_last_call_is_repeated():
    made = Call("function", "m:Shop")
    store, look = Call("set", "items", (Ref(0), dict_of(a=1))), Call("method", "new", (Ref(0),))
    parent = Execution("m:Shop.new", Sequence((made, store, look)), None, "", (), (), (), ())
    other = dataclasses.replace(store, args=(Ref(0), Const("text")))
    donor = Execution("m:Shop.new", Sequence((made, other, look)), None, "", (), (), (), ())
    found = varied(StoreAgain(), parent, materials(donors=(donor,)))
    assert all(one.calls[:3] == parent.sequence.calls and one.calls[4] == look for one in found)
    stored = [one.calls[3].args[1] for one in found]
    assert sorted(map(repr, stored)) == sorted(
        map(repr, (dict_of(), dict_of(a="other"), Const("text")))
    )
    apart = (made, store, made, made, Call("method", "new", (Ref(3),)))
    assert (
        varied(StoreAgain(), dataclasses.replace(parent, sequence=Sequence(apart)), materials())
        == []
    )


def test_a_part_is_taken_from_another_run_where_it_serves_the_same():
    made = Call("function", "m:Shop", (Const("x"),))
    replaced = Call("arrange", "setattr", (Const("m.Shop.load"), recording(Const("page"))))
    parent = run(Ref(1), 1, before=(replaced, made))
    other = Call("arrange", "setattr", (Const("m.Shop.load"), recording(Const("other"))))
    elsewhere = Call("arrange", "setattr", (Const("m.Shop.save"), recording(Const("never"))))
    donor = run(Ref(1), 2, before=(other, Call("function", "m:Shop", (Const("y"),)), elsewhere))
    uses = answer_uses(ast.parse("class Shop:\n  def f(self):\n    return self.load()['key']"))
    known = materials(donors=(parent, donor), answers=AnswerShapes(uses))
    found = varied(TakeParts(), parent, known)
    assert {one.calls for one in found} == {
        (other, *parent.sequence.calls[1:]),
        (replaced, Call("function", "m:Shop", (Const("y"),)), parent.sequence.calls[2]),
        (replaced, made, Call("function", "m:f", (Ref(1), Const(2)))),
        (replaced_with(dict_of(key="abc")), made, parent.sequence.calls[2]),
    }


def replaced_with(answer):
    return Call("arrange", "setattr", (Const("m.Shop.load"), recording(answer)))


def test_an_argument_has_what_hasattr_asks_for():
    uses = {"render": AttributeUse(is_called=True, is_read=False, asked=frozenset())}
    found = varied(GiveAttributes(), run("a"), materials(asked=("render",), uses=uses))
    given = {args[0] for args in last_args(found)}
    assert Build(NAMESPACE, (), (("render", returning(Const("a"))),)) in given
    assert all(isinstance(one, Build) and dict(one.kwargs).keys() == {"render"} for one in given)


def test_a_stand_in_keeps_what_it_has_when_an_attribute_is_asked_for():
    parent = run(Build(NAMESPACE, (), (("name", Const("b")),)))
    found = varied(GiveAttributes(), parent, materials(asked=("size",)))
    whole = [dict(args[0].kwargs) for args in last_args(found) if args[0].kwargs[0][0] == "name"]
    assert any(one.keys() == {"name", "size"} for one in whole)


def test_options_that_the_line_names_are_varied_more_often():
    names = [f"option{number}" for number in range(10)]
    options = [Parameter(name, required=False, default=Const(0)) for name in names]
    near = materials(*options, names=frozenset({"option7", "option8"}))
    both = [
        one for one in varied(VaryOptions(), run(), near)
        if {"option7", "option8"} <= dict(one.calls[-1].kwargs).keys()
    ]  # fmt: skip
    assert len(both) > 15


def test_a_function_stands_where_callable_asks_for_one():
    found = varied(GiveAttributes(), run("a"), materials(asked=("()",)))
    assert returning(Const(value=True)) in {args[0] for args in last_args(found)}


TIMER = Parameter("timer", required=False, default=Symbol("time", "monotonic"))


def times_of(sequences):
    return {one.calls[-2].args[1].value for one in sequences}


@pytest.mark.parametrize(
    ("made", "first"),
    [
        (Call("function", "m:Cache"), 0),
        (Call("function", "m:Cache", (Source("lambda: 2.5"),)), 0),
        (Call("function", "m:Cache", (), (("timer", Source("lambda: 7")),)), 7),
    ],
)
def test_a_clock_of_the_test_says_a_later_time_before_the_last_call(made, first):
    parent = run(Ref(0), before=(made,))
    found = varied(PassTime(), parent, materials(TIMER))
    assert {one.calls[0].name for one in found} == {"itself"}
    assert [one.calls[0].args for one in found] == [(recording(Const(first)),)] * len(STEPS)
    assert all(Ref(0) in (*one.calls[1].args, *dict(one.calls[1].kwargs).values()) for one in found)
    assert {one.calls[2] for one in found} == {
        Call("set", "return_value", (Ref(0), Const(first + step))) for step in STEPS
    }
    again = varied(PassTime(), dataclasses.replace(parent, sequence=found[0]), materials())
    assert min(times_of(again)) > min(times_of(found))


def test_the_clock_that_a_module_asks_says_a_later_time():
    parent = run(Ref(0), before=(Call("function", "m:Limit"),))
    found = varied(PassTime(), parent, materials(clocks=("m.time.time", "m.datetime.now")))
    assert {one.calls[0].args for one in found} == {(Const("m.time.time"), Source("lambda: 0"))}
    assert {one.calls[2].args[1] for one in found} == {Source(f"lambda: {step}") for step in STEPS}
    (first, *_) = varied(PassTime(), dataclasses.replace(parent, sequence=found[0]), materials())
    assert [call.kind for call in first.calls].count("arrange") == len(first.calls) - 2


def test_no_time_passes_where_nothing_is_a_clock():
    parent = run(Ref(0), before=(Call("function", "m:Cache", (Source("lambda: 'a'"),)),))
    assert varied(PassTime(), parent, materials(STRICT)) == []


def test_a_variable_of_the_module_gets_each_of_its_values_once():
    flags = (("m.HAS_YAML", (Const(value=False), Const(value=True))),)
    found = varied(SetFlags(), run("ab"), materials(flags=flags))
    assert sorted(one.key for one in found) == sorted(
        Sequence(
            (Call("arrange", "setattr", (Const("m.HAS_YAML"), value)), *run("ab").sequence.calls)
        ).key
        for value in (Const(value=False), Const(value=True))
    )
    parent = dataclasses.replace(run(1), sequence=found[0])
    again = varied(SetFlags(), parent, materials(flags=flags))
    assert {tuple(call.kind for call in one.calls) for one in again} == {("arrange", "function")}


def test_flags_are_what_functions_ask_for_and_the_module_holds():
    tree = ast.parse(
        """
import json
from pathlib import Path
from shop import settings
try:
    import yaml
except ImportError:
    yaml = None
DEBUG = bool(json.loads("0"))

def load(text, strict):
    if yaml is None or not strict:
        return json.loads(text)
    if settings.quiet and Path:
        return None
    DEBUG = text
    return 1 if DEBUG else 2

def trace(text):
    while not DEBUG:
        assert settings.level == 3
        assert load(text)
"""
    )
    truths = (Const(value=False), Const(value=True), Const("abc"))
    assert module_flags(tree) == {
        14: (("settings.quiet", truths),),
        20: (("DEBUG", truths),),
        21: (("settings.level", (Const(3), Const(None))),),
    }
