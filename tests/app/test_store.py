from __future__ import annotations

import sqlite3

import pytest

from unitcraft.app import store as stores
from unitcraft.app.store import DIRECTORY, FILE, NoMemory, Store


@pytest.fixture
def warnings():
    return []


@pytest.fixture
def opened(tmp_path, warnings):
    made = []

    def again():
        made.append(Store(tmp_path, warnings.append))
        return made[-1]

    yield again
    for store in made:
        store.close()


def test_what_was_put_is_there_in_the_next_run(opened, warnings):
    with opened() as store:
        store.put("k", "shop", "payload")
    assert opened().get("k") == "payload"
    assert warnings == []


def test_unknown_key_is_none(opened):
    assert opened().get("k") is None


def test_last_payload_counts(opened):
    store = opened()
    store.put("k", "shop", "one")
    store.put("k", "shop", "two")
    assert store.get("k") == "two"


def test_two_stores_share_a_file(opened, warnings):
    one, two = opened(), opened()
    one.put("a", "shop", "1")
    two.put("b", "shop", "2")
    assert (one.get("b"), two.get("a")) == ("2", "1")
    assert warnings == []


def test_closed_store_remembers_nothing(opened):
    store = opened()
    store.put("k", "shop", "1")
    store.close()
    assert store.get("k") is None


def test_store_ignores_itself_in_git(opened, tmp_path):
    opened()
    assert (tmp_path / DIRECTORY / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("content", [b"not a database at all, but long enough" * 9, b"SQLite for"])
def test_damaged_store_is_emptied_with_a_warning(opened, tmp_path, warnings, content):
    (tmp_path / DIRECTORY).mkdir()
    (tmp_path / DIRECTORY / FILE).write_bytes(content)
    store = opened()
    store.put("k", "shop", "1")
    assert store.get("k") == "1"
    assert len(warnings) == 1
    assert "was damaged and has been emptied" in warnings[0]


def test_store_damaged_inside_is_emptied_when_it_is_noticed(opened, tmp_path, warnings):
    with opened() as store:
        for number in range(200):
            store.put(f"k{number}", "shop", "x" * 500)
    file = tmp_path / DIRECTORY / FILE
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    file.write_bytes(content)
    store = opened()
    assert store.get("k7") is None
    store.put("k", "shop", "1")
    assert store.get("k") == "1"
    assert len(warnings) == 1


def test_file_where_the_directory_should_be(opened, tmp_path, warnings):
    (tmp_path / DIRECTORY).write_text("mine")
    store = opened()
    store.put("k", "shop", "1")
    assert store.get("k") is None
    assert len(warnings) == 1
    assert "working without the store" in warnings[0]
    assert (tmp_path / DIRECTORY).read_text() == "mine"


def test_store_that_cannot_be_written_is_given_up_once(opened, warnings):
    store = opened()
    store._connection.execute("pragma query_only = on")
    store.put("k", "shop", "1")
    store.put("l", "shop", "1")
    assert len(warnings) == 1


def test_locked_store_is_given_up_and_not_deleted(opened, tmp_path, warnings, monkeypatch):
    monkeypatch.setattr(stores, "LOCK_SECONDS", 0.05)
    store = opened()
    store.put("k", "shop", "1")
    other = sqlite3.connect(tmp_path / DIRECTORY / FILE)
    other.execute("begin exclusive")
    store.put("l", "shop", "1")
    other.rollback()
    other.close()
    assert len(warnings) == 1
    assert opened().get("k") == "1"


def test_oldest_entries_go_first(opened, monkeypatch):
    monkeypatch.setattr(stores, "MAX_ENTRIES", 3)
    store = opened()
    for number in range(5):
        store.put(f"k{number}", "shop", "x")
    assert [store.get(f"k{number}") for number in range(5)] == [None, None, "x", "x", "x"]


def test_no_memory_remembers_nothing():
    memory = NoMemory()
    memory.put("k", "shop", "1")
    assert memory.get("k") is None
