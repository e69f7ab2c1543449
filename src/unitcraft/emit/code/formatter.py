"""Source text laid out as ``ruff format`` lays it out at 88 columns.

Invariant: the lines that leave here are a fixed point of ``ruff format`` with its
default settings (a property test holds them against the real program).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

#: Columns of a line, as black and ruff count them by default.
WIDTH: Final = 88

#: The indentation of one block.
INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class Leaf:
    """Text that cannot be broken."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text literal, which may be written as one literal for each of two or more ``lines``."""

    whole: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """``head`` + opening bracket + items + closing bracket.

    A ``display`` that does not fit gets one item a line; the arguments of a call may
    share one indented line.  ``comma`` is a comma that even the flat form needs: ``(1,)``.
    """

    head: str
    opening: str
    items: tuple[Node, ...]
    closing: str
    display: bool = False
    comma: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """``key: value`` of a dict or ``key=value`` of a call."""

    key: Node
    middle: str
    value: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """``left op right``; both sides already carry the parentheses that they need."""

    left: Node
    op: str
    right: Node


@dataclass(frozen=True, slots=True)
class MethodCall:
    """``receiver.name(arguments)`` of a display; the head of ``arguments`` is ``.name``.

    The arguments are broken where the line up to them fits, else the display.
    """

    receiver: Bracket
    arguments: Bracket


Node = Leaf | Text | Bracket | Pair | Binary | MethodCall


def flat(node: Node) -> str:
    """``node`` on one line."""
    match node:
        case Leaf(text) | Text(text):
            return text
        case Bracket(head, opening, items, closing):
            body = ", ".join([flat(item) for item in items])
            return f"{head}{opening}{body}{',' if node.comma else ''}{closing}"
        case Pair(key, middle, value):
            return f"{flat(key)}{middle}{flat(value)}"
        case Binary(left, op, right):
            return f"{flat(left)} {op} {flat(right)}"
        case MethodCall(receiver, arguments):
            return flat(receiver) + flat(arguments)


def columns(text: str) -> int:
    """Display width of ``text``: wide characters count two, combining ones nothing."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 1 + (unicodedata.east_asian_width(char) in "WF")
        for char in text
    )


def fits(line: str) -> bool:
    """Is ``line`` short enough?"""
    return columns(line) <= WIDTH


def call(head: str, items: Sequence[Node]) -> Bracket:
    """``head(items)``."""
    return Bracket(head, "(", tuple(items), ")")


def prefixed(node: Node, text: str) -> Node:
    """``text`` directly before ``node``."""
    match node:
        case Leaf(old) | Text(old):
            return Leaf(text + old)
        case Bracket(head):
            return replace(node, head=text + head)
        case Pair(key):
            return replace(node, key=prefixed(key, text))
        case Binary(left):
            return replace(node, left=prefixed(left, text))
        case MethodCall(receiver):
            return replace(node, receiver=replace(receiver, head=text + receiver.head))


def render(node: Node, indent: str, before: str = "", after: str = "") -> list[str]:
    """The lines of ``before node after`` at ``indent``: one when it fits, else broken."""
    line = f"{indent}{before}{flat(node)}{after}"
    if fits(line):
        return [line]
    match node:
        case Bracket(items=()) | Leaf():
            return [line]
        case Text(_, lines):
            first, *others = lines
            *between, last = [indent + other for other in others]
            return [f"{indent}{before}{first}", *between, last + after]
        case Bracket():
            return _explode(node, indent, before, after)
        case Pair(key, middle, value) if isinstance(value, Bracket) or not isinstance(key, Bracket):
            return render(value, indent, f"{before}{flat(key)}{middle}", after)
        case Pair(key, middle, value):
            return render(key, indent, before, f"{middle}{flat(value)}{after}")
        case Binary():
            return _split(node, indent, before, after)
        case MethodCall(receiver, arguments):
            return _break_method_call(receiver, arguments, indent, before, after)


def _break_method_call(
    receiver: Bracket, arguments: Bracket, indent: str, before: str, after: str
) -> list[str]:
    joined = prefixed(arguments, flat(receiver))
    if isinstance(joined, Bracket) and fits(f"{indent}{before}{joined.head}{joined.opening}"):
        return _explode(joined, indent, before, after)
    *lines, last = _explode(receiver, indent, before, "")
    return [*lines, *render(arguments, indent, last.removeprefix(indent), after)]


def _explode(node: Bracket, indent: str, before: str, after: str) -> list[str]:
    inner = indent + INDENT
    first = f"{indent}{before}{node.head}{node.opening}"
    last = f"{indent}{node.closing}{after}"
    shared = inner + ", ".join([flat(item) for item in node.items])
    if not node.display and fits(shared):
        return [first, shared, last]
    many = node.comma or len(node.items) > 1
    body = [line for item in node.items for line in render(item, inner, after="," if many else "")]
    return [first, *body, last]


def _split(node: Binary, indent: str, before: str, after: str) -> list[str]:
    """A comparison or an operation: its last bracket opened, else in parentheses."""
    opened = f"{before}{flat(node.left)} {node.op} "
    if isinstance(node.right, Bracket) and node.right.items:
        lines = render(node.right, indent, opened, after)
        if fits(lines[0]):
            return lines
    inner = indent + INDENT
    if isinstance(node.right, Text) and fits(f"{indent}{opened}("):
        return [f"{indent}{opened}(", *render(node.right, inner), f"{indent}){after}"]
    whole = inner + flat(node)
    body = [*render(node.left, inner), *render(node.right, inner, f"{node.op} ")]
    return [f"{indent}{before}(", *([whole] if fits(whole) else body), f"{indent}){after}"]


def assignment(target: str, node: Node, indent: str, sign: str = "=") -> list[str]:
    """The lines of ``target = node``; a text too long for its line is put in parentheses."""
    lines = render(node, indent, f"{target} {sign} ")
    if isinstance(node, Text) and len(lines) > 1:
        return [f"{indent}{target} {sign} (", *render(node, indent + INDENT), f"{indent})"]
    alone = indent + INDENT + flat(node)
    useful = fits(alone) or target.endswith("]")
    if isinstance(node, Leaf) and len(lines) == 1 and not fits(lines[0]) and useful:
        return [f"{indent}{target} {sign} (", alone, f"{indent})"]
    return lines
