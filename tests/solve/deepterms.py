"""Random deep terms with shared parts: as trees exponentially larger than as graphs.

Many are ill-typed, and some give an operation too many operands: bounds of work hold for all.
"""

from __future__ import annotations

from unitcraft.symbolic.terms.operations import OPERATIONS

KINDS = ("int", "str", "float")

#: Values of the hint, one row drawn for each Query; the last are beyond what CPython prints.
HINTS = [(5, "ab", 0.5), (-70_000, "", float("inf")), (1 << 15_000, "k" * 3_000, 1e308)]

_ATOMS = (0, 1, 2, 7, -3, 10**30, 1 << 20_000, "", "a", "1", ",", 0.5, 2.0, None, True)
_OF_ONE = [
    "neg", "abs", "invert", "truth", "str", "len", "int", "float", "ord", "chr", "str.lower",
    "str.strip", "str.upper", "hex", "ok", "raises", "int.bit_length", "round", "math.floor",
    "str.isdigit", "math.sqrt", "math.factorial", "repr", "bytes", "str.split",
]  # fmt: skip
_OF_TWO = [
    "+", "-", "*", "//", "%", "/", "**", "&", "|", "^", "<<", ">>", "<", "==", "!=", ">=", "in",
    "[]", "same", "str.find", "str.count", "str.startswith", "tuple", "list", "range", "round",
    "str.join", "str.zfill", "format", "math.pow",
]  # fmt: skip
_OTHERS = {"[:]": 4, "str.replace": 3, "**": 3}
assert {*_OF_ONE, *_OF_TWO, *_OTHERS} <= {*OPERATIONS, "ok", "raises"}


def deep(rng, depth):
    """A term of about ``depth``: each step applies an operation to recent parts."""
    parts = [("v", 0), ("v", 1), ("v", 2), *rng.sample(_ATOMS, 4)]
    shared = rng.random()
    newest = rng.choice(parts)
    focus = rng.choice([_OF_TWO[:12], _OF_TWO, _OF_TWO + _OF_ONE])
    for _ in range(depth):
        if rng.random() < 0.05:
            name = rng.choice(list(_OTHERS))
            term = (name, newest, *[_part(rng, parts, shared) for _ in range(_OTHERS[name] - 1)])
        elif rng.random() < 0.25:
            term = (rng.choice(_OF_ONE), newest)
        else:
            pair = [newest, _part(rng, parts, shared)]
            rng.shuffle(pair)
            term = (rng.choice(focus), *pair)
        parts.append(term)
        newest = term
    return newest


def _part(rng, parts, shared):
    return rng.choice(parts[-4:]) if rng.random() < shared else rng.choice(parts[:7])
