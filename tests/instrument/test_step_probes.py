"""Steps are counted in a tree as in a rewritten copy, and the tree is as it was afterwards."""

from __future__ import annotations

import ast

import pytest

from unitcraft.execute.steps import TICK
from unitcraft.instrument.branch_recorder import RecordedBranches
from unitcraft.instrument.step_probes import StepProbes, counting_steps

FUNCTIONS = """
def f():
    return "a"

def f():
    "text"
    for one in range(3):
        "no docstring"
        yield one

def f():
    while True:
        try:
            raise ValueError
        except ValueError:
            break
        finally:
            pass
    return ""

def f():
    def inner():
        "text"
    for _ in range(2):
        inner()
    else:
        inner()
    return ""

def f(given=3):
    class Inner:
        def method(self):
            if self:
                with open("/dev/null"):
                    for _ in "ab":
                        continue
    Inner().method()
    match given:
        case 3:
            for _ in range(given):
                pass
        case _:
            pass
    return ""
""".strip().split("\n\n")


def steps_of(tree, probes=()):
    """How many steps the function of ``tree`` takes."""
    taken = []
    space = {**dict(probes), TICK: lambda: taken.append(1)}
    exec(compile(ast.fix_missing_locations(tree), "<f>", "exec"), space)
    list(space["f"]())
    return len(taken)


@pytest.mark.parametrize("source", FUNCTIONS)
def test_the_steps_are_those_of_rewritten_code_and_the_tree_stays(source):
    branches, counted = RecordedBranches(), StepProbes()
    of_branches = steps_of(branches.rewrite(ast.parse(source), "m"), branches.probes)
    assert steps_of(counted.rewrite(ast.parse(source), "m")) == of_branches > 0
    tree = ast.parse(source)
    with counting_steps(tree.body[0]):
        assert steps_of(tree) == of_branches
    before = ast.dump(ast.parse(source), include_attributes=True)
    assert ast.dump(tree, include_attributes=True) == before
