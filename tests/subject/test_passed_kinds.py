"""The kinds that a module itself passes to parameters without an annotation."""

from __future__ import annotations

import ast
from dataclasses import replace
from decimal import Decimal

import pytest

from unitcraft.core.sequences import Build, Const, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.explore.plausibility.argument_fit import Fit, Plausibility
from unitcraft.subject.description_context import context_of
from unitcraft.subject.known_types import DECIMAL, STR
from unitcraft.subject.model import PASSED, Subject
from unitcraft.subject.passing import (
    called_invocables,
    display_types,
    expression_kinds,
    library_results,
    name_bindings,
)
from unitcraft.subject.passing.operator_results import NOTHING, join, operated
from unitcraft.subject.passing.passing_agent import read_passed
from unitcraft.subject.subject_codec import decode_record, encode_subject
from unitcraft.subject.values.example_arguments import fits


@pytest.fixture
def subject(subject):
    """The described Subject with what its module passes, as a planner asks for it."""

    def with_passed(text: str) -> Subject:
        described = subject(text)
        rows = decode_record(read_passed(encode_subject(described)))
        return replace(described, uses=(*described.uses, *rows))

    return with_passed


HEAD = """
import os, re, sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Iterator, Optional, Union

class Kind(Enum):
    NEW = 1

@dataclass
class Item:
    sku: str
    price: Decimal
    day: date
    kind: Kind = Kind.NEW
    tags: list[str] = field(default_factory=list)
    note: Optional[str] = None

    @property
    def total(self) -> Decimal:
        return self.price * 2

    def label(self, width):
        return self.sku.ljust(width)

class Cart:
    def __init__(self, items: list[Item], rate=1):
        self.items = items
        self.names: dict[str, Item] = {}
        self.rate = 0.5
        self.size = len(items)
        self._owner = None
        self.any = 1
        self.any = "a"

    def note(self, p): ...
    def reset(self, p=None):
        self._owner = "me"

PATTERN = re.compile("a(b)")
NAMES = {"key": 1}
LIMIT = 10

@contextmanager
def opened() -> Iterator[Item]: yield
def g(p, q=None, *args, **kwargs): ...
def typed(p: int): ...
def count(x):
    return len(x)
def either(x):
    if x:
        return 1
    return "one"
async def later(x) -> str: ...
"""
#: Parameters of a function and its body -> the kinds that ``g`` is passed ('' for none).
PASSES = [
    # literals and displays
    ("", "g(f'{1}')", "str"), ("", "g(1)", "int"), ("", "g(None)", ""), ("", "g(...)", ""),
    ("", "g([])", "list"), ("", "g((1, 2))", "tuple"), ("", "g({1: 2})", "dict"),
    ("x", "g({y for y in x})", "set"), ("x", "g([y for y in x])", "list"),
    ("x", "g(y for y in x)", ""), ("x", "g(lambda: x)", "function"), ("", "g(count)", "function"),
    # operators
    ("x", "g(not x)", "bool"), ("x", "g(x is None)", "bool"), ("x, y", "g(x == y)", ""),
    ("x", "g(x == 1)", "bool"), ("x: int", "g(x / 2)", "float"), ("x: int", "g(-x + 1)", "int"),
    ("x", "g(x + 1)", ""), ("x", "g('%s' % x)", "str"),
    ("x: Decimal", "g(x - 1)", "decimal:Decimal"), ("x: Decimal, y", "g(x - y)", ""),
    ("x: date, y: date", "g(x - y)", "datetime:timedelta"),
    ("x: Path", "g(x / 'a')", "pathlib:Path"), ("x: Optional[str]", "g(x or 'a')", "str"),
    ("x", "g(1 if x else 'a')", "int|str"), ("x", "g(1 if x else None)", "int"),
    # functions and methods
    ("x", "g(len(x))", "int"), ("x", "g(str(x))", "str"), ("x", "g(sorted(x))", "list"),
    ("x", "g(', '.join(x))", "str"), ("x", "g(x.split())", "list"), ("x", "g(x.label())", ""),
    ("x", "g(os.path.join(x, 'a'))", "str"), ("x", "g(PATTERN.match(x).start())", "int"),
    ("x", "g(count(x))", "int"), ("x", "g(either(x))", ""), ("x", "g(later(x))", ""),
    ("x", "g(Decimal(x))", "decimal:Decimal"), ("x", "g(date.today())", "datetime:date"),
    ("x", "g(os.environ['A'])", "str"), ("x", "g(x())", ""),
    # names
    ("x: str", "g(x)", "str"), ("x: 'Item'", "g(x)", "sample:Item"),
    ("x: Optional[int]", "g(x)", "int"), ("x: Union[int, str]", "g(x)", "int|str"),
    ("x: str", "x = x.split()\n g(x)", ""),
    ("x: Union[int, str]", "if isinstance(x, str): g(x)", ""), ("x=0", "g(x)", ""),
    ("x", "y = 1\n y += 2\n g(y)", "int"), ("x", "y = 1\n y = 'a'\n g(y)", ""),
    ("x", "y = None\n y = 'a'\n g(y)", "str"), ("x", "y = y\n g(y)", ""),
    ("x", "y, z = 1, x\n g(y)", "int"),
    ("x", "y, z = x.strip().partition('=')[:2]\n g(z)", "str"),
    ("", "for y in range(3): g(y)", "int"), ("x", "for y, z in enumerate(x): g(y)", "int"),
    ("x: list[Item]", "for y in x: g(y)", "sample:Item"),
    ("x: dict[str, int]", "for y, z in x.items(): g(z)", "int"),
    ("x", "try: x()\n except KeyError as e: g(e)", "builtins:KeyError"),
    ("x", "try: x()\n except (KeyError, OSError) as e: g(e)", ""),
    ("x", "with open(x) as y: g(y.read())", "str"),
    ("x", "with open(x, 'rb') as y: g(y.read())", "bytes"),
    ("x", "with closing(sqlite3.connect(x)) as y: g(y)", "sqlite3:Connection"),
    ("", "with opened() as y: g(y)", "sample:Item"), ("x", "import json as y\n g(y)", ""),
    ("x", "def Decimal(y): ...\n g(Decimal(x))", ""), ("", "g(LIMIT)", "int"),
    ("", "g(NAMES['key'])", "int"), ("", "global LIMIT\n LIMIT = x\n g(LIMIT)", ""),
    ("", "y = 1\n def h():\n  nonlocal y\n  y = 'a'\n g(y)", ""),
    # attributes
    ("x: Item", "g(x.sku)", "str"), ("x: Item", "g(x.total)", "decimal:Decimal"),
    ("x: Item", "g(x.note)", "str"), ("x: Item", "g(x.kind)", "sample:Kind"),
    ("x: Item", "g(x.nothing)", ""), ("x: Item", "g(x.day.year)", "int"),
    ("x: Cart", "g(x.rate)", "float"), ("x: Cart", "g(x.items[0].price)", "decimal:Decimal"),
    ("x: Cart", "g(x.size)", "int"), ("x: Cart", "g(x.any)", ""),
    ("x: Cart", "g(x._owner)", "str"), ("x: Cart", "g(x.names['a'])", "sample:Item"),
    ("", "g(Kind.NEW)", "sample:Kind"),
    # how it is passed
    ("x", "g(*x, 1)", ""), ("x", "g(x, 1)", ""), ("x", "g(p=len(x))", "int"),
    ("x", "g(**{'p': 1})", ""), ("x", "g(len(x)); g(str(x))", "int|str"),
    ("x", "g(len(x)); g(x)", "int"),
]  # fmt: skip
#: A module after HEAD -> rows (Invocable, path, kinds), beside those of ``g``.
ROWS = [
    (
        (
            "class Low(Exception):\n"
            " def __init__(self, item, missing): ...\n"
            "def f(item: Item, limit: Decimal):\n"
            " raise Low(item, limit - item.total)"
        ),
        [("Low", "item", "sample:Item"), ("Low", "missing", "decimal:Decimal")],
    ),
    (
        (
            "class Base:\n"
            " def __init__(self, a): ...\n"
            "class Heir(Base):\n"
            " def __init__(self, b):\n"
            "  super().__init__(len(b))\n"
            "class Other(Base): pass"
        ),
        [("Base", "a", "int"), ("Other", "a", "int")],
    ),
    (
        (
            "class Base:\n"
            " def __init__(self, a): ...\n"
            "class Heir(Base):\n"
            " def __init__(self, b: str):\n"
            "  Base.__init__(self, b)"
        ),
        [("Base", "a", "str")],
    ),
    (
        (
            "class Log(list):\n"
            " def __init__(self, a: str): super().__init__(a)"
        ),
        [],
    ),
    (
        (
            "class A:\n"
            " def f(self, p): ...\n"
            " def h(self, x: str):\n"
            "  self.f(x)\n"
            "  A.f(self, x)\n"
            "  g(self)"
        ),
        [("A.f", "p", "str"), ("g", "p", "sample:A")],
    ),
    (
        (
            "class A:\n"
            " def __init__(self, p): ...\n"
            " @classmethod\n"
            " def of(cls, x: str): return cls(x.split())"
        ),
        [("A", "p", "list"), ("A", "p[]", "str")],
    ),
    (
        (
            "class A:\n"
            " def __init__(self, p): ...\n"
            " def copy(self): return type(self)(1)\n"
            " def more(self): return self.__class__('a')"
        ),
        [("A", "p", "int|str")],
    ),
    (
        "def f(x: Item, y: Cart): x.label(y.size)",
        [("Item.label", "width", "int")],
    ),
    (
        "def f(x): typed(x); typed('a')",
        [],
    ),
    (
        "def f(x: 'list[str]'): g(x)",
        [("g", "p", "list"), ("g", "p[]", "str")],
    ),
    (
        (
            "class A:\n"
            " def f(self, x):\n"
            "  def h(): g(self)\n"
            "  return h"
        ),
        [("g", "p", "sample:A")],
    ),
]  # fmt: skip


