"""Which variables of a module are tables, and which are registries that tests fill."""

from __future__ import annotations

import ast

import pytest

from unitcraft.instrument.sites import table_names

FUNCTION = """
def register(name):
    TABLE[name] = 1
"""


@pytest.mark.parametrize(
    "source",
    [
        "TABLE = {'a': 1}",
        "TABLE: dict = {'a': 1}",
        "TABLE = dict(a=1)",
        "TABLE = set('ab')",
        "TABLE = {}\nTABLE['a'] = 1",
        "TABLE = []\nfor name in 'ab':\n    TABLE.append(name)",
        "TABLE = {}" + FUNCTION + "register('a')",
        "TABLE = {}" + FUNCTION + "@register\ndef one(): ...",
        "TABLE = {}" + FUNCTION + "class C:\n    @register\n    def one(self): ...",
    ],
)
def test_what_is_filled_at_import_is_a_table(source):
    assert "TABLE" in table_names(ast.parse(source))


@pytest.mark.parametrize(
    "made", ["{}", "[]", "set()", "dict()", "defaultdict(list)", "collections.OrderedDict()"]
)
def test_what_only_calls_fill_is_none(made):
    source = f"TABLE = {made}\nOTHER = (1, 2)" + FUNCTION
    assert table_names(ast.parse(source)) == {"OTHER"}
