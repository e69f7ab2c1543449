"""The parts of a run that a test may assert, and by which of them it kills a mutant.

Invariant: a part is (key, mark); equal marks of one key mean that a Check on the part would pass.
The outcome comes first, then the result, then the observations.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from unitcraft.core.encoding import Plain

OUTCOME: Final = "outcome"
RESULT: Final = "result"
RETURNED: Final = b"returned"
#: Observers of what a Call that raised has mostly read and not written, so that they show nothing.
_BUFFERED: Final = ("getvalue",)
#: A result that says nothing where nothing else was answered.
_NOTHING: Final = ("c", None)
#: Evidence of a kill: positions of the parts that differ, and whether a Check shows it.
KillEvidence = tuple[tuple[int, ...], bool]


def common_parts(first: Plain, second: Plain) -> Plain:
    """The parts that two runs have in common; () where a test would have nothing to assert.

    There is nothing to assert where the outcomes differ, and where nothing is known except that the
    last Call returns.
    """
    other = dict(second)
    same = tuple(part for part in first if other.get(part[0]) == part[1])
    return same if same and same[0][0] == OUTCOME and same != ((OUTCOME, RETURNED),) else ()


def killed_by(expected: Plain, seen: Plain) -> KillEvidence | None:
    """(positions of the parts that differ, does a Check show it?), or None when none does.

    A Call that raises instead of returning ends the test before its Checks; so does an observer
    that raises, unless another observer shows the difference.
    """
    now = dict(seen)
    if now.get(OUTCOME) != expected[0][1]:
        return (0,), bool(now) and expected[0][1] != RETURNED
    differing = [at for at, (key, mark) in enumerate(expected) if now.get(key) != mark]
    shown = [at for at in differing if expected[at][0] in now]
    return (tuple(shown or differing), bool(shown)) if differing else None


def common_evidence(one: KillEvidence, other: KillEvidence | None) -> KillEvidence | None:
    """What two runs on a mutant show alike; None when they show nothing alike."""
    if other is None:
        return None
    positions = tuple(at for at in one[0] if at in other[0])
    return (positions, one[1] and other[1]) if positions else None


def _mark(value: object) -> bytes:
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=10).digest()


def parts(after: Plain) -> Plain:
    """((key, mark), …) of an ``after`` answer: outcome first, then result, then observations.

    The key of an observation is the ``repr`` of its encoded Call.  Observed are the objects that
    the last Call changed; where it changed none and answers None, all that it was given.
    """
    if after is None:
        return ()
    outcome, term, kind, same, focus = after
    looks = [
        (repr(call), _mark(value)) for _, changed, seen in focus if changed for call, value in seen
    ]
    if outcome is not None:
        kept = [pair for entry in focus[:1] for pair in entry[2][:1]]
        kept += [pair for _, changed, seen in focus if changed for pair in seen]
        state = [(repr(call), _mark(value)) for call, value in kept if call[1] not in _BUFFERED]
        return ((OUTCOME, _mark(outcome[:3])), *dict.fromkeys(state))
    if term == _NOTHING and not looks:
        looks = [(repr(call), _mark(value)) for _, _, seen in focus for call, value in seen]
    if same < 0 and term[0] == "o" and not has_public_name(kind):
        return ((OUTCOME, RETURNED), *looks)
    return ((OUTCOME, RETURNED), (RESULT, _mark((term, kind, same))), *looks)


def has_public_name(kind: str) -> bool:
    """Can a test name the class ``kind``, which is ``module:qualname``?"""
    module, _, qualname = kind.partition(":")
    return not ("<" in qualname or qualname.startswith("_") or module in ("builtins", "types"))
