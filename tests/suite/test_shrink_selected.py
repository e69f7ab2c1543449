"""Selected executions get smaller and still kill the mutants that they are kept for."""

from __future__ import annotations

from pathlib import Path

import pytest
from source_lab import Lab

from unitcraft.core.criteria import kept_families
from unitcraft.core.encoding import encode_sequence
from unitcraft.core.goals import Family
from unitcraft.core.sequences import Build, Const, Ref, Source, Symbol
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.execution import cost, execution_of
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.variation.places import recording, returning
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.suite.generated.lifted_arguments import LOGGER, recording_function, recording_logger
from unitcraft.suite.generated.mutant_goals import KillChecker, add_mutant_goals
from unitcraft.suite.shrinking.shrink_selected import shrink_selection

LOGGER_MADE = Build(LOGGER, (Const("test"),))
SOURCE = """
import time

LEVELS = {"low": 1, "high": 20}

class Queue:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
        self.items.sort()

    def take(self):
        return self.items.pop(0)

def level(name):
    return LEVELS.get(name, 0)

def is_address(text):
    return "@" in text and text.endswith(".com")

def first(one, other):
    return one

def label(title, *, unit):
    return f"{title} in {unit}"

def doubled(items):
    return items * 2

def wanted(options):
    return "all" if options else "none"

def between(words, low, high):
    return [word for word in words if low <= len(word) <= high]

def announce(item, notify):
    notify(item.upper())
    return len(item)

def checked(item, logger):
    text = str(item + 1)
    logger.warning(text)
    return item

def mapped(item, change):
    return change(item)

def each(items, change):
    return [change(item) for item in items]

def cut(number, *, digits=None):
    return number if digits is None else round(number, digits)

class Bag:
    def __init__(self, items=()):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def has(self, item):
        return item in self.items

class Shelf:
    def __init__(self, *books):
        self.books = list(books)

    def __len__(self):
        return len(self.books)

    def put(self, book):
        self.books.append(book)
        return len(self.books)

def print_title(title, out):
    out.write(title.upper())

def first_line(stream):
    return stream.readline()

def log_settings(stream):
    return {"level": 3, "stream": stream}

def settings(encoder):
    return {"json": {"encoder": encoder}}

def all_taken(left):
    return not any(left)

def is_short(text):
    return len(text) < 4

def announce_all(names, out):
    for name in names:
        out.write(name)

class Timed:
    def __init__(self, limit: int, clock=time.monotonic):
        self.limit, self.clock = limit, clock
        self.start = clock()

    def is_over(self):
        return self.clock() - self.start > self.limit

def joined(*parts):
    return "|".join(parts)

class Pair:
    def __init__(self, one, other):
        self.one, self.other = one, other

    def __eq__(self, other):
        return (self.one, self.other) == (other.one, other.other)

def connect(host, scheme):
    return host + ":" if scheme in ("abc", "def") else host
"""
LONG = "q = Queue()\nq.add(4)\nq.add(1)\nq.add(3)\nq.add(2)\nq.take()\nq.add(7)\nq.take()"
RUNS = {
    LONG: "Queue.take", "q = Queue()\nq.add(1)": "Queue.add", "level('high')": "level",
    "level('x')": "level", "level('low')": "level", "label('abc', unit='abc')": "label",
    "first(1, 1)": "first", "is_address('jo@site.com')": "is_address",
    "is_address('abc')": "is_address", "doubled([1])": "doubled", "wanted({'abc': 1})": "wanted",
    "checked(1, logging.Logger('test'))": "checked",
    "announce('abc', lambda x: x)": "announce", "mapped(1, lambda x: x + 1)": "mapped",
    "b = Bag([1, 2])\nb.has(3)": "Bag.has", "b = Bag([1, 2])\nb.has(2)": "Bag.has",
    "each(['a', 'b'], lambda x: x)": "each",
    "cut(1.5)": "cut", "cut(1.5, digits=1)": "cut",
    "print_title('abc', io.StringIO('one two'))": "print_title",
    "settings(lambda x: x)": "settings",
    "log_settings(io.StringIO('one two'))": "log_settings",
    "all_taken([0])": "all_taken", "all_taken([1])": "all_taken",
    "is_short('abc')": "is_short", "is_short('abcd')": "is_short",
    "connect('abc', 'def')": "connect", "connect('abc', 'ghi')": "connect",
    "first_line(io.StringIO('one two'))": "first_line",
    "s = Shelf(1, 2)\ns.put('abc')": "Shelf.put",
    "announce_all('', io.StringIO('one two'))": "announce_all",
    "t = Timed(-2)\nt.is_over()": "Timed.is_over",
    "joined('abc')": "joined", "p = Pair(1, 2)\np == p": "Pair.__eq__",
}  # fmt: skip


def spec_in(folder):
    """The host of SOURCE, which is written into ``folder``."""
    Path(folder, "sample.py").write_text(SOURCE)
    options = {"module": "sample", "rewrite": True}
    return HostSpec("unitcraft.explore.agents.search_agent", options, paths=(str(folder),))


