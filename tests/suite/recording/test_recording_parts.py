"""Parts of recording: stand-ins, functions, histories, copies, read logs, places, branches."""

from __future__ import annotations

import asyncio
import collections
import functools
import importlib
import inspect
import json
import marshal
from types import SimpleNamespace

import pytest
from recorded_modules import module_of

from unitcraft.suite.recording import pytest_options
from unitcraft.suite.recording.guest import test_branches as branches
from unitcraft.suite.recording.guest import test_locations as locations
from unitcraft.suite.recording.guest.lru_caches import unmask_caches
from unitcraft.suite.recording.guest.recorder_main import MAX_EFFECTS, RecordingPlugin
from unitcraft.suite.recording.guest.trampoline import Hooks, divert, is_diverted
from unitcraft.suite.recording.guest.unrecorded_results import is_foreign
from unitcraft.suite.recording.recorded_functions import Subjects, functions_in, functions_of
from unitcraft.suite.recording.representations import equality_copies
from unitcraft.suite.recording.representations.equality_copies import HeapCopy, TooManyObjects
from unitcraft.suite.recording.representations.field_monitor import (
    EVERYTHING,
    LENGTH,
    ReadLog,
    monitor_reads,
    watched_dict,
    watched_list,
)
from unitcraft.suite.recording.representations.method_sequences import (
    Histories,
    History,
    combine_digests,
)

# -- stand-ins ------------------------------------------------------------------------


@pytest.fixture
def hooks():
    """Hooks that write down what they hear."""
    heard = []
    local = SimpleNamespace(busy=False)

    def drive(site, iterator, values):
        heard.append(("drive", site, values))
        return (yield from iterator)

    async def wait(site, awaitable, values):
        heard.append(("await", site, values))
        return await awaitable

    made = Hooks(
        local,
        lambda site, values: heard.append(("enter", site, values)) or "token",
        lambda token, result: heard.append(("leave", token, result)),
        lambda token, error: heard.append(("raised", token, type(error).__name__)),
        drive,
        wait,
    )
    return SimpleNamespace(hooks=made, heard=heard, local=local)


def test_a_stand_in_reports_and_keeps_the_signature(hooks):
    def add(a, /, b=2, *rest, c, **more):
        """Doc."""
        return a + b + c

    before = inspect.signature(add)
    divert(add, "site", hooks.hooks)
    assert is_diverted(add)
    assert inspect.signature(add) == before
    assert (add.__name__, add.__doc__) == ("add", "Doc.")
    assert add(1, c=3, d=4) == 6
    assert hooks.heard == [("enter", "site", (1, 2, 3, (), {"d": 4})), ("leave", "token", 6)]


def test_inside_a_recorded_execution_nothing_is_reported(hooks):
    def twice(n):
        return 2 * n

    divert(twice, "site", hooks.hooks)
    hooks.local.busy = True
    assert twice(4) == 8
    assert hooks.heard == []


def test_errors_closures_generators_and_coroutines(hooks):
    factor = 3

    def times(n):
        if n < 0:
            raise ValueError(n)
        return factor * n

    def count(n):
        yield from range(n)

    async def later(n):
        return n

    for function in (times, count, later):
        divert(function, function.__name__, hooks.hooks)
    assert times(2) == 6
    with pytest.raises(ValueError, match="-1"):
        times(-1)
    assert list(count(2)) == [0, 1]
    assert asyncio.run(later(5)) == 5
    assert [one[0] for one in hooks.heard] == [
        "enter",
        "leave",
        "enter",
        "raised",
        "drive",
        "await",
    ]
    assert inspect.isgeneratorfunction(count)
    assert inspect.iscoroutinefunction(later)


# -- functions ------------------------------------------------------------------------

MODULE = """
import functools

def plain(): pass

def outer(n):
    def inner(): return n
    return inner

class Box:
    def __init__(self): pass
    @property
    def size(self): return 0
    @staticmethod
    def make(): pass
    def __del__(self): pass

@functools.lru_cache
def cached(n): return [n]

alias = plain
"""


