"""Functions as arguments whose answers show what they were given.

``lambda *args: None`` and ``lambda x: x`` say nothing of the code that calls them: a reader wants
``scan(lambda x, y: x + y, "abc") == ["a", "ab", "abc"]``.

Invariant: a telling function is never replaced; each answers numbers and texts alike.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import Final

from unitcraft.core.sequences import Arg, Sequence, Source, Symbol
from unitcraft.explore.execution import SHOWING
from unitcraft.explore.plausibility.argument_burdens import wraps_unfit
from unitcraft.explore.search.variation.places import arguments_of, places
from unitcraft.subject.values.callable_values import RAISING

#: What may stand for a function of one argument, of two, and for a predicate.  The second of each
#: pair answers whatever it is given, and in which order: a mutant shows in what is asserted then.
TELLING: Final = (
    Source("lambda x: x * 2"),
    Source('lambda x: f"<{x}>"'),
    Source("lambda x, y: x + y"),
    Source('lambda x, y: f"{x}{y}"'),
    Source("lambda x: x > 1"),
    Source("lambda x: x != 1"),
)


#: Functions for where one is stored and not called: each equals nothing but itself.
_NAMED: Final = ("str", "repr", "len")
#: A predicate that most values meet.
_ANY_IS_TRUE: Final = Symbol("builtins", "bool")


def with_telling_functions(sequence: Sequence) -> list[Sequence]:
    """Variants of ``sequence`` that pass a telling function wherever one shows nothing.

    What a stand-in has stays: there ``lambda x: x`` is what the real one does to most.
    """
    made = [_with(sequence, other) for other in TELLING]
    return [one for one in made if one != sequence and not wraps_unfit(one.calls)]


def _with(sequence: Sequence, other: Arg) -> Sequence:
    deaf = [at for at, place in enumerate(arguments_of(sequence)) if shows_nothing(place[2])]
    for at in deaf:
        *_, put = next(islice(arguments_of(sequence), at, None))
        sequence = put(other)
    return sequence


def shows_nothing(arg: Arg) -> bool:
    """Is it a function that answers the same whatever it is given, or what it is given?"""
    if not isinstance(arg, Source) or not arg.text.startswith("lambda") or arg == RAISING:
        return arg in (SHOWING, _ANY_IS_TRUE)
    made = ast.parse(arg.text, mode="eval").body
    if not isinstance(made, ast.Lambda):
        return False
    given = {one.arg for one in ast.walk(made.args) if isinstance(one, ast.arg)}
    used = {one.id for one in ast.walk(made.body) if isinstance(one, ast.Name)}
    return bool(given - used) or isinstance(made.body, ast.Name)


def with_named_functions(sequence: Sequence) -> Sequence | None:
    """``sequence`` with functions that a test can name in place of lambdas; None without any.

    Several get several, in turn.
    """
    lambdas = [arg for arg, _ in places(sequence) if _is_lambda(arg)]
    for number in range(len(lambdas)):
        put = next(put for arg, put in places(sequence) if _is_lambda(arg))
        sequence = put(Symbol("builtins", _NAMED[number % len(_NAMED)]))
    return sequence if lambdas else None


def _is_lambda(arg: Arg) -> bool:
    return isinstance(arg, Source) and arg.text.startswith("lambda")
