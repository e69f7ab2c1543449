"""Stand-ins: what a run missed, its argument has in the next run."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.explore.execution import Execution, RunFailure
from unitcraft.explore.search.variation.grow_stand_ins import (
    CALLED,
    EMPTY,
    NAMESPACE,
    alternatives,
    grow,
    is_ended,
    missed_by,
    stand_in,
)
from unitcraft.explore.search.variation.miss_messages import miss_of
from unitcraft.explore.search.variation.places import (
    lines_of,
    made_in_order,
    places,
    reading,
    refusing,
    result_of,
    returning,
)
from unitcraft.subject.reading.replaceable_calls import AttributeUse

TWO = Display("tuple", (Const("a"), Const("b")))


def run(arg, error="builtins:AttributeError", message="", **failure):
    sequence = Sequence((Call("function", "m:f", (arg,)),))
    failed = RunFailure(0, error, message, 2, 1, "m", **failure) if message else None
    return Execution("m:f", sequence, failed, "", (), (), (), ())


def only_args(variants):
    return [variant.calls[0].args[0] for variant in variants]


def test_a_missing_attribute_is_added_with_one_value_of_each_kind():
    made = only_args(
        grow(run(EMPTY, message="'types.SimpleNamespace' object has no attribute 'x'"))
    )
    assert {type(dict(one.kwargs)["x"]) for one in made} == {Source, Const, Display, Build}
    assert all(one.callee == NAMESPACE for one in made)


EXIT = Symbol("builtins", "SystemExit")


def test_what_never_returns_where_it_is_real_raises_in_a_stand_in_too():
    missing = run(EMPTY, message="'types.SimpleNamespace' object has no attribute 'fail'")
    use = AttributeUse(is_called=True, is_read=False, asked=frozenset(), raises=EXIT)
    assert only_args(grow(missing, uses={"fail": use})) == [
        Build(NAMESPACE, (), (("fail", refusing(EXIT)),))
    ]


@pytest.mark.parametrize(
    ("error", "behind", "expected"),
    [
        ("builtins:SystemExit", None, True),
        ("builtins:SystemExit", ("builtins:OSError", "gone", None), True),
        ("builtins:SystemExit", ("builtins:AttributeError", "no x", None), False),
        ("builtins:SystemExit", ("builtins:ValueError", "too many", None), False),
        ("builtins:OSError", None, False),
    ],
)
def test_a_run_ends_by_what_a_stand_in_raises_unless_that_hides_a_misfit(error, behind, expected):
    ended = run(Build(NAMESPACE, (), (("fail", refusing(EXIT)),)), error, "1", behind=behind)
    assert is_ended(ended.failed, ended) is expected
    assert not is_ended(ended.failed, run(EMPTY, error, "1"))


@pytest.mark.parametrize(
    ("use", "kinds"),
    [((True, False), {Source}), ((False, True), {Const, Display, Build}), ((True, True), None)],
)
def test_what_the_code_calls_is_a_function_and_what_it_reads_is_none(use, kinds):
    missing = run(EMPTY, message="'types.SimpleNamespace' object has no attribute 'x'")
    made = only_args(grow(missing, uses={"x": AttributeUse(*use, frozenset())}))
    everything = {Source, Const, Display, Build}
    assert {type(dict(one.kwargs)["x"]) for one in made} == (kinds or everything)


@pytest.mark.parametrize(
    ("asked", "first"),
    [({"get", "copy"}, Display("dict", ())), ({"append"}, Display("list", (Const("a"),))),
     ({"tmpdir"}, EMPTY)],
)  # fmt: skip
def test_first_comes_a_value_that_has_all_that_is_asked_of_the_attribute(asked, first):
    missing = run(EMPTY, message="'types.SimpleNamespace' object has no attribute 'x'")
    uses = {"x": AttributeUse(is_called=False, is_read=True, asked=frozenset(asked))}
    assert dict(only_args(grow(missing, uses=uses))[0].kwargs)["x"] == first


def test_only_the_stand_in_that_missed_the_attribute_is_given_it():
    text = "'types.SimpleNamespace' object has no attribute 'x'"
    inner = Build(NAMESPACE, (), (("y", EMPTY),))
    calls = (Call("function", "m:f", (Display("list", (EMPTY, Const(1))), inner)),)
    failed = RunFailure(0, "builtins:AttributeError", text, 2, 1, "m", owner=2)
    found = grow(Execution("m:f", Sequence(calls), failed, "", (), (), (), ()))
    given = {repr(one.calls[0].args[1].kwargs[0][1].kwargs[0][0]) for one in found}
    assert given == {"'x'"}
    assert all(one.calls[0].args[0] == calls[0].args[0] for one in found)
    first = calls[0].args[0]
    assert [place for place, _ in made_in_order(Sequence(calls))] == [EMPTY, first, EMPTY, inner]


def test_only_the_atom_that_missed_the_attribute_becomes_a_stand_in():
    text = "'str' object has no attribute 'x'"
    calls = (Call("function", "m:f", (Const("a"), Const("b"))),)
    failed = RunFailure(0, "builtins:AttributeError", text, 2, 1, "m", owner=("b",))
    found = stand_in(Execution("m:f", Sequence(calls), failed, "", (), (), (), ()), lambda *_: True)
    assert found
    assert all(one.calls[0].args[0] == Const("a") for one in found)


def test_a_text_whose_letters_lack_something_becomes_a_list():
    letters = {"owner": ("a",)}
    inside = Display("dict", (Const("files"), Const("abc")))
    looked_up = run(inside, message="'str' object has no attribute 'get'", **letters)
    listed = Display("list", (Display("dict", ()),))
    assert Display("dict", (Const("files"), listed)) in only_args(grow(looked_up))
    lacking = run(Const("a"), message="'str' object has no attribute 'x'", **letters)
    found = only_args(stand_in(lacking, lambda *_: True))
    assert {arg.kind for arg in found if isinstance(arg, Display)} == {"list"}
    whole = run(Const("ab"), message="'str' object has no attribute 'get'", owner=("ab",))
    assert not any(isinstance(arg, Display) and arg.items for arg in only_args(grow(whole)))


def test_what_was_missed_behind_a_failing_handler_is_given_first():
    text = "'types.SimpleNamespace' object has no attribute '{}'"
    behind = ("builtins:AttributeError", text.format("run"), None)
    missing = run(EMPTY, message=text.format("fail"), behind=behind)
    names = [one.kwargs[0][0] for one in only_args(grow(missing))]
    assert names == ["run"] * (len(names) // 2) + ["fail"] * (len(names) // 2)
    assert missed_by(missing) == f"{text.format('fail')} {text.format('run')}"


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (Const("a"), "TypeError", "string indices must be integers, not 'str'"),
        (Display("list", ()), "TypeError", "list indices must be integers or slices, not str"),
        (Const(None), "TypeError", "'NoneType' object is not subscriptable"),
        (Const(1), "AttributeError", "'int' object has no attribute 'get'"),
    ],
)
def test_what_a_name_is_looked_up_in_becomes_a_mapping(value, error, message):
    inside = Display("dict", (Const("media"), value))
    made = only_args(grow(run(inside, f"builtins:{error}", message)))
    assert Display("dict", (Const("media"), Display("dict", ()))) in made
    assert Display("dict", ()) not in made


@pytest.mark.parametrize(
    ("value", "kind"),
    [(Const(3), "int"), (Display("list", ()), "list"), (EMPTY, "SimpleNamespace")],
)
def test_a_value_that_was_called_becomes_a_function(value, kind):
    rules = Display("dict", (Const("a"), value))
    of = "types." * (kind == "SimpleNamespace")
    message = f"'{of}{kind}' object is not callable"
    made = only_args(grow(run(rules, "builtins:TypeError", message)))
    assert [result_of(one.items[1]) for one in made] == [Const(value=True)]
    assert all(one.items[0] == Const("a") for one in made)


def test_an_attribute_is_not_added_twice_and_special_names_never():
    has = Build(NAMESPACE, (), (("x", Const(1)),))
    text = "'types.SimpleNamespace' object has no attribute '{}'"
    assert grow(run(has, message=text.format("x"))) == []
    assert grow(run(has, message=text.format("__len__"))) == []


def test_a_missing_key_is_added_to_each_dictionary_at_any_depth():
    inner = Display("dict", (Const("k"), Const(1)))
    arg = Build(NAMESPACE, (), (("params", inner),))
    made = only_args(grow(run(arg, "builtins:KeyError", "'verbose'")))
    assert all(dict(one.kwargs)["params"].items[:3:2] == (Const("k"), Const("verbose"))
               for one in made)  # fmt: skip
    assert grow(run(arg, "builtins:KeyError", "'k'")) == []
    assert grow(run(arg, "builtins:KeyError", "not a ( literal")) == []


@pytest.mark.parametrize(
    ("result", "message", "expected"),
    [
        (Const(None), "cannot unpack non-iterable NoneType object", returning(TWO)),
        (Const(None), "'NoneType' object has no attribute 'strip'", returning(Const("a"))),
        (TWO, "not enough values to unpack (expected 3, got 2)",
         returning(Display("tuple", (Const(0), Const("b"), Const("c"))))),
        (Const("a"), "not enough values to unpack (expected 2, got 1)", returning(TWO)),
        (Const(1), "cannot unpack non-iterable int object", returning(TWO)),
        (Const(None), "'function' object is not subscriptable",
         Display("dict", (Const("a"), Const(1)))),
    ],
)  # fmt: skip
def test_a_result_of_the_wrong_kind_is_replaced(result, message, expected):
    made = only_args(grow(run(returning(result), "builtins:TypeError", message)))
    assert expected in made
    assert returning(result) not in made


def test_a_run_that_missed_nothing_has_no_variants():
    assert grow(run(EMPTY)) == []
    assert grow(run(Const(1), message="'int' object has no attribute 'x'")) == []


def test_lines_that_a_function_reads_are_places():
    reader = reading(Display("list", (Const("a\n"), Const(""))))
    assert reader == Source("iter(['a\\n', '']).__next__")
    found = list(places(run(reader).sequence))
    assert [arg for arg, _ in found][1:] == [lines_of(reader), Const("a\n"), Const("")]
    assert found[2][1](Const("b")).calls[0].args == (
        reading(Display("list", (Const("b"), Const("")))),
    )
    assert found[2][1](EMPTY).calls[0].args == (reader,)  # an object is no line of a literal
    assert lines_of(Source("iter([x]).__next__")) is None
    assert lines_of(Source("iter([1] * 2 +).__next__")) is None


def test_other_results_are_of_other_kinds():
    kinds = {type(result_of(arg)) for arg in only_args(alternatives(run(returning(Const("b")))))}
    texts = [result_of(arg) for arg in only_args(alternatives(run(returning(Const("b")))))]
    assert kinds == {Const, Display}
    assert not any(isinstance(one, Const) and isinstance(one.value, str) for one in texts)


@pytest.mark.parametrize(
    "result",
    [Const(None), Const("it's"), TWO, Display("list", ()), Display("tuple", (Const(1),)),
     Display("dict", (Const("a"), Display("list", (Const(1.5),))))],
)  # fmt: skip
def test_functions_of_any_arguments_are_read_back(result):
    made = returning(result)
    assert result_of(made) == result
    assert eval(made.text)(1, 2, key=3) == eval(made.text)()


def test_other_sources_have_no_result():
    assert result_of(Source("lambda x: x")) is None
    assert result_of(Const(1)) is None


def test_putting_into_a_place_changes_nothing_else():
    build = Build(NAMESPACE, (Const(0),), (("f", returning(TWO)), ("g", Const(2))))
    sequence = Sequence(
        (Call("function", "m:C", (build,), (("key", Display("list", (Const(3),))),)),
         Call("method", "go", (Const(4),)))
    )  # fmt: skip
    found = [arg for arg, _ in places(sequence)]
    assert found[0] == Const(4)
    assert {Const("a"), Const("b"), Const(0), Const(2), Const(3), TWO} <= set(found)
    for arg, put in places(sequence):
        assert put(arg) == sequence


def test_an_argument_without_a_type_that_lacks_an_attribute_becomes_a_stand_in():
    one = run(Const(3), message="'int' object has no attribute 'run'")
    made = only_args(stand_in(one, lambda call, index: (call.name, index) == ("m:f", 0)))
    assert {kwargs[0][0] for kwargs in (arg.kwargs for arg in made)} == {"run"}
    assert stand_in(one, lambda *_: False) == []
    assert (
        stand_in(run(Const("a"), message="'int' object has no attribute 'run'"), lambda *_: True)
        == []
    )


def test_parsed_options_grow_as_stand_ins_do():
    options = Build(Symbol("argparse", "Namespace"), (), (("debug", Const(value=True)),))
    made = only_args(grow(run(options, message="'Namespace' object has no attribute 'prettify'")))
    assert made
    for one in made:
        assert (one.callee, one.kwargs[0]) == (options.callee, options.kwargs[0])
        assert [name for name, _ in one.kwargs] == ["debug", "prettify"]


def test_what_was_missed_is_an_attribute_or_the_message():
    assert missed_by(run(Const(3), message="'int' object has no attribute 'run'")) == "run"
    lacking = "'types.SimpleNamespace' object has no attribute 'run'"
    assert missed_by(run(EMPTY, message=lacking)) == lacking  # other objects there do not count
    assert missed_by(run(Const(3), "builtins:KeyError", "'k'")) == "'k'"
    assert missed_by(run(Const(3))) is None


def test_a_missing_key_becomes_a_keyword_of_calls_that_take_any():
    failed = run(Const(1), "builtins:KeyError", "'mode'")
    assert grow(failed) == []
    assert {one.calls[0].kwargs[0][0] for one in grow(failed, [0])} == {"mode"}
    assert grow(run(Const(1), "builtins:KeyError", "'True'"), [0]) == []


def test_a_parser_that_failed_gets_a_document():
    made = only_args(grow(run(Const("abc"), "json.decoder:JSONDecodeError", "Expecting value")))
    assert Const("{}") in made


@pytest.mark.parametrize(
    "message",
    ["a bytes-like object is required, not 'str'", "string argument expected, got 'bytes'",
     "startswith first arg must be str or a tuple of str, not bytes", "can't concat str to bytes"],
)  # fmt: skip
def test_a_stream_of_text_whose_reader_wants_bytes_becomes_one_of_bytes(message):
    stream = Build(Symbol("io", "StringIO"), (Const("a"),))
    (made,) = only_args(grow(run(stream, "builtins:TypeError", message)))
    assert made.callee == Symbol("io", "BytesIO")
    assert grow(run(Const("a"), "builtins:TypeError", message)) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Build(Symbol("datetime", "timedelta")), "'datetime.timedelta' object is not callable"),
        (Const(1), "'int' object is not callable"),
        (Source("lambda x, y: x"), "<lambda>() missing 1 required positional argument: 'y'"),
        (Source("lambda x: x"), "<lambda>() takes 1 positional argument but 2 were given"),
    ],
)
def test_what_cannot_be_called_that_way_becomes_a_function_of_any_arguments(given, message):
    assert only_args(grow(run(given, "builtins:TypeError", message))) == [CALLED]


def test_an_object_of_the_subject_that_is_called_becomes_a_function():
    calls = (
        Call("function", "m:Cache", (Const(2),)),
        Call("function", "m:f", (Ref(0), Const(1))),
    )
    failed = RunFailure(1, "builtins:TypeError", "'Cache' object is not callable", 2, 1, "m")
    found = grow(Execution("m:f", Sequence(calls), failed, "", (), (), (), ()))
    assert [one.calls[1].args for one in found] == [(CALLED, Const(1))]


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("'bool' object is not subscriptable", Display("dict", ())),
        ("'int' object does not support the context manager protocol",
         Build(Symbol("contextlib", "nullcontext"), (EMPTY,))),
    ],
)  # fmt: skip
@pytest.mark.parametrize("given", [Symbol("builtins", "bool"), Source("lambda x: x + 1")])
def test_what_a_function_answered_may_be_what_lacked_something(given, message, answer):
    made = only_args(grow(run(given, "builtins:TypeError", message)))
    assert list(map(result_of, made)) == [answer]


def test_a_message_that_tells_nothing_leads_to_nothing():
    assert not miss_of("builtins:TypeError", "unsupported operand type(s) for +").is_told()
    assert miss_of("json.decoder:JSONDecodeError", "Expecting value").is_told()
    assert miss_of("builtins:KeyError", "'a'").key == Const("a")
    assert miss_of("builtins:LookupError", "'a'").key is None
