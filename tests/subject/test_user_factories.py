from __future__ import annotations

import textwrap
from pathlib import Path

from unitcraft.core.sequences import Build, Const, Symbol
from unitcraft.subject.values.user_factories import find_factories, pragmas_in, read_user_values

SOURCE = textwrap.dedent(
    """
    # unitcraft: ignore[UC509]

    class A:  # unitcraft: pure

        # unitcraft: skip
        @property
        def m(self): ...

        def n(self, x):  # unitcraft: values x=[1, "a", unknown]
            return "# unitcraft: skip"

    # unitcraft: values y=[2.5]
    # unitcraft: ignore[UC501, UC505]
    def f(
        y,  # unitcraft: keep
    ):
        ...
    """
)


def test_pragmas_belong_to_the_definition_they_stand_at() -> None:
    found = [(one.scope, one.word, one.codes, one.values) for one in pragmas_in(SOURCE)]
    assert found == [
        ("", "ignore", ("UC509",), ()),
        ("A", "pure", (), ()),
        ("A.m", "skip", (), ()),
        ("A.n", "values", (), (Const(1), Const("a"))),
        ("f", "values", (), (Const(2.5),)),
        ("f", "ignore", ("UC501", "UC505"), ()),
        ("f", "keep", (), ()),
    ]


def test_wishes_are_inherited_from_class_and_module() -> None:
    user = read_user_values(SOURCE)
    assert [one.scope for one in user.wishes("A.n", "pure")] == ["A"]
    assert [one.codes for one in user.wishes("A.n", "ignore")] == [("UC509",)]
    assert user.for_parameter("f", "y") == (Const(2.5),)
    assert user.for_parameter("g", "y") == ()
    assert user.for_parameter("f", "") == ()


def test_factories_are_found_by_annotation_or_name(write, tmp_path: Path) -> None:
    write(
        "tests/unitcraft_factories.py",
        """
        from shop.cart import Cart
        def full() -> Cart: ...
        def make_line_item(): ...
        def make_pair(a, b=1): ...
        def _hidden() -> Cart: ...
        """,
    )
    path = find_factories(tmp_path / "src")
    assert path == tmp_path / "tests/unitcraft_factories.py"
    user = read_user_values("", path)
    assert user.of_class("shop.cart:Cart") == (Build(Symbol("unitcraft_factories", "full")),)
    assert user.of_class("shop.cart:LineItem") == (
        Build(Symbol("unitcraft_factories", "make_line_item")),
    )
    assert user.of_class("shop.cart:Pair") == ()


def test_no_factories_and_broken_sources(tmp_path: Path) -> None:
    assert find_factories(tmp_path) is None
    assert read_user_values("def f(: # unitcraft: skip").pragmas == ()
