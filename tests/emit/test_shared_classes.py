"""Classes that tests define: in the test, or above all where several define the same."""

from __future__ import annotations

import ast

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Ref, Sequence, Symbol
from unitcraft.emit.merge.merge_edits import merge
from unitcraft.emit.write.shared_classes import members_of_lines, shared_classes
from unitcraft.emit.write.writer import write
from unitcraft.subject.model import ClassInfo, Invocable, Subject
from unitcraft.suite.tests import Check, Test

TEXT = "class ConcreteShape({0}):\n    def area(self):\n        return {1}"
SHAPE = Symbol("m", "Shape")


def subject():
    return Subject(
        "m", "m.py",
        classes=(ClassInfo("m:Shape", "m", "Shape", members=("m:Shape.name", "m:Shape.size")),),
        invocables=tuple(
            Invocable(f"m:Shape.{name}", "method", name, owner="m:Shape")
            for name in ("name", "size")
        ),
    )  # fmt: skip


def case(method, answer, expected):
    calls = (
        Call("define", TEXT, (SHAPE, Const(answer))),
        Call("operator", "call", (Ref(0),)),
        Call("method", method, (Ref(1),)),
    )
    shown = Const(expected)
    checks = (Check(Ref(2), "==", shown),)
    return Test(f"m:Shape.{method}", Sequence(calls), Returned(shown), checks)


def test_a_class_of_one_test_stands_in_it():
    text = write(subject(), [case("name", 1, "a")]).text
    assert (
        "    class ConcreteShape(Shape):\n        def area(self):\n            return 1\n\n"
        '    assert ConcreteShape().name() == "a"\n'
    ) in text


def test_a_class_of_several_tests_stands_above_them_and_others_have_another_name():
    tests = [case("name", 1, "a"), case("size", 1, 3), case("name", 2, "b")]
    text = write(subject(), tests).text
    assert "\n\n\nclass ConcreteShape(Shape):\n    def area(self):\n        return 1\n\n\n" in text
    assert text.count("class ConcreteShape") == 1
    assert "    class OtherShape(Shape):\n" in text
    ast.parse(text)
    assert merge(text, text).text == text


def test_results_of_the_test_keep_a_class_in_it():
    define = Call("define", TEXT, (Ref(0), Const(1)))
    test = Test("m:f", Sequence((Call("function", "m:f"), define)), Returned(None), ())
    assert shared_classes([test, test], frozenset()) == {}


def test_the_members_of_a_class_are_listed():
    lines = ["class A(B):", "    @property", "    def x(self):", "        return 1", "",
             "    def y(self):", "        pass"]  # fmt: skip
    assert list(members_of_lines(lines)) == [
        ("A.x", "@property\ndef x(self):\n    return 1"), ("A.y", "def y(self):\n    pass"),
    ]  # fmt: skip
