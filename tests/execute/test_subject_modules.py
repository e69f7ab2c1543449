"""Which modules are the Subject's, and which a distribution installed beside it."""

from __future__ import annotations

import pytest

from unitcraft.execute.isolation.subject_modules import dependencies, top_name

LATE = "import lent; answer = sorted(lent.load()), len(lent.SEEN)"


@pytest.fixture
def install(tmp_path):
    """A function that records files as those of a distribution at ``tmp_path``."""

    def record(name, *files):
        metadata = tmp_path / f"{name}-1.0.dist-info"
        metadata.mkdir()
        lines = [f"{file},sha256=x,1" for file in (*files, f"{metadata.name}/RECORD")]
        (metadata / "RECORD").write_text("\n".join(lines))

    return record


def test_other_distributions_are_dependencies_of_the_focus(tmp_path, install):
    install("money", "money/__init__.py", "money/classes.py")
    install("babel", "babel/__init__.py", "../../bin/pybabel", "single.py", "fast.abi3.so")
    found = dependencies((str(tmp_path),), ("money.classes",))
    assert found == {"babel", "single", "fast"}
    assert "money" in dependencies((str(tmp_path),), ("babel.core",))


def test_a_project_without_metadata_depends_on_all_that_is_installed(tmp_path, install):
    install("babel", "babel/__init__.py")
    assert dependencies((str(tmp_path),), ("own.part",)) == {"babel"}


def test_a_name_that_two_distributions_share_is_the_subjects(tmp_path, install):
    install("one", "shared/one/__init__.py")
    install("two", "shared/two/__init__.py", "extra/__init__.py")
    assert not dependencies((str(tmp_path),), ("shared.one",))


def test_without_a_focus_nothing_is_a_dependency(tmp_path, install):
    install("babel", "babel/__init__.py")
    assert not dependencies((str(tmp_path),), ())


def test_metadata_that_cannot_be_read_tells_nothing(tmp_path):
    (tmp_path / "odd-1.0.dist-info").mkdir()
    (tmp_path / "bad-1.0.dist-info").mkdir()
    (tmp_path / "bad-1.0.dist-info" / "RECORD").write_bytes(b"\xff\xfe,\n")
    assert not dependencies((str(tmp_path),), ("own",))


def test_the_top_of_a_name():
    assert top_name("a.b.c") == top_name("a") == "a"


@pytest.mark.parametrize("is_installed", [True, False])
def test_only_what_the_subject_has_loaded_itself_is_loaded_anew(
    tmp_path, install, pool_of, is_installed
):
    (tmp_path / "lent").mkdir()
    (tmp_path / "lent" / "__init__.py").write_text(
        "import sys\nSEEN = []\ndef load():\n    before = set(sys.modules)\n"
        "    from lent import late\n    SEEN.append(1)\n    return set(sys.modules) - before\n"
    )
    (tmp_path / "lent" / "late.py").write_text("")
    if is_installed:
        install("lent", "lent/__init__.py", "lent/late.py")
    pool = pool_of("import lent\nOWN = []", focus=("subject",))
    replies = [reply.value for reply in pool.map("run", [LATE] * 3)]
    assert replies[0] == (["lent.late"], 1)
    assert (replies[1:] == [replies[0]] * 2) is not is_installed
    own = "m.OWN.append(1); answer = len(m.OWN)"
    assert [reply.value for reply in pool.map("run", [own] * 3)] == [1, 1, 1]