def ran(text, name, pool):
    sequence = Lab.sequence(None, text)
    (reply,) = pool.map("run", [encode_sequence(sequence)])
    return execution_of(f"sample:{name}", sequence, reply.value)


@pytest.fixture(scope="module")
def tightened(tmp_path_factory):
    """(selection before, after, reveals, cost of a text)."""
    folder = tmp_path_factory.mktemp("tighten")
    spec = spec_in(folder)
    with Pool(spec) as pool:
        sites = [BranchSite(*row) for row in pool.ready["sites"]]
        extra = []
        goals = GoalMap(request_subject(pool, "sample"), sites, [])
        for text, name in RUNS.items():
            run = ran(text, name, pool)
            goals.offer(run, cost(run.sequence))
            extra.append(run)
    with KillChecker(sites, "sample", spec, 1, 0) as bench, Pool(spec) as pool:
        kills = add_mutant_goals(goals, extra[:3] + extra[5:], extra[3:5], bench)
        wanted = set(goals.best)
        shrunk = shrink_selection(goals, kills.reveals, bench, SparingPool(pool))
        return wanted, shrunk, kills.reveals


def test_no_goal_is_lost(tightened):
    wanted, chosen, _ = tightened
    assert {goal for _, own in chosen for goal in own} >= wanted
    assert any(goal.family is Family.MUTANT_BY_CHECK for goal in wanted)


def test_the_long_history_is_cut_to_what_notices_the_order(tightened):
    _, chosen, _ = tightened
    before = Lab.sequence(None, LONG)
    taking = [run for run, _ in chosen if run.invocable == "sample:Queue.take"]
    assert taking
    assert all(cost(run.sequence) < cost(before) / 1.5 for run in taking)


def test_what_a_smaller_run_notices_is_known(tightened):
    _, chosen, reveals = tightened
    for run, own in chosen:
        judged = [goal for goal in own if goal.family.record.is_mutant]
        assert set(judged) <= set(reveals.get(run.sequence.key, {}))


def test_each_entry_of_the_table_keeps_its_row(tightened):
    _, chosen, _ = tightened
    texts = [run.sequence.key for run, _ in chosen if run.invocable == "sample:level"]
    assert any("'high'" in text for text in texts)
    assert any("'low'" in text for text in texts)


def test_a_file_that_is_written_to_is_empty_and_one_that_is_read_is_not(tightened):
    _, chosen, _ = tightened
    given = {run.invocable: run.sequence.calls[-1].args[-1] for run, _ in chosen}
    assert given["sample:print_title"] == Build(Symbol("io", "StringIO"))
    assert given["sample:log_settings"] == Build(Symbol("io", "StringIO"))
    assert given["sample:announce_all"] == Build(Symbol("io", "StringIO"))
    assert given["sample:first_line"] != Build(Symbol("io", "StringIO"))


def test_an_object_is_compared_with_another_one(tightened):
    _, chosen, _ = tightened
    runs = [run for run, _ in chosen if run.invocable == "sample:Pair.__eq__"]
    assert [run.sequence.calls[-1].args for run in runs] == [(Ref(0), Ref(1))]


def test_time_passes_by_a_clock_of_the_test_in_place_of_a_limit_below_zero(tightened):
    _, chosen, _ = tightened
    (run,) = [run for run, _ in chosen if run.invocable == "sample:Timed.is_over"]
    clock, made, later, _ = run.sequence.calls
    assert clock.args == (recording(Const(0)),)
    assert made.args[0].value > 0
    assert (later.kind, later.name, later.args[0]) == ("set", "return_value", Ref(0))
    assert later.args[1].value > made.args[0].value


def test_a_function_that_is_stored_has_a_name_and_one_that_is_called_has_not(tightened):
    _, chosen, _ = tightened
    given = {run.invocable: run.sequence.calls[-1].args[-1] for run, _ in chosen}
    assert given["sample:settings"] == Symbol("builtins", "str")
    assert isinstance(given["sample:mapped"], Source)


def test_a_function_shows_what_it_is_given_where_its_answer_is_seen(tightened):
    _, chosen, _ = tightened
    given = {run.invocable: run.sequence.calls[-1].args[-1] for run, _ in chosen}
    assert given["sample:each"] == Source('lambda x: f"<{x}>"')


def test_texts_that_stand_for_several_things_are_told_apart(tightened):
    _, chosen, _ = tightened
    labels = [run.sequence for run, _ in chosen if run.invocable == "sample:label"]
    assert labels == [Lab.sequence(None, "label('title', unit='unit')")]


def test_a_name_has_what_a_person_gives_to_it_unless_that_takes_another_path(tightened):
    _, chosen, _ = tightened
    found = {run.sequence.key for run, _ in chosen if run.invocable == "sample:connect"}
    wanted = ("connect('localhost', 'http')", "connect('localhost', 'def')")
    assert {Lab.sequence(None, one).key for one in wanted} == found