def rows_of(subject, text):
    return [
        (one.invocable.partition(":")[2], one.path, one.operand)
        for one in subject(f"{HEAD}\n{text}\n").uses
        if one.operation == PASSED
    ]


@pytest.mark.parametrize(("parameters", "body", "expected"), PASSES)
def test_the_kind_of_an_argument_is_read_where_it_is_certain(subject, parameters, body, expected):
    found = rows_of(subject, f"def f({parameters}):\n {body}")
    assert [kinds for name, path, kinds in found if (name, path) == ("g", "p")] == [
        expected
    ] * bool(expected)


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_each_way_of_calling_tells_what_its_parameters_are_passed(subject, text, expected):
    assert rows_of(subject, text) == expected


def test_what_is_passed_fits_and_other_kinds_are_doubtful_where_nothing_speaks_for_them(subject):
    text = "class Low(Exception):\n def __init__(self, a, b=1):\n  super().__init__(f'{a}{b}')\n"
    described = subject(f"{HEAD}\n{text}\ndef f(x: Decimal): raise Low(x - 1, str(x))\n")
    made = next(one for one in described.invocables if one.id == "sample:Low")
    plausibility = Plausibility(described)
    first, second = plausibility.evidence(made).values()
    assert (first.candidates[0].type, first.candidates[0].rungs) == (DECIMAL, ("passed",))
    assert plausibility.fit(first, Build(Symbol("decimal", "Decimal"), (Const("1"),))) is Fit.FITS
    assert plausibility.fit(first, Const("text")) is Fit.DOUBTFUL
    assert plausibility.fit(second, Const("text")) is Fit.FITS
    assert plausibility.fit(second, Const(2)) is Fit.FITS


