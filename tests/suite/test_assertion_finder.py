"""What counts as an assertion, and which ones cannot fail."""

from __future__ import annotations

import ast

import pytest

from unitcraft.suite.existing.assertion_finder import assertions, empty_assertions
from unitcraft.suite.existing.suite_sources import parse_source

NONE = [
    "def test():\n    f(1)",
    "def test():\n    x = f(1)\n    x.close()\n    print(x)",
    "def test():\n    helper(1)\ndef helper(x):\n    return f(x)",
    "class TestA:\n    def test(self):\n        self.helper()\n    def helper(self):\n        f(1)",
    "def test():\n    import shop\n    shop.run()",
    "def test():\n    warnings.simplefilter('ignore')\n    f(1)",
    "import os\nfrom shop import run\ndef test():\n    run(os.getcwd())",
]

SOME = [
    "def test():\n    assert f(1)",
    "def test():\n    with pytest.raises(KeyError):\n        f(1)",
    "def test():\n    with raises(KeyError):\n        f(1)",
    "class TestA(TestCase):\n    def test(self):\n        self.assertEqual(f(1), 2)",
    "def test(mocker):\n    m = mocker.Mock()\n    f(m)\n    m.assert_called_once()",
    "def test():\n    helper(1)\ndef helper(x):\n    deeper(x)\ndef deeper(x):\n    assert f(x)",
    (
        "class T:"
        "\n    def test(self):\n        self.helper()\n    def helper(self):\n        assert f(1)"
    ),
    "class TestA(Mixin):\n    def test(self):\n        self.helper()",
    (
        "class B:"
        "\n    def o(self):\n        assert 1\nclass T(B):\n    def test(self):\n        self.o()"
    ),
    "def test(checker):\n    checker(f(1))",
    "from .common import roundtrip\ndef test():\n    roundtrip(f)",
    "def test():\n    numpy.testing.assert_allclose(f(1), 2)",
    "def test():\n    if f(1) != 2:\n        raise AssertionError",
    "def test():\n    import shop\n    from shop import cart",
    "def test():\n    'Loads.'\n    import shop",
    "def test():\n    with catch_warnings():\n        simplefilter('error')\n        f(1)",
    "def test():\n    warnings.filterwarnings('error', category=X)\n    f(1)",
]


def the_test(text):
    source = parse_source(text)
    return next(one for one in source.definitions.values() if one.node.name == "test"), source


@pytest.mark.parametrize("text", NONE)
def test_no_assertion(text):
    assert assertions(*the_test(text)) == []


@pytest.mark.parametrize("text", SOME)
def test_some_assertion(text):
    assert assertions(*the_test(text)) != []


CANNOT_FAIL = [
    "assert True",
    "assert 'text'",
    "assert not False",
    "assert (x == 1, 'message')",
    "assert x == x",
    "assert (x, 1) == (x, 1)",
    "assert x is x",
    "assert len(x) >= 0",
    "assert isinstance([], list)",
    "assert isinstance(x, object)",
    "assert (y for y in x)",
    "assert x == 1 or True",
    "self.assertTrue(True)",
    "self.assertEqual(x, x)",
]

CAN_FAIL = [
    "assert x",
    "assert False",
    "assert ()",
    "assert x == y",
    "assert f(x) == f(x)",
    "assert x.size == x.size",  # perhaps a property
    "self.assertIs(C.method, C.method)",
    "assert next(x) is next(x)",
    "assert x[0] == x[0]",
    "assert len(x) > 0",
    "assert len(x) >= 1",
    "assert isinstance(x, int)",
    "assert x != x",
    "assert x == 1 and True",
    "self.assertEqual(x, y)",
    "self.assertTrue(x)",
]


@pytest.mark.parametrize("statement", CANNOT_FAIL)
def test_cannot_fail(statement):
    test, _ = the_test(f"def test():\n    {statement}")
    found = list(empty_assertions(test, frozenset()))
    assert [ast.unparse(node) for node in found] == [ast.unparse(ast.parse(statement))]


@pytest.mark.parametrize("statement", CAN_FAIL)
def test_can_fail(statement):
    test, _ = the_test(f"def test():\n    {statement}")
    assert list(empty_assertions(test, frozenset())) == []


def test_reflexive_comparison_tests_an_own_eq():
    test, _ = the_test("def test():\n    assert x == x")
    assert list(empty_assertions(test, frozenset({"shop:Cart.__eq__"}))) == []
