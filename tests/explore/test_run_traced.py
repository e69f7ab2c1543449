"""The outcome, behaviour, sites, comparisons and objects of a traced run."""

from __future__ import annotations

import functools
import math
import sys
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from types import ModuleType

import click
import pytest
from click.testing import CliRunner

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.outcomes import Exhausted
from unitcraft.core.sequences import Call, Const, Ref, Sequence, Source, TempPath
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.answers import RunAnswer, TouchedObject
from unitcraft.explore.agents.run_calls import describe_raise, told_by_command
from unitcraft.explore.agents.run_traced import (
    MAX_RESULT_ITEMS,
    MAX_RESULT_TEXT,
    behaviour,
    check_size,
    describe_failure,
    heap_shape,
)
from unitcraft.explore.agents.search_agent import installed_folders
from unitcraft.state.heap.canonical import tokens

COUNTER = """
class Counter:
    def __init__(self, start: int = 0):
        if start < 0:
            raise ValueError(f"bad start {start}")
        self.value = start

    def add(self, amount):
        self.value += amount
        return self

    def pair(self):
        return [self.value, self.value]

def outer(value):
    return int(value)

def leave():
    raise SystemExit(3)

def abandon():
    raise BaseException("over")

def address():
    raise KeyError(object())
"""


class Own:
    pass


OWN = Own()
WRAPPED = functools.partial(max, 1)
WRAPPED.cache_clear = lambda: None


def FORGETTING():  # noqa: N802 - one of the values above
    pass


FORGETTING.forget = lambda shelf, deep=False: (shelf, deep)
FORGETTING.count = lambda: 1
FORGETTING.limit = 7


@pytest.mark.parametrize(
    ("value", "given", "expected"),
    [
        (None, [], "None"),
        (True, [1], "True"),
        (NotImplemented, [], "NotImplemented"),
        (-7, [], "int-1"),
        (0, [0], "int0"),
        (2.5, [], "float1"),
        (math.nan, [], "float?"),
        ("", [""], "str0"),
        ("a", ["b"], "str1"),
        ("abc", ["abc"], "str2="),
        ([1, 2, 3], [[1, 2, 3]], "list2="),
        ([1], [(1,)], "list1"),
        ({}, [], "dict0"),
        (OWN, [1, OWN], "same1"),
        (iter([1]), [], "iterator"),
        (enumerate([]), [], "iterator"),
        (WRAPPED, [], "function cache_clear"),
        (lambda: 1, [], "function"),
        (FORGETTING, [], "function count forget/1"),
    ],
)
def test_behaviour_is_kind_sign_or_size_and_identity(value, given, expected):
    assert behaviour(value, given) == expected


def test_items_that_cannot_be_compared_are_not_equal():
    class Narrow:
        def __eq__(self, other):
            return self.size == other.size

        __hash__ = None

    assert behaviour((Narrow(),), [(1,), (Narrow(),)]) == "tuple1"
    held = Narrow()
    assert behaviour([held], [[held]]) == "list1="


def test_behaviour_of_an_object_is_its_class():
    assert behaviour(Own(), [Own()]) == f"{__name__}:Own"


def test_a_decorator_that_answers_what_it_is_given_answers_an_argument(lab):
    one = lab("""
        def registered():
            def add(handler):
                return handler
            return add

        def wrapped():
            def add(handler):
                return lambda: handler
            return add
        """)
    function = Source("lambda x: x")
    outcomes = []
    for name in ("registered", "wrapped"):
        calls = Call("function", f"sample:{name}"), Call("operator", "call", (Ref(0), function))
        outcomes.append(one.runner.run(encode_sequence(Sequence(calls)))[1])
    assert outcomes == ["argument", "function"]


def test_a_return_names_its_call_and_the_new_state(lab):
    position, outcome, _, last, _, objects, *_ = lab(COUNTER).answer("c = Counter(2)\nc.add(3)")
    assert (position, outcome) == (-1, "same0")
    assert len(last) == 1
    assert [row[:2] for row in objects] == [(0, "sample:Counter"), (1, "sample:Counter")]
    assert objects[0][2] == objects[1][2]


