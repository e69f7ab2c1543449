"""Scratch folders of dead owners are swept, those of the living are not."""

from __future__ import annotations

import os
import tempfile
import time

import pytest

from unitcraft.execute import scratch as scratch_module
from unitcraft.execute.scratch import LOCK, PREFIX, Scratch, sweep


@pytest.fixture
def disk(tmp_path, monkeypatch):
    folder = tmp_path / "disk"
    folder.mkdir()
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(autouse=True)
def memory(tmp_path, monkeypatch, disk):
    folder = tmp_path / "memory"
    folder.mkdir()
    monkeypatch.setattr(scratch_module, "MEMORY", folder)
    monkeypatch.setattr(scratch_module, "MIN_FREE_BYTES", 1)
    return folder


@pytest.fixture(params=["disk", "memory"])
def temporary(request):
    return request.getfixturevalue(request.param)


def aged(folder):
    past = time.time() - 3600
    os.utime(folder, (past, past))


def test_a_folder_in_use_stays_and_then_goes():
    scratch = Scratch()
    aged(scratch.path)
    sweep()
    assert scratch.path.is_dir()
    scratch.remove()
    assert not scratch.path.exists()


def test_a_folder_whose_owner_died_goes(temporary):
    folder = temporary / f"{PREFIX}old"
    folder.mkdir()
    (folder / LOCK).touch()
    (folder / "file").touch()
    sweep()
    assert folder.exists(), "it is new: its owner may be about to lock it"
    aged(folder)
    sweep()
    assert not folder.exists()


def test_a_folder_without_a_lock_is_not_ours(temporary):
    folder = temporary / f"{PREFIX}foreign"
    folder.mkdir()
    aged(folder)
    sweep()
    assert folder.exists()


def test_it_is_made_in_memory(memory):
    scratch = Scratch()
    assert scratch.path.parent == memory
    scratch.remove()


def test_it_is_made_on_disk_where_memory_is_short_or_missing(memory, disk, monkeypatch):
    monkeypatch.setattr(scratch_module, "MIN_FREE_BYTES", 1 << 80)
    assert scratch_module.place() == disk
    monkeypatch.setattr(scratch_module, "MIN_FREE_BYTES", 1)
    assert scratch_module.place() == memory
    memory.rmdir()
    assert scratch_module.place() == disk


def test_it_is_made_where_the_user_says(disk, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(disk))
    assert scratch_module.place() == disk
