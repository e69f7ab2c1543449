"""Names of criteria: parsed, checked, and what they stand for."""

from __future__ import annotations

import pytest

from unitcraft.core.criteria import NAMES, kept_families, parse_criteria
from unitcraft.core.goals import Family


def test_names_are_parsed_once_each_and_checked():
    assert parse_criteria(" branch, path ,branch,") == ("branch", "path")
    assert parse_criteria("") == ()
    with pytest.raises(ValueError, match="'brnch' is no criterion; did you mean 'branch'"):
        parse_criteria("branch,brnch")
    with pytest.raises(ValueError, match="the criteria are: branch, condition"):
        parse_criteria("zzz")


def test_default_is_what_holds_when_nothing_is_named():
    usual = {
        Family.BRANCH, Family.EXCEPTION, Family.RETURN, Family.BOUNDARY, Family.ENTRY,
        Family.MUTANT, Family.MUTANT_BY_CHECK,
    }  # fmt: skip
    assert kept_families(()) == kept_families(("default",)) == usual
    assert kept_families(("default", "def-use")) == {*usual, Family.DEF_USE}
    assert kept_families(("boundary",)) == {Family.BOUNDARY, Family.NEIGHBOUR}
    assert set(NAMES) >= {"branch", "exception", "boundary", "path", "def-use", "mutant", "field"}
