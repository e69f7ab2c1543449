"""The RunWorld: what a run printed, and nothing of the run before."""

from __future__ import annotations

import contextlib
import logging
import warnings

import pytest

from unitcraft.execute.guest.run_world import RunWorld
from unitcraft.execute.sandbox.streams import MAX_KEPT, Streams


@pytest.fixture
def streams(monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    monkeypatch.setattr(logging, "lastResort", logging.lastResort)
    return Streams(None)


def shown(world):
    return [(call[:2], value) for call, value in world.effects()]


def test_a_run_shows_what_it_printed(streams):
    world = RunWorld(streams)
    print("earlier", file=streams.out)
    world.begin()
    assert shown(world) == []
    print("out", file=streams.out)
    assert shown(world) == [(("output", "out"), "out\n")]
    print("err", file=streams.err)
    assert shown(world) == [(("output", "both"), ("out\n", "err\n"))]
    world.begin()
    print("x" * MAX_KEPT, file=streams.out)
    assert shown(world) == []


def test_warnings_and_records_are_no_output(streams):
    world = RunWorld(streams)
    world.begin()
    with contextlib.redirect_stderr(streams.err):
        warnings.showwarning("text", UserWarning, "m.py", 1)
        logging.lastResort.handle(logging.makeLogRecord({"levelno": logging.ERROR}))
    assert shown(world) == []
