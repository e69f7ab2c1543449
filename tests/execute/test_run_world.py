"""The RunWorld: what a run printed, and nothing of the run before."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import logging
import os
import pkgutil
import sys
import warnings
from pathlib import Path

import pytest

from unitcraft.execute.guest.issued_messages import WARNED, silence_what_pytest_captures
from unitcraft.execute.guest.run_world import RunWorld
from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox.audit import Journal
from unitcraft.execute.sandbox.streams import MAX_KEPT, RefusedInput, Streams


@pytest.fixture
def streams(monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)
    return Streams(None)


def shown(world):
    return [(call[:2], value) for call, value in world.effects()]


@pytest.mark.parametrize(
    ("message", "is_shown"),
    [
        ("argument --count: invalid int value: 'abc'", False),
        ("the following arguments are required: name", False),
        ("unrecognized arguments: --unknown", False),
        ("count must not be negative", True),
    ],
)
def test_what_argparse_words_itself_is_not_shown(streams, message, is_shown):
    world = RunWorld(streams, Journal(Policy(), (), ()), "")
    world.begin()
    print(
        f"usage: tool [-h]\n            [--count COUNT]\ntool add: error: {message}",
        file=streams.err,
    )
    assert bool(shown(world)) is is_shown


def test_a_run_shows_what_it_printed(streams):
    world = RunWorld(streams, Journal(Policy(), (), ()), "")
    print("earlier", file=streams.out)
    world.begin()
    assert shown(world) == []
    print("out", file=streams.out)
    assert shown(world) == [(("output", "out"), "out\n")]
    print("err", file=streams.err)
    assert shown(world) == [(("output", "both"), ("out\n", "err\n"))]
    world.begin()
    print("x" * MAX_KEPT, file=streams.out)
    assert shown(world) == []


class Room:
    def __init__(self, name, left):
        self.name = name
        self.left = left

    def __exit__(self, *told):
        self.left.append((self.name, told))
        raise ValueError(self.name)

    async def __aexit__(self, *told):
        self.left.append((self.name, told))


def test_what_a_run_enters_is_left_when_its_item_ends(streams):
    world = RunWorld(streams, Journal(Policy(), (), ()), "")
    left = []
    for name, method in (("a", "__enter__"), ("b", "__aenter__"), ("c", "__enter__")):
        world.note_entered(Room(name, left), method)
    world.leave_blocks()
    assert left == [(name, (None, None, None)) for name in "cba"]
    world.leave_blocks()
    assert len(left) == len("cba")


def test_warnings_and_records_are_no_output_and_warnings_are_noted(streams, monkeypatch):
    world = RunWorld(streams, Journal(Policy(), (), ()), "")
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)
    with warnings.catch_warnings(), contextlib.redirect_stderr(streams.err):
        warnings.simplefilter("ignore")  # as an import may do
        silence_what_pytest_captures()
        for _ in range(2):
            world.begin()
            warnings.warn("text", DeprecationWarning, stacklevel=2)
            warnings.warn("open file", ResourceWarning, stacklevel=2)
            found = [(home, kind, str(one)) for home, kind, one in WARNED]
            assert found == [(__name__, DeprecationWarning, "text")]
        logging.lastResort.handle(logging.makeLogRecord({"levelno": logging.ERROR}))
    assert shown(world) == []
    world.begin()
    assert WARNED == []


@pytest.fixture
def world(streams, tmp_path):
    return RunWorld(streams, Journal(Policy(), (), (), importing=False), str(tmp_path / "test"))


def paths(world):
    return [(call[1], call[2][0][1], value) for call, value in world.effects()]


def test_what_a_run_writes_is_an_effect_and_what_its_test_arranged_is_none(world):
    world.begin()
    kept = Path(world.place("kept.txt", "as it was"))
    gone = Path(world.place("gone.txt", b"\xff"))
    Path(world.place("", {"sub": {"deep.txt": "deep"}}), "sub", "new.bin").write_bytes(b"\xfe")
    Path(world.place("made", None)).mkdir()
    assert kept.read_text() == "as it was"
    gone.unlink()
    assert paths(world) == [
        ("is_dir", "made", True),
        ("read_bytes", "sub/new.bin", b"\xfe"),
        ("exists", "gone.txt", False),
    ]
    kept.write_text("another")
    assert ("read_text", "kept.txt", "another") in paths(world)


def test_the_next_run_finds_an_empty_folder(world):
    world.begin()
    path = Path(world.place("a.txt", "a"))
    world.begin()
    assert not path.exists()
    assert paths(world) == []
    world.place("a.txt", None)
    assert not path.exists()


def test_looks_are_told_apart_by_where_they_were(world):
    journal = world._journal
    journal.scratch = str(Path(world.folder).parent)
    world.begin()
    journal.own = ("/srv/python/",)
    for path in ("a.txt", b"a.txt", 3, "/etc/hosts", "/", f"{world.folder}/b", journal.scratch):
        journal.touch(path)
    journal.touch("/srv/python/json.py")
    journal.touch("/srv/python")
    found = ["a.txt", "3", "/etc/hosts", "/"]
    assert list(world.touched()) == [*((False, name) for name in found), (True, "b")]


def test_variables_are_as_before_when_the_run_is_over(world, monkeypatch):
    monkeypatch.setenv("WORLD_KEPT", "as it was")
    monkeypatch.delenv("WORLD_NEW", raising=False)
    world.begin()
    world.arrange("delenv", "WORLD_KEPT")
    world.arrange("setenv", "WORLD_NEW", "first")
    world.arrange("setenv", "WORLD_NEW", "second")
    assert (os.environ.get("WORLD_KEPT"), os.environ["WORLD_NEW"]) == (None, "second")
    world.undo()
    assert os.environ["WORLD_KEPT"] == "as it was"
    assert "WORLD_NEW" not in os.environ


def test_words_and_input_of_the_process_are_put_back(world, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["as", "it", "was"])
    before = sys.stdin
    world.begin()
    world.arrange("setattr", "sys.argv", ["prog"])
    world.arrange("setattr", "sys.stdin", io.StringIO("y"))
    assert (sys.argv, sys.stdin.read()) == (["prog"], "y")
    world.begin()
    assert (sys.argv, sys.stdin) == (["as", "it", "was"], before)


class Base:
    def load(self):
        return "real"


class Own(Base):
    pass


def test_functions_are_replaced_and_put_back_inherited_ones_too(world):
    here = __name__
    world.begin()
    world.arrange("setattr", f"{here}.Own.load", lambda *_: "other")
    world.arrange("setattr", f"{here}.io.StringIO", list)
    assert (Own().load(), Base().load(), io.StringIO("ab")) == ("other", "real", ["a", "b"])
    world.undo()
    assert (Own().load(), "load" in vars(Own)) == ("real", False)
    assert io.StringIO("ab").read() == "ab"


def test_the_place_of_what_is_replaced_is_looked_up_among_loaded_modules(world, monkeypatch):
    monkeypatch.setattr(pkgutil, "resolve_name", None)
    world.begin()
    world.arrange("setattr", f"{__name__}.Own.load", lambda *_: "other")
    assert Own().load() == "other"


def test_what_has_no_place_cannot_be_replaced(world):
    world.begin()
    with pytest.raises(AttributeError):
        world.arrange("setattr", f"{__name__}.Own.nothing", None)
    with pytest.raises(TypeError, match="immutable"):
        world.arrange("setattr", "datetime.date.fromisoformat", None)
    world.undo()


def test_the_bytes_of_standard_input_are_refused_as_its_text_is():
    refused = RefusedInput(lambda event, argument: PermissionError(f"{event}:{argument}"))
    with pytest.raises(PermissionError, match=r"^sys.stdin.buffer:read$"):
        refused.buffer.read()


def test_only_code_that_runs_asks_for_variables_not_a_module_that_is_loaded(
    world, tmp_path, monkeypatch
):
    (tmp_path / "asks_when_loaded.py").write_text("look_up('AT_IMPORT')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("builtins.look_up", world._journal.look_up, raising=False)
    world.begin()
    importlib.import_module("asks_when_loaded")
    sys.modules.pop("asks_when_loaded")
    world._journal.look_up("IN_CALL")
    assert world.variables() == ("IN_CALL",)


class Mailbox:
    """Hands on what is put into it in a task that goes on while others are awaited."""

    def __init__(self):
        self.handed = []
        self.queue = asyncio.Queue()
        self.task = asyncio.get_running_loop().create_task(self.hand_on())

    async def hand_on(self):
        while True:
            self.handed.append(await self.queue.get())
            self.queue.task_done()

    async def empty(self):
        await self.queue.join()


async def loop_of_call():
    return asyncio.get_running_loop()


@pytest.fixture
def loops(world):
    yield world
    world.leave_blocks()
    with pytest.raises(RuntimeError, match="no running event loop"):
        asyncio.get_running_loop()


def test_each_call_has_a_loop_of_its_own_unless_they_share_one(loops):
    assert loops.finish(loop_of_call()) is not loops.finish(loop_of_call())
    shared = loops.share_loop()
    assert loops.finish(loop_of_call()) is loops.finish(loop_of_call()) is shared
    loops.leave_blocks()
    assert shared.is_closed()
    assert loops.finish(loop_of_call()) is not shared


def test_the_shared_loop_counts_as_running_between_calls_and_tasks_go_on(loops):
    loops.share_loop()
    mailbox = Mailbox()
    mailbox.queue.put_nowait("letter")
    assert mailbox.handed == []
    loops.finish(mailbox.empty())
    assert mailbox.handed == ["letter"]
    coroutine = mailbox.empty()
    with pytest.raises(RuntimeError, match="cannot be called from a running event loop"):
        asyncio.run(coroutine)
    coroutine.close()
    loops.leave_blocks()
    assert mailbox.task.cancelled()


def test_what_a_coroutine_raises_passes_and_the_shared_loop_stays(loops):
    async def fail():
        raise KeyError("k")

    shared = loops.share_loop()
    with pytest.raises(KeyError, match="k"):
        loops.finish(fail())
    assert asyncio.get_running_loop() is shared


def test_sharing_again_ends_the_loop_before(loops):
    before = loops.share_loop()
    assert loops.share_loop() is not before
    assert before.is_closed()


def test_a_task_that_will_not_end_costs_nobody_anything(loops):
    async def stubborn():
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("not now")

    task = loops.share_loop().create_task(stubborn())
    loops.finish(loop_of_call())
    loops.leave_blocks()
    assert isinstance(task.exception(), ValueError)


def test_a_run_that_loses_an_exception_is_refused(streams, tmp_path):
    async def fail():
        raise KeyError("k")

    journal = Journal(Policy(), (), ())
    world = RunWorld(streams, journal, str(tmp_path))
    for retrieves in (True, False):
        task = world.share_loop().create_task(fail())
        world.finish(asyncio.wait([task]))
        assert not retrieves or isinstance(task.exception(), KeyError)
        del task
        world.leave_blocks()
        assert bool(journal.refused) is not retrieves
    assert journal.refused == [("asyncio", "KeyError was never retrieved", "")]


def test_a_variable_that_a_run_sets_is_an_effect_and_what_its_test_sets_is_none(world, monkeypatch):
    monkeypatch.delenv("SHOP_MODE", raising=False)
    monkeypatch.setenv("SHOP_KEPT", "1")
    world.begin()
    world.arrange("setenv", "SHOP_MODE", "")
    assert shown(world) == []
    os.environ["SHOP_MODE"] = "auto"
    os.environ["SHOP KEPT"] = "no name of a variable"
    del os.environ["SHOP_KEPT"]
    assert shown(world) == [(("get", 'environ["SHOP_MODE"]'), "auto")]
    del os.environ["SHOP KEPT"]
    world.undo()
    assert "SHOP_MODE" not in os.environ
