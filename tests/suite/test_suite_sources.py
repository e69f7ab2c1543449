"""Functions by place, and the pragmas that hold for them."""

from __future__ import annotations

from unitcraft.suite.existing.suite_sources import is_ignored, is_kept, parse_source, source_of

TEXT = """\
import pytest


# unitcraft: keep
@pytest.fixture
def first():
    x = 1  # unitcraft: ignore
    return x


def second():  # unitcraft: ignore[UC103, UC2]
    pass


class TestThings:  # unitcraft: keep
    def third(self):
        pass

    if True:
        # about it
        # unitcraft: ignore
        def fourth(
            self,
        ):
            pass
"""


def lines(source):
    return {one.name: line for line, one in source.definitions.items()}


def test_definitions_by_first_line():
    assert lines(parse_source(TEXT)) == {
        "first": 5, "second": 11, "TestThings.third": 16, "TestThings.fourth": 22,
    }  # fmt: skip


def test_pragmas_hold_for_the_function_and_its_class(tmp_path):
    file = tmp_path / "test_it.py"
    file.write_text(TEXT)
    place = {name: (str(file), line) for name, line in lines(source_of(str(file))).items()}
    kept = [name for name in place if is_kept(*place[name])]
    assert kept == ["first", "TestThings.third", "TestThings.fourth"]
    codes = ("UC101", "UC103", "UC201")
    ignored = {name: [code for code in codes if is_ignored(*place[name], code)] for name in place}
    assert ignored == {
        "first": [],
        "second": ["UC103", "UC201"],
        "TestThings.third": [],
        "TestThings.fourth": ["UC101", "UC103", "UC201"],
    }


def test_a_file_that_is_no_python_has_no_functions(tmp_path):
    file = tmp_path / "test_it.py"
    file.write_text("def broken(:\n")
    assert source_of(str(file)).definitions == {}
    assert source_of(str(tmp_path / "missing.py")).definitions == {}
