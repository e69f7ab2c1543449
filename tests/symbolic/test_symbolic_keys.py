"""Tables with symbolic keys do what tables do, and the trace says which keys were equal."""

from __future__ import annotations

import copy
import pickle
from collections import Counter, OrderedDict, defaultdict

import pytest
from harness import agree

from unitcraft.symbolic.containers import container_classes, symbolic_keys
from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies import trace
from unitcraft.symbolic.proxies.int_float import sym_int
from unitcraft.symbolic.proxies.strings import sym_str

HEADER = "import copy\nfrom collections import Counter, OrderedDict, defaultdict\n"

#: Bodies of ``f(x, y, s)``; x and y are ints, s is a text.
BODIES = """
d = {1: 'a', 2: 'b'}; return d[x]
d = {1: 'a', 2: 'b'}; return d.get(x), d.get(s, y), x in d, s not in d
d = {x: 'a'}; return d[y]
d = {x: 'a', y: 'b', 1: 'c'}; return d, len(d)
d = {x: 'a'}; d[y] = 'b'; d[x] += 'c'; return d
d = {x: 1, y: 2}; del d[3]; return d
d = {x: 1}; del d[y]; return d
d = {x: 1, 5: 2}; return d.pop(y), d
d = {x: 1, 5: 2}; return d.pop(y, None), d.pop(5), d
d = {x: []}; d.setdefault(y, []).append(1); d.setdefault(5, d[x]); return d
d = {x: 1}; d.update({y: 2, 5: 3}); d.update([(x, 4)]); d.update(a=1); return d
d = {x: 1}; e = d.copy(); e[y] = 2; return d, e, d == e
d = {x: 1}; e = copy.copy(d); e[y] = 2; return d, e
d = {x: [y]}; e = copy.deepcopy(d); e[x].append(1); return d, e
return {x: 1, y: 2} == {1: 1, 5: 2}, {x: 1} != {y: 1}, {5: x} == {5: y}
return {**{x: 1}, y: 2, **{5: 3}}
return {x: 1} | {y: 2}, {5: 1} | {x: 2}
d = {5: 1}; d |= {x: 2}; return d
return {k: v for k, v in ((x, 1), (y, 2), (5, 3))}, {k % 2 for k in (x, y, 5)}
return {(x, s): 1}[(y, 'abc')]
return {(x, y): 1, (1, 2): 2}.get((y, x)), (x, 3) in {(3, x), (5, 5)}
return (x, s) in {(y, 'abc'): 1}, (x,) in {(x, y): 1}, x in {s: 1}
d = {}; d[x, y] = 1; d[y, x] = 2; return d
return sorted({x, y, 5}), len({x, y, 5}), x in {y, 5}
t = {x, 5}; t.add(y); t.discard(1); t.remove(5); return t
t = {x, 5}; t.remove(y); return t
t = {1, 2}; t.add(x); t.update([y, 5]); return t, 5 in t
return {x, 1} | {y}, {x, 1} & {y, 1}, {x, 1} - {y}, {x, 1} ^ {y, 5}
return {x} <= {y, 1}, {x} < {y, 5}, {x, y} == {5, 1}, {x} >= {y}, {x} != {y}
t = {x, 1}; t |= {y}; t &= {5, x}; return t
t = {5, 1}; t -= {x}; t ^= {y}; return t
t = {x}; return t.union([y], [5]), t.intersection([y, 1]), t.difference([y]), t.isdisjoint([y])
return frozenset([x, 1]), frozenset([x, 5]) == {y, 5}, frozenset([5]) | {x}, frozenset([5]) - {x}
return [k for k in {x: 1, y: 2, 5: 3}], list({x: 1, y: 2}.items()), list({x, y, 5})
return y in {x: 1}.keys(), (y, 1) in {x: 1}.items(), {x: 1}.keys() & {y, 5}
d = defaultdict(list); d[x].append(1); d[y].append(2); d[5].append(3); return d, d.get(x)
d = defaultdict(int); d[x] += 1; return d[y], d, 5 in d
d = defaultdict(None, {x: 1}); return d[y]
return Counter([x, y, 5]), Counter(s), Counter([x, 1])[y], Counter({x: 2}) == Counter([y, y])
c = Counter([x]); c[y] += 2; del c[5]; c.update([1]); return c, c.most_common(1)
d = OrderedDict([(x, 1), (5, 2)]); d[y] = 3; d.move_to_end(x); return d
d = OrderedDict([(x, 1)]); d.move_to_end(y); return d
d = OrderedDict([(x, 1), (y, 2)]); return d == OrderedDict([(y, 2), (x, 1)]), d == {y: 2, x: 1}
return dict([(x, 1), (y, 2)]), dict({x: 1}), dict.fromkeys([x, y, 5], 0), set([x, y]), dict(a=x)
d = {1: 'a'}; d[x] = 'b'; return d[1], d.get(y), 1 in d, 5 in d
d = {x: 1}; d.clear(); d[y] = 2; return d
d = {x: 1, y: 2}; return d.popitem(), d
return {True: 1}[x], {1.0: 2}.get(y), {x: 1} == {True: 1}, x in {1.0, 5}
return {x: 1, s: 2}, s in {'abc': 1}, {s: 1}['abc']
return {[x]: 1}
return {(x, [y]): 1}
return x in {[]}
d = {None: 1}; d[x] = 2; return d[None], None in d, d
return str({x: 1}), repr({x}), f'{ {y: s} }'
return isinstance({x: 1}, dict), type({x: 1}) is dict, type({x}) is set, type({x: 1}).__name__
d = {x: 1}; e = d; e[y] = 2; return d is e, d
a = {x: 1}; return [a, {5: 2}] == [{5: 1}, {y: 2}]
class K(dict): pass; k = K(); k[x] = 1; return k[y] if y in k else None, k
d = {}; d[x] = d.get(x, 0) + 1; d[y] = d.get(y, 0) + 1; return max(d.values()), d
match {x: 1, 'k': y}:; case {5: v}: return v; case {'k': v}: return -v
""".strip().splitlines()