def test_a_function_that_makes_objects_of_a_class_fits(subject):
    described = subject(f"{HEAD}\ndef f(x): g(sqlite3.connect(x))\n")
    made = next(one for one in described.invocables if one.id == "sample:g")
    plausibility = Plausibility(described)
    memory = Build(Symbol("sqlite3", "connect"), (Const(":memory:"),))
    assert plausibility.fit(plausibility.evidence(made)["p"], memory) is Fit.FITS
    assert fits(memory, TypeExpr("class", cls="sqlite3:Connection"))


def test_what_is_passed_is_no_use_and_a_class_without_values_no_evidence(subject):
    described = subject(f"{HEAD}\ndef f(x): g(re.match(x, 'a'), x.split())\n")
    made = next(one for one in described.invocables if one.id == "sample:g")
    evidence = Plausibility(described).evidence(made)
    assert rows_of(subject, "def f(x): g(re.match(x, 'a'))") == [("g", "p", "re:Match")]
    assert (evidence["p"].candidates, evidence["p"].uses) == ((), ())
    assert [one.type.name for one in evidence["q"].candidates] == ["list"]


def test_the_types_of_many_items_are_those_of_the_first(load):
    view = context_of(
        load("MANY = ['a'] * 90\nMIXED = ['a', 1]\nNONE = None\nALL = frozenset(range(90))\n")
    )
    types = expression_kinds.ExpressionTypes(
        view, Subject("sample", ""), name_bindings.scopes_of(ast.parse(""))
    )
    found = {name: types.of_value(value) for name, value in view.names.items() if name.isupper()}
    bare = TypeExpr("list"), TypeExpr("any"), TypeExpr("frozenset")
    assert [*found.values()] == [TypeExpr("list", (STR,)), *bare]


