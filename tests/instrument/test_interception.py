"""Code with its blind forms rewritten does what the code does: values, order, names, scopes."""

from __future__ import annotations

import ast
import re

import pytest

from unitcraft.instrument import interception
from unitcraft.instrument.interception import InterceptionRewriter
from unitcraft.symbolic.intercept.intercepts import INTERCEPTS

#: Calls of ``t`` note the order in which operands are evaluated.
TRACED = """
seen = []
def t(value):
    seen.append(str(value))
    return value
"""


def rewritten(source):
    return ast.unparse(ast.fix_missing_locations(InterceptionRewriter().visit(ast.parse(source))))


def outcome(code, space):
    exec(code, space)
    try:
        result = space["f"]()
    except Exception as error:  # noqa: BLE001 - of whatever class
        result = type(error)
    return str(result), space["seen"]


FORMS = """
return t(len)(t('ab'))
return t([1, 2])[t(1)]
return t([1, 2, 3])[t(0):t(2):t(1)]
return t('abc')[t(5):], t((1, 2))[t(-1)]
xs = [0, 0]; t(xs)[t(0)] = t(7); return xs
xs = [0, 0]; t(xs)[t(9)] = t(7); return xs
xs = [1, 2]; t(xs)[t(1)] += t(5); return xs
d = {}; t(d)[t('k')] += t(5); return d
d = {'k': 'n %d'}; t(d)[t('k')] %= t(5); return d
xs = [1, 2, 3]; del t(xs)[t(0)], t(xs)[t(1)]; return xs
xs = [1, 2, 3]; x = 1; del xs[t(0)], x, xs[t(1)]; return xs
xs = [1, 2, 3]; xs[t(0):t(2)] = t([9]); return xs
xs = [1, 2, 3]; xs[t(0):t(2)] += t([9]); return xs
xs = [1, 2, 3]; del xs[t(1):]; return xs
xs = [0, 0]; i = t(0); i, xs[i] = t(1), t(2); return i, xs
xs = [0, 0]; i = t(0); xs[i], i = t(1), t(2); return i, xs
xs = [0, 0]; (xs[t(0)], [xs[t(1)], *y]) = t(1), t((2, 3, 4)); return xs, y
xs = [0, 0]; *xs[t(0):], y = t((1, 2, 3)); return xs, y
xs = [0, 0]; a, (xs[t(0)], b) = t((1, (2, 3))); return a, b, xs
xs = [0]; xs[t(0)], (y, z) = t((5, (1,))); return xs
xs = [0, 0]; a = xs[t(0)] = t(4); return a, xs
xs = [0, 0]; xs[t(0)] = xs[t(1)] = t([]); return xs[0] is xs[1]
xs = [0, 0]; r = [xs[0] for xs[t(1)] in t((4, 5))]; return xs, r
xs = [0, 0]; return [(yield_, xs) for yield_ in t((1, 2))]
return t(1) in t([1]), t(1) not in t({1: 2})
return t(1) < t(2) in t([2]) != t([3])
return t(5) < t(2) in t([2])
return t(1) is t(1) is not t(None)
return t(1) in t([1]) in t([[1]])
return [x for x in t((1, 2, 3)) if t(0) < x in t((1, 2))]
return [x for x in (t(1) < t(2) in t([2]),)]
return t(None) is None, t(3) is not None
return t('%s-%d') % t(('a', 1))
return t(7) % t(4), -t(7) % t(4)
s = t('%d'); s %= t(3); return s
s = t(7); s %= t(3); return s
s = t({1}); s |= t({2}); s -= t({1}); return s
s = t(7); s |= t(8); s ^= t(1); s -= t(2); return s
return f'{t(1)!r:>{t(4)}}{t("x")}' + f'{t(1.5):.2f}'
return f'{t(1)}{{}}{t("a")!a}'
return {t(1): t(2), **t({3: 4}), t(5): t(6)}
return {**t(5), t(1): 2}
return {t(1), *t((2, 3)), t(2)}
return {1: t(2), 'a': t(3)}, {1, 2} == t({1, 2}), {}, {...: t(1)}
return {t(x): t(y) for x, y in t(((1, 2), (3, 4))) if t(x)}
return {t(x) for x in t((1, 2, 1))}
return {t([])}
return (lambda x, y=t(3): t([x, y])[t(1)])(t(2))
return [y := t(1), y + t(2)], y
return t(max)(*t((1, 2)), **t({'key': t(abs)}))
return t(dict)(a=t(1), **t({'b': 2})), set(), dict()
x = t(3); del x; return x
import math as m; return t(m).floor(t(2.5))
global g; g = [0]; g[t(0)] = t(5); return g
with t(open)(t('/nowhere')) as x: pass
return t('ab')[t(0)].upper(), t([1]).pop(t(0))
return sorted(t([3, 1]), key=t(abs)), t(isinstance)(t(1), t(int))
""".strip().splitlines()


@pytest.mark.parametrize("body", FORMS)
def test_of_a_form(body):
    lines = "\n    ".join(body.split("; "))
    source = f"{TRACED}def f():\n    {lines}\n"
    plain = outcome(compile(source, "<plain>", "exec"), {})
    assert outcome(compile(rewritten(source), "<rewritten>", "exec"), dict(INTERCEPTS)) == plain
    assert plain[1], "the form must evaluate something"


