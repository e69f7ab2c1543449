"""Answers of stand-ins are what the names of functions and of unpacked items say."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from unitcraft.core.call_text import arg_text
from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Sequence, Source, Symbol
from unitcraft.explore.search.surroundings.answer_kinds import burden_of_answers, kind_of_getter
from unitcraft.explore.search.variation.places import (
    Answers,
    answering,
    answers_of,
    recording,
    result_of,
    returning,
)
from unitcraft.subject.ducktypes.result_uses import UnpackedItem, result_uses
from unitcraft.suite.telling.stand_ins.keyed_answers import (
    MAX_WINDOW,
    bound_lookups,
    fewer_answers,
    keyed_answers,
)
from unitcraft.suite.telling.stand_ins.plain_answers import plainer_answers
from unitcraft.suite.telling.stand_ins.real_collaborators import real_collaborators

CODE = """
def collect(module):
    rc, out, err = module.run_command("ps")
    if rc == 0:
        return out.strip()
    size, *rest = module.sizes()
    if module.begun() and not module.ended():
        return module.ended() or module.value()
    return [one for one in rest if one.kept()]
"""
USES = result_uses(ast.parse(CODE))


def calling(name: str, function: Arg) -> Sequence:
    held = Build(Symbol("types", "SimpleNamespace"), (), ((name, function),))
    return Sequence((Call("function", "m:collect", (held,)),))


def answers(name: str, function: Arg) -> list[Arg]:
    variants = plainer_answers(calling(name, function), USES)
    given = [one.calls[0].args[0] for one in variants]
    return [result_of(one.kwargs[0][1]) for one in given]


def triple(*items: str | int) -> Display:
    return Display("tuple", tuple(map(Const, items)))


def test_an_attribute_for_which_any_empty_value_will_do_is_a_list():
    held = Build(
        Symbol("types", "SimpleNamespace"), (), (("tags", Display("dict", ())), ("name", Const("")))
    )
    (found,) = plainer_answers(Sequence((Call("function", "m:collect", (held,)),)), USES)
    assert found.calls[0].args[0].kwargs == (("tags", Display("list", ())), ("name", Const("")))


@pytest.mark.parametrize("status", [Const("x"), Display("dict", ()), Const(None)])
def test_what_is_compared_with_a_number_is_one_of_success_or_of_failure(status):
    found = answers("run_command", returning(Display("tuple", (status, Const("x"), Const("y")))))
    assert found == [triple(0, "x", "y"), triple(1, "x", "y"), triple(-1, "x", "y")]


def test_where_a_name_means_a_text_no_container_stays():
    items = (Const(1), Display("list", (Const(0),)), Display("dict", ()))
    found = answers("run_command", returning(Display("tuple", items)))
    assert found[0] == triple(0, "out", "err")
    assert Display("tuple", (Const(1), Const("out"), items[2])) in found


@pytest.mark.parametrize(
    ("held", "expected"),
    [(Const("a"), [Const(0), Const(1)]), (Const(2), []), (Source("lambda: 1"), [])],
)
def test_an_attribute_that_is_compared_with_a_number_is_one(held, expected):
    code = "def send(done):\n    return done.returncode != 0 and done.ready == True\n"
    uses = result_uses(ast.parse(code))
    assert uses.numbers == {"returncode"}
    space = Build(
        Symbol("types", "SimpleNamespace"), (), (("ready", Const(1)), ("returncode", held))
    )
    variants = plainer_answers(Sequence((Call("function", "m:send", (space,)),)), uses)
    assert [dict(one.calls[0].args[0].kwargs)["returncode"] for one in variants] == expected


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (("eager", Display("list", ())), Const(value=False)),
        (("eager", Const("x")), Const(value=True)),
        (("eager", returning(Const(1))), Const(value=True)),
        (
            ("args", Display("dict", (Const(0), Const(3)))),
            Display("dict", (Const("key"), Const(3))),
        ),
    ],
)
def test_a_switch_is_true_or_false_and_a_key_is_a_text(held, expected):
    code = "def run(task):\n    return None if task.eager and not task.idle() else task.args\n"
    uses = result_uses(ast.parse(code))
    assert uses.switches == {"eager"}
    space = Build(Symbol("types", "SimpleNamespace"), (), (held,))
    (found,) = plainer_answers(Sequence((Call("function", "m:run", (space,)),)), uses)
    assert found.calls[0].args[0].kwargs == ((held[0], expected),)


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (("params", Display("dict", (Const("abc"), Const(1)))), [Display("dict", ())]),
        (("params", Display("dict", (Const("quiet"), Const(1)))), []),
        (("params", Display("dict", ())), []),
        (("tags", Display("dict", (Const("abc"), Const(1)))), []),
    ],
)
def test_a_record_that_needs_no_entry_has_none(held, expected):
    uses = result_uses(ast.parse("def run(task): return [task.params, task.tags]"))
    space = Build(Symbol("types", "SimpleNamespace"), (), (held,))
    found = plainer_answers(Sequence((Call("function", "m:run", (space,)),)), uses)
    assert [dict(one.calls[0].args[0].kwargs)[held[0]] for one in found] == expected


def test_what_is_true_or_false_and_named_already_stays():
    kept = (("eager", Const(value=False)), ("args", Display("dict", (Const("a"), Const(1)))))
    uses = result_uses(ast.parse("def run(task): return [task.args] if task.eager else 0"))
    space = Build(Symbol("types", "SimpleNamespace"), (), kept)
    assert not list(plainer_answers(Sequence((Call("function", "m:run", (space,)),)), uses))


def test_names_and_comparisons_say_what_is_unpacked():
    items = [("rc", True), ("out", False), ("err", False)]
    expected = {"run_command": tuple([UnpackedItem(*pair) for pair in items])}
    assert expected == USES.unpacked


def test_a_status_is_a_number_even_where_nothing_compares_it():
    uses = result_uses(ast.parse("def f(run):\n    rc, text = run()\n    return text"))
    assert uses.unpacked["run"] == (UnpackedItem("rc", True), UnpackedItem("text", False))  # noqa: FBT003


def test_of_some_answers_only_the_truth_counts():
    assert {"begun", "kept"} == USES.flags


@pytest.mark.parametrize(
    ("name", "result", "expected"),
    [
        ("begun", Const("a"), [Const(value=True)]),
        ("begun", Display("dict", ()), [Const(value=False)]),
        ("begun", Const(value=True), []),
        ("value", Const("a"), []),
        ("value", Const(""), [Display("list", ())]),
        ("value", Display("dict", ()), [Display("list", ())]),
        ("get_name", Const(""), []),
    ],
)
def test_they_are_true_or_false(name, result, expected):
    assert answers(name, returning(result)) == expected


@pytest.mark.parametrize(
    ("name", "table", "default", "expected"),
    [
        ("get_bin_path", {"ps": True}, False, [({"ps": "abc"}, None)]),
        ("get_bin_path", {"ps": False}, True, [({"ps": None}, "abc")]),
        ("get_bin_path", {"ps": "x"}, None, []),
        ("get_bin_path", {"ps": 1}, False, []),
        ("begun", {"ps": True}, False, []),
    ],
)
def test_where_a_text_is_asked_for_none_is_yes_or_no(name, table, default, expected):
    def told(by_key, default):
        items = tuple([Const(part) for pair in by_key.items() for part in pair])
        return Answers(Display("dict", items), Const(default))

    variants = plainer_answers(calling(name, answering(told(table, default))), USES)
    found = [answers_of(one.calls[0].args[0].kwargs[0][1]) for one in variants]
    assert found == [told(*one) for one in expected]


@pytest.mark.parametrize("make", [returning, recording])
def test_letters_give_way_to_what_is_unpacked(make):
    found = answers("run_command", make(triple("a", "b", "c")))
    assert found == [
        triple(0, "out", "err"), triple(1, "out", "err"), triple(-1, "out", "err"),
        triple(0, "b", "c"), triple("a", "out", "c"), triple("a", "b", "err"),
        triple(1, "b", "c"), triple(-1, "b", "c"),
    ]  # fmt: skip


def test_what_a_path_needs_stays():
    assert answers("run_command", returning(triple("a", " 1 ", "c")))[0] == triple(0, " 1 ", "err")
    assert answers("run_command", returning(triple(1, "x", "y"))) == [triple(0, "x", "y")]
    assert answers("run_command", returning(triple(0, "x", "y"))) == []
    assert answers("run_command", returning(triple("a", "b"))) == []


def test_the_answers_of_several_functions_are_replaced_together_first():
    names = ("run_command", "get_bin_path")
    given = (returning(triple("a", "b", "c")), returning(Const(1)))
    held = Build(Symbol("types", "SimpleNamespace"), (), tuple(zip(names, given, strict=True)))
    sequence = Sequence((Call("function", "m:collect", (held,)),))
    first = next(plainer_answers(sequence, USES)).calls[0].args[0]
    assert [result_of(one) for _, one in first.kwargs] == [triple(0, "out", "err"), Const("abc")]


@pytest.mark.parametrize("result", [Const(1), Display("dict", ())])
def test_a_getter_of_a_path_answers_one_or_nothing(result):
    assert answers("get_bin_path", returning(result)) == [Const("abc"), Const(None)]
    assert Const("abc") not in answers("compute", returning(result))


@pytest.mark.parametrize(
    ("name", "kind"),
    [("get_bin_path", "str"), ("os.get_bin_path", "str"), ("find_size", "int"), ("path", ""),
     ("set_path", ""), ("get_rows", "")],
)  # fmt: skip
def test_a_getter_says_what_it_gets(name, kind):
    assert kind_of_getter(name) == kind


def test_an_answer_of_another_kind_costs_and_none_does_not():
    number, text, none = (
        burden_of_answers(calling("get_bin_path", returning(Const(value))))
        for value in (1, "abc", None)
    )
    assert number > text == none


def test_what_a_predicate_answers_is_true_or_false():
    found = answers("is_ready", returning(Display("dict", ())))
    assert found == [Const(value=False), Const(value=True)]
    assert answers("has_key", returning(Const(value=True))) == []


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("get", None, ["{}"]),
        ("get", "Linux", ["{'system': 'Linux'}"]),
        ("add", None, ["set()"]),
        ("append", None, ["[]"]),
        ("write", 3, ["StringIO()", "StringIO()", "BytesIO()", "BytesIO()"]),
        ("send", None, []),
    ],
)
def test_what_the_language_has_takes_the_place_of_a_stand_in(name, answer, expected):
    uses = result_uses(ast.parse("def collect(facts): return facts.get('system')"))
    found = real_collaborators(calling(name, recording(Const(answer))), uses)
    assert [arg_text(one.calls[0].args[0]) for one in found] == expected


def test_what_is_written_to_and_flushed_is_a_file():
    members = (("write", recording(Const(None))), ("flush", recording(Const(None))))
    for more, expected in ((), 4), ((("colour", Const(1)),), 0):
        held = Build(Symbol("types", "SimpleNamespace"), (), (*members, *more))
        sequence = Sequence((Call("function", "m:store", (held,)),))
        assert len(list(real_collaborators(sequence, USES))) == expected


def test_what_a_file_of_bytes_is_given_is_bytes():
    held = Build(Symbol("types", "SimpleNamespace"), (), (("write", recording(Const(None))),))
    sequence = Sequence((Call("function", "m:store", (held, Const("abc"))),))
    *_, last = real_collaborators(sequence, USES)
    assert last.calls[0].args == (Build(Symbol("io", "BytesIO")), Const(b"abc"))


HOST = """
def facts(module):
    if os.path.isdir("/proc/vz") or os.path.isdir("/proc/xen"):
        return "guest"
    for command in ("uname", "uptime"):
        print(module.run_command(command))
    return module.run_command("who")
