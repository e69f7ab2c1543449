from __future__ import annotations

import os
import subprocess
import sys

import pytest

from unitcraft.core.randomness import seeded_random

NAME = seeded_random.__name__
SHOW = f"from unitcraft.core.randomness import {NAME}; print({NAME}(7, 'search', 3).random())"


def first(*purpose):
    return seeded_random(*purpose).random()


def test_same_purpose_gives_the_same_stream():
    assert first(7, "search", 3) == first(7, "search", 3)


@pytest.mark.parametrize("other", [(8, "search", 3), (7, "search", 4), (7, "search"), (7, "s", 3)])
def test_another_purpose_gives_another_stream(other):
    assert first(7, "search", 3) != first(*other)


def test_parts_do_not_run_together():
    assert first(0, "ab", "c") != first(0, "a", "bc")


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_stream_does_not_depend_on_hash_randomisation(hash_seed):
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    shown = subprocess.check_output([sys.executable, "-c", SHOW], env=env, text=True)
    assert float(shown) == first(7, "search", 3)