@pytest.mark.parametrize(
    ("same", "other"),
    [
        ((1, 2), 0), ((1, 2), -1), (("a", "bc"), ""), ((1.5, 0.25), 0.0), ((-1.5, -2.5), 1.5),
        ((Decimal("1.5"), Decimal("2e3")), Decimal("0.00")), ((b"a", b"bc"), b""),
        ((True, True), False), ((None, None), 0),
        ((timedelta(1), timedelta(2)), timedelta(0)), (((1,), (2, 3)), ()),
        ((date(2020, 1, 1), date(2021, 1, 1)), datetime(2020, 1, 1, tzinfo=UTC)),
        ((Fraction(1, 2), Fraction(1, 3)), Decimal("0.5")),
    ],
)  # fmt: skip
def test_a_shape_tells_atoms_by_class_sign_and_emptiness(same, other):
    one, two, third = (heap_shape(tokens(([value],))) for value in (*same, other))
    assert one == two
    assert one != third


def test_digests_tell_states_apart_and_shapes_do_not(lab):
    one = lab(COUNTER)
    states = [one.answer(f"Counter({start})")[5][0] for start in (1, 2, 1)]
    assert states[0] == states[2]
    assert states[0][2] != states[1][2]
    assert states[0][3] == states[1][3]
    assert heap_shape(tokens((Own(),))) == tokens((Own(),))
    assert heap_shape(tokens(([1, "a"],)))[-2:] == ["int1", "str"]


def test_a_failure_tells_the_first_exception_behind_it():
    try:
        try:
            {}["key"]
        except KeyError:
            try:
                [].missing()
            except AttributeError:
                int("x")
    except ValueError as error:
        told = describe_failure(error, "sample")
    assert told[:2] == ("builtins:ValueError", "invalid literal for int() with base 10: 'x'")
    assert told[5:] == (("builtins:KeyError", "'key'", None), None, 0)


def test_a_raise_tells_position_place_and_message(lab):
    one = lab(COUNTER)
    position, outcome, *_ = one.answer("c = Counter(-4)\nc.add(1)")
    told = ("builtins:ValueError", "bad start -4", 2, 5, "sample")
    assert (position, outcome) == (0, (*told, None, None, 5))
    position, outcome, *_ = one.answer("c = Counter()\nc.add('x')")
    assert (position, *outcome[2:5]) == (1, 2, 9, "sample")


@pytest.mark.parametrize(
    ("call", "kind", "inside"),
    [
        ("outer(1, 2, 3)", "builtins:TypeError", 0),
        ("outer('x')", "builtins:ValueError", 2),
        ("leave()", "builtins:SystemExit", 2),
        ("abandon()", "builtins:BaseException", 2),
        ("Counter().missing()", "builtins:AttributeError", 0),
    ],
)
def test_inside_says_whose_frame_raised(lab, call, kind, inside):
    _, outcome, *_ = lab(COUNTER).answer(call)
    assert (outcome[0], outcome[2]) == (kind, inside)


def test_an_unstable_message_is_none(lab):
    assert lab(COUNTER).answer("address()")[1][:2] == ("builtins:KeyError", None)


def test_a_message_that_raises_is_none():
    class LyingError(Exception):
        def __str__(self):
            raise OSError

    assert describe_raise(LyingError(), "sample")[1] is None


def test_comparisons_are_those_of_the_last_call_only(lab):
    comparisons = lab(COUNTER).answer("c = Counter(5)\nCounter(7)")[4]
    assert [row[1:] for row in comparisons] == [("<", 7, 0)]


def test_two_runs_of_one_sequence_answer_alike(lab):
    one = lab(COUNTER)
    text = "c = Counter(1)\nc.add(2)\nc.pair()"
    assert one.answer(text) == one.answer(text)


class LyingText(str):
    __slots__ = ()

    def __len__(self):
        raise RuntimeError


def test_results_of_a_size_that_a_test_may_show_pass():
    texts = ("x" * MAX_RESULT_TEXT, 5, -(1 << 1000), [0] * MAX_RESULT_ITEMS, None, LyingText())
    for value in texts:
        check_size(value)


