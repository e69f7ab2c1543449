"""Which attributes a class leaves to its users to store, and what is known of their values."""

from __future__ import annotations

import ast

import pytest

from unitcraft.subject.description.field_effects import open_fields


def _open(text: str) -> tuple[str, ...]:
    tree = ast.parse(text).body[0]
    assert isinstance(tree, ast.ClassDef)
    return open_fields([tree])


def test_a_field_that_is_read_and_never_written_is_open() -> None:
    text = """
class Document:
    title = None
    def __init__(self):
        self.parts = []
        self.retries = 3
    def count(self):
        return len(self.parts) + self.retries + len(self.title)
"""
    assert _open(text) == ("title", "parts", "retries")


@pytest.mark.parametrize(
    "body",
    [
        "self.parts = parts\n    def read(self):\n        return self.parts",
        "self.parts = []\n    def add(self, one):\n        self.parts.append(one)",
        "self.parts = []\n        self.parts += parts\n    def read(self):\n        self.parts",
        "self.parts = []\n    def drop(self):\n        self.parts = []\n        return self.parts",
        "self.parts = []\n        self.parts.append(1)\n    def read(self):\n        self.parts",
        "self.parts = {}\n        self.parts[1] = 2\n    def read(self):\n        self.parts",
        "self._parts = []\n    def read(self):\n        return self._parts",
        "self.parts = []\n    def read(self):\n        return 1",
    ],
    ids=["given", "added to", "extended", "stored", "appended", "item", "private", "not read"],
)
def test_a_field_that_the_class_fills_is_not_open(body: str) -> None:
    assert _open(f"class Box:\n    def __init__(self, parts):\n        {body}\n") == ()


@pytest.mark.parametrize("value", ["3", "[]"])
def test_values_that_the_body_of_a_class_gives_are_for_heirs(value: str) -> None:
    text = f"class Box:\n    size = {value}\n    def read(self):\n        return self.size\n"
    assert _open(text) == ()


def test_what_heirs_store_themselves_is_not_open(subject) -> None:
    found = subject("""
        class Pattern:
            content = None

            def is_any(self):
                return self.content is None

        class Leaf(Pattern):
            def __init__(self, content):
                self.content = content

        class Order:
            ranks = None

            def rank(self):
                return self.ranks
    """)
    assert [one.id for one in found.invocables if one.is_open_field] == ["sample:Order.ranks"]


def test_what_members_do_with_the_field_is_said_of_the_stored_value(subject) -> None:
    found = subject("""
        class Part:
            pass

        class Document:
            def __init__(self):
                self.parts = []

            def count(self):
                return [one for one in self.parts if isinstance(one, Part)]
    """)
    (field,) = [one for one in found.invocables if one.is_open_field]
    assert (field.id, field.writes) == ("sample:Document.parts", ("parts",))
    assert [one.name for one in field.parameters] == ["parts"]
    uses = [one for one in found.uses if one.invocable == field.id]
    assert ("parts[]", "isinstance", "Part") in {
        (one.path, one.operation, one.operand) for one in uses
    }
    document = next(one for one in found.classes if one.qualname == "Document")
    assert field.id not in document.members
