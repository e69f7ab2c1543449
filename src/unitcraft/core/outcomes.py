"""What a Call or a Sequence came to: the closed sum of Outcomes.

Invariant: the four Outcomes are disjoint; "the worker died" and "the budget ran
out" are never folded into "it raised".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unitcraft.core.sequences import Arg

#: Why a run ended without an answer of the Subject.
ExhaustedReason = Literal["steps", "time", "memory", "crash", "output", "exit"]


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value that has no literal: its class as ``module:qualname``, and no address.

    ``equatable`` says whether its class defines ``__eq__`` (not inherited from object).
    """

    type: str
    equatable: bool = False


Shown = Arg | Opaque


@dataclass(frozen=True, slots=True)
class Returned:
    """The Call returned; ``value`` is None where nobody asked for it."""

    value: Shown | None = None


@dataclass(frozen=True, slots=True)
class Raised:
    """The Call raised an exception of class ``type`` (``module:qualname``).

    ``message`` is ``str(exception)``, or None when that is unstable or itself raised.
    ``inside`` says whether it escaped from code of the Subject (else from the call itself,
    such as a wrong number of arguments).
    """

    type: str
    message: str | None
    inside: bool = True
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rejected:
    """The policy refused an effect (audit event and argument), at ``where`` (file:line)."""

    event: str
    where: str = ""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The run ended by a bound or took its worker with it."""

    reason: ExhaustedReason
    detail: str = ""


Outcome = Returned | Raised | Rejected | Exhausted