def test_vast_results_are_refused():
    bits = 8 * MAX_RESULT_TEXT
    for value in ("x" * (MAX_RESULT_TEXT + 1), 1 << bits, -(1 << bits), [0] * (1 << 22)):
        with pytest.raises(MemoryError):
            check_size(value)


def test_a_run_with_a_vast_result_is_exhausted(tmp_path):
    (tmp_path / "vast.py").write_text("def text(n):\n    return 'x' * n\n")
    agent, options = "unitcraft.explore.agents.search_agent", {"module": "vast", "rewrite": True}
    items = [
        encode_sequence(Sequence((Call("function", "vast:text", (Const(n),)),)))
        for n in (3, 1 << 25, 4)
    ]
    with Pool(HostSpec(agent, options, paths=(str(tmp_path),)), 1) as pool:
        failures = [reply.failure for reply in pool.map("run", items)]
    assert failures == [None, Exhausted("memory", "MemoryError"), None]


def test_the_state_of_what_holds_a_path_is_that_of_every_worker(tmp_path):
    source = "class Log:\n    def __init__(self, path):\n        self.path = path\n"
    (tmp_path / "logs.py").write_text(source)
    agent, options = "unitcraft.explore.agents.search_agent", {"module": "logs", "rewrite": True}
    names = ("a.txt", "b.txt")
    paths = [TempPath(name, "x", is_text=True) for name in names]
    items = [
        encode_sequence(Sequence((Call("function", "logs:Log", (path,)),))) for path in paths * 2
    ]
    states = []
    for _ in range(2):
        with Pool(HostSpec(agent, options, paths=(str(tmp_path),)), 1) as pool:
            replies = pool.map("run", items, isolate=True)
            states += [TouchedObject(*RunAnswer(*one.value).objects[0]).digest for one in replies]
    assert states == states[:2] * 4
    assert states[0] != states[1]


def test_code_without_probes_counts_steps_and_has_no_sites(tmp_path):
    (tmp_path / "bare.py").write_text("def turn(n):\n    while n:\n        pass\n    return n\n")
    agent = "unitcraft.explore.agents.search_agent"
    options = {"module": "bare", "rewrite": True, "probes": False}
    call = encode_sequence(Sequence((Call("function", "bare:turn", (Const(1),)),)))
    with Pool(HostSpec(agent, options, paths=(str(tmp_path),)), 1) as pool:
        assert pool.ready["sites"] == []
        assert pool.one("run", call).failure == Exhausted("steps")


def test_the_folders_of_an_installation_are_those_of_no_other_machine():
    module = ModuleType("sample")
    module.__file__ = "/srv/ann/code/sample.py"
    folders = installed_folders(module)
    assert folders[0] == "/srv/ann/code/sample"
    assert "/usr" not in folders


def test_a_package_is_where_its_first_module_is(monkeypatch):
    package, module = ModuleType("shop"), ModuleType("shop.orders.total")
    package.__file__ = "/srv/ann/code/shop/__init__.py"
    module.__file__ = "/srv/ann/code/shop/orders/total.py"
    monkeypatch.setitem(sys.modules, "shop", package)
    assert installed_folders(module)[0] == "/srv/ann/code/shop"


def test_where_memory_ends_is_a_bound_and_no_outcome(lab):
    made = lab(
        "def hungry():\n    raise MemoryError\n\ndef says(text):\n    raise MemoryError(text)\n"
    )
    with pytest.raises(MemoryError):
        made.answer("hungry()")
    assert made.answer("says('no room')")[1][:2] == ("builtins:MemoryError", "no room")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["3"], {"exit_code": 0, "output": "3\n"}),
        (["0"], {"exit_code": 1, "output": "Error: none\n"}),
        (["x"], {"exit_code": 2}),
        (["9"], {"exit_code": 1}),
    ],
)
def test_a_command_of_click_tells_its_number_and_what_is_in_its_own_words(words, told):
    @click.command()
    @click.argument("number", type=int)
    def show(number):
        if number == 0:
            raise click.ClickException("none")
        if number == 9:
            raise click.Abort
        click.echo(number)

    assert told_by_command(CliRunner().invoke(show, words)) == told
    assert told_by_command(words) == {}