def test_every_function_is_found_once_with_its_id():
    module = module_of(MODULE)
    found = {site.id.partition(":")[2]: site for _, site in functions_of(module)}
    assert set(found) == {"plain", "outer", "Box.__init__", "Box.size", "Box.make", "cached"}
    assert (found["Box.size"].has_receiver, found["Box.make"].has_receiver) == (True, False)
    assert (found["Box.__init__"].creates, found["Box.size"].creates) == (True, False)


def test_closures_that_a_call_makes_are_found_with_their_cells():
    module = module_of(MODULE)
    subjects = Subjects((module.__name__,))
    ((_, site),) = functions_in(module.outer(7), subjects)
    assert site.contents() == [7]
    assert list(functions_in(len, subjects)) == []


def test_subjects_are_modules_and_those_below_them():
    subjects = Subjects(("json",))
    assert [subjects.has_module(name) for name in ("json", "json.decoder", "jsonx", 3)] == [
        True,
        True,
        False,
        False,
    ]
    assert "json.decoder" in [module.__name__ for module in subjects.loaded()]
    assert subjects.has_instance(json.JSONDecoder())
    subjects.exclude({"json.decoder"})
    assert not subjects.has_instance(json.JSONDecoder())


def test_a_cache_is_replaced_by_a_function_with_its_attributes():
    module = module_of(MODULE)
    held = module.cached
    unmask_caches(module)
    assert type(module.cached) is type(module.plain)
    assert module.cached(1) is held(1)
    assert module.cached.cache_info().hits == 1


def test_foreign_results():
    module = module_of(MODULE)
    subjects = Subjects((module.__name__,))
    for value in (
        1,
        "a",
        None,
        [1, {"a": (2,)}],
        ValueError(),
        module.Box(),
        [module.Box()],
        module.Box,
    ):
        assert not is_foreign(value, subjects)
    for value in (
        collections.Counter.update,
        iter([1]),
        [object()],
        {"a": lambda: 1},
        functools.partial,
    ):
        assert is_foreign(value, subjects)


# -- histories ------------------------------------------------------------------------


class Thing:
    pass


def test_a_history_follows_an_object_and_its_changes():
    histories, thing = Histories(), Thing()
    met = histories.of(thing, b"s0")
    assert met == History(combine_digests(b"met", b"s0"), combine_digests(b"met", b"s0"), b"s0")
    histories.put(thing, met)
    assert histories.knows(thing)
    assert histories.of(thing, b"s0") == met
    changed = histories.of(thing, b"s1")
    assert changed.whole == combine_digests(met.whole, combine_digests(b"changed", b"s1"))


def test_objects_without_weak_references_are_held_until_forgotten():
    histories, items = Histories(), [1]
    histories.put(items, History(b"w", b"m", b"s"))
    assert histories.knows(items)
    histories.forget_held()
    assert not histories.knows(items)
    histories.put(Thing(), History(b"w", b"m", b"s"))
    assert not histories.knows(Thing())


# -- copies and reads -----------------------------------------------------------------


class Slotted:
    __slots__ = ("a", "b")


def test_a_copy_has_the_sharing_of_the_original():
    shared = [1]
    root = {"x": shared, "y": (shared, {2}), "z": collections.deque([shared], 3)}
    root["d"] = collections.defaultdict(list, a=shared)
    copy = HeapCopy(root, lambda _: False)
    made = copy.value
    assert made == root
    assert made is not root
    assert made["x"] is made["y"][0] is made["z"][0] is made["d"]["a"] is not shared
    assert copy.originals[id(made["x"])] is shared
    cycle = []
    cycle.append(cycle)
    again = HeapCopy(cycle, lambda _: False).value
    assert again[0] is again


def test_slots_are_copied_and_named_objects_are_shared():
    slotted = Slotted()
    slotted.a = [len, Thing]
    copy = HeapCopy(slotted, lambda _: False)
    assert copy.value.a == slotted.a
    assert copy.value.a is not slotted.a
    assert Thing in copy.shared
    assert not hasattr(copy.value, "b")
    kept = HeapCopy([slotted], lambda kind: kind is Slotted)
    assert kept.value[0] is slotted


