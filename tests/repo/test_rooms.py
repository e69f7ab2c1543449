"""Folders are rooms: few modules in each, imports between them one way, names used once."""

from __future__ import annotations

import ast
from collections import Counter

import pytest
from repository import SOURCE, cycles, graph, modules, tree

MODULES_IN_A_ROOM = 15
LINES_OF_A_ROOM = 5
PACKAGES = {name: file for name, file in modules().items() if file.name == "__init__.py"}
PLAIN = {name: file for name, file in modules().items() if not file.name.startswith("__")}


def room(name: str) -> str:
    """The folder of a module; a module that stands beside folders is a room of its own.

    Such modules are what the folders share (below them) or what assembles them (above).
    """
    package = name if name in PACKAGES else name.rpartition(".")[0]
    beside = any(other.startswith(f"{package}.") for other in PACKAGES)
    return name if beside else package


def test_rooms_are_small():
    counts = Counter(name.rpartition(".")[0] for name in PLAIN)
    assert {room: count for room, count in counts.items() if count > MODULES_IN_A_ROOM} == {}


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_room_says_what_it_is(package):
    """What the part is, its entrance, its invariant and what it may import; no code."""
    body = tree(PACKAGES[package]).body
    text = ast.get_docstring(tree(PACKAGES[package])) or ""
    if package != "unitcraft":
        assert "ntrance" in text
        assert "Invariant:" in text
        assert len(body) == 1
    assert len(text.splitlines()) >= LINES_OF_A_ROOM


def test_no_file_name_is_used_twice():
    counts = Counter(file.name for file in PLAIN.values())
    assert [name for name, count in counts.items() if count > 1] == []


def test_rooms_import_one_way():
    uses: dict[str, set[str]] = {}
    for name, targets in graph().items():
        uses.setdefault(room(name), set()).update(room(other) for other in targets)
    for here, targets in uses.items():
        targets.discard(here)
    assert cycles(uses) == []


def test_a_package_with_folders_is_several_rooms():
    assert room("unitcraft.solve.chain") != room("unitcraft.solve.smt.z3_layer")
    assert room("unitcraft.core.sequences") == room("unitcraft.core.encoding")


def test_every_folder_is_a_package():
    assert [folder for folder in SOURCE.rglob("*/") if not list(folder.glob("__init__.py"))
            and folder.name != "__pycache__"] == []  # fmt: skip
