"""``field_domains``: unions, containers of the library, members of enumerations, numbers met."""

from __future__ import annotations

import pytest

from unitcraft.heaps.field_domains import DomainBuilder, is_symbolic
from unitcraft.heaps.field_kind import add_kind

NODE = ("object", "m:Node")
RED = ("enum", "m:Colour", ("RED", "BLACK"))
MEMBERS = (("member", "m:Colour", "RED"), ("member", "m:Colour", "BLACK"))
SYMBOLIC = ("int", None, None, True)


def lazy(*kinds):
    return DomainBuilder({"m:Node": 1}, 2, "lazy").domain(kinds)


def korat(*kinds):
    return DomainBuilder({"m:Node": 1}, 2, "korat").domain(kinds)


@pytest.mark.parametrize(
    ("kinds", "domain"),
    [
        ((NODE, ("none",)), ("ref", (1,), True)),
        ((NODE, ("int",)), ("any", (SYMBOLIC, ("ref", (1,), False)))),
        ((NODE, ("int",), ("none",)), ("any", ((*SYMBOLIC, (None,)), ("ref", (1,), False)))),
        ((("list", (("int",),)), ("none",)),
         ("any", (("atoms", (None,)), ("list", 0, 2, SYMBOLIC)))),
        ((("list", ()),), ("list", 0, 0, ("atoms", (None,)))),
        ((("deque", (NODE,)),), ("deque", 0, 2, ("ref", (1,), False))),
        ((("tuple", (("int",),), (("bool",),)),),
         ("tuple", (SYMBOLIC, ("atoms", (False, True))))),
        ((RED,), ("atoms", MEMBERS)),
        ((("frozenset", (("int",),)),), ("frozenset", [0, 1], [1, 2])),
        ((("OrderedDict", (("int",),), (("bool",),)),),
         ("OrderedDict", [0, 1], [1, 2], ("atoms", [False, True], [0, 0]))),
        ((("dict", (("tuple", (("int",),), (("bool",),)),), (("none",),)),),
         ("dict", [(0, False), (0, True), (1, False), (1, True)], [1, 1, 2, 2],
          ("atoms", [None], [0]))),
        ((("dict", (("int",),), (("list", (("int",),)),)),),
         ("dict", [0, 1], [1, 2], ("list", 0, 2, ("atoms", [0, 1], [1, 2])))),
    ],
)  # fmt: skip
def test_domains_follow_from_kinds(kinds, domain):
    assert lazy(*kinds) == domain


def test_numbers_that_no_call_passed_are_tried_beside_those_of_the_scope():
    found = korat(("int",), ("number", -1), ("number", 1000), ("number", 2))
    assert found == ("int", 0, 2, False, (-1, 1000))
    assert lazy(("int",), ("number", -1)) == SYMBOLIC


def test_integers_in_unions_lists_and_tuples_are_symbolic():
    assert is_symbolic(lazy(NODE, ("int",)))
    assert is_symbolic(lazy(("list", (("tuple", (("int",),)),))))
    assert not is_symbolic(lazy(NODE, ("list", (("bool",),))))
    assert not is_symbolic(lazy(("dict", (("int",),), (("int",),))))


def test_tuples_of_different_lengths_are_of_any_length():
    kinds = []
    for kind in (("tuple", (("int",),)), ("tuple", (("none",),), (("int",),)), ("tuple",)):
        add_kind(kinds, kind)
    assert kinds == [("row", (("int",), ("none",)))]
    assert lazy(*kinds) == ("row", 0, 2, (*SYMBOLIC, (None,)))
