"""What changed since a revision, in a repository of three files."""

from __future__ import annotations

import subprocess

import pytest

from unitcraft.app.revisions import LAST_LINE, changed_files, changed_spans
from unitcraft.core.errors import UnitcraftError


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("repository")

    def git(*words):
        name = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *name, *words], cwd=root, check=True, capture_output=True)

    (root / "src").mkdir()
    for file in ("old.py", "src/new.py"):
        (root / file).write_text("a = 1\nb = 2\nc = 3\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    (root / "src/new.py").write_text("a = 1\nb = 7\nc = 3\nd = 4\n")
    (root / "src/fresh.py").write_text("x = 1\n")
    return root


def test_changed_and_unknown_files_are_found_from_any_folder(repository):
    names = ("old.py", "src/new.py", "src/fresh.py")
    files = [repository / name for name in names]
    for here in (repository, repository / "src"):
        assert changed_files(files, "HEAD", here) == set(files[1:])


def test_groups_of_changed_lines(repository):
    assert changed_spans(repository / "src/new.py", "HEAD") == [(2, 2), (4, 4)]
    assert changed_spans(repository / "old.py", "HEAD") == []
    assert changed_spans(repository / "src/fresh.py", "HEAD") == [(1, LAST_LINE)]


@pytest.mark.parametrize("revision", ["nowhere", "--output=x"])
def test_a_revision_that_git_does_not_know(repository, revision):
    with pytest.raises(UnitcraftError, match="git cannot compare") as caught:
        changed_files([], revision, repository)
    assert caught.value.slug == "no-revision"
