"""Functions as arguments whose answers show what they were given.

``lambda *args: None`` and ``lambda x: x`` say nothing of the code that calls them: a reader wants
``scan(lambda x, y: x + y, "abc") == ["a", "ab", "abc"]``.

Invariant: a telling function is never replaced; each answers numbers and texts alike.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from unitcraft.core.sequences import Arg, Source
from unitcraft.explore.execution import SHOWING

#: What may stand for a function of one argument, of two, and for a predicate.  The second of each
#: pair answers whatever it is given, and in which order: a mutant shows in what is asserted then.
TELLING: Final = (
    Source("lambda x: x * 2"),
    Source('lambda x: f"<{x}>"'),
    Source("lambda x, y: x + y"),
    Source('lambda x, y: f"{x}{y}"'),
    Source("lambda x: x > 1"),
)


def telling_function(other: Arg) -> Callable[[Arg], Arg | None]:
    """``other`` in place of a function that shows nothing of what it is given; None otherwise."""
    return lambda arg: other if shows_nothing(arg) else None


def shows_nothing(arg: Arg) -> bool:
    """Is it a function that answers the same whatever it is given, or what it is given?"""
    if not isinstance(arg, Source) or not arg.text.startswith("lambda"):
        return arg == SHOWING
    made = ast.parse(arg.text, mode="eval").body
    if not isinstance(made, ast.Lambda):
        return False
    given = {one.arg for one in ast.walk(made.args) if isinstance(one, ast.arg)}
    used = {one.id for one in ast.walk(made.body) if isinstance(one, ast.Name)}
    return bool(given - used) or isinstance(made.body, ast.Name)
