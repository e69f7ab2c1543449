"""Tests before they are text: merged, shortened, their names, templates, inlining, bodies."""

from __future__ import annotations

from dataclasses import replace

import pytest
from dsl import subject_of, suite_of

from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.emit.arrange.merge_observers import _unit_of, merge_observers
from unitcraft.emit.arrange.parametrize import group_units, parametrised_test
from unitcraft.emit.arrange.simplify import simplify
from unitcraft.emit.arrange.templates import (
    LiteralSlot,
    complexity,
    fill,
    is_cut_off,
    is_immutable,
    literals_of,
    shows_items,
    source_width,
    template_of,
)
from unitcraft.emit.arrange.variable_names import class_nouns, name_results
from unitcraft.emit.code.call_code import MAX_DRAINED, expression, is_augmented, statement
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.subject_index import SubjectIndex, simple_name, words
from unitcraft.emit.naming.name_tags import Tag, raised_words, subject_words, tags
from unitcraft.emit.write.function_body import body, plain_case
from unitcraft.emit.write.inlining import Scope, choose_inlined, needs_variable, reused_variable
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.suite.tests import Check, Test

SHOP = subject_of(
    """
class Cart:
    def __init__(self, owner=None): self.items = []
    def add(self, item, count=1): self.items.append(item); self.last = item
    def total(self): return 0
    def __len__(self): return 0
    def __add__(self, other) -> Cart: return self
class Overdrawn(Exception):
    def __init__(self, amount): pass
def parse_price(text): return 0
def load_cart(name) -> Cart: return Cart()
""",
    "shop",
)
INDEX = SubjectIndex(SHOP)


def one(text):
    return suite_of(text, SHOP)[0]


def imports():
    return Imports([Symbol("shop", name) for name in ("Cart", "parse_price", "load_cart")])


def written(test):
    blocks = body(plain_case(test), INDEX, imports(), "")
    return [line for block in blocks for line in block.lines]


# -- look-ups -------------------------------------------------------------------------


def test_classes_of_results_come_from_the_description():
    sequence = one("cart = Cart()\ncart.add(1)\nassert cart.last == 1").sequence
    made, added = sequence.calls
    assert INDEX.class_made_by(made, sequence) == "shop:Cart"
    assert INDEX.called(added, sequence).id == "shop:Cart.add"
    assert INDEX.class_made_by(Call("function", "shop:load_cart"), sequence) == "shop:Cart"
    assert INDEX.class_made_by(Call("function", "shop:unknown"), sequence) == ""
    assert INDEX.member("shop:Other", "total").id == "shop:Cart.total"
    assert INDEX.exception(Raised("shop:f.<locals>.E", "")) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("HTTPServer", "http_server"),
        ("mixedCase2D", "mixed_case2_d"),
        ("__init__", "init"),
        ("a.B", "a_b"),
    ],
)
def test_words_of_names(name, expected):
    assert words(name) == expected


def test_simple_names():
    assert simple_name("shop:Cart.add") == "add"


# -- merging and shortening -----------------------------------------------------------


def test_tests_that_observe_one_object_are_merged():
    tests = suite_of(
        "cart = Cart(1)\nn = len(cart)\nassert n == 0\n\n"
        "cart = Cart(1)\nt = str(cart)\nassert t == 'empty'\n\n"
        "cart = Cart(2)\nn = len(cart)\nassert n == 0",
        SHOP,
    )
    units = merge_observers(tests, INDEX)
    assert [len(unit.tests) for unit in units] == [2, 1]
    assert units[0].gathered
    assert [origin.test for origin in units[0].origins] == tests[:2]
    assert units[1].test == tests[2]


def test_what_a_method_answers_is_a_test_of_its_own():
    tests = suite_of(
        "cart = Cart(1)\nn = len(cart)\nassert n == 0\n\n"
        "cart = Cart(1)\nt = cart.total()\nassert t == 0",
        SHOP,
    )
    assert [len(unit.tests) for unit in merge_observers(tests, INDEX)] == [1, 1]


