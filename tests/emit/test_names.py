"""Names say what a test shows, are unique and short."""

from __future__ import annotations

import keyword
import re
from dataclasses import replace
from random import Random

import pytest
from dsl import subject_of, suite_of
from random_tests import SUBJECT, random_suite

from unitcraft.core.goals import ROUND_TRIP, Family, Goal
from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.emit.arrange.merge_observers import _unit_of
from unitcraft.emit.arrange.parametrize import Group
from unitcraft.emit.arrange.variable_names import class_nouns
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.emit.naming import value_words
from unitcraft.emit.naming.argument_tags import argument_tags, value_tags
from unitcraft.emit.naming.circumstances import Circumstance
from unitcraft.emit.naming.history_tags import history_tags
from unitcraft.emit.naming.name_tags import tags
from unitcraft.emit.naming.names import _candidate_names, _Described, _usual
from unitcraft.emit.naming.names import test_names as names_of
from unitcraft.emit.naming.operation_words import observed_words
from unitcraft.emit.naming.tag_weights import Tag
from unitcraft.emit.naming.telling_words import (
    attribute_words,
    comparison_words,
    message_words,
    returned_words,
    told_message,
    written_words,
)
from unitcraft.emit.write.writer import write
from unitcraft.explore.search.variation.places import recording
from unitcraft.subject.model import Constant
from unitcraft.suite import tests

BANK = subject_of(
    """
class Account:
    def __init__(self, balance=0): self.balance = balance
    def withdraw(self, amount): self.balance = 1
    def is_empty(self): return 1
    def owner(self): return 1
    def __eq__(self, other): return 1
def find(name, strict=True): return 1
def fetch(url, method="GET"): return 1
def clamp(low, high): return 1
""",
    "bank",
)


def names(text: str) -> list[str]:
    return re.findall(r"def (test_\w+)", write(BANK, suite_of(text, BANK)).text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r = fetch('http://example.com', 'GET')\nassert r == 1", ["test_fetch"]),
        ("a = Account(5)\na.withdraw(3)\nassert a.balance == 2", ["test_withdraw"]),
        ("a = Account(5)\na.withdraw(3)", ["test_withdraw_does_not_raise"]),
        ("a = Account(5)\na.owner = 'jo'\nb = a.owner\nassert b == 'jo'", ["test_set_owner"]),
        ("a = Account(5)\nb = a.owner\nassert b == 'jo'", ["test_owner"]),
        ("r = Account(5) == Account(6)\nassert r is False", ["test_not_equal"]),
        (
            (
                "r = Account(5) == Account(6)\nassert r is False\n\n"
                "r = Account(5) == Account(5)\nassert r is True"
            ),
            ["test_equal"],
        ),
        (
            (
                "a = Account(5)\na.withdraw(3)\nassert a.balance == 2\n\n"
                "a = Account(5)\na.withdraw(-1)\nraises ValueError('negative')"
            ),
            ["test_withdraw", "test_withdraw_negative_amount_raises_value_error"],
        ),
        (
            (
                "a = Account()\nr = a.is_empty()\nassert r is True\n\n"
                "a = Account(5)\na.withdraw(5)\nr = a.is_empty()\nassert r is True\n\n"
                "a = Account(5)\nr = a.is_empty()\nassert r is False"
            ),
            [
                "test_is_empty_on_empty_account",
                "test_is_empty_after_withdraw",
                "test_is_empty_returns_false",
            ],
        ),
        (
            "r = find('')\nassert r is None\n\nr = find('a', False)\nassert r == 1",
            ["test_find_empty_name", "test_find_not_strict"],
        ),
        (
            (
                "r = clamp(0, 0)\nassert r == 0\n\nr = clamp(1, high=None)\nassert r == 1\n\n"
                "r = clamp(3, -2)\nraises TypeError('high is below low')"
            ),
            [
                "test_clamp_zero_low",
                "test_clamp_high_none",
                "test_clamp_rejects_high_below_low",
            ],
        ),
    ],
)
def test_names_of(text, expected):
    assert names(text) == expected


@pytest.mark.parametrize("seed", range(60))
def test_names_are_unique_short_and_stable(seed):
    tests = random_suite(Random(seed))
    written = write(SUBJECT, tests)
    found = [node.rpartition("::")[2] for node in written.nodes]
    assert len(set(written.nodes)) == written.text.count("def test_")
    assert all(len(name) <= 70 and name.isidentifier() for name in found)
    assert not any(keyword.iskeyword(name) for name in found)
    assert write(SUBJECT, tests).text == written.text


@pytest.mark.parametrize(("balance", "expected"), [(5, "same_values"), (7, "different_balance")])
def test_compared_objects_are_named_by_what_sets_them_apart(balance, expected):
    made = [Call("function", "bank:Account", (Const(number),)) for number in (5, balance)]
    compared = Call("operator", "==", (Ref(0), Ref(1)))
    test = tests.Test("bank:Account.__eq__", Sequence((*made, compared)), Returned())
    assert comparison_words(test, SubjectIndex(BANK)) == expected


@pytest.mark.parametrize(("balance", "expected"), [(5, "equal_values"), (7, "")])
def test_of_operands_only_that_they_are_alike_is_said(balance, expected):
    made = [Call("function", "bank:Account", (Const(number),)) for number in (5, balance)]
    joined = Call("method", "merge", (Ref(0), Ref(1)))
    test = tests.Test("bank:Account.merge", Sequence((*made, joined)), Returned())
    assert comparison_words(test, SubjectIndex(BANK)) == expected


