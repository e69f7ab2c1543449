"""Reading ``--allow``: the effects that a person lets guarded code have, as a Policy.

Invariant: a waiver of an effect that nothing refuses is an error, so that a typing mistake is seen.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from fnmatch import fnmatchcase

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.policy import RULES, Level, Policy


def read_policy(level: Level, waivers: Iterable[str]) -> Policy:
    """The policy of ``level`` with waivers as flags and settings write them.

    A waiver is ``EVENT:ARG``, both of them patterns; without ``:ARG`` any argument passes.
    Raises UnitcraftError (``unknown-effect``) where nothing is refused under that name.
    """
    pairs = [text.partition(":") for text in waivers]
    for event, _, _ in pairs:
        if not any(fnmatchcase(known, event) for known in RULES):
            raise _unknown_effect(event)
    return Policy(level, tuple([(event, argument or "*") for event, _, argument in pairs]))


def _unknown_effect(event: str) -> UnitcraftError:
    close = difflib.get_close_matches(event, RULES, 1, 0.6)
    return UnitcraftError(
        "unknown-effect",
        f"no effect is called {event}",
        cause="--allow and `allow` take EVENT:ARG, with the name of an audit event of Python",
        advice=f"did you mean {close[0]}?" if close else "UC503 names the events that were refused",
    )
