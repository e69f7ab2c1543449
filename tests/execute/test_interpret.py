"""Calls mean in a worker what their source text means in a test."""

from types import SimpleNamespace

import pytest

from unitcraft.core.call_text import path_text
from unitcraft.core.encoding import encode_call, encode_sequence
from unitcraft.core.operators import OPERATORS
from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.execute.guest.interpret import (
    _ACTIONS,
    MAX_ITEMS_DRAINED,
    ArgumentFailedError,
    Interpreter,
    compile_call,
    resolve,
)
from unitcraft.execute.guest.run_world import RunWorld
from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox.audit import Journal
from unitcraft.execute.sandbox.streams import Streams


@pytest.fixture(autouse=True)
def world(monkeypatch):
    """The surroundings of a run, which a worker gives to the interpreter."""
    made = RunWorld(Streams(None), Journal(Policy(), (), ()), "")
    monkeypatch.setattr("unitcraft.execute.guest.interpret.WORLDS", [made])
    yield made
    made.leave_blocks()


def run(*calls):
    return Interpreter().run(encode_sequence(Sequence(tuple(calls))))


def test_methods_attributes_and_operators_on_results():
    results = run(
        Call("function", "collections:Counter", (Const("aab"),)),
        Call("method", "most_common", (Ref(0), Const(1))),
        Call("operator", "[]", (Ref(0), Const("a"))),
        Call("operator", "[]=", (Ref(0), Const("z"), Const(9))),
        Call("operator", "in", (Ref(0), Const("z"))),
        Call("operator", "items", (Ref(0),)),
    )
    assert results[1:] == [[("a", 2)], 2, None, True, [("a", 2), ("b", 1), ("z", 9)]]


def test_atoms_that_compare_equal_are_different_calls():
    interpreter = Interpreter()
    shown = [
        interpreter.step(encode_call(Call("operator", "repr", (Const(value),))))([])
        for value in (1, True, 1.0, 0.0, -0.0)
    ]
    assert shown == ["1", "True", "1.0", "0.0", "-0.0"]


def test_displays_are_made_anew_for_each_run():
    interpreter = Interpreter()
    step = interpreter.step(
        encode_call(Call("function", "builtins:list", (Display("list", (Const(1),)),)))
    )
    step([]).append(2)
    assert step([]) == [1]


def test_source_is_evaluated_over_builtins_alone():
    assert run(Call("operator", "call", (Source("lambda x: x + 1"), Const(2)))) == [3]
    with pytest.raises(NameError):
        run(Call("operator", "call", (Source("lambda: Sequence"),)))


def test_drain_is_bounded():
    counted = Call("function", "itertools:count", (), (), "drain")
    assert run(counted) == [list(range(MAX_ITEMS_DRAINED))]


def test_every_operator_has_an_action():
    assert set(_ACTIONS) == set(OPERATORS)


def test_symbols_resolve_nested_names():
    assert run(
        Call("operator", "call", (Symbol("collections", "OrderedDict.fromkeys"), Const("ab")))
    )[0] == {"a": None, "b": None}


def test_an_argument_that_cannot_be_made_is_told_from_a_call_that_raises():
    build = ("b", ("fractions", "Fraction"), (("c", 1), ("c", 0)), ())
    with pytest.raises(ArgumentFailedError):
        Interpreter().run([("operator", "str", (build,), (), "")])


ENTERED = """
import contextlib

LOG = []

left_rooms = []


class Room:
    def __init__(self, name, *, fails=False):
        self.name = name
        self.fails = fails

    def __enter__(self):
        return self.name

    def __exit__(self, *told):
        left_rooms.append((self.name, told))
        if self.fails:
            raise ValueError(self.name)

    async def __aenter__(self):
        return self.name

    async def __aexit__(self, *told):
        left_rooms.append((self.name, told))


def test_what_a_run_enters_is_left_when_its_item_ends():
    made = [Call("function", f"{__name__}:Room", (Const(name),)) for name in "ab"]
    made.append(Call("function", f"{__name__}:Room", (Const("c"),), (("fails", Const(1)),)))
    entered = [Call("method", "__enter__", (Ref(at),)) for at in (0, 2)]
    entered.insert(1, Call("method", "__aenter__", (Ref(1),), then="await"))
    left_rooms.clear()
    assert run(*made, *entered)[3:] == ["a", "b", "c"]
    assert left_rooms == []
    leave_blocks(run_coroutine)
    assert left_rooms == [(name, (None, None, None)) for name in "cba"]
    leave_blocks(run_coroutine)
    assert len(left_rooms) == 3


@contextlib.contextmanager
def opened(name):
    yield name.upper()
    LOG.append(name)

@contextlib.asynccontextmanager
async def leased(name):
    yield name.upper()
    LOG.append(name)

async def ticks(number):
    for tick in range(number):
        yield tick
"""


