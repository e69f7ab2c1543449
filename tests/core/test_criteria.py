"""Names of criteria: parsed, checked, and what they stand for."""

from __future__ import annotations

import pytest

from unitcraft.core.criteria import NAMES, kept, parsed


def test_names_are_parsed_once_each_and_checked():
    assert parsed(" branch, path ,branch,") == ("branch", "path")
    assert parsed("") == ()
    with pytest.raises(ValueError, match="'brnch' is no criterion; did you mean 'branch'"):
        parsed("branch,brnch")
    with pytest.raises(ValueError, match="the criteria are: branch, condition"):
        parsed("zzz")


def test_default_is_what_holds_when_nothing_is_named():
    assert kept(()) == kept(("default",)) == set("bxoedma")
    assert kept(("default", "def-use")) == set("bxoedmau")
    assert set(NAMES) >= {"branch", "exception", "boundary", "path", "def-use", "mutant"}
