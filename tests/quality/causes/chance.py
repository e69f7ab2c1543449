"""Chance that nobody seeds."""

import random
import secrets
import string


def roll(sides: int = 6) -> str:
    """What a die shows, in words for the extremes."""
    shown = random.randint(1, sides)
    if shown == sides:
        return "best"
    if shown == 1:
        return "worst"
    return str(shown)


class Deck:
    """Cards that are drawn; an empty deck is filled again."""

    def __init__(self, cards):
        self.cards = list(cards)
        self.drawn = []

    def draw(self):
        if not self.cards:
            if not self.drawn:
                raise IndexError("no cards")
            self.cards, self.drawn = self.drawn, []
            random.shuffle(self.cards)
        card = self.cards.pop(random.randrange(len(self.cards)))
        self.drawn.append(card)
        return card

    def lucky(self):
        if random.random() < 0.25:
            return "luck"
        return "none"


def password(length: int = 12, symbols: bool = False) -> str:
    alphabet = string.ascii_letters + string.digits
    if symbols:
        alphabet += "!?#"
    while True:
        made = "".join(secrets.choice(alphabet) for _ in range(length))
        if length < 4 or any(one.isdigit() for one in made):
            return made
