"""The Subject is described once, in a worker of its own, and the same by every host."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.core import rule_codes
from unitcraft.core.encoding import encode_sequence
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.sequences import Call, Sequence
from unitcraft.execute.policy import Policy
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore import subject_request
from unitcraft.explore.subject_request import request_subject

AGENTS = "unitcraft.explore.agents"
SOURCE = '''
"""Shapes.

>>> Shape("wide").area(3)
9
"""
import re
import sys
from functools import lru_cache

WORD = re.compile("[a-z]+")


class Shape:
    def __init__(self, kind: str = "wide"):
        self.kind = kind

    def area(self, size: int) -> int:
        return size * size if self.kind in ("wide", "tall") else size % 7


class Square(Shape):
    pass


@lru_cache
def cached(text: str, *, times=2):
    return f"{text}{times}" if WORD.match(text) else None


def describers():
    return sum(name.startswith("unitcraft.subject.description") for name in sys.modules)
'''


@pytest.fixture
def spec(tmp_path):
    (tmp_path / "shapes.py").write_text(SOURCE)
    options = {"module": "shapes", "rewrite": True, "sites": True}
    return HostSpec(f"{AGENTS}.search_agent", options, paths=(str(tmp_path),))


@pytest.mark.parametrize("agent", ["search_agent", "concolic_agent"])
def test_rewritten_code_is_described_as_the_original_is(spec, agent):
    original = replace(spec, entry=f"{AGENTS}.replay_agent")
    with Pool(original) as plain, Pool(replace(spec, entry=f"{AGENTS}.{agent}")) as rewritten:
        subject = request_subject(plain, "shapes")
        assert {info.id for info in subject.classes} == {"shapes:Shape", "shapes:Square"}
        assert request_subject(rewritten, "shapes") == subject


def test_other_workers_do_not_hold_what_describes(spec):
    item = encode_sequence(Sequence((Call("function", "shapes:describers"),)))
    with Pool(spec) as pool:
        request_subject(pool, "shapes")
        assert pool.one("after", item).value[1] == ("c", 0)


def test_strict_policy_lets_a_worker_load_what_describes(spec):
    with Pool(replace(spec, policy=Policy("strict"))) as pool:
        assert request_subject(pool, "shapes").module == "shapes"


def test_module_that_spoils_imports_is_an_error(spec, tmp_path):
    (tmp_path / "spoils.py").write_text("import sys\nsys.modules['ast'] = None\n")
    with (
        Pool(replace(spec, options={**spec.options, "module": "spoils"})) as pool,
        pytest.raises(UnitcraftError, match="cannot be described") as caught,
    ):
        request_subject(pool, "spoils")
    assert "ast" in caught.value.cause


def test_what_a_module_passes_is_missing_with_a_reason(spec, monkeypatch):
    monkeypatch.setattr(subject_request, "PASSING", "unitcraft.subject.passing.passing_agent:none")
    with Pool(spec) as pool:
        found = request_subject(pool, "shapes")
    (reason,) = [why for name, code, why in found.skipped if code == rule_codes.CONTAINED]
    assert reason.startswith("reading what the module passes failed: ")
    assert [one.id for one in found.invocables]
