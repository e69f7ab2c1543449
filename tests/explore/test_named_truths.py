"""Tests of what is true or false under a key or as a keyword."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.sequences import Arg, Build, Call, Const, Sequence, Symbol
from unitcraft.explore.search.variation.named_truths import Truths, with_truths
from unitcraft.subject.ducktypes.switches import asked_for_truth, asked_names, switches
from unitcraft.subject.literal_args import literal_in

SPACE = Symbol("types", "SimpleNamespace")


def _switches(code: str) -> frozenset[str]:
    tree = ast.parse(code)
    return switches(tree, asked_for_truth(tree))


def _literal(text: str) -> Arg:
    found = literal_in(ast.parse(text, mode="eval").body)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if options['strict']: pass", {"strict"}),
        ("if not (options['strict'] or x): pass", {"strict"}),
        ("strict = options.get('strict')\n    if strict: pass", {"strict"}),
        ("if options['strict']: return options['strict']", set()),
        ("strict = options['strict']\n    if strict: return strict", set()),
        ("strict = options['strict']\n    strict = 1\n    if strict: pass", set()),
        ("return options['strict']", set()),
        ("if options['strict'] > 1: pass", set()),
        ("if options['strict'] or options['strict'] is None: pass", {"strict"}),
        ("if options['strict'] is not None: pass", set()),
    ],
)
def test_a_key_is_a_switch_where_only_conditions_ask_for_it(body, expected):
    assert _switches(f"def run(options, x):\n    {body}\n") == expected


def test_an_attribute_that_is_called_or_compared_is_no_switch():
    code = "def run(job):\n    if job.ready and job.size > 1 and job.idle():\n        pass\n"
    assert _switches(code) == {"ready"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("{'strict': 1, 'size': 1}", "{'strict': True, 'size': 1}"),
        ("{'strict': []}", "{'strict': False}"),
        ("[{'json': {'strict': 'abc'}}]", "[{'json': {'strict': True}}]"),
    ],
)
def test_what_a_switch_has_becomes_its_truth_at_any_depth(given, expected):
    sequence = Sequence((Call("function", "m:run", (_literal(given),)),))
    (found,) = with_truths(sequence, Truths(frozenset({"strict"})))
    assert found.calls[0].args == (_literal(expected),)


def test_keywords_of_calls_and_stand_ins_are_names_too():
    space = Build(SPACE, (), (("strict", Const(None)), ("size", Const(3))))
    sequence = Sequence((Call("function", "m:run", (space,), (("strict", Const("yes")),)),))
    (found,) = with_truths(sequence, Truths(frozenset({"strict"})))
    assert found.calls[0].kwargs == (("strict", Const(value=True)),)
    (given,) = found.calls[0].args
    assert given == Build(SPACE, (), (("strict", Const(value=False)), ("size", Const(3))))


def test_a_sequence_whose_switches_are_true_or_false_has_no_variant():
    sequence = Sequence((Call("function", "m:run", (_literal("{'strict': True}"),)),))
    assert list(with_truths(sequence, Truths(frozenset({"strict"})))) == []


def test_an_empty_container_is_false_first_where_its_truth_is_asked_among_other_things():
    code = "def run(job, text):\n    if job.later: job.wait(job.later, text.lines)\n"
    tree = ast.parse(code)
    assert asked_names(tree, asked_for_truth(tree)) == {"later"}
    given = _literal("{'later': [], 'strict': [], 'lines': [], 'text': ''}")
    sequence = Sequence((Call("function", "m:run", (given,)),))
    found = list(with_truths(sequence, Truths(frozenset({"strict"}), frozenset({"later", "text"}))))
    assert [one.calls[0].args[0] for one in found] == [
        _literal("{'later': False, 'strict': False, 'lines': [], 'text': ''}"),
        _literal("{'later': [], 'strict': False, 'lines': [], 'text': ''}"),
    ]
