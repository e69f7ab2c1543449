"""Names that a module only imports are followed to where they are defined."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.subject.locate import locate
from unitcraft.subject.reading.reexports import origins


@pytest.mark.parametrize(
    ("text", "module", "is_package", "expected"),
    [
        ("from a.b import f", "m", False, [("a.b", "f")]),
        ("from a import g as f", "m", False, [("a", "g")]),
        ("from a import f as g", "m", False, []),
        ("import f", "m", False, []),
        ("from ._impl import f", "p", True, [("p._impl", "f")]),
        ("from ._impl import f", "p.q", False, [("p._impl", "f")]),
        ("from . import f", "p", True, [("p", "f")]),
        ("from ..x import f", "p.q.r", False, [("p.x", "f")]),
        ("from ...x import f", "p.q", False, []),
        ("from a import *\nfrom b import f", "m", False, [("b", "f"), ("a", "f")]),
        ("try:\n    from c import f\nexcept ImportError:\n    from d import f", "m", False,
         [("c", "f"), ("d", "f")]),
        ("def g():\n    from a import f", "m", False, []),
    ],
)  # fmt: skip
def test_a_name_comes_from(text, module, is_package, expected):
    assert list(origins(ast.parse(text), module, "f", is_package=is_package)) == expected


FILES = {
    "pkg/__init__.py": "from pkg._impl import Box, f as run\nfrom .parts import *\n"
    "from . import gone\nfrom _c import fast\n",
    "pkg/_impl.py": "def f(): ...\nclass Box:\n    def half(self): ...\n",
    "pkg/parts/__init__.py": "from .deep import wheel\n",
    "pkg/parts/deep.py": "def wheel(): ...\n",
    "turn/__init__.py": "from turn.round import x\n",
    "turn/round.py": "from turn import x\n",
}


@pytest.fixture
def tree(write, tmp_path: Path) -> Path:
    for name, text in FILES.items():
        write(name, text)
    return tmp_path


@pytest.mark.parametrize(
    ("target", "module", "attribute"),
    [
        ("pkg:Box.half", "pkg._impl", "Box.half"),
        ("pkg:run", "pkg._impl", "f"),
        ("pkg/__init__.py:Box", "pkg._impl", "Box"),
        ("pkg:wheel", "pkg.parts.deep", "wheel"),
        ("pkg._impl:f", "pkg._impl", "f"),
    ],
)
def test_a_target_is_found_where_it_is_defined(tree, target, module, attribute):
    (one,) = locate(target, tree)
    assert (one.module, one.attribute, one.root) == (module, attribute, tree.resolve())


@pytest.mark.parametrize("target", ["pkg:gone", "pkg:fast", "pkg:Box.third", "turn:x"])
def test_what_is_defined_nowhere_is_not_found(tree, target):
    with pytest.raises(UnitcraftError) as caught:
        locate(target, tree)
    assert caught.value.slug == "target-not-found"
