"""What repetitions of one run agree on: the answers of ``after`` with chance or time between them.

Invariant: what is kept was the same in both answers.
"""

from __future__ import annotations

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.outcomes import Opaque
from unitcraft.explore.agents.answers import ObservedObject


def agree(one: Plain, other: Plain) -> Plain:
    """An ``AfterAnswer`` without the observations in which two differ; None where more differs."""
    if one is None or other is None or repr(one[:4]) != repr(other[:4]):
        return None
    seen = {index: (changed, dict(found)) for index, changed, found in other[4]}
    looks = []
    for index, changed, found in one[4]:
        also_changed, known = seen.get(index, (False, {}))
        same = tuple(pair for pair in found if repr(known.get(pair[0])) == repr(pair[1]))
        looks.append(tuple(ObservedObject(index, changed and also_changed, same)))
    return (*one[:4], tuple(looks))


def without_result(one: Plain, other: Plain) -> Plain:
    """``one`` with only the class of its result, where ``other`` has another one of that class."""
    if one is None or other is None or one[2] != other[2] or repr(one[1]) == repr(other[1]):
        return one
    return (one[0], encode(Opaque(one[2])), one[2], -1, one[4])
