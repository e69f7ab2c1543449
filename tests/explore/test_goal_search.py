"""The search itself, on a pool without processes: what it reaches and that it repeats itself."""

from __future__ import annotations

import dataclasses

import pytest
from source_lab import LocalPool

from unitcraft.core.containment import Containment, TimeGuard
from unitcraft.core.events import SilentListener
from unitcraft.core.goals import Family
from unitcraft.core.outcomes import Rejected
from unitcraft.execute.spec import Reply
from unitcraft.explore.search.goal_search import STALE_VARYING_ROUNDS, GoalSearch
from unitcraft.explore.search.search_result import Limits
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.variation.stepping_stones import SteppingStones
from unitcraft.subject.values.user_factories import UserValues
from unitcraft.subject.values.value_pools import ValuePools


def searched(one, limits=None, seed=0, pool=None, user=None, contained=None):
    user = user or UserValues()
    search = GoalSearch(
        one.subject, one.sites, one.branches.table.raises,
        pool or one.pool(), ValuePools(one.subject, user), user, seed,
        contained=contained,
    )  # fmt: skip
    return search, search.explore(limits or Limits(4000), SilentListener())


def missed(found):
    return [(site.line, site.kind, site.outcome) for site in found.goals.missed()
            if site.kind != "condition"]  # fmt: skip