def test_two_errors_of_one_class_are_told_apart_by_what_they_say():
    text = (
        "clamp(3, 1)\nraises ValueError('low is above high')\n\n"
        "clamp(5, high=5)\nraises ValueError('range is empty: 5')"
    )
    assert names(text) == [
        "test_clamp_rejects_low_above_high",
        "test_clamp_raises_when_range_is_empty",
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("range is filled: 5", "_range_is_filled"),
        ("Reader error: need 4 bytes while only 0 bytes got", "_need_4_bytes_while_only_0_bytes"),
        ("name must be one of the, or so", "_name_must_be_one"),
        ("3 is above 1", "_is_above"),
        ("clamp called with no exception", "_called_with_no_exception"),
        ("low", ""),
        ("internal value error", "_internal"),
        ("Value Error", ""),
        ("total is a value error", "_total"),
        ("sum() of many items is wrong", "_sum_of_many_items_is_wrong"),
        ("no subvalue error", "_no_subvalue_error"),
    ],
)
def test_an_error_test_says_which_condition_it_was(message, expected):
    text = f"clamp(3, 1)\nraises ValueError('{message}')\n\nr = clamp(1, 3)\nassert r == 1"
    assert f"test_clamp_raises_value_error{expected}" in names(text)


def test_the_bytes_that_were_given_are_no_words_of_a_message():
    raised = Raised("builtins:ValueError", r"b'\x00\xff'", inside=True, line=1)
    call = Call("function", "bank:find", (Const(b"\x00\xff"),))
    assert message_words(tests.Test("bank:find", Sequence((call,)), raised)) == ""


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Option 'help' is required to be a bool (str given)", "option_is_required_to_be_a_bool"),
        ("Option 'size' must be positive", "option_size_must_be_positive"),
        ("Unrecognized option '-hel'", "unrecognized_option"),
        ("it can't be 'size'", "it_cant_be_size"),
    ],
)
def test_what_a_message_quotes_of_the_test_is_no_part_of_the_name(message, expected):
    raised = Raised("builtins:ValueError", message, inside=True, line=1)
    call = Call("function", "bank:find", (Display("list", (Const("--help=1"),)),))
    assert message_words(tests.Test("bank:find", Sequence((call,)), raised)) == expected


def test_what_a_message_says_comes_before_a_flag_that_was_given_beside():
    text = (
        "find('q w', False)\nraises ValueError('name has blanks')\n\n"
        "find('q w e')\nraises ValueError('name is too long')"
    )
    assert names(text) == [
        "test_find_raises_value_error_name_has_blanks",
        "test_find_raises_value_error_name_is_too_long",
    ]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Archive /a is no valid zip archive:", "archive_is_no_valid_zip_archive"),
        ("3 is not a price", "is_not_a_price"),
        ("None is not a price", "is_not_a_price"),
    ],
)
def test_words_of_a_message_that_were_given_are_left_out(message, expected):
    call = Call("function", "bank:find", (Const("/a"), Const(3), Const("a"), Const(None)))
    test = tests.Test("bank:find", Sequence((call,)), Raised("bank:BankError", message))
    assert message_words(test) == expected


def test_what_the_class_of_the_exception_ends_with_does_not_begin_the_message():
    call = Call("function", "bank:find", (Const("/a"),))
    raised = Raised("bank:InvalidOrder", "Order /a is already closed")
    assert message_words(tests.Test("bank:find", Sequence((call,)), raised)) == "is_already_closed"


def test_a_message_tells_errors_of_one_class_apart_even_where_the_class_says_much():
    parts = [
        "r = find('a')\nraises InvalidBankAccountError('must be closed')",
        "r = find('b', False)\nraises InvalidBankAccountError('must be open')",
    ]
    assert names("\n\n".join(parts)) == [
        "test_find_raises_invalid_bank_account_error_must_be_closed",
        "test_find_raises_invalid_bank_account_error_must_be_open",
    ]


def test_a_long_name_says_the_message_and_not_the_class_of_the_exception():
    described = _Described(
        "find", "", (), "raises_improper_configuration_error", 1, is_silent=False
    )
    said = Tag("message", "credentials_for_the_account_are_missing")
    assert described.name([said]) == "test_find_raises_credentials_for_the_account_are_missing"


def test_unequal_objects_of_a_class_with_both_operators_are_named_by_the_one_that_is_called():
    subject = subject_of(
        "class Row:\n    def __init__(self, n): self.n = n\n"
        "    def __eq__(self, other): return 1\n    def __ne__(self, other): return 1\n",
        "shop",
    )
    text = "r = Row(5) == Row(6)\nassert r is False\n\nr = Row(5) != Row(6)\nassert r is True"
    found = re.findall(r"def test_(\w+)", write(subject, suite_of(text, subject)).text)
    assert found == ["equal_returns_false", "not_equal"]


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("currencies", "single_currency"),
        ("args", "single_arg"),
        ("address", "single_item_address"),
        ("status", "single_item_status"),
        ("data", "single_item_data"),
        ("ds", "single_item_ds"),
    ],
)
def test_of_one_item_the_name_is_singular(noun, expected):
    assert value_words.single_words(noun) == expected


