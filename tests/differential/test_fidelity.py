"""Random programs on proxies do what they do plainly, and along one path always the same."""

from __future__ import annotations

import brute
import pytest
from fidelity import Program, divergence
from fuzz import checked
from programs import program

#: Programs of the suite; benchmarks/fuzz_engine.py runs as many as wanted.
PROGRAMS = 200
BY_FORCE = 60
CHUNK = 20


def told(finding):
    return f"seed {finding.seed}: {finding.problem}\n{finding.program.test(finding.runs)}"


@pytest.mark.parametrize("first", range(0, PROGRAMS, CHUNK))
def test_programs_do_what_they_do_plainly(first):
    findings = [checked(seed) for seed in range(first, first + CHUNK)]
    assert not [told(finding) for finding in findings if finding is not None]


@pytest.mark.parametrize("first", range(0, BY_FORCE, CHUNK))
def test_verdicts_agree_with_brute_force(first):
    findings = [brute.checked(seed) for seed in range(first, first + CHUNK)]
    assert not [told(finding) for finding in findings if finding is not None]


def test_a_seed_gives_one_program():
    assert program(7) == program(7)
    assert program(7) != program(8)


#: Programs that cannot be followed, by what the fuzzer should say of them.
UNFAITHFUL = {
    "return trace.plain(a)": "terms",
    "mark(trace.plain(a) > 1)": "same events",
    "return trace.symbolic(a)": "plain",
    "trace.note((('==', trace.term_of(a), 9), True))": "does not hold",
    "trace.note((('==', 1, 1), True))": "about constants",
    "trace.symbolic(a) and trace.note((('<', a.term, trace.plain(a) + 1), True))": "against",
}


@pytest.mark.parametrize("body", UNFAITHFUL)
def test_the_fuzzer_sees(body):
    source = f"from unitcraft.symbolic import trace\ndef subject(a):\n    {body}\n"
    found = divergence(Program(source, ("int",)), [(1,), (2,), (0,)])
    assert found is not None
    assert UNFAITHFUL[body] in found
