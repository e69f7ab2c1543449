"""The report: what it says, that it is safe and self-contained, and how a browser shows it."""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from in_process import run_here

from unitcraft.app.cli import exit_code
from unitcraft.app.commands import cli_report
from unitcraft.app.mutants.verdict_store import StoredVerdict, VerdictStore
from unitcraft.app.report.branch_reasons import ModuleFacts, missed_branches
from unitcraft.app.report.html_elements import element, join, table
from unitcraft.app.report.module_section import Detail, render_section
from unitcraft.app.report.page_style import STYLE
from unitcraft.app.report.recorded_runs import code_lines, read_project
from unitcraft.app.report.report_command import write_report
from unitcraft.app.report.report_page import render_page
from unitcraft.app.store import RunRecords, digest_of_file
from unitcraft.core.errors import UnitcraftError
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource
from unitcraft.suite.mutation.verdicts import JudgedMutant

HOSTILE = "</code><script>alert('<&\\x07')</script>"

SIGNS = f'''\
def sign(number):
    """{HOSTILE}"""
    if number < 0:
        return "negative"
    return "zero"


def unused(text):
    return text + {HOSTILE!r}
'''

SUITE = """\
class TestSign:
    @pytest.mark.parametrize("number", [1, 2])
    def test_sign(self, number):
        assert sign(number) == "zero"  # <b>
"""

TARGET = {
    "module": "signs", "source": "signs.py", "file": "tests/test_signs.py", "tests": 2,
    "branches": {"covered": 1, "all": 2}, "lines": {"covered": 4, "all": 6}, "executions": 70,
    "truncated": False,
    "findings": [
        {"code": "UC502", "target": "signs:unused", "message": f"ended {HOSTILE}", "where": ""},
        {"code": "UC509", "target": "signs", "message": "branches not reached", "where": ""},
    ],
    "reached": {
        "reached": [1, 3, 5, 8], "unreached": [4, 9], "taken": [[3, 5]], "missed": [[3, 4]],
        "tests": [["TestSign::test_sign[1]", [3, 5]], ["TestSign::test_sign[2]", [3, 5]]],
    },
    "never": [[3, "true"]],
}  # fmt: skip

CHECK = {
    "tests": 2,
    "findings": [
        {"test": f"t.py::{HOSTILE}", "code": "UC101", "message": "repeats t.py::test_a",
         "where": "t.py:3", "repeats": ["t.py::test_a"]}
    ],
}  # fmt: skip

PICTURE = '<svg class="states" role="img"><title>States</title><text>a &lt; b</text></svg>'
STATES = {"iterations": [{"iteration": 1, "states": 2, "tests": 3}], "picture": PICTURE}


@pytest.fixture
def root(tmp_path):
    """A project with a record of each kind."""
    (tmp_path / "signs.py").write_text(SIGNS)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_signs.py").write_text(SUITE)
    records = RunRecords(tmp_path)
    digest = digest_of_file(tmp_path / "signs.py")
    records.keep("generate", "signs", {**TARGET, "digest": digest})
    records.keep("check", f"tests -s {HOSTILE}", CHECK)
    records.keep("states", "signs:Sign", STATES)
    failure = {"target": HOSTILE, "message": "no such target", "advice": None}
    records.keep("run", "generate", {"failures": [failure], "empty": ["pk"]})
    file = str(tmp_path / "signs.py")
    mutants = ModuleSource("signs", file, SIGNS).mutants
    store = VerdictStore(tmp_path)
    for verdict, mutant in zip(("survived", "assertion"), mutants, strict=False):
        store.add(StoredVerdict(JudgedMutant(mutant.about, verdict, "", 2, 2), file, "d"))
    return tmp_path