@pytest.mark.parametrize(("given", "expected"), [(Source("lambda x: x > 1"), False), (5, True)])
def test_what_a_function_of_the_test_answers_is_hardly_a_result_of_the_code(given, expected):
    arg = given if isinstance(given, Source) else Const(given)
    call = Call("function", "shop:draw", (arg,))
    check = tests.Check(Ref(0), "is", Const(value=False))
    test = tests.Test("shop:draw", Sequence((call,)), Returned(), (check,))
    assert (Tag("result", "returns_false") in tags(test, SubjectIndex(LIST))) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\nb", "multiline_text"), ("a:b", "special_characters"), ("a b\n", "special_characters")],
)
def test_a_text_of_several_lines_is_called_so(text, expected):
    assert value_words.text_words(text, "text")[0] == expected


def test_a_table_of_calls_with_an_option_says_the_option():
    subject = subject_of("def latitude(place, dms=False): return 1\n", "shop")
    parts = [
        "r = latitude('q w', True)\nassert r == 'S'", "r = latitude('q v', True)\nassert r == 'N'",
        "r = latitude('q w')\nassert r == -5",
    ]  # fmt: skip
    text = write(subject, suite_of("\n\n".join(parts), subject)).text
    assert re.findall(r"def test_(\w+)", text) == ["latitude_dms", "latitude"]


def test_that_chance_was_seeded_names_no_test():
    subject = subject_of(
        "class Die:\n    def __init__(self, sides=6, seed=None): self.sides = sides\n"
        "    def reseed(self, seed): self.sides = 1\n    def roll(self): return 1\n",
        "shop",
    )
    for text in ("d = Die()\nd.reseed(5)\nr = d.roll()", "d = Die(seed=5)\nr = d.roll()"):
        (test,) = suite_of(text, subject)
        found = {tag.text for tag in history_tags(test, SubjectIndex(subject))}
        assert not {text for text in found if "seed" in text or text == "on_new_die"}


def test_a_table_that_nothing_tells_apart_has_cases():
    rows = "r = clamp('q w', 7)\nassert r == 5\n\nr = clamp('q v', 7)\nassert r == 6"
    one = "r = clamp('q w', high=7)\nassert r.size == 5"
    assert set(names(f"{one}\n\n{rows}")) == {"test_clamp", "test_clamp_size"}
    described = _Described("clamp", "", (), "", 2, is_silent=False)
    found = _candidate_names(described, [described], owned=False, is_usual=False)
    assert [next(found) for _ in range(3)] == ["test_clamp", "test_clamp_cases", "test_clamp_2"]


def test_a_message_that_says_what_there_is_none_of_keeps_it():
    call = Call("function", "bank:find", (Const("/a"),))
    raised = Raised("builtins:Exception", "called with no exception")
    assert message_words(tests.Test("bank:find", Sequence((call,)), raised)) == (
        "called_with_no_exception"
    )


def test_an_attribute_whose_name_stands_for_any_names_no_test():
    assert attribute_words("abc", Const(5)) == ""
    assert attribute_words('["second"]', Const(None)) == ""
    assert attribute_words("second", Const(None)) == "no_second"


def test_of_an_entry_its_key_is_said():
    assert attribute_words('["subtitles"]', Const(5)) == "subtitles"
    assert attribute_words('info["isLive"]', Const(value=False)) == "not_live"


def test_a_table_is_told_apart_by_how_its_results_are_looked_at():
    parts = [
        "r = Row('q w')\nassert list(r) == [5]", "r = Row([])\nassert list(r) == [7]",
        "r = Row('q w')\nassert str(r) == 'a'", "r = Row([])\nassert str(r) == 'b'",
    ]  # fmt: skip
    text = write(LIST, suite_of("\n\n".join(parts), LIST)).text
    found = re.findall(r"def test_(\w+)", text)
    assert found == ["create_row_as_list", "create_row"]


def test_that_a_number_is_positive_is_said_beside_one_that_is_not():
    one = "r = clamp(5, 7)\nassert r == 5"
    other = "r = clamp('ab', high=7)\nassert r == 7"
    zero = "r = clamp(0, high=7)\nassert r == 0"
    assert names(f"{one}\n\n{other}") == ["test_clamp", "test_clamp_string_low"]
    assert names(f"{one}\n\n{zero}") == ["test_clamp", "test_clamp_zero_low"]


def test_a_small_number_is_named_with_its_parameter():
    call = Call("function", "bank:clamp", (Const(3), Const(9)))
    test = tests.Test("bank:clamp", Sequence((call,)), Returned())
    found = [tag.text for tag in value_tags(test, SubjectIndex(BANK))]
    assert found == ["low_3", "high_9"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fetch('http://example.com', 'GET')", ([], {"string_url", "string_method"})),
        ("fetch('HTTP', 'LINK')", (["http", "link", "http_and_link"], {"upper_case_url"})),
        ("find('name')", ([], {"name"})),
    ],
)
def test_what_is_put_for_any_of_a_name_says_nothing(text, expected):
    (test,) = suite_of(f"r = {text}\nassert r == 1", BANK)
    values, kinds = expected
    assert [tag.text for tag in value_tags(test, SubjectIndex(BANK))] == values
    said = {tag.text for tag in argument_tags(test, SubjectIndex(BANK))}
    assert kinds <= said
    assert not {"special_characters", "upper_case_method"} & said or "HTTP" in text


def test_an_instance_of_a_written_class_is_named_by_that_class():
    written = Call("define", "class Point:\n    x = 1")
    sequence = Sequence((written, Call("operator", "call", (Ref(0),))))
    test = tests.Test("bank:find", sequence, Returned())
    assert written_words(1, test) == written_words(0, test) == ["point"]