def test_a_call_that_changes_the_object_is_not_an_observer():
    tests = suite_of(
        "cart = Cart(1)\nr = cart.add(2)\nassert r is None\n\n"
        "cart = Cart(1)\nr = cart.add(3)\nassert r is None",
        SHOP,
    )
    assert [len(unit.tests) for unit in merge_observers(tests, INDEX)] == [1, 1]


def test_a_call_that_was_seen_to_change_the_object_is_not_an_observer():
    """Its source need not show it: a stream moves on when it is read."""
    looks = ("n = len(cart)\nassert n == 0", "t = str(cart)\nassert t == 'empty'")
    quiet = suite_of("\n\n".join(f"cart = Cart(1)\n{look}" for look in looks), SHOP)
    assert len(merge_observers(quiet, INDEX)) == 1
    acting = [replace(test, acts=True) for test in quiet]
    assert len(merge_observers(acting, INDEX)) == 2


def test_default_arguments_and_repeated_checks_are_left_out():
    parameter = Parameter("owner", required=False, default=Const(None))
    invocables = tuple(
        replace(item, parameters=(parameter,)) if item.id == "shop:Cart.__init__" else item
        for item in SHOP.invocables
    )
    constructor = next(item for item in invocables if item.name == "__init__")
    invocables = tuple(
        replace(item, kind="constructor") if item is constructor else item for item in invocables
    )
    index = SubjectIndex(replace(SHOP, invocables=invocables))
    cart = Build(Symbol("shop", "Cart"), (), (("owner", Const(None)),))
    test = one("r = parse_price(1)\nassert r == 0\nassert r == 0")
    call = Call("function", "shop:parse_price", (cart,))
    found = simplify(replace(test, sequence=Sequence((call,))), index)
    assert found.sequence.calls[0].args == (Build(Symbol("shop", "Cart")),)
    assert len(found.checks) == 1


@pytest.mark.parametrize(
    ("head", "args", "names"),
    [
        ("a, b, c, d=0", (1, 2, 3, 4), ["a", "b", "c", "d"]),
        ("a, b, c, d=0", (1, 2, 3), []),
        ("a, b, c, /, d", (1, 2, 3, 4), []),
        ("a, *more", (1, 2, 3, 4), []),
    ],
)
def test_of_four_and_more_arguments_each_has_its_name(head, args, names):
    index = SubjectIndex(subject_of(f"def f({head}): return 0", "m"))
    test = one("r = parse_price(1)\nassert r == 0")
    call = Call("function", "m:f", tuple(map(Const, args)))
    found = simplify(replace(test, sequence=Sequence((call,))), index).sequence.calls[0]
    assert [name for name, _ in found.kwargs] == names
    assert [arg.value for _, arg in found.kwargs] or found.args == call.args
    assert len(found.args) + len(found.kwargs) == len(args)


FLAG = Parameter("b", required=False, default=Const(value=False))


@pytest.mark.parametrize(
    ("parameters", "count", "names"),
    [
        ((FLAG,), 2, ["b"]),
        ((FLAG, Parameter("c")), 3, ["b", "c"]),
        ((FLAG, Parameter("c", "var_positional")), 3, []),
        ((replace(FLAG, kind="positional_only"),), 2, []),
        ((replace(FLAG, default=Const(None)),), 2, []),
    ],
)
def test_what_is_true_or_false_by_default_has_its_name(parameters, count, names):
    called = Invocable("m:f", "function", "f", parameters=(Parameter("a"), *parameters))
    index = SubjectIndex(Subject("m", "m.py", (), (called,)))
    test = one("r = parse_price(1)\nassert r == 0")
    call = Call("function", "m:f", tuple(map(Const, range(count))))
    found = simplify(replace(test, sequence=Sequence((call,))), index).sequence.calls[0]
    assert [name for name, _ in found.kwargs] == names
    assert len(found.args) + len(found.kwargs) == count


