"""Scratch folders of dead owners are swept, those of the living are not."""

from __future__ import annotations

import os
import tempfile
import time

import pytest

from unitcraft.execute.scratch import LOCK, PREFIX, Scratch, sweep


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


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
