"""A campaign on a suite with state, threads, exits, expected failures: as plain pytest judges."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from unitcraft.suite.mutation.campaign import CampaignPlan, run_campaign
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource
from unitcraft.suite.recording.record import SuiteSpec

NASTY = """\
import configparser
import importlib
import os
import sys
import threading
import warnings

COUNT = 0
CACHE = {}
SEEN = []
SETTINGS = configparser.ConfigParser()  # of an installed class: nobody can put it back


def tick(step):
    global COUNT
    COUNT += step
    return COUNT


def square(number):
    if number not in CACHE:
        CACHE[number] = number * number
    return CACHE[number]


def setting(name):
    if not SETTINGS.has_section(name):
        SETTINGS.add_section(name)
        SETTINGS.set(name, "length", str(len(name) + 1))
    return SETTINGS.get(name, "length")


def countdown(number):
    while number > 0:
        number -= 1
    return number


def leave(number):
    if number > 5:
        os._exit(0)
    return number


def without(name):
    kept = sys.modules[name]
    sys.modules[name] = None
    try:
        importlib.import_module(name)
    except ImportError:
        return True
    finally:
        sys.modules[name] = kept
    return False


def waits():
    event = threading.Event()
    thread = threading.Thread(target=event.wait, args=(30,), daemon=True)
    thread.start()
    event.set()
    thread.join(1)
    return thread.is_alive()


def squares(count):
    return [(number, number * number) for number in range(count)]


def half(number):
    if number % 2:
        warnings.warn("odd", UserWarning, stacklevel=2)
    return number // 2


def wrong(number):
    return number + 1


def enter(folder):
    os.chdir(folder)
    return os.listdir(".")


class Account:
    total = 0
    names = []

    def __init__(self, balance):
        self.balance = balance
        Account.total += 1

    def pay(self, amount):
        if amount > self.balance:
            raise ValueError("too much")
        self.balance -= amount
        self.names.append(amount)
        return self.balance
"""

CONFTEST = """\
import pytest

import nasty


@pytest.fixture(autouse=True)
def tidy():
    nasty.SEEN.append(1)
    yield
    nasty.SEEN.pop()
    assert nasty.SEEN == []


@pytest.fixture(scope="module")
def account():
    return nasty.Account(10)
"""

TEST_NASTY = """\
import logging
import threading
import unittest

import pytest

import nasty


def test_tick():
    assert nasty.tick(1) == nasty.COUNT
    assert nasty.COUNT > 0


def test_needs_tick():
    assert nasty.COUNT > 0


def test_square():
    assert nasty.square(3) == 9
    assert nasty.CACHE == {3: 9}


def test_setting():
    assert nasty.setting("four") == "5"


def test_setting_again():
    assert nasty.setting("four") == "5"
    assert nasty.setting("three") == "6"


def test_countdown():
    assert nasty.countdown(3) == 0


def test_leave():
    assert nasty.leave(5) == 5


def test_without():
    assert nasty.without("json")
    import json

    assert json.loads("1") == 1


def test_waits():
    assert not nasty.waits()
    assert threading.active_count() == 1


@pytest.mark.parametrize(("number", "expected"), nasty.squares(3))
def test_squares(number, expected):
    assert nasty.square(number) == expected


@pytest.mark.filterwarnings("error")
def test_half():
    assert nasty.half(4) == 2
    with pytest.raises(UserWarning):
        nasty.half(3)


@pytest.mark.xfail(strict=True)
def test_wrong():
    assert nasty.wrong(1) == 1


def test_enter(tmp_path, capsys, caplog):
    (tmp_path / "a").touch()
    assert nasty.enter(tmp_path) == ["a"]
    print("text")
    logging.getLogger("nasty").warning("careful")
    assert capsys.readouterr().out == "text\\n"
    assert caplog.messages == ["careful"]


def test_account(account):
    assert account.pay(3) == 7


def test_account_later(account):
    assert account.balance == 7


class TestGroup:
    def setup_method(self):
        self.account = nasty.Account(1)

    def test_total(self):
        assert nasty.Account.total >= 1
        self.account.extra = 1

    def test_plain(self, monkeypatch):
        monkeypatch.setattr(nasty, "COUNT", 100)
        assert nasty.tick(2) == 102
        assert not hasattr(self.account, "extra")


class AccountCase(unittest.TestCase):
    def setUp(self):
        self.account = nasty.Account(5)

    def tearDown(self):
        del nasty.Account.names[:]

    def test_pay(self):
        self.assertEqual(self.account.pay(5), 0)
        self.assertEqual(nasty.Account.names[-1], 5)

    def test_too_much(self):
        with self.assertRaises(ValueError):
            self.account.pay(6)
        with self.subTest(amount=1):
            self.assertEqual(self.account.pay(1), 4)
"""


def written(folder, source):
    (folder / "nasty.py").write_text(source)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_nasty.py").write_text(TEST_NASTY)
    return folder


@pytest.fixture(scope="module")
def progress(tmp_path_factory):
    folder = written(tmp_path_factory.mktemp("nasty").resolve(), NASTY)
    suite = SuiteSpec((), ("nasty",), str(folder), (str(folder),))
    return run_campaign(CampaignPlan(suite, {"nasty": str(folder / "nasty.py")}, each=True))


def judged(progress, function):
    return [one for one in progress.in_order() if one.mutant.function == function]


def verdicts(progress, function):
    return [one.verdict for one in judged(progress, function)]


def test_tests_that_need_others_are_told(progress):
    assert progress.dependent == [
        "test_nasty.py::test_needs_tick",
        "test_nasty.py::test_account_later",
    ]


def test_endless_loops_end(progress):
    assert verdicts(progress, "countdown").count("timeout") == 3


def test_a_process_that_leaves_with_status_0_has_died(progress):
    assert verdicts(progress, "leave")[:5] == ["died", "died", "died", "survived", "died"]


def test_a_failure_that_is_missed_kills(progress):
    killed = [one.test for one in judged(progress, "wrong") if one.is_killed]
    assert killed == ["test_nasty.py::test_wrong"]


def test_state_that_nobody_can_put_back_hides_no_mutant(progress):
    """``SETTINGS`` keeps what the first mutant's test left in it."""
    alive = [one.mutant.id for one in judged(progress, "setting") if not one.is_killed]
    assert alive == ["nasty:setting:9"]


def test_a_module_that_stays_hidden_kills(progress):
    assert [one.is_killed for one in judged(progress, "without")][:7] == [True] * 7


def test_values_of_parametrized_tests_are_made_anew(progress):
    found = judged(progress, "squares")
    assert [(one.mutant.fresh, one.verdict) for one in found] == [(True, "exception")] * 2


def test_each_test_is_told_whether_it_kills(progress):
    first = {one.test for one in progress.in_order() if one.test}
    assert first.isdisjoint(progress.credits)
    assert progress.credits["test_nasty.py::test_squares[1-1]"].startswith("nasty:square:")


def fails_in_plain_pytest(folder):
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, env=env, timeout=60, check=False
    )
    return done.returncode != 0 or b" passed" not in done.stdout


def test_verdicts_are_those_of_plain_pytest(progress, tmp_path):
    source = ModuleSource("nasty", "nasty.py", NASTY)
    mutants = {one.about.id: one for one in source.mutants}
    sample = [one for one in progress.in_order() if one.verdict != "timeout"][1::13]
    wrong = []
    for one in sample:
        folder = written(tmp_path, ast.unparse(source.mutated(mutants[one.mutant.id])))
        if fails_in_plain_pytest(folder) != one.is_killed:
            wrong.append(one)
    assert len(sample) > 6
    assert wrong == []
