"""Did every Call of a run influence the last one?  Else a shorter sequence comes to the same.

Invariant: a Call counts as without influence only when neither its result nor a field, element or
variable that it defined was used by a later Call.

Source: JTESTCRAFT, section 4.4.1, table 4.4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from unitcraft.core.sequences import Sequence, refs_of
from unitcraft.explore.agents.influence_agent import InfluenceAnswer


def influencing_calls(program: Sequence, answer: InfluenceAnswer) -> set[int]:
    """The Calls that passed a value to a later one: by their result, a field or an element."""
    passed = {first for first, _ in answer.pairs}
    passed.update(ref for call in program.calls for ref in refs_of(call))
    return passed


def is_redundant(program: Sequence, answer: InfluenceAnswer, exempt: Collection[int] = ()) -> bool:
    """Has a Call before the last influenced nothing?  ``exempt``: Calls that may in other ways."""
    passed = influencing_calls(program, answer)
    return any(one not in passed and one not in exempt for one in range(len(program) - 1))


def can_be_extended(
    program: Sequence, answer: InfluenceAnswer, used: Iterable[str], exempt: Collection[int] = ()
) -> bool:
    """May later Calls that use the fields ``used`` make every Call so far influence one?

    A result may be passed on, so that the Calls that returned an object are ``exempt`` too.
    """
    passed = influencing_calls(program, answer)
    wanted = {*used}
    hopeful = {call for call, name in answer.live if name in wanted}
    return all(one in passed or one in hopeful or one in exempt for one in range(len(program)))
