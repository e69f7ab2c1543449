"""Codecs that a run registers, which the interpreter keeps in a list that no code can read.

Invariant: after ``restorer``'s function was called, the search functions that were registered since
``restorer`` was called are gone; those of the import stay.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any, Final

#: Search functions in the order of their registration, since ``watch``.
_REGISTERED: Final[list[Callable[[str], Any]]] = []


def watch() -> None:
    """Note from now on what is registered."""
    real = codecs.register

    def register(search_function: Callable[[str], Any], /) -> None:
        real(search_function)
        _REGISTERED.append(search_function)

    codecs.register = register


def restorer() -> Callable[[], None]:
    """What removes the search functions that are registered from now on, and cached codecs."""
    known = len(_REGISTERED)
    unregister = codecs.unregister

    def restore() -> None:
        while len(_REGISTERED) > known:
            unregister(_REGISTERED.pop())

    return restore
