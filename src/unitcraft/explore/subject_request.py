"""Asks a host for the described Subject.

Invariant: the Subject is described in a worker forked for that alone, and what its code passes is
read in another.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from unitcraft.core import rule_codes
from unitcraft.core.containment import describe_traceback
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.subject.model import Subject
from unitcraft.subject.subject_codec import decode_record, decode_subject

#: The services of the workers.
SERVICE: Final = "unitcraft.explore.agents.description_agent:describe"
PASSING: Final = "unitcraft.subject.passing.passing_agent:passed"
#: Seconds of CPU time for describing; large modules take tenths of a second.
MAX_SECONDS: Final = 30.0
#: Steps are not what bounds describing: no function of the Subject runs.
MAX_STEPS: Final = 1_000_000_000


def request_subject(pool: Pool, module: str) -> Subject:
    """The Subject ``module``, which the host of ``pool`` has imported.

    What could not be read of what it passes is among ``skipped``.  Raises UnitcraftError
    ``import-failed`` when no worker can describe it.
    """
    (reply,) = pool.map(SERVICE, (module,), isolate=True, seconds=MAX_SECONDS, steps=MAX_STEPS)
    if reply.value is None:
        raise UnitcraftError(
            "import-failed",
            f"{module} was imported but cannot be described",
            cause=describe_traceback(reply.error) or str(reply.failure),
            advice="look for code that changes the interpreter while the module is imported",
        )
    subject = decode_subject(reply.value)
    if all(one.origin == "annotation" for each in subject.invocables for one in each.parameters):
        return subject
    (passed,) = pool.map(
        PASSING, (reply.value,), isolate=True, seconds=MAX_SECONDS, steps=MAX_STEPS
    )
    if passed.value is None:
        why = describe_traceback(passed.error) or str(passed.failure)
        told = (module, rule_codes.CONTAINED, f"reading what the module passes failed: {why}")
        return replace(subject, skipped=(*subject.skipped, told))
    return replace(subject, uses=(*subject.uses, *decode_record(passed.value)))
