"""Each probe does what its form does, and notes what the form would hide."""

from __future__ import annotations

import contextlib

import pytest
from harness import Program, agree, same_events

from unitcraft.instrument import interception
from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies import trace
from unitcraft.symbolic.proxies.int_float import SymInt, sym_int
from unitcraft.symbolic.proxies.trace import Proxied
from unitcraft.symbolic.terms.term import are_satisfied

#: Bodies of ``f(x, s, xs)``: an int, a text and a list of two ints.
BODIES = """
return xs[x]
return (7, 8, 9)[x], [x, 'a'][x], [[1], [2]][x]
return [xs, xs][x] is xs
return 'abc'[x], s[x], b'abc'[x]
return xs[x:], xs[:x], xs[::x], s[x:2], (1, 2, 3)[x:]
xs[x] = 9; return xs
xs[x] += 5; return xs
del xs[x]; return xs
xs[x:] = [1, 2, 3]; return xs
xs[0], xs[x] = xs[x], xs[0]; return xs
for xs[x] in (1, 2): pass; return xs
return x in xs, x in (1, 2), x in range(3), x in range(x), s in 'abc', s in [s]
return x in [1.0, 2.5], 1.5 in xs, True in xs
return x is x, x is 1, x is None, s is s, (x > 1) is True, xs is xs
return x < xs[0] in xs, s == s in 'abc', x in xs in [xs]
return '%d-%s' % (x, s), '%s' % s, '%r' % xs, '%5.1f' % x, '%s%%' % (x,), s % x
return x % 3, 7 % x, -7 % x
s %= x; return s
x %= 3; return x
return f'{x}', f'{x:>4}|{s!r}', f'{s:>{x}}', f'{xs} {x!s}', f'{x:{s}}'
return type(x) is int, type(s) is str, type(x) == type(s), type(xs).__name__
return isinstance(x, int), isinstance(x, (str, bool)), isinstance(s, str)
return len(s), len(xs), len(range(x))
return [i for i in range(x)], [i for i in range(0, 9, x)]
return sorted([*xs, x]), max(x, *xs), min(xs), sum(xs, x), any(xs), all([x, 1])
class C: __len__ = lambda self: x; return len(C()), bool(C())
class C(list): pass; c = C(xs); return c[x]
return {**{s: x}}, (lambda **k: k)(**{s: x})
global g; g = [1, 2]; g[x] = 3; return g
it = iter(xs); return next(it), x, list(it)
""".strip().splitlines()


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("inputs", [(1, "abc", [1, 2]), (-1, "%d", [5, 0]), (7, "", [3, 3])])
def test_as_the_plain_form(body, inputs):
    lines = "\n    ".join(body.split("; "))
    agree(f"def f(x, s, xs):\n    {lines}\n", "f", *inputs)


#: Expressions over ``o``, an object that counts the looks at its ``__class__``, and ``x``, an int.
WATCHED = """
o[x]
x in o
o in [x]
o is x
len(o), bool(o), str(o), f"{o}", "%s" % o
o(x)
o.__getitem__(x)
[1, 2].index(o) if x in [o] else x
{1: 2} | o
{1, 2} | o
dict(a=x).get(o)
sum([o], o)
range(o)
getattr(o, "name"), hasattr(o, "nothing")
""".strip().splitlines()


@pytest.mark.parametrize("form", WATCHED)
def test_no_form_runs_more_code_of_an_object_than_it_does_plainly(form):
    """``isinstance`` of ours would read ``__class__``, which may be code of the Subject."""
    agree(
        f"""
looks = []
class Watched:
    def __getattribute__(self, name):
        looks.append(name)
        return object.__getattribute__(self, name)
    name = "w"
    def __getitem__(self, index): return index
    def __contains__(self, item): return True
    def __len__(self): return 2
    def __call__(self, value): return value
    def __ror__(self, other): return other
    def __add__(self, other): return 0
    def __index__(self): return 3
    def __str__(self): return "watched"
def f(x):
    del looks[:]
    o = Watched()
    return {form}, list(looks)
""",
        "f",
        1,
    )


def events_of(function, *args):
    trace.reset_trace()
    with contextlib.suppress(LookupError):
        function(*args)
    return list(trace.EVENTS)


X = sym_int(1, ("v", 0))


def test_an_element_by_symbolic_index_is_followed():
    trace.reset_trace()
    item = intercepts.get([5, 6, 7], X)
    assert type(item) is SymInt
    assert item.term == ("[]", ("list", 5, 6, 7), ("v", 0))
    assert trace.EVENTS == [(("<", ("v", 0), 0), False), (("<", ("v", 0), 3), True)]