class Page(HTMLParser):
    """The elements of a page, and whether each that was opened is closed in its turn."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def all(self, *tags):
        return [attrs for tag, attrs in self.elements if tag in tags]


@pytest.fixture
def page(root):
    return Page(render_page(read_project(root)))


def test_the_page_tells_what_was_reached_and_why_the_rest_was_not(page):
    assert "1 module, 2 tests, 1 of 2 branches taken, 1 of 2 mutants killed." in page.text
    assert "number < 0 is true2 tests come here; none of the 70 runs of the search took it" in (
        page.text
    )
    assert "UC502unusedevery run was refused as a misuse" in page.text
    assert "repeats t.py::test_a" in page.text
    assert "Nothing to test in pk." in page.text
    rows = {attrs["id"]: attrs["class"] for attrs in page.all("tr") if "id" in attrs}
    assert [rows[f"m0L{line}"] for line in (1, 2, 3, 4)] == ["hit", "none", "part", "miss"]


def test_each_line_has_the_tests_that_reach_it_and_each_test_its_code(page):
    targets = [attrs["href"] for attrs in page.all("a")]
    assert targets.count("#m0T0") == 1
    assert "as 3" in page.text  # line 5 is reached by the same tests as line 3
    assert 'def test_sign(self, number):\n    assert sign(number) == "zero"  # <b>' in page.text


def test_whatever_is_quoted_is_escaped(page):
    assert not {tag for tag, _ in page.elements} & {"script", "b", "img", "iframe", "link"}
    assert page.text.count("<script>alert('<&\\x07')</script>") >= 4


def test_the_page_loads_nothing_and_its_links_lead_somewhere(page):
    policy = page.all("meta")[1]["content"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert not [attrs for _, attrs in page.elements if {"src", "onclick", "style"} & attrs.keys()]
    assert "url(" not in STYLE
    assert "@import" not in STYLE
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(set(ids)) == len(ids)
    assert {attrs["href"] for attrs in page.all("a")} <= {f"#{name}" for name in ids}


def test_the_page_can_be_heard_and_used_without_a_mouse(page):
    assert page.all("html")[0]["lang"] == "en"
    assert all("scope" in attrs for attrs in page.all("th"))
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(attrs["tabindex"] == "0" and attrs["aria-label"] for attrs in page.all("div")
               if attrs.get("class") == "frame")  # fmt: skip
    assert [attrs["role"] for attrs in page.all("svg")] == ["img"]
    assert page.all("a")[0]["href"] == "#modules"
    assert "reached, a branch is not taken" in page.text  # beside the sign and the colour


def test_texts_have_contrast_in_both_palettes():
    def luminance(colour):
        digits = colour if len(colour) == 6 else "".join(2 * digit for digit in colour)
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = STYLE.split("@media (prefers-color-scheme:dark)")
    for palette in (light, dark):
        found = dict(re.findall(r"--(\w+):#([0-9a-f]+)", palette))
        pairs = [(ink, "paper") for ink in ("ink", "dim", "link", "good", "bad", "warn")]
        pairs += [(ink, paper) for paper in ("warnbg", "badbg") for ink in ("ink", "dim", "link")]
        for ink, paper in [*pairs, ("warn", "warnbg"), ("bad", "badbg"), ("ink", "soft")]:
            low, high = sorted((luminance(found[ink]), luminance(found[paper])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (ink, paper)


def test_a_file_that_changed_is_shown_without_marks(root):
    (root / "signs.py").write_text("x = 1\n")
    module = read_project(root).modules[0]
    shown = Page(render_section(module, "m0", Detail.FULL))
    assert "The file has changed since this run" in shown.text
    assert [attrs for attrs in shown.all("tr") if "id" in attrs] == []


def test_lines_are_those_that_python_counts():
    text = "a = 1\n\x0c\r\nb = '\u2028'\nc = 3\n"
    assert len(code_lines(text)) == ast.parse(text).body[-1].lineno == 4


def test_a_module_that_is_gone_and_a_damaged_record_are_left_out(root):
    (root / "signs.py").unlink()
    folder = root / ".unitcraft" / "runs"
    (folder / "generate-x.json").write_text("{")
    (folder / "generate-y.json").write_text('{"name": "y"}')
    assert read_project(root).modules == ()


def test_the_page_of_a_large_project_stays_small(root):
    project = read_project(root)
    many = tuple(
        replace(project.modules[0], name=f"signs{number}", text=SIGNS + "# more\n" * 200)
        for number in range(40)
    )
    text = render_page(replace(project, modules=many), 400_000)
    assert 300_000 < len(text.encode()) < 400_000
    page = Page(text)
    assert "The source is left out, to keep the page small" in page.text
    assert len(page.all("section")) == 40


def test_targets_of_one_module_share_its_source(root):
    digest = digest_of_file(root / "signs.py")
    other = {"reached": [4], "unreached": [9], "taken": [[3, 4]], "missed": [[3, 5]], "tests": []}
    RunRecords(root).keep(
        "generate", "signs:sign", {**TARGET, "digest": digest, "reached": other, "never": []}
    )
    module = read_project(root).modules[0]
    assert len(module.targets) == 2
    assert (module.missed, module.unreached, module.never) == ((), {9}, frozenset())


def test_a_report_of_nothing_says_what_to_do(tmp_path):
    with pytest.raises(UnitcraftError) as caught:
        write_report(tmp_path, (), tmp_path / "report.html")
    assert caught.value.slug == "nothing-to-report"
    assert cli_report.command.name == "report"


def test_the_page_opens_in_the_browser_of_the_user(root, monkeypatch, capsys):
    opened = []
    monkeypatch.chdir(root)
    monkeypatch.setattr("webbrowser.open", opened.append)
    assert exit_code(["report", "--open"]) == 0
    assert opened == [(root / ".unitcraft" / "report.html").as_uri()]
    assert capsys.readouterr().out == ".unitcraft/report.html\n"


@pytest.mark.parametrize(("name", "count"), [("signs", 1), ("signs.py", 1), ("sig", 0)])
def test_a_report_may_be_about_some_modules(root, name, count):
    if count:
        project = write_report(root, (name,), root / "r.html")
        assert (len(project.modules), project.checks) == (count, ())
    else:
        with pytest.raises(UnitcraftError):
            write_report(root, (name,), root / "r.html")


def test_elements_escape_texts_and_keep_markup():
    assert element("p", "a < b", element("code", "&"), title='"') == (
        '<p title="&quot;">a &lt; b<code>&amp;</code></p>'
    )
    assert join(("\x00", "\ud800", "a\tb\nc")) == "\\x00\\ud800a\tb\nc"
    assert '<th scope="row">1</th><td>2</td>' in table("t", ("a", "b"), [("1", "2")])


CODE = """\
def f(x, items):
    if x > 1:
        return 1
    for item in items:
        if item:
            break
    while x:
        x -= 1
    match x:
        case 0:
            return 2
    try:
        return items[0]
    except IndexError:
        return 3
