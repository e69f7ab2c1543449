"""Proxies of texts: what they note and what they do not."""

from __future__ import annotations

import pytest
from harness import agree

from unitcraft.symbolic.proxies.strings import sym_bytes, sym_str
from unitcraft.symbolic.proxies.trace import EVENTS, reset_trace

TOTAL = (
    "s + t", "'a' + s", "s.upper()", "s.strip()", "s.strip('x')", "s.split()", "s.split(',')",
    "s.partition('-')", "s.replace('a', t)", "s.center(9)", "s.ljust(5, '*')", "s.zfill(4)",
    "''.join([s, t])", "f'{s}{t}'", "f'{s:>5}'", "f'{s!r}'", "'%s-%s' % (s, t)", "'{}'.format(s)",
    "s * 2", "s[1:]", "s[::-1]", "s.splitlines()", "repr(s)", "str(s)", "s.title()", "len(s)",
    "s.casefold()", "s.expandtabs(4)", "s.removeprefix(t)", "s.find(t)", "s.count('a')",
    "s.rsplit(None, 1)", "s.translate({97: 'b'})", "'{:>5}|{!r}'.format(s, t)",
)  # fmt: skip


@pytest.mark.parametrize("text", TOTAL)
def test_what_cannot_fail_is_no_condition(text):
    events = agree(f"def f(s, t): return {text}", "f", "ab", "cd")
    assert not [event for event in events if event[0][0] == "ok"]


@pytest.mark.parametrize(
    "text",
    ["s + t", "s.upper()", "f'{s}{t}'", "s * 2", "s[1:]", "len(s)", "'%s' % s", "s.zfill(4)"],
)
def test_most_texts_need_no_condition_at_all(text):
    assert agree(f"def f(s, t): return {text}", "f", "ab", "cd") == []


PARTIAL = (
    "int(s)", "float(s)", "s[0]", "s[-1]", "s[i]", "s.index('a')", "s.split(t)", "s.encode()",
    "ord(s)", "s.center(5, t)", "s % 3", "s.format(3)", "s[::i]", "s.partition(t)",
)  # fmt: skip


@pytest.mark.parametrize("text", PARTIAL)
def test_what_may_fail_is_a_condition(text):
    for given in ("a", "", "7", "%d", "{}"):
        for other in ("b", ""):
            for index in (1, -1, 0):
                assert agree(f"def f(s, t, i): return {text}", "f", given, other, index)


def test_a_constant_index_is_a_condition_of_the_length():
    assert agree("def f(s): return s[1]", "f", "abc") == [((">", ("len", ("v", 0)), 1), True)]
    assert agree("def f(s): return s[-2]", "f", "a") == [((">=", ("len", ("v", 0)), 2), False)]


def test_parts_that_are_always_as_many_are_no_condition():
    assert agree("def f(s): return len(s.partition('-'))", "f", "ab") == []
    assert agree("def f(s): return len(s.rpartition(b'-'))", "f", b"ab") == []
    assert len(agree("def f(s): return len(s.split('-'))", "f", "ab")) == 1


def test_iterating_is_a_condition_of_the_length_alone():
    events = agree("def f(s): return [ord(c) for c in s]", "f", "ab")
    assert [event[0][0] for event in events] == [">", ">", ">"]


def test_a_text_compares_with_its_own_kind_alone():
    events = agree("def f(s): return s == 1, s == b'a', s == None, s == 'a', 'c' < s", "f", "b")
    assert len(events) == 2


@pytest.mark.parametrize("text", ["x in s", "s.count(x)", "s.find(x)"])
def test_a_number_that_is_no_byte_is_a_condition(text):
    for number in (97, 300, -1):
        agree(f"def f(s, x): return {text}", "f", b"abc", number)


def test_what_python_asks_of_a_hash_or_a_name_is_pinned():
    for make, value in ((sym_str, "ab"), (sym_bytes, b"ab")):
        proxy = make(value, ("v", 0))
        for function in (lambda p=proxy: hash(p), lambda p=proxy: {p: 1}, lambda p=proxy: {p}):
            reset_trace()
            function()
            [event] = EVENTS
            assert event == (("same", ("v", 0), value), True)


def test_a_proxy_looks_like_a_text():
    text = sym_str("ab", ("v", 0))
    assert isinstance(text, str)
    assert (text.__class__, type(text).__name__) == (str, "str")
    assert str.__str__(text) == "ab"


def test_a_wide_text_is_made_once_and_pinned():
    events = agree(
        "def f(s, n): return len(s.center(n)), len(s * n)", "f", "ab", 200_000, pool=False
    )
    wide = ("str.center", ("v", 0), ("v", 1))
    assert events[:2] == [
        (("ok", wide), False),
        (("same", ("raises", wide), "TooLargeError"), True),
    ]
    pins = [(("same", ("v", 0), "ab"), True), (("same", ("v", 1), 200_000), True)]
    assert events[2:4] == events[6:] == pins


FIELDS = """
class Tag:
    def __init__(self, n): self.n = n
    def __str__(self): return f"tag {self.n}"
def f(x, template): return template.format(Tag(x), x)
"""


@pytest.mark.parametrize("template", ["{{{}", "{{{}{}", "{}{0}", "{0}{}", "{1}{0}", "{}{}{}"])
def test_fields_are_numbered_as_format_numbers_them(template):
    agree(FIELDS.replace("template.format", f"{template!r}.format"), "f", 5, "")


SUBCLASS = """
class Name(str):
    def __eq__(self, other): return str.lower(self) == other.lower()
    __hash__ = str.__hash__
class Tag(str): pass
def f(s): return Name('A') == s, s == Name('A'), s == Tag('a'), Tag('b') + s, s in ('x', Tag('a'))
"""


@pytest.mark.parametrize("text", ["a", "A", "b"])
def test_subclasses_of_str_keep_their_ways(text):
    agree(SUBCLASS, "f", text)
