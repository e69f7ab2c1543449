"""Exceptions that somebody meant are told from those that fell out of other code."""

from __future__ import annotations

import pytest

from unitcraft.core.goals import FILLED, Family
from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, Symbol, TempPath
from unitcraft.explore.execution import Execution, RunFailure, cost
from unitcraft.explore.intent import (
    CHANCE_BURDEN,
    EQUAL_BURDEN,
    FOLDER_BURDEN,
    IDLE_BURDEN,
    INCIDENTAL_BURDEN,
    MUTE_BURDEN,
    SUBCLASS_BURDEN,
    TEMPLATE_BURDEN,
    Intent,
    IntentJudge,
    burden_of_run,
    folders_named_as_files,
    given_back,
    is_failed_by_test,
    is_stray,
    on_own_class,
    result_burden,
    return_goals,
)

SOURCE = '''
class NoRoomError(Exception):
    pass

class Shelf:
    def __init__(self, items=()):
        self.items = list(items)

    def __getitem__(self, index):
        return self.items[index]

def first(items):
    return items[0]

def named(table, key):
    """The value.  Raises KeyError where there is none."""
    return table[key]

def checked(number):
    assert number > 0
    assert number < 10, "one digit only"
    if number == 7:
        raise TypeError("not that one")
    return number

def refuse():
    fail(NoRoomError)

def fail(kind):
    exec("raise kind('full')")

class Task:
    def run(self):
        raise NotImplementedError

def start(task):
    return task.run()

def leave():
    import sys
    sys.exit(2)

def load(name):
    __import__(name)
    return True

def needs():
    try:
        import not_installed_at_all
    except ImportError as error:
        raise RuntimeError(f"cannot work: {error}")

def covered(loader):
    try:
        return loader.find()
    except Exception as error:
        raise NoRoomError(f"cannot load: {error}")

def expected(loader):
    try:
        return loader.find()
    except AttributeError:
        raise NoRoomError("no loader")

def opened(name):
    try:
        return open(name)
    except Exception as error:
        raise NoRoomError("cannot open")
'''


def judge(one):
    return IntentJudge(one.subject, one.branches.table.raises)


@pytest.mark.parametrize(
    ("call", "intent"),
    [
        ("checked(7)", Intent.STATED),
        ("checked(12)", Intent.STATED),
        ("refuse()", Intent.STATED),
        ("leave()", Intent.STATED),
        ("t = Task()\nt.run()", Intent.STATED),
        ("start(Task())", Intent.INCIDENTAL),
        ("named({}, 'a')", Intent.PROMISED),
        ("s = Shelf()\ns.__getitem__(1)", Intent.PROMISED),
        ("first([])", Intent.INCIDENTAL),
        ("checked(0)", Intent.INCIDENTAL),
        ("covered(1)", Intent.INCIDENTAL),
        ("expected(1)", Intent.STATED),
        ("opened('nowhere')", Intent.STATED),
    ],
)
def test_intent_follows_from_who_raised_and_who_promised(lab, call, intent):
    one = lab(SOURCE)
    run = one.run(call)
    assert judge(one).intent_of(run.invocable, run.failed) is intent


@pytest.mark.parametrize(
    ("call", "missing"), [("needs()", True), ("load('nowhere')", False), ("first([])", False)]
)
def test_what_is_not_installed_here_is_no_behaviour(lab, call, missing):
    one = lab(SOURCE)
    run = one.run(call)
    assert (run.failed is not None and is_failed_by_test(run.failed, run)) is missing
    assert not (missing and one.goals().sensible(run))


def test_an_incidental_exception_counts_for_its_branches_alone_and_costs_more(lab):
    one = lab(SOURCE)
    goals, run = one.goals(), one.run("first([])")
    assert goals.offer(run, goals.price(run))
    assert {goal.family for goal in goals.best} <= {Family.BRANCH, Family.PATH}
    assert goals.price(run) == cost(run.sequence) + INCIDENTAL_BURDEN
    assert not goals.words_its_message(run)
    goals.add_goals(run, [next(iter(goals.best))._replace(family=Family.MUTANT)])
    assert Family.MUTANT not in {goal.family for goal in goals.best}
    stated = one.run("checked(3)")
    assert goals.price(stated) == cost(stated.sequence)
    assert goals.words_its_message(stated)


