"""Default values of every kind, the most readable first, and kinds for untyped parameters.

The tables of parameter names are hand-made; no ablation has measured their worth.

Invariant: tables only; no two entries of a table are the same Arg.
"""

from __future__ import annotations

import re
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

#: Parameter name (regex for one of its words) -> texts that such a parameter usually gets.
TEXTS_BY_NAME: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        r"url|uri|link|href",
        ("https://example.com/path?q=1#top", "http://example.com", "example.com"),
    ),
    (r"e?mail|address", ("ann@example.com", "ann.smith+tag@mail.example.org", "not an email")),
    (r"host|domain", ("example.com", "localhost", "192.168.0.1")),
    (r"ip", ("192.168.0.1", "::1", "256.1.1.1")),
    (r"path|file|dir|folder", ("notes.txt", "folder/data.tar.gz", "/", ".")),
    (r"version|ver", ("1.2.3", "1.0.0-alpha.1+build.5", "2.0")),
    (r"date|day", ("2024-02-29", "2024-01-31", "31/12/1999")),
    (r"time|clock|hour", ("12:30", "23:59:59", "24:00")),
    (r"json", ('{"a": [1, 2, null]}', "[]", "{")),
    (r"xml|html|markup", ("<p>text</p>", "<a href='x'>y</a>", "<br/>")),
    (r"colou?r|hex", ("#ff8800", "red", "ff8800")),
    (r"regex|pattern|expr", ("a+", r"\d+", "[a-z]*", "(")),
    (r"mode", ("r", "w", "rb")),
    (r"encoding|charset|codec", ("utf-8", "ascii", "latin-1")),
    (r"currency", ("USD", "EUR", "XYZ")),
    (r"lang|locale|country", ("en", "en_US", "de")),
    (r"tz|timezone|zone", ("UTC", "Europe/Berlin", "Mars/Base")),
    (r"card", ("4111111111111111", "378282246310005", "1234")),
    (r"sep|delim|separator|glue", (",", " ", "-", "")),
    (r"fmt|format|template", ("%Y-%m-%d", "{}", "{name}", "%s")),
    (r"isbn", ("9780306406157", "0306406152", "978-0-306-40615-7")),
    (r"uuid|guid", ("12345678-1234-5678-1234-567812345678", "not-a-uuid")),
    (r"phone|tel", ("+1 555 123 4567", "555-1234")),
    (r"char|letter|symbol", ("a", "Z", "é", "1")),
    (r"word|noun|singular|plural", ("word", "cities", "box", "UserName")),
    (r"line|row", ("a,b,c", "key = value", "# comment")),
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

#: Parameter names (regexes over the whole name) -> the kinds that they suggest.
_NAME_HINTS: Final[tuple[tuple[str, str], ...]] = (
    ("funcs|functions|callables", "callable1 list_int"),
    ("key", "str int callable1 none"),
    ("func|function|fn|f|g|callback|cb|predicate|pred|mapper|transform|getter|handler",
     "callable1 callable2 callable0"),
    ("binop|reducer|op|cmp|compare", "callable2 callable1"),
    ("factory|default_factory|thunk|timer|clock", "callable0 callable1"),
    ("seqs|sequences|iterables|lists|rows|matrix|grid|groups", "nested list_int pairs"),
    (r"seq\w*|iter\w*|items|values|elements|elems|data|xs|lst|list|array|arr|it|numbers|nums|coll",
     "list_int list_str str iterator tuple pairs dict"),
    ("pairs|mapping|dct|d|dict|map|table|config|options|settings|params|attrs|props|env|headers",
     "dict pairs dict_int"),
    ("names|words|lines|strings|argv|keys|parts|tokens|tags|paths", "list_str tuple str"),
    (r"n|count|num\w*|size|length|limit|max\w*|min\w*|index|idx|i|j|k|pos\w*|start|stop|end",
     "int float str none"),
    ("step|depth|width|height|level|capacity|amount|age|year|month|day|hours?|minutes?|seconds?",
     "int float str none"),
    ("interval|offset|port|code|id|x|y|z|a|b|left|right|lo|hi|low|high", "int float str none"),
    (r"ratio|rate|factor|weight|price|percent\w*|alpha|beta|score|timeout|delay|temp\w*|lat|lon",
     "float int decimal none"),
    (r"is_\w+|has_\w+|use_\w+|allow_\w+|ignore_\w+|strict|verbose|reverse|flag|enabled|recursive",
     "bool none int"),
    (r"\w*(name|text|string|word|title|label|message|msg|line|str|prefix|suffix|char|path|url)",
     "str none list_str"),
    (r"\w*(pattern|format|fmt|sep|encoding|unit|\bs|token|currency|version|email|key|tag)",
     "str none list_str"),
    (r"date\w*|dt|when|at|until", "datetime date str time"),
    (r"\w*(datetime|timestamp)", "datetime float int str"),
    ("delta|duration|period|td", "timedelta int float"),
    (r"path\w*|file\w*|dir\w*|folder", "path str stream"),
    (r"stream|fp|fh|fd|out\w*|buf\w*|reader|writer|io", "stream str bytes"),
    ("bytes|raw|blob|payload|buffer", "bytes str"),
    (r"exc\w*|err\w*", "exception type none"),
    (r"cls|klass|type\w*|kind", "type str"),
    ("rng|random|rand", "random callable0"),
    ("regex|rx", "regex str"),
    ("slice", "slice int"),
    ("memo|cache|seen|visited", "dict set none"),
    ("set|s", "set str list_int"),
)  # fmt: skip

_COMPILED: Final = tuple([(re.compile(pattern), kinds.split()) for pattern, kinds in _NAME_HINTS])


def ordered_kinds(name: str) -> tuple[str, ...]:
    """Every kind once; those that the parameter name suggests come first."""
    wanted: list[str] = []
    for pattern, kinds in _COMPILED:
        if pattern.fullmatch(name.lower().strip("_")):
            wanted += kinds
    return tuple(dict.fromkeys([*wanted, *KINDS]))


def texts_for(name: str) -> tuple[str, ...]:
    """Texts that a parameter of this name usually gets (() if the name suggests none)."""
    found: list[str] = []
    for pattern, texts in TEXTS_BY_NAME:
        if name and re.search(rf"(?:^|_)(?:{pattern})s?(?:$|_|\d)", name.lower()):
            found += texts
    return tuple(dict.fromkeys(found))