PROGRAMS = {
    "nonlocal": """
def f():
    xs, n = [0, 0], 0
    def g():
        nonlocal n
        n, xs[t(n)] = t(1), t(5)
        n %= t(3)
        return n
    return g(), n, xs
""",
    "classes": """
def f():
    class C:
        table = {t(1): t(2)}
        first = table[t(1)]
        def __len__(self): return t(self.table)[t(1)]
        @staticmethod
        def s(x=t([7])): return x[t(0)]
        @property
        def p(self): return self.table[t(1)]
        @p.setter
        def p(self, value): self.table[t(1)] = value
    c = C()
    c.p = t(4)
    c.p += t(1)
    return C.first, len(c), c.s(), c.p
""",
    "decorators": """
import functools
def twice(n):
    return lambda g: functools.wraps(g)(lambda *a: g(*a) * n)
@twice(t(3))
def g(x: "t(9)" = t(1)) -> "t(8)":
    return [x][t(0)]
def f():
    return g(), g(t(2)), g.__annotations__
""",
    "generators": """
def g(n):
    xs = [0]
    while n:
        xs[t(0)] += (yield xs[t(0)]) or t(1)
        n -= t(1)
    return {t(1): n}[t(1)]
def f():
    it = g(3)
    return next(it), it.send(t(5)), list(it), [*g(t(2))]
""",
    "async": """
import asyncio
async def a(x):
    await asyncio.sleep(0)
    return [x][t(0)]
async def several():
    for i in (1, 2):
        yield i
async def h():
    d = {}
    async for d[t(0)] in several():
        d[await a(t(d[0]))] = await a(t(2))
    return {await a(t(1)): await a(t(2))}, [x async for x in several() if x in (t(1),)], d
def f():
    return asyncio.run(h())
""",
    "match": """
def f():
    d = {t(1): t("a")}
    match d:
        case {1: str(x)} if x in t(["a"]): return d[t(1)], x
        case _: return t(0)
""",
    "loops over subscripts": """
def f():
    xs, d = [0, 0], {}
    for xs[t(0)], (d[t(1)], y) in t([(1, (2, 3)), (4, (5, 6))]):
        if y in t((3,)):
            continue
    else:
        xs[t(1)] = t(9)
    return xs, d, y
""",
    "handlers": """
def f():
    try:
        return {t(1): 2}[t(5)]
    except KeyError as error:
        return error.args[t(0)]
    finally:
        t("finally")
""",
    "default factories": """
from dataclasses import dataclass, field
from collections import defaultdict
@dataclass
class D:
    d: dict = field(default_factory=dict)
    s: set = field(default_factory=set)
def f():
    made, counts = D(), defaultdict(list)
    made.d[t(1)] = 2
    made.s.add(t(3))
    counts[t(2)].append(t(4))
    return made, counts, made == D(), type(made.d) is dict, isinstance(counts, defaultdict)
""",
    "walrus in a loop": """
def f():
    out = []
    while (n := len(out)) < 3 in (3, t(4)):
        out.append(n in (x := [t(n)]) and x[t(0)])
    return out, n
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_of_a_program(name):
    source = TRACED + PROGRAMS[name]
    plain = outcome(compile(source, "<plain>", "exec"), {})
    assert outcome(compile(rewritten(source), "<rewritten>", "exec"), dict(INTERCEPTS)) == plain
    assert plain[1]


def test_module_and_class_bodies_keep_their_form():
    source = "x = [1][0]\nclass C:\n    y = {x: 1}[x]\n    z = x in (1, 2)"
    assert rewritten(source) == ast.unparse(ast.parse(source))


def test_names_stay():
    source = "def f(a, b):\n    c[a] = b\n    d, c[a] = b\n    c[b] += a\n    return e[a] in g"
    names = set(re.findall(r"\b[a-z]\b", rewritten(source)))
    assert names == set("fabcdeg")


def test_locals_in_between_are_gone_after_the_statement():
    body = "c = [1, 2]\n    c[0], x = 3, 4\n    c[1] += 1\n    return sorted(locals())"
    source = f"def f():\n    {body}"
    space = dict(INTERCEPTS)
    exec(rewritten(source), space)
    assert space["f"]() == ["c", "x"]


def test_what_looks_at_its_frame_is_called_directly():
    assert interception.CALL not in rewritten("def f(x):\n    return super(x), locals(), eval(x)")


def test_probes_of_other_passes_stay():
    source = "def f(x):\n    return __unitcraft_mark__(x)"
    assert rewritten(source) == ast.unparse(ast.parse(source))


@pytest.mark.parametrize(
    ("form", "probe"),
    [
        ("g(x)", interception.CALL),
        ("x[0]", interception.GET),
        ("x[1:]", interception.SLICE),
        ("x in y", interception.MEMBER),
        ("x is y", interception.IS),
        ("x % y", interception.MODULO),
        ("f'{x}'", interception.FORMATTED),
        ("{x: 1}", interception.DICT),
        ("{}", interception.NEW_DICT),
        ("{x}", interception.SET_OF),
        ("{1}", interception.NEW_SET),
        ("{x: y for x in z}", interception.DICT_OF),
        ("a < b in c", interception.MEMBER),
    ],
)
def test_a_blind_form_goes_through_its_probe(form, probe):
    assert probe in rewritten(f"def f():\n    return {form}")


@pytest.mark.parametrize("form", ["x is None", "x + y", "x < y", "x.y", "g()", "3 % x", "not x"])
def test_a_form_that_hides_nothing_stays(form):
    source = f"def f():\n    return {form}"
    assert rewritten(source) == ast.unparse(ast.parse(source))
