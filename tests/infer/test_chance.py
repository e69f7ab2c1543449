"""Classes whose operations draw on chance: the objects that those make are objects all the same."""

from __future__ import annotations

import pytest

SOURCE = '''
import random


class Deck:
    def __init__(self):
        self._cards = []

    def put(self, card: int) -> None:
        self._cards.append(card)

    def shuffle(self) -> None:
        random.shuffle(self._cards)

    def draw(self) -> int:
        if not self._cards:
            raise LookupError("no card")
        return self._cards.pop()

    def __len__(self) -> int:
        return len(self._cards)


class SkipSet:
    """Each item has a random level, drawn from a generator of its own."""

    def __init__(self):
        self._levels = {}
        self._rng = random.Random()

    def add(self, item: int) -> None:
        if item not in self._levels:
            self._levels[item] = self._rng.randint(1, 8)

    def discard(self, item: int) -> None:
        self._levels.pop(item, None)

    def __contains__(self, item: int) -> bool:
        return item in self._levels

    def __len__(self) -> int:
        return len(self._levels)


class Evicting:
    """The generator that it is given by default belongs to the process."""

    def __init__(self, limit: int, choose=random.choice):
        self.limit = limit
        self._items = {}
        self._choose = choose

    def put(self, item: int) -> None:
        if len(self._items) >= max(1, self.limit):
            del self._items[self._choose(list(self._items))]
        self._items[item] = True

    def __contains__(self, item: int) -> bool:
        return item in self._items

    def __len__(self) -> int:
        return len(self._items)
'''


@pytest.mark.parametrize(
    ("name", "drawing", "true"),
    [
        ("Deck", ["shuffle"], "len(put(S, card)) == len(S) + 1"),
        ("SkipSet", ["add"], "(item in discard(S, item)) == False"),
        ("Evicting", ["put"], "0 <= len(S)"),
    ],
)
def test_objects_that_chance_made_refute_and_support_laws(specify, name, drawing, true):
    found = specify(name)
    said = [
        text for law in (*found.laws, *found.axioms) for text in getattr(law, "said", (law.text,))
    ]
    assert [one for one, reason in found.excluded if reason == "it draws on chance"] == drawing
    assert true in said
    empty = ("len(S) == 0", "(item in S) == False")
    assert not any(one.startswith(empty) for one in said if " if " not in one)


def test_what_is_drawn_is_in_no_law(specify):
    found = specify("Deck")
    assert not any("shuffle" in law.text for law in found.laws)
    assert any("draw(put(S, card))" in law.text for law in found.laws)
