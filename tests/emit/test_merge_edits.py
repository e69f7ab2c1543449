"""What a person wrote in a generated file survives the next generation."""

from __future__ import annotations

import ast

import pytest
from dsl import subject_of, suite_of

from unitcraft.emit.merge.local_imports import with_local_imports
from unitcraft.emit.merge.merge_edits import merge, module_of
from unitcraft.emit.write.writer import write

STUBS = """
class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items = 1
    def pop(self): self.items = 1
class Queue:
    def __init__(self): self.items = []
    def put(self, item): self.items = 1
    def get(self): self.items = 1
def parse(text): ...
"""

SUBJECT = subject_of(STUBS, "shop.things")

TESTS = """
s = Stack()
s.push(3)
assert list(s) == [3]

s = Stack()
s.pop()
raises IndexError("empty")

q = Queue()
q.put(3)
assert list(q) == [3]

q = Queue()
q.get()
raises IndexError("empty")

r = parse("a")
assert r == 1
"""


def generated(text: str = TESTS, *, first_party: bool = True) -> str:
    return write(SUBJECT, suite_of(text, SUBJECT), first_party=first_party).text


NEW = generated() + ""
OTHER = generated(TESTS.replace("3", "4").replace('"a"', '"b"'))


def test_the_module_is_known_from_the_note():
    assert module_of(NEW) == "shop.things"
    assert module_of('"""Tests of shop."""\n') is None


@pytest.mark.parametrize("old", ["", NEW, OTHER])
def test_an_untouched_file_is_replaced(old):
    assert merge(old, NEW) == type(merge("", ""))(NEW)


def test_another_layout_is_no_edit():
    reformatted = NEW.replace("assert parse(", "assert parse( ").replace('"', "'")
    assert "'" in reformatted
    assert merge(reformatted, OTHER).text == OTHER


def test_an_edited_function_is_kept_and_the_rest_replaced():
    edited = NEW.replace('assert parse("a") == 1', 'assert parse("mine") == 7')
    merged = merge(edited, OTHER)
    assert merged.kept == ("test_parse",)
    assert 'parse("mine") == 7' in merged.text
    assert "stack.push(4)" in merged.text
    assert "push(3)" not in merged.text


def test_an_edited_method_is_kept_in_its_class():
    edited = NEW.replace("assert list(queue) == [3]", "assert list(queue) == [3]  # mine")
    merged = merge(edited, OTHER)
    assert merged.kept == ("TestQueue.test_put",)
    assert "# mine" in merged.text
    assert merged.text.count("class TestQueue") == 1


def test_added_tests_helpers_and_their_imports_are_kept():
    edited = NEW.replace("import pytest\n", "import json\n\nimport pytest\n").replace(
        "class TestStack:",
        "LIMIT = 3\n\n\n@pytest.fixture\ndef thing():\n    return json.loads('1')\n\n\n"
        "# my own\ndef test_mine(thing):\n    assert thing < LIMIT\n\n\nclass TestStack:",
    )
    merged = merge(edited, OTHER)
    assert merged.kept == ("LIMIT = 3", "thing", "test_mine")
    assert "import json" in merged.text
    assert "# my own\ndef test_mine(thing):" in merged.text
    assert merged.text.index("LIMIT = 3") < merged.text.index("class TestStack")


def test_merging_twice_changes_nothing_more():
    edited = NEW.replace("== 1\n", "== 2\n") + "\n\ndef test_mine():\n    assert parse\n"
    once = merge(edited, OTHER)
    assert merge(once.text, OTHER) == once
    assert [node for node in ast.parse(once.text).body if isinstance(node, ast.FunctionDef)]


def test_a_deleted_test_stays_deleted():
    edited = NEW.replace('def test_parse():\n    assert parse("a") == 1\n', "")
    merged = merge(edited, NEW)
    assert "def test_parse" not in merged.text
    assert "from shop.things import Queue, Stack\n" in merged.text
    assert "def test_parse" in merge(edited, OTHER).text


def test_a_deleted_test_stays_away_for_ever_and_is_named():
    edited = NEW.replace('def test_parse():\n    assert parse("a") == 1\n', "")
    once = merge(edited, NEW)
    assert once.left_out == ("test_parse",)
    assert once.text.count("left out by unitcraft: test_parse\n") == 1
    assert merge(once.text, NEW) == once
    later = merge(once.text, OTHER)
    assert "def test_parse" not in later.text
    assert merge(later.text, NEW) == once
    allowed = "".join(
        line for line in once.text.splitlines(keepends=True) if "left out" not in line
    )
    assert merge(allowed, NEW).text == NEW


