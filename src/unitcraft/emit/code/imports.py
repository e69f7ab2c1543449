"""The imports of a test file: which name reaches each Symbol, and the sorted statements.

Invariant: two Symbols never share a name, no name hides a builtin or a name that the
writer itself uses, and only what was asked for by ``symbol`` or ``module`` is imported.
"""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Final

from unitcraft.core.sequences import Call, Symbol
from unitcraft.emit.code.formatter import Bracket, Leaf, fits, render

#: Modules that the writer may import by name.
TOOLS: Final = ("pytest", "math", "asyncio", "itertools", "copy", "pickle")

#: Fixtures of pytest that tests ask for by name.
FIXTURES: Final = ("caplog", "capsys", "monkeypatch", "tmp_path")

#: Names that a test file cannot use freely: pytest would call or collect them.
_HOOKS: Final = re.compile(r"test|Test|pytest_|setup|teardown|unittest_")

#: Modules of the standard library whose objects are better known by another one.
_BETTER_KNOWN: Final = {
    "json.decoder": "json",
    "asyncio.exceptions": "asyncio",
    "asyncio.queues": "asyncio",
    "sre_constants": "re",
    "_pydatetime": "datetime",
    "_pydecimal": "decimal",
}


def public_module(symbol: Symbol) -> str:
    """The module that a reader would import a Symbol of the standard library from."""
    module = symbol.module
    if module.partition(".")[0].lstrip("_") not in sys.stdlib_module_names:
        return module
    if module in _BETTER_KNOWN:
        return _BETTER_KNOWN[module]
    head, *rest = module.split(".")
    kept = [head.lstrip("_")]
    for part in rest:
        if part.startswith("_"):
            break
        kept.append(part)
    return ".".join(kept)


def is_reserved(name: str) -> bool:
    """Would an import or a variable of this ``name`` hide something or be collected?"""
    return (
        hasattr(builtins, name)
        or keyword.iskeyword(name)
        or keyword.issoftkeyword(name)
        or name in TOOLS
        or name in FIXTURES
        or _HOOKS.match(name) is not None
    )


@dataclass(frozen=True, slots=True)
class Statement:
    """``import module`` (``name`` empty) or ``from module import name``, ``as alias``."""

    module: str
    name: str = ""
    alias: str = ""

    @property
    def binds(self) -> str:
        """The name that the statement defines."""
        return self.alias or self.name or self.module.partition(".")[0]


class Imports:
    """The names of one file: decided for all Symbols first, imported when used.

    ``classes`` are the Calls that define the classes at its top, by name (mutable).
    """

    def __init__(self, symbols: Iterable[Symbol]) -> None:
        self.classes: dict[str, Call] = {}
        self._bound: dict[tuple[str, str], Statement] = {}
        self._used: dict[Statement, None] = {}
        heads: dict[str, list[str]] = {}
        whole: dict[str, None] = {}
        for symbol in symbols:
            if not symbol.qualname:
                whole[symbol.module] = None
            elif symbol.module != "builtins":
                modules = heads.setdefault(symbol.qualname.partition(".")[0], [])
                module = public_module(symbol)
                modules += [module] if module not in modules else []
        for head, modules in heads.items():
            for position, module in enumerate(modules):
                clash = position > 0 or is_reserved(head)
                self._bound[module, head] = self._statement(module, head, heads, clash=clash)
        for module in whole:
            self._bound[module, ""] = self._whole(module, self.names)

    @staticmethod
    def _whole(module: str, taken: Container[str]) -> Statement:
        """The import of a module itself, under a name that is not ``taken``."""
        package, _, name = module.rpartition(".")
        is_free = name not in taken and not is_reserved(name)
        alias = "" if is_free else f"{name.strip('_')}_module"
        return Statement(package, name, alias) if package else Statement(module, "", alias)

    @staticmethod
    def _statement(module: str, head: str, heads: Container[str], *, clash: bool) -> Statement:
        plain = head.strip("_")
        if head.startswith("__") and plain.isidentifier() and plain not in heads:
            # Inside a class block a name with two underscores would be mangled.
            return Statement(module, head, "" if head.endswith("__") else plain)
        if not clash:
            return Statement(module, head)
        if "." not in module and not is_reserved(module):
            return Statement(module)
        last = module.rpartition(".")[2].strip("_")
        return Statement(module, head, f"{last}_{head}" if last else f"the_{head}")

    @property
    def names(self) -> frozenset[str]:
        """Every name that the file may import, or that it defines for all tests."""
        bound = {statement.binds for statement in self._bound.values()}
        return frozenset(bound | set(TOOLS) | self.classes.keys())

    def symbol(self, symbol: Symbol) -> str:
        """The expression for ``symbol``, whose import the file now needs."""
        if symbol.module == "builtins":
            return symbol.qualname
        head, dot, rest = symbol.qualname.partition(".")
        statement = self._bound[public_module(symbol), head]
        self._used[statement] = None
        first = statement.alias or statement.name or f"{statement.module}.{head}".rstrip(".")
        return first + dot + rest

    def module(self, name: str) -> str:
        """The name of a module of TOOLS, which the file now needs."""
        self._used[Statement(name)] = None
        return name

    def forget(self, used: list[Statement]) -> None:
        """Go back to an earlier ``used``: what was rendered since then is not written."""
        self._used = dict.fromkeys(used)

    def used(self) -> list[Statement]:
        """The statements that the file needs, in the order of first use."""
        return list(self._used)