FOUND = {
    "equality with a far number": """
        def f(code: int):
            if code == 31337:
                return 1
            return 0
        """,
    "a number after arithmetic": """
        def f(code: int):
            if code + 1000 == 4321:
                return 1
            return 0
        """,
    "a prefix, then the rest": """
        def f(line: str):
            if line.startswith("key="):
                if line.endswith(";"):
                    return 2
                return 1
            return 0
        """,
    "a regular expression": """
        import re
        def f(line: str):
            if re.fullmatch(r"[A-F]{3}-\\d+", line):
                return 1
            return 0
        """,
    "a key of a table": """
        TABLE = {"zebra": 1}
        def f(name: str):
            try:
                return TABLE[name]
            except KeyError:
                return None
        """,
    "the length of a list": """
        def f(items: list[int]):
            if len(items) == 7:
                return 1
            return 0
        """,
    "an element of a list": """
        def f(items: list[str]):
            if len(items) > 1 and items[1] == "magic":
                return 1
            return 0
        """,
    "untyped digits": """
        def f(word):
            if word.isdigit():
                return 1
            return 0
        """,
    "a depth of five": """
        class Shelf:
            def __init__(self):
                self.items = []
            def put(self, item: int):
                if len(self.items) >= 5:
                    raise OverflowError
                self.items.append(item)
        """,
    "a state machine": """
        class Door:
            def __init__(self):
                self.state = "shut"
            def step(self, word: str):
                if self.state == "shut" and word == "unlock":
                    self.state = "unlocked"
                elif self.state == "unlocked" and word == "open":
                    self.state = "open"
                elif self.state == "open":
                    return True
                return False
        """,
    "two objects": """
        class Box:
            def __init__(self, size: int):
                self.size = size
            def fits(self, other: "Box"):
                if other.size > self.size:
                    return False
                return True
        """,
    "a type asked for": """
        def f(thing):
            if isinstance(thing, bytes):
                return 1
            return 0
        """,
    "a generator and a coroutine": """
        def numbers(limit: int):
            for number in range(limit):
                yield number
        async def later(name: str):
            if name == "now":
                return 1
            return 0
        """,
    "a setter that refuses": """
        class Box:
            def __init__(self):
                self._width = 1
            @property
            def width(self) -> int:
                return self._width
            @width.setter
            def width(self, value: int):
                if value > 500:
                    raise ValueError("too wide")
                self._width = value
        """,
    "a getter that depends on the state": """
        class Box:
            def __init__(self):
                self._width = 1
            @property
            def wide(self) -> bool:
                if self._width > 3:
                    return True
                return False
            def widen(self):
                self._width += 1
        """,
    "what a decorator returns": """
        def limited(top: int):
            def decorate(function):
                def wrapper(*args):
                    value = function(*args)
                    if value > top:
                        return top
                    return value
                return wrapper
            return decorate
        """,
    "lines and their indentation": """
        def outline(text):
            stack = [(-1, [])]
            for line in text.split("\\n"):
                if not line.strip():
                    continue
                depth = len(line) - len(line.lstrip(" "))
                if depth % 2:
                    raise ValueError("odd indentation")
                while stack[-1][0] >= depth:
                    stack.pop()
                if depth > stack[-1][0] + 2 and len(stack) > 1:
                    raise ValueError("too deep")
                children = []
                if line.strip().startswith("- "):
                    stack[-1][1].append(("item", line.strip()[2:], children))
                else:
                    stack[-1][1].append((line.strip(), children))
                stack.append((depth, children))
            return stack[0][1]
        """,
    "keys of a nested mapping": """
        def build(config):
            if "host" not in config:
                raise ValueError("host")
            url = "http"
            if config.get("secure"):
                url += "s"
            url += "://" + str(config["host"])
            if "auth" in config:
                auth = config["auth"]
                if "token" in auth:
                    url += "?token=" + str(auth["token"])
                elif "user" in auth:
                    url += "?user=" + str(auth["user"])
                    if auth.get("password"):
                        url += "&pw"
            for item in config.get("headers", []):
                url += str(item)
            try:
                url += ":" + str(int(config["port"]))
            except KeyError:
                url += ":80"
            return url
        """,
    "names of keyword arguments": """
        class Style:
            def __init__(self, color="red", bold=False, **extra):
                self.color, self.bold, self.extra = color, bold, extra
        class Text:
            def __init__(self, text, **kwargs):
                self.width = kwargs.pop("width", None)
                self.align = kwargs.get("align", "left")
                if "padding" in kwargs:
                    self.padding = kwargs.pop("padding")
                else:
                    self.padding = 0
                self.text = text
                self.style = kwargs
            def render(self):
                text = " " * int(self.padding) + str(self.text)
                if self.width:
                    if self.align == "right":
                        return text.rjust(int(self.width))
                    if self.align == "center":
                        return text.center(int(self.width))
                    return text.ljust(int(self.width))
                return text
        """,
    "options of a constructor": """
        class Writer:
            def __init__(self, separator=",", escape=None, strict=False, inclusive=(True, True)):
                self.separator, self.escape = separator, escape
                self.strict, self.inclusive = strict, inclusive
            def cell(self, value):
                if value is None:
                    if self.strict:
                        raise ValueError("null")
                    return ""
                text = str(value)
                if self.separator in text:
                    if self.escape:
                        return text.replace(self.separator, self.escape + self.separator)
                    if self.strict:
                        raise ValueError("separator")
                return text
            def contains(self, low: int, high: int, value: int):
                left, right = self.inclusive
                if left and right:
                    return low <= value <= high
                if left:
                    return low <= value < high
                if right:
                    return low < value <= high
                return low < value < high
        """,
    "an argument that the code refuses": '''
        def words(text):
            """Words.

            :type text: str
            """
            if not isinstance(text, str):
                raise ValueError("no text")
            return len(text.split())
    ''',
    "an argument that the code refuses, beside those that it shows": '''
        from collections.abc import Iterable
        class Row:
            def __init__(self, values: list[int]):
                self.values = values

            def __getitem__(self, where):
                """Cells.

                >>> Row([1, 2, 3])[1]
                2
                >>> Row([1, 2, 3])[[0, 2]]
                [1, 3]
                """
                if isinstance(where, Iterable):
                    return [self.values[one] for one in where]
                if isinstance(where, slice) or hasattr(where, "__index__"):
                    return self.values[where]
                else:
                    raise TypeError(f"no row has {where!r}")
    ''',
    "the receiver as its own argument": """
        class Interval:
            def __init__(self, low: int, high: int):
                self.low, self.high = low, high
            def merge(self, other):
                if other is self:
                    return self
                if isinstance(other, Interval):
                    return Interval(min(self.low, other.low), max(self.high, other.high))
                return None
        """,
}


