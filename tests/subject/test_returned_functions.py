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


ROUTER = """
class App:
    def route(self, path, methods):
        def add(handler):
            self.routes.append((path, handler))
            return path, handler
        return add

    def get(self, path):
        return self.route(path, ["GET"])

    def other(self, path, app):
        return app.route(path, [])

def shown(path):
    return route(path, 1)

def route(path, count):
    def check(text):
        return text[:count]
    return check
"""


def test_what_a_sibling_returns_is_returned(subject):
    found = {one.id: one.name for one in subject(ROUTER).returned}
    assert found == {
        "sample:App.route()": "add", "sample:App.get()": "add",
        "sample:shown()": "check", "sample:route()": "check",
    }  # fmt: skip


def test_what_is_given_back_is_a_function_that_is_decorated(subject):
    described = subject(ROUTER)
    by_id = {one.id: one for one in described.returned}
    judge = Plausibility(described)
    [first, *_] = judge.evidence(by_id["sample:App.get()"])["handler"].candidates
    assert first.type.name == "callable"
    told = judge.evidence(by_id["sample:route()"]).get("text")
    assert told is None or all(one.type.name != "callable" for one in told.candidates)


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