"""


def asked(name: str, function: Arg) -> list[str]:
    variants = keyed_answers(calling(name, function), result_uses(ast.parse(HOST)))
    texts = [one.calls[0].args[0].kwargs[0][1].text for one in variants]
    return [text.partition(": ")[2].replace("'", '"') for text in texts]


def test_a_function_answers_few_of_the_texts_that_it_is_asked_for():
    assert asked("run_command", returning(Const("abc"))) == [
        "None",
        '{"uname": "abc"}.get(key)', '{"uptime": "abc"}.get(key)', '{"who": "abc"}.get(key)',
        '{"uname": "abc", "uptime": "abc"}.get(key)', '{"uname": "abc", "who": "abc"}.get(key)',
        '{"uptime": "abc", "who": "abc"}.get(key)',
        '{"uname": "abc", "uptime": "abc", "who": "abc"}.get(key)',
    ]  # fmt: skip


def test_what_has_no_answer_to_some_has_none_to_all_others():
    table = Display("dict", (Const("uname"), Const(value=False), Const("who"), Const("ann")))
    function = answering(Answers(table, Const("abc")))
    assert asked("run_command", function)[:3] == [
        "None", '{"who": "ann"}.get(key)', '{"uptime": "abc"}.get(key)',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "answer"),
    [("run_command", Const(None)), ("run_command", Display("list", ())), ("other", Const("a"))],
)
def test_what_answers_nothing_or_is_asked_for_nothing_stays(name, answer):
    assert asked(name, returning(answer)) == []


@pytest.mark.parametrize(
    ("target", "count"), [("m.os.path.isdir", 4), ("m.isdir", 4), ("m.Host.isdir", 0)]
)
def test_of_replaced_functions_those_that_get_no_object_do(target, count):
    calls = (Call("arrange", "setattr", (Const(target), recording(Const(value=True)))),)
    found = list(keyed_answers(Sequence(calls), result_uses(ast.parse(HOST))))
    assert len(found) == count
    for one in found[1:2]:
        (told,) = dict(one.calls[0].args[1].kwargs).values()
        assert told.text.endswith(": {'/proc/vz': True}.get(key, False)")


def test_of_many_questions_each_is_answered_alone_and_those_beside_each_other():
    source = "\n".join(f"    run_command('say {at}')" for at in range(12))
    uses = result_uses(ast.parse(f"def facts(run_command):\n{source}\n"))
    variants = keyed_answers(calling("run_command", returning(Const("abc"))), uses)
    tables = [answers_of(one.calls[0].args[0].kwargs[0][1]).by_key for one in variants]
    sizes = [len(table.items) // 2 for table in tables]
    assert sizes[:13] == [0, *[1] * 12]
    assert Counter(sizes[13:]) == {2: 11, 3: 10, 4: 5, 8: 2}
    assert all(size <= MAX_WINDOW for size in sizes)


def test_of_many_answers_fewer_will_do():
    table = [part for at in range(4) for part in (Const(f"say {at}"), Const("abc"))]
    function = answering(Answers(Display("dict", tuple(table)), Const(None)))
    found = list(fewer_answers(calling("run_command", function), USES))
    tables = [answers_of(one.calls[0].args[0].kwargs[0][1]).by_key for one in found]
    asked_for = ["".join(key.value[-1] for key in one.items[::2]) for one in tables]
    assert asked_for == ["01", "23", "123", "023", "013", "012"]
    assert list(fewer_answers(calling("run_command", returning(Const("abc"))), USES)) == []


def test_what_looks_its_argument_up_is_the_look_up_itself():
    function = answering(Answers(Display("dict", (Const("who"), Const("ann"))), Const(None)))
    (found,) = bound_lookups(calling("run_command", function), USES)
    assert found.calls[0].args[0].kwargs[0][1] == Source("{'who': 'ann'}.get")
    assert list(bound_lookups(calling("run_command", returning(Const("a"))), USES)) == []
    asked_for = result_uses(ast.parse(HOST))
    (found,) = bound_lookups(calling("run_command", returning(Const(None))), asked_for)
    assert found.calls[0].args[0].kwargs[0][1] == Source("{}.get")
    assert list(bound_lookups(calling("other", returning(Const(None))), USES)) == []


def test_what_stands_in_place_of_a_function_looks_up_by_itself_too():
    table = Display("dict", (Const("who"), Const("ann")))
    function = answering(Answers(table, Const(None), records=True))
    replaced = Sequence((Call("arrange", "setattr", (Const("m.ask"), function)),))
    (found,) = bound_lookups(replaced, USES)
    assert dict(found.calls[0].args[1].kwargs) == {"side_effect": Source("{'who': 'ann'}.get")}
    silent = recording(Const(None))
    unchanged = Sequence((Call("arrange", "setattr", (Const("m.ask"), silent)),))
    assert list(bound_lookups(unchanged, USES)) == []


def test_what_is_asked_one_question_answers_always():
    uses = result_uses(ast.parse("def main(module): return module.get_bin_path('getent', True)"))
    for answer in (Const("a"), Const(None)):
        sequence = calling("get_bin_path", returning(answer))
        assert [*keyed_answers(sequence, uses), *bound_lookups(sequence, uses)] == []


def test_what_stands_beside_bytes_answers_bytes():
    code = (
        "def run(one):\n    head = one.peek()[:1]\n    line = one.readline()\n"
        "    one.write(b'')\n    return head == b'a' or line.strip(b' ') or b'x' + one.tail(2)\n"
        "    return one.name() == 'a'\n"
    )
    uses = result_uses(ast.parse(code))
    assert uses.binary == {"readline", "tail"}
    held = Build(Symbol("types", "SimpleNamespace"), (), (("tail", returning(Const("a"))),))
    made = list(plainer_answers(Sequence((Call("function", "m:run", (held,)),)), uses))
    assert [result_of(one.calls[0].args[0].kwargs[0][1]) for one in made] == [Const(b"a")]
