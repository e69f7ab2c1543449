"""Functions that functions return are described like those that a caller reaches by name."""

from __future__ import annotations

import pytest

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.subject.subject_codec import decode_subject, encode_subject

FACTORY = """
def adder(amount):
    def add(text: str, prefix="> ", *, deep=False):
        return prefix + text + str(amount)
    return add
"""
DECORATOR = """
import functools
def retry(times):
    def decorator(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs)
        return wrapper
    return decorator
"""


def test_what_a_factory_returns_has_parameters(subject):
    described = subject(FACTORY)
    [found] = described.returned
    assert (found.id, found.name, found.module) == ("sample:adder()", "add", "sample")
    text, prefix, deep = found.parameters
    assert (text.type, text.required, text.origin) == (TypeExpr("str"), True, "annotation")
    assert (prefix.required, prefix.default.value, prefix.type) == (False, "> ", ANY)
    assert deep.kind == "keyword"
    assert decode_subject(encode_subject(described)).returned == described.returned


def test_a_decorator_with_options_returns_one_that_takes_a_function(subject):
    described = subject(DECORATOR)
    decorator, wrapper = described.returned
    assert (decorator.id, wrapper.id) == ("sample:retry()", "sample:retry()()")
    assert [one.kind for one in wrapper.parameters] == ["var_positional", "var_keyword"]
    evidence = Plausibility(described).evidence(decorator)["function"]
    assert evidence.candidates[0].type.name == "callable"


@pytest.mark.parametrize(
    "body",
    [
        "def g(x): return x\n    return g(1)",
        "def g(x): return x\n    return other",
        "def g(x): return x\n    yield g\n    return g",
        "@cached\n    def g(x): return x\n    return g",
        "class C:\n        def g(self, x): return x\n    return g",
    ],
)
def test_what_may_be_another_function_is_not_described(subject, body):
    text = f"import functools\ncached = functools.cache\nother = len\ndef f():\n    {body}\n"
    assert subject(text).returned == ()
