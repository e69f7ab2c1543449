from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from corpus import EXPECTED, IMPORTS, MODULES, SENTINEL, agrees, outcome

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec

HERE = str(Path(__file__).parent)
DOUBLES = [("double", (number,)) for number in range(5)]


@pytest.fixture(autouse=True)
def sentinel():
    SENTINEL.mkdir(exist_ok=True)
    keep = SENTINEL / "keep.txt"
    keep.write_text("untouched")
    yield
    assert [path.name for path in SENTINEL.iterdir()] == ["keep.txt"]
    assert keep.read_text() == "untouched"


def spec_of(module, **changes):
    fields = {
        "paths": (str(MODULES),),
        "entry_paths": (HERE,),
        "item_seconds": 0.3,
        "import_seconds": 5.0,
        "memory_mb": 512,
        "steps": 20_000,
        "traced": True,
        **changes,
    }
    return HostSpec("hostile_agent", {"module": module}, **fields)


def group_members(group):
    """Processes (not zombies) of a process group."""
    members = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                members.append(entry.name)
    return members


def children_with(word):
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in line:
                found.append(line)
    return found


def test_the_corpus_is_complete():
    modules = {path.stem for path in MODULES.glob("*.py")}
    assert modules == {*EXPECTED, *IMPORTS}
    assert len(modules) >= 25


@pytest.mark.parametrize("module", sorted(EXPECTED))
def test_hostile_module_is_contained(module):
    expected = EXPECTED[module]
    items = []
    for name in expected:
        items += [(name, ()), DOUBLES[len(items) % 5]]
    with Pool(spec_of(module), 2) as pool:
        group = pool._workers._host._process.pid
        assert "double" in pool.ready
        found = [outcome(reply) for reply in pool.map("call", [*items, *DOUBLES], batch=8)]
        again = [outcome(reply) for reply in pool.map("call", DOUBLES)]
    wrong = {
        name: text
        for (name, _), text in zip(items, found, strict=False)
        if name != "double" and not agrees(expected[name], text)
    }
    assert wrong == {}
    doubles = [
        text for (name, _), text in zip([*items, *DOUBLES], found, strict=True) if name == "double"
    ]
    assert doubles[-5:] == again == [f"value={2 * number}" for number in range(5)]
    assert all(text.startswith("value=") for text in doubles)
    assert group_members(group) == []
    assert children_with("unitcraft-hostile-marker") == []


@pytest.mark.parametrize("module", sorted(IMPORTS))
def test_hostile_import_is_named(module):
    with pytest.raises(UnitcraftError) as caught, Pool(spec_of(module, import_seconds=1.5)):
        pass
    assert caught.value.slug == IMPORTS[module]


def test_a_host_that_dies_later_is_replaced():
    with Pool(spec_of("import_threads"), 1) as pool:
        time.sleep(0.5)
        replies = [reply.value for reply in pool.map("call", DOUBLES)]
    assert replies == [("returned", 2 * number) for number in range(5)]
