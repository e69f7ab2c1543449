"""``--criterion`` from end to end: what the written suite of a small module then shows."""

from __future__ import annotations

import subprocess
import sys

import pytest

from unitcraft.app.generate.generate_module import generate
from unitcraft.app.generate.generated_suite import Options
from unitcraft.core import rule_codes
from unitcraft.core.events import SilentListener
from unitcraft.subject.locate import locate

#: The published example of a defect that branches do not show: the money goes back, a drink is
#: still allowed.
COIN_BOX = """\
class CoinBox:
    def __init__(self) -> None:
        self.total = 0
        self.current = 0
        self.allow_vend = False

    def add_quarter(self) -> None:
        self.current = self.current + 1
        if self.current > 1:
            self.allow_vend = True

    def return_quarters(self) -> None:
        self.current = 0

    def vend(self) -> bool:
        served = self.allow_vend
        if self.allow_vend:
            self.total = self.total + self.current
            self.current = 0
            self.allow_vend = False
        return served
"""
REPAIRED = COIN_BOX.replace(
    "    def return_quarters(self) -> None:\n",
    "    def return_quarters(self) -> None:\n        self.allow_vend = False\n",
)


def made(folder, *criterion, source=COIN_BOX):
    (folder / "coinbox.py").write_text(source)
    located = locate("coinbox.py", folder)[0]
    return generate(located, Options(jobs=1, criterion=criterion), SilentListener())


def passes(folder, text, source):
    (folder / "coinbox.py").write_text(source)
    (folder / "test_coinbox.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_coinbox.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    return done.returncode == 0


def test_def_use_pairs_tell_the_coin_box_from_a_repaired_one(tmp_path):
    suite = made(tmp_path, "def-use")
    assert "box.return_quarters()\n    assert box.vend() is True\n" in suite.text
    assert passes(tmp_path, suite.text, COIN_BOX)
    assert not passes(tmp_path, suite.text, REPAIRED)
    told = [finding.message for finding in suite.findings if finding.code == rule_codes.UNREACHED]
    assert told == ["def-use pairs not reached: CoinBox.current 4->18, CoinBox.current 19->18"]


def test_fewer_criteria_make_fewer_tests_that_still_assert(tmp_path):
    lean, usual = made(tmp_path, "branch"), made(tmp_path)
    assert lean.branches_covered == usual.branches_covered == lean.branches
    assert lean.tests < usual.tests
    assert lean.text.count("    assert ") >= lean.tests


@pytest.mark.parametrize("criterion", ["exception", "def-use"])
def test_a_criterion_that_nothing_meets_makes_no_test(tmp_path, criterion):
    suite = made(tmp_path, criterion, source="def twice(n: int) -> int:\n    return 2 * n\n")
    assert (suite.tests, suite.text) == (0, "")
