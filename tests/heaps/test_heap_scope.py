"""Scopes from kinds of values and from what a person asks for."""

from __future__ import annotations

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.spec import Reply
from unitcraft.heaps import heap_task
from unitcraft.heaps.field_kind import merge_kinds
from unitcraft.heaps.heap_scope import ScopeWishes, model_of, size_of

CLASSES = (
    ("m:Tree", (("root", (("object", "m:Node"), ("none",))), ("size", (("int",),)))),
    (
        "m:Node",
        (
            ("next", (("object", "m:Node"),)),
            ("key", (("int",),)),
            ("red", (("bool",),)),
            ("items", (("list", (("int",),)),)),
            ("hook", (("other", "function"),)),
            ("slots", (("none",), ("int",))),
        ),
    ),
    ("m:Other", ()),
)


def domains(engine="lazy", number=3, **wishes):
    scope = model_of("m:Tree", merge_kinds(CLASSES), "rep_ok", ScopeWishes(**wishes)).scope(
        number, engine
    )
    return {name: plain for _, _, fields in scope["classes"] for name, plain in fields}, [
        count for _, count, _ in scope["classes"]
    ]


def test_domains_follow_from_kinds():
    found, counts = domains()
    assert counts == [1, 3]
    assert found == {
        "root": ("ref", (1,), True),
        "size": ("int", None, None, True),
        "next": ("ref", (1,), False),
        "key": ("int", None, None, True),
        "red": ("atoms", (False, True)),
        "items": ("list", 0, 3, ("int", None, None, True)),
        "hook": ("atoms", (None,)),
        "slots": ("int", None, None, True, (None,)),
    }
    assert domains("korat")[0]["key"] == ("int", 0, 3, False)
    assert domains("korat")[0]["slots"] == ("int", 0, 3, False, (None,))


def texts(*kinds):
    model = model_of("m:Tag", {"m:Tag": {"name": list(kinds)}}, "rep_ok", ScopeWishes())
    return [model.scope(number, "lazy")["classes"][0][2][0][1] for number in (1, 2)]


def test_texts_that_calls_pass_grow_with_the_scope_beside_the_constants_of_the_code():
    found = [("atoms", ("", "a"), (0, 1)), ("atoms", ("", "a", "b"), (0, 1, 2))]
    assert texts(("text",), ("atom", ""), ("passed",)) == found
    assert texts(("text",), ("atom", "red")) == [("atoms", ("red",))] * 2
    assert texts(("atom", "a"), ("passed",)) == [
        ("atoms", ("a",)),
        ("atoms", ("a", "b"), (0, 2)),
    ]


def test_wishes_override():
    wanted = {"Node.key": "1..N", "Tree.root": "Node", "Node.red": "True", "Node.items[]": "-1,N"}
    found, counts = domains("korat", fields=wanted, objects={"Node": "N+1"})
    assert counts == [1, 4]
    assert found["key"] == ("int", 1, 3, False)
    assert found["root"] == ("ref", (1,), False)
    assert found["red"] == ("atoms", (True,))
    assert found["items"] == ("list", 0, 3, ("atoms", (-1, 3)))


@pytest.mark.parametrize("name", ["Node.kye", "node.key"])
def test_a_wish_that_names_nothing_is_an_error(name):
    with pytest.raises(UnitcraftError, match=r"did you mean Node\.key"):
        domains(fields={name: "0..N"})


def test_values_that_are_none_are_an_error():
    with pytest.raises(UnitcraftError, match="names no values"):
        domains(fields={"Node.key": "some"})
    assert size_of("N-1", 4) == 3


def test_fields_without_values_are_named():
    model = model_of("m:Tree", merge_kinds(CLASSES), "rep_ok", ScopeWishes())
    assert model.unknown_fields() == ["Node.hook"]
    assert [len(places) for places in model.symbolic_fields()] == [1, 3]


def test_what_is_known_of_a_field_is_that_it_has_a_value():
    kinds = {"m:Tag": {"hook": [("none",), ("other", "function")], "size": [("int",)]}}
    model = model_of("m:Tag", kinds, "rep_ok", ScopeWishes())
    assert model.layout() == (("m:Tag", ("", "size")),)
    assert model.unknown_fields() == ["Tag.hook"]


def test_few_sequences_without_end_are_run():
    answered, ended = Reply(value=1), Reply(failure="timeout")

    class Pool:
        def map(self, _service, _items, **_):
            return iter([answered, *[ended, answered] * heap_task.MAX_ENDLESS, answered])

    found = list(heap_task._answers(Pool(), "observe", []))
    assert found == [answered] * heap_task.MAX_ENDLESS
