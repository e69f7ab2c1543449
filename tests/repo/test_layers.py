"""Imports point one way, and all of them count: guarded, late and relative ones too."""

from __future__ import annotations

import ast

import pytest
from repository import LAYERS, cycles, graph, modules, nearest, tree


def layer(name: str) -> int:
    """The place of a module in the order of layers; the entry points belong to the last."""
    parts = name.split(".")
    if name == "unitcraft":
        return -1
    return LAYERS.index("app" if parts[1] == "__main__" else parts[1])


def test_every_package_is_a_layer():
    packages = {name.split(".")[1] for name in modules() if name != "unitcraft"} - {"__main__"}
    assert packages <= set(LAYERS)


def test_modules_import_only_their_own_layer_and_lower_ones():
    named = [name for name in modules() if name != "unitcraft"]
    above = [(name, other) for name in named for other in graph()[name]
             if layer(other) > layer(name)]  # fmt: skip
    assert above == []


def test_root_module_imports_nothing():
    assert graph()["unitcraft"] == []


def test_no_import_cycles():
    assert cycles({name: set(uses) for name, uses in graph().items()}) == []


def test_cycles_are_found_where_there_are_some():
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]


@pytest.mark.parametrize(
    "heavy", ["unitcraft.app.cli", "unitcraft.app.commands.cli_generate", "unitcraft.app.config"]
)
def test_answering_a_flag_needs_no_engine(heavy):
    """Modules that every start imports reach the engine only inside functions."""
    reached, todo = set(), [heavy]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += top_level(name)
    engines = {name.split(".")[1] for name in reached} - {"core", "app"}
    assert engines == set()


def top_level(name: str) -> list[str]:
    known = frozenset(modules())
    body = tree(modules()[name]).body
    found = [
        f"{node.module}.{alias.name}"
        for node in body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    return [near for dotted in found if (near := nearest(dotted, known)) not in {"", "unitcraft"}]
