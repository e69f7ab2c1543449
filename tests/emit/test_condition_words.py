"""What a test name says of the conditions that decided a call."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

import pytest
from dsl import subject_of, suite_of

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Display, Sequence, TempPath
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.emit.naming.circumstances import (
    MAX_CONDITIONS,
    Circumstance,
    Conditions,
    tell_circumstances,
)
from unitcraft.emit.naming.condition_words import MAX_CONDITION, condition_words
from unitcraft.emit.naming.lines_run import functions_by_scope, share_run
from unitcraft.emit.naming.name_tags import tags
from unitcraft.emit.write.writer import write
from unitcraft.instrument.sites import BranchSite
from unitcraft.suite.tests import Test


def said(text: str) -> tuple[str, str]:
    test = ast.parse(text, mode="eval").body
    return condition_words(test, holds=True), condition_words(test, holds=False)


@pytest.mark.parametrize(
    ("condition", "holds", "fails"),
    [
        ("parent is None", "without_parent", "with_parent"),
        ("self.parent is not None", "with_parent", "without_parent"),
        ("not self._parent", "without_parent", "with_parent"),
        ("kind < 256", "kind_below_256", "kind_at_least_256"),
        ("256 <= kind", "kind_at_least_256", "kind_below_256"),
        ("0 <= kind < 256", "kind_in_range", "kind_out_of_range"),
        ("amount < 0", "negative_amount", ""),
        ("0 == amount", "zero_amount", "nonzero_amount"),
        ("size > self.capacity", "size_above_capacity", "size_at_most_capacity"),
        ("len(items) == 0", "empty_items", "with_items"),
        ("len(items) == 1", "single_item", ""),
        ("len(self.items) >= limit", "at_least_limit_items", "fewer_than_limit_items"),
        ("len(items) > 3", "more_than_3_items", "at_most_3_items"),
        ("mode == 'fast'", "mode_fast", ""),
        ("mode == 'a'", "", ""),
        ("name != NAME", "other_name", ""),
        ("codec.name == CODEC_NAME", "", "other_codec_name"),
        ("self.name == OLD_NAME", "", "other_name"),
        ("rc == 1", "rc_1", "rc_not_1"),
        ("rc is None", "", ""),
        ("text == ''", "empty_text", ""),
        ("flag is True", "flag", "not_flag"),
        ("value is not False", "", ""),
        ("self.kind == other.kind", "same_kind", "different_kind"),
        ("self.__class__ is not other.__class__", "another_class", ""),
        ("start == stop", "start_is_stop", "start_is_not_stop"),
        ("key in table", "key_in_table", "key_not_in_table"),
        ("'name' not in table", "name_not_in_table", "name_in_table"),
        ("isinstance(value, str)", "string_value", ""),
        ("isinstance(other, Leaf)", "leaf_other", "another_class"),
        ("isinstance(value, (str, bytes))", "", ""),
        ("key == 'expires'", "expires", ""),
        ("args.stream", "with_stream", "without_stream"),
        ("len(args) == 0", "without_arguments", "with_arguments"),
        ("hasattr(value, 'read')", "value_with_read", "value_without_read"),
        ("callable(hook)", "callable_hook", "hook_not_callable"),
        ("is_valid(text)", "when_valid", "when_not_valid"),
        ("self.has_children()", "with_children", "without_children"),
        ("use_cache", "with_cache", "without_cache"),
        ("line.strip().startswith('end')", "line_starting_with_end", "line_not_starting_with_end"),
        ("line.startswith('#')", "line_starting_with_hash", "line_not_starting_with_hash"),
        ("line.startswith(':')", "", ""),
        ("param[0] == '-'", "param_starting_with_dash", "param_not_starting_with_dash"),
        ("'-' != path", "", "path_dash"),
        ("gender == Gender.FEMALE", "gender_female", "gender_not_female"),
        ("mode is not LINES", "mode_not_lines", "mode_lines"),
        ("size > MAX_SIZE", "size_above_max_size", "size_at_most_max_size"),
        ("name.strip()", "with_name", "blank_name"),
        ("word.isdigit()", "word_is_digit", "word_not_digit"),
        ("self.closed", "closed", "not_closed"),
        ("self.is_success", "when_success", "when_not_success"),
        ("env.is_windows", "when_env_is_windows", "when_env_is_not_windows"),
        ("with_body", "with_body", "without_body"),
        ("self.fixers_applied", "with_fixers_applied", "without_fixers_applied"),
        ("options['header']", "with_header", "without_header"),
        ("facts.get('system') == 'linux'", "system_linux", ""),
        ("facts['system_architecture'] == 'x86'", "system_architecture_x86", ""),
        ("facts.get('system', '')", "with_system", "without_system"),
        ("(found := look())", "with_found", "without_found"),
        ("m.group(1) == name", "", ""),
        ("self._proxy.password", "with_password", "without_password"),
        ("m", "", ""),
        ("compute(3)", "", ""),
        ("ch.parent is None", "without_parent", "with_parent"),
        ("isinstance(value, datetime.date)", "date_value", ""),
        ("name.startswith(os.sep)", "name_starting_with_sep", "name_not_starting_with_sep"),
        ("os.path.isdir(b_path)", "when_folder_exists", "when_folder_is_missing"),
        ("os.path.exists('/proc/xen')", "when_proc_xen_exists", "when_proc_xen_is_missing"),
        ("os.path.islink(path)", "when_path_is_a_link", "when_path_is_no_link"),
        ("path.is_file()", "when_file_exists", "when_file_is_missing"),
        ("inspect.isclass(target)", "target_is_class", "target_not_class"),
        ("future.cancelled()", "when_cancelled", "when_not_cancelled"),
        ("hasattr(self, 'container')", "with_container", "without_container"),
        ("getattr(self, '_queue', None)", "with_queue", "without_queue"),
        ("HEADER_RE.match(line)", "line_matching_header", "line_not_matching_header"),
        ("re.match(ADDED_PATTERN, line)", "line_matching_added", "line_not_matching_added"),
        ("NAME_RE.match(name)", "", ""),
        ("'CI_TOKEN' in os.environ", "with_ci_token", "without_ci_token"),
    ],
)
def test_a_condition_in_words(condition, holds, fails):
    assert said(condition) == (holds, fails)


def test_a_flag_is_said_by_its_name():
    flags = Conditions(
        "class Door:\n"
        "    locked: bool = field()\n"
        "    def __init__(self, frozen=False, strict=None, *, loud=True, name='x'):\n"
        "        self.frozen = frozen\n"
        "        self.name = True\n"
    )._flags
    assert flags == {"locked", "frozen", "loud"}
    for code, holds, fails in [
        ("self.frozen", "when_frozen", "when_not_frozen"),
        ("not self.frozen", "when_not_frozen", "when_frozen"),
        ("loud", "loud", "not_loud"),
        ("self.name", "with_name", "without_name"),
    ]:
        test = ast.parse(code, mode="eval").body
        assert condition_words(test, holds=True, flags=flags) == holds
        assert condition_words(test, holds=False, flags=flags) == fails


def test_what_is_too_long_for_a_name_is_not_said():
    assert said("a" * MAX_CONDITION) == ("", "")
    assert said("a" * (MAX_CONDITION - len("without_"))) != ("", "")


CODE = """
def clamp(low, high, items):
    if low < 0 or high is None:
        return 0
    for item in items:
        if item:
            return item
    assert high, "message"
    return 1