def test_items_that_differ_stand_only_where_a_test_sees_them(tightened):
    _, chosen, _ = tightened
    found = {run.invocable: run.sequence for run, _ in chosen}
    assert found["sample:doubled"] == Lab.sequence(None, "doubled([3, 1, 2])")
    assert found["sample:wanted"] == Lab.sequence(None, "wanted({'abc': 1})")


def test_what_is_put_beside_items_is_of_their_kind(tightened):
    _, chosen, _ = tightened
    put = [run.sequence.calls[-1] for run, _ in chosen if run.invocable == "sample:Shelf.put"]
    assert [type(call.args[1].value) for call in put] == [int]


def test_an_option_stands_beside_data_that_show_it(tightened):
    _, chosen, _ = tightened
    cut = [run.sequence.calls[-1] for run, _ in chosen if run.invocable == "sample:cut"]
    assert [call.args for call in cut if call.kwargs] == [(Const(2.567),)]


def test_a_collection_keeps_the_items_that_it_is_made_of(tightened):
    _, chosen, _ = tightened
    made = [run.sequence.calls[0].args for run, _ in chosen if run.invocable == "sample:Bag.has"]
    assert made
    assert all(len(args[0].items) > 1 for args in made)


def test_that_an_operand_is_ignored_is_shown_by_one_that_differs(tightened):
    _, chosen, _ = tightened
    found = {run.invocable: run.sequence for run, _ in chosen}
    assert found["sample:first"] == Lab.sequence(None, "first(1, 2)")


def test_what_a_predicate_refuses_nearly_passes(tightened):
    _, chosen, _ = tightened
    texts = [run.sequence.key for run, _ in chosen if run.invocable == "sample:is_address"]
    assert texts
    assert all("site.com" in text for text in texts)


def test_a_function_records_its_calls_where_that_kills_mutants(tightened):
    _, chosen, reveals = tightened
    found = {run.invocable: (run.sequence, own) for run, own in chosen}
    announced, own = found["sample:announce"]
    assert recording(Const(None)) in announced.calls[-1].args
    shown = reveals[announced.key]
    calls = [goal for goal in own if "call_args" in repr(shown.get(goal))]
    assert any(goal.family is Family.MUTANT_BY_CHECK for goal in calls)
    assert found["sample:mapped"][0].calls[-1].args[1] == Source("lambda x: x + 1")


def test_a_logger_that_is_passed_says_what_it_was_told(tightened):
    _, chosen, reveals = tightened
    (run,) = [run for run, _ in chosen if run.invocable == "sample:checked"]
    assert run.sequence.calls[-1].args[1] == recording_logger(LOGGER_MADE)
    assert "warning.call_args.args" in repr(reveals[run.sequence.key])


@pytest.mark.parametrize(
    ("arg", "expected"),
    [
        (Source("lambda x: x"), recording(Const(None))),
        (Source("lambda x: x + 1"), None),
        (returning(Const(3)), recording(Const(3))),
        (Source("[].append"), None),
        (recording(Const(3)), None),
        (LOGGER_MADE, None),
    ],
)
def test_a_lambda_has_a_recorder_that_returns_what_it_does(arg, expected):
    assert recording_function(arg) == expected


def test_only_a_logger_has_a_stand_in_that_records():
    (spec,) = recording_logger(LOGGER_MADE).kwargs
    assert spec == ("spec", LOGGER)
    assert recording_logger(Source("lambda x: x")) is None
    assert recording_logger(Build(Symbol("logging", "Handler"))) is None


@pytest.mark.parametrize("name", ["all_taken", "is_short"])
def test_a_variant_replaces_only_a_run_whose_goals_it_reaches(tightened, name):
    _, chosen, _ = tightened[:3]
    truths = {run.truth for run, _ in chosen if run.invocable == f"sample:{name}"}
    assert truths == {"True", "False"}


def shrunk_alone(folder, text, name, *others):
    """The one run of a selection of ``text`` alone, where the runs of ``others`` are known."""
    spec = spec_in(folder)
    with Pool(spec) as pool:
        sites = [BranchSite(*row) for row in pool.ready["sites"]]
        goals = GoalMap(request_subject(pool, "sample"), sites, [])
        run = ran(text, name, pool)
        goals.offer(run, cost(run.sequence))
        goals.keep_only(kept_families(()))
        known = [ran(other, name, pool) for other in others]
        with KillChecker(sites, "sample", spec, 1, 0) as bench:
            kills = add_mutant_goals(goals, [run], [], bench)
            sparing = SparingPool(pool)
            (pair,) = shrink_selection(goals, kills.reveals, bench, sparing, None, known)
    return pair[0]


def test_a_result_holds_something_where_a_run_is_known_whose_does(tmp_path):
    run = shrunk_alone(
        tmp_path, "between(['abc'], 4, 9)", "between", "between(['abc', 'defgh'], 4, 9)"
    )
    assert run.behaviour == "list1"


def test_several_are_given_where_any_number_may_be(tmp_path):
    run = shrunk_alone(tmp_path, "joined('abc')", "joined")
    assert run.sequence.calls[-1].args == (Const("abc"), Const("def"))
