"""Default values of every kind, the most readable first, and kinds for untyped parameters.

Invariant: tables only; no two entries of a table are the same Arg.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Atom
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.known_types import BOOL, BYTES, COMPLEX, FLOAT, INT, NONE, STR

INTS: Final = (1, 0, 2, -1, 3, 5, 10, 7, 100, 4, -5, 12, 1000, 255, 256, 2024, -100, 99999)
FLOATS: Final = (
    1.5,
    0.0,
    -2.5,
    1.0,
    0.1,
    100.0,
    3.75,
    -1.0,
    1e10,
    0.001,
    float("inf"),
    float("nan"),
)
COMPLEXES: Final = (1 + 2j, 0j, -1.5j)
TEXTS: Final = (
    "abc", "", "a", "hello world", "123", "Hello", "A", " ", "b", "a b c", "ABC", "1.5", "-1",
    "foo_bar", "FooBar", "a,b,c", "  padded  ", "line one\nline two", "x=1", "0", "é", "naïve café",
    "hello-world", "true", "a.b", "key: value", "(a)", "{}", "[1, 2]", "\t", "%s", "\U0001f600",
)  # fmt: skip
BYTE_STRINGS: Final = (b"abc", b"", b"a", b"hello world", b"\x00\xff", b"123", b"a,b")

#: Name of the element type -> default elements of containers.
ELEMENTS: Final[Mapping[str, tuple[Atom, ...]]] = MappingProxyType(
    {
        "any": (1, 2, 3, 1, 5),
        "int": (1, 2, 3, 0, -1, 10),
        "float": (1.5, 2.5, 0.5, -1.0),
        "str": ("a", "b", "c", "", "abc"),
    }
)

#: Kind of value -> its type.
KINDS: Final[Mapping[str, TypeExpr]] = MappingProxyType(
    {
        "int": INT,
        "str": STR,
        "list_int": TypeExpr("list", (INT,)),
        "none": NONE,
        "list_str": TypeExpr("list", (STR,)),
        "dict": TypeExpr("dict", (STR, INT)),
        "callable1": TypeExpr("callable", (ANY, ANY)),
        "float": FLOAT,
        "tuple": TypeExpr("vartuple", (INT,)),
        "callable2": TypeExpr("callable", (ANY, ANY, ANY)),
        "bool": BOOL,
        "pairs": TypeExpr("list", (TypeExpr("tuple", (STR, INT)),)),
        "set": TypeExpr("set", (INT,)),
        "bytes": BYTES,
        "callable0": TypeExpr("callable", (ANY,)),
        "iterator": TypeExpr("iterator", (INT,)),
        "nested": TypeExpr("list", (TypeExpr("list", (INT,)),)),
        "list_float": TypeExpr("list", (FLOAT,)),
        "list_dict": TypeExpr("list", (TypeExpr("dict", (STR, INT)),)),
        "dict_int": TypeExpr("dict", (INT, STR)),
        "type": TypeExpr("type"),
        "exception": TypeExpr("class", cls="builtins:ValueError"),
        "datetime": TypeExpr("class", cls="datetime:datetime"),
        "date": TypeExpr("class", cls="datetime:date"),
        "time": TypeExpr("class", cls="datetime:time"),
        "timedelta": TypeExpr("class", cls="datetime:timedelta"),
        "decimal": TypeExpr("class", cls="decimal:Decimal"),
        "fraction": TypeExpr("class", cls="fractions:Fraction"),
        "path": TypeExpr("class", cls="pathlib:Path"),
        "stream": TypeExpr("class", cls="io:StringIO"),
        "regex": TypeExpr("class", cls="re:Pattern"),
        "slice": TypeExpr("class", cls="builtins:slice"),
        "range": TypeExpr("class", cls="builtins:range"),
        "random": TypeExpr("class", cls="random:Random"),
        "complex": COMPLEX,
        "namespace": TypeExpr("class", cls="types:SimpleNamespace"),
        "object": TypeExpr("class", cls="builtins:object"),
    }
)
