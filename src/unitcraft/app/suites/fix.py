"""Removes redundant tests from their files, and restores the files if the suite lost anything.

Invariant: a file holds its old text or its new one, never a part; a new text stays only if the
suite, run again, comes to the same verdicts and takes the same branches.
"""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from unitcraft.app.atomic_write import write_atomically
from unitcraft.app.suites.edit_tests import WHOLE, remove_tests
from unitcraft.app.suites.existing_suite import SuiteRequest, relative_path
from unitcraft.app.suites.minimize_command import MinimizeResult, run_minimize
from unitcraft.app.text_diff import diff_of_file
from unitcraft.core.errors import UnitcraftError
from unitcraft.suite.existing.suite_sources import row_lists, source_of
from unitcraft.suite.recording.cover import SuiteCoverage, cover_suite
from unitcraft.suite.recording.recordings import TestLocation

Rows = Mapping[str, frozenset[int]] | None


@dataclass(frozen=True, slots=True)
class Edit:
    """A file, its old and its new text, how many tests it loses, and how its text is encoded."""

    file: Path
    old: str
    new: str
    tests: int
    encoding: str = "utf-8"


def fix_suite(wish: SuiteRequest, cwd: Path, *, write: bool, unsafe: bool) -> str:
    """Remove the redundant tests and say how many, or show how as a unified diff.

    Raises UnitcraftError: ``fix-undone`` when the suite is not as good without them; the files are
    then as before.
    """
    made = run_minimize(wish, cwd, unsafe=unsafe)
    edits = _plan(made, cwd)
    if not write:
        return "".join(_diff(edit, cwd) for edit in edits).rstrip("\n")
    removed = sum(edit.tests for edit in edits)
    shared = _shared_text(len(made.minimised.dropped) - removed)
    if not edits:
        return f"nothing to remove{shared}"
    after = _write_and_prove(edits, made)
    files = ", ".join(relative_path(str(edit.file), cwd) for edit in edits)
    tests = len(made.recording.tests)
    return (
        f"removed {removed} of {tests} tests from {files}{shared}\n"
        f"tests {tests} -> {len(after.verdicts)}, "
        f"branches {len(made.covered.names)} -> {len(after.names)}"
    )


def _shared_text(count: int) -> str:
    """Why ``count`` redundant tests stay: no text of a file is theirs alone."""
    if not count:
        return ""
    stay = "test stays" if count == 1 else "tests stay"
    why = "a class that is inherited or imported, rows of a list, a file elsewhere"
    return f"; {count} redundant {stay}, written together with others ({why})"


def _diff(edit: Edit, cwd: Path) -> str:
    return diff_of_file(Path(edit.file), edit.old, edit.new, cwd)


# What to edit.


def _plan(made: MinimizeResult, cwd: Path) -> list[Edit]:
    """The edits of files below ``cwd`` that remove the redundant tests written out there."""
    removals: dict[str, dict[int, Rows]] = {}
    for (file, line), rows in _removals(made).items():
        removals.setdefault(file, {})[line] = rows
    edits = []
    for file, found in sorted(removals.items()):
        path = Path(file)
        edit = _edit(path, found, made) if path.is_relative_to(cwd) else None
        if edit is not None:
            edits.append(edit)
    return edits


def _removals(made: MinimizeResult) -> dict[tuple[str, int], Rows]:
    """(file, first line) of each function that loses tests -> WHOLE, or its rows to remove."""
    dropped = {one.test.node for one in made.minimised.dropped}
    going: dict[tuple[str, int], list[TestLocation]] = {}
    staying: dict[tuple[str, int], list[TestLocation]] = {}
    for test in made.recording.tests:
        if test.place is not None:
            side = going if test.node in dropped else staying
            side.setdefault((test.place.file, test.place.line), []).append(test.place)
    for place in made.recording.deselected:
        staying.setdefault((place.file, place.line), []).append(place)
    found: dict[tuple[str, int], Rows] = {}
    for key, places in going.items():
        if key not in staying:
            found[key] = WHOLE
        elif rows := _rows(key, places, staying[key]):
            found[key] = rows
    return found


