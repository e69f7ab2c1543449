from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.subject.locate import Located, locate


@pytest.fixture
def tree(write, tmp_path: Path) -> Path:
    for name, text in {
        "flat.py": "def f(): ...\nclass A:\n    def m(self): ...\nif True:\n    def late(): ...",
        "pkg/__init__.py": "raise RuntimeError('imported')",
        "pkg/a.py": "",
        "pkg/__main__.py": "",
        "pkg/conftest.py": "",
        "pkg/test_a.py": "",
        "pkg/tests/test_b.py": "",
        "pkg/sub/__init__.py": "",
        "pkg/sub/b.py": "",
        "src/lib/__init__.py": "",
        "src/lib/core.py": "",
        "names/space/mod.py": "",
        ".venv/x.py": "",
        "env/pyvenv.cfg": "",
        "env/y.py": "",
        "setup.py": "",
        "broken.py": "def f(:\n",
        "notes.ipynb": "{}",
        "script": "def f(): ...",
        "my-script.py": "def f(): ...",
        "class.py": "def f(): ...",
    }.items():
        write(name, text)
    return tmp_path


def found(target: str, cwd: Path) -> list[tuple[str, str, str]]:
    root = cwd.resolve()
    return [
        (one.module, str(one.root.relative_to(root)), one.attribute) for one in locate(target, cwd)
    ]


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("flat.py", [("flat", ".", "")]),
        ("flat", [("flat", ".", "")]),
        ("./flat.py:A", [("flat", ".", "A")]),
        ("flat:A.m", [("flat", ".", "A.m")]),
        ("flat:f", [("flat", ".", "f")]),
        ("flat:late", [("flat", ".", "late")]),
        ("flat.py::f", [("flat", ".", "f")]),
        ("pkg/a.py", [("pkg.a", ".", "")]),
        ("pkg.a", [("pkg.a", ".", "")]),
        (
            "pkg",
            [("pkg", ".", ""), ("pkg.a", ".", ""), ("pkg.sub", ".", ""), ("pkg.sub.b", ".", "")],
        ),
        ("pkg/sub", [("pkg.sub", ".", ""), ("pkg.sub.b", ".", "")]),
        ("pkg.sub.b", [("pkg.sub.b", ".", "")]),
        ("lib.core", [("lib.core", "src", "")]),
        ("src", [("lib", "src", ""), ("lib.core", "src", "")]),
        ("src/lib/core.py", [("lib.core", "src", "")]),
        ("names.space.mod", [("names.space.mod", ".", "")]),
        ("names.space", [("names.space.mod", ".", "")]),
    ],
)
def test_targets(tree: Path, target: str, expected: list[tuple[str, str, str]]) -> None:
    assert found(target, tree) == expected


def test_a_folder_leaves_out_tests_environments_and_hidden_folders(tree: Path) -> None:
    modules = [one.module for one in locate(".", tree)]
    assert modules == [
        "broken",
        "flat",
        "mod",
        "pkg",
        "pkg.a",
        "pkg.sub",
        "pkg.sub.b",
        "lib",
        "lib.core",
    ]


def test_nothing_is_imported(tree: Path) -> None:
    locate("pkg.sub.b", tree)
    assert "pkg" not in sys.modules


def test_extra_paths_and_pythonpath(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tree / "pkg"
    with pytest.raises(UnitcraftError):
        locate("lib.core", elsewhere)
    assert locate("lib.core", elsewhere, (tree / "src",))[0].root == tree / "src"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["/nowhere", str(tree / "src")]))
    assert locate("lib.core", elsewhere)[0].file == tree / "src/lib/core.py"


def test_standard_library_modules_are_found(tmp_path: Path) -> None:
    (one,) = locate("colorsys", tmp_path)
    assert isinstance(one, Located)
    assert one.file.name == "colorsys.py"


@pytest.mark.parametrize(
    ("target", "slug", "advice"),
    [
        ("flot", "target-not-found", "did you mean flat?"),
        ("flot.py", "target-not-found", "did you mean flat.py"),
        ("pkg.sub.c", "target-not-found", "dotted module"),
        ("pkg.sab", "target-not-found", "did you mean pkg.sub?"),
        ("flat:B", "target-not-found", ""),
        ("flat:A.n", "target-not-found", "did you mean A.m"),
        ("broken.py", "syntax-error", "syntax"),
        ("broken", "syntax-error", "syntax"),
        ("pkg/tests", "nothing-to-test", "name a file"),
        ("sys", "not-python", "written in Python"),
        ("math", "not-python", "written in Python"),
        ("setup.cfg", "target-not-found", ""),
        ("", "target-not-found", "give a path"),
        ("notes.ipynb", "not-python", "ends in .py"),
        ("script", "not-python", "ends in .py"),
        ("my-script.py", "not-importable", "my_script.py"),
        ("class.py", "not-importable", "_class.py"),
    ],
)
def test_errors_say_what_to_do(tree: Path, target: str, slug: str, advice: str) -> None:
    with pytest.raises(UnitcraftError) as caught:
        locate(target, tree)
    assert caught.value.slug == slug
    assert advice in str(caught.value)
