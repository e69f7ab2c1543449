"""Code that needs inputs with structure gets them, as a person would write them."""

from __future__ import annotations

import ast

import pytest


@pytest.fixture(scope="module")
def suite(kind_suite):
    """The suite of a module of ``kinds``, by its name."""
    return kind_suite


def test_documents_and_named_options_have_what_is_looked_up(suite):
    found = suite("wire")
    assert found.branches_covered == found.branches
    assert '"command": "add", "numbers": [' in found.text
    assert 'match=r"^unknown command$"' in found.text
    assert '{"width": ' in found.text
    assert "Painter(size=" in found.text


def test_an_abstract_class_is_shown_by_a_subclass_that_the_test_writes(suite):
    found = suite("figures")
    assert found.branches_covered == found.branches
    assert "(Shape):\n" in found.text
    assert "def area(self):\n" in found.text
    assert "@property\n" in found.text
    assert "class Reader(BaseReader):\n" in found.text
    written = [ast.unparse(one) for one in ast.walk(ast.parse(found.text))
               if isinstance(one, ast.ClassDef) and one.bases]  # fmt: skip
    assert len(written) == len(set(written))  # what two tests define alike stands above them


def test_descriptors_and_types_are_shown_in_classes(suite):
    found = suite("lazies")
    assert "area = Typed(" in found.text
    assert "assert circle.area == " in found.text
    assert "class Pair(NamedTuple):\n" in found.text
    assert "SimpleNamespace" not in found.text
    assert " @computed\n" in found.text
    assert "def test_computed_decorates_a_method(" in found.text


def test_nested_containers_are_mixed_and_alike(suite):
    found = suite("trees")
    assert found.branches_covered >= found.branches - 1  # 27 of 30 without such variations


def test_streams_and_connections_give_bytes_where_bytes_are_wanted(suite):
    found = suite("wires")
    assert found.branches_covered == found.branches
    assert "BytesIO(b" in found.text


def test_fields_of_a_declarative_class_are_declared_by_an_heir(suite):
    found = suite("records")
    assert found.branches_covered >= 16  # of 18; 9 without the heir
    assert "class ConcreteRecord(Record):\n            name = Text()" in found.text


def test_listeners_that_a_list_keeps_are_functions(suite):
    found = suite("buttons")
    assert found.branches_covered == found.branches  # 3 of 6 where nothing is known of listeners
