"""Which functions answer nothing, and what their tests assert instead of None."""

from __future__ import annotations

import pytest

from unitcraft.core.encoding import encode
from unitcraft.core.sequences import Build, Call, Const, Sequence, Symbol
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.suite.generated.procedures import Answer, Procedures, tells_result

SOURCE = """
def fill(rule):
    if not rule:
        return
    rule.append(1)

def find(rule):
    for item in rule:
        if item:
            return item

def refill(rule):
    return fill(rule)

def search(rule):
    return find(rule)

def say(text) -> None:
    return text.say()

def lease():
    yield

def ticks():
    yield 1

class Box:
    def close(self):
        def later():
            return 1
        self.later = later

    def take(self):
        return self.later() if self else None

    async def drain(self):
        return None
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fill", Answer.NOTHING),
        ("find", Answer.VALUE),
        ("refill", Answer.NOTHING),
        ("search", Answer.VALUE),
        ("say", Answer.NOTHING),
        ("lease", Answer.NOTHING),
        ("ticks", Answer.VALUE),
        ("Box.close", Answer.NOTHING),
        ("Box.take", Answer.VALUE),
        ("Box.drain", Answer.NOTHING),
        ("Crate.close", Answer.NOTHING),
        ("Crate.take", Answer.UNKNOWN),
        ("unknown", Answer.UNKNOWN),
    ],
)
def test_a_procedure_answers_nothing_on_any_path(name, expected):
    assert Procedures(SOURCE).answer_of(f"shop:{name}") is expected


def test_nothing_is_known_of_a_text_without_syntax():
    assert Procedures("def f(:").answer_of("shop:f") is Answer.UNKNOWN


PRINTING = """
import sys
def debug(text):
    if text:
        print(text, file=sys.stderr)
def show(text):
    print(text)
def both(text):
    print(text)
    print(text, file=sys.stderr)
def into(file):
    print(1, file=file)
def mute():
    return 1
"""


@pytest.mark.parametrize(
    ("name", "stream"),
    [("debug", "err"), ("show", "out"), ("both", ""), ("into", ""), ("mute", ""), ("other", "")],
)
def test_where_a_function_prints_is_read_from_its_calls(name, stream):
    assert Procedures(PRINTING).stream_of(f"m:{name}") == stream


RESULT = Call("function", "shop:find")
ARRANGED = Call("arrange", "setattr", (Const("shop.now"), Const(1)))


@pytest.mark.parametrize(
    ("calls", "shown", "answer", "expected"),
    [
        ((RESULT,), Const(3), Answer.UNKNOWN, True),
        ((RESULT,), Const(None), Answer.VALUE, True),
        ((RESULT,), Const(None), Answer.UNKNOWN, False),
        ((RESULT,), Build(Symbol("shop", "Box")), Answer.VALUE, False),
        ((ARRANGED, RESULT), Const(3), Answer.VALUE, False),
        (
            (Call("set", "size", (Symbol("shop", "box"), Const(1))),),
            Const(None),
            Answer.VALUE,
            False,
        ),
    ],
)
def test_a_result_tells_all_where_it_is_a_value(calls, shown, answer, expected):
    seen = AfterAnswer(None, encode(shown), "int", -1, ())
    assert tells_result(Sequence(calls), seen, seen, answer) is expected
    assert not tells_result(Sequence(calls), seen, None, answer)
    other = AfterAnswer(None, encode(Const(4)), "int", -1, ())
    assert not tells_result(Sequence(calls), seen, other, answer)
