"""Functions in the place of others are written as lambdas where a lambda answers the same."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Source, Symbol
from unitcraft.emit.code.call_code import statement
from unitcraft.emit.code.plain_functions import MAX_WIDTH, library_parameters, named_function

MOCK = Symbol("unittest.mock", "Mock")


class Names:
    """Symbols by their last name."""

    def symbol(self, symbol):
        return symbol.qualname

    def ref(self, index):
        raise AssertionError(index)


def written(target, **told):
    mock = Build(MOCK, (), tuple(told.items()))
    lines = statement(Call("arrange", "setattr", (Const(target), mock)), Names(), "")
    line = "".join(map(str.strip, lines)).replace(",Mock", ", Mock")
    return line.removeprefix(f'monkeypatch.setattr("{target}", ').removesuffix(")")


@pytest.mark.parametrize(
    ("target", "told", "text"),
    [
        ("shop.os.path.exists", {"return_value": Const(value=True)}, "lambda path: True"),
        ("shop.os.path.isdir", {"return_value": Source("isdir")}, "lambda path: isdir"),
        ("shop.getpass.getuser", {"return_value": Const("ann")}, 'lambda: "ann"'),
        ("shop.read", {"return_value": Const("a")}, 'lambda *args, **kwargs: "a"'),
        (
            "shop.run",
            {"return_value": Display("tuple", (Const(0), Const("a")))},
            'lambda *args, **kwargs: (0, "a")',
        ),
        (
            "shop.os.path.exists",
            {"side_effect": Source("lambda key, *args, **kwargs: {'/a': True}.get(key, False)")},
            'lambda path: path == "/a"',
        ),
        (
            "shop.os.path.exists",
            {"side_effect": Source("lambda key, *args, **kwargs: {'/a': False}.get(key, True)")},
            'lambda path: path != "/a"',
        ),
        (
            "shop.os.path.getsize",
            {"side_effect": Source("lambda key, *args, **kwargs: {'/a': 1}.get(key, 0)")},
            'lambda path: {"/a": 1}.get(path, 0)',
        ),
        ("shop.Cart.read", {"side_effect": Source('{"/a": 1}.get')}, '{"/a": 1}.get'),
    ],
)
def test_a_function_that_gives_an_answer_is_a_lambda(target, told, text):
    assert written(target, **told) == text


@pytest.mark.parametrize(
    "told",
    [
        {"return_value": Display("list", ())},  # the code may change it
        {"side_effect": Build(Symbol("builtins", "OSError"))},
        {"side_effect": Source("lambda key, *args, **kwargs: {'a': 1}.get(key)")},  # of a class?
    ],
)
def test_what_a_lambda_would_answer_otherwise_stays_a_mock(told):
    assert written("shop.Cart.read", **told).startswith("Mock(")


def test_a_lambda_has_one_line():
    mock = Build(MOCK, (), (("return_value", Const("".join(map(str, range(MAX_WIDTH))))),))
    lines = statement(Call("arrange", "setattr", (Const("shop.read"), mock)), Names(), "")
    assert any("Mock(" in line for line in lines)


@pytest.mark.parametrize("target", ["shop.os.listdir", "shop.Path.exists", "shop.os.path", "a.run"])
def test_a_function_of_defaults_or_of_others_has_no_parameters_to_repeat(target):
    assert library_parameters(target) is None


def test_a_lambda_with_a_name_is_defined():
    call = Call("operator", "itself", (Source('lambda x, *rest: f"<{x}>"'),))
    lines = named_function("handler", call, "    ")
    assert lines == ["    def handler(x, *rest):", '        return f"<{x}>"']


@pytest.mark.parametrize(
    "call",
    [
        Call("operator", "itself", (Display("list", ()),)),
        Call("operator", "itself", (Source("iter([1]).__next__"),)),
        Call("operator", "len", (Source("lambda: 1"),)),
    ],
)
def test_nothing_else_is_defined(call):
    assert named_function("handler", call, "") == []
