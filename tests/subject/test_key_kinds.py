"""The kinds of parameters by which code looks something up in what it keeps."""

from __future__ import annotations

import ast

from unitcraft.subject.description_context import context_of
from unitcraft.subject.passing.expression_kinds import ExpressionTypes
from unitcraft.subject.passing.key_kinds import key_kinds
from unitcraft.subject.passing.name_bindings import scopes_of

SETTINGS = """
class Settings:
    def __init__(self):
        self.sections = {}
        self.sizes = {}
        self.mixed = {}

    def read(self, line, count: int):
        name = line.strip()
        section = self.sections.setdefault(name, {})
        section[line.lower()] = 1
        self.sizes[count] = name
        self.mixed[count] = self.mixed[name] = line

    def get(self, section, key):
        values = self.sections.get(section)
        return None if values is None else values[key]

    def flag(self, where, what):
        return self.get(where, what) == 1

    def size(self, number):
        return number in self.sizes

    def other(self, number):
        return self.mixed[number]

    def twice(self, name):
        name = name * 2
        return self.unknown.get(name)
"""


def test_what_is_looked_up_is_of_the_kind_of_the_keys_that_are_stored(load, subject):
    described = subject(SETTINGS)
    types = ExpressionTypes(context_of(load(SETTINGS)), described, scopes_of(ast.parse(SETTINGS)))
    found = {
        (one.invocable.rpartition(".")[2], one.path, one.operand)
        for one in key_kinds(types, described)
    }
    assert found == {
        ("get", "section", "str"), ("get", "key", "str"), ("flag", "where", "str"),
        ("flag", "what", "str"), ("size", "number", "int"),
    }  # fmt: skip
