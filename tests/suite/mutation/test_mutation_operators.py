"""Every operator passes by being listed: its examples are run here."""

from __future__ import annotations

import ast

import pytest

from unitcraft.suite.mutation.mutants.mutation_operators import OPERATORS

EXAMPLES = [
    (operator, before, afters) for operator in OPERATORS for before, afters in operator.examples
]


def node_of(text: str) -> ast.AST:
    """The statement or, where the text is one, the expression; ``return`` may stand alone."""
    statement = ast.parse(text).body[0]
    if isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Call):
        return statement.value
    return statement


def applied(operator, text: str) -> list[str]:
    """The variants of the first node of ``text`` that the operator fits, as source text."""
    root = node_of(text)
    candidates = [root, root.value] if isinstance(root, ast.Expr) else [root]
    for node in candidates:
        made = [ast.unparse(ast.fix_missing_locations(one)) for one in operator.apply(node)]
        if made:
            return made
    return []


@pytest.mark.parametrize(
    ("operator", "before", "afters"), EXAMPLES, ids=[f"{o.name}-{b!r}" for o, b, _ in EXAMPLES]
)
def test_examples_hold(operator, before, afters):
    assert applied(operator, before) == list(afters)


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_an_operator_shows_what_it_does_and_is_described(operator):
    assert any(afters for _, afters in operator.examples)
    assert operator.apply.__doc__


def test_names_are_unique():
    names = [operator.name for operator in OPERATORS]
    assert len(set(names)) == len(names)


PROGRAM = """
async def f(a, b, *rest, key=1, **more):
    \"\"\"Words.\"\"\"
    total = a + b * 2 if a < b <= 3 else -a
    for item in rest[1:]:
        if item is None or not item:
            continue
        total += item[-1 - 2]
    while total > 10 and key:
        total -= len(more) % 7
        break
    try:
        a.attribute = g(a, b, key=total)
        del more["x".strip()]
    except ValueError:
        raise
    except KeyError as error:
        print(error)
    with open(b"file") as stream:
        assert stream
    return [x for x in sorted(rest) if x != "y" and x in (1.5, True)]
"""


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_variants_are_new_different_and_leave_the_node_as_it_was(operator):
    tree = ast.parse(PROGRAM)
    before = ast.dump(tree)
    count = 0
    for node in ast.walk(tree):
        for made in operator.apply(node):
            count += 1
            assert made is not node
            assert ast.dump(made) != ast.dump(node)
        assert ast.dump(tree) == before
    assert count


def test_the_guard_of_a_case_is_negated():
    (match,) = ast.parse("match a:\n    case 1 if b:\n        f()").body
    operator = next(one for one in OPERATORS if one.name == "condition")
    (made,) = operator.apply(match.cases[0])
    assert ast.unparse(made.guard) == "not b"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("'a' + b", "arithmetic"),  # text is not a number
        ("f'{a}' % b", "arithmetic"),
        ("x += 'a'", "arithmetic"),
        ("a.split()", "text method"),
        ("strip(a)", "text method"),
        ("return None", "result"),
        ("return", "result"),
        ("(x, y) == 3", "connective"),
        ("x = 1", "statement"),  # an unbound name is not a mutant worth a test
        ("f(*a)", "call"),
        ("a['key']", "index"),
        ("a[True]", "index"),
        ("None", "constant"),
    ],
)
def test_where_an_operator_does_not_fit_it_yields_nothing(text, name):
    operator = next(one for one in OPERATORS if one.name == name)
    assert applied(operator, text) == []
