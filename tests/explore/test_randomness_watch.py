"""Runs that draw unseeded random values are settled by repetition."""

from __future__ import annotations

import pytest
from source_lab import Lab

from unitcraft.core.encoding import encode_sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec

SOURCE = """
import os
import random
import secrets
import uuid

def often(): return random.Random().random() < 0.75
def never(): return random.Random().random() < 2
def fresh(): return random.randrange(3)
def told(seed): return random.Random(seed).random()
def reseeded():
    random.seed(4)
    return random.random()
def system(): return os.urandom(1)[0] % 2
def token(): return secrets.choice("abc")
def name(): return uuid.uuid4().int % 2
def plain(): return 7
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What ``after`` answers for a call of each function, from a worker of its own."""
    folder = tmp_path_factory.mktemp("entropy")
    (folder / "sample.py").write_text(SOURCE)
    texts = ["often()", "never()", "fresh()", "told(3)", "reseeded()", "system()", "token()",
             "name()", "plain()", "told(None)"]  # fmt: skip
    spec = HostSpec(
        "unitcraft.explore.agents.search_agent",
        {"module": "sample", "rewrite": False},
        paths=(str(folder),),
    )
    with Pool(spec) as pool:
        items = [encode_sequence(Lab.sequence(None, text)) for text in texts]
        replies = pool.map("after", items, isolate=True)
        return {text: reply.value for text, reply in zip(texts, replies, strict=True)}


@pytest.mark.parametrize(
    "text", ["often()", "fresh()", "system()", "token()", "name()", "told(None)"]
)
def test_what_differs_from_run_to_run_is_no_answer(answers, text):
    assert answers[text] is None


@pytest.mark.parametrize("text", ["never()", "told(3)", "reseeded()", "plain()"])
def test_what_every_run_agrees_on_is_one(answers, text):
    assert answers[text][0] is None
    assert answers[text][1][0] == "c"