"""


def site(line, kind, outcome, column=0, scope="clamp"):
    return BranchSite("m", scope, line, kind, outcome, column)


def words_of(*sites, raised=0):
    return [one.words for one in Conditions(CODE).circumstances(sites, raised)]


def test_operands_are_told_apart_by_their_place():
    conditions = [site(3, "condition", "false", 7), site(3, "condition", "true", 18)]
    assert words_of(site(3, "if", "true"), *conditions) == ["without_high", ""]


def test_what_was_decided_last_comes_first_and_what_came_out_both_ways_is_left_out():
    taken = [site(3, "condition", "false", 7), site(6, "if", "true"), site(6, "if", "false")]
    assert words_of(*taken) == [""]
    assert words_of(site(5, "loop", "ended")) == ["without_items"]
    assert words_of(site(5, "loop", "entered"), site(5, "loop", "ended")) == []
    assert words_of(site(5, "loop", "entered"), site(6, "if", "true")) == ["with_item", ""]


def test_an_assertion_that_failed_is_known_by_its_line():
    assert words_of(raised=8) == ["without_high"]
    assert words_of(raised=9) == []


def test_of_many_conditions_the_last_are_told():
    code = "def f(x):\n" + "".join(f"    if option_{n}: pass\n" for n in range(MAX_CONDITIONS + 3))
    taken = [site(2 + n, "if", "true") for n in range(MAX_CONDITIONS + 3)]
    told = [one.words for one in Conditions(code).circumstances(taken)]
    assert told == [f"with_option_{n}" for n in range(MAX_CONDITIONS + 2, 2, -1)]


def test_of_a_function_that_called_itself_no_condition_is_told():
    """What held in there held of other arguments: the tuple in a list is a tuple, the list not."""
    code = """