def source_of(body):
    if body.startswith("match"):
        head, *cases = body.split("; ")
        body = "\n".join([head.rstrip(";"), *[f"        {case}" for case in cases]])
    else:
        body = "\n    ".join(body.split("; "))
    return f"{HEADER}def f(x, y, s):\n    {body}\n"


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("inputs", [(5, 5, "abc"), (1, 5, "a"), (3, 4, "")])
def test_as_the_plain_table(body, inputs):
    agree(source_of(body), "f", *inputs)


def events_of(function):
    trace.reset_trace()
    function()
    return list(trace.EVENTS)


X, Y = sym_int(3, ("v", 0)), sym_int(4, ("v", 1))
SAME_X = ("same", ("v", 0), 3)


def test_a_constant_key_is_compared_with_every_symbolic_one():
    made = intercepts.dict_display(X, 1, Y, 2)
    assert events_of(lambda: made.get(4)) == [
        (("==", 4, ("v", 0)), False), (("==", 4, ("v", 1)), True),
    ]  # fmt: skip


def test_among_constant_keys_one_event_asks_for_all():
    found = events_of(lambda: intercepts.get({1: "a", 3: "b"}, X))
    assert found == [(("in", ("v", 0), ("tuple", 1, 3)), True), (SAME_X, True)]
    assert events_of(lambda: intercepts.contains(Y, {1: "a", 3: "b"})) == [
        (("in", ("v", 1), ("tuple", 1, 3)), False)
    ]


def test_what_cannot_be_otherwise_is_not_noted():
    made = intercepts.dict_display(X, 1)
    assert not events_of(lambda: intercepts.get(made, X))
    assert not events_of(lambda: intercepts.contains("text", made))
    assert not events_of(lambda: intercepts.contains(X, {}))
    assert not events_of(lambda: intercepts.contains((X, 1), {(1, 2): 3}))
    assert not events_of(lambda: intercepts.dict_display(X, 1))


