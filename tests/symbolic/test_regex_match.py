"""Regular expressions: matches, groups, substitutions, and what each notes."""

from __future__ import annotations

import re

import pytest
from harness import agree

from unitcraft.symbolic.intercept.intercepts import call
from unitcraft.symbolic.proxies.strings import sym_str
from unitcraft.symbolic.proxies.trace import EVENTS, reset_trace
from unitcraft.symbolic.terms.term import variable

TEXTS = ("", "abc", "12-34", "a1b22", "x=1;y=2", "  ", "AbC\nabc", "foo(bar)", "aaa", "12", "é")
PATTERNS = (
    "abc", "a*", r"(\d+)-(\d+)", r"(?P<key>\w)=(?P<value>\d)", "(a)|(b)", "(x)?(a)", "^abc$",
    r"\s*", r"(\d)(?:(\d))*", "[^a]+", "(?i)ABC", r"\b", "(?=a)", "(a)(?:b(c)?)",
)  # fmt: skip
USES = {
    "match": "m = p.match(s)\n return m and (m.group(), m[0], m.groups(), m.groupdict())",
    "fullmatch": "m = p.fullmatch(s)\n return m and m.group(0)",
    "search": "m = p.search(s)\n return m and (m.start(), m.end(), m.span(), m.string, m.re)",
    "search from": "m = p.search(s, 1)\n return m and (m.span(), m.pos, m.endpos, m.lastindex)",
    "findall": "return p.findall(s)",
    "finditer": "return [(m.group(), m.start()) for m in p.finditer(s)]",
    "split": "return p.split(s), p.split(s, 1), p.split(s, maxsplit=1)",
    "sub": "return p.sub('-', s), p.sub('<', s, 1), p.subn('x', s), p.sub(r'\\g<0>!', string=s)",
    "sub by function": "return p.sub(lambda m: m.group().upper() + '.', s)",
    "module": "m = re.match(p.pattern, s)\n return m and m.expand('q'), re.sub(p.pattern, '', s), "
    "re.findall(p.pattern, s), re.split(p.pattern, s, 1), re.search(p.pattern, s, re.I) is None, "
    "re.fullmatch(p, s, flags=0) is None, [*re.finditer(p.pattern, s)] == []",
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("use", USES, ids=list(USES))
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_does_the_same_on_proxies(pattern, use):
    source = f"import re\np = re.compile({pattern!r})\ndef f(s):\n {USES[use]}"
    for text in TEXTS:
        agree(source, "f", text)


@pytest.mark.parametrize("use", ["search", "sub", "findall", "finditer"])
def test_a_pattern_of_bytes_does_too(use):
    body = USES[use].replace("'-'", "b'-'").replace("'<'", "b'<'").replace("'x'", "b'x'")
    body = body.replace("r'\\g<0>!'", "rb'\\g<0>!'")
    for text in (b"", b"a1b22", b"12-34"):
        agree(f"import re\np = re.compile(rb'\\d+')\ndef f(s):\n {body}", "f", text)


def test_a_symbolic_pattern_is_pinned_and_may_be_bad():
    for pattern in ("a+", "(", "b"):
        agree(
            "import re\ndef f(p, s): return bool(re.search(p, s)), re.escape(s)", "f", pattern, "ab"
        )


def test_a_text_of_the_wrong_kind_raises():
    agree("import re\ndef f(s): return re.match(b'a', s)", "f", "a")
    agree("import re\ndef f(s): return re.match('a', s)", "f", b"a")
    agree("import re\ndef f(s): return re.match('a', s)", "f", 3)


def test_a_group_that_always_takes_part_notes_nothing_more():
    events = agree("import re\ndef f(s): return re.match(r'(\\d+)-', s).group(1)", "f", "12-")
    assert events == [(("truth", ("re.match", "(\\d+)-", 32, ("v", 0))), True)]


def test_a_group_that_may_be_absent_is_a_branch():
    source = "import re\ndef f(s): return re.match(r'(a)?b', s).group(1) is None"
    assert len(agree(source, "f", "ab")) == len(agree(source, "f", "b")) == 2


def test_no_match_is_a_branch_with_an_attribute_error():
    source = "import re\ndef f(s): return re.match('a', s).group()"
    assert agree(source, "f", "b")[0][1] is False


def test_searching_is_followed_by_what_was_found():
    source = (
        "import re\ndef f(s):\n m = re.search('[0-9]+', s)\n"
        " return int(m.group()) > 5 if m else None"
    )
    assert agree(source, "f", "a7")[-1][0][0] == ">"


def test_a_huge_range_of_positions_is_no_trouble():
    agree("import re\ndef f(s, n): return re.compile('a').search(s, n) is None", "f", "aba", 1)


def test_an_event_about_a_group_that_may_be_missing_has_both_outcomes():
    """Events of ``same`` are concretizations, whose outcome is True."""
    for text in ("a", "ab"):
        reset_trace()
        found = call(re.compile("a(b)?").match, sym_str(text, variable(0)))
        call(found.group, 1)
        assert (("==", ("Match.group", found.term, 1), None), text == "a") in EVENTS
