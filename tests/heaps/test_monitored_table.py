"""Dicts and sets in heaps: reading, refused changes, and counts by brute force."""

from __future__ import annotations

from itertools import product

import pytest

from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.heaps.guest.field_choices import build_domain
from unitcraft.heaps.guest.lazy_heap import LazyHeap
from unitcraft.heaps.guest.monitored_list import CHANGES
from unitcraft.heaps.guest.monitored_table import new_table
from unitcraft.heaps.heap_building import HeapBuilder
from unitcraft.heaps.heap_generation import HeapGenerator
from unitcraft.heaps.heap_task import HeapsRequest, generation_task
from unitcraft.subject.model import Subject

NUMBERS = ("atoms", (0, 1), (1, 2))


@pytest.fixture
def there():
    """A dict {0: 1, 1: 1} and a set {0, 1} whose content is forced when it is read."""
    heap = LazyHeap((2,))
    heap.choose = lambda known, key, _: known.setdefault(key, True if key < 0 else 1)
    table = build_domain(("dict", (0, 1), (1, 2), NUMBERS), ())
    items = build_domain(("set", (0, 1), (1, 2)), ())
    return new_table(heap, table.values[0]), new_table(heap, items.values[0])


@pytest.mark.parametrize(
    "read",
    [
        len, list, bool, sorted, sum, repr, dict, lambda it: it[0], lambda it: 2 in it,
        lambda it: it.get(5, 7), lambda it: it == {0: 1, 1: 1}, lambda it: list(it.items()),
        lambda it: list(it.values()), lambda it: it.keys() & {1, 2}, lambda it: {**it},
        lambda it: list(reversed(it)), lambda it: it | {3: 3}, set, lambda it: isinstance(it, dict),
    ],
)  # fmt: skip
def test_reading_answers_what_a_dict_answers(there, read):
    assert read(there[0]) == read({0: 1, 1: 1})


@pytest.mark.parametrize(
    "read",
    [
        len, list, bool, sorted, sum, repr, set, lambda it: 2 in it, lambda it: it == {0, 1},
        lambda it: it & {1, 2}, lambda it: {1, 2} - it, lambda it: it <= {0, 1, 2},
        lambda it: it.union([4]), lambda it: isinstance(it, set),
    ],
)  # fmt: skip
def test_reading_answers_what_a_set_answers(there, read):
    assert read(there[1]) == read({0, 1})


def test_a_key_that_is_not_there_raises(there):
    with pytest.raises(KeyError):
        there[0][9]


@pytest.mark.parametrize(
    "change",
    [
        lambda table, _: table.pop(0), lambda table, _: table.setdefault(5, 1),
        lambda table, _: table.update({}), lambda _, items: items.add(1),
        lambda _, items: items.discard(1),
    ],
)  # fmt: skip
def test_changing_is_refused_and_noted(there, change):
    with pytest.raises(TypeError):
        change(*there)
    assert len(CHANGES) == 1
    CHANGES.clear()


