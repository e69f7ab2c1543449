"""Conformance: every method and operator of int, float, str and bytes, on proxies."""

from __future__ import annotations

import operator
from math import isfinite

import pytest
from harness import Program, agrees

VALUES = {
    int: (0, 1, -7, 5, 255, 12345678901234567890),
    float: (0.0, -0.0, 2.5, -3.75, 1e300, float("nan"), float("inf")),
    str: ("", "abc", " Hello\tWorld ", "12", "-7.5", "a,b,,c", "ß", "{}-{}", "%d"),
    bytes: (b"", b"abc", b" Hello\tWorld ", b"12", b"a,b,,c", b"\xff\x00"),
}
#: Arguments that are tried with every method, by their number.
ARGUMENTS = {
    str: ((), ("b",), ("",), (",",), ("l", 2), ("a", 1, 3), (5,), (5, "*"), (3, 4), (None,),
          (None, 1), ("utf-8",), ("ascii",), ("a", "xyz"), ("a", "b", 1), (("a", "1"),),
          (["x", "y"],), ({97: "b", 99: None},), (True,), ({},)),
    bytes: ((), (b"b",), (b"",), (b",",), (b"l", 2), (97,), (300,), (5,), (5, b"*"), (None,),
            (None, 1), ("utf-8",), ("ascii",), (b"a", b"xyz"), (b"a", b"b", 1),
            ((b"a", b"1"),), ([b"x"],), (bytes(range(256)),), (":",), (True,)),
    int: ((), (2,), (2, "big"), (9, "little"), (1, "middle"), (-1, "big")),
    float: ((), (2,)),
}  # fmt: skip


def methods(kind):
    """The public methods that take a receiver."""
    names = [name for name in dir(kind) if not name.startswith("_")]
    found = [name for name in names if callable(getattr(kind, name))]
    return [name for name in found if name not in ("maketrans", "fromhex", "from_bytes")]


CASES = [(kind, name) for kind in VALUES for name in methods(kind)]


@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{k.__name__}.{n}" for k, n in CASES])
def test_every_method_agrees_with_the_builtin(kind, name):
    for args in ARGUMENTS[kind]:
        listed = [f"a{place}" for place in range(len(args))]
        source = f"def f({', '.join(['x', *listed])}): return x.{name}({', '.join(listed)})"
        program = Program(source)
        unbound = Program(
            f"def f({', '.join(['x', *listed])}): return "
            f"{kind.__name__}.{name}({', '.join(['x', *listed])})"
        )
        for value in VALUES[kind]:
            agrees(program, (value, *args), pool=False)
            agrees(unbound, (value, *args), pool=False)
        constant = Program(f"def f(x): return x.{name}({', '.join(map(repr, args))})")
        for value in VALUES[kind]:
            agrees(constant, (value,), pool=len(value) < 5 if kind is str else False)


@pytest.mark.parametrize(("kind", "name"), CASES, ids=[f"{k.__name__}.{n}" for k, n in CASES])
def test_methods_of_constants_take_proxies(kind, name):
    for args in ARGUMENTS[kind]:
        listed = ", ".join([f"a{place}" for place in range(len(args))])
        for value in VALUES[kind][:4]:
            if not strange(value):
                agrees(
                    Program(
                        f"def f({listed}): return {value!r}.{name}({listed})"
                        if kind is not int
                        else f"def f({listed}): return ({value!r}).{name}({listed})"
                    ),
                    args,
                    pool=False,
                )


def strange(value):
    """Has ``value`` no literal?"""
    return isinstance(value, float) and not isfinite(value)


BINARY = ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=",
          "==", "!=", "in", "not in", "is", "and", "or")  # fmt: skip
SMALL = {
    int: (0, 1, -7, 3), float: (0.0, -0.0, 2.5, -1.5, float("nan"), float("inf")),
    str: ("", "abc", "%s"), bytes: (b"", b"a"), bool: (True,), list: ([1],), tuple: ((1, "a"),),
    type(None): (None,), complex: (1j,),
}  # fmt: skip


EACH = [value for values in SMALL.values() for value in values]


@pytest.mark.parametrize("op", BINARY)
def test_every_operator_agrees_with_the_builtin(op):
    program = Program(f"def f(x, y): return x {op} y")
    for x in EACH:
        for y in EACH:
            if op != "is" or type(x) is int is type(y):
                agrees(program, (x, y), pool=type(x) in (int, float))


@pytest.mark.parametrize("op", BINARY)
def test_operators_with_a_constant_agree_too(op):
    if op == "is":
        return
    for kind in (int, float, str, bytes, bool, type(None), list, tuple):
        for constant in SMALL[kind]:
            if strange(constant):
                continue
            left = Program(f"def f(x): return {constant!r} {op} x")
            right = Program(f"def f(x): return x {op} {constant!r}")
            for value in EACH:
                agrees(left, (value,), pool=False)
                agrees(right, (value,), pool=type(value) in (int, float))


FUNCTIONS = (
    "abs", "bool", "int", "float", "str", "repr", "ascii", "len", "ord", "chr", "bin", "oct", "hex",
    "round", "hash", "bytes", "list", "tuple", "sorted", "sum", "min", "max", "any", "all",
    "complex", "set", "frozenset", "reversed", "iter", "type", "callable", "format", "enumerate",
    "dict", "bytearray", "range", "divmod", "pow", "zip", "map", "filter", "slice", "isinstance",
    "print",
)  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_builtin_function_agrees(name):
    if name in ("hash", "iter", "reversed", "enumerate", "zip", "slice"):
        source = f"def f(*args): return {name}(*args) is not None"
    elif name in ("map", "filter"):
        source = f"def f(*args): return list({name}(*args))"
    else:
        source = f"def f(*args): return {name}(*args)"
    program = Program(source)
    for kind, values in SMALL.items():
        for value in values:
            ordered = name not in ("set", "frozenset")
            agrees(program, (value,), pool=ordered and kind in (int, float, str))
            for other in (0, 3, -1, 2.0, "x", b"y"):
                if not (name == "pow" and value == -7):
                    agrees(program, (value, other), pool=False)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in dir(operator)
        if not name.startswith("_")
        and name not in ("call", "attrgetter", "itemgetter", "methodcaller", "length_hint")
    ],
)
def test_functions_of_operator_agree(name):
    program = Program(f"import operator\ndef f(*args): return operator.{name}(*args)")
    for x in (3, -2, 2.5, "ab", [1, 2]):
        agrees(program, (x,), pool=False)
        for y in (2, 0, 1.5, "b"):
            agrees(program, (x, y), pool=False)


MATH = [name for name in dir(__import__("math")) if not name.startswith("_")]


@pytest.mark.parametrize("name", MATH)
def test_functions_of_math_agree(name):
    if not callable(getattr(__import__("math"), name)):
        return
    program = Program(f"import math\ndef f(*args): return math.{name}(*args)")
    for x in (0, 3, -2, 0.5, -0.0, 1e300, float("nan"), float("inf"), "1", [1, 2.5]):
        agrees(program, (x,))
        for y in (2, 0, 1.5):
            agrees(program, (x, y), pool=type(x) is int)
