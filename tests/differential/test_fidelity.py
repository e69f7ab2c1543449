"""Random programs on proxies do what they do plainly, and along one path always the same."""

from __future__ import annotations

import brute_force
import pytest
from fuzz_programs import checked
from program_fidelity import Program, divergence
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
    findings = [brute_force.checked(seed) for seed in range(first, first + CHUNK)]
    assert not [told(finding) for finding in findings if finding is not None]


def test_a_seed_gives_one_program():
    assert program(7) == program(7)
    assert program(7) != program(8)


#: Functions of the trace that these programs call.
NAMES = "concrete_value, is_symbolic, record, term_of"

#: Programs that cannot be followed, by what the fuzzer should say of them.
UNFAITHFUL = {
    "return concrete_value(a)": "terms",
    "mark(concrete_value(a) > 1)": "same events",
    "return is_symbolic(a)": "plain",
    "record((('==', term_of(a), 9), True))": "does not hold",
    "record((('==', 1, 1), True))": "about constants",
    "is_symbolic(a) and record((('<', a.term, concrete_value(a) + 1), True))": "against",
}


@pytest.mark.parametrize("body", UNFAITHFUL)
def test_the_fuzzer_sees(body):
    source = f"from program_fidelity import {NAMES}\ndef subject(a):\n    {body}\n"
    found = divergence(Program(source, ("int",)), [(1,), (2,), (0,)])
    assert found is not None
    assert UNFAITHFUL[body] in found
