"""Which assertions are alike: by what their names stand for, not by the names."""

from __future__ import annotations

import pytest

from unitcraft.suite.existing.assertion_normal_form import normal_forms
from unitcraft.suite.existing.suite_sources import parse_source


def claims_of(text, rows=None, owner="", methods=None):
    source = parse_source(text)
    test = next(one for one in source.definitions.values() if one.node.name == "test")
    return normal_forms(test, source, rows or {}, owner, methods)


def body(*statements):
    return claims_of("\n".join(["def test(given):", *(f"    {one}" for one in statements)]))


ALIKE = [
    (["a = f(1)", "assert a == 2"], ["b = f(1)", "assert b == 2"]),
    (["a = f(1)", "assert a == 2"], ["assert f(1) == 2"]),
    (["a = 1", "b = f(a)", "want = 2", "assert b == want"], ["assert f(1) == 2"]),
    (["x = A(3)", "assert x.pop() == 3"], ["y = made(3, 2)", "y.pop()", "assert y.pop() == 3"]),
    (["a = f(1)", "assert a", "a = f(2)", "assert a"], ["assert f(1)", "assert f(2)"]),
    (["for a in f(1):", "    assert a"], ["for b in f(1):", "    assert b"]),
    (["with raises(E) as e:", "    f(1)"], ["with raises(E) as problem:", "    f(1)"]),
    (["a, b = f(1)", "assert a == b"], ["c, d = f(1)", "assert c == d"]),
]

UNLIKE = [
    (["a = f(1)", "assert a == 2"], ["a = f(2)", "assert a == 2"]),
    (["a = f(1)", "assert a == 2"], ["a = f(1)", "assert a == 3"]),
    (["a = f(1)", "b = g(1)", "assert a == b"], ["a = f(1)", "b = [1]", "assert a == b"]),
    (["a = f(1)", "assert a.x == 2"], ["a = f(2)", "assert a.x == 2"]),
    (["with raises(E):", "    f(1)"], ["with raises(E):", "    f(2)"]),
    (["with raises(E) as e:", "    f(1)", "assert e.x"], ["with raises(F) as e:", "    f(1)"]),
    (["for a in f(1):", "    assert a"], ["for a in f(2):", "    assert a"]),
    (["a, b = f(1)", "assert a == 1"], ["a, b = f(1)", "assert b == 1"]),
    (["assert A.b == 1"], ["assert B.b == 1"]),
    (["assert given == 1"], ["given = 1", "assert given == 1"]),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_alike(one, other):
    assert body(*one) == body(*other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_unlike(one, other):
    assert body(*one) != body(*other)


ROWS = """
@pytest.mark.parametrize("a, b", [(1, 2), (3, 3), pytest.param(5, 6, id="x")])
def test(a, b):
    assert f(a) == b
"""


@pytest.mark.parametrize(
    ("row", "expected"), [(0, "f(1) == 2"), (1, "f(3) == 3"), (2, "f(5) == 6")]
)
def test_parameters_are_their_values(row, expected):
    assert claims_of(ROWS, {"a": row, "b": row}) == body(f"assert {expected}")


def test_equal_parameters_are_alike():
    swapped = ROWS.replace("f(a) == b", "f(b) == a")
    assert claims_of(ROWS, {"a": 1, "b": 1}) == claims_of(swapped, {"a": 1, "b": 1})
    assert claims_of(ROWS, {"a": 0, "b": 0}) != claims_of(swapped, {"a": 0, "b": 0})


def test_rows_of_a_class_count():
    text = "@parametrize('a', [1, 2])\nclass TestA:\n    def test(self, a):\n        assert f(a)\n"
    assert claims_of(text, {"a": 1}) == body("assert f(2)")


@pytest.mark.parametrize(
    "text",
    [
        "@parametrize('a', VALUES)\ndef test(a):\n    assert f(a)\n",
        "def test():\n    a = 1\n    a += 1\n    assert f(a)\n",
        "def test():\n    def a(): ...\n    assert f(a)\n",
    ],
)
def test_what_is_not_explained_is_like_nothing_elsewhere(text):
    mine = claims_of(text, {"a": 0}, "a.py")
    assert mine == claims_of(text, {"a": 0}, "a.py")
    assert mine != claims_of(text, {"a": 0}, "b.py")


def test_rows_of_a_constant_count():
    text = (
        "ROWS = [(1, 2), (3, 4)]\n\n@parametrize('a, b', ROWS)\ndef test(a, b):\n    assert f(a)\n"
    )
    assert claims_of(text, {"a": 1, "b": 1}) == body("assert f(3)")
    changed = text.replace("\n\n", "\nROWS += [(5, 6)]\n\n")
    assert claims_of(changed, {"a": 1, "b": 1}) != body("assert f(3)")


@pytest.mark.parametrize("claim", ["self.made(1)", "assert self.value == 1"])
def test_what_self_has_depends_on_the_class(claim):
    made = "    def made(self, x):\n        assert x"
    text = f"class TestA:\n    def test(self):\n        {claim}\n{made}"
    assert claims_of(text, owner="test_a.py::TestA") != claims_of(text, owner="test_a.py::TestB")
    assert claims_of(text, owner="test_a.py::TestA") == claims_of(text, owner="test_a.py::TestA")


def test_assertions_of_unittest_do_not():
    text = "class TestA:\n    def test(self):\n        self.assertEqual(f(1), 2)"
    assert claims_of(text, owner="TestA") == claims_of(text, owner="TestB")


def test_endless_definitions_end():
    text = "".join(f"    a{n} = f(a{n - 1}, a{n - 1})\n" for n in range(1, 60))
    assert claims_of(f"def test():\n    a0 = 1\n{text}    assert a59\n")


def test_receivers_of_methods_that_were_not_recorded_are_compared():
    texts = [f"def test():\n    c = A({n})\n    with raises(E):\n        c.take(1)" for n in (1, 2)]
    for methods, alike in ((None, True), (frozenset({"take"}), True), (frozenset({"f"}), False)):
        one, other = (claims_of(text, methods=methods) for text in texts)
        assert (one == other) is alike
