from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_results import BODY, made, text_for

from unitcraft.app.config import Config
from unitcraft.app.generate.delivery import (
    DiffDelivery,
    FileDelivery,
    TextDelivery,
    file_names,
    suites_of_gone_modules,
)
from unitcraft.app.generate.in_place import PlaceCheck, PlaceReport, report_of
from unitcraft.core.errors import UnitcraftError
from unitcraft.subject.locate import Located


def located(module="signs", attribute=""):
    return Located(module, Path(f"{module}.py"), Path(), attribute)


@pytest.fixture
def files(tmp_path):
    return FileDelivery(tmp_path / "tests")


def names(files):
    return sorted(path.name for path in files.directory.glob("*"))


def test_suite_is_written(files):
    delivered = files.deliver(located(), made())
    assert (delivered.status, delivered.kept) == ("written", ())
    assert delivered.path.read_text() == text_for("signs")


def test_same_suite_again_changes_nothing(files):
    path = files.deliver(located(), made()).path
    before = path.stat()
    assert files.deliver(located(), made()).status == "unchanged"
    after = path.stat()  # the time of access may change: the file is read
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_new_suite_replaces_the_old_one(files):
    files.deliver(located(), made())
    newer = text_for("signs", BODY.replace("0", "1"))
    assert files.deliver(located(), made(text=newer)).path.read_text() == newer


def test_edited_test_stays(files):
    path = files.deliver(located(), made()).path
    path.write_text(path.read_text().replace("'zero'", "'nil'"))
    newer = text_for("signs", BODY.replace("0", "1"))
    delivered = files.deliver(located(), made(text=newer))
    assert delivered.kept == ("test_sign",)
    assert "assert sign(0) == 'nil'" in path.read_text()
    assert "sign(1)" not in path.read_text()


@pytest.mark.parametrize("foreign", ["def test_mine(): pass\n", text_for("other")])
def test_file_of_somebody_else_is_never_touched(files, foreign):
    files.directory.mkdir()
    (files.directory / "test_signs.py").write_text(foreign)
    delivered = files.deliver(located(), made())
    assert delivered.path.name == "test_signs_unitcraft.py"
    assert (files.directory / "test_signs.py").read_text() == foreign
    assert delivered.path.read_text() == text_for("signs")


def test_nothing_to_write_writes_nothing(files):
    assert files.deliver(located(), made(text="")).status == "empty"
    assert not files.directory.exists()


def test_two_modules_of_one_name_get_two_files(files):
    for module in ("a.signs", "b.signs"):
        files.deliver(located(module), made(module, file_name="test_signs.py"))
    assert names(files) == ["test_b_signs.py", "test_signs.py"]


def test_part_of_a_module_gets_a_file_of_its_own(files):
    files.deliver(located(), made())
    files.deliver(located("signs", "Sign.of"), made(text=text_for("signs", BODY.replace("0", "1"))))
    assert names(files) == ["test_signs.py", "test_signs_sign_of.py"]


def test_suites_of_modules_that_are_nowhere_are_found(tmp_path, files):
    for module in ("signs", "gone", "lib.there", "lib.pack"):
        files.deliver(located(module), made(module, file_name=f"test_{module[-4:]}.py"))
    (files.directory / "test_mine.py").write_text("# mine")
    (tmp_path / "old/lib/pack").mkdir(parents=True)
    for name in ("there.py", "pack/__init__.py"):
        (tmp_path / "old/lib" / name).touch()
    found = suites_of_gone_modules(files.directory, tmp_path, lambda module: module == "signs")
    assert found == [(files.directory / "test_gone.py", "gone")]


def test_names_are_best_first_and_differ():
    assert file_names(located("a.signs"), "test_signs.py") == (
        "test_signs.py",
        "test_a_signs.py",
        "test_a_signs_unitcraft.py",
    )


def test_diff_shows_and_writes_nothing(files):
    shown = []
    delivered = DiffDelivery(files, shown.append, files.directory.parent).deliver(located(), made())
    assert delivered.status == "stale"
    assert not files.directory.exists()
    assert shown[0].startswith("--- /dev/null\n+++ b/tests/test_signs.py\n")
    assert "\n+def test_sign():\n" in shown[0]


def test_diff_of_an_unchanged_file_is_empty(files):
    files.deliver(located(), made())
    shown = []
    delivery = DiffDelivery(files, shown.append, files.directory)
    assert delivery.deliver(located(), made()).status == "unchanged"
    assert shown == []


