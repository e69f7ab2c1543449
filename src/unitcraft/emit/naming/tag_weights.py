"""A tag is a few words of a test name; its weight says how soon a reader would choose them.

Invariant: the weight of a tag depends on the tag alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

#: Tags of arguments that a reader would name first.
_STRONG: Final = re.compile(
    r"(?:empty|none|negative|zero|nan|infinite|itself|not|true|false|duplicate|blank|missing)(?:_|$)"
    r"|.*_none$"
)

#: Results that are the exception: a test of one is told by it, the usual one needs no word.
_EXCEPTIONAL: Final = ("is_empty", "returns_false", "returns_none")

TagKind = Literal["argument", "circumstance", "state", "refusal", "message", "result", "value"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A few words of a test name, and the part of the test that they describe."""

    kind: TagKind
    text: str
    strong: bool = False

    @property
    def weight(self) -> int:
        """The rank of the tag: 0 for the words that a reader would choose first."""
        if self.kind == "circumstance":
            return 0 if self.strong else 2
        if self.kind == "argument":
            if self.strong or _STRONG.match(self.text):
                return 0
            return 1 if self.text.startswith("with_") else 3
        if self.strong or self.text in _EXCEPTIONAL:
            return 1
        return {"state": 1, "refusal": 1, "message": 1, "result": 2, "value": 4}[self.kind]
