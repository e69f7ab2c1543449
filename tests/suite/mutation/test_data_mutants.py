"""Mutants of tables, constants and default values: put in, noticed by readers, put back."""

from __future__ import annotations

import ast
import sys
import types

import pytest

from unitcraft.suite.mutation.mutants.code_swap import CodeSwap
from unitcraft.suite.mutation.mutants.data_mutants import replaceable_values
from unitcraft.suite.mutation.mutants.mutant_sample import (
    MAX_DATA_MUTANTS,
    MAX_MUTANTS_PER_VALUE,
    sample_data,
)
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, diff_of_mutant

FILE = "shop.py"
SOURCE = """
import os
LIMIT = 3
NAMES = {"a": 1, "b": [2, -3]}
UNUSED = 5
HOME = os.getcwd()
COPY = LIMIT

def size(name, times=2, *, extra=(1, 0)):
    return NAMES[name] * times + LIMIT + extra[0]

class Box:
    depth = 4
    label: str = "box"

    def volume(self, side=10):
        return self.depth * side

def late(n=print("once")):
    return n
"""


def data_of(source):
    return [one for one in source.mutants if one.value is not None]


@pytest.fixture
def shop(monkeypatch):
    """(module, CodeSwap, mutants of data)."""
    module = types.ModuleType("shop")
    exec(compile(SOURCE, FILE, "exec"), vars(module))
    monkeypatch.setitem(sys.modules, "shop", module)
    source = ModuleSource("shop", FILE, SOURCE)
    swap = CodeSwap(source)
    return module, swap, swap.load(data_of(source))


def test_values_that_somebody_reads_and_that_can_be_computed_again_are_found():
    found = {(one.holder, one.name): one.users for one in replaceable_values(ast.parse(SOURCE))}
    assert found == {
        ("", "LIMIT"): ("size",),
        ("", "NAMES"): ("size",),
        ("Box", "depth"): ("Box.volume",),
        ("size", "times"): ("size",),
        ("size", "extra"): ("size",),
        ("Box.volume", "side"): ("Box.volume",),
    }


def test_each_mutant_changes_what_its_users_return_or_nothing_and_is_undone(shop):
    module, patches, mutants = shop

    def shown():
        return (module.size("a"), module.size("a", 1), module.Box().volume(), module.Box().depth)

    original, changed = shown(), set()
    before = {name: id(value) for name, value in vars(module).items()}
    for mutant in mutants:
        assert patches.apply(mutant)
        try:
            if shown() != original:
                changed.add(mutant.value.name)
        except (KeyError, TypeError):
            changed.add(mutant.value.name)
        patches.restore()
        assert shown() == original
    assert {name: id(value) for name, value in vars(module).items()} == before
    assert changed == {"LIMIT", "NAMES", "depth", "times", "extra", "side"}


def test_a_value_that_is_computed_elsewhere_by_then_is_not_mutated(shop):
    module, patches, mutants = shop
    mutant = next(one for one in mutants if one.value.name == "depth")
    del module.Box.depth
    assert not patches.apply(mutant)
    patches.restore()
    assert not hasattr(module.Box, "depth")


def test_a_value_equal_to_the_present_one_is_no_mutant(shop):
    module, patches, mutants = shop
    mutant = next(one for one in mutants if one.value.name == "LIMIT")
    module.LIMIT = eval(mutant.make.expression(FILE))
    assert not patches.apply(mutant)


def test_large_tables_are_sampled_the_same_way_each_time():
    table = ", ".join(f"{n}: 'v{n}'" for n in range(100))
    source = "\n".join(f"T{k} = {{{table}}}\ndef f{k}():\n    return T{k}" for k in range(20))
    mutants = ModuleSource("shop", FILE, source).mutants
    found = sample_data(mutants)
    assert len(found) == MAX_DATA_MUTANTS
    assert len([one for one in found if one.value.name == "T3"]) <= MAX_MUTANTS_PER_VALUE
    assert found == sample_data(mutants)


def test_ids_name_the_variable_or_the_parameter():
    source = ModuleSource("shop", FILE, SOURCE + "\nLIMIT = 4\n")
    assert {one.about.id.partition("=:")[0] for one in data_of(source)} == {
        "shop:LIMIT", "shop:LIMIT~2", "shop:NAMES", "shop:Box.depth", "shop:size(times)",
        "shop:size(extra)", "shop:Box.volume(side)",
    }  # fmt: skip
    ids = [one.about.id for one in source.mutants]
    assert len(set(ids)) == len(ids)
    assert ids[: len(ids) - len(data_of(source))] == [
        one.about.id for one in source.mutants if one.value is None
    ]


def test_the_source_of_a_mutant_has_the_new_value_and_the_tree_stays():
    source = ModuleSource("shop", FILE, SOURCE)
    before = ast.dump(source.tree)
    for mutant in data_of(source):
        assert ast.dump(source.mutated(mutant)) != before
        assert [line[0] for line in diff_of_mutant(source, mutant).splitlines()].count("+") == 2
    assert ast.dump(source.tree) == before


@pytest.mark.parametrize(
    "text",
    [
        "TABLE = (1, 2)  # pragma: no mutate\ndef f():\n    return TABLE",
        "def f(a=1):  # unitcraft: ignore\n    return a",
    ],
)
def test_a_pragma_excludes_values_too(text):
    assert data_of(ModuleSource("shop", FILE, text)) == []
