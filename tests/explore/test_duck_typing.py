"""Probes: what an untyped parameter meets becomes a hint, never a type."""

from __future__ import annotations

import pytest

from unitcraft.core.encoding import encode_call
from unitcraft.explore.agents.search_agent import probe_parameters
from unitcraft.explore.search.duck_typing import MAX_HINTS, hint_types

SOURCE = """
def shout(word):
    return word.upper() + "!"

def add(number):
    return number.bit_length() + 1

def each(items):
    for item in items:
        yield item.strip()

def typed(word: str):
    return word

def crashes(thing):
    thing.keys()
    raise RuntimeError

class Holder:
    def __init__(self):
        self.count = 0

    def note(self, text):
        self.count += 1
        return text.startswith("a")
"""


def hinted(one, name, *texts):
    objects = one.filled(*texts)
    proposer = one.proposer(name, objects)
    pool = one.pool()
    hint_types([proposer], one.subject.classes, pool)
    return [hint.name for hint in proposer.slots[0].hints], pool.served


@pytest.mark.parametrize(("name", "hint"), [("shout", "str"), ("add", "int"), ("crashes", "dict")])
def test_what_the_code_does_with_it_hints_at_its_type(lab, name, hint):
    hints, served = hinted(lab(SOURCE), name)
    assert hints[0] == hint
    assert len(hints) <= MAX_HINTS
    assert served == 1


def test_a_generator_body_is_run_for_its_hints(lab):
    assert hinted(lab(SOURCE), "each")[0] != []


def test_annotated_parameters_are_not_probed(lab):
    assert hinted(lab(SOURCE), "typed") == ([], 0)


def test_methods_are_probed_on_a_known_object(lab):
    assert hinted(lab(SOURCE), "Holder.note") == ([], 0)
    assert hinted(lab(SOURCE), "Holder.note", "Holder()")[0][0] == "str"


def test_the_declared_type_stays_open(lab):
    one = lab(SOURCE)
    proposer = one.proposer("shout")
    hint_types([proposer], one.subject.classes, one.pool())
    assert proposer.slots[0].declared.name == "any"
    kinds = {type(getattr(s.calls[-1].args[0], "value", None)) for s in proposer.propose(60)}
    assert len(kinds) > 2


def test_a_receiver_that_cannot_be_made_shows_nothing(lab):
    one = lab(SOURCE)
    calls = one.sequence("crashes({})").calls
    item = (tuple(map(encode_call, calls)), encode_call(calls[0]), ("thing",))
    assert probe_parameters(item) == ()


def test_hinted_proposals_run_sensibly_more_often(lab):
    one = lab(SOURCE)
    plain, probed = one.proposer("shout"), one.proposer("shout")
    hint_types([probed], one.subject.classes, one.pool())

    def good(proposer):
        return sum(one.run(s, "shout").returned for s in proposer.propose(40))

    assert good(probed) > good(plain)