def test_large_heaps_are_not_copied(monkeypatch):
    monkeypatch.setattr(equality_copies, "MAX_COPIED", 3)
    with pytest.raises(TooManyObjects):
        HeapCopy([[[[[[]]]]]], lambda _: False)


def test_what_a_comparison_reads_is_logged():
    log = ReadLog()
    items, table = [1, 2, 3], {"a": 1}
    copy = HeapCopy([items, table], lambda _: False, watched_list(log), watched_dict(log))
    log.watch(copy.originals)
    made_items, made_table = list.__iter__(copy.value)
    assert made_items[-1] == 3
    assert made_table.get("a") == 1
    assert set(log.parts[id(items)]) == {LENGTH, 2}
    assert set(log.parts[id(table)]) == {("key", "a")}
    sorted(made_table.items())
    assert EVERYTHING in log.parts[id(table)]


def test_attributes_are_logged_only_inside_the_block():
    log, thing = ReadLog(), Thing()
    thing.seen, thing.unseen = 1, 2
    copy = HeapCopy(thing, lambda _: False)
    log.watch(copy.originals)
    with monitor_reads([Thing, int], log):
        assert copy.value.seen == 1
    assert copy.value.unseen == 2
    assert set(log.parts[id(thing)]) == {"seen"}
    assert "__getattribute__" not in vars(Thing)


# -- the recorded run -----------------------------------------------------------------


def test_the_location_of_a_test():
    def test_it(n):
        pass

    item = SimpleNamespace(function=test_it, callspec=SimpleNamespace(indices={"n": 2}))
    file, line, rows = locations.location_of(item)
    assert (file, line, rows) == (__file__, test_it.__code__.co_firstlineno, (("n", 2),))
    assert locations.location_of(SimpleNamespace()) is None


def test_branches_belong_to_the_test_that_takes_them(tmp_path, monkeypatch):
    (tmp_path / "branching_x.py").write_text(
        "def f(n):\n    if n:\n        return 1\n    return 0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    measured = branches.Branches(["branching_x"])
    module = importlib.import_module("branching_x")
    measured.begin("one")
    module.f(1)
    measured.begin("two")
    module.f(0)
    whole, one, two = list(measured.end())
    assert (len(whole["taken"]), whole["missing"]) == (2, 0)
    assert [whole["taken"][number].rpartition(":")[2] for number in one["numbers"]] == ["2->3"]
    assert [whole["taken"][number].rpartition(":")[2] for number in two["numbers"]] == ["2->4"]


def test_frames_are_on_the_disk_at_once(tmp_path):
    settings = {"reverse": True, "report": str(tmp_path), "ended": str(tmp_path / "ended")}
    plugin = RecordingPlugin(None, None, settings)
    items = [SimpleNamespace(nodeid="a"), SimpleNamespace(nodeid="b")]
    plugin.pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["b", "a"]
    for number in range(MAX_EFFECTS + 5):
        plugin.hear("open", str(number), "m.py:1", was_refused=False)
    assert len(plugin._effects) == MAX_EFFECTS
    plugin.say("start", node="a")
    data = (tmp_path / "000001").read_bytes()
    assert marshal.loads(data[4 : 4 + int.from_bytes(data[:4], "big")]) == {
        "kind": "start",
        "node": "a",
    }


def test_plugins_that_split_or_shuffle_a_suite_are_switched_off(monkeypatch):
    monkeypatch.setattr(pytest_options, "find_spec", lambda name: name if name == "xdist" else None)
    monkeypatch.setattr(pytest_options.tempfile, "mkdtemp", lambda prefix: f"{prefix}1")
    assert pytest_options.pytest_command_line(["tests"]) == [
        *pytest_options.OPTIONS, "-o", "cache_dir=pytest-cache-1", "-n", "0", "tests",
        *pytest_options.QUIET_ABOUT_US
    ]  # fmt: skip
