"""The larger pieces of random programs: inputs, classes and their methods, patterns, constants."""

from __future__ import annotations

import re

from templates import EXPRESSIONS, STATEMENTS

LISTED = {kind: text.strip().splitlines() for kind, text in EXPRESSIONS.items()}
SIMPLE = STATEMENTS.strip().splitlines()
HOLE = re.compile(r"\{(:?)(" + "|".join(LISTED) + r")(!?)((?:\|[^}]*)?)\}")
LITERALS = {
    "int": ("0", "1", "2", "3", "-1", "-2", "5", "10", "True"),
    "float": ("0.0", "1.5", "-2.5", "0.5", "1e3", "2.0"),
    "str": ("''", "'a'", "'ab'", "'12'", "' '", "'b'", "'x=1'"),
    "bytes": ("b''", "b'a'", "b'12'"),
    "bool": ("True", "False"),
    "ints": ("[1, 2, 3]", "[0]", "[]"),
    "floats": ("[0.5, 1.5]",),
    "strs": ("['a', 'b']", "['12']"),
    "pair": ("(1, 'a')",),
    "dict": ("{}", "{1: 2}", "{0: 1, 2: 3}"),
    "sdict": ("{}", "{'a': 1, 'b': 2}"),
    "set": ("{1, 2}", "set()"),
    "obj": ("Item(1, 'a')",),
}
#: Expressions of a kind of which there is no variable.
DERIVED = {
    "int": (("ints", "{}[0]"), ("str", "len({})"), ("float", "round({})"), ("bytes", "len({})")),
    "str": (("strs", "{}[0]"), ("int", "str({})"), ("pair", "{}[1]")),
    "float": (("int", "({} / 2)"), ("floats", "{}[0]")),
    "ints": (("int", "[{}, 1]"), ("dict", "list({})")),
    "dict": (("int", "{{{}: 1, 2: 3}}"),),
    "set": (("int", "{{{}, 1}}"),),
    "obj": (("int", "Item({}, 'a')"),),
    "strs": (("str", "[{}, 'a']"),),
    "sdict": (("str", "{{{}: 1}}"),),
    "pair": (("int", "({}, 'a')"),),
    "bytes": (("str", "{}.encode()"),),
}
#: What may grow when repeated; left out inside loops.
GROWING = re.compile(r"\*|<<|replace|join|zfill|center|ljust")
INPUTS = (
    ("int", "int"), ("int", "int"), ("int", "int"), ("str", "str"), ("str", "str"),
    ("float", "float"), ("bytes", "bytes"),
    ("ints", ("list", "int", "int")), ("ints", ("list", "int", "int", "int")),
    ("strs", ("list", "str", "str")), ("floats", ("list", "float", "float")),
    ("pair", ("tuple", "int", "str")), ("dict", ("dict", "int", "int", "int", "int")),
    ("sdict", ("dict", "str", "int")),
)  # fmt: skip
HEADER = (
    "import bisect, collections, copy, datetime, functools, heapq, itertools, json, math\n"
    "import operator, re, struct\n"
    "PATTERN = re.compile('([0-9]+)(?:-([a-z]+))?')\n"
)
CLASSES = (
    """
class Item:
    def __init__(self, a, b):
        self.a = a
        self.b = b
        self.c = [a]
    def __repr__(self): return "Item"
""",
    """
class Base:
    __slots__ = ("a", "b")
    def __init__(self, a, b):
        self.a, self.b = a, b
class Item(Base):
    __slots__ = ("c",)
    def __init__(self, a, b):
        super().__init__(a, b)
        self.c = [a, len(b)]
    def __repr__(self): return "Item"
""",
    """
from dataclasses import dataclass, field
@dataclass
class Item:
    a: int
    b: str
    c: list = field(default_factory=list)
""",
    """
from dataclasses import dataclass, field
@dataclass(order=True, unsafe_hash=True)
class Item:
    a: int
    b: str
    c: list = field(default_factory=list, compare=False)
""",
    """
class Item:
    c = []
    def __init__(self, a, b):
        self.__dict__.update(a=a, b=b)
        self.c = self.c + [a]
    def __repr__(self): return "Item"
""",
)
METHODS = (
    "def __eq__(self, other): return {bool}",
    "def __eq__(self, other): return isinstance(other, Item) and self.a == other.a",
    "def __hash__(self): return hash(self.a)",
    "def __hash__(self): return self.a",
    "def __hash__(self): return hash((self.a, self.b))",
    "def __lt__(self, other): return (self.a, self.b) < (other.a, other.b)",
    "def __len__(self): return {int}",
    "def __len__(self): return len(self.c)",
    "def __bool__(self): return {bool}",
    "def __contains__(self, n): return {bool|n:int}",
    "def __contains__(self, n): return n == self.a",
    "def __getitem__(self, n): return self.c[n]",
    "def __getitem__(self, n): return {int|n:int}",
    "def __setitem__(self, n, value): self.c[n] = value",
    "def __call__(self, n): return {int|n:int}",
    "def __iter__(self): return iter(self.c)",
    """def __iter__(self):
        yield self.a
        yield {int}""",
    "def __str__(self): return {str}",
    "def __repr__(self): return f'Item({self.a})'",
    """@property
    def total(self): return {int}""",
    """@property
    def total(self): return self.a
    @total.setter
    def total(self, n): self.a = {int|n:int}""",
    """def step(self, n):
        self.a = {int|n:int}
        return {int|n:int}""",
    """def step(self, n):
        if {bool|n:int}:
            return self.a
        self.c.append(n)
        return {int|n:int}""",
    """@classmethod
    def of(cls, n): return cls(n, 'of')""",
    """@staticmethod
    def twice(n): return {int|n:int}""",
    """def __getattr__(self, name):
        if name == 'total': return self.a
        raise AttributeError(name)""",
    "def __add__(self, n): return {int|n:int}",
    "def __radd__(self, n): return {int|n:int}",
    "def __index__(self): return self.a",
    """def __enter__(self): return self.a
    def __exit__(self, *e): return {bool}""",
)
ERRORS = (
    "ValueError", "KeyError", "IndexError", "ZeroDivisionError", "TypeError", "Exception",
    "(KeyError, IndexError)", "LookupError", "AttributeError", "ArithmeticError",
)  # fmt: skip
MATCHES = (
    ("{int}", ("1", "2 | 5", "int(x) if {bool|x:int}", "-1", "True", "float()", "x")),
    ("{str}", ("'a'", "'ab' | ''", "str(x) if {bool|x:str}", "int()", "_")),
    ("{ints}", ("[]", "[1, *_]", "[x, y] if {bool|x:int,y:int}", "[x, *_] if {bool|x:int}", "_")),
    ("{pair}", ("(1, 'a')", "(x, 'a')", "(0, _)", "(int(x), str(y)) if {bool|x:int,y:str}", "_")),
    ("{dict}", ("{1: x}", "{2: 3}", "{0: x, **y} if {bool|x:int}", "{}")),
    ("{sdict}", ("{'a': x} if {bool|x:int}", "{'b': 1}", "_")),
    ("{obj}", ("Item(a=1)", "Item(a=x, b='k') if {bool|x:int}", "_")),
    ("[{int}, {str}, {float}]", ("[1, _, _]", "[_, 'a', 0.5]", "[int(), str(), x]", "_")),
)  # fmt: skip
