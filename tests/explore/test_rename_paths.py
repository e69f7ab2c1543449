"""A file of a test gets the name that it is compared with."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Const, TempPath
from unitcraft.explore.search.variation.rename_paths import renamed


@pytest.mark.parametrize(
    ("operation", "left", "right", "names"),
    [
        ("==", ".txt", ".json", ["notes.json"]),
        ("==", "txt", "json", ["notes.json"]),
        ("==", "notes.txt", "README", ["README"]),
        ("==", "notes", "setup", ["setup.txt"]),
        ("in", ".txt", (".ini", ".cfg"), ["notes.ini", "notes.cfg"]),
        ("in", ".py", "notes.txt", ["notes.py"]),
        ("in", "test", "notes.txt", ["testnotes.txt"]),
        ("in", "notes.txt", ("setup.cfg", "tox.ini"), ["setup.cfg", "tox.ini"]),
        ("startswith", "notes.txt", "test_", ["test_notes.txt"]),
        ("endswith", "notes.txt", "_test.py", ["notes_test.py"]),
        ("endswith", "notes.txt", ".py", ["notes.py"]),
        ("==", "other.txt", "README", []),
        ("==", "notes.txt", "a/b", []),
        ("==", 3, ".txt", []),
        ("in", ".txt", None, []),
    ],
)
def test_the_name_is_what_it_is_compared_with(operation, left, right, names):
    path = TempPath("notes.txt", Const("x"), is_text=True)
    found = list(renamed(path, operation, left, right))
    assert [one.name for one in found] == names
    assert all((one.content, one.is_text) == (path.content, True) for one in found)
