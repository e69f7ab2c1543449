"""What the main job finds on Subjects whose answers are known by construction."""

from __future__ import annotations

import ast

import pytest

#: Subject -> branches that today's search leaves uncovered (0: all are found).
MISSED = {
    "accounts": 1,  # an object passed to its own method
    "decorators": 0,
    "figures": 0,
    "lights": 0,
    "magic": 0,
    "orders": 0,
    "puzzles": 0,  # reached by solving only
    "settings": 0,
    "shelves": 0,
    "streams": 0,
}

#: (Subject, original text, text of the twin): one planted bug each, which the suite must find.
TWINS = [
    ("accounts", "if amount > self.balance", "if amount >= self.balance"),
    ("accounts", "if amount <= 0", "if amount < 0"),
    ("accounts", "self.balance -= amount", "self.balance -= amount + 1"),
    ("accounts", "self.history.append(-amount)", "self.history.append(amount)"),
    ("accounts", "        other.deposit(amount)\n", ""),
    ("accounts", "InsufficientFundsError(f", "ValueError(f"),
    ("settings", "line[4:]", "line[3:]"),
    ("settings", '(name, "")', "(name, None)"),
    ("settings", "major * 100", "major * 10"),
    ("magic", "31337", "31336"),
    ("shelves", ">= 5", ">= 4"),
    ("shelves", ">= 5", ">= 6"),
    ("shelves", "        self._items.sort()\n", ""),
    ("shelves", "// 2]", "// 2 - 1]"),
    ("lights", "self.waiting == 0", "self.waiting == 1"),
    ("lights", "            self.waiting = 0\n        return", "            pass\n        return"),
    ("lights", "hurry and self.light", "hurry or self.light"),
    ("lights", "return Light.AMBER if", "return Light.RED if"),
    ("orders", "self.cents < 0", "self.cents <= 0"),
    ("streams", "start : start + size", "start : size"),
    ("streams", "size < 1", "size < 2"),
    ("streams", "while number > 0", "while number > 1"),
    ("streams", '"end" if kind is None', '"end" if kind is not None'),
    ("decorators", "3 * number + 1", "3 * number - 1"),
    ("figures", "radius**2", "radius * 2"),
    ("puzzles", 'return "great right"', 'return "some"'),
    ("puzzles", 'return "open"', 'return "shut"'),
    ("puzzles", 'text[0] == "9"', 'text[0] == "8"'),
    ("puzzles", "== 48879", "== 48878"),
    ("puzzles", "2 * self.limit + 7", "2 * self.limit + 8"),
    ("puzzles", 'return "special"', 'return "plain"'),
    ("figures", "thing.size() > room", "thing.size() >= room"),
]

#: Bugs on a boundary, or that show in a value that nothing but a search for the bug would choose.
SUBTLE = [
    ("accounts", "if balance < 0", "if balance <= 0"),
    ("accounts", "{amount - self.balance}", "{amount}"),
    ("settings", "value.strip()", "value"),
    ("settings", "fullmatch", "match"),
    ("settings", '("no", "off")', '("no", "of")'),
    ("settings", 'word.lower() in ("yes"', 'word in ("yes"'),
    ("magic", "code * 2 == 8086", "code * 2 == 8088"),
    ("magic", "points > 1234", "points >= 1234"),
    ("magic", "points >= 1000", "points > 1000"),
    ("magic", "points > 617", "points >= 617"),
    ("magic", "points < 0", "points <= 0"),
    ("shelves", "pop(0)", "pop()"),
    ("shelves", "< 3", "< 2"),
    ("orders", "!= 3", "< 3"),
    ("orders", "<= 50", "< 50"),
    ("orders", "if not 0 <=", "if not 0 <"),
    ("orders", "(100 - self._rebate)", "(100 + self._rebate)"),
    ("orders", "        self._rebate = percent\n", ""),
    ("orders", "other.cents, self.currency", "other.cents"),
    ("streams", "retries > 3", "retries > 2"),
    ("streams", "return False\n", "return True\n"),
    ("decorators", "if value < low", "if value < low - 1"),
    ("decorators", "high if value > high", "low if value > high"),
    ("decorators", "@clamped(0, 10)", "@clamped(0, 9)"),
    ("decorators", "count < 50", "count < 49"),
    ("figures", "self.area() > other.area()", "self.area() >= other.area()"),
    ("figures", "side <= 0", "side < 0"),
]

#: How many of those are found, at least: a figure to raise.
SUBTLE_FOUND = 8


@pytest.fixture(scope="module")
def codes(run_variants, source_text, tmp_path_factory, shared):
    """(Subject, text of the twin) -> exit code of pytest; the text '' is the original."""
    rows = [(name, "", "") for name in MISSED] + TWINS + SUBTLE
    for name, old, _ in TWINS + SUBTLE:
        assert source_text(name).count(old) == 1, (name, old)
    variants = [(name, source_text(name).replace(old, new) if old else source_text(name))
                for name, old, new in rows]  # fmt: skip
    found = shared("twins", lambda: run_variants(tmp_path_factory.mktemp("twins"), variants))
    return {(name, old, new): code for (name, old, new), code in zip(rows, found, strict=True)}


@pytest.mark.parametrize("name", MISSED)
def test_every_branch_is_covered(suite_of, name):
    made = suite_of(name)
    assert made.branches > 0
    assert made.branches - made.branches_covered <= MISSED[name]
    assert not made.truncated


@pytest.mark.parametrize("name", MISSED)
def test_the_original_passes(codes, name):
    assert codes[name, "", ""] == 0


@pytest.mark.parametrize("twin", TWINS, ids=lambda row: f"{row[0]}: {row[2].strip()}")
def test_a_planted_bug_makes_the_suite_fail(codes, twin):
    assert codes[twin] == 1


def test_many_subtle_bugs_make_the_suite_fail(codes):
    missing = [twin for twin in SUBTLE if codes[twin] == 0]
    assert len(SUBTLE) - len(missing) >= SUBTLE_FOUND, missing


@pytest.mark.parametrize("name", MISSED)
def test_the_text_is_plain_pytest(suite_of, name):
    text = suite_of(name).text
    tree = ast.parse(text)
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
                for alias in node.names}  # fmt: skip
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {name, "pytest", "asyncio"}
    assert "xfail" not in text
    assert "skip" not in text
    assert " at 0x" not in text
    tests = [node.name for node in ast.walk(tree)
             if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]  # fmt: skip
    assert len(tests) <= suite_of(name).tests
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("name", ["shelves"])
def test_two_workers_write_the_same_text(suite_of, name):
    assert suite_of(name, 2).text == suite_of(name, 1).text
