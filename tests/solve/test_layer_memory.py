"""What is remembered of terms: found once for each, and never taken from one that is only equal."""

from __future__ import annotations

from unitcraft.solve import layer
from unitcraft.solve.layer import Remembered

X = ("v", 0)


def test_each_term_is_looked_at_once_and_equal_constants_apart(monkeypatch):
    looked = []

    def find(term):
        looked.append(term)
        return repr(term)

    known = Remembered(find)
    plain = [(("<", X, ("v", 1)), outcome) for outcome in (True, False)]
    again = [(("<", ("v", 0), ("v", 1)), True)]
    constants = [(("<", X, constant), True) for constant in (1, True, 1.0)]
    asked = [*plain, *again, *constants, *constants]
    assert known.of(asked) == [repr(term) for term, _ in asked]
    assert len(looked) == 1 + len(constants)
    monkeypatch.setattr(layer, "MAX_REMEMBERED", 1)
    assert known.of(asked) == [repr(term) for term, _ in asked]