def import_lines(statements: Iterable[Statement], first_party: frozenset[str]) -> list[str]:
    """The sorted import block, as isort's default profile in ruff writes it.

    ``first_party`` holds the top-level names that live beside the tests.
    """
    sections: dict[int, list[Statement]] = {}
    for statement in dict.fromkeys(statements):
        sections.setdefault(_section(statement.module, first_party), []).append(statement)
    lines: list[str] = []
    for number in sorted(sections):
        lines += [""] if lines else []
        lines += _section_lines(sections[number])
    return lines


def _section(module: str, first_party: frozenset[str]) -> int:
    head = module.partition(".")[0]
    if module.startswith("."):
        return 4
    if head == "__future__":
        return 0
    if head in sys.stdlib_module_names:
        return 1
    return 3 if head in first_party else 2


def _section_lines(statements: list[Statement]) -> list[str]:
    plain = sorted(
        [statement for statement in statements if not statement.name],
        key=lambda statement: (_natural(statement.module), statement.alias),
    )
    lines = [
        f"import {statement.module}" + (f" as {statement.alias}" if statement.alias else "")
        for statement in plain
    ]
    members: dict[str, list[Statement]] = {}
    for statement in statements:
        if statement.name:
            members.setdefault(statement.module, []).append(statement)
    for module in sorted(members, key=_natural):
        lines += _from_lines(module, members[module])
    return lines


def _from_lines(module: str, members: list[Statement]) -> list[str]:
    """One ``from`` statement; aliased members each get their own, as isort does."""
    ordered = sorted(members, key=lambda member: (_member_key(member.name), member.alias))
    lines: list[str] = []
    plain = tuple([Leaf(member.name) for member in ordered if not member.alias])
    head = f"from {module} import "
    if plain:
        line = head + ", ".join([leaf.text for leaf in plain])
        block = Bracket(head, "(", plain, ")", display=True, comma=True)
        lines += [line] if fits(line) else render(block, "")
    aliased = [member for member in ordered if member.alias]
    return lines + [f"{head}{member.name} as {member.alias}" for member in aliased]


def _natural(name: str) -> tuple[tuple[str, tuple[tuple[int, int, str], ...], str], ...]:
    parts = re.findall(r"\d+|\D+", name.lower())
    split = tuple([(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts])
    return ((str(not name.startswith("__future__")), split, name),)


def _member_key(name: str) -> tuple[int, object]:
    if len(name) > 1 and name.isupper():
        kind = 0
    elif name[:1].isupper():
        kind = 1
    else:
        kind = 2
    return (kind, _natural(name))