def each(change, value):
    if isinstance(value, list):
        return [each(change, one) for one in value]
    if change is None or value is None:
        return value
    return change(value)
"""
    outer, inner = site(3, "if", "true", scope="each"), site(3, "if", "false", scope="each")
    last = site(5, "condition", "true", 25, scope="each")
    conditions = Conditions(code)
    assert [one.words for one in conditions.circumstances([inner, last])] == [
        "without_value", "",
    ]  # fmt: skip
    assert conditions.circumstances([outer, inner, last]) == ()


BANK = subject_of(
    """
class Account:
    def __init__(self, owner, balance=0): self.balance = balance
    def withdraw(self, amount, note=""): self.balance = 1
def check(kind, items): return 1
def configure(encoder=None, decoder=None, letter_case=None): return 1
""",
    "bank",
)


def named(text: str, source: str, *taken: tuple[BranchSite, ...]) -> list[str]:
    """The names of the tests in ``text``, whose last Calls took these sites."""
    suite = suite_of(text, BANK)
    sites = [one for row in taken for one in row]
    numbers = iter(range(len(sites)))
    took = [tuple([next(numbers) for _ in row]) for row in taken]
    suite = [replace(test, took=row) for test, row in zip(suite, took, strict=True)]
    told = tell_circumstances(suite, sites, source)
    text = write(BANK, told).text
    return [line.split("(")[0].split()[-1] for line in text.splitlines() if "def test" in line]


def at(line, outcome, scope="check", module="bank"):
    return BranchSite(module, scope, line, "if", outcome)


def test_a_name_says_the_condition_and_not_an_innocent_argument():
    source = "def check(kind, items):\n    if kind < 256:\n        raise ValueError(kind)\n"
    text = "r = check(300, [1])\nassert r == 1\n\nr = check(25, [])\nraises ValueError('25')"
    names = named(text, source, (at(2, "false"),), (at(2, "true"),))
    assert names == ["test_check", "test_check_kind_below_256_raises_value_error"]


def test_the_condition_of_the_raise_comes_before_one_that_is_contrasted():
    source = (
        "def check(kind, items):\n    if kind < 256:\n        raise ValueError(kind)\n"
        "    if items is None:\n        raise ValueError(items)\n"
    )
    text = (
        "r = check(300, [1])\nassert r == 1\n\nr = check(25, [])\nraises ValueError('25')\n\n"
        "r = check(400, items=None)\nraises ValueError('7')"
    )
    suite = suite_of(text, BANK)
    lines = (0, 3, 5)
    sites = [at(2, "false"), at(4, "false"), at(2, "true"), at(4, "true")]
    took = ((0, 1), (2,), (0, 3))
    suite = [
        replace(one, took=hits, outcome=replace(one.outcome, line=line) if line else one.outcome)
        for one, hits, line in zip(suite, took, lines, strict=True)
    ]
    told = tell_circumstances(suite, sites, source)
    assert [[one.decides for one in test.circumstances] for test in told] == [
        [False, False], [True], [True, False],
    ]  # fmt: skip
    names = re.findall(r"def (test_\w+)", write(BANK, told).text)
    assert names == [
        "test_check",
        "test_check_kind_below_256_raises_value_error",
        "test_check_without_items_raises_value_error",
    ]


def test_an_option_that_is_given_says_more_than_one_that_is_left_out():
    lines = ["def configure(encoder=None, decoder=None, letter_case=None):"]
    for name in ("encoder", "decoder", "letter_case"):
        lines += [f"    if {name} is not None:", "        pass"]
    text = (
        "r = configure(str)\nassert r == 1\n\nr = configure(letter_case=repr)\nassert r == 2\n\n"
        "r = configure(str, letter_case=repr)\nassert r == 3"
    )

    def taken(*outcomes):
        return tuple(
            [at(line, one, "configure") for line, one in zip((2, 4, 6), outcomes, strict=True)]
        )

    found = named(
        text, "\n".join(lines) + "\n",
        taken("true", "false", "false"), taken("false", "false", "true"),
        taken("true", "false", "true"),
    )  # fmt: skip
    assert found == [
        "test_configure_with_encoder",
        "test_configure_with_letter_case",
        "test_configure_with_encoder_and_letter_case",
    ]


def test_a_number_that_a_local_variable_is_compared_with_comes_after_what_is_given():
    source = "def check(kind, items):\n    rc = 1\n    if rc == 1:\n        return 0\n"
    text = "r = check('ab cd', [])\nassert r == 1\n\nr = check('', [5], )\nassert r == 2\n\n"
    text += "r = check(kind='', items=[])\nassert r == 3"
    names = named(text, source, (at(3, "true"),), (at(3, "false"),), (at(3, "false"),))
    assert not any("rc_" in name for name in names)


def test_that_a_required_argument_is_there_is_the_usual_case():
    source = "def check(kind, items):\n    if items:\n        return 1\n"
    text = "r = check(5, 'ab cd')\nassert r == 1\n\nr = check(kind=5, items=None)\nassert r is None"
    names = named(text, source, (at(2, "true"),), (at(2, "false"),))
    assert names == ["test_check", "test_check_without_items"]


def test_conditions_of_other_functions_are_not_told():
    suite = [replace(suite_of("r = check(3, [])\nassert r == 1", BANK)[0], took=(0,))]
    source = "def check(kind, items):\n    if kind: pass\n"
    for other in (at(2, "true", "Other.look"), at(2, "true", module="other")):
        told = tell_circumstances(suite, [other], source)
        assert told[0].circumstances == ()


def test_code_that_this_python_cannot_read_says_nothing():
    assert Conditions("type Pair[T] = (:\n").circumstances([site(1, "if", "true")]) == ()


GUARDED = """
def check(kind, items):
    if kind.startswith("rpc.") or kind.startswith("_"):
        return 0
    found = [item for item in items]
    found.sort()
    found.reverse()
    if len(found) > 3:
        found = found[:3]
    return found
