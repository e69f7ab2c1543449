"""Files whose names are what the code compares them with.

``path.suffix == ".json"``, ``".py" in location``, ``name.startswith("test_")``: a file of a test
has the name that a run gave it, and what was compared says which other name is looked for.

Invariant: a path differs in its last name only, or a folder in the name of one of its entries, and
that is one which a file can have.
Source: REDQUEEN, input-to-state correspondence, for names of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from unitcraft.core.sequences import Const, Display, TempPath

#: A name of a file, a part of one, or its end.
_PART: Final = re.compile(r"\.?\w[\w-]{0,30}(?:\.\w{1,6})?")
#: What may stand in the name of a file.
_IN_NAME: Final = re.compile(r"[^/\0]{1,30}")
#: Comparisons that look at the beginning of a text, or at its end.
_AT_START: Final = ("startswith", "removeprefix")
_AT_END: Final = ("endswith", "removesuffix")


def renamed(path: TempPath, operation: str, left: Any, right: Any) -> Iterator[TempPath]:
    """``path`` under the names for which ``operation`` on ``left`` and ``right`` may come out else.

    One of these is its name, the stem or the ending of that; a tuple has several to compare with.
    """
    if operation == "in":
        yield from _with_names_containing(path, left, right)
    texts = [left, *(right if type(right) is tuple else (right,))]
    stem, _, ending = path.name.rpartition(".")
    is_whole = path.name in texts
    if not stem or not (is_whole or stem in texts or ending in texts or f".{ending}" in texts):
        return
    is_part = operation == "in" and type(right) is str
    for wanted in texts:
        if type(wanted) is str and wanted != path.name and _PART.fullmatch(wanted):
            if not is_whole and stem not in texts:
                name = f"{stem}.{wanted.lstrip('.')}"
            elif wanted[0] == "." or operation in _AT_END:
                name = f"{stem}{wanted}"
            elif operation in _AT_START or is_part:
                name = f"{wanted}{path.name}"
            else:
                name = wanted if is_whole else f"{wanted}.{ending}"
            if name != path.name:
                yield replace(path, name=name)


def _with_names_containing(path: TempPath, part: Any, name: Any) -> Iterator[TempPath]:
    """``path``, a folder, in which ``part`` stands in the name of what is called ``name``."""
    content = path.content
    if not isinstance(content, Display) or type(part) is not str or not _IN_NAME.fullmatch(part):
        return
    for at, key in enumerate(content.items[::2]):
        if key == Const(name) and type(name) is str and part not in name:
            for longer in (name + part, part + name):
                items = [*content.items[: 2 * at], Const(longer), *content.items[2 * at + 1 :]]
                yield replace(path, content=replace(content, items=tuple(items)))