def test_a_round_trip_says_what_undoes_what():
    calls = (Call("function", "bank:clamp", (Const(3),)), Call("function", "bank:find", (Ref(0),)))
    goal = Goal(Family.RETURN, 0, "bank:find", ROUND_TRIP)
    check = tests.Check(Ref(1), "==", Const(3))
    test = tests.Test("bank:find", Sequence(calls), Returned(), (check,), (goal,))
    text = write(BANK, [test]).text
    assert "def test_find_undoes_clamp():\n    assert find(clamp(3)) == 3\n" in text


def names_in(subject, text):
    return re.findall(r"def (test_\w+)", write(subject, suite_of(text, subject)).text)


NUMBERS = Display("list", (Const(3), Const(1), Const(2)))
SHOP = subject_of(
    """
class Basket:
    def __init__(self): self.items = []
    def parse(self, text): return 1
class Invoice:
    def parse(self, text): return 1
def parse(text): return 1
def fill(key, number): return 1
""",
    "shop",
)


def test_a_method_beside_a_function_of_its_name_says_its_class():
    text = "b = Basket()\nr = b.parse('x y')\nassert r == 1\n\nr = parse('z')\nassert r == 2"
    assert names_in(SHOP, text) == ["test_basket_parse", "test_parse"]


def test_texts_for_which_the_code_asks_are_named_and_arbitrary_ones_are_not():
    asking = replace(SHOP, constants=(Constant("max-age", "fill", "compare"),))
    text = "r = fill('max-age', 2)\nassert r == 1\n\nr = fill('abc', 2)\nassert r.size == 2"
    assert names_in(asking, text)[0] == "test_fill_max_age"
    assert not any("abc" in name for name in names_in(SHOP, text))


def test_a_function_that_stands_for_any_is_not_named():
    text = "r = fill(str, 2)\nassert r == 1\n\nr = fill(len, 2)\nassert r.size == 2"
    found = names_in(SHOP, text)
    assert not any("str" in name for name in found)


def test_what_was_done_to_an_argument_is_named():
    text = (
        "b = Basket()\nr = parse(b)\nassert r == 1\n\n"
        "b = Basket()\nt = b.parse('q w')\nr = parse(b)\nassert r == 2"
    )
    assert names_in(SHOP, text) == ["test_parse", "test_parse_after_parse"]


def test_what_is_observed_of_a_result_is_named():
    text = "r = parse('q w')\nassert r.title == 1\n\nr = parse('e r')\nassert r.total == 1"
    assert names_in(SHOP, text)[0] == "test_parse_title"


def test_a_wrong_class_is_named_and_not_its_sign():
    text = "fill(3, b'x')\nraises TypeError\n\nfill('q', [])\nraises TypeError('number')"
    assert names_in(SHOP, text)[0] == "test_fill_int_key_raises_type_error"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (value_words.text_words(" ", "name"), "blank_name"),
        (value_words.number_words(-1, "size"), "negative_size"),
        ([value_words.flag_words("is_open", value=False)], "is_not_open"),
        ([value_words.flag_words("no_header", value=False)], "header"),
        (value_words.class_words(1.5, "number"), "float"),
        (value_words.container_words(2, (Const(1), Const(1)), "list", "list"), "duplicate_list"),
        (value_words.container_words(1, (NUMBERS,), "rows", "tuple"), "list_in_rows"),
        (value_words.container_words(1, (NUMBERS,), "rows", "list"), "nested_rows"),
        (value_words.container_words(1, (Const("a"), NUMBERS), "dict", "dict"), "list_in_dict"),
        (value_words.container_words(2, (NUMBERS, Const(1)), "list", "list"), "several_items"),
        (value_words.container_words(2, (Const(1), Const(2)), "rows", "list"), "several_rows"),
        (value_words.container_words(2, (Const(1), Const(2)), "tree", "list"), "several_items"),
    ],
)
def test_the_most_special_word_for_a_value_comes_first(found, expected):
    assert found[0] == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("port",), ["with_port"]),
        (("port", "name"), ["with_port_and_name"]),
        (("port", "name", "host"), []),
        (("abc",), []),
        ((1,), []),
    ],
)
def test_a_mapping_is_named_by_its_keys_where_they_are_few_words(keys, expected):
    assert value_words.key_words(tuple(map(Const, keys))) == expected


def test_what_a_class_says_about_itself_is_no_instance_of_it():
    subject = subject_of(
        "class Site:\n    @classmethod\n    def suitable(cls, url): return True\n"
        "    @classmethod\n    def from_url(cls, url): return Site()\n",
        "shop",
    )
    text = "r = Site.suitable('q w')\nassert r is True\nassert r.real == 1"
    written = write(subject, suite_of(text, subject)).text
    assert "suitable = Site.suitable(" in written
    text = text.replace("suitable", "from_url").replace("is True", "== 2")
    assert "site = " in write(subject, suite_of(text, subject)).text


def test_members_of_an_enum_in_a_table_are_called_by_their_class():
    subject = subject_of(
        "class RoadSign:\n    def __init__(self, way): ...\n    def points(self): return 1\n",
        "shop",
    )
    suite = suite_of("s = RoadSign(1)\nr = s.points()\nassert r == 1", subject)
    (one,) = suite
    rows = []
    for place, name in enumerate(("UP", "DOWN")):
        call = Call("method", "points", (Symbol("shop", f"RoadSign.{name}"),))
        (check,) = one.checks
        seen = replace(check, observed=Ref(0), expected=Const(place + 5))
        outcome = replace(one.outcome, value=Const(place + 5))
        rows.append(replace(one, sequence=Sequence((call,)), checks=(seen,), outcome=outcome))
    written = write(subject, rows).text
    assert '("sign", "expected"), [(RoadSign.UP, 5), (RoadSign.DOWN, 6)]' in written


