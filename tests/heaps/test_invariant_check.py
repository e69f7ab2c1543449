"""An invariant that misbehaves is bounded and reported, and the search goes on."""

from __future__ import annotations

import pytest

from unitcraft.execute.steps import COUNTER
from unitcraft.heaps.guest import invariant_check

HEAD = """\
import random


class Box:
    width = 0

    def __init__(self):
        self.width = 0
        self.items = []

    def rep_ok(self):
"""
FIELDS = (("width", ("int", 0, 2, False)), ("items", ("list", 0, 1, ("int", 0, 0, False))))


@pytest.mark.parametrize(
    ("body", "valid", "note"),
    [
        ("        return self.width != 1\n", 2, None),
        ("        while self.width == 1:\n            pass\n        return True\n", 2, "steps"),
        ("        return 1 // self.width\n", 1, "raised ZeroDivisionError"),
        ("        self.width += 0\n        return True\n", 3, "stored Box.width"),
        (
            "        self.width\n        del self.width\n        return True\n",
            3,
            "stored Box.width",
        ),
        ("        self.seen = self.width\n        return True\n", 3, "stored Box.seen"),
        ("        self.items.append(1)\n        return True\n", 0, "stored list.append"),
        ("        print(self.width)\n        return self.width > 0\n", 2, "printed"),
        (
            "        return random.random() < 2 and self.width >= 0\n",
            3,
            "drew random numbers (perhaps more runs did)",
        ),
    ],
)
def test_what_an_invariant_does_besides_is_reported(service, body, valid, note):
    fields = FIELDS if "items" in body else FIELDS[:1]
    found = service(HEAD + body, (("Box", 1, fields),))()
    assert len({cells[0] for ((_, cells),) in found.forms}) == valid
    assert (note in found.notes) if note else not found.notes
    assert all(0 <= cells[0] <= 2 for ((_, cells),) in found.forms)
    assert not COUNTER.exhausted  # a worker would take the whole item for a failure


def test_runs_that_print_are_counted_however_much_they_print(service):
    body = "        print(self.width)\n        print('twice')\n        return self.width < 0\n"
    found = service(HEAD + body, (("Box", 1, FIELDS[:1]),))()
    assert found.notes == {"printed": found.explored}


DIFFERS = """\
        if self.width != len(self.items):
            {}
            return False
        return True
"""


def test_what_an_invariant_prints_is_not_tried_value_by_value(service):
    scope = (("width", ("int", None, None, True)), ("items", ("list", 0, 3, ("int", 0, 2, True))))
    silent = service(HEAD + DIFFERS.format("pass"), (("Box", 1, scope),))()
    loud = service(HEAD + DIFFERS.format("print(self.width, self.items)"), (("Box", 1, scope),))()
    assert loud.notes["printed"] > 0
    assert (loud.explored, loud.forms) == (silent.explored, silent.forms)


def test_few_comparisons_of_a_run_without_end_are_tried_otherwise(service, monkeypatch):
    monkeypatch.setattr(invariant_check, "MAX_STEPS", 50)
    loop = "        while n < 10**9:\n            n += 1\n"
    body = f"        n = self.width\n{loop}        return True\n"
    found = service(HEAD + body, (("Box", 1, (("width", ("int", None, None, True)),)),))()
    assert found.notes["steps"] > 0
    assert found.explored <= 1 + invariant_check.MAX_ENDLESS_EVENTS


def test_a_heap_that_is_valid_only_sometimes_is_left_out(service):
    source = HEAD.replace("import random", "CALLS = []") + (
        "        CALLS.append(1)\n        return self.width != 1 or len(CALLS) % 2 == 0\n"
    )
    found = service(source, (("Box", 1, FIELDS[:1]),))()
    assert {cells[0] for ((_, cells),) in found.forms} <= {0, 1, 2}
    assert set(found.notes) <= {"unstable"}


def test_an_invariant_that_answers_true_or_nothing_says_no_by_raising(service):
    body = (
        "        def limit():\n            return 0\n"
        "        if self.width == limit():\n            return True\n"
        "        assert self.width != 1\n"
    )
    found = service(HEAD + body, (("Box", 1, FIELDS[:1]),))()
    assert [cells[0] for ((_, cells),) in found.forms] == [0, 2]
