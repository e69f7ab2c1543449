"""What Python code does with values, row by row: plainly, on proxies, and along the same path."""

from __future__ import annotations

import pytest
from harness import agree

X = "def f(x, y=0):\n"
#: (name, source, inputs): each source defines ``f``.
ROWS = [
    ("and or not", "def f(x, y): return (x and y, x or y, not x)", [(0, 3), (2, 0), (2, 5)]),
    ("chained", "def f(x, y): return 0 < x < y <= 10", [(1, 2), (0, 2), (5, 11), (3, 3)]),
    ("chained in", "def f(s): return 'a' <= s in 'abc'", [("b",), ("q",), ("",)]),
    ("is int", "def f(x): return x is 3, x is not 3", [(3,), (4,), (300,)]),
    ("is bool", "def f(x): return (x > 2) is True, (x > 2) is False", [(3,), (1,)]),
    ("is itself", "def f(x):\n y = x\n return x is y, x is not y", [(3,), (3000,)]),
    ("is None", "def f(x): return x is None, x is not None", [(3,), (None,)]),
    ("type is", "def f(x): return type(x) is int, type(x) is str, type(x) == float, type(x)",
     [(1,), (1.0,), ("a",), (b"a",), (None,)]),
    ("isinstance", "def f(x): return isinstance(x, int), isinstance(x, (str, bytes)), "
     "isinstance(x, float), isinstance(x, bool), isinstance(x, object)",
     [(1,), (1.0,), ("a",), (b"a",), (True,)]),
    ("numbers.Number", "import numbers\ndef f(x): return isinstance(x, numbers.Integral), "
     "isinstance(x, numbers.Real)", [(1,), (1.0,), ("a",)]),
    ("class of", "def f(x): return x.__class__, type(x).__name__, x.__class__.__name__",
     [(1,), (1.0,), ("a",), (b"",)]),
    ("range", "def f(x): return [i for i in range(x)]", [(0,), (3,), (-1,)]),
    ("range of two", "def f(x, y): return list(range(x, y))", [(1, 4), (4, 1), (-2, 0)]),
    ("range of step", "def f(x, y): return list(range(x, y, 2)), list(range(y, x, -3))",
     [(1, 8), (8, 1)]),
    ("range step symbolic", "def f(x): return list(range(0, 6, x))", [(2,), (0,), (-1,)]),
    ("range reversed", "def f(x): return list(reversed(range(x)))", [(3,), (0,)]),
    ("range len", "def f(x): return len(range(x)), len(range(2, x))", [(5,), (0,), (1,)]),
    ("range in", "def f(x): return x in range(3), 2 in range(x), x in range(0, 9, 3)",
     [(1,), (3,), (6,)]),
    ("range index", "def f(x): return range(x)[1]", [(3,), (1,)]),
    ("range truth", "def f(x): return 1 if range(x) else 2", [(3,), (0,)]),
    ("for else", "def f(x):\n for i in range(x):\n  if i == 2: break\n else: return 'no'\n return i",
     [(1,), (5,)]),
    ("while", "def f(x):\n n = 0\n while x > 1:\n  x = x // 2\n  n += 1\n return n", [(9,), (0,)]),
    ("len", "def f(s): return len(s), len(s) > 2, 'e' if not s else 'f'", [("",), ("abc",), (b"a",)]),
    ("index", "def f(s): return s[0], s[1]", [("ab",), ("a",), ("",)]),
    ("negative index", "def f(s): return s[-1], s[-2]", [("ab",), ("a",)]),
    ("index symbolic", "def f(s, i): return s[i]", [("abc", 1), ("abc", -1), ("abc", 3), ("a", -4)]),
    ("index of constant", "def f(i): return 'abc'[i], (1, 2, 3)[i], [4, 5, 6][i]",
     [(0,), (-1,), (3,), (-4,)]),
    ("index of list", "def f(xs, i): return xs[i]", [([1, 2], 1), ([1, 2], -2), ([1], 1)]),
    ("index of bytes", "def f(s, i): return s[i] + 1", [(b"abc", 1), (b"abc", 5)]),
    ("slice", "def f(s, i): return s[i:], s[:i], s[1:i], s[-i:], s[::2], s[::-1]",
     [("abcd", 2), ("abcd", -1), ("", 0), (b"abc", 1)]),
    ("slice step", "def f(s, i): return s[::i]", [("abcd", 2), ("abcd", 0), ("abcd", -1)]),
    ("slice of list", "def f(xs, i): return xs[i:], xs[:-i]", [([1, 2, 3], 1), ([1, 2], 5)]),
    ("slice stored", "def f(i):\n xs = [1, 2, 3]\n xs[i:] = [9]\n del xs[:i]\n return xs",
     [(1,), (0,), (-1,)]),
    ("enumerate", "def f(s, i): return list(enumerate(s)), list(enumerate(s, i))",
     [("ab", 3), ("", 0)]),
    ("zip", "def f(s, xs): return list(zip(s, xs, strict=True))", [("ab", [1, 2]), ("a", [])]),
    ("sorted", "def f(xs): return sorted(xs), sorted(xs, reverse=True), sorted(xs, key=abs)",
     [([3, -1, 2],), ([],), ([1, 1],)]),
    ("sorted texts", "def f(xs): return sorted(xs, key=len), sorted(xs, key=str.lower), sorted(xs)",
     [(["b", "ab", "A"],)]),
    ("list.sort", "def f(xs):\n xs.sort(key=lambda v: -v)\n return xs", [([1, 3, 2],)]),
    ("min max", "def f(x, y): return min(x, y), max(x, y, 3), min([x, y], key=abs), max(x, 1.5)",
     [(1, 2), (-5, 4), (2, 2)]),
    ("min default", "def f(xs): return min(xs, default=None), max(xs, default=0)",
     [([],), ([2, 1],)]),
    ("sum", "def f(xs): return sum(xs), sum(xs, 10), sum([x * 0.1 for x in xs])",
     [([1, 2, 3],), ([],)]),
    ("sum of floats", "def f(xs): return sum(xs)", [([0.1] * 10,), ([1e300, -1e300, 1.0],)]),
    ("any all", "def f(xs): return any(xs), all(xs), any(x > 2 for x in xs), all(x > 0 for x in xs)",
     [([0, 0],), ([1, 3],), ([],)]),
    ("abs divmod", "def f(x, y): return abs(x), divmod(x, y), divmod(7, y), divmod(x, 3)",
     [(7, 2), (-7, 2), (7, -2), (7, 0), (7.5, 2), (-7.5, -0.0)]),
    ("pow", "def f(x, y): return pow(x, y), x ** 2, 2 ** y", [(2, 3), (0, -1), (2, -1), (-8, 2)]),
    ("pow mod", "def f(x, y, z): return pow(x, y, z)", [(2, 3, 5), (2, -1, 5), (2, -1, 4), (2, 3, 0)]),
    ("pow floats", "def f(x, y): return x ** y", [(2.0, 0.5), (-8.0, 0.5), (0.0, -1.0), (10.0, 400.0)]),
    ("round", "def f(x, n): return round(x), round(x, n), round(2.567, n), round(x, 1)",
     [(2.5, 1), (3.5, 0), (-0.5, 2), (17, -1), (float("nan"), 0), (float("inf"), 1)]),
    ("int", "def f(s): return int(s)", [("12",), (" -7 ",), ("x",), ("",), (2.9,), (5,), (b"3",)]),
    ("int base", "def f(s, b): return int(s, b), int(s, base=16)", [("11", 2), ("ff", 16), ("z", 3)]),
    ("float", "def f(s): return float(s)", [("1.5",), ("nan",), ("x",), (3,), (0.5,)]),
    ("str", "def f(x): return str(x), str(x) + '!', repr(x), ascii(x)", [(5,), (1.5,), ("é",), (b"x",)]),
    ("ord chr", "def f(s): return ord(s), chr(ord(s) + 1)", [("a",), ("ab",), ("",)]),
    ("chr", "def f(x): return chr(x)", [(97,), (-1,), (0x110000,)]),
    ("division", "def f(x, y): return x // y, x % y, x / y",
     [(7, 2), (-7, 2), (7, -2), (-7, -2), (1, 0), (7.5, -2), (1.0, 0.0)]),
    ("shifts", "def f(x, y): return x << y, x >> y, 1 << y, -8 >> y", [(3, 2), (3, -1), (-9, 1)]),
    ("bits", "def f(x, y): return x & y, x | y, x ^ y, ~x, x & 1, 6 | x", [(6, 3), (-1, 5)]),
    ("bit_length", "def f(x): return x.bit_length(), x.bit_count()", [(9,), (-9,), (0,)]),
    ("bool arithmetic", "def f(x): return True + x, x * True, (x > 1) + x, True < x, x == True",
     [(1,), (2,)]),
    ("mixed", "def f(x): return 1.5 + x, x * 2.0, 1.5 < x, 3.0 == x, 2.5 - x, x - 0.5", [(1,), (3,)]),
    ("f-string", "def f(x, s): return f'{x}-{s}', f'{s!r:>5}|{x:03d}|{x:>{x}}', f'{s}', f'{x!s}={s!a}'",
     [(3, "a"), (-12, "é"), (5, "")]),
    ("f-string float", "def f(x): return f'{x:.2f}', f'{x:e}', f'{x}'", [(1.005,), (-0.0,)]),
    ("f-string spec", "def f(x, w): return f'{x:{w}}', f'{x:0{w}d}'", [(3, 4), (3, 0), (3, -1)]),
    ("percent", "def f(x, s): return '%d-%s' % (x, s), '%5d|%-4s|' % (x, s), '%s' % s, '%x' % x",
     [(3, "a"), (-1, "")]),
    ("percent keyed", "def f(x): return '%(a)s/%(b)03d' % {'a': x, 'b': x + 1}", [(3,), (-1,)]),
    ("percent bad", "def f(x, s): return s % x", [(3, "%d"), (3, "%d%d"), (3, "%q"), (3, "a")]),
    ("format", "def f(x, s): return '{}:{}'.format(x, s), '{0:>4}{1!r}'.format(x, s), "
     "'{a}{b:5}'.format(a=x, b=s), format(x, '+d'), s.format(x)",
     [(3, "a"), (-1, "{}"), (2, "{1}")]),
    ("format objects", "class P:\n def __init__(self, x): self.x = x\n"
     " def __str__(self): return f'P{self.x}'\n def __repr__(self): return 'R%d' % self.x\n"
     " def __format__(self, spec): return spec + str(self.x)\n"
     "def f(x):\n p = P(x)\n return str(p), repr(p), f'{p}', f'{p:q}', '%s/%r' % (p, p), "
     "'{}{!r}'.format(p, p), str([p]), ','.join(map(str, [p, p]))", [(3,), (-1,)]),
    ("repr of containers", "def f(x, s): return str([x, s]), repr((x, (s,))), f'{[x]}', str({s: x})",
     [(3, "a"), (0, "'")]),
    ("print", "def f(x): print(x, f'{x}', end=''); return x > 3", [(1,), (5,)]),
    ("strip", "def f(s): return s.strip(), s.lstrip('x'), s.rstrip(), s.strip().lower() == 'a'",
     [(" a ",), ("xA",)]),
    ("split", "def f(s): return s.split(), s.split(','), s.split(sep=',', maxsplit=1), s.rsplit(None, 1)",
     [("a,b c",), ("",)]),
    ("split symbolic", "def f(s, t): return s.split(t), s.partition(t)", [("a,b", ","), ("a", "")]),
    ("startswith", "def f(s, t): return s.startswith(t), s.endswith(('a', t)), t in s, 'abc'.startswith(s)",
     [("abc", "ab"), ("abc", "c"), ("", "")]),
    ("find", "def f(s): return s.find('b'), s.rfind('b'), s.count('b'), s.index('b')", [("abcb",), ("x",)]),
    ("replace", "def f(s, t): return s.replace(t, '-'), s.replace('a', t, 1)", [("aba", "a"), ("a", "")]),
    ("tests", "def f(s): return s.isdigit(), s.isalpha(), s.isupper(), s.isspace(), s.isidentifier()",
     [("12",), ("ab",), ("A",), (" ",), ("",)]),
    ("join", "def f(s, xs): return s.join(['a', 'b']), ','.join(xs), ''.join(c + '.' for c in s), '-'.join(s)",
     [("x", ["p", "q"]), ("", [])]),
    ("pad", "def f(s, n): return s.center(n), s.ljust(n, '*'), s.zfill(n), s.rjust(7)", [("ab", 5), ("", 0)]),
    ("translate", "def f(s): return s.translate({97: 'b', 98: None}), s.translate(str.maketrans('a', 'x'))",
     [("abc",), ("",)]),
    ("encode", "def f(s): return s.encode(), s.encode('utf-8').decode(), s.encode('ascii')", [("a",), ("é",)]),
    ("unpack text", "def f(s):\n a, b = s\n return b + a", [("ab",), ("a",), ("abc",)]),
    ("star text", "def f(s):\n a, *b = s\n return a, b, [*s]", [("abc",), ("a",), ("",)]),
    ("text loop", "def f(s):\n n = 0\n for c in s:\n  if c == 'a': n += 1\n return n", [("aba",), ("",)]),
    ("text order", "def f(s, t): return s < t, s == t, s != 'b', s <= 'b', max(s, t), 'a' == s",
     [("a", "b"), ("b", "a"), ("a", "a")]),
    ("text times", "def f(s, n): return s * n, n * s, 'ab' * n, [n] * 2, [0] * n, (1,) * n, s + 'x', 'x' + s",
     [("ab", 2), ("ab", -1), ("", 3)]),
    ("texts of kinds", "def f(s): return s == 1, 1 == s, s == b'a', s in ['a', 1], s in ('b', 'c')",
     [("a",), ("b",), (b"a",)]),
    ("map int", "def f(s): return sum(map(int, s.split(',')))", [("1,2",), ("x",), ("",)]),
    ("filter", "def f(s): return list(filter(str.isdigit, s)), [*map(str.upper, s)], [*filter(None, [0, len(s)])]",
     [("a1",), ("",)]),
    ("AttributeError", "def f(x):\n m = x if x is None else None\n return m.group()", [(1,)]),
    ("no attribute", "def f(x):\n try: return x.nothing\n except AttributeError as e: return str(e)",
     [(1,), ("a",), (1.0,)]),
    ("getattr", "def f(x, s): return hasattr(x, 'concrete'), getattr(x, 'term', 1), hasattr(x, s), "
     "getattr(x, 'real', None)", [(1, "imag"), ("a", "strip"), (1.0, "x")]),
    ("KeyError", "def f(s): return {'a': 1}[s]", [("a",), ("b",)]),
    ("TypeError", "def f(x, s): return x + s", [(1, "a"), (1.0, b"a"), ("a", None)]),
    ("errors handled", "def f(s):\n try: return int(s)\n except ValueError: return -1\n finally: s = None",
     [("1",), ("x",)]),
    ("error texts", "def f(x):\n try: raise ValueError(f'bad {x}')\n except ValueError as e: return str(e), e.args",
     [(1,), ("q",)]),
    ("raise", "class E(Exception):\n def __init__(self, x): super().__init__(x); self.x = x\n"
     "def f(x):\n if x > 2: raise E(x)\n return x", [(1,), (3,)]),
    ("RecursionError", "def g(n): return g(n + 1)\ndef f(x):\n try: g(x)\n except RecursionError: return x > 1",
     [(1,), (2,)]),
    ("copy", "import copy\ndef f(x):\n a = [x, [x]]\n b = copy.copy(a)\n c = copy.deepcopy(a)\n c[1][0] += 1\n"
     " return a, b, c, copy.copy(x), copy.deepcopy(x)", [(1,), ("a",)][:1]),
    ("copy of objects", "import copy\nclass P:\n def __init__(self, x): self.x = x\n"
     "def f(x):\n p = P(x)\n q = copy.deepcopy(p)\n q.x = q.x + 1\n r = copy.copy(p)\n return p.x, q.x, r.x > 0",
     [(1,), (-1,)]),
    ("pickle", "import pickle\ndef f(x, s): return pickle.loads(pickle.dumps({'a': [x, s]}))", [(1, "a")]),
    ("struct", "import struct\ndef f(x): return struct.pack('<h', x), struct.unpack('<h', struct.pack('<h', x))",
     [(1,), (70000,)]),
    ("json", "import json\ndef f(x, s): return json.dumps({'a': x, 'b': [s]}), json.loads(json.dumps(x))",
     [(1, "a"), (2.5, "")]),
    ("json parse", "import json\ndef f(s): return json.loads(s)", [("1",), ("x",)]),
    ("math", "import math\ndef f(x): return math.floor(x), math.sqrt(x), math.isnan(x), math.log(x)",
     [(4,), (2.5,), (-1,), (0.0,), (float("nan"),)]),
    ("generators", "def g(n):\n i = 0\n while i < n:\n  got = yield i\n  i += got or 1\n"
     "def f(x):\n it = g(x)\n out = [next(it, None)]\n try: out.append(it.send(x))\n except StopIteration: out.append('end')\n return out",
     [(3,), (0,), (5,)]),
    ("yield from", "def g(n):\n yield from range(n)\n return n * 2\ndef h(n):\n r = yield from g(n)\n yield r\n"
     "def f(x): return list(h(x))", [(2,), (0,)]),
    ("recursion", "def fact(n): return 1 if n <= 1 else n * fact(n - 1)\ndef f(x): return fact(x)", [(5,), (0,)]),
    ("comprehensions", "def f(x): return [i * x for i in range(3) if i != x], {i: x for i in range(2)}, "
     "sorted({x, 1}), [(a, b) for a in range(x) for b in range(a)]", [(1,), (3,)]),
    ("closures", "def f(x):\n def add(y):\n  nonlocal x\n  x = x + y\n  return x\n return add(1), add(2), (lambda z: z * x)(2)",
     [(1,), (-3,)]),
    ("defaults", "def g(a, b=2, *args, c=3, **kw): return a + b + sum(args) + c + kw.get('d', 0)\n"
     "def f(x): return g(x), g(1, x), g(1, 2, x, c=x), g(x, d=x), g(*[x, x], **{'c': x})", [(1,), (5,)]),
    ("decorators", "import functools\ndef twice(g):\n @functools.wraps(g)\n def w(*a): return g(*a) * 2\n return w\n"
     "@twice\ndef g(x): return x + 1\ndef f(x): return g(x)", [(1,), (5,)]),
    ("lru_cache", "import functools\n@functools.lru_cache\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
     "def f(x): return fib(x)", [(7,), (1,)]),
    ("descriptors", "class Positive:\n def __set_name__(self, o, n): self.n = '_' + n\n"
     " def __get__(self, o, t): return getattr(o, self.n)\n"
     " def __set__(self, o, v):\n  if v <= 0: raise ValueError(v)\n  setattr(o, self.n, v)\n"
     "class C:\n x = Positive()\n def __init__(self, x): self.x = x\n"
     "def f(x):\n c = C(x)\n c.x += 1\n return c.x", [(1,), (0,)]),
    ("property", "class C:\n def __init__(self, x): self._x = x\n @property\n def x(self): return self._x * 2\n"
     " @x.setter\n def x(self, v): self._x = v if v > 0 else 0\n"
     " @staticmethod\n def s(v): return v + 1\n @classmethod\n def c(cls, v): return cls(v)\n"
     "def f(x):\n c = C(x)\n c.x = x - 1\n return c.x, C.s(x), C.c(x).x", [(1,), (5,)]),
    ("slots", "class P:\n __slots__ = ('a', 'b')\n def __init__(self, a): self.a = a\n"
     "def f(x):\n p = P(x)\n p.b = p.a + 1\n try: p.c = 1\n except AttributeError: return p.a, p.b", [(1,), (2,)]),
    ("dataclass", "from dataclasses import dataclass, replace, asdict, astuple\n@dataclass(order=True)\nclass P:\n a: int\n b: str = 'x'\n"
     "def f(x):\n p = P(x)\n return p == P(3), p < P(4), replace(p, a=1).a, repr(p), asdict(p), astuple(p)",
     [(3,), (5,)]),
    ("frozen dataclass", "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n a: int\n"
     "def f(x):\n p = P(x)\n return hash(p) == hash(P(x)), {p: 1}[P(x)], p == P(1)", [(3,), (1,)]),
    ("namedtuple", "from collections import namedtuple\nP = namedtuple('P', 'a b')\n"
     "def f(x):\n p = P(x, 2)\n a, b = p\n return p.a > 1, p._replace(a=1).a, a + b, p == (3, 2), p < P(2, 3)",
     [(3,), (1,)]),
    ("enum", "import enum\nclass C(enum.IntEnum):\n A = 1\n B = 2\n"
     "def f(x): return C(x), C.A + x, C.A == x, x < C.B, [1, 2, 3][C.A] + x", [(1,), (2,), (3,)]),
    ("flag", "import enum\nclass F(enum.Flag):\n A = 1\n B = 2\n"
     "def f(x): return (F.A | F(x)).value, bool(F.B & F(x))", [(1,), (2,), (9,)]),
    ("operators of objects", "class V:\n def __init__(self, x): self.x = x\n def __add__(self, o): return V(self.x + (o.x if isinstance(o, V) else o))\n"
     " def __radd__(self, o): return V(o + self.x)\n def __eq__(self, o): return isinstance(o, V) and self.x == o.x\n"
     " def __lt__(self, o): return self.x < o.x\n def __len__(self): return self.x\n def __bool__(self): return self.x > 1\n"
     " def __getitem__(self, i): return self.x + i\n def __contains__(self, i): return i == self.x\n def __call__(self, y): return self.x * y\n"
     "def f(x):\n v = V(x)\n return (v + v).x, (v + 1).x, (1 + v).x, (x + v).x, v == V(2), v < V(3), 'y' if v else 'n', v[x], 2 in v, v(x), len(v), sorted([v, V(2)])[0].x",
     [(1,), (2,), (5,), (-1,)]),
    ("hash of objects", "class K:\n def __init__(self, x): self.x = x\n def __hash__(self): return self.x * 31\n"
     " def __eq__(self, o): return self.x == o.x\n"
     "def f(x): return {K(1): 'a', K(2): 'b'}.get(K(x), 'c')", [(1,), (3,)]),
    ("index of objects", "class I:\n def __init__(self, x): self.x = x\n def __index__(self): return self.x\n"
     " def __int__(self): return self.x + 1\n def __float__(self): return self.x * 1.0\n"
     "def f(x):\n i = I(x)\n return [1, 2, 3][i], int(i), float(i), range(5)[i]", [(1,), (3,), (9,)]),
    ("int of subclasses", "class N(int):\n def __add__(self, o): return 'added'\n"
     "def f(x): return x + N(2), N(2) + x, N(x) + 1, N(2) * x, x < N(2)", [(1,), (3,)]),
    ("Fraction", "from fractions import Fraction\ndef f(x): return Fraction(1, 2) + x, x * Fraction(1, 3), x < Fraction(1, 2), Fraction(x, 3)",
     [(1,), (0,)]),
    ("Decimal", "from decimal import Decimal\ndef f(x): return Decimal(1) + x, x * Decimal(2), Decimal(1) < x, x == Decimal(1)",
     [(1,), (0,)]),
    ("timedelta", "from datetime import timedelta\ndef f(x): return timedelta(days=1) * x, timedelta(x), x * timedelta(1)",
     [(1,), (0,), (1.5,)]),
    ("complex", "def f(x): return 1j + x, x * 1j, complex(x, 1), x == 1 + 0j", [(1,), (0.5,)]),
    ("float specials", "def f(x): return x == x, x < 1, x > 1, x != x, x + 1, -x, abs(x), x * 0, str(x), bool(x)",
     [(float("nan"),), (float("inf"),), (-0.0,), (1.5,)]),
    ("float rounding", "def f(x): return x + 0.1 == 0.3, x * 3 == 0.3, int(x * 10), x // 0.1, x % 0.1", [(0.2,), (0.1,)]),
    ("float division", "def f(x): return 1 / x", [(0.0,), (-0.0,), (2.0,)]),
    ("float to int", "def f(x): return int(x)", [(2.9,), (float("inf"),), (float("nan"),)]),
    ("is_integer", "def f(x): return x.is_integer(), x.as_integer_ratio(), x.hex()", [(2.0,), (2.5,)]),
    ("mutation", "def g(xs, x): xs.append(x); xs[0] = x\ndef f(xs, x):\n g(xs, x)\n return xs, xs.count(x), xs.index(x)",
     [([1], 2), ([2, 3], 2), ([], 1)]),
    ("aliasing", "def f(xs, x):\n ys = xs\n ys *= x\n ys += [x]\n return xs is ys, xs", [([1], 2), ([1], 0)]),
    ("removal", "def f(xs, x):\n xs.remove(x)\n return xs, x in xs, xs.pop(x)", [([1, 2], 1), ([1, 2, 0], 2), ([1], 5)]),
    ("insertion", "def f(xs, x):\n xs.insert(x, 9)\n xs.extend(range(x))\n return xs", [([1, 2], 1), ([], -1)]),
    ("list order", "def f(xs, x): return xs < [x], xs == [x, 2], (x, 1) < (2, x), [x] + xs", [([1, 2], 1), ([3], 2)]),
    ("deque", "from collections import deque\ndef f(x):\n d = deque([1, x], maxlen=3)\n d.appendleft(x)\n d.rotate(x)\n return d, x in d",
     [(1,), (2,)]),
    ("heapq", "import heapq\ndef f(x):\n h = [5, x]\n heapq.heapify(h)\n heapq.heappush(h, 3)\n return heapq.heappop(h), heapq.nsmallest(2, h), heapq.nlargest(1, h, key=abs)",
     [(1,), (9,)]),
    ("bisect", "import bisect\ndef f(x):\n xs = [1, 3, 5]\n bisect.insort(xs, x)\n return bisect.bisect_left(xs, x), xs", [(2,), (9,)]),
    ("itertools", "import itertools\ndef f(x): return list(itertools.islice(itertools.count(x), 3)), list(itertools.accumulate([x, 2])), "
     "[k for k, _ in itertools.groupby([x, 1, 1])], list(itertools.takewhile(lambda v: v < 3, [x, 5])), list(itertools.repeat(x, 2)), list(itertools.chain([x], [1]))",
     [(1,), (4,)]),
    ("islice", "import itertools\ndef f(x): return list(itertools.islice('abc', x)), list(itertools.combinations([1, 2, 3], x)), list(itertools.permutations([1, 2], x))",
     [(1,), (-1,), (2,)]),
    ("functools", "import functools\ndef f(x): return functools.reduce(lambda a, b: a * b, [x, 2]), functools.partial(pow, x)(2), functools.partial(int, base=2)(str(x)), "
     "sorted([x, 2], key=functools.cmp_to_key(lambda a, b: b - a))", [(1,), (10,)]),
    ("singledispatch", "import functools\n@functools.singledispatch\ndef g(x): return 'object'\n@g.register\ndef _(x: int): return x + 1\n@g.register\ndef _(x: str): return x + 's'\n"
     "def f(x): return g(x)", [(1,), ("a",), (1.5,)]),
    ("itemgetter", "import operator\ndef f(x): return sorted([(x, 1), (2, 0)], key=operator.itemgetter(1, 0)), operator.attrgetter('real')(x), operator.methodcaller('bit_length')(x)",
     [(1,), (5,)]),
    ("contextlib", "import contextlib\n@contextlib.contextmanager\ndef c(x):\n try: yield x + 1\n except ZeroDivisionError: pass\n"
     "def f(x):\n with c(x) as y, contextlib.suppress(KeyError):\n  y //= x\n return y", [(1,), (0,)]),
    ("generic class", "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass S(Generic[T]):\n def __init__(self, x: T): self.x = x\n"
     "def f(x): return S[int](x).x > 2, list[int]([x])", [(1,), (3,)]),
    ("own list", "class L(list):\n def append(self, x): super().append(x + 1)\nclass M(L):\n pass\n"
     "def f(x):\n a = L([x])\n a.append(x)\n b = M((x, x))\n b[0] = 3\n return a, b, x in a, a == [x]", [(1,), (-1,)]),
    ("own tuple", "class T(tuple):\n def __new__(cls, *a): return super().__new__(cls, a)\n def total(self): return self[0] + self[1]\n"
     "def f(x): return T(x, 2).total(), T(x, 1) == (1, 1)", [(1,), (3,)]),
    ("metaclass", "class M(type):\n def __call__(cls, x):\n  o = super().__call__(x)\n  o.y = x + 1\n  return o\n"
     "class C(metaclass=M):\n def __init__(self, x): self.x = x\ndef f(x): return C(x).y > 2", [(1,), (3,)]),
    ("random", "import random\ndef f(x): return random.Random(x).randint(0, 9)", [(1,), (2,)]),
    ("statistics", "import statistics\ndef f(xs): return statistics.mean(xs), statistics.median(xs)", [([1, 2, 4],), ([1.5],)]),
    ("hashlib", "import hashlib\ndef f(s): return hashlib.sha256(s.encode()).hexdigest()[:4]", [("a",), ("b",)]),
    ("datetime", "import datetime\ndef f(x): return datetime.date(2020, x, 1), datetime.date.fromordinal(x + 1)", [(1,), (13,)]),
    ("string.Template", "import string\ndef f(s): return string.Template('$a').substitute(a=s), s in string.digits", [("1",), ("x",)]),
    ("StringIO", "import io\ndef f(s):\n out = io.StringIO()\n out.write(s)\n print(s, file=out, end='')\n return out.getvalue()", [("ab",)]),
    ("redirected", "import io, contextlib\ndef f(x):\n out = io.StringIO()\n with contextlib.redirect_stdout(out): print(x)\n return out.getvalue() == '3\\n'",
     [(3,), (4,)]),
    ("to_bytes", "def f(x): return x.to_bytes(2, 'big'), int.from_bytes(x.to_bytes(2, 'little'), 'big')", [(5,), (-1,), (70000,)]),
    ("bytes", "def f(x, s): return bytes([x, 1]), s + b'x', s[0], s.hex(), bytes(s), x in s, list(s)", [(5, b"ab"), (300, b"a"), (97, b"")]),
    ("match", "def f(x):\n match x:\n  case 1: return 'one'\n  case int(n) if n > 5: return n\n  case 'a' | 'b': return 'ab'\n  case [a, b]: return a\n  case str(): return 's'\n  case _: return None",
     [(1,), (7,), (2,), ("a",), ("q",), ([1, 2],)]),
    ("assert", "def f(x):\n assert x > 1, 'small'\n return x", [(1,), (2,)]),
    ("walrus", "def f(s):\n if (n := len(s)) > 2: return n\n return -n", [("abc",), ("",)]),
    ("ternary", "def f(x): return 'a' if x % 2 else 'b' if x > 5 else 'c'", [(1,), (6,), (2,)]),
    ("globals", "N = 2.5\nW = 'ab'\ndef f(x, s): return N * x, N > x, W + s, W == s, s in W", [(1, "a"), (3, "ab")]),
    ("in place", "def f(x, s):\n t = 0.0\n for i in range(3): t += x\n u = 'q'\n u += s\n v = 2\n v **= x\n v <<= 1\n v |= x\n return t, u, v",
     [(1, "a"), (2, "")]),
    ("big", "def f(x): return (1 << x) > x, 2 ** x > 9, ('-' * x)[:5]", [(100_001,), (3,)]),
    ("wide", "def f(x, s): return len(s.center(x)), len(f'{s:>{x}}'), len('%*d' % (x, 1))", [(100_001, "a"), (3, "b")]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("source", "runs"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_row_agrees(source, runs):
    for inputs in runs:
        agree(source, "f", *inputs)


def test_rows_have_different_names():
    assert len({row[0] for row in ROWS}) == len(ROWS)
