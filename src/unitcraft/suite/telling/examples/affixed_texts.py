"""Texts that are nothing but an ending or a beginning, with a word where that stands.

``is_archive(".zip")`` is what is left when a text is shortened; a person writes ``"abc.zip"``, and
``"file:abc"`` for ``"file:"``; for ``"x@.."`` an address.

Invariant: a variant differs from its Sequence in a word before an ending, or behind a beginning, or
in addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.search.variation.places import places

#: The ending of a name of a file, a version or a host.
_ENDING: Final = re.compile(r"\.[A-Za-z]\w{0,7}")
#: What stands before something: a scheme, a key, a user.
_BEGINNING: Final = re.compile(r"[A-Za-z]\w+(?::|=|@|://)")
#: What is shorter than any address.
_ADDRESS: Final = re.compile(r"[\w.]{1,3}@[\w.]{1,3}")
_WHOLE_ADDRESS: Final = "jo@site.com"
#: Words for what has none.
_WORDS: Final = ("abc", "def", "ghi")


def with_words_beside(sequence: Sequence) -> Iterator[Sequence]:
    """``sequence`` with a word in all such texts, then in each of several."""
    found = list(dict.fromkeys(text for arg, _ in places(sequence) if (text := _affix(arg))))
    for chosen in (found, *([one] for one in found)) if len(found) > 1 else [found]:
        made = sequence
        for text in chosen:
            for at, (arg, _) in enumerate(places(sequence)):
                if arg == Const(text):
                    *_, put = list(places(made))[at]
                    made = put(Const(_completed(text)))
        if made != sequence:
            yield made


def _affix(arg: object) -> str:
    """The text ``arg`` if it is a mere ending or beginning; ''."""
    text = arg.value if isinstance(arg, Const) else None
    if not isinstance(text, str):
        return ""
    forms = (_ENDING, _BEGINNING, _ADDRESS)
    return text if any(form.fullmatch(text) for form in forms) else ""


def _completed(text: str) -> str:
    if _ADDRESS.fullmatch(text):
        return _WHOLE_ADDRESS
    word = next((word for word in _WORDS if word not in text), _WORDS[0])
    return word + text if _ENDING.fullmatch(text) else text + word
