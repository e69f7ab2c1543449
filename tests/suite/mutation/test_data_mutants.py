"""Mutants of tables, constants and default values: put in, noticed by readers, put back."""

from __future__ import annotations

import ast
import types

import pytest
from source_lab import rng

from unitcraft.suite.mutation.mutants.data_mutants import (
    MAX_DATA_MUTANTS,
    MAX_MUTANTS_PER_VALUE,
    DataSwap,
    mutants_of_data,
    replaceable_values,
)

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


@pytest.fixture
def shop():
    """(module, DataPatches over all mutants)."""
    module = types.ModuleType("shop")
    exec(compile(SOURCE, FILE, "exec"), vars(module))
    live = {
        (name, function.__code__.co_firstlineno): [function]
        for name, function in (
            ("size", module.size), ("Box.volume", module.Box.volume), ("late", module.late),
        )
    }  # fmt: skip
    return module, DataSwap(mutants_of_data(ast.parse(SOURCE), FILE, rng("data")), module, live)


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
    module, patches = shop

    def shown():
        return (module.size("a"), module.size("a", 1), module.Box().volume(), module.Box().depth)

    original, changed = shown(), set()
    before = {name: id(value) for name, value in vars(module).items()}
    for number, mutant in enumerate(patches.found):
        assert patches.apply(number)
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
    module, patches = shop
    number = next(n for n, one in enumerate(patches.found) if one.value.name == "depth")
    del module.Box.depth
    assert not patches.apply(number)
    patches.restore()
    assert not hasattr(module.Box, "depth")


def test_a_value_equal_to_the_present_one_is_no_mutant(shop):
    module, patches = shop
    number = next(n for n, one in enumerate(patches.found) if one.value.name == "LIMIT")
    module.LIMIT = eval(patches.found[number].code)
    assert not patches.apply(number)


def test_large_tables_are_sampled_the_same_way_each_time():
    table = ", ".join(f"{n}: 'v{n}'" for n in range(100))
    source = "\n".join(f"T{k} = {{{table}}}\ndef f{k}():\n    return T{k}" for k in range(20))
    found = mutants_of_data(ast.parse(source), FILE, rng("a"))
    assert len(found) == MAX_DATA_MUTANTS
    assert len([one for one in found if one.value.name == "T3"]) <= MAX_MUTANTS_PER_VALUE
    again = mutants_of_data(ast.parse(source), FILE, rng("a"))
    assert [(one.place, one.code.co_code) for one in found] == [
        (one.place, one.code.co_code) for one in again
    ]
