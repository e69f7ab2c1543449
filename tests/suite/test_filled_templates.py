"""Templates have a place for everything that the code fills in."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.suite.telling.filled_templates import templates_by_scope, with_templates

SOURCE = """
class Timer:
    def stop(self, took):
        attributes = {"name": self.name, "seconds": took}
        return self._text.format(took, **attributes)

def greet(pattern, who):
    return pattern.format(who=who, mark="!")

def numbered(pattern, who):
    return pattern.format(who)

def titled(pattern, title):
    return pattern % {"title": title, "size": len(title)}

def fixed(who):
    return "{who}".format(who=who)

def rest(count, size):
    return count % size
"""


def test_a_place_for_each_name_that_is_filled_in():
    assert templates_by_scope(ast.parse(SOURCE)) == {
        "Timer.stop": {"text": "{name} {seconds}"},
        "greet": {"pattern": "{who} {mark}"},
        "numbered": {"pattern": "{}"},
        "titled": {"pattern": "%(title)s %(size)s"},
    }


@pytest.mark.parametrize(
    ("args", "kwargs", "made"),
    [
        ((), (), Call("function", "m:Timer", (), (("text", Const("{name}")),))),
        ((Const("a"), Const("b")), (), Call("function", "m:Timer", (Const("a"), Const("{name}")))),
        (
            (),
            (("text", Const("b")),),
            Call("function", "m:Timer", (), (("text", Const("{name}")),)),
        ),
    ],
    ids=["absent", "by place", "by name"],
)
def test_a_template_is_given_to_the_parameter_that_holds_it(args, kwargs, made):
    calls = (Call("function", "m:Timer", args, kwargs), Call("method", "stop", (Ref(0),)))
    names = [("name", "text"), ()]
    (found,) = with_templates(Sequence(calls), {"text": "{name}"}, names.__getitem__)
    assert found.calls == (made, calls[1])


def test_nothing_is_varied_where_no_parameter_holds_a_template():
    sequence = Sequence((Call("function", "m:greet", (Const("a"),)),))
    assert list(with_templates(sequence, {"text": "{}"}, lambda _: ("pattern",))) == []
