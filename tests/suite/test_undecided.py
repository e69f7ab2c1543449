"""Arguments that do not decide that a run raises."""

from __future__ import annotations

import pytest

from unitcraft.suite.telling.undecided import undecided

SOURCE = """
def parse(text, name="here", strict=False):
    if not strict and not text:
        raise KeyError(name)
    if len(text) == 1:
        raise ValueError(name)
    if isinstance(text, bytes):
        return text.decode()
    return text

def both(one, other):
    if not (one and other):
        raise ValueError("nothing")
    return one

def alone(text):
    raise ValueError(text)
"""
USUAL = ("parse('abc')", "both(1, 2)")


@pytest.mark.parametrize(
    ("text", "values", "classes"),
    [
        ("parse(b'x')", set(), {"text"}),
        ("parse(b'x', name='there')", {"name"}, {"text", "name"}),
        ("both(0, 2)", {"other"}, set()),
        ("both(0, 0)", set(), set()),
        ("both([], (3,))", {"other"}, {"one", "other"}),
        ("alone('abc')", set(), {"text"}),
        ("parse('', strict=False)", {"strict"}, {"text"}),
    ],
)
def test_what_does_not_decide_is_found_by_exchange(lab, text, values, classes):
    sample = lab(SOURCE)
    run = sample.run(text)
    assert run.failed is not None
    runs = [*map(sample.run, USUAL), run]

    def run_variants(batch):
        return [(sample.run(one), (run, own, one)) for run, own, one in batch]

    (found,) = undecided(runs, sample.goals().plausibility, run_variants).values()
    assert (set(found.values), set(found.classes)) == (values, classes)


SHELF = """
class Shelf:
    def __init__(self):
        self.books = []

    def put(self, book, place=0):
        if not book:
            raise ValueError("nothing")
        self.books.insert(place, book)
        return self
"""


def test_the_usual_call_refers_to_a_longer_sequence_of_its_own(lab):
    sample = lab(SHELF)
    usual = sample.run(
        "one = Shelf()\nother = Shelf()\nmore = Shelf()\nbook = more.put(1)\nbook.put(other, 2)",
        "Shelf.put",
    )
    run = sample.run("shelf = Shelf()\nshelf.put(0, 3)", "Shelf.put")
    assert usual.returned
    assert run.failed is not None

    def run_variants(batch):
        return [(sample.run(one, "Shelf.put"), (run, own, one)) for run, own, one in batch]

    (found,) = undecided([usual, run], sample.goals().plausibility, run_variants).values()
    assert found.values == {"place"}