# -- templates ------------------------------------------------------------------------


def test_what_is_read_twice_is_not_compared_with_itself():
    made, read = Call("function", "shop:Cart"), Call("get", "items", (Ref(0),))
    checks = (Check(read, "==", Display("list", ())), Check(read, "is", Ref(1)))
    test = replace(one("c = Cart()"), sequence=Sequence((made, read)), checks=checks)
    found = simplify(test, INDEX).checks
    assert [check.observed for check in found] == [Ref(1), read]


def test_filling_a_template_with_its_literals_gives_the_test_back():
    test = one("cart = Cart(1)\nr = cart.add('x', 2)\nassert r is None")
    found = literals_of(test)
    assert found[LiteralSlot("call", 1, 1)] == Const("x")
    assert fill(test, found) == test
    other = fill(test, {LiteralSlot("call", 1, 1): Const("y")})
    assert other != test
    assert template_of(other) == template_of(test)


def test_templates_tell_calls_and_kinds_of_relation_apart():
    texts = [
        "r = parse_price('1')\nassert r == 1",
        "r = load_cart('1')\nassert r == 1",
        "r = parse_price('1')\nassert r == True",
    ]
    assert len({template_of(one(text)) for text in texts}) == 3


def test_measures_of_literals():
    pair = Display("tuple", (Const("ab"), Const(1)))
    assert is_immutable(pair)
    assert not is_immutable(Display("list", ()))
    assert (source_width(Const("ab")), complexity(pair)) == (4, 3)
    zeros = Display("list", (Const(0),) * MAX_DRAINED)
    assert is_cut_off(Check(Ref(0), "==", zeros))
    assert not is_cut_off(Check(Ref(0), "==", Display("list", (Const(0),))))
    assert is_cut_off(Check(Call("operator", "len", (Ref(0),)), "==", Const(MAX_DRAINED)))
    assert not is_cut_off(Check(Call("get", "size", (Ref(0),)), "==", Const(MAX_DRAINED)))


# -- names ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("shop:SavingsAccount", ["account", "savings_account"]),
        ("shop:KeyError", ["key_error"]),
        ("shop:Cart", ["cart"]),
    ],
)
def test_nouns_of_classes(name, expected):
    assert class_nouns(name) == expected


def test_results_get_distinct_names():
    test = one("a = Cart(1)\nb = Cart(2)\nc = a + b\np = parse_price('1')\nassert p == 1")
    names = name_results([0, 1, 3], test.sequence, INDEX, frozenset())
    assert names == {0: "cart", 1: "other_cart", 3: "price"}
    assert name_results([3], test.sequence, INDEX, frozenset({"price"})) == {3: "result"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r = parse_price('')\nassert r == 0", {"empty_text", "returns_zero"}),
        ("r = parse_price(-7)\nassert r == -1", {"negative_text", "returns_negative", "minus_7"}),
        ("cart = Cart()\ncart.add(1)\nr = cart.total()\nassert r == 0", {"after_add"}),
        ("cart = Cart()\nr = cart.total()\nassert r == 0", {"on_empty_cart"}),
        ("r = parse_price([1, 1])\nassert r is None", {"duplicate_text", "returns_none"}),
        ("r = parse_price(True)\nassert r == True", {"text", "returns_true"}),
    ],
)
def test_tags(text, expected):
    assert expected <= {tag.text for tag in tags(one(text), INDEX)}


def test_first_words_and_the_rank_of_tags():
    assert (
        subject_words(one("r = parse_price('')\nassert r == 0"), INDEX, gathered=False)
        == "parse_price"
    )
    assert (
        subject_words(one("cart = Cart()\nassert cart.last == 0"), INDEX, gathered=True)
        == "cart_attributes"
    )
    assert (
        Tag("argument", "empty_text").weight < Tag("state", "x").weight < Tag("value", "7").weight
    )
    assert raised_words(Raised("shop:KeyTooLong", "")) == "raises_key_too_long"