def test_an_index_out_of_range_is_not_pinned():
    for probe, args in (
        (intercepts.get, ([5], X)), (intercepts.put, (0, [5], X)), (intercepts.delete, ([5], X)),
    ):  # fmt: skip
        assert events_of(probe, *args) == [(("<", ("v", 0), 0), False), (("<", ("v", 0), 1), False)]


def test_an_element_of_a_mixed_list_pins_the_index():
    assert events_of(intercepts.get, [5, "a"], X)[-1] == (("same", ("v", 0), 1), True)


@pytest.mark.parametrize(
    ("probe", "args", "expected"),
    [
        (intercepts.get, ([1, 2], 0), 1),
        (intercepts.get, ({1: 2}, 1), 2),
        (intercepts.get, ("abc", -1), "c"),
        (intercepts.member, (False, 1, [1]), True),
        (intercepts.member, (True, 1, {1}), False),
        (intercepts.identical, (False, 1, 1), True),
        (intercepts.identical, (True, None, 1), True),
        (intercepts.slice_of, ([1, 2, 3], 1, None, None), [2, 3]),
        (intercepts.call, (max, 1, 2), 2),
        (intercepts.format_field, (1.5, -1, ".2f"), "1.50"),
        (intercepts.dict_display, (1, 2), {1: 2}),
        (intercepts.set_of, ([1, 1],), {1}),
        (intercepts.dict_of, ([(1, 2), (1, 3)],), {1: 3}),
        (intercepts.modulo_in_place, ("%d", 2), "2"),
        (intercepts.modulo_in_place, (7, 4), 3),
        (intercepts.in_place, ("__ior__", {1}, {2}), {1, 2}),
        (intercepts.unpack_mapping, ({1: 2},), {1: 2}),
    ],
)
def test_without_a_proxy_nothing_is_noted(probe, args, expected):
    trace.reset_trace()
    result = probe(*args)
    assert result == expected
    assert not trace.EVENTS
    assert not isinstance(result, Proxied)


def test_a_set_of_other_code_takes_a_keyed_one_in_place():
    plain = {5}
    made = intercepts.set_of([X])
    trace.reset_trace()
    assert intercepts.in_place("__ior__", plain, made) is plain
    assert trace.EVENTS[-1] == (("same", ("v", 0), 1), True)


def test_every_name_of_a_probe_has_its_probe():
    names = {
        value for name, value in vars(interception).items() if str(value).startswith("__unitcraft_")
    }
    assert names - {"__unitcraft_"} == set(intercepts.INTERCEPTS)


SIZED = (
    "len(Sized(x))", "len(range(x))", "len(range(-1, x))", "bool(Sized(x))", "'a' * x", "x * s",
    "s * x", "b'' * x", "[0] * x", "s.center(x)", "s.ljust(x, 'b')", "s.zfill(x)", "b'a'.zfill(x)",
    "s.split('b', x)", "s.rsplit(None, x)", "s.replace('a', 'b', x)", "'\\t'.expandtabs(x)",
    "re.sub('a', 'b', s, count=x)", "re.split('a', s, maxsplit=x)", "(1 << x) % 7", "s[x:]",
    "'{:{}}'.format(1, s)", "'a'[s:x:x]", "math.log(x, s)", "math.fsum([x, -x, s])", "[1, 2, 3][x]",
    "[1, 2][:x]", "range(x)[1]", "list(range(9))[::x]", "s.find('a', x)",
    "bytes(x)", "1 >> x", "deque([1], x)", "next(islice(repeat(1, x), 1))", "x in range(x)",
    "(1).to_bytes(x, 'big')",
)  # fmt: skip
SIZES = """
import math
import re
from collections import deque
from itertools import islice, repeat
class Sized:
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
def f(x, s): return """


@pytest.mark.parametrize("text", SIZED)
def test_no_size_is_too_large_to_be_followed(text):
    """A run that satisfies the events of another ends as that one, whatever the sizes."""
    program = Program(SIZES + text)
    inputs = [(x, s) for x in (0, 2, -1, 100_001, 2**63, -(2**63) - 1) for s in ("a", "")]
    runs = {given: (program.plain(given), *program.symbolic(given)) for given in inputs}
    for given, (expected, outcome, _, events) in runs.items():
        assert (outcome, are_satisfied(events, given)) == (expected, True)
        for other, (_, _, _, others) in runs.items():
            assert not are_satisfied(events, other) or same_events(events, others)


def test_no_term_holds_an_object_of_the_subject():
    source = "class B:\n def __index__(self): return 1\ndef f(s, x): return s[B():x], s[x::B()]"
    events = agree(source, "f", "abc", 2)
    assert {event[0][0] for event in events} == {"same"}