"""


def operand(outcome, column):
    return BranchSite("bank", "check", 3, "condition", outcome, column)


def test_the_usual_test_is_none_that_a_guard_turned_away():
    text = "r = check(kind='ab', items=[1])\nassert r == [1]\n\n"
    text += "r = check('rpc.', [1])\nassert r == 0\n\nr = check('_', [1])\nassert r == 0"
    names = named(
        text, GUARDED,
        (at(3, "false"), operand("false", 7), operand("false", 34), at(8, "false")),
        (at(3, "true"), operand("true", 7)),
        (at(3, "true"), operand("false", 7), operand("true", 34)),
    )  # fmt: skip
    assert names == ["test_check", "test_check_kind_starting_with_rpc_or_underscore"]


def test_a_condition_that_comes_out_alike_in_each_test_sets_none_apart():
    """Of the test that calls what was returned it is not known what decided it."""
    source = "def check(kind, items):\n    if kind >= 1: pass\n    if items is None: pass\n"
    text = "f = check(3, len)\nr = f('ab')\nassert r == 2\n\nr = check(3, len)\nassert r == 5\n\n"
    text += "r = check(kind=3, items=None)\nassert r == 6"
    taken = (at(2, "true"), at(3, "false")), (at(2, "true"), at(3, "true"))
    assert not any("at_least_1" in name for name in named(text, source, (), *taken))


def test_two_conditions_with_one_name_that_came_out_otherwise_say_nothing():
    source = "def check(kind, items):\n    if known(kind): pass\n    if known(items): pass\n"
    source = source.replace("known", "is_known")
    text = "r = check(3, [])\nraises KeyError('ab cd')\n\nr = check(4, [1])\nassert r == 1"
    names = named(text, source, (at(2, "false"), at(3, "true")), (at(2, "false"), at(3, "false")))
    assert "test_check_when_not_known_raises_key_error" not in names


def test_a_constant_of_the_module_is_no_circumstance():
    source = "def check(kind, items):\n    if DISABLED: pass\n    if items: pass\n"
    text = "r = check(3, 'ab')\nassert r == 1\n\nr = check(kind=3, items=[])\nassert r == 2"
    names = named(text, source, (at(2, "false"),), (at(3, "true"), at(3, "false")))
    assert not any("disabled" in name for name in names)


def test_in_place_of_half_a_message_the_conditions_are_said():
    source = "def check(kind, items):\n    if kind is None:\n        if items is None: pass\n"
    message = "One of both can only be used when writing the content to a file"
    text = f"r = check(None, None)\nraises Exception('{message}')\n\n"
    text += "r = check(None, 'ab cd')\nassert r == 1\n\nr = check(5, [1])\nassert r == 2"
    taken = (at(2, "true"), at(3, "true")), (at(2, "true"), at(3, "false")), (at(2, "false"),)
    names = named(text, source, *taken)
    assert "test_check_without_items_raises_exception" in names


@pytest.mark.parametrize(
    ("taken", "lines"),
    [
        ([site(3, "if", "true")], 2),
        ([site(3, "if", "false"), site(5, "loop", "ended")], 4),
        ([site(3, "if", "false"), site(5, "loop", "entered"), site(6, "if", "true")], 6),
    ],
)
def test_the_share_of_a_function_that_its_conditions_let_run(taken, lines):
    functions = functions_by_scope(ast.parse(CODE))
    assert share_run(functions, taken) == lines / 7
    assert share_run(functions, [site(3, "if", "true", scope="other")]) == 0


def test_what_is_given_and_empty_is_not_said_to_be_missing():
    source = "def check(kind, items):\n    if not kind: pass\n    if items: pass\n"
    text = "r = check('', [1])\nassert r == 1\n\nr = check(kind='ab cd', items=[2])\nassert r == 2"
    names = named(text, source, (at(2, "true"), at(3, "true")), (at(2, "false"), at(3, "true")))
    assert "test_check_empty_kind" in names


def test_an_option_that_an_object_was_not_made_with_sets_its_test_not_apart():
    source = (
        "class Account:\n    def withdraw(self, amount, note=''):\n        if self.balance: pass\n"
    )
    text = "a = Account('ab')\na.withdraw(3)\nassert a.total == 1\n\n"
    text += "a = Account('ab', balance=7)\na.withdraw(amount=3)\nassert a.total == 2"
    scope = "Account.withdraw"
    names = named(text, source, (at(3, "false", scope),), (at(3, "true", scope),))
    assert names == ["test_withdraw", "test_withdraw_with_balance"]


def test_an_operand_of_another_class_is_called_so():
    subject = subject_of("class Price:\n    def __eq__(self, other): return 1\n", "bank")
    suite = suite_of("r = Price(1) == False\nassert r is False", subject)
    told = (Circumstance("another_class", frozenset(("other", "Price")), classed="other"),)
    (found,) = [replace(test, circumstances=told) for test in suite]
    assert "another_class" in [tag.text for tag in tags(found, SubjectIndex(subject))]


def test_the_class_that_the_code_asks_for_is_said_where_the_argument_does_not_tell():
    source = "def check(kind, items):\n    if isinstance(kind, ast.ClassDef): return 1\n"
    text = "n = configure(3)\nr = check(n, [1])\nassert r == 1\n\n"
    text += "n = configure(4)\nr = check(kind=n, items=[2])\nassert r == 2"
    names = named(text, source, (at(2, "true"),), (at(2, "false"),))
    assert names == ["test_check_class_def_kind", "test_check"]


def test_what_the_code_went_on_with_is_said_beside_a_test_without():
    source = "def check(kind, items):\n    doc = kind\n    if doc is not None: return 1\n"
    text = (
        "r = check(25, [])\nassert r == 1\n\nr = check(kind='ab cd', items=[5, 6])\nassert r == 2"
    )
    names = named(text, source, (at(3, "true"),), (at(3, "true"),))
    assert not any("with_doc" in name for name in names)
    text += "\n\nr = check('q w', items=[7])\nassert r == 3"
    names = named(text, source, (at(3, "true"),), (at(3, "true"),), (at(3, "false"),))
    assert any("doc" in name for name in names)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "when_folder_is_missing"),
        (Display("dict", ()), "when_folder_is_missing"),
        (Const("text"), "when_path_is_not_a_folder"),
        (Display("dict", (Const("plugins"), Const("text"))), "when_path_is_not_a_folder"),
    ],
)
def test_a_file_in_the_place_of_a_folder_is_not_called_missing(content, said):
    code = "import os\ndef scan(path):\n    if not os.path.isdir(path):\n        return []\n"
    call = Call("function", "m:scan", (TempPath("data", content),))
    test = Test("m:scan", Sequence((call,)), Returned(), took=(0,))
    (told,) = tell_circumstances([test], [site(3, "if", "true", scope="scan")], code)
    assert [one.words for one in told.circumstances] == [said]