# -- code -----------------------------------------------------------------------------


class Names:
    """Results are ``r0``, ``r1``; symbols by their last name."""

    in_coroutine = False

    def symbol(self, symbol):
        return symbol.qualname

    def ref(self, index):
        return expression(Call("get", f"r{index}", (Symbol("m", "here"),)), self, Imports(()))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (Call("function", "m:f", (Const(1),), (("k", Const(2)),)), "f(1, k=2)"),
        (Call("method", "put", (Const(1),)), "(1).put()"),
        (Call("operator", "in", (Const("abc"), Const("a"))), "'a' in 'abc'"),
        (Call("operator", "getattr", (Symbol("m", "box"), Const("size"))), "box.size"),
        (Call("operator", "**", (Const(2), Const(3))), "2**3"),
        (Call("operator", "neg", (Const(-1),)), "--1"),
        (Call("function", "m:f", then="drain"), "list(f())"),
        (Call("function", "m:f", then="await"), "asyncio.run(f())"),
        (
            Call(
                "operator",
                "[]",
                (Const("ab"), Build(Symbol("builtins", "slice"), (Const(1), Const(None)))),
            ),
            "'ab'[1:]",
        ),
        (
            Call("operator", "[]", (Const("ab"), Display("tuple", (Const(0), Const("k"))))),
            "'ab'[0, 'k']",
        ),
        (Call("operator", "[]", (Const("ab"), Display("tuple", (Const(0),)))), "'ab'[(0,)]"),
        (Call("operator", "items", (Display("dict", ()),)), "list({}.items())"),
        (Call("operator", "each", (Source("cache"),)), "[item for item in cache]"),
        (Call("get", "[*].size", (Source("list(boxes)"),)), "[item.size for item in boxes]"),
        (Call("get", "[*].size", (Source("list(a, b)"),)), "[item.size for item in list(a, b)]"),
        (Call("get", "size", (Source("list(boxes)"),)), "list(boxes).size"),
    ],
)
def test_calls_as_expressions(call, expected):
    assert expression(call, Names(), Imports(())).text.replace('"', "'") == expected


@pytest.mark.parametrize(
    ("call", "lines"),
    [
        (Call("set", "size", (Symbol("m", "box"), Const(3))), ["box.size = 3"]),
        (Call("operator", "[]=", (Symbol("m", "box"), Const(0), Const(3))), ["box[0] = 3"]),
        (Call("operator", "del[]", (Symbol("m", "box"), Const(0))), ["del box[0]"]),
        (Call("operator", "del.", (Symbol("m", "box"), Const("size"))), ["del box.size"]),
        (
            Call("operator", "setattr", (Symbol("m", "box"), Const("size"), Const(3))),
            ["box.size = 3"],
        ),
        (Call("operator", "+=", (Symbol("m", "box"), Const(1))), ["box += 1"]),
        (Call("operator", "with", (Symbol("m", "box"),)), ["with box:", "    pass"]),
    ],
)
def test_calls_as_statements(call, lines):
    assert statement(call, Names(), "") == lines


def test_augmented_assignments():
    assert is_augmented(Call("operator", "+=", (Ref(0), Ref(1))))
    assert not is_augmented(Call("operator", "<=", (Ref(0), Ref(1))))


def test_inlining_keeps_the_order_of_evaluation():
    nested = one("a = load_cart('x')\nr = a.total()\nassert r == 0")
    assert choose_inlined(nested, frozenset()) == {0: 1, 1: 2}
    assert choose_inlined(nested, frozenset({0})) == {1: 2}
    swapped = one("a = Cart(1)\nb = Cart(2)\nc = b + a\nassert c.last == 0")
    assert 0 not in choose_inlined(swapped, frozenset())
    assert needs_variable(swapped, choose_inlined(swapped, frozenset()))[0] == 0


def test_a_variable_is_taken_over_by_its_augmented_assignment():
    test = one("a = Cart(1)\na += 2\nassert new_a.last == 0")
    assert reused_variable(test, 1) == 0
    assert reused_variable(test, 0) is None