SOURCE = """
class Forest:
    def __init__(self):
        self.parent = {}

    def add(self, item: int):
        self.parent.setdefault(item, item)

    def union(self, a: int, b: int):
        while self.parent[a] != a:
            a = self.parent[a]
        self.parent[a] = b

    def rep_ok(self):
        for item in self.parent:
            seen = {item}
            while self.parent.get(item) != item:
                item = self.parent.get(item)
                if item is None or item in seen:
                    return False
                seen.add(item)
        return True


class Graph:
    def __init__(self):
        self.adjacent = {}

    def join(self, a: int, b: int):
        self.adjacent.setdefault(a, set()).add(b)
        self.adjacent.setdefault(b, set()).add(a)

    def rep_ok(self):
        for v, others in self.adjacent.items():
            for w in others:
                if v == w or w not in self.adjacent or v not in self.adjacent[w]:
                    return False
        return True


class Bag:
    def __init__(self):
        self.items = set()

    def add(self, item: str):
        self.items.add(item)

    def rep_ok(self):
        return len(self.items) < 3


class Twins:
    def __init__(self):
        self.left = {}
        self.right = {}

    def put(self, key: int, value: int):
        self.left[key] = self.right[key] = value

    def rep_ok(self):
        return self.left == self.right


class Rows:
    def __init__(self):
        self.first = []
        self.second = []

    def push(self, item: int):
        self.first.append(item)
        self.second.append(item)

    def rep_ok(self):
        return self.first == self.second


class Node:
    def __init__(self):
        self.children = {}
        self.end = False


class Trie:
    def __init__(self):
        self.root = Node()

    def insert(self, word: str):
        self.root.children.setdefault(word, Node()).end = True

    def rep_ok(self):
        seen, work = [], [self.root]
        while work:
            node = work.pop()
            if any(node is one for one in seen):
                return False
            if not node.children and not node.end and node is not self.root:
                return False
            seen.append(node)
            work.extend(node.children.values())
        return True
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("tables")
    (made / "tables.py").write_text(SOURCE)
    return made


def brute_forests(own, number):
    found = 0
    for parents in product([None, *range(number)], repeat=number):
        forest = own["Forest"]()
        forest.parent = {at: one for at, one in enumerate(parents) if one is not None}
        found += forest.rep_ok()
    return found


def brute_graphs(own, number):
    found = 0
    rows = [None, *product((False, True), repeat=number)]
    for chosen in product(rows, repeat=number):
        graph = own["Graph"]()
        graph.adjacent = {
            at: {to for to, is_there in enumerate(row) if is_there}
            for at, row in enumerate(chosen)
            if row is not None
        }
        found += graph.rep_ok()
    return found


def brute_bags(_own, number):
    return 1 + number + number * (number - 1) // 2


def brute_twins(_own, number):
    return (number + 1) ** number


def brute_rows(_own, number):
    return sum((number + 1) ** length for length in range(number + 1))


@pytest.mark.parametrize(
    ("engine", "name", "brute"),
    [
        ("lazy", "Twins", brute_twins),
        ("korat", "Twins", brute_twins),
        ("lazy", "Rows", lambda _own, number: number + 1),  # the items are symbolic
        ("korat", "Rows", brute_rows),
    ],
)
def test_two_fields_that_are_equal_hold_each_content(folder, engine, name, brute):
    request = HeapsRequest("tables", name, (1, 2), engine, paths=(str(folder),))
    generator = HeapGenerator(generation_task(request))
    contents = [heap.form[0][1] for heap in generator.heaps()]
    assert [one.valid for one in generator.state.stats] == [brute({}, n) for n in (1, 2)]
    assert all(one == other for one, other in contents)


@pytest.mark.parametrize("engine", ["lazy", "korat"])
@pytest.mark.parametrize(
    ("name", "brute"),
    [("Forest", brute_forests), ("Graph", brute_graphs), ("Bag", brute_bags)],
)
def test_valid_heaps_are_those_that_brute_force_finds(folder, engine, name, brute):
    own = {}
    exec(SOURCE, own)
    request = HeapsRequest("tables", name, (1, 2, 3), engine, paths=(str(folder),))
    generator = HeapGenerator(generation_task(request))
    forms = [repr(heap.form) for heap in generator.heaps()]
    counts = [one.valid for one in generator.state.stats]
    assert counts == [brute(own, number) for number in (1, 2, 3)]
    assert generator.state.notes == {}
    assert len(set(forms)) == counts[-1]


@pytest.mark.parametrize("name", ["Forest", "Graph", "Bag", "Trie"])
def test_each_valid_heap_can_be_built(folder, name):
    request = HeapsRequest("tables", name, (1, 2), paths=(str(folder),))
    task = generation_task(request)
    forms = [heap.form for heap in HeapGenerator(task).heaps()]
    assert len(forms) > 3
    with Pool(task.spec, 1) as pool:
        builder = HeapBuilder(task, Subject("tables", ""), pool)
        assert all(builder.build(form) for form in forms)
