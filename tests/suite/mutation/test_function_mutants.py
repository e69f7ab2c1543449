"""Mutants are numbered by the text, differ in byte code, and leave the tree as it was."""

from __future__ import annotations

import ast
import textwrap

import pytest

from unitcraft.suite.mutation.mutants.function_mutants import (
    fingerprint,
    mutants_of_function,
    outermost_functions,
)


def module(text: str) -> ast.Module:
    return ast.parse(textwrap.dedent(text))


def all_variants(text: str):
    tree = module(text)
    return [
        (place, ast.unparse(make()))
        for name, node in outermost_functions(tree)
        for place, make in mutants_of_function(name, node)
    ]


NESTED = """
def f():
    def inner():
        return 1
    return inner

class A:
    def m(self):
        return 2

    class B:
        async def n(self):
            return 3

if True:
    def g():
        return 4
try:
    def h():
        return 5
except ImportError:
    def h():
        return 6
"""


def test_outermost_functions_have_qualnames_in_source_order():
    found = [name for name, _ in outermost_functions(module(NESTED))]
    assert found[:5] == ["f", "A.m", "A.B.n", "g", "h"]
    assert "f.<locals>.inner" not in found


def test_inner_functions_are_mutated_as_a_part_of_the_outer_one():
    places = [place for place, _ in all_variants(NESTED) if place.function == "f"]
    assert {place.line for place in places} >= {4, 5}
    assert {place.first for place in places} == {2}


def test_a_variant_differs_in_one_place_and_the_tree_is_restored():
    tree = module("def f(a, b):\n    if a < b:\n        return a + 1\n    return b")
    before = ast.dump(tree)
    made = [
        ast.unparse(make())
        for name, node in outermost_functions(tree)
        for _, make in mutants_of_function(name, node)
    ]
    assert ast.dump(tree) == before
    assert "def f(a, b):\n    if a <= b:\n        return a + 1\n    return b" in made
    assert "def f(a, b):\n    if a < b:\n        return a - 1\n    return b" in made
    assert ast.unparse(tree) not in made
    assert len(set(made)) == len(made)


@pytest.mark.parametrize(
    "text",
    [
        'def f():\n    """Words."""',
        "def f(a: int = 3, *, b=4) -> int:\n    pass",
        "def f(log):\n    log.debug('started', 1 + 2)",
        "def f():\n    logging.getLogger('f').info('started', 1 + 2)",
        "def f(self):\n    self._logger.warning('started', 1 + 2)",
        "def f():\n    warn('old')",
        "@decorator(1, 2)\ndef f():\n    pass",
    ],
)
def test_what_says_nothing_of_behaviour_is_left_alone(text):
    assert [made for _, made in all_variants(text)] == []


@pytest.mark.parametrize("call", ["math.log(a)", "self.display.warning(a)", "shown().info(a)"])
def test_what_has_a_name_that_loggers_use_too_is_mutated(call):
    made = [one for _, one in all_variants(f"def f(a):\n    {call}")]
    assert made == ["def f(a):\n    pass", f"def f(a):\n    {call.replace('(a)', '(None)')}"]


def test_an_assignment_to_a_name_of_the_module_may_be_left_out():
    made = [one for _, one in all_variants("def f(a):\n    global level\n    level = a")]
    assert made == ["def f(a):\n    global level\n    pass"]
    assert all_variants("def f(a):\n    level = a") == []


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("def f(a):\n    a = g\n    return a", "def f(a):\n    pass\n    return a"),
        ("def f():\n    a = g\n    a = h", "def f():\n    a = g\n    pass"),
        ("def f(a, b):\n    a, b = g\n    return a", "def f(a, b):\n    pass\n    return a"),
        ("def f(a):\n    a: int = g\n    return a", "def f(a):\n    pass\n    return a"),
        ("def f(a):\n    a: int\n    return a", None),
        ("def f(a):\n    a, b = g\n    return a", None),
        ("def f(a):\n    def inner():\n        a = g\n    return inner", None),
        ("def f():\n    for a in g:\n        a = h", "def f():\n    for a in g:\n        pass"),
    ],
)  # fmt: skip
def test_an_assignment_to_a_name_that_has_a_value_before_may_be_left_out(text, left_out):
    made = [one for place, one in all_variants(text) if place.operator == "statement"]
    assert made == ([left_out] if left_out else [])


def test_a_builtin_function_is_called_without_its_options_and_on_nothing_that_it_refuses():
    made = [one for _, one in all_variants("def f(a):\n    g = max(a, key=len)")]
    assert made == ["def f(a):\n    g = max(a)"]


def test_a_warning_may_be_left_out_and_is_not_changed():
    made = [one for _, one in all_variants("def f():\n    warnings.warn('old', stacklevel=1 + 1)")]
    assert made == ["def f():\n    pass"]


def test_a_format_specification_is_left_alone():
    made = [one for _, one in all_variants("def f(x):\n    return f'{x:>10}' + 'a'")]
    assert any("XXaXX" in one for one in made)
    assert not any(">11" in one or "XX>" in one for one in made)


def test_certain_crashes_are_not_worth_a_mutant():
    made = [one for _, one in all_variants("def f(a):\n    return len(a)")]
    assert "def f(a):\n    return len(None)" not in made
    made = [one for _, one in all_variants("def f(a):\n    return g(a)")]
    assert "def f(a):\n    return g(None)" in made


def code_of(text: str):
    namespace = {}
    exec(textwrap.dedent(text), namespace)
    return namespace["f"].__code__


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("def f(a): return a + 1", "\n\n\ndef f(a):\n\n    return a + 1", True),
        ("def f(a): return not a == 1", "def f(a): return not a == 2", False),
        ("def f(a): return 1", "def f(a): return True", False),
        ("def f(a): return 0.0", "def f(a): return -0.0", False),
        ("def f(a): return a.x", "def f(a): return a.y", False),
        ("def f(a): return a < 1", "def f(a): return a <= 1", False),
        ("def f(): return lambda: 1", "def f():\n    return lambda: 1", True),
        ("def f(): return lambda: 1", "def f(): return lambda: 2", False),
    ],
)
def test_a_fingerprint_is_what_the_code_does(one, other, same):
    assert (fingerprint(code_of(one)) == fingerprint(code_of(other))) is same


def test_places_do_not_depend_on_the_run():
    assert [place for place, _ in all_variants(NESTED)] == [
        place for place, _ in all_variants(NESTED)
    ]