def test_an_option_that_is_switched_off_is_not_named_as_given():
    subject = subject_of(
        "class Parser:\n"
        "    def __init__(self, *, link=True, depth=0): pass\n"
        "    def parse(self, text): return 1\n",
        "parsing",
    )
    text = "\n\n".join(
        f"p = Parser({given})\nr = p.parse('abc')\nassert r == {number}"
        for number, given in enumerate(("link=False", "depth=None, link=True", "depth=2"))
    )
    made = re.findall(r"def (test_\w+)", write(subject, suite_of(text, subject)).text)
    assert made == ["test_parse_without_link", "test_parse_without_depth", "test_parse_with_depth"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("t = 1", ""),
        ("import p", ""),
        ("a", ""),
        ("7", "7"),
        ("abc", ""),
        ("key", "key"),
        ("two words", "two_words"),
    ],
)
def test_a_text_of_several_words_is_part_of_a_name_only_where_they_are_words(value, expected):
    assert value_words.literal_words(Const(value)) == expected


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("title", Const("abc"), "title"),
        ("title", Const(None), "no_title"),
        ("items", Display("list", ()), "no_items"),
        ("is_open", Const(value=False), "not_open"),
        ("is_open", Const(value=True), "is_open"),
        ("size", Const(0), "size"),
        ("tree_changed", Const(value=False), "tree_not_changed"),
        ("changed", Const(value=False), "not_changed"),
        ("block[*].environment", Display("list", ()), ""),
    ],
)
def test_an_attribute_that_is_nothing_is_named_so(name, value, expected):
    assert attribute_words(name, value) == expected


def test_a_name_does_not_end_twice_with_what_the_function_is_called():
    described = _Described("read_utf8_file", "", (), "", 1, is_silent=False)
    assert described.name([Tag("argument", "file")]) == "test_read_utf8_file"
    assert described.name([Tag("argument", "other_file")]) == "test_read_utf8_file_other_file"


LIST = subject_of(
    """
class Row:
    def __init__(self, items): self.items = items
    def __getitem__(self, item): return 1
    def __setitem__(self, key, value): self.items = 1
    def __len__(self): return 1
    def __iter__(self): return 1
    def __str__(self): return 1
def drop(n, iterable): return 1
def scan(func, iterable, *args): return 1
def draw(items, rnd=None): return 1
def retry(retries=None, pause=1): return 1
def encode(value): return 1
""",
    "shop",
)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            [
                "a = Row('q w')\nr = a[0]",
                "a = Row('q w')\nr = a[-1]",
                "a = Row('q')\nr = a[slice(1)]",
            ],
            ["get_item", "get_item_negative_index", "get_item_slice"],
        ),
        (["r = drop(1, [3, 1, 2])", "r = drop(5, [1])"], ["drop", "drop_number_above_length"]),
        (["r = draw([3, 1])", "r = draw([3, 1], 5)"], ["draw", "draw_with_rnd"]),
        (
            [
                "a = Row('q w')\na['comment'] = 'x y'\nr = str(a)",
                "a = Row('q w')\nx = a.setdefault('path')\nr = str(a)",
                "a = Row('q w')\nr = str(a)",
            ],
            ["str_with_comment", "str_with_path", "str"],
        ),
        (["r = scan(str, [3, 1, 2])", "r = scan(str, ['a', 'b'])"], ["scan_of_numbers", "scan"]),
    ],
)
def test_a_name_says_the_situation_and_the_usual_one_needs_no_words(parts, expected):
    text = "\n\n".join(f"{part}\nassert r == 'value'" for part in parts)
    groups = [Group((_unit_of(test),)) for test in suite_of(text, LIST)]
    found = names_of(groups, SubjectIndex(LIST), [""] * len(groups))
    assert found == [f"test_{one}" for one in expected]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(Display("set", (Const(1),)), "set"), (Const(1.5), "float"), (Const(None), "none")],
)
def test_where_the_code_asks_for_a_class_the_kind_that_was_passed_is_named(value, expected):
    call = Call("function", "shop:encode", (value,))
    asked = (Circumstance("", frozenset(("value",)), classed="value"),)
    test = tests.Test("shop:encode", Sequence((call,)), Returned(), circumstances=asked)
    assert tags(test, SubjectIndex(LIST))[0] == Tag("argument", expected, strong=True)


def test_what_a_factory_was_given_tells_of_the_function_that_it_returned():
    made = Call("function", "shop:retry", (Const(2),))
    called = Call("operator", "call", (Ref(0), Const(1)))
    test = tests.Test("shop:retry", Sequence((made, called)), Returned())
    assert "with_retries" in {tag.text for tag in tags(test, SubjectIndex(LIST))}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["with_body", "with_body"], "test_write_with_body"),
        (["with_body", "with_size"], "test_write_with_body_and_size"),
        (["write_twice"], "test_write_twice"),
        (["empty_write"], "test_write_empty"),
    ],
)
def test_no_word_is_said_twice(parts, expected):
    described = _Described("write", "", (), "", 1, is_silent=False)
    assert described.name([Tag("argument", part) for part in parts]) == expected