def test_context_managers_are_entered_and_left_and_asynchronous_iterators_collected(
    tmp_path, monkeypatch
):
    (tmp_path / "entered_sample.py").write_text(ENTERED)
    monkeypatch.syspath_prepend(tmp_path)
    results = run(
        Call("function", "entered_sample:opened", (Const("a"),), (), "enter"),
        Call("function", "entered_sample:leased", (Const("b"),), (), "await enter"),
        Call("function", "entered_sample:ticks", (Const(3),), (), "collect"),
        Call("operator", "list", (Source("__import__('entered_sample').LOG"),)),
    )
    assert results == ["A", "B", [0, 1, 2], ["a", "b"]]


def test_a_replaced_import_function_is_not_the_one_that_finds_what_is_called(monkeypatch):
    monkeypatch.setattr("importlib.import_module", lambda _: None)
    assert resolve("math", "floor")(1.5) == 1


SESSION = SimpleNamespace(
    adapters={"https://": SimpleNamespace(policy=SimpleNamespace(total=3)), "a b": [1, 2]},
    rows={"a": [SimpleNamespace(total=3)] * 50},
)


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ('adapters["https://"].policy.total', 3),
        ('adapters["a b"]', [1, 2]),
        ('rows["a"][*].total', [3] * (MAX_ITEMS_DRAINED + 1)),
        ("adapters", SESSION.adapters),
        ("adapters[*].", ["https://", "a b"]),
        ('rows["a"][0:0][*].', []),
    ],
)
def test_what_a_path_reads_is_what_its_text_evaluates_to(path, read):
    """Of many items no more are read than a test shows."""
    assert compile_call(("get", path, (("r", 0),), (), ""))([SESSION]) == read
    whole = eval(path_text("SESSION", path))
    assert (whole[: len(read)] if path.startswith("rows") else whole) == read


def test_an_item_of_the_receiver_itself_follows_it_at_once():
    assert path_text("rows", '["first"]') == 'rows["first"]'
    assert compile_call(("get", '["first"]', (("r", 0),), (), ""))([{"first": 4}]) == 4


class _Cleaned(list):
    """A list that throws out what is negative when it is asked for its length."""

    def __len__(self):
        self[:] = [one for one in self if one >= 0]
        return super().__len__()


def test_a_list_asks_for_the_length_first_and_a_loop_does_not():
    made = [_Cleaned([1, -1]), _Cleaned([1, -1])]
    ask, loop = (
        compile_call(encode_call(Call("operator", name, (Ref(at),))))
        for at, name in enumerate(("list", "each"))
    )
    assert ask(made) == [1] == list(_Cleaned([1, -1]))
    assert loop(made) == [1, -1]


@pytest.mark.parametrize(("word", "code"), [("3", 0), ("0", 4), ("x", 2)])
def test_a_command_of_click_runs_on_words_and_ends_by_a_number(commands, word, code):
    (result,) = run(Call("invoke", f"{commands}:root", (Display("list", (Const(word),)),)))
    assert result.exit_code == code


def test_what_a_command_of_click_raises_is_raised(commands):
    with pytest.raises(ZeroDivisionError):
        run(Call("invoke", f"{commands}:root", (Display("list", (Const("7"),)),)))


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """The name of a module with a command."""
    (tmp_path / "commands_of_test.py").write_text(
        "import click\n\n"
        "@click.command()\n"
        "@click.argument('number', type=int)\n"
        "def root(number):\n"
        "    if number == 0:\n"
        "        raise SystemExit(4)\n"
        "    click.echo(12 / (number - 7))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return "commands_of_test"
