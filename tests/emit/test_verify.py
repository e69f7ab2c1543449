"""The written file is judged by running it: whatever is not stable goes, the rest stays."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest
from dsl import subject_of, suite_of

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.emit.verify.pytest_run import ChangedPlace, MeasuredCoverage, _figures
from unitcraft.emit.verify.state_isolation import with_own_state
from unitcraft.emit.verify.verify import _Losses, _without_losses, verify
from unitcraft.emit.write.writer import write
from unitcraft.execute.policy import Policy
from unitcraft.execute.spec import HostSpec
from unitcraft.suite.suite_figures import ReachedLines
from unitcraft.suite.tests import Check, Test

SHAKY = """
import datetime
import random
import time
import weakref

count = 0


class Box:
    def __init__(self, size=1): self.size = size
    def grow(self, by): self.size += by
    def letters(self): return list({"a", "b", "cc", "dd", "ee"})
    def year(self): return datetime.date.today().year


def luck():
    return random.random()


def tick():
    global count
    count += 1
    return count


def double(number):
    if number > 100:
        raise ValueError("too large")
    return 2 * number


def die():
    import os
    os._exit(3)


def spoil():
    import builtins
    builtins.len = None
    builtins.isinstance = None


def finish_snapshot():
    import atexit, os
    atexit.register(os._exit, 3)


class Broken:
    def __init__(self):
        self.itself = self
    def __del__(self):
        raise ValueError("half made")


def throw_away():
    Broken()


class Bar:
    alive = weakref.WeakSet()
    def __init__(self, kept=False):
        self.position = len(self.alive)
        self.alive.add(self)
        self.kept = kept
        if kept:
            self.itself = self


def zone():
    return time.localtime(0).tm_hour


def near(second):
    # is it less than six hours from a second of the day, whichever way that is asked for?
    now = datetime.datetime.now()
    moments = [time.localtime()[3:6], (now.hour, now.minute, now.second),
               tuple(map(int, time.strftime("%H %M %S").split()))]
    away = [abs(hour * 3600 + minute * 60 + one - second) for hour, minute, one in moments]
    return [min(seconds, 86400 - seconds) < 6 * 3600 for seconds in away]


def near_in_greenwich(second):
    away = abs(int(time.clock_gettime(time.CLOCK_REALTIME)) % 86400 - second)
    return min(away, 86400 - away) < 6 * 3600


def scratch():
    import os
    return len(os.environ["TMPDIR"]) > 3


def report():
    import tempfile
    with tempfile.TemporaryFile() as stream:
        return stream.write(b"abc")


def think():
    end = time.process_time() + 1.2
    while time.process_time() < end:
        pass
