"""A function whose result is awaited is given a coroutine function."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Symbol
from unitcraft.explore.plausibility.evidence_ladder import EvidenceLadder
from unitcraft.subject.values.value_pools import ValuePools

SOURCE = """
import asyncio
from collections.abc import Awaitable, Callable

async def plainly(action):
    return await action()

async def in_time(action):
    return await asyncio.wait_for(action(1), 2)

async def declared(action: Callable[[int], Awaitable[str]]):
    return [await action(1)]

def called(step):
    return step(1)
"""


@pytest.fixture
def described(subject):
    return subject(SOURCE)


def offered(subject, name, *, mocks):
    known = next(one for one in subject.invocables if one.name == name)
    (parameter,) = known.parameters
    candidates = EvidenceLadder(subject).evidence(known, parameter).candidates
    return ValuePools(subject, mocks=mocks).values(candidates[0].type, name, 3, name="action")


@pytest.mark.parametrize("name", ["plainly", "in_time", "declared"])
def test_it_is_a_mock_of_one(described, name):
    offers = offered(described, name, mocks=True)
    assert [one.callee.qualname for one in offers if isinstance(one, Build)] == ["AsyncMock"] * 2
    assert len(offers) == 2


def test_without_mocks_the_standard_library_has_one(described):
    assert offered(described, "plainly", mocks=False) == (Symbol("asyncio", "sleep"),)


def test_other_functions_are_plain(described):
    assert not any(isinstance(one, Build) for one in offered(described, "called", mocks=True)[:2])
