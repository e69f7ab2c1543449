"""What a test leaves changed is named and put back."""

from __future__ import annotations

import builtins
import functools
import importlib
import json
import logging
import os
import signal
import sys
from pathlib import Path

import pytest

from unitcraft.emit.verify.leaked_state import LeakDetector


def patch_builtin():
    builtins.abs = None


def forget_module():
    del sys.modules["json"]


def forget_new_module():
    del sys.modules["this_is_new"]


def load_without_a_name():
    sys.modules[5] = json


def len_of_nothing():
    return len(())


def patch_library():
    json.dumps = str


def replace_stream():
    sys.stdout = None


def add_finder():
    sys.meta_path.insert(0, object())


def change_handler():
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)


def start_timer():
    signal.setitimer(signal.ITIMER_REAL, 1000)


def set_profile():
    sys.setprofile(lambda *_: None)


def change_limit():
    sys.setrecursionlimit(4321)


def change_folder():
    os.chdir("/")


def silence_everybody():
    logging.getLogger().setLevel(logging.FATAL)


def disable_logging():
    logging.disable(logging.ERROR)


def patch_and_raise():
    builtins.abs = None
    raise ValueError


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (patch_builtin, "the builtins"),
        (forget_module, "the loaded modules"),
        (patch_library, "functions of the standard library"),
        (replace_stream, "streams or hooks of sys"),
        (add_finder, "import hooks"),
        (change_handler, "signal handlers"),
        (start_timer, "a running timer"),
        (set_profile, "the trace function"),
        (change_limit, "the recursion limit"),
        (change_folder, "the current folder"),
        (silence_everybody, "the level of the root logger"),
        (disable_logging, "the level of the root logger"),
        (patch_and_raise, "the builtins"),
    ],
)
def test_what_changed_is_named_and_put_back(function, what):
    leftovers = LeakDetector(["/nowhere"])
    assert leftovers.call(function, {}) == what
    assert leftovers.call(lambda: None, {}) == ""


def test_a_tidy_function_gets_its_arguments_and_leaves_nothing():
    seen = []
    assert (
        LeakDetector([]).call(lambda one, two: seen.append((one, two)), {"one": 1, "two": 2}) == ""
    )
    assert seen == [(1, 2)]


def test_an_exception_of_a_tidy_function_goes_on():
    with pytest.raises(ZeroDivisionError):
        LeakDetector([]).call(lambda: 1 / 0, {})


def test_the_modules_of_the_subject_may_change():
    folder = Path(json.__file__).parent

    def patch():
        json.dumps = str

    saved = json.dumps
    try:
        assert LeakDetector([folder]).call(patch, {}) == ""
    finally:
        json.dumps = saved


def test_a_class_of_the_subject_keeps_its_methods(tmp_path, monkeypatch):
    (tmp_path / "wrapped.py").write_text(
        "class Writer:\n    written = 0\n    def write(self):\n        return 1\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    wrapped = importlib.import_module("wrapped")
    write = wrapped.Writer.write

    def count():
        wrapped.Writer.written += 1

    def wrap():
        wrapped.Writer.write = functools.partialmethod(write)

    leftovers = LeakDetector([str(tmp_path)])
    assert leftovers.call(count, {}) == ""
    assert leftovers.call(wrap, {}) == "methods of the project's classes"
    assert wrapped.Writer.write is write
    assert LeakDetector(["/nowhere"]).call(wrap, {}) == ""
    del sys.modules["wrapped"]


def test_snapshots_serve_as_long_as_they_hold(monkeypatch):
    taken = []
    take = LeakDetector._take_snapshots
    monkeypatch.setattr(
        LeakDetector, "_take_snapshots", lambda self: taken.append(self) or take(self)
    )
    leftovers = LeakDetector([])
    assert [leftovers.call(one, {}) for one in (len_of_nothing, patch_library, len_of_nothing)] == [
        "", "functions of the standard library", "",
    ]  # fmt: skip
    assert len(taken) == 1
    monkeypatch.setitem(sys.modules, "this_is_new", os)
    assert leftovers.call(forget_new_module, {}) == "the loaded modules"
    monkeypatch.setattr(json, "dumps", str)
    assert leftovers.call(lambda: setattr(json, "dumps", repr), {}) != ""
    assert json.dumps is str


def test_a_module_that_an_import_adds_is_no_leftover():
    sys.modules.pop("this_is_new", None)
    assert LeakDetector([]).call(lambda: sys.modules.update(this_is_new=os), {}) == ""
    del sys.modules["this_is_new"]


def test_modules_without_a_name_are_left_changed():
    assert LeakDetector([]).call(load_without_a_name, {}) == "loaded modules without a name"
    assert 5 not in sys.modules


def test_the_level_that_a_fixture_puts_back_is_no_leftover(caplog):
    caplog.set_level("WARNING")
    leftovers = LeakDetector([])
    assert leftovers.call(lambda **_: silence_everybody(), {"caplog": caplog}) == ""
    assert leftovers.call(silence_everybody, {}) == "the level of the root logger"
    left = leftovers.call(lambda **_: disable_logging(), {"caplog": caplog})
    assert left == "the level of the root logger"  # which the fixture does not put back