def test_long_expressions_are_not_followed_to_their_end(subject):
    assert rows_of(subject, f"def f(x: int): g({' + '.join(['x'] * 900)})") == []
    names = "\n".join(f" a{place} = a{place - 1}" for place in range(1, 900))
    assert rows_of(subject, f"def f(x: int):\n a0 = x\n{names}\n g(a899)") == []


def test_a_class_is_found_by_its_id_where_its_module_is_loaded():
    assert called_invocables.loaded_class("decimal:Decimal") is Decimal
    assert called_invocables.loaded_class("decimal:nothing") is None
    assert called_invocables.loaded_class("") is None


def test_a_name_that_is_bound_in_an_unknown_way_has_a_binding():
    tree = ast.parse("def f(x):\n match x:\n  case [a, *b]: pass\n  case {'k': c, **d}: pass\n")
    function = name_bindings.scopes_of(tree).scopes[1]
    assert set(function.bindings) == {"x", "a", "b", "c", "d"}
    assert all(one == [name_bindings.UNKNOWN] for one in function.bindings.values())


@pytest.mark.parametrize(
    ("left", "op", "right"),
    [("1", "+", "2.5"), ("True", "&", "False"), ("True", "+", "True"), ("'a'", "*", "2"),
     ("[1]", "+", "[2]"), ("{1}", "-", "{2}"), ("7", "//", "2"), ("{1: 2}", "|", "{3: 4}"),
     ("b'a'", "+", "b'b'"), ("1", "/", "2"), ("3", "*", "[1]"), ("'%s'", "%", "1")],
)  # fmt: skip
def test_operators_answer_the_type_that_python_gives(left, op, right):
    node = ast.parse(f"{left} {op} {right}", mode="eval").body
    found = display_types.structural_type(
        node, lambda part: display_types.structural_type(part, lambda _: NOTHING)
    )
    assert found.name == type(eval(f"{left} {op} {right}")).__name__


def test_types_are_joined_without_none_and_containers_without_items_that_differ():
    list_of = lambda name: TypeExpr("list", (TypeExpr(name),))  # noqa: E731
    assert join([STR, TypeExpr("none")]) == STR
    for others in (["str"], ["str", "bool"], ["str", "bool", "str"]):
        assert join(map(list_of, ["int", *others])) == TypeExpr("list")
    assert join([TypeExpr("list"), list_of("int")]) == list_of("int")
    assert join([]) == NOTHING
    assert operated(NOTHING, ast.Add(), STR) == STR


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("str.partition", "a b".partition(" ")), ("str.split", ["a", "b"]),
        ("bytes.decode", b"a".decode()), ("int.bit_length", (3).bit_length()),
        ("float.is_integer", 1.5.is_integer()),
    ],
)  # fmt: skip
def test_the_results_of_methods_are_those_of_python(text, value):
    assert library_results.RESULTS[f"builtins:{text}"].name == type(value).__name__
