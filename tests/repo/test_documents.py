"""What the documents say is true: sources exist, messages and settings are explained."""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from repository import ROOT, modules, nodes, tree

import unitcraft
from unitcraft.app import config
from unitcraft.app.exploration import message_pages
from unitcraft.core import rule_codes

MESSAGES = (ROOT / "docs" / "messages.md").read_text()
HEADINGS = re.findall(r"^#+ `?([\w-]+)`?", MESSAGES, re.MULTILINE)


def docstrings(name: str) -> list[str]:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return [
        text
        for node in nodes(modules()[name])
        if isinstance(node, kinds) and (text := ast.get_docstring(node))
    ]


@cache
def literals() -> set[str]:
    """Every string literal of the package; the fixed beginning of an f-string is one."""
    return {
        node.value
        for file in modules().values()
        for node in nodes(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def slugs() -> set[str]:
    """Every slug given to UnitcraftError as a literal, anywhere in the package."""
    return {
        arg.value
        for file in modules().values()
        for node in nodes(file)
        if isinstance(node, ast.Call) and called(node) == "UnitcraftError"
        for arg in node.args[:1]
        if isinstance(arg, ast.Constant)
    }


def test_some_slugs_are_found():
    assert {"unknown-config-key", "disk-full"} <= slugs()


def test_slugs_and_codes_are_explained():
    assert {*slugs(), *rule_codes.TITLES} - set(HEADINGS) == set()


def test_every_explained_slug_exists():
    """The application itself prints the internal error; two nouns share ``unknown-``."""
    used = {*literals(), "unknown-class", "unknown-method", "internal-error"}
    assert [each for each in HEADINGS if "-" in each and each not in used] == []


def test_messages_are_sorted_and_unique():
    explained = [each for each in HEADINGS if "-" in each]
    assert explained == sorted(set(explained))


def test_sources_are_in_the_bibliography():
    keys = set(
        re.findall(r"^@\w+\{([^,]+),", (ROOT / "docs/references.bib").read_text(), re.MULTILINE)
    )
    cited = {
        (name, key.strip())
        for name in modules()
        for text in docstrings(name)
        for key in re.findall(r"Sources?:\s*([\w-]+)", text)
    }
    assert len(cited) > 50
    assert [(name, key) for name, key in sorted(cited) if key not in keys] == []


def test_modules_say_what_they_are_and_their_invariant():
    texts = {name: ast.get_docstring(tree(file)) or "" for name, file in modules().items()}
    rooms = {name for name, file in modules().items() if file.name == "__init__.py"}
    assert [name for name, text in texts.items() if not text] == []
    assert [name for name in {*texts} - rooms if "Invariant:" not in texts[name]] == []


@pytest.mark.parametrize("key", config.KEYS)
def test_setting_is_documented(key):
    text = (ROOT / "docs" / "configuration.md").read_text()
    setting = next(item for item in fields(config.Config) if item.name == key)
    kind, help_ = setting.metadata["kind"], setting.metadata["help"]
    default = "{}" if kind.startswith("a table") else as_toml(setting.default)
    assert f"| `{key}` | {kind} | `{default}` | {help_} |" in text


def as_toml(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return repr(value).lower()
    return "[]" if value == () else repr(value).replace("'", '"')


def test_there_are_few_settings():
    assert len(config.KEYS) <= 30


def test_change_log_has_a_fragment():
    fragments = sorted((ROOT / "changelog.d").glob("*.md"))
    assert any(file.name != "README.md" and file.read_text().strip() for file in fragments)


def test_a_wheel_has_the_page_of_messages_where_explain_reads_it():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    included = build["targets"]["wheel"]["force-include"]
    package = Path(unitcraft.__file__).parent
    assert package.parent / included["docs/messages.md"] == message_pages.PLACES[0]


def test_the_tests_run_the_code_of_this_checkout():
    """In another worktree than the one that is installed, PYTHONPATH has to name its ``src``."""
    assert Path(unitcraft.__file__).parent == ROOT / "src" / "unitcraft"
