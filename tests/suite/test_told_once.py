"""What a test asserts twice is asserted once."""

from __future__ import annotations

from dataclasses import replace

from unitcraft.core.sequences import EACH, Call, Const, Display, Ref
from unitcraft.suite.brief.told_once import told_once
from unitcraft.suite.tests import Check


def test_what_an_attribute_shows_is_not_asserted_of_the_argument_again():
    """The object keeps what it was given."""
    given = Check(Ref(0), "==", Display("dict", (Const("a"), Const(1))))
    held = Check(Call("get", "doc", (Ref(1),)), "==", given.expected)
    other = Check(Ref(0), "==", Display("list", (Const(1), Const(2))))
    result = replace(given, observed=Ref(2))
    assert told_once((held, given, held, other), 2) == (held, other)
    assert told_once((given, other), 2) == (given, other)
    assert told_once((held, result), 2) == (held, result)


def test_the_last_of_all_calls_is_not_asserted_again():
    def look(name):
        return Check(Call("get", name, (Ref(0),)), "==", Display("dict", ()))

    every, last = look(f"load.call_args_list{EACH}kwargs"), look("load.call_args.kwargs")
    args = look("load.call_args.args")
    assert told_once((every, args, last), 2) == (every, args)
    assert told_once((args, last), 2) == (args, last)
