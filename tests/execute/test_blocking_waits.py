"""What a pool of threads was given to do is done when a Call is over, if it ends soon."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from unitcraft.execute.sandbox.blocking_waits import await_begun, follow_pools


@pytest.fixture
def begun(monkeypatch):
    plain = ThreadPoolExecutor.submit
    monkeypatch.setattr(ThreadPoolExecutor, "submit", getattr(plain, "__wrapped__", plain))
    found = follow_pools()
    yield found
    found.clear()


def test_what_ends_soon_is_awaited(begun):
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(time.sleep, 0.01)
        assert begun == [future]
        await_begun()
        assert future.done()
    assert begun == []


def test_what_does_not_end_is_left(begun):
    ended = Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(ended.wait)
        await_begun()
        assert not future.done()
        ended.set()
    assert begun == []


def test_a_pool_is_followed_once(begun):
    assert follow_pools() is begun
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int)
    assert len(begun) == 1


def test_what_a_thread_of_a_pool_begins_is_its_own_affair(begun):
    with ThreadPoolExecutor(1) as inner, ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: inner.submit(int)).result()
    assert len(begun) == 1