def test_a_file_that_does_not_parse_is_left_alone():
    assert merge("def test_(:\n", NEW).text == "def test_(:\n"


def test_first_party_imports_stay_apart():
    edited = NEW.replace('parse("a")', 'parse("mine")')
    assert "import pytest\n\nfrom shop.things import" in merge(edited, OTHER).text
    third = generated(first_party=False).replace('parse("a")', 'parse("mine")')
    new = generated(first_party=False)
    assert "import pytest\nfrom shop.things import" in merge(third, new).text


BROKEN = '''\
"""Tests."""

import pytest
from shop.things import (
    Queue,
    Stack,
    gone,
    label,
)
from shop.words import word

SIZES = [label("a")]


class TestStack:
    def test_gone(self):
        """Checks."""
        assert gone(Stack())

    def test_word(self):
        assert word() == gone(1)


def test_queue():
    assert Queue()
'''


def test_an_import_that_may_fail_goes_into_the_tests_that_use_it():
    text = with_local_imports(BROKEN, "shop", frozenset({"Queue", "Stack"}))
    assert "from shop.things import Queue, Stack, label\n" in text
    assert '        """Checks."""\n        from shop.things import gone\n        assert' in text
    assert text.count("        from shop.things import gone\n") == 2
    assert text.count("        from shop.words import word\n") == 1
    assert with_local_imports(text, "shop", frozenset({"Queue", "Stack"})) == text
    assert with_local_imports(BROKEN, "other", frozenset()) == BROKEN


def test_tests_that_fail_elsewhere_are_not_written():
    merged = merge(NEW, NEW, frozenset({"test_parse"}))
    assert "def test_parse" not in merged.text
    assert "Stack()" in merged.text
    assert merged.dropped == ("test_parse",)
    assert merge(merged.text, NEW) == merged
    assert "def test_parse" not in merge(merged.text, OTHER).text
    allowed = "".join(
        line for line in merged.text.splitlines(keepends=True) if "conftest" not in line
    )
    assert "def test_parse" in merge(allowed, NEW).text


def test_remarks_of_a_person_stay_where_they_are():
    edited = (
        NEW.replace("import pytest", "# Import order matters.\n\nimport pytest", 1)
        .replace("class TestStack", "# What follows is slow.\n# Very.\n\n\nclass TestStack")
        .replace("    def test_put(", "    # Puts.\n\n    def test_put(")
        .replace("class TestQueue:", "# Its own.\nclass TestQueue:")
        .replace("\n# unitcraft:", "\n# The end.\n\n\n# unitcraft:", 1)
    )
    edited = "# Copyright: mine.\n" + edited
    merged = merge(edited, OTHER)
    assert merged.kept == ()
    again = merge(merged.text, OTHER)
    assert again == merged
    lines = [line.strip() for line in merged.text.splitlines() if line.strip()]
    remarks = ["# Copyright: mine.", "# Import order matters.", "# What follows is slow.",
               "# Very.", "# Puts.", "# Its own.", "# The end."]  # fmt: skip
    below = {line: lines[at + 1] for at, line in enumerate(lines) if line in remarks}
    assert below == {
        "# Copyright: mine.": '"""Tests of shop.things."""',
        "# Import order matters.": "import pytest",
        "# What follows is slow.": "# Very.",
        "# Very.": "class TestStack:",
        "# Puts.": "def test_put(self):",
        "# Its own.": "class TestQueue:",
        "# The end.": lines[-1],
    }
    assert "push(4)" in merged.text


def test_remarks_inside_and_behind_a_class_stay_with_it():
    edited = NEW.replace("class TestQueue:", "    # Pop more.\n\n\nclass TestQueue:")
    text = merge(edited, OTHER).text
    assert "    # Pop more.\n\n\nclass TestQueue:" in text
    assert merge(text, OTHER).text == text
    gone = merge(edited, generated('r = parse("a")\nassert r == 1\n'))
    assert "# Pop more." in gone.text


def test_a_docstring_of_a_person_is_kept():
    edited = NEW.replace("Tests of shop.things.", "Tests of things.\n\nMine.")
    assert merge(edited, OTHER).text.startswith('"""Tests of things.\n\nMine."""\n')