@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_every_branch_is_found(lab, text):
    _, found = searched(lab(text))
    assert missed(found) == []
    assert not found.truncated


def test_what_varying_did_not_reach_is_not_varied_again_before_anything_changed(lab, monkeypatch):
    least = []
    plan = SteppingStones.plan

    def counted(self, each, at_least):
        least.append(at_least)
        return plan(self, each, at_least)

    monkeypatch.setattr(SteppingStones, "plan", counted)
    one = lab("""
        def f(n: int):
            if n * n == 2:
                return 1
            return 0
        """)
    search, _ = searched(one)
    rounds = sum(map(bool, least))
    assert rounds == STALE_VARYING_ROUNDS
    search._alternate(Limits(8000), SilentListener())
    assert sum(map(bool, least)) == rounds


@pytest.mark.parametrize("name", ["a depth of five", "a prefix, then the rest", "two objects"])
def test_the_same_seed_finds_the_same(lab, name):
    one = lab(FOUND[name])
    first, again = (searched(one)[1] for _ in range(2))
    assert repr(first.goals.best) == repr(again.goals.best)
    assert (first.executions, first.rounds) == (again.executions, again.rounds)


def test_no_sequence_is_run_twice_and_the_bound_is_kept(lab):
    one = lab(FOUND["a state machine"])
    one.run("d = Door()\nd.step('a')")  # what the first run of a process imports takes its time
    seen = []
    pool = one.pool()
    run = pool.services["run"]
    pool.services["run"] = lambda calls: seen.append(repr(calls)) or run(calls)
    _, found = searched(one, Limits(150), pool=pool)
    assert len(set(seen)) == len(seen) == found.executions <= 150


def test_a_deadline_that_passed_truncates(lab):
    guard = TimeGuard(-1.0)
    guard.start()
    _, found = searched(lab(FOUND["two objects"]), Limits(guard=guard))
    assert found.truncated
    assert found.rounds == 0


def test_refused_runs_are_noted_and_lead_nowhere(lab):
    one = lab(FOUND["equality with a far number"])

    class Refusing(LocalPool):
        def map(self, service, items, **_):
            for item in items:
                yield (
                    Reply(None, Rejected("open", "sample.py:3"))
                    if service == "run"
                    else Reply(self.services[service](item))
                )

    pool = Refusing(one.pool().services)
    _, found = searched(one, Limits(40), pool=pool)
    assert found.goals.best == {}
    assert len(found.blocked) == found.executions > 0
    assert {entry.invocable for entry in found.blocked} == {"sample:f"}


def test_documented_examples_are_run_first(lab):
    one = lab('''
        def f(word: str, number: int):
            """Words.

            >>> f("zq-17-xk", 990017)
            1
            """
            if hash(word) == hash("zq-17-xk") and number % 1000003 == 990017:
                return 1
            return 0
        ''')
    search, found = searched(one)
    assert missed(found) == []
    assert "zq-17-xk" in repr(search.corpus()[0].sequence)


def test_what_documented_examples_answer_is_iterated(lab):
    one = lab('''
        def f(words, **options):
            """Words.

            >>> list(f(["zq-17-xk"], key=len))
            ["zq-17-xk"]
            """
            return _each(words, options.get("key"))

        def _each(words, key):
            for word in words:
                yield key(word) if key else word
        ''')
    search, _ = searched(one, Limits(2))
    calls = [run.sequence.calls[-1] for run in search.corpus()]
    assert [(call.then, [name for name, _ in call.kwargs]) for call in calls] == [
        ("", ["key"]), ("drain", ["key"]),
    ]  # fmt: skip


def test_misuse_is_counted_apart_and_makes_no_goal(lab):
    one = lab("def f(thing: int):\n    return thing.no_such_thing()\n")
    _, found = searched(one)
    assert found.tried["sample:f"] > 0
    assert found.sensible["sample:f"] == 0
    assert found.goals.best == {}


