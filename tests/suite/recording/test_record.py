"""Every kind of test that pytest runs is recorded, test by test, in a guarded process."""

from __future__ import annotations

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.policy import Policy
from unitcraft.suite.existing.redundancy import redundant_tests
from unitcraft.suite.recording.guest.test_locations import CallsOfTests
from unitcraft.suite.recording.record import SuiteSpec, record_suite, time_suite
from unitcraft.suite.recording.recorded_functions import Subjects

SUBJECT = '''
class Counter:
    """Counts.

    >>> Counter(3).add(4)
    7
    """

    def __init__(self, start=0):
        self.value = start

    def add(self, number):
        self.value += number
        return self.value


def twice(number):
    return 2 * number
'''

SUITE = """
import os
import unittest

import pytest
from shop.counter import Counter, twice


def test_function():
    assert twice(2) == 4


class TestClass:
    def test_method(self):
        assert Counter().add(1) == 1


@pytest.fixture
def counter():
    yield Counter(5)


def test_fixture(counter):
    counter.add(1)


@pytest.mark.parametrize("number", [1, 2])
def test_rows(number):
    twice(number)


class Case(unittest.TestCase):
    def setUp(self):
        self.counter = Counter()

    def test_case(self):
        for number in (1, 2):
            with self.subTest(number=number):
                self.counter.add(number)


@pytest.mark.skip
def test_skipped():
    twice(1)


def test_failing():
    assert twice(1) == 3


@pytest.mark.xfail
def test_expected_failure():
    assert twice(1) == 3
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "counter.py").write_text(SUBJECT)
    (tmp_path / "test_shop.py").write_text(SUITE)
    return tmp_path


def spec_of(folder, *arguments, **more):
    return SuiteSpec(arguments, ("shop",), str(folder), (str(folder),), **more)


def executed(recording):
    """Node without file -> (verdict, names of the executed functions)."""
    return {
        test.node.partition("::")[2]: (
            test.verdict,
            [one.invocable.partition(":")[2] for one in recording.executions(test)],
        )
        for test in recording.tests
    }


def test_every_kind_of_test_is_recorded(folder):
    made, added = "Counter.__init__", "Counter.add"
    assert executed(record_suite(spec_of(folder, "--doctest-modules"))) == {
        "shop.counter.Counter": ("passed", [made, added]),
        "test_function": ("passed", ["twice"]),
        "TestClass::test_method": ("passed", [made, added]),
        "test_fixture": ("passed", [made, added]),
        "test_rows[1]": ("passed", ["twice"]),
        "test_rows[2]": ("passed", ["twice"]),
        "Case::test_case": ("passed", [made, added, added]),
        "test_skipped": ("skipped", []),
        "test_failing": ("failed", ["twice"]),
        "test_expected_failure": ("skipped", ["twice"]),
    }


SCOPES = """
import unittest

import pytest
from shop.counter import Counter, twice


@pytest.fixture(scope="module", autouse=True)
def module_counter():
    return Counter(1)


@pytest.fixture(scope="class", params=[10, 20])
def shared(request):
    counter = Counter(request.param)
    yield counter
    counter.add(0)


@pytest.mark.usefixtures("shared")
class TestShared:
    def test_first(self, shared):
        shared.add(1)

    def test_second(self, shared):
        assert shared.add(1) > 2


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.counter = Counter(5)

    def test_case(self):
        for number in (1, 2):
            with self.subTest(number=number):
                self.assertGreater(self.counter.add(number), number)

    def test_failing(self):
        with self.subTest(number=1):
            self.assertEqual(twice(1), 3)
        with self.subTest(number=2):
            self.assertEqual(twice(2), 4)
