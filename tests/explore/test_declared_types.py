"""Whether an Arg may be of a declared type: False only where that is certain."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Const, Display, Ref, Source, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.declared_types import may_be

INT, STR = TypeExpr("int"), TypeExpr("str")
ONE, TEXT = Const(1), Const("a")
#: A TypedDict with one key.
KEYS = TypeExpr("dict", (STR, INT, INT), literals=(TEXT,))
#: One whose key has to be there.
ASKED = TypeExpr("dict", (TypeExpr("literal", literals=(TEXT,)), INT, INT), literals=(TEXT,))


@pytest.mark.parametrize(
    ("arg", "declared", "expected"),
    [
        (ONE, INT, True), (TEXT, INT, False), (Const(value=True), INT, False),
        (ONE, TypeExpr("float"), True), (ONE, ANY, True), (Ref(0), INT, True),
        (Const(None), TypeExpr("union", (INT, TypeExpr("none"))), True),
        (TEXT, TypeExpr("literal", literals=(Const("b"),)), False),
        (TEXT, TypeExpr("sequence", (STR,)), True),
        (Display("list", (ONE,)), TypeExpr("list", (INT,)), True),
        (Display("list", (ONE, TEXT)), TypeExpr("list", (INT,)), False),
        (Display("list", (ONE,)), TypeExpr("class", cls="m:C"), False),
        (Build(Symbol("m", "C")), TypeExpr("class", cls="m:C"), True),
        (Display("tuple", (ONE, TEXT)), TypeExpr("tuple", (INT, STR)), True),
        (Display("tuple", (ONE,)), TypeExpr("tuple", (INT, STR)), False),
        (Display("dict", (TEXT, ONE)), TypeExpr("dict", (STR, INT)), True),
        (Display("dict", (TEXT, TEXT)), TypeExpr("mapping", (STR, INT)), False),
        (Display("dict", ()), TypeExpr("list"), False),
        (Build(Symbol("datetime", "time")), TypeExpr("dict"), False),
        (Build(Symbol("datetime", "time")), TypeExpr("class", cls="datetime:time"), True),
        (Build(Symbol("m", "C")), TypeExpr("dict"), True),
        (Build(Symbol("builtins", "object")), TypeExpr("dict"), False),
        (Build(Symbol("random", "Random"), (ONE,)), TypeExpr("dict"), False),
        (Build(Symbol("collections", "Counter")), TypeExpr("dict"), True),
        (Symbol("builtins", "list"), TypeExpr("dict"), False),
        (Symbol("m", "MEMBER"), INT, True),
        (Source("lambda: 0"), TypeExpr("dict"), False),
        (Source("iter(())"), TypeExpr("dict"), True),
        (Build(Symbol("decimal", "Decimal")), TypeExpr("dict"), False),
        (Build(Symbol("decimal", "Decimal")), TypeExpr("float"), True),
        (Display("dict", (TEXT, ONE)), KEYS, True), (Display("dict", ()), KEYS, True),
        (Display("dict", (TEXT, TEXT)), KEYS, False), (Display("dict", (ONE, ONE)), KEYS, False),
        (Display("dict", (Const("b"), ONE)), KEYS, False),
        (Display("dict", (Ref(0), ONE)), KEYS, True),
        (Display("dict", (TEXT, ONE)), ASKED, True), (Display("dict", ()), ASKED, False),
        (Display("dict", (Ref(0), ONE)), ASKED, True),
    ],
)  # fmt: skip
def test_an_arg_may_be_of_a_type(arg, declared, expected):
    assert may_be(arg, declared) is expected


@pytest.mark.parametrize(
    ("declared", "classes"),
    [
        (STR, ["builtins:str"]), (TypeExpr("float"), ["builtins:float", "builtins:int"]),
        (TypeExpr("list", (INT,)), ["builtins:list"]), (TypeExpr("vartuple"), ["builtins:tuple"]),
        (TypeExpr("none"), ["builtins:NoneType"]), (TypeExpr("iterable"), []),
        (TypeExpr("mapping"), []),
    ],
)  # fmt: skip
def test_an_object_is_of_a_builtin_type_by_its_class(declared, classes):
    asked = []
    found = may_be(Ref(0), declared, lambda _, one: asked.append(one.cls))
    assert asked == classes
    assert found is not bool(classes)
