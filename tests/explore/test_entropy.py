"""Unseeded random values repeat themselves in each run; what depends on them is told apart."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace

import pytest
from source_lab import Lab

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.sequences import Sequence
from unitcraft.execute.isolation.entropy import Entropy
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
SHARED = random.Random()
def shared(): return SHARED.randrange(5)
def made():
    generator = random.Random()
    generator.seed(3)
    return generator.random()
def seeded_late():
    generator = random.Random()
    drawn = generator.random() < 0.75
    generator.seed(3)
    return drawn
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What ``after`` answers for a call of each function, from a worker of its own."""
    folder = tmp_path_factory.mktemp("entropy")
    (folder / "sample.py").write_text(SOURCE)
    texts = ["often()", "never()", "fresh()", "told(3)", "reseeded()", "system()", "token()",
             "name()", "plain()", "told(None)", "shared()", "made()", "seeded_late()"]  # fmt: skip
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
    "text",
    [
        "often()",
        "fresh()",
        "system()",
        "token()",
        "name()",
        "told(None)",
        "shared()",
        "seeded_late()",
    ],
)
def test_what_differs_from_run_to_run_is_no_answer(answers, text):
    assert answers[text] is None


def test_every_worker_of_every_host_draws_the_same_values(tmp_path):
    (tmp_path / "helper.py").write_text("import random\ndef number(): return random.random()\n")
    (tmp_path / "sample.py").write_text(
        "import helper\ndef drawn() -> str: return 'x' * int(1000 * helper.number())\n"
    )
    options = {"module": "sample", "rewrite": False}
    spec = HostSpec("unitcraft.explore.agents.search_agent", options, paths=(str(tmp_path),))
    item = encode_sequence(Lab.sequence(None, "drawn()"))
    seen = set()
    for _ in range(2):
        with Pool(spec, 2) as pool:
            for isolate in (False, True):
                replies = pool.map("observe", [item] * 4, batch=1, isolate=isolate)
                seen.update([repr(reply.value) for reply in replies])
    assert len(seen) == 1


def test_two_processes_with_one_seed_draw_the_same_values_and_other_seeds_others(tmp_path):
    code = """
import os, random, sys, uuid
from unitcraft.execute.isolation.entropy import ENTROPY
ENTROPY.install(int(sys.argv[1]))
ENTROPY.restart()
print(random.random(), random.Random().random(), os.urandom(40), uuid.uuid4())
ENTROPY.restart()
print(random.Random().random())
"""
    drawn = [
        subprocess.run(
            [sys.executable, "-c", code, seed], capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "0", "1")
    ]
    assert drawn[0] == drawn[1]
    assert not set(drawn[0].split()) & set(drawn[2].split())


@pytest.mark.parametrize("text", ["never()", "told(3)", "reseeded()", "plain()", "made()"])
def test_what_every_run_agrees_on_is_one(answers, text):
    assert answers[text][0] is None
    assert answers[text][1][0] == "c"


def test_a_forked_process_draws_on_where_the_other_stands():
    """``random`` seeds its own generator from the system in each fork."""
    text = """
import os, random
from unitcraft.execute.isolation.entropy import ENTROPY
ENTROPY.install(0)
random.random()
for _ in range(2):
    if not os.fork():
        print(random.random(), flush=True)
        os._exit(0)
    os.wait()
print(random.random())
"""
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, check=True
    )  # fmt: skip
    assert len(set(done.stdout.split())) == 1
    assert len(done.stdout.split()) == 3


IDENTIFIERS = """
import sys
from unitcraft.execute.isolation.entropy import ENTROPY
ENTROPY.install(int(sys.argv[1]))
import uuid
print(uuid.getnode(), uuid.uuid1().node, uuid.uuid1().clock_seq)
"""


def identifiers(seed):
    command = [sys.executable, "-c", IDENTIFIERS, str(seed)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_identifiers_of_the_machine_repeat_themselves_and_are_others_with_another_seed():
    first = identifiers(1)
    assert first == identifiers(1)
    assert first[0] == first[1]
    assert first[0] != identifiers(2)[0]


DIE = """
import random

class Die:
    def __init__(self, seed):
        self.generator = random.Random(seed)
        self.sides = 6

    def roll(self):
        return self.generator.randint(1, self.sides)

    def shake(self, seed):
        self.generator.seed(seed)
"""


@pytest.fixture(scope="module")
def ask_die(tmp_path_factory):
    """A function that asks a worker what the Calls of a text come to, by a service."""
    folder = tmp_path_factory.mktemp("die")
    (folder / "die.py").write_text(DIE)
    options = {"module": "die", "rewrite": False}
    spec = HostSpec("unitcraft.explore.agents.search_agent", options, paths=(str(folder),))
    with Pool(spec) as pool:

        def ask(service, text):
            sequence = Lab.sequence(None, text)
            calls = [replace(one, name=one.name.replace("sample", "die")) for one in sequence.calls]
            item = encode_sequence(Sequence(tuple(calls)))
            return next(iter(pool.map(service, [item], isolate=True))).value

        yield ask


def test_a_method_that_draws_is_no_observer(ask_die):
    shown = [call[1] for call, _ in ask_die("after", "Die(1)")[4][0][2]]
    assert shown == ["sides"]


def test_states_differ_by_the_seed_and_not_by_what_was_drawn(ask_die):
    def state(text):
        return ask_die("run", text)[5][0][2]

    fresh = state("die = Die(1)")
    assert fresh == state("die = Die(1)\ndie.roll()") == state("die = Die(2)\ndie.shake(1)")
    assert fresh != state("die = Die(2)")


@pytest.mark.parametrize("draws", [1, 624])
def test_a_generator_that_an_item_drew_from_is_put_back(draws):
    entropy = Entropy()
    entropy.keep()
    entropy.watch()
    before = random.getstate()
    for _ in range(draws):  # after 624 draws of 32 bits it stands at the same place of its state
        random.getrandbits(32)
    assert random.getstate() != before
    entropy.rewind()
    assert random.getstate() == before
