"""Redundancy of suites under the five techniques, and what is left without it.

``make bench-redundancy`` writes suites of random call sequences for small classes and has Pynguin
write suites for pinned modules, all below ``build/``.  Each suite is recorded; the table shows the
redundant tests of each technique in percent, and the branches and killed mutants of the suite with
what it loses of them when the redundant tests go (nothing held back).  For the suites of Pynguin,
whose tests do not assert all that they see, what ``minimize`` takes out goes: it holds back tests
with assertions of their own.  The last columns have, in percent, the shares that ModifyingSeq,
WholeState and MonitorEquals are predicted to take of the tests which the stricter techniques leave,
the shares that they take, and which technique pays off.

Exit code 1 when the techniques are not nested, or when one of the first three loses something.

Source: ROSTRA, "Redundancy among Jtest-generated Tests" and "Quality of Minimized Test Suites".
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import pynguin_suites
import random_suites

from unitcraft.execute.policy import Policy
from unitcraft.suite.existing.assertion_normal_form import normal_forms_of_test
from unitcraft.suite.existing.assess import NOTABLE, Prediction, predict_representation
from unitcraft.suite.existing.minimise import minimise_suite
from unitcraft.suite.existing.redundancy import redundant_tests
from unitcraft.suite.recording.cover import SuiteCoverage, cover_suite
from unitcraft.suite.recording.record import SuiteSpec, record_suite
from unitcraft.suite.recording.recordings import REPRESENTATIONS, Recording, Representation

OURS = Path(__file__).parent / "subjects"
BUILD = pynguin_suites.BUILD

#: Techniques that trust nothing but the code's repeating itself.
LOSSLESS = REPRESENTATIONS[:3]

#: Leaves out what a list says, so that one file holds every suite.
CONFTEST = """\
import json
from pathlib import Path

LEFT_OUT = Path(__file__).with_name("left_out.json")


def pytest_collection_modifyitems(items):
    names = json.loads(LEFT_OUT.read_text()) if LEFT_OUT.exists() else []
    items[:] = [item for item in items if item.nodeid not in names]
"""


class Row(NamedTuple):
    """The figures of a suite; ``lost`` has (branches, killed mutants) by technique."""

    name: str
    tests: int
    redundant: dict[Representation, frozenset[str]]
    branches: int
    killed: int
    mutants: int
    lost: dict[Representation, tuple[int, int]]
    prediction: Prediction


class Suite(NamedTuple):
    """A suite in ``folder`` about a module that ``path`` holds.

    ``is_observant``: its tests assert all that they see.
    """

    name: str
    module: str
    folder: Path
    path: Path
    is_observant: bool

    @property
    def spec(self) -> SuiteSpec:
        """How to run it."""
        paths = (str(self.path),)
        return SuiteSpec((".",), (self.module,), str(self.folder), paths, Policy())


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when something is as it should not be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=1000, help="tests of a random suite")
    parser.add_argument("--seed", type=int, default=0, help="of the random suites")
    parser.add_argument("--random", action="store_true", help="leave Pynguin out")
    parser.add_argument("names", nargs="*", help="only these modules")
    chosen = parser.parse_args(arguments)
    print("\n".join(head()))
    wrong: list[str] = []
    for suite in suites(chosen):
        row = judged(suite)
        print(line(row), flush=True)
        wrong += faults(row)
    print("\n".join(["", *wrong]))
    return int(bool(wrong))


def suites(chosen: argparse.Namespace) -> list[Suite]:
    """Write the suites that were asked for."""
    found = []
    for subject in random_suites.SUBJECTS:
        if not chosen.names or subject.module in chosen.names:
            path = pynguin_suites.project_folder(subject.project) if subject.project else OURS
            folder = fresh(BUILD / "suites" / f"random-{subject.module}", path)
            random_suites.write_suite(subject, folder, chosen.tests, chosen.seed, [str(path)])
            found.append(Suite(subject.module, subject.module, folder, path, is_observant=True))
    for module in () if chosen.random else pynguin_suites.MODULES:
        if not chosen.names or module.name in chosen.names:
            written = pynguin_suites.write_suite(module)
            if written is not None:
                path = pynguin_suites.project_folder(module.project)
                name = f"{module.name} (Pynguin)"
                found.append(
                    Suite(name, module.name, fresh(written, path), path, is_observant=False)
                )
    return found


def fresh(folder: Path, path: Path) -> Path:
    """The folder, with nothing left out."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = . {path}\n")
    (folder / "left_out.json").unlink(missing_ok=True)
    return folder


