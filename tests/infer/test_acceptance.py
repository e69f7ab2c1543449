"""``unitcraft specs`` (cli_specs) on classes whose laws are known, to each form of the answer.

One run goes through all rooms: the transition_table of class_operations, pools, configurations,
profiles and state_equality; enumeration, conditional_laws, rewriting and confirmation in each round
of infer_class for a class_request; the specification by law_text, law_expressions,
shown_laws, expression_check, specs_report and specs_suite.  law_parsing reads stated laws, axioms
are the lines about frames.
"""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path

import click
import pytest

from unitcraft.app.cli import exit_code
from unitcraft.app.commands.cli_specs import _values
from unitcraft.app.config import load
from unitcraft.app.exploration.specs_command import SpecsRequest, render_specs, run_specs
from unitcraft.core.errors import UnitcraftError

sys.path.insert(0, str(Path(__file__).parents[1] / "app"))
from report_schema import check_document

SUBJECTS = Path(__file__).parents[2] / "benchmarks" / "subjects"

#: Laws of UBStack with capacity 2 and arguments 0, 1, 2: the counts that the slides state.
COUNTS = {
    "(top(S) == -1) == (size(S) == 0)": (10, 10),
    "is_empty(push(S, e)) == False": (30, 30),
    "top(push(S, e)) == e": (24, 30),
    "is_member(push(S, e), e)": (24, 30),
    "pop(push(S, e)) == S": (9, 30),
    "pop(push(S, e)) == S if not is_member(S, e) and not is_full(S)": (9, 9),
    "push(push(S, e), f) == push(push(S, f), e)": (54, 90),
}


@pytest.fixture(scope="module")
def stack():
    """UBStack with capacity 2, never popped when it is empty."""
    request = SpecsRequest(
        str(SUBJECTS / "ub_stack.py") + ":UBStack",
        (),
        (0, 1, 2),
        {"max_size": (2,)},
        ("pop: not is_empty()",),
        tuple(COUNTS),
        1,
        0,
        load(SUBJECTS),
    )
    return run_specs(request, SUBJECTS)


def test_counts_are_those_of_the_slides(stack):
    stated = stack.found[0].checked
    counts = [(one.learned.holding, one.learned.rows) for one in stated]
    assert counts == list(COUNTS.values())
    assert stack.found[0].states[0] == 10


def test_the_sentinel_refutes_what_the_values_given_did_not(stack):
    """top() answers -1 for an empty stack; the shortest example pushes -1."""
    sentinel = stack.found[0].checked[0]
    assert sentinel.witness is not None
    assert [call.name for call in sentinel.witness.calls] == ["ub_stack:UBStack", "push"]
    assert sentinel.witness.calls[1].args[1].value == -1


def test_a_fixed_point_is_reached(stack):
    assert stack.found[0].fixed
    assert stack.found[0].iterations <= 4


def test_laws_are_found_with_their_weakest_guards(stack):
    laws = [text for one in stack.found[0].laws for text in one.said]
    assert "pop(push(S, value)) == S if not is_full(S) and not is_member(S, value)" in laws
    assert "top(push(S, value)) == value if not is_full(S) or is_member(S, value)" in laws
    assert "size(pop(S)) == size(S) - 1 if not is_empty(S)" in laws


def test_json_has_expressions_that_are_true(stack):
    """Each law as a caller would evaluate it, here on three stacks made by hand."""
    text = render_specs(stack, "json")
    check_document(text)
    document = json.loads(text)
    (found,) = document["classes"]
    names: dict[str, object] = {}
    exec(found["prelude"], names)
    exec((SUBJECTS / "ub_stack.py").read_text(), names)
    exec("a = UBStack(2); b = UBStack(2); b.push(5); c = UBStack(2); c.push(1); c.push(9)", names)
    checked = 0
    for law in found["laws"]:
        for name in "bc":
            for value in (1, 4):
                here = {**names, "S": names[name], "value": value, "value2": 9,
                        "max_size": 2}  # fmt: skip
                if not law["guard"] or eval(law["guard"], here):
                    assert eval(law["expression"], here) is True, law["law"]
                    checked += 1
    assert checked > 40


def test_markdown_and_text_show_the_same_laws(stack):
    laws = [one.text for one in stack.found[0].laws]
    text, page = render_specs(stack, "text"), render_specs(stack, "markdown")
    assert all(law in text and f"`{law}`" in page for law in laws)
    assert "assumed: pop: not is_empty()" in text


def test_axioms_are_lines_about_calls(stack):
    lines = [axiom.text for axiom in stack.found[0].axioms]
    assert "top changes nothing" in lines
    assert not any(line.startswith("push") for line in lines)


def test_a_law_that_cannot_be_read_says_why():
    request = SpecsRequest(
        f"{SUBJECTS}/list_int_stack.py:ListIntStack", (), (0,), {}, (), ("pop(S, 1) == S",), 1, 0,
        load(SUBJECTS),
    )  # fmt: skip
    with pytest.raises(UnitcraftError, match="pop takes 0 arguments"):
        run_specs(request, SUBJECTS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("size=1,2", {"size": (1, 2)}),
        ("code=EUR,USD", {"code": ("EUR", "USD")}),
        ("code='a b',None,-1", {"code": ("a b", None, -1)}),
    ],
)
def test_values_need_no_quotes_that_a_shell_takes_away(text, expected):
    context = click.Context(click.Command("specs"))
    assert _values(context, click.Option(["--concrete"]), (text,)) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--requires", "pop is empty"], "bad-condition"),
        (["--concrete", "size=[1]"], "numbers or texts"),
        (["--methods", "pusch"], "did you mean 'push'"),
    ],
)
def test_cli_specs_says_what_it_cannot_read(words, message, capsys):
    target = f"{SUBJECTS}/list_int_stack.py:ListIntStack"
    assert exit_code(["specs", target, *words]) == 2
    assert message in capsys.readouterr().err


def test_the_tests_of_laws_pass_and_see_a_fault(stack, monkeypatch):
    """As written, on the class as it is, then with a push that counts twice."""
    source = (SUBJECTS / "ub_stack.py").read_text()
    text = render_specs(stack, "pytest")
    assert failures(text, source, monkeypatch) == []
    assert failures(text, source.replace("self._size += 1", "self._size += 2"), monkeypatch)
    blind = source.replace("self._size != other._size or", "False or")
    assert failures(text, blind, monkeypatch) == ["test_objects_that_differ_are_not_equal"]


def failures(text, source, monkeypatch):
    """The tests of ``text`` that fail for the ``ub_stack`` of ``source``, run as pytest would."""
    module = types.ModuleType("ub_stack")
    exec(source, module.__dict__)
    monkeypatch.setitem(sys.modules, "ub_stack", module)
    names: dict[str, object] = {}
    exec(text, names)
    failed = []
    for name, test in names.items():
        if name.startswith("test_"):
            given, rows = test.pytestmark[0].args
            try:
                for row in rows:
                    test(*(row if "," in given else [row]))
            except (AssertionError, IndexError):
                failed.append(name)
    return failed
