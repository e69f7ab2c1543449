"""Documents that the parsers accept which code names: contents of files, and texts to parse.

Invariant: the contents depend on the source and the constants of the Subject alone; each is a text
that a person would put into a test's file.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Const
from unitcraft.subject.model import Subject
from unitcraft.subject.reading.replaceable_calls import tree_of
from unitcraft.subject.scopes import callee_name, walk_scopes
from unitcraft.subject.values.texts.table_texts import (
    NUMBERS,
    Cells,
    columns,
    moments_in,
    table,
)

#: Contents for one path: a bound, as each is a run.  Halved: no site of 153, 1 Goal fewer of 370.
MAX_CONTENTS: Final = 8
#: Constants of the scope that are keys of one document.
MAX_KEYS: Final = 4
#: Characters of a mark between the parts of a line.
MAX_MARK: Final = 3
#: A constant that can be a key of a document.
_KEY: Final = re.compile(r"[A-Za-z_][\w-]{0,30}")
#: A constant that names a file.
_FILE: Final = re.compile(r"[\w-]+\.[A-Za-z]\w{0,4}")

#: Pattern of the source -> name of a file, and contents in which ``KEY`` is a key of the code.
_PARSERS: Final = (
    (r"\bjson\b", "data.json", ("{JSON}", "[1, 2]", "{}", "{")),
    (r"\b[Cc]onfig[Pp]arser\b", "config.ini", ("[KEY]\nname = value\n", "[main]\nKEY = 1\n")),
    (r"\btoml(?:lib|i)?\b", "config.toml", ('KEY = "value"\n', "[KEY]\nname = 1\n")),
    (r"\byaml\b", "data.yaml", ("KEY: value\n", "- a\n- b\n")),
    (
        r"\bcsv\b",
        "data.csv",
        ("{CSV}", "{MARKED}", "{DATED}", "name,amount\napple,3\npear,4\n", "name\n"),
    ),
    (r"\b(?:ElementTree|minidom|etree)\b", "data.xml", ("<root><KEY>text</KEY></root>", "<root/>")),
    (
        r"\bast\.parse\(|\btokenize\.",
        "module.py",
        ("x = 1\n", "def f():\n    return 1\n"),
    ),
)
#: Functions that parse a text -> documents in which ``KEY`` is a key of the code.
_PARSED: Final = {
    "loads": ("{JSON}", "[1, 2]"),
    "fromstring": ("<root><KEY>text</KEY></root>",),
    "parseString": ("<root><KEY>text</KEY></root>",),
    "DictReader": ("{CSV}",),
}
#: Tables with commas, with the sign that the code names, and with dates in its first format.
_TABLES: Final = ("{CSV}", "{MARKED}", "{DATED}")
#: Contents of any file.
_PLAIN: Final = ("first line\nsecond line\n", "", "key=value\n")


class FileTexts:
    """Names and contents of the files that one Subject reads."""

    def __init__(self, subject: Subject, source: str = "") -> None:
        self._subject = subject
        self._parsers = [row[1:] for row in _PARSERS if re.search(row[0], source)]
        self._tree = tree_of(source)
        self._parsing = _parsing_scopes(self._tree)
        self._contents: dict[str, tuple[Arg, ...]] = {}

    def name(self, scope: str) -> str:
        """A name for a file that the code of ``scope`` is given."""
        named = [text for text in self._texts(scope) if _FILE.fullmatch(text)]
        return next(iter((*named, *[name for name, _ in self._parsers])), "notes.txt")

    def contents(self, scope: str) -> tuple[Arg, ...]:
        """Contents for such a file, the most promising first."""
        if scope not in self._contents:
            self._contents[scope] = self._contents_for(scope)
        return self._contents[scope]

    def _contents_for(self, scope: str) -> tuple[Arg, ...]:
        found = dict.fromkeys([*self._documents(scope), *_PLAIN, *self._lines(scope)])
        return tuple([Const(text) for text in found][:MAX_CONTENTS])

    def documents(self, scope: str) -> tuple[Arg, ...]:
        """Texts that the parsers accept which ``scope``, or what it calls, gives a text."""
        called = (scope, *dict(self._subject.calls).get(scope, ()))
        functions = dict.fromkeys([one for at in called for one in self._parsing.get(at, ())])
        found = [self._filled(text, scope) for one in functions for text in _PARSED[one]]
        return tuple(map(Const, dict.fromkeys(found)))

    def _keys(self, scope: str) -> list[str]:
        return [text for text in self._texts(scope) if _KEY.fullmatch(text)][:MAX_KEYS]

    def _documents(self, scope: str) -> Iterator[str]:
        for _, texts in self._parsers:
            for text in texts:
                yield self._filled(text, scope)

    def _filled(self, text: str, scope: str) -> str:
        """A document with keys of ``scope``, of which a pattern has the first."""
        keys = self._keys(scope) or ["name"]
        if text in _TABLES:
            called = (scope, *dict(self._subject.calls).get(scope, ()))
            names = columns(self._tree, self._subject.constants, called) or keys
            return table(names, *self._table_parts(text, scope))
        data = json.dumps({key: number for number, key in enumerate(keys, 1)})
        return text.replace("{JSON}", data).replace("KEY", keys[0])

    def _table_parts(self, text: str, scope: str) -> tuple[str, Cells]:
        """What stands between the cells of a table, and in those whose name says nothing."""
        marks = [one for one in self._texts(scope) if one in (";", "\t", "|")]
        dates = [cells for one in self._texts(scope) if (cells := moments_in(one))]
        mark = marks[0] if marks and text == "{MARKED}" else ","
        return mark, dates[0] if dates and text == "{DATED}" else NUMBERS

    def _lines(self, scope: str) -> list[str]:
        """A line with each punctuation that the code looks for."""
        marks = [text for text in self._texts(scope) if text and not text[0].isalnum()]
        return [f"{mark}name{mark}value\n" for mark in marks if 0 < len(mark.strip()) <= MAX_MARK]

    def _texts(self, scope: str) -> list[str]:
        """The texts of the code: of ``scope`` first."""
        texts = [one for one in self._subject.constants if isinstance(one.value, str)]
        near = [str(one.value) for one in texts if one.scope == scope]
        return list(dict.fromkeys([*near, *[str(one.value) for one in texts if not one.scope]]))


def _parsing_scopes(tree: ast.Module) -> dict[str, list[str]]:
    """Scope -> the functions of ``_PARSED`` that it calls."""
    found: dict[str, list[str]] = {}
    for node, scope in walk_scopes(tree):
        if isinstance(node, ast.Call):
            name = callee_name(node)
            if name in _PARSED:
                found.setdefault(scope, []).append(name)
    return found
