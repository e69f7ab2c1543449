from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Source, Symbol

HEAD = '''
import decimal
from decimal import Decimal
class Stack:
    def __init__(self, items=()): ...
    def push(self, x): ...
    def pop(self): ...
    @classmethod
    def make(cls): return cls()
    def __getitem__(self, i): ...
    def __add__(self, other): ...
    def __rmod__(self, other): ...
def f(*args, **kwargs):
    """Doc.

    {doc}
    """
def helper(x): return Stack()
'''


@pytest.fixture
def run(subject):
    """The examples of f's docstring."""

    def examples(doc: str):
        indented = doc.replace("\n", "\n    ")
        return [
            (one.invocable.partition(":")[2], one.sequence.calls)
            for one in subject(HEAD.replace("{doc}", indented)).examples
        ]

    return examples


def call(*args, **kwargs) -> Call:
    return Call("function", "sample:f", args, tuple(kwargs.items()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (">>> f(1, 'a')", call(Const(1), Const("a"))),
        (
            ">>> f(-1.5, key=[1, (2,)])",
            call(Const(-1.5), key=Display("list", (Const(1), Display("tuple", (Const(2),))))),
        ),
        (">>> f(10 + 1, 7 - 2, 2 * 3)", call(Const(11), Const(5), Const(6))),
        ("Examples::\n\n    # such as\n    raise f(404)", call(Const(404))),
        (">>> f(lambda x: x + 1)", call(Source("lambda x: x + 1"))),
        (">>> f(len, str)", call(Symbol("builtins", "len"), Symbol("builtins", "str"))),
        (">>> f(Decimal('1'))", call(Build(Symbol("decimal", "Decimal"), (Const("1"),)))),
        (">>> f(decimal.Decimal(1))", call(Build(Symbol("decimal", "Decimal"), (Const(1),)))),
        (">>> f([i for i in range(3)])", call(Source("[i for i in range(3)]"))),
        (
            ">>> f(float(0.5), int(2), float(2))",
            call(Const(0.5), Const(2), Build(Symbol("builtins", "float"), (Const(2),))),
        ),
        (">>> f(range(3))", call(Build(Symbol("builtins", "range"), (Const(3),)))),
        (">>> from operator import add\n>>> f(add)", call(Symbol("_operator", "add"))),
        (">>> inc = lambda x: x + 1\n>>> f(inc)", call(Source("lambda x: x + 1"))),
        (">>> def inc(x):\n...     return x + 1\n>>> f(inc)", call(Source("lambda x: x + 1"))),
        (
            ">>> def job(x=1):\n>>>     print(x)\n>>> f(job)",
            call(Source("lambda x=1: print(x)")),
        ),
        (">>> from sample import f\n>>> f(3)", call(Const(3))),
        (">>> a, (b, c) = 1, ('x', 'y')\n>>> f(a, key=c)", call(Const(1), key=Const("y"))),
        (">>> a = b = 4\n>>> f(a, b)", call(Const(4), Const(4))),
        (">>> import sample\n>>> sample.f(3)", call(Const(3))),
        ("Example::\n\n    f(7)\n", call(Const(7))),
        ("```python\nf(8)\n```", call(Const(8))),
        ("Usage:\n    f(9)  # => nine\n", call(Const(9))),
        (
            "Told by a table.\n\n    TABLE = {'a': 1}\n    f(TABLE, key={...})\n\nMore.",
            call(Display("dict", (Const("a"), Const(1)))),
        ),
        ("Told.\n\n    f(1, key=...)\n", call(Const(1))),
    ],
)
def test_one_call(run, text: str, expected: Call) -> None:
    found = run(text)
    symbol = repr(found[-1][1]).replace("_operator", "operator")
    assert symbol == repr((expected,)).replace("_operator", "operator")
    assert found[-1][0] == "f"


@pytest.mark.parametrize(
    "text",
    [
        "Told.\n\n    f (see below) and more",
        "Told.\n\n    value: int\n",
        "Told:\n    f(1)",
        ">>> f(...)",
    ],
)
def test_a_paragraph_of_prose_and_what_is_left_out_are_no_call(run, text) -> None:
    assert run(text) == []


def test_a_story_about_an_object_keeps_what_happened_to_it(run) -> None:
    found = run(">>> s = Stack([1])\n>>> s.push(2)\n>>> t = Stack()\n>>> s.pop()\n2\n>>> s[0]\n1")
    assert [name for name, _ in found] == [
        "Stack",
        "Stack.push",
        "Stack",
        "Stack.pop",
        "Stack.__getitem__",
    ]
    assert found[3][1] == (
        Call("function", "sample:Stack", (Display("list", (Const(1),)),)),
        Call("method", "push", (Ref(0), Const(2))),
        Call("method", "pop", (Ref(0),)),
    )


def test_the_second_operand_answers_where_the_first_is_of_no_class_of_the_module(run) -> None:
    text = ">>> s = Stack([1])\n>>> 5 % s\n>>> 5 - s"
    (found,) = [one for one in run(text) if "__" in one[0]]
    assert found[0] == "Stack.__rmod__"
    assert found[1][-1] == Call("operator", "%", (Const(5), Ref(0)))


def test_operators_class_methods_and_wrapping_builtins(run) -> None:
    found = run(">>> list(f(1))\n>>> Stack.make() + helper(2)\n>>> s = helper(1)\n>>> s[0] = 5")
    assert found[0] == ("f", (call(Const(1)),))
    assert found[1][1] == (Call("function", "sample:Stack.make"),)
    assert found[2][1] == (Call("function", "sample:helper", (Const(2),)),)


def test_what_cannot_be_converted_is_left_out_with_all_that_needs_it(run) -> None:
    text = ">>> x = unknown()\n>>> f(x)\n>>> f(*[1])\n>>> with g() as y: pass\n>>> f(y)\n>>> f(1)"
    assert run(text) == [("f", (call(Const(1)),))]


def test_broken_docstrings_do_no_harm(run) -> None:
    assert run(">>> f(1\n>>>f(2)\n>>> f(3)") in ([], [("f", (call(Const(3)),))])


def test_a_receiver_of_unknown_class_is_told_by_its_only_possible_method(run) -> None:
    assert [name for name, _ in run(">>> helper(1).pop()")] == ["helper", "Stack.pop"]
