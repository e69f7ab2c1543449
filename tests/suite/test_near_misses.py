"""What a predicate refuses is made of what it accepts."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.suite.generated.near_misses import near_misses


def run_of(*args, kind="method"):
    made = Call("function", "m:Checker")
    last = Call(kind, "check", tuple(map(Const, args)))
    return Execution("m:Checker.check", Sequence((made, last)), None, "", (), (), (), ())


@pytest.mark.parametrize(
    ("refused", "accepted", "expected"),
    [
        (("abc",), ("jo@site.com",), ["jo@site", "site.com", "jo@sitecom", "josite.com"]),
        (("abc", 1), ("1.2.3", 1), ["1.2", "2.3", "1.23", "12.3"]),
        (("abc", 1), ("1.2.3", 2), []),
        (("a text that means something",), ("1.2.3",), []),
        (("abc",), ("word",), []),
        ((1,), ("1.2.3",), []),
    ],
)
def test_a_text_that_stands_for_any_becomes_one_that_lacks_a_part(refused, accepted, expected):
    found = near_misses(run_of(*refused), [run_of(*accepted)])
    assert [one.calls[-1].args[0].value for one in found] == expected
    assert all(one.calls[-1].args[1:] == run_of(*refused).sequence.calls[-1].args[1:]
               for one in found)  # fmt: skip