def judged(suite: Suite) -> Row:
    """Record and measure a suite, whole and without redundant tests."""
    recording, covered = record_suite(suite.spec), cover_suite(suite.spec)
    redundant = {
        name: frozenset(one.test.node for one in redundant_tests(recording, name))
        for name in REPRESENTATIONS
    }
    before, mutants = killed(suite, frozenset())
    lost: dict[Representation, tuple[int, int]] = {}
    known: dict[frozenset[str], tuple[int, int]] = {}
    for name in reversed(REPRESENTATIONS):
        gone = redundant[name] if suite.is_observant else removable(recording, covered, name)
        if any(gone <= more and not any(known[more]) for more in known):
            known[gone] = (0, 0)
        elif gone not in known:
            kept = covered.of(test.node for test in recording.tests if test.node not in gone)
            branches = len(covered.of(covered.by_test) - kept)
            known[gone] = branches, len(before - killed(suite, gone)[0])
        lost[name] = known[gone]
    return Row(
        suite.name, len(recording.tests), redundant, len(covered.of(covered.by_test)),
        len(before), mutants, lost, predict_representation(recording),
    )  # fmt: skip


def removable(
    recording: Recording, covered: SuiteCoverage, representation: Representation
) -> frozenset[str]:
    """What ``minimize`` takes out of a suite that people are to keep."""
    result = minimise_suite(
        recording, representation, covered, lambda _: False, normal_forms_of_test
    )
    return frozenset(one.test.node for one in result.dropped)


def killed(suite: Suite, left_out: frozenset[str]) -> tuple[frozenset[str], int]:
    """The mutants that the suite kills without some tests, and how many there are."""
    (suite.folder / "left_out.json").write_text(json.dumps(sorted(left_out)))
    command = [sys.executable, "-m", "unitcraft", "mutants", "run", ".", "-s", suite.module]
    command += ["--anew", "--quiet", "--exit-zero", "--format", "json", "-j", "1"]
    done = subprocess.run(
        [*command, "--pytest-arg=-pno:hypothesispytest"], cwd=suite.folder,
        env={**os.environ, "PYTHONPATH": str(suite.path)}, stdout=subprocess.PIPE,
        text=True, check=True,
    )  # fmt: skip
    (suite.folder / "left_out.json").unlink()
    report: dict[str, Any] = json.loads(done.stdout)
    mutants = report["mutants"]
    return frozenset(one["id"] for one in mutants if one["killed"]), len(mutants)


def taken(row: Row) -> list[float]:
    """The share that each technique takes of the tests which the one before it leaves."""
    left = [row.tests - len(row.redundant[name]) for name in REPRESENTATIONS[:4]]
    return [1 - after / before if before else 0.0 for before, after in pairwise(left)]


def measured(row: Row) -> Representation:
    """The most generous technique that takes notably many of them."""
    shares = zip(REPRESENTATIONS[1:], taken(row), strict=False)
    return [REPRESENTATIONS[0], *(name for name, share in shares if share >= NOTABLE)][-1]


def faults(row: Row) -> list[str]:
    """What contradicts the techniques."""
    nested = [
        f"{row.name}: {one} finds tests that {other} does not"
        for one, other in pairwise(REPRESENTATIONS)
        if not row.redundant[one] <= row.redundant[other]
    ]
    losses = [
        f"{row.name}: without the tests of {name}: {row.lost[name]} branches, mutants lost"
        for name in LOSSLESS
        if any(row.lost[name])
    ]
    return nested + losses


def head() -> list[str]:
    """The first lines of the table."""
    titles = ["suite", "tests", *REPRESENTATIONS, "branches", "lost", "killed", "lost"]
    titles += ["predicted", "measured", "pays off"]
    return [f"| {' | '.join(titles)} |", f"|---|{'--:|' * 10}---|---|---|"]


def line(row: Row) -> str:
    """A line of the table: shares in percent, losses for the five techniques in their order."""
    shares = [f"{100 * len(row.redundant[name]) / row.tests:.1f}" for name in REPRESENTATIONS]
    branches, mutants = (
        " ".join(str(row.lost[name][at]) for name in REPRESENTATIONS) for at in (0, 1)
    )
    cells = [row.name, str(row.tests), *shares, str(row.branches), branches]
    cells += [f"{row.killed} of {row.mutants}", mutants]
    guess, found = row.prediction, measured(row)
    shares = [(guess.preserving, guess.returning, guess.irrelevant), taken(row)]
    cells += [" ".join(f"{100 * share:.0f}" for share in side) for side in shares]
    cells += [found if guess.representation == found else f"{found}, not {guess.representation}"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
