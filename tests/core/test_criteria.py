"""Names of criteria: parsed, checked, and what they stand for."""

from __future__ import annotations

import pytest

from unitcraft.core.criteria import NAMES, kept_families, parse_criteria


def test_names_are_parsed_once_each_and_checked():
    assert parse_criteria(" branch, path ,branch,") == ("branch", "path")
    assert parse_criteria("") == ()
    with pytest.raises(ValueError, match="'brnch' is no criterion; did you mean 'branch'"):
        parse_criteria("branch,brnch")
    with pytest.raises(ValueError, match="the criteria are: branch, condition"):
        parse_criteria("zzz")


def test_default_is_what_holds_when_nothing_is_named():
    assert kept_families(()) == kept_families(("default",)) == set("bxoedma")
    assert kept_families(("default", "def-use")) == set("bxoedmau")
    assert set(NAMES) >= {"branch", "exception", "boundary", "path", "def-use", "mutant"}