def test_a_scope_notes_what_it_inlines():
    test = one("a = load_cart('x')\nr = a.total()\nassert r == 0")
    scope = Scope(test, imports(), {}, {0: 1, 1: 2}, lambda _: False)
    assert scope.ref(1).text.endswith(".total()")
    assert sorted(scope.used) == [0, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "a = load_cart('x')\nr = a.total()\nassert r == 0",
            ['assert shop.load_cart("x").total() == 0'],
        ),
        (
            "cart = Cart()\ncart.add(1)\nassert cart.last == 1",
            ["cart = shop.Cart()", "cart.add(1)", "assert cart.last == 1"],
        ),
        (
            "r = parse_price('')\nraises ValueError('no')",
            ['with pytest.raises(ValueError, match=r"^no$"):', '    shop.parse_price("")'],
        ),
    ],
)
def test_bodies(text, expected):
    lines = [line.replace("shop.", "") for line in written(one(text))]
    assert lines == [line.replace("shop.", "") for line in expected]


def test_every_line_of_an_assertion_carries_the_number_of_its_check():
    test = one("cart = Cart()\nn = len(cart)\nassert cart.last == 1\nassert n == 0")
    assert {check for check in test.checks if isinstance(check, Check)} == set(test.checks)
    blocks = body(plain_case(test), INDEX, imports(), "")
    assert sorted(block.check for block in blocks if block.check >= 0) == [0, 1]


def test_what_shows_how_many_items_a_result_has():
    assert shows_items(Ref(1), 1)
    assert shows_items(Call("operator", "len", (Ref(1),)), 1)
    assert shows_items(Call("get", "[*].size", (Ref(1),)), 1)
    assert not shows_items(Call("get", "items[*].size", (Ref(1),)), 1)
    assert not shows_items(Ref(0), 1)


def _making(kind: int, port: int, expected: Arg) -> Test:
    """A test in which ``shop.parse_price`` of both numbers gives ``expected``."""
    call = Call("function", "shop:pair", (Const(kind), Const(port)))
    return Test("shop:pair", Sequence((call,)), Returned(), (Check(Ref(0), "==", expected),))


def _pair(*args: Arg) -> Build:
    return Build(Symbol("shop", "Pair"), args)


def test_what_is_expected_of_a_class_of_the_subject_has_a_slot_for_each_literal():
    first = _making(1, 80, _pair(Const(1), _pair(Const(2))))
    part = LiteralSlot("part", 0, 0)
    assert literals_of(first)[part] == Const(1)
    assert LiteralSlot("part", 0, 1) not in literals_of(first)
    assert fill(first, literals_of(first)) == first
    other = _making(3, 80, _pair(Const(3), _pair(Const(2))))
    assert template_of(first) == template_of(other)
    assert fill(first, {part: Const(3), LiteralSlot("call", 0, 0): Const(3)}) == other
    assert template_of(first) != template_of(_making(1, 80, _pair(Const(1), _pair(Const(4)))))
    assert template_of(first) != template_of(_making(1, 80, _pair(Const(1))))


def test_a_number_passed_for_two_things_is_two_columns_and_what_is_expected_goes_with_its_own():
    subject = subject_of("class Pair: pass\ndef pair(kind, port): return 1\n", "shop")
    rows = [_making(n, n, _pair(Const(n))) for n in (1, 2)]
    (group,) = group_units([_unit_of(one) for one in rows], SubjectIndex(subject), frozenset())
    assert [column.name for column in group.columns] == ["kind", "port", "expected"]
    rows = [_making(n, 80, _pair(Const(n), Const(80))) for n in (1, 2)]
    (group,) = group_units([_unit_of(one) for one in rows], SubjectIndex(subject), frozenset())
    assert [column.name for column in group.columns] == ["kind"]
    (check,) = parametrised_test(group).checks
    assert check.expected == _pair(Source("kind"), Const(80))
