"""``--criterion field``: the Sequences that it plans, and the suite that is written."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pile_subject import SOURCE

from unitcraft.app.generate.generate_module import generate
from unitcraft.app.generate.generated_suite import Options
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import SilentListener
from unitcraft.core.rule_codes import NO_SEQUENCE, VIOLATED
from unitcraft.core.types import TypeExpr
from unitcraft.execute.spec import HostSpec
from unitcraft.heaps.heap_generation import HeapGenerator
from unitcraft.heaps.heap_goals import plan_heaps
from unitcraft.heaps.heap_task import HeapsRequest, generation_task
from unitcraft.heaps.transcoping import StopRule
from unitcraft.subject.locate import locate
from unitcraft.subject.model import ClassInfo, Invocable, Parameter, Subject

#: Nothing makes a pile that is marked and has two cells.
UNMARKED = SOURCE.replace("self.many = True", "pass")

TAGGED = """\
class Tagged:
    def __init__(self):
        self.tag = ""

    def name(self, tag: str):
        self.tag = tag

    def rep_ok(self):
        return len(self.tag) < 2
"""


def planned(folder, source, scope=2, rule=None, invariant=""):
    (folder / "piles.py").write_text(source)
    known = () if invariant == "inferred" else (invariant or "rep_ok",)
    names = ("put", "mark", "take", *known)
    ids = tuple(f"piles:Pile.{name}" for name in names)
    methods = tuple(Invocable(one, "method", one.rpartition(".")[2], "piles:Pile") for one in ids)
    info = ClassInfo("piles:Pile", "piles", "Pile", members=ids)
    subject = Subject("piles", "", classes=(info,), invocables=methods)
    return plan_heaps(HostSpec("", paths=(str(folder),)), subject, scope, rule, invariant)


def test_transcoping_ends_the_search_of_heaps(tmp_path):
    short = planned(tmp_path, SOURCE, 7, StopRule("time", "quadratic"))
    exhaustive = 3 * (8 + 1)  # three methods; none to seven cells, and one pile that is marked
    assert 0 < len(short.plan) < exhaustive


def test_each_method_is_called_in_each_heap(tmp_path):
    found = planned(tmp_path, UNMARKED)
    names = [[call.name for call in sequence.calls[1:]] for _, sequence in found.plan]
    built = ["builtins:object.__new__"] * 2 + ["top", "many", "after", "after"]
    heaps = [[], ["put"], ["put", "put"], built]
    assert names == [[*heap, name] for heap in heaps for name in ("put", "mark", "take")]
    assert len({goal for goals in found.goals.values() for goal in goals}) == 12
    assert [one.is_built for one in found.checks.values()] == [False] * 9 + [True] * 3
    said = "no sequence of calls reaches 1 of 4 heaps; tests build 1 of them field by field"
    assert [(one.code, one.message) for one in found.findings] == [(NO_SEQUENCE, said)]


def test_a_module_without_invariants_is_refused(tmp_path):
    with pytest.raises(UnitcraftError, match="no representation invariant"):
        planned(tmp_path, SOURCE.replace("rep_ok", "height"))


def test_the_invariant_has_any_name_that_is_given(tmp_path):
    found = planned(tmp_path, SOURCE.replace("rep_ok", "height"), 1, invariant="height")
    assert {one.invariant for one in found.checks.values()} == {"height"}


def test_an_expression_tells_valid_heaps_and_is_not_asserted(tmp_path):
    source = SOURCE.replace("rep_ok", "height")
    found = planned(tmp_path, source, 1, invariant="self.height()")
    assert found.plan
    assert found.checks == {}


def test_of_what_an_inferred_invariant_allows_only_what_calls_reach_is_taken(tmp_path):
    source = UNMARKED.partition("    def rep_ok")[0]
    found = planned(tmp_path, source, invariant="inferred")
    names = [[call.name for call in sequence.calls[1:-1]] for _, sequence in found.plan]
    assert names == [[], [], [], *[["put"]] * 3, *[["put"] * 2] * 3]
    assert (found.checks, found.findings) == ({}, [])


def test_methods_that_take_texts_are_called_in_heaps_that_hold_them(tmp_path):
    (tmp_path / "tagged.py").write_text(TAGGED)
    asked = HeapsRequest("tagged", "Tagged", (1, 2), paths=(str(tmp_path),))
    task = generation_task(asked)
    heaps = {heap.form[0][1] for heap in HeapGenerator(task).heaps()}
    assert heaps == {("",), ("a",), ("b",)}
    korat = generation_task(replace(asked, scopes=(2,), engine="korat"))
    assert {heap.form[0][1] for heap in HeapGenerator(korat).heaps()} == heaps
    ids = ("tagged:Tagged.name", "tagged:Tagged.rep_ok")
    text = (Parameter("tag", type=TypeExpr("str")),)
    methods = (
        Invocable(ids[0], "method", "name", "tagged:Tagged", text),
        Invocable(ids[1], "method", "rep_ok", "tagged:Tagged"),
    )
    info = ClassInfo("tagged:Tagged", "tagged", "Tagged", members=ids)
    subject = Subject("tagged", "", classes=(info,), invocables=methods)
    found = plan_heaps(HostSpec("", paths=(str(tmp_path),)), subject, 2)
    passed = [[call.args[1].value for call in one.calls[1:]] for _, one in found.plan]
    wanted = [[*heap, tag] for heap in ([], ["a"], ["b"]) for tag in ("a", "b", "c")]
    assert sorted(passed) == sorted(wanted)
    assert found.findings == []


def test_the_suite_has_a_test_for_each(tmp_path):
    (tmp_path / "piles.py").write_text(SOURCE)
    options = Options(jobs=1, criterion=("field",), scope=1, symbolic=False)
    made = generate(locate("piles.py", tmp_path)[0], options, SilentListener())
    assert "pile.put()" in made.text
    assert "assert pile.rep_ok() is True" in made.text
    assert made.text.count("def test_") >= 3
    assert VIOLATED in {one.code for one in made.findings}