def _rows(
    key: tuple[str, int], going: Iterable[TestLocation], staying: Iterable[TestLocation]
) -> dict[str, frozenset[int]]:
    """The rows that no remaining test uses, by parameter."""
    definition = source_of(key[0]).definitions.get(key[1])
    lists = row_lists(definition.node) if definition is not None else {}
    needed = {row for place in staying for row in place.rows}
    rows: dict[str, set[int]] = {}
    for place in going:
        for name, number in place.rows:
            if name in lists and (name, number) not in needed:
                rows.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in rows.items()}


def _edit(file: Path, removals: dict[int, Rows], made: MinimizeResult) -> Edit | None:
    """The edit of one file; whole functions only where rows cannot be removed; None if nothing."""
    try:
        old, encoding = _read(file)
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None
    whole = {line: rows for line, rows in removals.items() if rows is WHOLE}
    for chosen in (removals, whole):
        new = remove_tests(old, chosen) if chosen else None
        if new is not None:
            return Edit(file, old, new, _count(str(file), chosen, made), encoding)
    return None


def _read(file: Path) -> tuple[str, str]:
    """The text of a Python file with its line ends, and its encoding."""
    data = file.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding), encoding


def _count(file: str, removals: Mapping[int, Rows], made: MinimizeResult) -> int:
    return sum(
        test.place is not None
        and test.place.file == file
        and test.place.line in removals
        and _loses(removals[test.place.line], test.place)
        for test in made.recording.tests
    )


def _loses(rows: Rows, place: TestLocation) -> bool:
    return rows is WHOLE or any(number in rows.get(name, ()) for name, number in place.rows)


# Writing, and the proof.


def _write_and_prove(edits: list[Edit], made: MinimizeResult) -> SuiteCoverage:
    """Write, run the suite again, and put the old texts back if it lost anything."""
    written: list[Edit] = []
    try:
        for edit in edits:
            written.append(edit)
            write_atomically(edit.file, edit.new, edit.encoding)
        return _prove(made, sum(edit.tests for edit in edits))
    except BaseException as error:
        for edit in written:
            write_atomically(edit.file, edit.old, edit.encoding)
        if isinstance(error, UnitcraftError) and error.slug == "suite-not-run":
            raise _undone(f"the suite cannot be run any more: {error}") from error
        raise
    finally:
        source_of.cache_clear()


def _prove(made: MinimizeResult, removed: int) -> SuiteCoverage:
    """The branches that the suite takes now.

    Raises UnitcraftError: ``fix-undone`` when it lost something, ``suite-not-run``.
    """
    after = cover_suite(made.spec)
    why = _loss(made, after, removed)
    if why:
        raise _undone(why)
    return after


def _loss(made: MinimizeResult, after: SuiteCoverage, removed: int) -> str:
    """The loss of the suite without the tests, in words; '' when nothing is lost."""
    before = Counter(made.covered.verdicts.values())
    verdicts = Counter(after.verdicts.values())
    expected = before - Counter(passed=removed)
    if _is_worse(verdicts, expected):
        return f"expected {_counts_text(expected)}, got {_counts_text(verdicts)}"
    lost = sorted(made.covered.names - after.names)
    return f"{len(lost)} branches are not taken any more, {lost[0]} for one" if lost else ""


def _is_worse(verdicts: Counter[str], expected: Counter[str]) -> bool:
    """Are there other tests than expected, or more failures?  A failure less is not a loss."""
    bad = [counts["failed"] + counts["died"] for counts in (verdicts, expected)]
    return verdicts.total() != expected.total() or (
        verdicts["passed"] < expected["passed"] or bad[0] > bad[1]
    )


def _counts_text(verdicts: Mapping[str, int]) -> str:
    return ", ".join(f"{verdicts[name]} {name}" for name in sorted(verdicts)) or "no tests"


def _undone(why: str) -> UnitcraftError:
    return UnitcraftError(
        "fix-undone",
        "the redundant tests are still there",
        cause=why,
        advice="see what would change with --diff, and keep tests with '# unitcraft: keep'",
    )