def test_an_option_that_is_called_with_is_not_said_to_be_given_with():
    subject = subject_of("def write(text, with_body=False, size=0): return 1\n", "shop")
    call = Call("function", "shop:write", (Const("q"),), (("with_body", Const(value=True)),))
    test = tests.Test("shop:write", Sequence((call,)), Returned())
    found = {tag.text for tag in tags(test, SubjectIndex(subject))}
    assert {"with_body", "without_size"} <= found
    assert "with_with_body" not in found


def test_what_is_looked_at_of_an_object_is_named():
    looks = [Call("operator", name, (Ref(0),)) for name in ("list", "len")]
    assert observed_words(looks, "row") == "iterate_and_len"
    assert observed_words([*looks, Call("operator", "str", (Ref(0),))], "row") == "row_state"
    assert observed_words([Call("get", "size", (Ref(0),))], "row") == "row_attributes"


def test_a_key_that_was_set_is_named_and_not_the_method_that_set_it():
    for text, expected in [
        ("a = Row('q w')\nx = a.setdefault('path')\nr = str(a)", "with_path"),
        ("a = Row('q w')\na.size = 5\nr = str(a)", "with_size"),
        ("a = Row([])\nr = str(a)", "empty_items"),
        ("a = Row('q w')\nr = str(a)", "on_row"),
    ]:
        (test,) = suite_of(text, LIST)
        assert expected in {tag.text for tag in history_tags(test, SubjectIndex(LIST))}


def test_texts_deep_inside_a_result_do_not_name_it():
    subject = replace(SHOP, constants=(Constant("int", "parse", "compare"),))
    (test,) = suite_of("r = parse(1)\nassert r == {'rate': {'type': 'int'}}", subject)
    assert returned_words(test, SubjectIndex(subject)) == []
    (test,) = suite_of("r = parse(1)\nassert r == {'rate': 'int'}", subject)
    assert returned_words(test, SubjectIndex(subject)) == ["returns_int"]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("KeyError", "test_get_item_missing_key_raises_key_error"),
        ("IndexError", "test_get_item_index_out_of_range_raises_index_error"),
    ],
)
def test_what_was_wrong_with_what_stands_in_brackets_is_named(error, expected):
    raised = Raised(f"builtins:{error}", "", inside=True, line=1)
    got = Call("operator", "[]", (Ref(0), Const("c")))
    made = Call("function", "shelf:Shelf")
    shelf = subject_of("class Shelf:\n    def __getitem__(self, key): return 1\n", "shelf")
    test = tests.Test("shelf:Shelf.__getitem__", Sequence((made, got)), raised)
    assert expected in write(shelf, (test,)).text


def test_what_any_number_of_arguments_is_called_names_one_of_them():
    many = subject_of("def join(*parts): return 1\ndef call(*args): return 1\n", "many")
    texts = "r = join(-1)\nassert r == 1\n\nr = join(2)\nassert r == 2\n\n"
    texts += "r = call(-1)\nassert r == 1\n\nr = call(2)\nassert r == 2"
    written = write(many, suite_of(texts, many)).text
    assert '("part", "expected")' in written
    assert '("number", "expected")' in written


def test_several_parameters_of_one_letter_keep_it_and_a_single_one_is_a_noun():
    planes = subject_of("def far(x, y): return 1\ndef half(n): return 1\n", "planes")
    texts = "r = far(-1, 4)\nassert r == 1\n\nr = far(2, 7)\nassert r == 1\n\n"
    texts += "r = half(-1)\nassert r == 1\n\nr = half(2)\nassert r == 1"
    written = write(planes, suite_of(texts, planes)).text
    assert '("x", "y")' in written
    assert '"number"' in written


def test_what_something_is_like_is_no_noun_for_it():
    assert class_nouns("shop:MethodNotSupported") == ["method_not_supported"]


def test_what_is_called_like_the_function_is_named_as_the_parameter():
    text = "a = Account(5)\na.withdraw(-1)\nraises ValueError('a withdraw must be positive')"
    assert names(text) == ["test_withdraw_rejects_non_positive_amount"]


def test_the_only_test_of_a_function_says_that_it_has_nothing_to_do():
    assert names("r = find('')\nassert r is None") == ["test_find_empty_name"]
    assert names("r = clamp(None, 2)\nassert r == 2") == ["test_clamp_low_none"]
    assert names("r = find('ab')\nassert r is None") == ["test_find"]
    assert names("r = find('ab')\nassert r == []") == ["test_find_is_empty"]
    assert names("r = find('ab')\nassert r is False") == ["test_find_returns_false"]


def test_arguments_that_are_equal_by_chance_name_no_test():
    one = Build(Symbol("datetime", "date"), (Const(2024), Const(1), Const(31)))
    call = Call("function", "shop:scan", (one, one, Const(3)))
    test = tests.Test("shop:scan", Sequence((call,)), Returned())
    said = {tag.text: tag.kind for tag in argument_tags(test, SubjectIndex(LIST))}
    assert said["same_func_and_iterable"] == "value"
    compared = (Circumstance("func_is_iterable", frozenset(("func", "iterable"))),)
    told = argument_tags(replace(test, circumstances=compared), SubjectIndex(LIST))
    assert Tag("argument", "same_func_and_iterable") in told