"""


@pytest.mark.parametrize(
    ("missed", "never", "what", "why"),
    [
        ((2, 3), (2, "true"), "x > 1 is true", "2 tests come here; none of the 9 runs of the"),
        ((2, 4), (2, "true"), "x > 1 is false", "2 tests come here; the search took it, but in no"),
        ((4, 5), (4, "entered"), "the for loop begins a round", "2 tests come here; none of"),
        ((4, 7), (4, "ended"), "the for loop comes to its end", "2 tests come here; none of"),
        ((7, 8), (7, "entered"), "the while loop begins a round", "2 tests come here; none"),
        ((10, 11), (10, "x"), "case 0 matches", "no test comes to line 10; UC503 blocked"),
        ((10, 12), (10, "x"), "case 0 does not match", "no test comes to line 10; UC503 blocked"),
        ((14, 15), (1, "x"), "except catches IndexError", "no test comes to line 14"),
        ((2, -1), (1, "x"), "x > 1 is false", "2 tests come here"),
        ((3, -1), (1, "x"), "the function ends here", "this runs while the module is imported"),
    ],
)
def test_reasons(missed, never, what, why):
    facts = ModuleFacts(
        "m", frozenset({2, 3, 4, 5, 7}), (missed,), frozenset({never}), 9,
        {2: 2, 4: 2, 7: 2},
        [{"code": "UC503", "target": "m:f", "message": "blocked"},
         {"code": "UC503", "target": "m:g", "message": "no"}],
    )  # fmt: skip
    (found,) = missed_branches(ast.parse(CODE), facts)
    assert found.what == what
    assert found.why.startswith(why)


def test_generate_and_explore_keep_what_the_report_shows(signs_project, tmp_path):
    shutil.copytree(signs_project, tmp_path / "copy")
    (tmp_path / "copy" / "lamps.py").write_text("class Lamp:\n    def press(self): self.on = 1\n")
    done = run_here(tmp_path / "copy", "explore", "lamps.py:Lamp", "--iterations", "1")
    assert done.returncode == 0, done.stderr
    done = run_here(tmp_path / "copy", "report", "-o", "page.html")
    assert (done.returncode, done.stdout) == (0, "page.html\n")
    page = Page((tmp_path / "copy" / "page.html").read_text())
    assert "2 of 2 branches taken" in page.text
    assert "States of lamps.py:Lamp" in page.text
    assert "press() \u2192 1" in page.text


# -- in a browser ---------------------------------------------------------------------


@pytest.fixture
def browser():
    file = Path(__file__).parents[2] / "benchmarks" / "headless_browser.py"
    spec = importlib.util.spec_from_file_location("headless_browser", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = module.find_browser()
    if path is None:
        pytest.skip("no browser")
    with module.Browser(path) as opened:
        yield opened


def test_a_browser_shows_the_page(root, browser):
    write_report(root, (), root / "report.html")
    browser.load(root / "report.html")
    assert browser.evaluate("document.documentElement.scrollWidth") <= 1280
    assert browser.evaluate("document.scripts.length") == 0
    assert browser.evaluate("performance.getEntriesByType('resource').length") == 0
    paper = "getComputedStyle(document.body).backgroundColor"
    assert browser.evaluate(paper) == "rgb(255, 255, 255)"
    browser.prefer("dark")
    assert browser.evaluate(paper) == "rgb(13, 17, 23)"
    browser.press("Tab")
    assert browser.evaluate("document.activeElement.textContent") == "To the modules"
    for _ in range(60):
        browser.press("Tab")
        if browser.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    browser.press("Enter", "\r")
    assert browser.evaluate("document.activeElement.parentElement.open") is True
