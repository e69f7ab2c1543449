from __future__ import annotations

import random
import re
import time

import pytest

from unitcraft.subject.values.regex_cost import SAFE_LENGTH
from unitcraft.subject.values.regex_generation import draw_matches, draw_near_misses

PATTERNS = [
    r"abc",
    r"a|bc|d",
    r"[a-z]+@[a-z]+\.(com|org)",
    r"^\d{4}-\d{2}$",
    r"(?P<x>a+)-(?P=x)",
    r"(?i)hello\s+world",
    r"^(?!foo)\w+$",
    r"(?<=x)y",
    r"foo(?=bar)",
    r"[^abc]",
    r"\bword\b",
    r"(a)?b(?(1)c|d)",
    r"a{3,}",
    "(?x) a \\ b # comment",
    r"^$",
    "",
    r"(?s).+",
    r"\S+\s\D\W",
    r"x{100}",
    r"[\u4e00-\u9fff]+",
    r"\Aabc\Z",
    r"a++b",
    r"(?>a|b)c",
    r"(?<!a)b",
    rb"a[\x80-\xff]b",
    r"^(?=.*\d).+$",
    r"^M{0,3}(CM|CD|D?C{0,3})$",
    r"((a+)+)+b",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_drawn_texts_match_and_near_ones_do_not(pattern: str | bytes) -> None:
    drawn = draw_matches(pattern, 0, random.Random(0), 5)
    assert drawn
    assert len(set(drawn)) == len(drawn)
    assert all(type(text) is type(pattern) and re.search(pattern, text) for text in drawn)
    assert not any(
        re.search(pattern, text) for text in draw_near_misses(pattern, 0, random.Random(0), 5)
    )


def test_each_alternative_is_tried() -> None:
    assert set(draw_matches("red|green|blue", 0, random.Random(0), 3)) == {"red", "green", "blue"}


def test_optional_parts_are_present_and_absent() -> None:
    assert {"ab", "a"} <= set(draw_matches("^ab?$", 0, random.Random(0), 4))


def test_readable_characters_come_first() -> None:
    assert draw_matches(r"^\w+$", 0, random.Random(0), 1) == ("a",)
    assert draw_matches(r"^[\w.-]+@\d$", 0, random.Random(0), 1) == ("a@1",)


def test_flags_are_obeyed() -> None:
    assert draw_matches("a  b", int(re.VERBOSE), random.Random(0), 1) == ("ab",)


def test_near_misses_drop_or_change_one_character() -> None:
    assert draw_near_misses("^abc$", 0, random.Random(0), 2) == ("ab", "ac")


def test_equal_seeds_give_equal_texts() -> None:
    assert draw_matches(r"\w{3,9}", 0, random.Random(7), 9) == draw_matches(
        r"\w{3,9}", 0, random.Random(7), 9
    )


@pytest.mark.parametrize("pattern", ["(", "a{9,1}", "(?P<x>", "x" * 3000, "[z-a]"])
def test_what_does_not_compile_gives_nothing(pattern: str) -> None:
    assert (
        draw_matches(pattern, 0, random.Random(0), 3)
        == draw_near_misses(pattern, 0, random.Random(0), 3)
        == ()
    )


@pytest.mark.parametrize(
    "pattern", [r"^(a+)+$", r"(x+x+)+y", r"((\w+)+)+!", r".*.*.*.*.*=", r"(a|aa)+$"]
)
def test_explosive_patterns_stay_quick(pattern: str) -> None:
    start = time.process_time()
    texts = (
        *draw_matches(pattern, 0, random.Random(0), 8),
        *draw_near_misses(pattern, 0, random.Random(0), 8),
    )
    assert all(len(text) <= SAFE_LENGTH for text in texts)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("/system.slice", "/system.slice"),
        ("x.*y", "x y"),
        ("vendor_id.*IBM", "vendor_id IBM"),
        ("<.*>", "<a>"),
        ("[a-z].+9", "aa9"),
        (r"\d.\d", "1a1"),
        (".x", "ax"),
    ],
)
def test_a_dot_between_letters_is_one(pattern, expected):
    assert draw_matches(pattern, 0, random.Random(0), 1) == (expected,)


def test_numbers_of_several_groups_differ():
    (text,) = draw_matches(
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-([0-9]{1,2})$", 0, random.Random(1), 1
    )
    assert text == "1111-2-3"