"""


@pytest.fixture
def shaky(tmp_path):
    (tmp_path / "shaky.py").write_text(SHAKY)
    subject = replace(subject_of(SHAKY, "shaky"), file=str(tmp_path / "shaky.py"))

    def run(text, **options):
        tests = suite_of(text, subject)
        spec = HostSpec(entry="", paths=(str(tmp_path),))
        return verify(write(subject, tests), subject, spec, **options)

    return run


@pytest.mark.parametrize("level", ["strict", "off"])
def test_a_suite_is_confirmed_at_every_level_of_the_guard(tmp_path, level):
    """Pytest, too, may read nothing around the file when reading is confined."""
    source = "def sign(n):\n    return -1 if n < 0 else 1\n"
    (tmp_path / "signs.py").write_text(source)
    subject = replace(subject_of(source, "signs"), file="signs.py")
    written = write(subject, suite_of("r = sign(2)\nassert r == 1", subject))
    spec = HostSpec(entry="", paths=(str(tmp_path),), policy=Policy(level))
    assert verify(written, subject, spec).tests == 1


def test_a_test_that_warns_goes_where_warnings_are_errors(tmp_path):
    source = "import warnings\n\n\ndef old():\n    warnings.warn('old')\n    return 3\n"
    (tmp_path / "signs.py").write_text(source + "\n\ndef new():\n    return 4\n")
    subject = replace(subject_of(source + "\n\ndef new(): pass\n", "signs"), file="signs.py")
    suite = suite_of("r = old()\nassert r == 3\n\nr = new()\nassert r == 4", subject)
    spec = HostSpec(entry="", paths=(str(tmp_path),))
    assert verify(write(subject, suite), subject, spec).tests == 2
    found = verify(write(subject, suite), subject, spec, warnings=("error", "ignore:gone"))
    assert found.tests == 1
    assert "new()" in found.text
    ignored = ("error", "ignore:old:UserWarning")
    assert verify(write(subject, suite), subject, spec, warnings=ignored).tests == 2


def test_the_level_of_the_root_logger_is_put_back(tmp_path):
    source = "import logging\n\n\ndef tell_more(level):\n    logging.root.setLevel(level)\n"
    source += "    return logging.root.level\n"
    (tmp_path / "loud.py").write_text(source)
    subject = replace(subject_of(source, "loud"), file="loud.py")
    suite = suite_of(
        "r = tell_more(10)\nassert r == 10\n\nr = tell_more(30)\nassert r == 30", subject
    )
    found = verify(write(subject, suite), subject, HostSpec(entry="", paths=(str(tmp_path),)))
    assert found.tests == 2
    assert found.findings == ()
    assert found.text.count('caplog.set_level("WARNING")') == 1
    assert "warning" not in found.text


WEAK = """
import weakref


class Node:
    def __init__(self, parent=None):
        self._parent = weakref.ref(parent) if parent is not None else None

    def parent(self):
        return self._parent()

    def is_root(self):
        return self._parent is None
