"""Classes as people write them: both engines find the heaps that brute force finds."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.heaps.field_coverage import PairReader
from unitcraft.heaps.heap_building import HeapBuilder
from unitcraft.heaps.heap_generation import HeapGenerator, shape_of
from unitcraft.heaps.heap_task import HeapsRequest, generation_task
from unitcraft.heaps.transcoping import FieldSuite
from unitcraft.subject.model import Subject

SOURCE = '''
from __future__ import annotations

import enum
from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass, field


@dataclass
class Pair:
    left: Pair | int
    right: Pair | int


@dataclass
class SumTree:
    """A tree whose leaves are integers."""

    root: Pair | int | None = None
    total: int = 0

    def add(self, number: int) -> None:
        self.root = number if self.root is None else Pair(self.root, number)
        self.total += number

    def rep_ok(self) -> bool:
        if self.root is None:
            return self.total == 0
        seen, work, total = [], [self.root], 0
        while work:
            one = work.pop()
            if isinstance(one, Pair):
                if any(one is other for other in seen):
                    return False
                seen.append(one)
                work += [one.right, one.left]
            else:
                if one < 0:
                    return False
                total += one
        return total == self.total


class Ring:
    def __init__(self, capacity: int):
        self.items: list[int | None] = [None] * capacity
        self.head = 0
        self.count = 0

    def push(self, item: int) -> None:
        self.items[(self.head + self.count) % len(self.items)] = item
        self.count += 1

    def rep_ok(self) -> bool:
        size = len(self.items)
        if size == 0:
            return self.head == 0 and self.count == 0
        if not 0 <= self.head < size or not 0 <= self.count <= size:
            return False
        items = [self.items[(self.head + at) % size] for at in range(size)]
        return all((one is not None) == (at < self.count) for at, one in enumerate(items))


class Spans:
    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []

    def add(self, low: int, high: int) -> None:
        self.spans.append((low, high))

    def rep_ok(self) -> bool:
        last = -1
        for low, high in self.spans:
            if not last < low <= high:
                return False
            last = high
        return True


class Queue:
    def __init__(self) -> None:
        self.items: deque[int] = deque()
        self.total = 0

    def push(self, item: int) -> None:
        self.items.append(item)
        self.total += item

    def rep_ok(self) -> bool:
        return self.total == sum(self.items)


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"
    OFF = "off"


class Lights:
    def __init__(self) -> None:
        self.main = Colour.OFF
        self.sides: dict[Colour, bool] = {}

    def turn(self) -> None:
        self.main = Colour.RED

    def rep_ok(self) -> bool:
        if self.main is Colour.OFF:
            return not self.sides
        return self.sides.get(self.main) is True and len(self.sides) == 1


class Notes:
    def __init__(self) -> None:
        self.texts: list[str] | None = None

    def note(self, text: str) -> None:
        self.texts = [*(self.texts or ()), text]

    def rep_ok(self) -> bool:
        return self.texts is None or (len(self.texts) > 0 and "" not in self.texts)


class Index:
    def __init__(self) -> None:
        self.words: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, word: str, line: int) -> None:
        self.words[word].append(line)

    def rep_ok(self) -> bool:
        rows = self.words.values()
        return all(row and all(a < b for a, b in zip(row, row[1:])) for row in rows)


class Grid:
    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], bool] = {}

    def put(self, x: int, y: int) -> None:
        self.cells[x, y] = self.cells[y, x] = True

    def rep_ok(self) -> bool:
        return all(self.cells.get((y, x)) is value for (x, y), value in self.cells.items())


class Fixed:
    """The number that stands for "nothing" is not among the arguments."""

    def __init__(self) -> None:
        self.limit = 64
        self.top = -1

    def rep_ok(self) -> bool:
        return self.limit == 64 and -1 <= self.top < 2


class Entry:
    def __init__(self, key: int, tags: frozenset[str]) -> None:
        self.key = key
        self.tags = tags


class Shelf:
    """Calls never make an entry: what its fields hold its constructor says."""

    def __init__(self) -> None:
        self.entry: Entry | None = None

    def put(self, entry: Entry) -> None:
        self.entry = entry

    def rep_ok(self) -> bool:
        return self.entry is None or (self.entry.key > 0 and len(self.entry.tags) == 1)
'''


def sums(size, total):
    """Trees of at most ``size`` inner nodes over leaves 0 to N that sum up to at most N."""
    by_inner = {0: dict.fromkeys(range(total + 1), 1)}
    for inner in range(1, size + 1):
        found = dict.fromkeys(range(total + 1), 0)
        for left in range(inner):
            for (a, some), (b, more) in product(by_inner[left].items(),
                                                by_inner[inner - 1 - left].items()):  # fmt: skip
                if a + b <= total:
                    found[a + b] += some * more
        by_inner[inner] = found
    return 1 + sum(sum(counts.values()) for counts in by_inner.values())


def rings(number):
    """Each capacity, head and count, and integers 0 to N in what is filled."""
    filled = [(number + 1) ** count for size in range(1, number + 1) for count in range(size + 1)
              for _ in range(size)]  # fmt: skip
    return 1 + sum(filled)


def spans(number):
    ends = [(low, high) for low in range(number + 1) for high in range(low, number + 1)]
    return sum(
        all(a[1] < b[0] for a, b in pairwise(row))
        for size in range(number + 1)
        for row in product(ends, repeat=size)
    )


def queues(number):
    return sum(
        sum(row) <= number
        for size in range(number + 1)
        for row in product(range(number + 1), repeat=size)
    )


COUNTS = {
    "SumTree": lambda n: sums(n, n),
    "Ring": rings,
    "Spans": spans,
    "Queue": queues,
    "Lights": lambda n: 1 + min(n, 2),  # a member joins a dict with each scope
    "Notes": lambda n: 1 + sum(n**size for size in range(1, n + 1)),
    "Index": lambda n: (2**n) ** n,
    "Grid": lambda n: 3 ** (n * (n + 1) // 2),
    "Fixed": lambda n: min(n, 1) + 2,
    "Shelf": lambda n: 1 + n * n,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("written")
    (made / "written.py").write_text(SOURCE)
    return made


def searched(folder, name, engine):
    task = generation_task(HeapsRequest("written", name, (1, 2), engine, paths=(str(folder),)))
    generator = HeapGenerator(task)
    heaps = list(generator.heaps())
    symbolic = task.model.symbolic_fields()
    suite = FieldSuite(PairReader.of(task.model), task.scopes)
    suite.take(iter(heaps))
    assert generator.state.notes.keys() <= {"undecided comparison"}
    shapes = {repr(shape_of(heap.form, symbolic)) for heap in heaps}
    counts = [one.valid for one in generator.state.stats]
    return task, counts, shapes, suite.extensions.sizes(), [heap.form for heap in suite.suite]


@pytest.mark.parametrize("name", list(COUNTS))
def test_both_engines_find_what_brute_force_finds(folder, name):
    _, lazily, shapes, sizes, _ = searched(folder, name, "lazy")
    task, counts, own, pairs, suite = searched(folder, name, "korat")
    assert counts == [COUNTS[name](number) for number in (1, 2)]
    assert (own, pairs) == (shapes, sizes)
    assert lazily[-1] == len(shapes)
    with Pool(task.spec, 1) as pool:
        builder = HeapBuilder(task, Subject("written", ""), pool)
        assert all(builder.build(form) for form in suite)
