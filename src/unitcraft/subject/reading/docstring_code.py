"""Finds the Python statements in docstrings: doctests, indented and fenced code blocks.

Invariant: a line that does not parse is dropped without effect on the other lines.
"""

from __future__ import annotations

import ast
import doctest
import re
import textwrap
from collections.abc import Iterator
from typing import Final

from unitcraft.subject.source_files import parse

#: A line that announces an indented code block.
_HEADING: Final = re.compile(
    r"^[ \t]*(?:\.\. code(?:-block)?:: *(?:python|py|python3)?|\.\. sourcecode::.*|"
    r".*(?:examples?|usage)\b.*:{1,2}|.*::)[ \t]*$",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(
    r"^[ \t]*```(?:python|py)?[ \t]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL
)


def sessions(doc: str) -> Iterator[list[ast.stmt]]:
    """The statements of each example session in ``doc``: doctests first, then blocks."""
    doctests = [node for source in _doctest_sources(doc) for node in parse(source).body]
    if doctests:
        yield doctests
    for block in (*_fenced_blocks(doc), *_indented_blocks(doc)):
        statements = _parse_lines(block)
        if statements:
            yield statements


def _doctest_sources(doc: str) -> list[str]:
    try:
        found = [example.source for example in doctest.DocTestParser().get_examples(doc)]
    except ValueError:
        found = [line.partition(">>> ")[2] for line in doc.splitlines() if ">>> " in line]
    joined: list[str] = []
    for source in found:
        if joined and source.startswith((" ", "\t")):  # a block with >>> before each line
            joined[-1] = joined[-1].rstrip("\n") + "\n" + source
        else:
            joined.append(source)
    return joined


def _fenced_blocks(doc: str) -> list[str]:
    return [match.group(1) for match in _FENCE.finditer(doc) if ">>>" not in match.group(1)]


def _indented_blocks(doc: str) -> Iterator[str]:
    """Blocks that follow a heading such as ``Usage::`` and are indented deeper."""
    lines = textwrap.dedent(doc.expandtabs()).splitlines()
    for at, line in enumerate(lines):
        if _HEADING.match(line):
            depth = len(line) - len(line.lstrip())
            block = list(_deeper_lines(lines[at + 1 :], depth))
            if block and not any(">>>" in inner for inner in block):
                yield "\n".join(block)


def _deeper_lines(lines: list[str], depth: int) -> Iterator[str]:
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            return
        yield line


def _parse_lines(block: str) -> list[ast.stmt]:
    text = textwrap.dedent(block)
    whole = parse(text).body
    if whole:
        return whole
    found: list[ast.stmt] = []
    for line in text.splitlines():
        if line == line.lstrip():
            found += parse(re.split(r"\s+(?:#|=>|->|==>)", line)[0]).body
    return found
