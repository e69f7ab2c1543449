"""A file of a test gets the name that it is compared with."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Const, Display, TempPath
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


def test_an_entry_of_a_folder_gets_what_its_name_shall_contain():
    held = Display("dict", (Const("a.txt"), Const("x"), Const("sub"), Display("dict", ())))
    folder = TempPath("", held, is_text=True)
    found = [one.content.items[::2] for one in renamed(folder, "in", "{{", "a.txt")]
    assert found == [(Const("a.txt{{"), Const("sub")), (Const("{{a.txt"), Const("sub"))]
    assert list(renamed(folder, "in", "/", "a.txt")) == []
    assert list(renamed(folder, "in", "{{", "b.txt")) == []
    assert list(renamed(folder, "in", "txt", "a.txt")) == []
