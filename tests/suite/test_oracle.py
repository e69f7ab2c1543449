"""Observation from end to end: real workers, original code, two processes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from source_lab import Lab

from unitcraft.core import rule_codes
from unitcraft.core.call_text import call_text
from unitcraft.core.goals import Family, Goal
from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import Call, Const, Ref, Sequence, Symbol
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.observer_calls import observer_call
from unitcraft.explore.execution import Execution
from unitcraft.subject.reading.environment_names import telling_values
from unitcraft.suite.generated.oracle import _printing_nothing, _telling, observe, open_elsewhere
from unitcraft.suite.generated.procedures import Procedures
from unitcraft.suite.relations import CALLABLE
from unitcraft.suite.tests import Check, Test

SOURCE = '''
import random
import time

class Shelf:
    """A container with state, a property and a context."""

    count = 0

    def __init__(self, *items):
        self._items = list(items)
        self.limit = 3
        Shelf.count += 1

    def put(self, item):
        if len(self._items) >= self.limit:
            raise OverflowError(f"no room for {item}")
        self._items.append(item)

    def __iter__(self):
        return iter(self._items)

    @property
    def width(self):
        return self.limit * 10

    @width.setter
    def width(self, value):
        self.limit = value // 10

    def __enter__(self):
        self._items.append("open")
        return self

    def __exit__(self, *_):
        self._items.append("closed")

    def made(self):
        return Shelf.count

def countdown(number):
    while number:
        yield number
        number -= 1

def halves(number):
    return iter([number / 2, number / 3])

async def later(name):
    return name * 2

def third():
    return 1 / 3

def nothing():
    return None

def now():
    return time.time()

def on_wednesdays():
    return "open" if time.localtime().tm_wday == 2 else "closed"

def before_nine():
    return [time.localtime().tm_hour < 9]

def platforms():
    import platform, sys
    return [sys.platform, platform.system(), platform.machine(), platform.python_version()]

def parse():
    import sys
    for word in sys.argv[1:]:
        if word.startswith("-"):
            raise ValueError(word)

def pack(text):
    import base64, zlib
    return base64.b16encode(zlib.compress(text.encode())).decode()

def caller():
    import sys
    frame = sys._getframe(1)
    return [frame.f_code.co_filename, frame.f_lineno, "kept"]

def order():
    return list({"ab", "cd", "ef", "gh", "ij", "kl", "mn"})

def coin():
    if random.random() < 2:
        return hash("seed") % 1000

def flip():
    if hash("abc") & 1:  # differs between the two hash seeds
        raise ValueError

def spin():
    while True:
        pass

def leave():
    import os
    os._exit(3)

def hoard():
    return len(bytearray(1 << 45))

def share():
    import os
    return os.mkfifo("/unitcraft-pipe")  # no event tells: the kernel refuses it in the sandbox

class Crate:
    def __init__(self, shelf):
        self._shelf = shelf

    def add(self, item):
        self._shelf.put(item)

def keep_small(items):
    items[:] = [item for item in items if item < 3]

def report(out, text="all"):
    out.write(text)
    return len(text)

class Ticket:
    def __init__(self, name):
        self.name = name
        self.number = random.random()

class Key:
    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

SEEN = []

def note(item):
    SEEN.append(item)

def pop():
    return SEEN.pop() if SEEN else None

def own_refusal():
    raise PermissionError("members only")
'''

#: name -> (Sequence, outcome type or None, {observed: (relation, value)}).
EXPECTED = {
    "made": ("Shelf(1, 2)", None, {"list": ("==", "[1, 2]")}),
    "put": ("s = Shelf(1)\ns.put(2)", None, {"list": ("==", "[1, 2]")}),
    "full": ("s = Shelf(1, 2, 3)\ns.put(4)", "OverflowError:no room for 4", {}),
    "get": ("s = Shelf()\ns.width", None, {"result": ("==", "30")}),
    "set": ("s = Shelf()\ns.width = 70", None, {"limit": ("==", "7")}),
    "counted": ("s = Shelf()\ns.made()", None, {"result": ("==", "1")}),
    "countdown": ("drain(countdown(3))", None, {"result": ("==", "[3, 2, 1]")}),
    "lazy": ("countdown(2)", None, {"list": ("==", "[2, 1]")}),
    "iterator": ("halves(1)", None, {"list": ("approx", "[0.5, 0.3333333333333333]")}),
    "later": ("await later('ab')", None, {"result": ("==", "'abab'")}),
    "third": ("third()", None, {"result": ("approx", "0.3333333333333333")}),
    "nothing": ("nothing()", None, {"result": ("is", "None")}),
    "now": ("now()", None, {"result": ("isinstance", "float")}),
    "weekday": ("on_wednesdays()", None, {"result": ("isinstance", "str")}),
    "hour": ("before_nine()", None, {"result": ("isinstance", "list")}),
    "system": ("platforms()", None, {"len": ("==", "4")}),
    "compressed": ("pack('abcdabcdabcdabcdabcd')", None, {"result": ("isinstance", "str")}),
    "caller": ("caller()", None, {"len": ("==", "3")}),
    "order": ("order()", None, {"result": ("isinstance", "list")}),
    "coin": ("coin()", None, {"result": ("isinstance", "int")}),
    "list in place": ("keep_small([1, 5, 2])", None, {"result": ("==", "[1, 2]")}),
    "by keyword": ("keep_small(items=[5])", None, {"result": ("==", "[]")}),
    "unchanged": ("keep_small([1])", None, {"result": ("is", "None")}),
    "inside another": ("s = Shelf(1)\nc = Crate(s)\nc.add(5)", None, {"list": ("==", "[1, 5]")}),
    "partly by chance": ("Ticket('a')", None, {"name": ("==", "'a'")}),
    "hash": ("k = Key('a')\nhash(k)", None, {"result": ("is", "True")}),
    "own state": ("note(3)", None, {"SEEN": ("==", "[3]")}),
    "state of before": ("note(3)\nnote(4)\npop()", None, {"SEEN": ("==", "[3]")}),
    "state left alone": ("note(3)\nthird()", None, {"result": ("approx", "0.3333333333333333")}),
    "own_refusal": ("own_refusal()", "PermissionError:members only", {}),
}  # fmt: skip
DROPPED = {
    "spin": ("spin()", rule_codes.BUDGET),
    "leave": ("leave()", rule_codes.CRASH),
    "flip": ("flip()", rule_codes.UNSTABLE),
    "parse": ("parse()", rule_codes.UNSTABLE),
    "hoard": ("hoard()", rule_codes.TOO_LARGE),
    "share": ("share()", rule_codes.BLOCKED),
}


def text_of(arg):
    """The source text of a plain term."""
    if isinstance(arg, Const):
        return repr(arg.value)
    if isinstance(arg, Symbol):
        return arg.qualname
    inner = ", ".join(map(text_of, arg.items))
    return {"list": f"[{inner}]", "tuple": f"({inner},)"}[arg.kind]


def goal_of(name):
    return Goal(Family.RESULT if name == "silent" else Family.BRANCH, scope=name)


@pytest.fixture(scope="module")
def observed(tmp_path_factory):
    """(Tests by name, Findings by target) of all rows at once."""
    folder = tmp_path_factory.mktemp("oracle")
    Path(folder, "sample.py").write_text(SOURCE)
    rows = {name: row[0] for name, row in (EXPECTED | DROPPED).items()}
    rows |= {"entered": "", "silent": "now()"}
    chosen = []
    for name, text in rows.items():
        sequence = Lab.sequence(None, text or "s = Shelf()\nlist(s)")
        if name == "entered":
            calls = (sequence.calls[0], Call("operator", "with", sequence.calls[1].args))
            sequence = type(sequence)(calls)
        run = Execution(f"sample:{name}", sequence, None, "", (), (), (), ())
        chosen.append((run, (goal_of(name),)))
    spec = HostSpec(
        "unitcraft.explore.agents.search_agent",
        {"module": "sample", "rewrite": False},
        paths=(str(folder),),
        item_seconds=0.3,
        steps=20_000,
        traced=True,
    )
    found = observe(chosen, spec, 2, {})
    tests = {test.invocable.partition(":")[2]: test for test in found.tests}
    return tests, {finding.target.partition(":")[2]: finding for finding in found.findings}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_observed_is_asserted(observed, name):
    test = observed[0][name]
    _, raised, checks = EXPECTED[name]
    if raised is None:
        assert not isinstance(test.outcome, Raised)
    else:
        assert f"{test.outcome.type}:{test.outcome.message}" == f"builtins:{raised}"
    seen = {
        getattr(check.observed, "name", "result"): (check.relation, text_of(check.expected))
        for check in test.checks
    }
    assert checks.items() <= seen.items()
    assert len(seen) <= len(checks) + 1
    assert test.goals == (goal_of(name),)


def test_every_test_starts_from_fresh_module_state(observed):
    """``Shelf.count`` is 1 after one Shelf, however many the neighbours made."""
    assert text_of(observed[0]["counted"].checks[0].expected) == "1"


def test_a_context_is_entered_and_left(observed):
    checks = observed[0]["entered"].checks
    assert [text_of(c.expected) for c in checks if getattr(c.observed, "name", "") == "list"] in (
        [], ["['open', 'closed']"],
    )  # fmt: skip
    assert checks


@pytest.mark.parametrize("name", DROPPED)
def test_what_cannot_be_observed_is_a_finding(observed, name):
    tests, findings = observed
    assert name not in tests
    assert findings[name].code == DROPPED[name][1]


def test_what_asserts_nothing_and_reaches_no_branch_is_left_out(observed):
    tests, findings = observed
    assert "now" in tests
    assert "silent" not in tests
    assert "silent" not in findings


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("import os\nMODE = os.environ.get('APP', 'x')", "other"),
        ("import os\nIS_ON = os.environ.get('APP', '').lower() in ('true', '1')", "true"),
        ("import os\nPORT = int(os.environ.get('APP', '80'))", "7"),
        ("import os\nFILES = os.listdir(os.environ.get('APP', '.'))", "/"),
        ("import os\nif 'APP' in os.environ: raise OSError", None),
    ],
)
def test_variables_have_another_value_with_which_the_module_imports(tmp_path, source, value):
    Path(tmp_path, "sample.py").write_text(source)
    spec = HostSpec(
        "unitcraft.explore.agents.search_agent",
        {"module": "sample", "rewrite": False},
        paths=(str(tmp_path),),
    )
    pool, surroundings = open_elsewhere(spec, 1, ("APP",), telling_values(source))
    pool.close()
    assert surroundings.variables == ("APP",)
    assert dict(surroundings.other).get("APP") == value
    assert dict(surroundings.other)["USER"] == "other"


OPTIONAL = "try:\n    import nowhere\nexcept ImportError:\n    nowhere = None\n"


@pytest.mark.parametrize(
    ("more", "told"),
    [("", {}), ("else:\n    LIMIT = nowhere.LIMIT + 1\n", {"nowhere": None})],
)
def test_optional_modules_are_there_where_the_module_imports_with_them(tmp_path, more, told):
    Path(tmp_path, "sample.py").write_text(OPTIONAL + more)
    asked = {"module": "sample", "rewrite": False}
    spec = HostSpec(
        "unitcraft.explore.agents.search_agent", asked, (str(tmp_path),), focus=("sample",),
        lends=True,
    )  # fmt: skip
    pool, surroundings = open_elsewhere(spec, 1, (), {})
    pool.close()
    assert pool.notes["told"] == told
    assert dict(surroundings.other)["USER"] == "other"


def test_what_a_missing_module_decides_is_no_expected_value(tmp_path):
    calls = f"{OPTIONAL}def kind():\n    return 'slow' if nowhere is None else 'fast'\n"
    calls += "def size(word):\n    return len(word) if nowhere is None else len(word)\n"
    Path(tmp_path, "sample.py").write_text(calls)
    asked = {"module": "sample", "rewrite": False}
    spec = HostSpec(
        "unitcraft.explore.agents.search_agent", asked, (str(tmp_path),), focus=("sample",)
    )
    bare = Lab.sequence(None, "kind()")
    size = Lab.sequence(None, "size('abc')")
    missing = Call("arrange", "setattr", (Const("sample.nowhere"), Const(None)))
    chosen = [
        (Execution("sample:kind", sequence, None, "", (), (), (), ()), (goal_of("kind"),))
        for sequence in (bare, Sequence((missing, *bare.calls)), Sequence((missing, *size.calls)))
    ]
    tests = observe(chosen, spec, 1, {}).tests
    shown = [[(check.relation, text_of(check.expected)) for check in test.checks] for test in tests]
    assert shown == [[("isinstance", "str")], [("==", "'slow'")], [("==", "3")]]
    assert [test.sequence.calls[0] == missing for test in tests] == [False, True, True]
    assert [test.idle for test in tests] == [frozenset(), frozenset(), {missing}]


def test_a_module_of_nothing_but_clocks_has_the_class_of_what_they_show(tmp_path):
    Path(tmp_path, "sample.py").write_text("import time\ndef now():\n    return time.time()\n")
    sequence = Lab.sequence(None, "now()")
    run = Execution("sample:now", sequence, None, "", (), (), (), ())
    asked = {"module": "sample", "rewrite": False}
    spec = HostSpec("unitcraft.explore.agents.search_agent", asked, paths=(str(tmp_path),))
    (test,) = observe([(run, (goal_of("silent"),))], spec, 1, {}).tests
    assert [(one.relation, text_of(one.expected)) for one in test.checks] == [
        ("isinstance", "float")
    ]


def test_a_made_object_is_told_by_what_differs_between_the_tests_of_its_maker(tmp_path):
    code = (
        "class Session:\n    def __init__(self, retry):\n"
        "        self.redirects = 30\n        self.tries = 5 if retry else 0\n"
        "def session(retry=True):\n    return Session(retry)\n"
    )
    Path(tmp_path, "sample.py").write_text(code)
    asked = {"module": "sample", "rewrite": False}
    spec = HostSpec("unitcraft.explore.agents.search_agent", asked, paths=(str(tmp_path),))

    def observed(*texts: str) -> list[str]:
        sequences = [Lab.sequence(None, text) for text in texts]
        runs = [Execution("sample:session", one, None, "", (), (), (), ()) for one in sequences]
        made = observe([(run, (goal_of("session"),)) for run in runs], spec, 1, {}).tests
        return [call_text(check.observed, ("made",)) for test in made for check in test.checks]

    assert observed("session(False)") == ["made.redirects"]
    assert observed("session(False)", "session()") == ["made.tries", "made.tries"]


def test_of_a_dictionary_that_asks_the_time_a_test_asserts_the_rest(tmp_path):
    code = (
        "import time\ndef facts():\n"
        "    return {'at': {'now': time.time(), 'zone': 'UTC'}, 'name': 'x'}\n"
    )
    Path(tmp_path, "sample.py").write_text(code)
    run = Execution("sample:facts", Lab.sequence(None, "facts()"), None, "", (), (), (), ())
    asked = {"module": "sample", "rewrite": False}
    spec = HostSpec("unitcraft.explore.agents.search_agent", asked, paths=(str(tmp_path),))
    inner = observer_call("get", '["at"]["zone"]', 0)
    goals = (goal_of("facts"), Goal(Family.MUTANT, 1))
    kills = {run.sequence.key: {goals[1]: (repr(inner),)}}
    for chosen, reveals, expected in (
        ((goals[0],), {}, ["list(made)"]), (goals, kills, ['made["at"]["zone"]']),
    ):  # fmt: skip
        (test,) = observe([(run, chosen)], spec, 1, reveals).tests
        assert [call_text(one.observed, ("made",)) for one in test.checks] == expected


def test_what_asserts_nothing_is_left_out_where_others_reach_as_much():
    calls = (Call("function", "m:f"),)
    told = Test("m:f", Sequence(calls), Returned(), (Check(Ref(0), "==", Const(1)),), took=(1, 2))
    silent = Test("m:f", Sequence(calls), Returned(), took=(2,))
    alone = replace(silent, took=(3,))
    assert _telling([told, silent, alone]) == [told, alone]
    callable_ = replace(silent, checks=(Check(Ref(0), "isinstance", CALLABLE),))
    assert _telling([told, callable_, replace(callable_, took=(3,))])[1:] == [
        replace(callable_, took=(3,))
    ]


def test_where_a_function_might_print_a_test_asserts_that_it_did_not():
    procedures = Procedures("def debug(text):\n    if text:\n        print(text)\n")
    test = Test("m:debug", Sequence((Call("function", "m:debug", (Const(""),)),)), Returned())
    expected = (Check(Call("output", "out"), "==", Const("")),)
    assert _printing_nothing(test, procedures).checks == expected
    told = replace(test, checks=(Check(Ref(0), "==", Const(1)),))
    assert _printing_nothing(told, procedures) == told
