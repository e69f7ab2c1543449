"""Mutants in the text of a file: one small change, and all else as it was."""

from __future__ import annotations

import ast

import pytest

from unitcraft.suite.mutation.mutants.mutant_text import change_of
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource

TEXT = '''\
"""Prices."""

RATES = {'a': 1,  # the usual one
         'b': 2}


class Cart:
    @staticmethod
    def total(prices, é='x', limit=10):
        """Sum up."""
        if len(prices) > limit and é != "y":  # many
            raise ValueError('too many: ' + é)
        found = [p * 2 for p in prices
                 if p > 0]
        return sum(found) - (limit + 1)'''


@pytest.fixture(scope="module")
def source():
    return ModuleSource("m", "m.py", TEXT)


def test_the_text_of_each_mutant_has_its_tree(source):
    assert len(source.mutants) > 15
    for mutant in source.mutants:
        change = change_of(source, mutant)
        assert change is not None, mutant.about
        made = change.applied(TEXT)
        normal = ast.parse(ast.unparse(source.mutated(mutant)))
        assert ast.dump(ast.parse(made)) == ast.dump(normal), mutant.about


def test_only_what_differs_is_written_anew(source):
    briefs = []
    for mutant in source.mutants:
        made = change_of(source, mutant).applied(TEXT)
        gone = [line for line in TEXT.splitlines() if line not in made.splitlines()]
        assert len(gone) <= 2, (mutant.about, gone)
        briefs.append(change_of(source, mutant).brief)
    line = "return sum(found) - (limit + 1)"
    assert f"{line}  ->  {line.replace('-', '+')}" in briefs


LOOPS = """\
def first(rows):
    for row in rows:  # each
        found = "a" + row
        print(found)  # shown
    while rows: rows.pop()
    return rows
"""


def test_a_statement_that_ends_a_loop_is_all_that_is_new():
    source = ModuleSource("m", "m.py", LOOPS)
    flows = [one for one in source.mutants if one.about.operator == "flow"]
    made = [(change_of(source, one).brief, change_of(source, one).applied(LOOPS)) for one in flows]
    added = LOOPS.replace("  # shown\n", "  # shown\n        break\n")
    assert ("(nothing)  ->  break", added) in made
    assert all(ast.parse(text) for _, text in made)


def test_a_change_is_looked_for_in_the_lines_of_its_function_alone(source):
    firsts = {change_of(source, one).first for one in source.mutants if one.value is None}
    assert firsts == {8}, "not those of its class, which may be a hundred times as long"


def test_what_shares_its_line_with_the_head_of_its_class_is_changed_too():
    text = "class A: RATES = {'a': 1}\ndef f(): return A.RATES\n"
    source = ModuleSource("m", "m.py", text)
    made = [change_of(source, one).applied(text) for one in source.mutants]
    trees = [ast.dump(source.mutated(one)) for one in source.mutants]
    assert [ast.dump(ast.parse(one)) for one in made] == trees != []
