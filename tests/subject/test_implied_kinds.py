"""The kinds that parameters have by what stands in their place, or beside them."""

from __future__ import annotations

import ast

import pytest

from unitcraft.subject.description_context import context_of
from unitcraft.subject.passing.expression_kinds import ExpressionTypes
from unitcraft.subject.passing.implied_kinds import implied_kinds
from unitcraft.subject.passing.name_bindings import scopes_of

HEAD = "import os\nfrom datetime import date, datetime, timedelta\nfrom decimal import Decimal\n"
DATE, MOMENT = "datetime:date", "datetime:datetime"
#: Function of ``p`` and ``q`` -> (parameter, operation, kinds) of each use.
IMPLIED = [
    ("p = p or date.today()\n    return p", [("p", "passed", DATE)]),
    ("return (p or datetime.now()) - q",
     [("p", "passed", MOMENT), ("q", "argument", f"{MOMENT}|datetime:timedelta")]),
    ("p = date.today() if p is None else p\n    return p > q",
     [("p", "passed", DATE), ("q", "argument", DATE)]),
    ("p = p if p else Decimal(1)\n    return p", [("p", "passed", "decimal:Decimal")]),
    ("if p is None:\n        p = 'abc'\n    return p", [("p", "passed", "str")]),
    ("if not p:\n        p = [1]\n    return p", [("p", "passed", "list")]),
    ("if not p:\n        p = []\n    return p", []),
    ("return p or {}", []),
    ("return os.environ if p is None else p", [("p", "passed", "dict"), ("p[]", "passed", "str")]),
    ("return p < len(q)", [("p", "argument", "int")]),
    ("return Decimal('1.5') + p", [("p", "argument", "decimal:Decimal")]),
    ("return p > date.today() - timedelta(1)", [("p", "argument", DATE)]),
    ("if q is None:\n        p = 'abc'\n    return p", []),
    ("return p or q", []),
    ("return p or None", []),
    ("return p == len(q)", []),
    ("return p * len(q)", []),
    ("r = date.today()\n    return [r for r in q if r > p]", []),
]  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), IMPLIED)
def test_what_stands_for_a_parameter_or_beside_it_has_its_kind(load, subject, body, expected):
    text = f"{HEAD}\ndef f(p, q):\n    {body}\n"
    described = subject(text)
    view = context_of(load(text))
    types = ExpressionTypes(view, described, scopes_of(ast.parse(text)))
    rows = [(one.path, one.operation, one.operand) for one in implied_kinds(types, described)]
    assert rows == expected


@pytest.mark.parametrize("head", ["p: int", "p=1.5, *, q: str"])
def test_what_is_declared_is_left_alone(load, subject, head):
    text = f"{HEAD}\ndef f({head}):\n    return p > date.today()\n"
    types = ExpressionTypes(context_of(load(text)), subject(text), scopes_of(ast.parse(text)))
    rows = [one.path for one in implied_kinds(types, subject(text))]
    assert rows == (["p"] if "=" in head else []), "a default may be replaced by the code"
