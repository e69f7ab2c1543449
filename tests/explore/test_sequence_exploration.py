"""Runs of candidate sequences: which call influenced which, and which sequences are redundant."""

from __future__ import annotations

import importlib
import sys
import textwrap

import pytest

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.sequences import Call, Ref, Sequence
from unitcraft.explore.agents.influence_agent import InfluenceAnswer, TracedFields, influences
from unitcraft.explore.concolic.influence_criteria import can_be_extended, is_redundant
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.step_probes import StepProbes

TABLE = """
    class Fields:
        def __init__(self):
            self.a = 0
            self.b = 0
            self.items = []

        def define_a(self):
            self.a = 1

        def define_b(self):
            self.b = 1

        def use_a(self):
            return self.a

        def use_both(self):
            return self.a + self.b

        def increase_a(self):
            self.a += 1

        def use_first(self):
            flag = False
            self.b = flag
            if self.a:
                self.b = True

        def push(self):
            self.items.append(1)

        def size(self):
            return len(self.items)
    """


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    """The answer of the agent to methods of one object, and their Sequence."""
    folder = tmp_path_factory.mktemp("traced")
    (folder / "redundancy.py").write_text(textwrap.dedent(TABLE))
    hook = Hook("redundancy", TracedFields("redundancy"), StepProbes())
    sys.meta_path.insert(0, hook)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    importlib.import_module("redundancy")

    def run(*names):
        made = Call("function", "redundancy:Fields")
        calls = [Call("method", name, (Ref(0),)) for name in names]
        program = Sequence((made, *calls))
        return program, InfluenceAnswer(*influences(encode_sequence(program)))

    yield run
    sys.meta_path.remove(hook)
    sys.path.remove(str(folder))
    sys.modules.pop("redundancy", None)


@pytest.mark.parametrize(
    ("names", "redundant"),
    [
        # table 4.4 of the thesis
        (("define_a", "use_a", "use_a"), True),
        (("define_a", "define_a", "use_a"), True),
        (("define_a", "define_b", "use_both"), False),
        (("define_a", "increase_a", "use_a"), False),
        # the order of definition and use within one call does not matter
        (("define_a", "use_first", "use_both"), False),
        (("push", "push", "size"), False),
        (("push", "use_a"), True),
    ],
)
def test_a_call_without_influence_makes_a_sequence_redundant(traced, names, redundant):
    assert is_redundant(*traced(*names)) is redundant


@pytest.mark.parametrize(
    ("names", "used", "extended"),
    [
        (("define_a",), ["a"], True),
        (("define_a",), ["b"], False),
        (("define_a", "define_a"), ["a"], False),
        (("push",), ["items"], True),
        (("use_a",), ["a", "b", "items"], False),
    ],
)
def test_a_beginning_goes_on_while_every_call_may_still_influence_one(
    traced, names, used, extended
):
    assert can_be_extended(*traced(*names), used) is extended
    assert can_be_extended(*traced(*names), [], exempt=range(9))


def test_a_call_that_raises_ends_the_trace(traced):
    program, answer = traced("push", "missing", "push")
    assert answer.ended == 2
    assert (0, 1) in answer.pairs
    assert len(program) == 4