def test_a_table_of_other_code_gets_pinned_keys():
    table = {}
    assert events_of(lambda: intercepts.put(1, table, X)) == [(SAME_X, True)]
    assert [type(key) for key in table] == [int]


def test_beside_keys_with_code_of_their_own_a_key_is_pinned():
    table = intercepts.dict_display(object(), 1)
    assert events_of(lambda: intercepts.put(1, table, X)) == [(SAME_X, True)]


def test_iterating_a_set_pins_what_its_order_depends_on():
    assert events_of(lambda: list(intercepts.set_of([X, Y]))) == [
        (("==", ("v", 1), ("v", 0)), False), (SAME_X, True), (("same", ("v", 1), 4), True),
    ]  # fmt: skip
    assert not events_of(lambda: list(intercepts.set_of([X])))
    assert len(events_of(lambda: list(intercepts.dict_display(X, 1, Y, 2)))) == 1


def test_a_table_is_keyed_while_it_holds_symbolic_keys():
    made = intercepts.dict_display(1, 2)
    assert type(made) in symbolic_keys.PLAIN_KEY_CLASSES
    intercepts.put(1, made, X)
    assert type(made) in symbolic_keys.SYMBOLIC_KEY_CLASSES
    symbolic_keys.concretize_keys(made)
    assert type(made) in symbolic_keys.PLAIN_KEY_CLASSES


MADE = (
    (container_classes.PlainKeyDict, {1: 2}),
    (container_classes.PlainKeySet, {1}),
    (container_classes.PlainKeyOrderedDict, OrderedDict({1: 2})),
    (container_classes.PlainKeyCounter, Counter([1])),
    (container_classes.PlainKeyFrozenset, frozenset([1])),
)


@pytest.mark.parametrize(("cls", "plain"), MADE)
def test_a_table_looks_like_the_plain_one(cls, plain):
    made = cls(plain)
    assert made == plain
    assert plain == made
    assert repr(made) == repr(plain)
    assert made.__class__ is type(plain)
    assert isinstance(made, type(plain))
    for again in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert (again, again.__class__) == (plain, type(plain))


def test_a_defaultdict_keeps_its_factory():
    made = intercepts.call(defaultdict, list)
    intercepts.put([1], made, X)
    for again in (made.copy(), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert again[8] == []
        assert again == {3: [1], 8: []}


def test_a_text_and_a_number_are_never_one_key():
    made = intercepts.dict_display(sym_str("a", ("v", 0)), 1, X, 2)
    assert events_of(lambda: made.get("b")) == [(("==", "b", ("v", 0)), False)]


def test_known_gap_of_equal_keys_of_two_classes_a_view_keeps_the_other_one():
    view = {True: 0}.keys()
    assert [type(key) for key in view & {1}] == [bool]
    assert [type(key) for key in view & container_classes.PlainKeySet({1})] == [int]


OTHERS = ("{x: 1}", "OrderedDict({x: 1})", "defaultdict(int, {x: 1})", "Counter([x])")


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("first", ["{1: 1}", "OrderedDict({1: 1})", "Counter([5])"])
def test_equality_of_two_classes_is_noted(first, other):
    body = f"return {first} == {other}, {other} == {first}, {first} != {other}"
    events = agree(f"{HEADER}def f(x):\n    {body}\n", "f", 1)
    assert (("==", ("v", 0), 1), True) in events or (("==", ("v", 0), 5), False) in events


def test_keys_with_code_of_their_own_are_asked_as_often_as_in_c():
    source = """
asked = []
class Key:
    def __init__(self, n): self.n = n
    def __eq__(self, other): asked.append('eq'); return self.n == other.n
    def __hash__(self): asked.append('hash'); return 0
def f(x):
    asked.clear()
    found = {Key(x)} & {Key(1)}, {Key(2)}.difference([Key(x)])
    return [len(each) for each in found], {Key(x)} <= {Key(1)}, asked
"""
    agree(source, "f", 1)
    agree(source, "f", 2)