def test_text_is_shown(files):
    shown = []
    assert TextDelivery(shown.append).deliver(located(), made()).status == "shown"
    assert shown == [text_for("signs")]


@pytest.mark.parametrize(
    "delivery", [TextDelivery, lambda show: DiffDelivery(FileDelivery(None), show, None)]
)
def test_nothing_is_shown_of_nothing(delivery):
    shown = []
    assert delivery(shown.append).deliver(located(), made(text="")).status == "empty"
    assert shown == []


def test_unwritable_directory_is_reported(files):
    files.directory.write_text("a file")
    with pytest.raises(UnitcraftError, match=r"\[output-not-writable\]"):
        files.deliver(located(), made())


class Place:
    """Runs of a file where it lives, with reports made for the test."""

    def __init__(self, *reports: PlaceReport, matters: bool = True) -> None:
        self.reports, self.texts, self._matters = list(reports), [], matters

    def matters(self, _file):
        return self._matters

    def run(self, file, _located):
        self.texts.append(file.read_text())
        return self.reports.pop(0)


EDIT = "\n\ndef test_mine():\n    assert renamed(1)\n"


def edited(files):
    """A suite of ours with a test of a person that imports what is gone."""
    path = files.deliver(located(), made()).path
    text = path.read_text().replace("import sign\n", "import renamed, sign\n")
    path.write_text(text + EDIT)
    return path


def test_a_kept_test_that_cannot_be_imported_costs_nobody_else(tmp_path):
    path = edited(FileDelivery(tmp_path / "tests"))
    reports = PlaceReport(problem="ImportError: renamed"), PlaceReport({"test_mine": "ImportError"})
    place = Place(*reports, matters=False)
    delivered = FileDelivery(tmp_path / "tests", place).deliver(located(), made())
    assert delivered.failing == ("test_mine (ImportError)",)
    assert "import renamed, sign\n" in place.texts[0]
    assert "def test_mine():\n    from signs import renamed\n" in path.read_text()


def test_a_test_of_ours_that_fails_where_it_lives_is_dropped(tmp_path):
    name = re.search(r"def (test_\w+)", text_for("signs"))[1]
    place = Place(PlaceReport({name: "failed"}))
    delivered = FileDelivery(tmp_path / "tests", place).deliver(located(), made())
    assert (delivered.dropped, delivered.failing) == ((name,), ())
    assert f"def {name}" not in delivered.path.read_text()
    again = DiffDelivery(FileDelivery(tmp_path / "tests", Place()), print, tmp_path)
    assert again.deliver(located(), made()).status == "unchanged"


def test_a_file_of_which_nothing_passes_where_it_lives_is_told(tmp_path):
    place = Place(PlaceReport(problem="AssertionError: no"))
    delivered = FileDelivery(tmp_path / "tests", place).deliver(located(), made())
    assert delivered.failing == ("(the whole file: AssertionError: no)",)
    assert "def test_" in delivered.path.read_text()


def test_nothing_is_run_without_a_conftest_or_a_kept_test(tmp_path):
    files = FileDelivery(tmp_path / "tests", Place(matters=False))
    assert files.deliver(located(), made()).status == "written"


def frame(kind, **facts):
    return {"kind": kind, **facts}


def test_a_run_in_place_condemns_only_what_failed_beside_something_that_passed():
    one, two = "tests/test_m.py::TestA::test_x[1-2]", "tests/test_m.py::test_y"
    failed = [
        frame("start", node=one), frame("problem", text="...\nE   Boom"),
        frame("end", node=one, verdict="failed"), frame("start", node=two),
    ]  # fmt: skip
    passed = [*failed, frame("end", node=two, verdict="passed")]
    assert report_of(passed) == PlaceReport({"TestA.test_x": "Boom"})
    assert report_of(failed) == PlaceReport(problem="Boom")
    assert report_of([]).problem == "pytest ran no test"
    text = "E   assert 60 == 30\nE    +  where 60 = price()"
    assert report_of([{"kind": "problem", "text": text}]).problem == "assert 60 == 30"
    died = [*passed, frame("start", node="t.py::test_z")]
    assert report_of(died).failed["test_z"] == "the process ended in it"


def test_a_conftest_beside_or_above_the_file_matters(tmp_path):
    check = PlaceCheck(Config(tmp_path))
    file = tmp_path / "tests" / "unit" / "test_a.py"
    assert not check.matters(file)
    (tmp_path / "conftest.py").touch()
    assert check.matters(file)