@pytest.mark.parametrize(
    ("message", "is_worded"),
    [("f'key {key!r}'", True), ("'key {key!r}'", False), ("'the {name} is gone'", False),
     ("str({'key': key})", True), ("str({3})", True)],
)  # fmt: skip
def test_a_message_that_was_to_be_formatted_is_not_expected(lab, message, is_worded):
    one = lab(f"def get(key):\n    raise KeyError({message})\n")
    assert one.goals().words_its_message(one.run("get('abc')")) is is_worded


def test_a_member_is_rather_called_on_its_own_class(lab):
    one = lab("class A:\n    def f(self):\n        return 1\nclass B(A):\n    pass\n")
    goals, run = one.goals(), one.run("b = B()\nb.f()", "A.f")
    assert goals.price(run) == cost(run.sequence) + SUBCLASS_BURDEN
    own = one.run(on_own_class(run), "A.f")
    assert [call.name for call in own.sequence.calls] == ["sample:A", "f"]
    assert goals.price(own) == cost(own.sequence)
    assert on_own_class(own) is None


def test_a_call_that_runs_an_override_is_beside_the_point(lab):
    one = lab("class A:\n    def f(self):\n        return 1\nclass B(A):\n    def f(self):\n"
              "        return 2\n")  # fmt: skip
    goals = one.goals()
    beside, own = one.run("b = B()\nb.f()", "A.f"), one.run("a = A()\na.f()", "A.f")
    goals.offer(beside, goals.price(beside))
    assert Family.RETURN not in {goal.family for goal in goals.best}
    assert goals.price(beside) > goals.price(own)
    assert goals.offer(own, goals.price(own))
    assert Family.RETURN in {goal.family for goal in goals.best}


def test_only_what_refuses_the_argument_itself_is_a_refusal(lab):
    one = lab("""
        def parsed(text):
            if not isinstance(text, str): raise TypeError("a text, please")
            if not text.isdigit(): raise ValueError("no number")
            return int(text)
        def doubled(text, other):
            if other == 0: raise ValueError("nothing to double")
            return parsed(text) * 2
    """)  # fmt: skip
    found = judge(one)
    for call, expected in (
        ("parsed('a')", True), ("doubled(1, 1)", True), ("doubled('a', 0)", True),
        ("doubled('a', 1)", False),
    ):  # fmt: skip
        run = one.run(call)
        assert found.refuses(run.invocable, run.failed) is expected, call


def test_a_message_that_cannot_be_made_is_no_refusal(lab):
    one = lab("def f(text):\n    raise ValueError('not %s' % text)\n")
    made, failed = one.run("f('a')"), one.run("f((1, 2))")
    assert judge(one).is_raised_here(made.failed)
    assert not judge(one).is_raised_here(failed.failed)


@pytest.mark.parametrize(
    ("behaviour", "burden"),
    [("int0", IDLE_BURDEN), ("str2=", EQUAL_BURDEN), ("list0", IDLE_BURDEN), ("int1", 0),
     ("str2", 0), ("True", 0), ("function", MUTE_BURDEN), ("sample:Box", 0)],
)  # fmt: skip
def test_a_result_that_code_without_effect_gives_costs_more(behaviour, burden):
    call = Call("function", "sample:count", (Const("abc"),))
    run = Execution("sample:count", Sequence((call,)), None, behaviour, (), (), (), ())
    assert result_burden(run) == burden


def test_a_run_that_seeds_what_it_draws_from_is_cheaper(lab):
    one = lab("""
        import random

        def draw(seed):
            return 3 + (random.Random(seed) if seed else random).random()
        """)
    seeded, unseeded = [one.run(f"draw({seed})") for seed in ("5", "None")]
    assert (seeded.drew, unseeded.drew) == (False, True)
    assert burden_of_run(unseeded, (), ()) - burden_of_run(seeded, (), ()) == CHANCE_BURDEN


def test_what_a_stand_in_is_not_is_no_behaviour_of_the_code():
    call = Call("function", "sample:count", (Const("abc"),))
    for message, blamed in (("no <class 'types.SimpleNamespace'>, please", True), ("no", False)):
        failed = RunFailure(0, "sample:NoRoomError", message, 2, 1, "sample")
        run = Execution("sample:count", Sequence((call,)), failed, "", (), (), (), ())
        assert is_failed_by_test(failed, run) is blamed


def test_an_object_of_a_template_costs_more():
    calls = Call("function", "sample:Shelf"), Call("method", "count", (Ref(0),))
    run = Execution("sample:Shelf.count", Sequence(calls), None, "int1", (), (), (), ())
    assert burden_of_run(run, (), ["sample:Shelf"]) == TEMPLATE_BURDEN
    assert burden_of_run(run, (), []) == 0


