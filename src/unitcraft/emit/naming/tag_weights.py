"""A tag is a few words of a test name; its weight says how soon a reader would choose them.

Invariant: the weight of a tag depends on the tag alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

#: Tags of arguments that a reader would name first.
_STRONG: Final = re.compile(
    r"(?:empty|none|negative|zero|nan|infinite|itself|not|true|false|duplicate|blank|missing)(?:_|$)"
    r"|.*_none$"
)

#: A result that is what the function was given: it does something else with other arguments.
UNCHANGED: Final = "unchanged"

#: Tags of arguments that have nothing in them, and of results.
_BARE: Final = re.compile(r"(?:empty|blank|none|zero)(?:_|$)|.*_none$")
_BARE_RESULTS: Final = ("is_empty", "returns_false", UNCHANGED)

#: Ends of the words for the rows of a table that a name says, and what they have before those.
MAX_ENDS: Final = 2
MIN_COMMON: Final = 3

#: Results that are the exception: a test of one is told by it, the usual one needs no word.
_EXCEPTIONAL: Final = ("is_empty", "returns_false", "returns_none", UNCHANGED)

#: What is said of an object to which nothing was done, and of how many items there are: of 22
#: judged tests with such a name 2 were committed, of all 37 in 100.
_SAYING_LITTLE: Final = ("on_new_", "single_item", "several_items", "several_keys")
#: The weight of words that are taken last.
MAX_WEIGHT: Final = 5

TagKind = Literal["argument", "circumstance", "state", "refusal", "message", "result", "value"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A few words of a test name, and the part of the test that they describe.

    ``contrary`` are the words of a condition for its other outcome; ``is_contrasted``: another test
    of the function has them.  ``of_local``: it asks for a variable of the function's own, of which
    its reader knows less than of what is given and returned.  ``decides``: the call raises for it.
    """

    kind: TagKind
    text: str
    strong: bool = False
    contrary: str = ""
    is_contrasted: bool = False
    of_local: bool = False
    decides: bool = field(default=False, compare=False)

    @property
    def is_progress(self) -> bool:
        """Does it only say that the code had something to go on with?"""
        return self.kind == "value" and bool(self.contrary) and self.text.startswith("with_")

    @property
    def rank(self) -> int:
        """Its place among the tags of one test: what came out otherwise in another decides."""
        if self.decides:
            return -1
        if self.kind != "circumstance":
            return self.weight
        if self.strong:
            return self.weight + (not self.is_contrasted)
        return self.weight - self.is_contrasted

    @property
    def weight(self) -> int:
        """The rank of the tag: 0 for the words that a reader would choose first."""
        if self.kind == "circumstance":
            return 0 if self.strong else 2 + self.of_local
        if self.text.startswith(_SAYING_LITTLE):
            return MAX_WEIGHT
        if self.kind == "argument":
            if self.strong or _STRONG.match(self.text):
                return 0
            return 1 if self.text.startswith("with_") else 3
        if self.strong or self.text in _EXCEPTIONAL:
            return 1
        return {"state": 1, "refusal": 1, "message": 1, "result": 2, "value": 4}[self.kind]


def is_bare(tag: Tag) -> bool:
    """Does the tag say of an argument or a result that there is nothing in it?"""
    if tag.kind == "result":
        return tag.text in _BARE_RESULTS
    return tag.kind == "argument" and _BARE.match(tag.text) is not None


def either(of_rows: Sequence[Sequence[Tag]]) -> list[Tag]:
    """What the rows of a table have in common where each has another end: ``mode_r_or_rb``.

    It is said of what decided each row last.
    """
    firsts = [next((tag for tag in found if tag.kind == "circumstance"), None) for found in of_rows]
    said = [tag.text.split("_") for tag in firsts if tag is not None]
    ends = sorted({words[-1] for words in said})
    if len(said) < len(of_rows) or len({tuple(words[:-1]) for words in said}) > 1:
        return []
    if len(ends) != MAX_ENDS or any(len(words) < MIN_COMMON for words in said):
        return []
    return [Tag("circumstance", "_".join([*said[0][:-1], "_or_".join(ends)]), strong=True)]
