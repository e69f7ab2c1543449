"""Nodes of syntax trees are picked out of pieces of code that are parsed."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.execute.guest.interpret import Interpreter
from unitcraft.explore.execution import cost
from unitcraft.subject.values.syntax_nodes import (
    MAX_WAY,
    PARSE_FUNCTIONS,
    class_of_node,
    is_bare_node,
    is_node_of,
    named_nodes,
    ways_to_node,
)

NODES = [
    "AST", "Module", "stmt", "expr", "Name", "FunctionDef", "ClassDef", "arg", "alias", "keyword",
    "ImportFrom", "ExceptHandler", "Call", "Attribute", "Return", "BinOp", "Lambda",
]  # fmt: skip


@pytest.mark.parametrize("name", NODES)
def test_each_way_leads_to_a_node_of_the_class(name):
    ways = ways_to_node(f"ast:{name}")
    assert 1 <= len(ways) <= 3
    for sequence, index in ways:
        made = Interpreter().run(encode_sequence(sequence))[index]
        assert isinstance(made, getattr(ast, name))
        assert len(sequence) <= MAX_WAY + 1
        assert sequence.calls[0].name in PARSE_FUNCTIONS


LOOKING = """
from typed_ast import ast3 as ast

def visit(tree):
    found = [one for one in ast.walk(tree) if isinstance(one, ast.AnnAssign)]
    return found or [one for one in tree.body if isinstance(one, (ast.YieldFrom, ast.Str))]
"""


def test_nodes_that_the_code_looks_for_are_inside_those_that_come_first():
    named = named_nodes(LOOKING)
    assert named == ("AnnAssign", "YieldFrom", "Str")
    pieces = [way.calls[0].args[0].value for way, _ in ways_to_node("ast:Module", named)]
    assert pieces == [
        "total: int = 1",
        "def items():\n    total = yield from rows",
        "name = 'pear'",
    ]


def test_a_piece_with_several_of_them_is_chosen_once_and_others_follow():
    ways = ways_to_node("ast:FunctionDef", ("Return", "BinOp", "Name", "arg"))
    assert len(ways) == 3
    assert "return" in ways[0][0].calls[0].args[0].value
    assert ways_to_node("ast:FunctionDef", ("Import",)) == ways_to_node("ast:FunctionDef")


@pytest.mark.parametrize("cls", ["shop:Name", "ast:NodeVisitor", "ast:walk", ""])
def test_other_classes_have_no_way(cls):
    assert ways_to_node(cls) == ()


@pytest.mark.parametrize("name", NODES)
def test_the_class_of_a_node_that_is_picked_out_is_known(name):
    for sequence, index in ways_to_node(f"ast:{name}"):
        assert is_node_of(class_of_node(sequence, index), f"ast:{name}")


def test_a_node_is_none_of_another_class_and_other_objects_are_no_nodes():
    parsed = Call("function", "ast:parse", (Const("total = count"),))
    assert class_of_node(Sequence((parsed,)), 0) == "ast:Module"
    assert class_of_node(Sequence((parsed, Call("get", "name", (Ref(0),)))), 1) == ""
    assert class_of_node(Sequence((Call("function", "shop:parse", (Const("total"),)),)), 0) == ""
    assert is_node_of("ast:Try", "ast:ExceptHandler") is False
    assert is_node_of("shop:Try", "ast:ExceptHandler") is None


@pytest.mark.parametrize(
    ("home", "expected"),
    [
        ("ast:FunctionDef", True),
        ("typed_ast._ast3:AST", True),
        ("ast:Load", False),
        ("shop:FunctionDef", False),
        ("ast:parse", False),
    ],
)
def test_a_node_without_what_its_class_has_is_one_that_no_parser_makes(home, expected):
    assert is_bare_node(home) is expected
    made = Sequence((Call("function", home),))
    parsed, _ = ways_to_node("ast:FunctionDef")[0]
    assert (cost(made) > cost(parsed)) is expected
