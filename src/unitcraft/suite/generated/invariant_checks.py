"""Representation invariants asserted after the last Call of tests that are kept for heaps.

Invariant: a Check is added only where the invariant was seen to hold, in two processes, after the
calls of the test; where it does not hold after calls that anybody can make, that is a finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from unitcraft.core.call_text import call_text
from unitcraft.core.encoding import pack_call
from unitcraft.core.events import Finding
from unitcraft.core.rule_codes import NO_SEQUENCE, VIOLATED
from unitcraft.core.sequences import Const
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.heaps.reaching_sequences import calls_text
from unitcraft.suite.tests import OTHER_HASH_SEED, Check, Test

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.execute.spec import HostSpec
    from unitcraft.heaps.heap_goals import HeapCheck

#: The service of any host that asks an invariant.
SERVICE: Final = "unitcraft.heaps.guest.state_agent:verdict"
#: What stands above the calls that store fields.
BUILT: Final = "Built field by field: no calls are known to lead to this state."


def assert_invariants(
    tests: Sequence[Test], checks: Mapping[str, HeapCheck], spec: HostSpec, jobs: int
) -> tuple[tuple[Test, ...], tuple[Finding, ...]]:
    """``tests`` with the Checks that ``checks`` has for their Sequences, and what was broken.

    A test in a heap that is built is left out where its call breaks the invariant: the heap may
    be one that cannot be.
    """
    places = [place for place, test in enumerate(tests) if test.sequence.key in checks]
    if not places:
        return tuple(tests), ()
    items = [_item(tests[place], checks[tests[place].sequence.key]) for place in places]
    answers = []
    for host in (spec, replace(spec, hash_seed=OTHER_HASH_SEED)):
        with Pool(host, jobs) as pool:
            answers.append([one.value for one in pool.map(SERVICE, items)])
    verdicts = {
        place: one if one == two else "" for place, one, two in zip(places, *answers, strict=True)
    }
    kept: list[Test] = []
    findings: list[Finding] = []
    for place, test in enumerate(tests):
        about = checks.get(test.sequence.key)
        if about is None:
            kept.append(test)
            continue
        verdict = verdicts[place]
        if verdict == "broken":
            findings.append(_broken(test, about))
            if about.is_built:
                continue
        kept.append(_checked(test, about, verdict))
    return tuple(kept), tuple(findings)


def _item(test: Test, about: HeapCheck) -> Plain:
    module, _, qualname = about.target.partition(":")
    path = tuple([pack_call(call) for call in test.sequence.calls])
    return (module, qualname, about.invariant, path)


def _checked(test: Test, about: HeapCheck, verdict: str) -> Test:
    note = BUILT if about.is_built else test.note
    expected = {"true": Const(True), "silent": Const(None)}.get(verdict)  # noqa: FBT003
    if expected is None:
        return replace(test, note=note)
    check = Check(about.call, "is", expected)
    others = [one for one in test.checks if one.observed != about.call]
    return replace(test, checks=(*others, check), note=note)


def _broken(test: Test, about: HeapCheck) -> Finding:
    code = NO_SEQUENCE if about.is_built else VIOLATED
    text = f"{calls_text(test.sequence.calls)}; then {about.invariant} does not hold"
    if about.is_built:
        last = call_text(test.sequence.calls[-1], ["it"])
        text = f"{last} breaks {about.invariant} in a heap that no sequence of calls reaches"
    return Finding(code, about.target, text)
