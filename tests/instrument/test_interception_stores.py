"""Stores to subscripts are rewritten to probes that evaluate every operand once, in order."""

from __future__ import annotations

import ast

import pytest

from unitcraft.instrument import interception_stores
from unitcraft.instrument.interception_stores import (
    StoreRewriter,
    is_constant,
    is_starred,
    or_none,
    probe_call,
)


class Rewriter(StoreRewriter):
    """Rewrites inside functions, as the whole rewriter does."""

    def visit_FunctionDef(self, node):  # noqa: N802 - the name that ast asks for
        self._functions += 1
        self.generic_visit(node)
        self._functions -= 1
        return node


def rewritten(body):
    tree = Rewriter().visit(ast.parse(f"def f():\n    {body}\n"))
    return ast.unparse(tree.body[0].body).replace("__unitcraft_", "")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("c[i] = v", "set__(v, c, i)"),
        ("c[1:] = v", "set__(v, c, slice__(..., 1, None, None))"),
        ("del c[i], x", "delete__(c, i)\ndel x"),
        ("x = 1", "x = 1"),
        ("s %= v", "s = modulo_in_place__(s, v)"),
        ("s |= t", "s = in_place__('__ior__', s, t)"),
        ("n |= 1", "n |= 1"),
        ("c[*a, 1] = v", "c[*a, 1] = v"),
    ],
)
def test_stores(body, expected):
    assert rewritten(body) == expected


def test_code_outside_functions_keeps_its_form():
    assert ast.unparse(Rewriter().visit(ast.parse("c[i] = v"))) == "c[i] = v"


@pytest.mark.parametrize(
    "body",
    [
        "log('c', box)[log('i', 0)] += log('v', 5)",
        "a, log('c', box)[log('i', 1)] = log('v', (7, 8))",
        "x = log('c', box)[log('i', 0)] = log('v', 9)",
        "log('c', box)[log('i', 0)], *rest = log('v', [1, 2, 3])",
        "del log('c', box)[log('i', 0)]",
    ],
)
def test_a_rewritten_store_does_what_the_plain_one_does(body):
    assert run(body, rewrite=True) == run(body, rewrite=False)


@pytest.mark.parametrize("body", ["for box[0] in [4, 5]: log('n', box[0])"])
def test_loops_over_items(body):
    assert run(body, rewrite=True) == run(body, rewrite=False)


def run(body, *, rewrite):
    """(the log, the box, the names of locals left) after ``body``."""
    tree = ast.parse(f"def f(box, log):\n    {body}\n    return box, sorted(locals())\n")
    if rewrite:
        tree = ast.fix_missing_locations(Rewriter().visit(tree))
    said = []

    def log(name, value):
        said.append(name)
        return value

    def store(value, container, index):
        container[index] = value

    space = {
        interception_stores.SET: store,
        interception_stores.GET: lambda c, i: c[i],
        interception_stores.DELETE: lambda c, i: c.__delitem__(i),
    }
    exec(compile(tree, "<stores>", "exec"), space)
    return said, *space["f"]([10, 20], log)


def test_names_of_probes_are_reserved_and_distinct():
    texts = [value for value in vars(interception_stores).values() if isinstance(value, str)]
    names = [text for text in texts if text.startswith(interception_stores.PROBE)]
    assert len(names) == len(set(names))
    assert len(names) > 20


def test_calls_of_probes():
    assert ast.unparse(probe_call("p", ast.Constant(1))) == "p(1)"
    assert is_constant(or_none(None))
    assert not is_constant(ast.Name("x"))
    assert is_starred(ast.parse("a[*b]").body[0].value.slice)
