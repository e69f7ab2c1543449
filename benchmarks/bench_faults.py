"""Do tests that break laws reveal faults?  ``python benchmarks/bench_faults.py``.

Each fault of ``specs/seeded_faults.txt`` is put into its class.  Laws are learned from the faulty
class; a test that breaks one is selected, as in the first iteration of the loop between inference
and generation.  Once the guards are kept: values are those that were learned from, and no call is
made that callers promise not to make.  Once they are removed: fresh values, all calls, and what
laws say under a condition is asked without it.  A selected
test reveals the fault if the class without it does something else in the same calls.  At last what
broke a law is learned from and the search begins again, until nothing is new.

Source: MUTUAL, "Experimental Results", precondition guard removal.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import types
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from bench_specs import SUBJECTS

from unitcraft.core.call_text import arg_text
from unitcraft.core.events import SilentListener
from unitcraft.core.sequences import Const
from unitcraft.infer.algebraic.confirmation import Confirmation, Verdict, Witness
from unitcraft.infer.algebraic.law_terms import RECEIVER, Constant, Law
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import MAX_ITERATIONS, SMALL, Inference, open_host
from unitcraft.infer.learning import learn, prune, relaxed
from unitcraft.infer.output.law_expressions import PRELUDE, LawExpressions, statements
from unitcraft.infer.universe.preconditions import parse_precondition
from unitcraft.infer.universe.profiles import profiles_of
from unitcraft.infer.universe.universes import Size, Universe

FAULTS = Path(__file__).parent / "specs" / "seeded_faults.txt"
SEED = 1
#: The histories on which laws are tried: longer than those that they are learned from.
TRIED = Size(depth=4, level=30, states=80, calls=30, walks=True)
#: Rows on which each law is tried, as in a round of the loop.
MAX_ROWS = 120


@dataclass(frozen=True)
class Fault:
    """A change of the source of a class, and how that is called."""

    module: str
    name: str
    given: dict[str, tuple[Const, ...]]
    requires: tuple[str, ...]
    old: str
    new: str


#: The calls of a test with their values, the law that it broke, and where.
Test = tuple[tuple[str, ...], tuple[Law, Verdict]]


@dataclass(frozen=True)
class Selected:
    """How many tests were selected, and how many of them reveal the fault."""

    tests: int
    revealing: int


def read_faults() -> list[Fault]:
    """The faults of the file, in its order."""
    found: list[Fault] = []
    head: tuple[Any, ...] = ()
    for line in FAULTS.read_text().splitlines():
        if line.startswith("["):
            target, _, rest = line.strip("[]").partition(" ")
            pinned, _, condition = rest.partition(" ")
            name, _, value = pinned.partition("=")
            module, _, cls = target.partition(":")
            given = {name: (Const(int(value)),)} if value else {}
            head = (module, cls, given, (condition,) if condition else ())
        elif line and not line.startswith("#"):
            old, _, new = line.partition(" => ")
            found.append(Fault(*head, old, new))
    return found


def try_fault(fault: Fault) -> tuple[Selected, ...]:
    """What is selected with the guards kept, with the guards removed, and in all iterations."""
    good = (SUBJECTS / f"{fault.module}.py").read_text()
    assert good.count(fault.old) >= 1, fault
    bad = good.replace(fault.old, fault.new, 1)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{fault.module}.py").write_text(bad)
        return _select(fault, folder, good, bad)


def _select(fault: Fault, folder: str, good: str, bad: str) -> tuple[Selected, ...]:
    conditions = tuple(map(parse_precondition, fault.requires))
    request = ClassToSpecify(
        fault.module, fault.name, given=fault.given, preconditions=conditions, paths=(folder,)
    )
    with open_host(request) as host:
        run = Inference(request, host.subject, host.pool, SilentListener())
        run.prepare(host.spec)
        laws, bare = _laws(run)
        kept = run.learned_universe(TRIED)
        removed = run.larger_universe(TRIED, SEED, meant_only=False)
        found = []
        for universe, tried in ((kept, laws), (removed, [*laws, *bare])):
            tests = list(_refuting(run, tried, universe).items())
            found.append(Selected(len(tests), _revealing(run, tests, good, bad)))
        tests = _until_nothing_new(run, [*laws, *bare], removed)
        found.append(Selected(len(tests), _revealing(run, tests, good, bad)))
    return tuple(found)


def _laws(run: Inference) -> tuple[list[Law], list[Law]]:
    """What is learned now, and what that comes to without conditions.

    Laws, those that are true of almost all rows among them; of those that follow from no others
    the equations alone.
    """
    profiles = profiles_of(run.table, run.equality)
    learned = learn(run.learned_universe(SMALL), profiles)
    bare = relaxed(prune(learned.laws, learned.rows, profiles))
    return [*learned.laws, *(one.law for one in learned.near)], bare


def _refuting(
    run: Inference, laws: Sequence[Law], universe: Universe
) -> dict[tuple[str, ...], tuple[Law, Verdict]]:
    """The tests that break a law, each with the first law that it breaks."""
    confirmation = Confirmation(universe, MAX_ROWS)
    found: dict[tuple[str, ...], tuple[Law, Verdict]] = {}
    for law in laws:
        verdict = confirmation.check(law)
        if verdict.witness is not None:
            found.setdefault(_calls(run, verdict.witness), (law, verdict))
    return found


def _until_nothing_new(run: Inference, laws: Sequence[Law], universe: Universe) -> list[Test]:
    """The tests that break laws, those that they lead to broken in turn."""
    found: dict[tuple[str, ...], tuple[Law, Verdict]] = {}
    for _ in range(MAX_ITERATIONS):
        new = _refuting(run, laws, universe)
        found = {**new, **found}
        if not run.learn_from(dict(new.values())):
            break
        laws = [law for some in _laws(run) for law in some]
    return list(found.items())


def _revealing(run: Inference, tests: Sequence[Test], good: str, bad: str) -> int:
    profiles = profiles_of(run.table, run.equality)
    texts = LawExpressions(run.table.operations, profiles, run.table.values, uses_equals=False)
    found = 0
    for calls, (law, verdict) in tests:
        given = verdict.witness.variables if verdict.witness else ()
        names = dict(zip(given, calls[len(calls) - len(given) :], strict=True))
        names[RECEIVER] = "S"
        sides = [
            texts.term(side, names)
            for side in (law.left, law.right)
            if not (isinstance(side, Constant) and run.table.values.raised(side.value))
        ]
        found += _trace(good, calls, sides) != _trace(bad, calls, sides)
    return found


def _calls(run: Inference, witness: Witness) -> tuple[str, ...]:
    """The statements of a test, and the values of the witness."""
    path = run.table.states[witness.state]
    made = [
        line for line in statements(path.calls, path.result, ()) if " = " in line or "." in line
    ]
    values = [arg_text(run.table.values.arg(value)) for value in witness.values]
    return (*made, *values)


def _trace(source: str, test: tuple[str, ...], sides: Sequence[str]) -> list[str]:
    """What comes of the calls of a test, of those of the law that it broke, and of two methods.

    ``sides`` are those of the law, over the object and the values of the test.
    """
    module = types.ModuleType("subject")
    exec(source, module.__dict__)  # the benchmark's own class
    exec(PRELUDE, module.__dict__)
    lines = [line for line in test if line.startswith(("r", "S = "))]
    values = [eval(text) for text in test[len(lines) :]]
    names = dict(module.__dict__)
    found: list[str] = []
    for line in [*lines, *(f"_ = repr(state({side}))" for side in sides)]:
        try:
            exec(line, names)
            found.append(names.get("_", ""))
        except Exception as error:  # noqa: BLE001 - what is observed
            found.append(type(error).__name__)
    methods = re.findall(r"^    def ([a-z]\w*)\(", source, re.MULTILINE)
    given = [(), *[(value,) for value in values]]
    calls = list(product(methods, given))
    for first, second in product(calls, calls):
        found.append(_answers(lines, dict(module.__dict__), (first, second)))
    return found


def _answers(
    lines: list[str], names: dict[str, Any], calls: tuple[tuple[str, tuple[Any, ...]], ...]
) -> str:
    """What two calls answer, one after the other, on an object made anew."""
    answers: list[str] = []
    try:
        for line in lines:
            exec(line, names)
        answers += [repr(getattr(names["S"], method)(*args)) for method, args in calls]
    except Exception as error:  # noqa: BLE001 - what is observed
        answers.append(type(error).__name__)
    return " ".join(answers)


def main(arguments: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="module of the faults to try")
    chosen = parser.parse_args(arguments)
    print(f"{'class':14}{'guards kept':>14}{'removed':>10}{'iterated':>10}  fault")
    columns: dict[str, list[Selected]] = {"kept": [], "removed": [], "removed, iterated": []}
    for fault in read_faults():
        if chosen.only in fault.module:
            selected = try_fault(fault)
            for rows, one in zip(columns.values(), selected, strict=True):
                rows.append(one)
            cells = [f"{one.revealing}/{one.tests}" for one in selected]
            line = f"{fault.name:14}{cells[0]:>14}{cells[1]:>10}{cells[2]:>10}  {fault.new}"
            print(line, flush=True)
    for name, rows in columns.items():
        shares = [one.revealing / one.tests for one in rows if one.tests]
        found = sum(one.revealing > 0 for one in rows)
        share = f"{median(shares):.0%}" if shares else "-"
        print(f"guards {name}: {found} of {len(rows)} faults revealed, median share {share}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
