"""SymbolicKind: what solvers, states and planners know about the values of one kind.

Invariant: every value that a record holds or makes is of exactly ``type``; the order of values
depends on the arguments alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from unitcraft.symbolic.terms.term import Kind

#: Characters of a text, and bits of an int, that a solver suggests.
MAX_SIZE: Final = 2000


@dataclass(frozen=True, slots=True)
class SymbolicKind:
    """One kind: its Python type, values worth trying, and functions of a value.

    ``empty``: where a search begins, the value that is false, and for texts the least.
    ``is_number``: values have a sum with 1; ``is_text``: they have a length and a least value.  A
    kind that is neither is opaque to difference logic and to z3.
    ``plain_values``: tried where nothing else suggests a value; ``readable_values``: offered in
    place of a solver's, the easiest first.
    ``convert``: a value of any type as values of the kind, the nearest first.
    ``equal_values``: all values of the kind that equal a value, which is not NaN.
    ``boundary_values``: a constant, and the values next to it that a comparison tells apart.
    ``neighbours``: moves of local search; ``shake``: a value near it by chance.
    ``burden``: how hard the value is to read; ``easier_values``: values like it that may be easier.
    """

    name: Kind
    type: type
    empty: Any
    plain_values: tuple[Any, ...]
    readable_values: tuple[Any, ...]
    convert: Callable[[Any], tuple[Any, ...]]
    equal_values: Callable[[Any], list[Any]]
    boundary_values: Callable[[Any], tuple[Any, ...]]
    neighbours: Callable[[Any], Iterable[Any]]
    shake: Callable[[Any, random.Random], Any]
    burden: Callable[[Any], tuple[int, ...]]
    easier_values: Callable[[Any], list[Any]]
    is_number: bool = False
    is_text: bool = False