def test_a_failure_elsewhere_belongs_to_the_call_that_led_to_it():
    call = Call("function", "sample:count", (Const("abc"),))
    for module, line in (("sample", 9), ("other", -4)):
        failed = RunFailure(0, "sample:NoRoomError", "no", 2, 9, module)
        run = Execution(
            "sample:count", Sequence((call,)), failed, "", (), (), (), (), calling=(4, 4, 0, 9)
        )
        assert run.line_of_failure("sample") == line


def test_a_folder_with_the_name_of_a_file_costs_more():
    def run(path: TempPath) -> Execution:
        calls = (Call("function", "m:write", (path,)),)
        touched = ((True, f"{path.name}/a"), (True, "notes.txt"))
        return Execution("m:write", Sequence(calls), None, "", (), (), (), (), touched=touched)

    named = TempPath("data.json", None, is_text=True)
    assert folders_named_as_files(run(named)) == [named]
    assert burden_of_run(run(named), (), ()) == FOLDER_BURDEN
    for path in (TempPath("data"), TempPath("data.json", Const("{}")), TempPath("")):
        assert burden_of_run(run(path), (), ()) == 0


GIVEN_BACK = """
class Bus:
    def __init__(self):
        self.handlers = []

    def add(self, handler):
        self.handlers.append(handler)

def same(value):
    return value

def is_set(value):
    return value is not None
"""


@pytest.mark.parametrize(
    ("calls", "details"),
    [
        (["b = Bus()\nb.add('abc')", "b = Bus()\nb.add(None)"], ["", FILLED]),
        (["b = Bus()\nb.add(None)"], []),
        (["same('abc')", "same(None)"], []),
        (["is_set('abc')", "is_set(True)"], ["", FILLED]),
        (["is_set('abc')", "is_set(None)"], []),
    ],
)
def test_what_is_given_back_beside_answers_is_no_kind_of_answer(lab, calls, details):
    one = lab(GIVEN_BACK)
    goals = one.goals()
    for price, call in enumerate(calls):
        goals.offer(one.run(call), price)
    assert [goal.detail for goal in given_back(goals.best)] == details


WRAPPED = """
class Refused(Exception):
    pass

def guard(times=1):
    def decorate(function):
        def wrapper(*args):
            try:
                return function(*args)
            except (ValueError, TypeError) as error:
                raise Refused(function.__name__) from error
        return wrapper
    return decorate
"""


def line_run(behaviour, *hits):
    call = Call("invoke", "m:cli", (Display("list", (Const("a"),)),))
    return Execution("m:run", Sequence((call,)), None, behaviour, hits, hits, (), ())


@pytest.mark.parametrize("behaviour", ["exit 3", "exit 3 silent"])
def test_each_number_by_which_a_command_ends_is_a_goal(behaviour):
    goals = return_goals(line_run(behaviour), "m:run")
    assert [(goal.family, goal.detail) for goal in goals] == [(Family.RETURN, "exit 3")]


@pytest.mark.parametrize(
    ("hits", "refused", "expected"),
    [((4, 5), False, False), ((1,), False, True), ((), False, True), ((1,), True, False)],
)
def test_a_line_that_comes_to_no_code_of_its_command_is_beside_the_point(hits, refused, expected):
    run = line_run("exit 2", *hits)
    assert is_stray(run, [4, 5], [run.sequence.key] if refused else []) is expected


def wrapping(*given):
    """What ``guard()`` returned, called with each of ``given`` in turn."""
    calls = [Call("function", "sample:guard")]
    for arg in given:
        calls.append(Call("operator", "call", (Ref(len(calls) - 1), arg)))
    return Sequence(tuple(calls))


@pytest.mark.parametrize("given", [(), (Symbol("builtins", "str"),),
                                   (Symbol("builtins", "str"), Const("abc"))])  # fmt: skip
def test_what_a_returned_function_returns_is_a_goal_of_its_own(lab, given):
    run = lab(WRAPPED).run(wrapping(*given), "guard")
    assert [goal.number for goal in return_goals(run, "m:f")] == [len(given)] * 2


@pytest.mark.parametrize(
    ("wrapped", "is_failed"), [(Symbol("builtins", "int"), False), (Const(3), True)]
)
def test_a_raise_statement_that_fails_itself_is_told_from_one_that_raises(lab, wrapped, is_failed):
    one = lab(WRAPPED)
    run = one.run(wrapping(wrapped, Const("abc")), "guard")
    assert judge(one).is_failed_statement(run.failed) is is_failed