def test_every_goal_is_shown_by_its_run_again(lab):
    one = lab(FOUND["a state machine"])
    _, found = searched(one)
    for goal, (_, run) in found.goals.best.items():
        again = one.run(run.sequence, run.invocable.partition(":")[2])
        assert dataclasses.replace(again, comparisons=()) == dataclasses.replace(
            run, comparisons=()
        )
        assert goal in found.goals.goals_of(again)


def test_methods_that_change_the_state_are_known(lab):
    one = lab("""
        class Box:
            def __init__(self):
                self.items = []
            def put(self, item: int):
                self.items.append(item)
            def size(self):
                return len(self.items)
        """)
    search, _ = searched(one)
    assert "sample:Box.put" in search.changing
    assert "sample:Box.size" not in search.changing


def test_private_code_that_nothing_public_enters_is_searched_afterwards(lab):
    one = lab("""
        def double(n: int):
            return 2 * n
        def _halve(n: int):
            if n % 2:
                raise ValueError(n)
            return n // 2
        class _Pair:
            def __init__(self, left: int):
                self.left = left
            def swap(self):
                return -self.left if self.left > 7 else self.left
        """)
    search, found = searched(one)
    assert missed(found) == []
    assert {"sample:_halve", "sample:_Pair.swap"} <= set(search.proposers)


def test_private_code_that_public_code_enters_is_not_called_by_itself(lab):
    one = lab("""
        def double(n: int):
            return _twice(n)
        def _twice(n):
            return 2 * n
        """)
    search, found = searched(one)
    assert missed(found) == []
    assert list(search.proposers) == ["sample:double"]


def test_a_class_that_only_inherits_has_one_goal_where_there_is_no_other(lab):
    one = lab("""
        class MissingError(LookupError):
            pass
        """)
    _, found = searched(one)
    assert [goal.scope for goal in found.goals.best if goal.family is Family.RETURN] == [
        "sample:MissingError"
    ]


def test_a_part_that_raises_costs_its_own_answer(lab, monkeypatch):
    contained = Containment()
    monkeypatch.setattr(Proposer, "variations", lambda *_: 1 // 0)
    one = lab(FOUND["two objects"])
    _, found = searched(one, contained=contained)
    assert missed(found) == []
    (finding,) = contained.findings("sample")
    assert finding.message.startswith("proposing calls failed")
    assert "ZeroDivisionError" in finding.message


def test_an_operator_that_declines_is_a_goal(lab):
    one = lab("""
        class Span:
            def __init__(self, days: int):
                self.days = days
            def __mul__(self, other):
                if isinstance(other, int):
                    return Span(self.days * other)
                return NotImplemented
        """)
    _, found = searched(one)
    assert missed(found) == []
    assert any(goal.detail == "builtins:TypeError" for goal in found.goals.best)


def test_an_invocable_whose_calls_ran_for_another_counts_as_proposed(lab):
    one = lab("""
        class Base:
            def size(self):
                return 1
        class Heir(Base):
            pass
        """)
    search, found = searched(one)
    assert found.proposed == set(search.proposers)


def test_an_exception_that_a_stand_in_causes_is_no_goal(lab):
    one = lab("""
        def first(thing):
            return thing.parts.pop().split()[3]
        def checked(thing):
            if thing.size > 3:
                raise ValueError("too large")
            return thing.size
        """)
    _, found = searched(one)
    raised = {goal.detail: run for goal, (_, run) in found.goals.best.items()
              if goal.family is Family.EXCEPTION}  # fmt: skip
    assert {run.invocable for run in raised.values()} == {"sample:checked"}
    assert set(raised) == {"builtins:ValueError"}


def test_stand_ins_grow_what_the_code_asks_for(lab):
    one = lab("""
        class Zones:
            def __init__(self, module):
                self.module = module
            def found(self):
                path = self.module.get_bin_path("zonename")
                if path:
                    code, out, err = self.module.run_command(path)
                    if code == 0 and out.rstrip() == "global":
                        return "host"
                    return "guest"
                if self.module.params["verbose"]:
                    return "verbose"
                return None
        """)
    _, found = searched(one)
    assert missed(found) == []