"""


def test_what_is_referred_to_weakly_has_a_name(tmp_path):
    """``repaired_tests`` writes a test that fails otherwise with names for what it passes on."""
    (tmp_path / "weak.py").write_text(WEAK)
    subject = replace(subject_of(WEAK, "weak"), file="weak.py")
    text = "a = Node()\nb = Node(a)\nr = b.parent()\nassert r.is_root() == True\n\n"
    suite = suite_of(text + "a = Node()\nb = Node(a)\nr = b.is_root()\nassert r == False", subject)
    found = verify(write(subject, suite), subject, HostSpec(entry="", paths=(str(tmp_path),)))
    assert found.tests == 2
    assert found.findings == ()
    assert found.text.count("Node(Node())") == 1
    assert found.text.count("= Node()") == 1


def test_a_late_verification_gives_up_what_fails_at_once(shaky):
    text = "r = double(2)\nassert r == 4\n\nr = double(3)\nassert r == 6\nassert r == 7"
    assert shaky(text).tests == 2
    late = shaky(text, is_late=lambda: True)
    assert late.tests == 1
    assert "double(3)" not in late.text


def test_a_stable_file_stays_as_it_is(shaky):
    found = shaky("r = double(3)\nassert r == 6\n\ndouble(101)\nraises ValueError('too large')")
    assert found.tests == 2
    assert found.findings == ()
    assert "assert double(3) == 6" in found.text


def test_branches_are_measured_in_the_file_of_the_subject(tmp_path):
    source = "def sign(n):\n    if n < 0:\n        return -1\n    return 1\n"
    (tmp_path / "signs.py").write_text(source)
    subject = replace(subject_of(source, "signs"), file="signs.py")
    written = write(subject, suite_of("r = sign(2)\nassert r == 1", subject))
    found = verify(written, subject, HostSpec(entry="", paths=(str(tmp_path),))).coverage
    assert (found.branches_covered, found.branches, found.missing) == (1, 2, ((2, 3),))
    assert (found.lines_covered, found.lines) == (3, 4)


def test_only_the_unstable_assertion_is_dropped(shaky):
    found = shaky(
        'b = Box()\nb.grow(2)\nassert b.size == 3\nassert b.letters() == ["a", "b", "cc"]\n'
        "assert b.year() == 2020"
    )
    assert "assert box.size == 3" in found.text
    assert "letters" not in found.text
    assert "year" not in found.text
    assert {finding.code for finding in found.findings} == {"UC511"}


def test_a_row_that_differs_leaves_its_table(shaky):
    rows = [f"r = double({number})\nassert r == {number * 2}" for number in (1, 2, 3)]
    found = shaky("\n\n".join([*rows, "r = double(4)\nassert r == 9"]))
    assert found.tests == 4
    assert "(4, 9)" not in found.text
    assert "(3, 6)" in found.text
    assert "    double(4)" in found.text


def test_what_depends_on_chance_loses_its_assertion(shaky):
    found = shaky("r = tick()\nr = tick()\nassert r == 3\n\nr = luck()\nassert r == 0.5")
    assert "assert" not in found.text.replace("assertion", "")


def test_what_depends_on_the_time_of_day_loses_its_assertion(shaky):
    """It is true now, and false half a day later, here and in the other time zone."""
    now = int(time.time()) % 86400
    found = shaky(
        f"r = near({now})\nassert r == [True, True, True]\n\n"
        f"r = near_in_greenwich({now})\nassert r == True\n\nr = double(3)\nassert r == 6"
    )
    assert "assert near" not in found.text
    assert f"    near({now})\n" in found.text
    assert "assert double(3) == 6" in found.text


def test_tests_that_change_the_state_of_their_project_get_one_of_their_own(shaky):
    found = shaky(
        "r = tick()\nassert r == 1\n\nr = tick()\nr = tick()\nassert r == 2\n\n"
        "r = double(3)\nassert r == 6"
    )
    assert found.tests == 3
    assert found.findings == ()
    assert found.text.count('monkeypatch.setattr("shaky.count", 0)') == 2


def test_what_depends_on_the_environment_of_the_guard_loses_its_assertion(shaky):
    found = shaky(
        "r = zone()\nassert r == 0\n\nr = scratch()\nassert r == True\n\n"
        "r = report()\nassert r == 3"
    )
    assert "assert zone" not in found.text
    assert "assert scratch" not in found.text
    assert "assert report() == 3" in found.text


def test_a_test_that_kills_the_process_or_takes_long_is_dropped(shaky):
    found = shaky("die()\n\nr = double(3)\nassert r == 6\n\nthink()")
    assert "die()" not in found.text
    assert "think" not in found.text
    assert found.tests == 1


def test_a_test_that_spoils_the_interpreter_costs_no_other(shaky):
    calls = (
        "spoil()",
        "throw_away()",
        "r = double(3)\nassert r == 6",
        "r = double(4)\nassert r == 8",
    )
    found = shaky("\n\n".join(calls))
    assert "spoil" not in found.text
    assert "throw_away" not in found.text
    assert found.tests == 2
    assert [finding.message for finding in found.findings] == [
        "it leaves the builtins changed",
        "it failed with ValueError in a finalizer when run again",
    ]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_what_depends_on_objects_that_other_tests_left_is_not_asserted(shaky, order):
    tests = ("a = Bar(True)\nassert a.kept == True", "b = Bar()\nassert b.position == 0")
    found = shaky("\n\n".join([tests[number] for number in order]))
    assert found.tests
    assert "Bar(True).kept" in found.text
    assert "position" not in found.text


def test_a_test_after_which_the_process_does_not_end_well_costs_no_other(shaky):
    found = shaky("r = double(3)\nassert r == 6\n\narm()\n\nr = double(4)\nassert r == 8")
    assert "arm" not in found.text
    assert found.tests == 2
    assert [finding.target for finding in found.findings] == ["shaky:arm"]


def test_a_wrong_expected_exception_is_dropped(shaky):
    found = shaky("double(1)\nraises ValueError('too large')\n\nr = double(3)\nassert r == 6")
    assert found.tests == 1
    assert "pytest.raises" not in found.text


def test_a_name_that_cannot_be_imported_costs_only_its_tests(shaky):
    found = shaky("r = double(3)\nassert r == 6\n\nr = missing()\nassert r == 1")
    assert found.tests == 1
    assert "missing" not in found.text


def test_a_test_that_is_no_python_costs_no_other(tmp_path):
    source = "def double(number):\n    return 2 * number\n"
    (tmp_path / "signs.py").write_text(source)
    subject = replace(subject_of(source, "signs"), file=str(tmp_path / "signs.py"))
    tests = suite_of("r = double(3)\nassert r == 6\n\nr = double(4)\nassert r == 8", subject)
    (call,) = tests[1].sequence.calls
    wrong = replace(call, kwargs=(("True", Const(1)),))
    tests[1] = replace(tests[1], sequence=Sequence((wrong,)))
    found = verify(write(subject, tests), subject, HostSpec(entry="", paths=(str(tmp_path),)))
    assert found.tests == 1
    assert [one.message for one in found.findings] == [
        "its text is no Python: this is a fault of unitcraft"
    ]


def test_nothing_left_is_an_empty_text(shaky):
    found = shaky("r = missing()\nassert r == 1")
    assert (found.text, found.tests) == ("", 0)


def test_figures_of_some_lines_leave_the_others_out(tmp_path):
    file = {
        "executed_lines": [1, 4, 5], "missing_lines": [6, 9],
        "executed_branches": [[4, 5], [1, 2]], "missing_branches": [[4, 6], [8, 9]],
    }  # fmt: skip
    figures = tmp_path / "figures.json"
    totals = dict.fromkeys(
        ("covered_branches", "num_branches", "covered_lines", "num_statements"), 7
    )
    figures.write_text(json.dumps({"files": {"m.py": file}, "totals": totals}))
    assert _figures(figures, None).branches == 7
    found = _figures(figures, (4, 6))
    assert replace(found, reached=ReachedLines()) == MeasuredCoverage(1, 2, 2, 3, ((4, 6),))
    assert found.reached == ReachedLines((1, 4, 5), (6, 9), ((4, 5), (1, 2)), ((4, 6), (8, 9)))


def test_the_lines_that_each_test_reaches_are_known(shaky):
    found = shaky("r = double(3)\nassert r == 6").coverage.reached
    line = next(number for number, text in enumerate(SHAKY.splitlines(), 1) if "2 *" in text)
    assert [lines for _, lines in found.tests if line in lines]


def test_a_function_is_put_back_in_place_when_what_it_recorded_is_not_asserted_any_more():
    mock = Build(Symbol("unittest.mock", "Mock"), (), (("return_value", Const(1)),))
    calls = (
        Call("operator", "itself", (mock,)),
        Call("arrange", "setattr", (Const("shop.read"), Ref(0))),
        Call("function", "shop:load", ()),
    )
    told = Check(Call("get", "call_args.args", (Ref(0),)), "==", Display("tuple", ()))
    test = Test("shop:load", Sequence(calls), Returned(), (told, Check(Ref(2), "==", Const(1))))
    losses = _Losses()
    assert _without_losses([test], losses) == [test]
    losses.checks[repr(test)] = {0}
    (found,) = _without_losses([test], losses)
    assert found.sequence.calls[0] == Call("arrange", "setattr", (Const("shop.read"), mock))
    assert found.checks == (Check(Ref(1), "==", Const(1)),)


@pytest.mark.parametrize(("gone", "sets"), [({1}, False), ({0}, True), (set(), True)])
def test_who_lost_what_it_asserts_of_the_project_sets_nothing_there(gone, sets):
    bare = Test(
        "shop:load",
        Sequence((Call("function", "shop:load", ()),)),
        Returned(),
        (
            Check(Ref(0), "==", Const(1)),
            Check(Call("get", "count", (Symbol("shop", ""),)), "==", Const(2)),
        ),
    )
    own = with_own_state(bare, [ChangedPlace("shop", "count", Const(1))])
    losses = _Losses()
    losses.checks[repr(own)] = gone
    (found,) = _without_losses([own], losses, {repr(own): bare})
    assert (found.sequence.calls[0].kind == "arrange") is sets
    assert len(found.checks) == 2 - len(gone)
