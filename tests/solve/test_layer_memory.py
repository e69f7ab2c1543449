"""What is remembered of constraints: found once, and never taken from one that is only equal."""

from __future__ import annotations

from unitcraft.solve import layer
from unitcraft.solve.layer import Remembered

X = ("v", 0)


def test_each_constraint_is_looked_at_once_and_equal_constants_apart(monkeypatch):
    looked = []

    def find(*constraint):
        looked.append(constraint)
        return repr(constraint)

    known = Remembered(find)
    plain = [(("<", X, ("v", 1)), outcome) for outcome in (True, False)]
    again = [(("<", ("v", 0), ("v", 1)), True)]
    constants = [(("<", X, constant), True) for constant in (1, True, 1.0)]
    asked = [*plain, *again, *constants, *constants]
    assert known.of(asked) == list(map(repr, asked))
    assert len(looked) == len(plain) + len(constants)
    monkeypatch.setattr(layer, "MAX_REMEMBERED", 1)
    assert known.of(asked) == list(map(repr, asked))