def test_a_message_ends_before_what_asks_for_more():
    call = Call("function", "bank:find", (Const("/a"),))
    raised = Raised("builtins:Exception", "it can only be used when writing: no")
    test = tests.Test("bank:find", Sequence((call,)), raised)
    assert told_message(test) == ("it_can_only_be_used_when_writing", True)
    long = replace(raised, message="it can only be used when you are writing text to files")
    assert told_message(replace(test, outcome=long)) == ("it_can_only_be_used", False)


def test_what_a_message_says_of_its_writer_is_in_no_name():
    call = Call("function", "bank:find", (Const("/a"),))
    raised = Raised("builtins:Exception", "We were unable to read it")
    assert told_message(tests.Test("bank:find", Sequence((call,)), raised)) == ("", False)
    other = replace(raised, message="These are the errors we got: the file is broken")
    told = told_message(tests.Test("bank:find", Sequence((call,)), other))
    assert told == ("the_file_is_broken", True)


def test_how_many_items_there_are_is_said_last():
    assert Tag("argument", "several_items").rank > Tag("value", "with_3").rank
    assert Tag("state", "on_new_account").rank > Tag("state", "after_withdraw").rank


def test_of_half_a_message_the_parameter_is_said_that_it_names():
    message = "The given value for 'strict', 'abc', can only be one of those two that are known"
    text = f"r = find('a b', 5)\nraises ValueError({message!r})\n\nr = find('ab')\nassert r == 1"
    assert names(text) == ["test_find", "test_find_raises_value_error_for_strict"]


@pytest.mark.parametrize(
    ("message", "name"),
    [("name must be a list", "rejects_non_list_name"),
     ("name must be a list, tuple or set", "raises_value_error_name_must_be_a_list")],
)  # fmt: skip
def test_the_first_of_several_choices_is_not_what_is_wanted(message, name):
    assert names(f"r = find('a b')\nraises ValueError({message!r})") == [f"test_find_{name}"]


def test_the_only_test_of_an_error_without_words_says_the_condition():
    (test,) = suite_of("r = find('ab', 5)\nraises ValueError('bad')", BANK)
    told = (Circumstance("strict_above_3", frozenset(("strict",))),)
    (name,) = write(BANK, [replace(test, circumstances=told)]).nodes
    assert name == "test_find_strict_above_3_raises_value_error"


def test_options_that_are_given_say_more_than_what_is_given_for_them():
    text = (
        "r = retry('ab cd')\nassert r == 'a b'\n\nr = retry(pause='ab cd')\nassert r == 'a c'\n\n"
        "r = retry(retries=repr, pause='ab cd')\nassert r == 'a d'"
    )
    found = names_of(
        [Group((_unit_of(test),)) for test in suite_of(text, LIST)], SubjectIndex(LIST), [""] * 3
    )
    assert found[-1] == "test_retry_with_pause_and_retries"


def test_a_text_that_is_called_like_another_parameter_stands_beside_its_own():
    """``config(undefined="exclude")`` has nothing to do with the option ``exclude``."""
    asked = Constant("strict", role="compare")
    index = SubjectIndex(replace(BANK, constants=(asked,)))
    call = Call("function", "bank:find", (Const("strict"),))
    test = tests.Test("bank:find", Sequence((call,)), Returned())
    assert Tag("argument", "name_strict", strong=True) in tags(test, index)


def said_of(text: str, circumstances=(), **known) -> set[tuple[str, str]]:
    """(text, kind) of the tags of the only test in ``text``."""
    (test,) = suite_of(text, LIST)
    found = tags(replace(test, circumstances=circumstances, **known), SubjectIndex(LIST))
    return {(tag.text, tag.kind) for tag in found}


def test_what_does_not_decide_that_a_call_raises_is_no_circumstance():
    text = "r = retry(retries=-1, pause='ab')\nraises ValueError('bad')"
    asked = (Circumstance("negative_retries", frozenset(("retries",))),)
    decided, undecided = (
        said_of(text, asked, undecided=frozenset(names)) for names in ((), ("retries",))
    )
    assert {("negative_retries", "circumstance"), ("negative_retries", "argument")} <= decided
    assert {kind for text, kind in undecided if text == "negative_retries"} == {"value"}
    assert ("with_invalid_retries", "argument") in decided - undecided
    assert ("with_invalid_pause", "argument") in undecided


@pytest.mark.parametrize(
    ("value", "with_class", "without"),
    [
        ("b'ab'", {"bytes"}, set()),
        ("b'\\x00'", {"bytes"}, {"control_characters", "single_character_text"}),
        ("'\\t'", {"blank_string", "single_character"}, {"blank_text", "single_character_text"}),
    ],
)
def test_a_class_that_decides_nothing_is_not_said(value, with_class, without):
    text = f"r = encode({value})\nraises ValueError('bad')"
    asked = (Circumstance("", frozenset(("value",)), classed="value"),)
    told, untold = (
        {
            said
            for said, kind in said_of(text, asked, classless=frozenset(names))
            if kind == "argument"
        }
        for names in ((), ("value",))
    )
    assert with_class <= told
    assert without <= untold
    assert untold.isdisjoint({"bytes", "string", "blank_string"})


def test_results_say_more_than_a_condition_on_a_variable_of_the_function():
    local = Tag("circumstance", "pos_is_not_max", contrary="pos_is_max", of_local=True)
    of_default = Tag("circumstance", "when_strict")
    result = Tag("result", "returns_bsdinit")
    assert sorted((local, result, of_default), key=lambda tag: tag.rank) == [
        result, of_default, local,
    ]  # fmt: skip
    assert replace(local, is_contrasted=True).rank == result.rank
    assert local.rank < Tag("value", "max").rank


