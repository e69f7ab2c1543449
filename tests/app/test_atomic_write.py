from __future__ import annotations

import errno
import os
import stat

import pytest

from unitcraft.app import atomic_write
from unitcraft.app.atomic_write import read_if_present, write_atomically
from unitcraft.core.errors import UnitcraftError


def failing(monkeypatch, name, number):
    def fail(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic_write.os, name, fail)


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_new_file_in_a_new_directory(tmp_path):
    path = tmp_path / "a" / "b" / "test_x.py"
    write_atomically(path, "naïve\n")
    assert path.read_bytes() == "naïve\n".encode()
    assert names(path.parent) == ["test_x.py"]


def test_replacing_keeps_the_permissions(tmp_path):
    path = tmp_path / "test_x.py"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_new_file_honours_the_umask(tmp_path):
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "test_x.py", "new")
        assert stat.S_IMODE((tmp_path / "test_x.py").stat().st_mode) == 0o640
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(old)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_full_disk_leaves_the_old_file(tmp_path, monkeypatch, number):
    path = tmp_path / "test_x.py"
    path.write_text("old")
    failing(monkeypatch, "fsync", number)
    with pytest.raises(UnitcraftError, match=r"no space left to write .*\[disk-full\]"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["test_x.py"]


def test_failing_disk_is_not_called_full(tmp_path, monkeypatch):
    failing(monkeypatch, "fsync", errno.EIO)
    with pytest.raises(UnitcraftError, match=r"\[output-not-writable\]"):
        write_atomically(tmp_path / "test_x.py", "new")
    assert names(tmp_path) == []


def test_interrupt_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "test_x.py"
    path.write_text("old")

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic_write.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert names(tmp_path) == ["test_x.py"]


def test_file_where_a_directory_should_be(tmp_path):
    (tmp_path / "tests").write_text("mine")
    with pytest.raises(UnitcraftError, match=r"\[output-not-writable\]"):
        write_atomically(tmp_path / "tests" / "test_x.py", "new")
    assert (tmp_path / "tests").read_text() == "mine"


def test_absent_file_reads_as_none(tmp_path):
    assert read_if_present(tmp_path / "test_x.py") is None


def test_present_file_reads_as_text(tmp_path):
    (tmp_path / "test_x.py").write_bytes("naïve\n".encode())
    assert read_if_present(tmp_path / "test_x.py") == "naïve\n"


def test_file_that_is_no_text_is_not_overwritten(tmp_path):
    (tmp_path / "test_x.py").write_bytes(b"\xff\xfe")
    with pytest.raises(UnitcraftError, match=r"\[output-not-writable\]"):
        read_if_present(tmp_path / "test_x.py")