"""


def test_fixtures_of_all_scopes_count_for_the_test_that_they_run_in(folder):
    """What is made for a class belongs to its first test; pytest tears it down before the next."""
    (folder / "test_shop.py").write_text(SCOPES)
    recording = record_suite(spec_of(folder, "-p", "no:randomly"))
    made, added = "Counter.__init__", "Counter.add"
    assert executed(recording) == {
        "TestShared::test_first[10]": ("passed", [made, made, added]),
        "TestShared::test_second[10]": ("passed", [added]),
        "TestShared::test_first[20]": ("passed", [added, made, added]),
        "TestShared::test_second[20]": ("passed", [added, added]),
        "Case::test_case": ("passed", [made, added, added]),
        "Case::test_failing": ("failed", ["twice", "twice"]),
    }
    assert not redundant_tests(recording, "PairwiseEquals")


def test_the_test_that_kills_the_process_is_named(folder):
    (folder / "test_shop.py").write_text(
        "import os\nfrom shop.counter import twice\n"
        "def test_one():\n    twice(1)\ndef test_two():\n    os._exit(3)\n"
    )
    recording = record_suite(spec_of(folder))
    assert executed(recording) == {"test_one": ("passed", ["twice"]), "test_two": ("died", [])}


WRITING = "import os\ndef test_write():\n    open(os.path.abspath('left.txt'), 'w').close()\n"


def test_effects_outside_are_refused_unless_waived(folder):
    (folder / "test_shop.py").write_text(WRITING)
    assert [test.verdict for test in record_suite(spec_of(folder)).tests] == ["failed"]
    assert not (folder / "left.txt").exists()
    open_here = Policy(allow=(("open", f"{folder}/*"),))
    relaxed = record_suite(spec_of(folder, policy=open_here))
    assert [test.verdict for test in relaxed.tests] == ["passed"]


def test_a_suite_without_tests_is_an_error(folder):
    (folder / "test_shop.py").write_text("")
    with pytest.raises(UnitcraftError, match="suite-not-run"):
        record_suite(spec_of(folder))


OF_THE_FRAMEWORK = """
import pluggy
import pytest

hook = pluggy.HookspecMarker("a")

@pytest.fixture
def manager():
    return pluggy.PluginManager("a")

def test_one():
    assert pluggy.PluginManager("b").project_name == "b"

def test_fixture(manager):
    assert manager

def test_through_pytest():
    pytest.raises(AssertionError, pluggy.PluginManager("c").unregister, None, "d")

def test_without():
    assert hook
"""


def test_calls_of_pytest_itself_are_no_executions_of_a_test(tmp_path):
    """Each step of each test goes through pluggy, with all that pytest holds as its state."""
    (tmp_path / "test_own.py").write_text(OF_THE_FRAMEWORK)
    recording = record_suite(SuiteSpec((), ("pluggy",), str(tmp_path), (str(tmp_path),)))
    called = {name: sites[:1] for name, (_, sites) in executed(recording).items()}
    made = ["PluginManager.__init__"]
    assert called == {
        "test_one": made,
        "test_fixture": made,
        "test_through_pytest": made,
        "test_without": [],
    }
    assert executed(recording)["test_through_pytest"][1] == [*made, "PluginManager.unregister"]
    assert "costly" not in {one.kind for one in recording.assumptions}


def test_whose_calls_they_are_is_asked_only_where_the_subjects_are_loaded_before_the_suite():
    assert CallsOfTests.where_needed(Subjects(("not_loaded_yet",))) is None
    calls = CallsOfTests.where_needed(Subjects(("pluggy",)))
    assert calls is not None
    assert not calls.is_made_now()
    calls.learn([__file__])
    assert calls.is_made_now()


def test_plain_run_is_timed(folder):
    assert 0 < time_suite(spec_of(folder)) < 60


def test_states_are_the_same_for_every_hash_seed(folder):
    """Digests, not addresses: two runs give the same recording, times apart."""
    one, other = (record_suite(spec_of(folder)) for _ in range(2))
    assert (one.digests, one.numbers, one.invocables) == (
        other.digests,
        other.numbers,
        other.invocables,
    )


def test_examples_of_hypothesis_are_no_effects(folder):
    (folder / "test_shop.py").write_text(
        "from hypothesis import given, strategies\nfrom shop.counter import twice\n"
        "@given(strategies.integers())\ndef test_one(number):\n    twice(number)\n"
    )
    (test,) = record_suite(spec_of(folder)).tests
    assert (test.verdict, test.effects) == ("passed", ())
    assert not (folder / ".hypothesis").exists()
