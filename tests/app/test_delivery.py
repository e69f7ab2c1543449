from __future__ import annotations

from pathlib import Path

import pytest
from made_results import BODY, made, text_for

from unitcraft.app.generate.delivery import DiffDelivery, FileDelivery, TextDelivery, file_names
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