@pytest.mark.parametrize(
    ("share", "usual"), [(0.2, 1), (0.9, 0), (0.0, 0)], ids=["turned away", "as broad", "unknown"]
)
def test_what_runs_little_of_a_function_is_not_its_usual_test(share, usual):
    said = (Tag("argument", "omit_value"),)
    narrow = _Described("post", "m:C", said, "", 1, is_silent=False, share=share)
    said = (Tag("result", "returns_name"),)
    broad = _Described("post", "m:C", said, "", 1, is_silent=False, share=1.0)
    assert _usual([narrow, broad]) == {usual}


@pytest.mark.parametrize(
    ("share", "name"),
    [(1.0, "test_create_field"), (0.5, "test_create_field_size_none")],
    ids=["all of it ran", "a part ran"],
)
def test_what_is_not_given_is_said_where_less_of_the_function_ran(share, name):
    said = (Tag("argument", "size_none"),)
    lone = _Described("create_field", "m:Field", said, "", 1, is_silent=False, share=share)
    assert next(_candidate_names(lone, [], owned=False, is_usual=False)) == name


def test_what_comes_back_as_it_was_given_is_unchanged_and_not_the_usual_case():
    told = names(
        "r = find(name='twoWords')\nassert r == 'two_words'\n\nr = find('word')\nassert r == 'word'"
    )
    assert told == ["test_find", "test_find_unchanged"]
    assert names("r = find('word')\nassert r == 'word'") == ["test_find_unchanged"]
    assert names("r = find('')\nassert r == ''") == ["test_find_empty_name"]


@pytest.mark.parametrize(("relation", "expected"), [("==", True), ("startswith", False)])
def test_what_only_begins_as_it_was_given_is_changed(relation, expected):
    call = Call("function", "shop:find", (Const("word"),))
    check = tests.Check(Ref(0), relation, Const("word"))
    test = tests.Test("shop:find", Sequence((call,)), Returned(), (check,))
    assert (Tag("result", "unchanged") in tags(test, SubjectIndex(LIST))) is expected


def test_what_stands_under_a_key_of_the_same_letters_is_not_unchanged():
    made = Call("function", "shop:Row", (Const("word"),))
    read = Call("operator", "[]", (Ref(0), Const("word")))
    check = tests.Check(Ref(1), "==", Const("word"))
    test = tests.Test("shop:Row.__getitem__", Sequence((made, read)), Returned(), (check,))
    assert Tag("result", "unchanged") not in tags(test, SubjectIndex(LIST))


def test_a_test_in_which_time_passes_says_that_it_is_later():
    clock = Call("operator", "itself", (recording(Const(0)),))
    made = Call("function", "bank:Account", (Ref(0),))
    later = Call("set", "return_value", (Ref(0), Const(9)))
    asked = Call("method", "is_empty", (Ref(1),))

    def said(*calls):
        test = tests.Test("bank:Account.is_empty", Sequence(calls), Returned("int"))
        return [tag.text for tag in history_tags(test, SubjectIndex(BANK))]

    assert said(clock, made, later, asked)[0] == "later"
    assert "later" not in said(clock, made, asked)
    told = Call("arrange", "setattr", (Const("bank.time"), Source("lambda: 9")))
    made_alone = Call("function", "bank:Account")
    asked_alone = Call("method", "is_empty", (Ref(1),))
    assert "later" not in said(told, made_alone, asked_alone)
    assert "later" not in said(clock, told, made_alone, Call("method", "is_empty", (Ref(2),)))
    then = Call("arrange", "setattr", (Const("bank.time"), Source("lambda: 10")))
    assert said(told, made_alone, then, asked_alone)[0] == "later"


def test_what_was_not_passed_is_not_said_to_be_there():
    """``self.strict`` is what the class has for those who pass none."""
    made = Call("function", "bank:Account")
    test = tests.Test("bank:Account.__init__", Sequence((made,)), Returned())
    told = (Circumstance("with_balance", frozenset(("self",))),)
    (found,) = [
        tag for tag in tags(replace(test, circumstances=told), SubjectIndex(BANK))
        if tag.text == "with_balance"
    ]  # fmt: skip
    assert (found.kind, found.strong) == ("value", False)


def test_the_receiver_of_the_method_that_made_an_object_is_none_of_its_arguments():
    subject = subject_of(
        """
class Base:
    def load(self, data, manager=None, loader=None): return self
    def get_loader(self, loader=None): return 1
""",
        "play",
    )
    made = Call("function", "play:Base")
    loaded = Call("method", "load", (Ref(0), Const("abc")))

    def said(*calls):
        test = tests.Test("play:Base.get_loader", Sequence(calls), Returned("int"))
        return {tag.text for tag in tags(test, SubjectIndex(subject))}

    assert "with_manager" not in said(made, loaded, Call("method", "get_loader", (Ref(1),)))
    with_manager = Call("method", "load", (Ref(0), Const("abc"), Const("def")))
    assert "with_manager" in said(made, with_manager, Call("method", "get_loader", (Ref(1),)))
    with_loader = Call("method", "load", (Ref(0), Const("abc")), (("loader", Const("def")),))
    told = said(made, with_loader, Call("method", "get_loader", (Ref(1),)))
    assert "with_loader" not in told, "get_loader has one of its own, which is left out"
