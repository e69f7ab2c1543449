"""Values as source text, exactly as ``ruff format`` prints them.

Invariant: evaluating the text gives back the value, class of every atom included.
"""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol

from unitcraft.core.sequences import (
    EITHER,
    ZEROS,
    Arg,
    Atom,
    Build,
    Const,
    Display,
    Ref,
    Source,
    Symbol,
    TempPath,
)
from unitcraft.emit.code.formatter import (
    Binary,
    Bracket,
    Leaf,
    MethodCall,
    Node,
    Pair,
    Text,
    call,
    flat,
)

#: Lines of a text that is written with a literal for each.
MIN_LINES: Final = 2


class Level(IntEnum):
    """How tightly an expression binds; PRIMARY needs parentheses nowhere."""

    LAMBDA = 0
    NOT = 1
    COMPARE = 2
    OR = 3
    XOR = 4
    AND = 5
    SHIFT = 6
    ADD = 7
    MULTIPLY = 8
    UNARY = 9
    POWER = 10
    PRIMARY = 11


@dataclass(frozen=True, slots=True)
class Code:
    """An expression: its layout and how tightly it binds."""

    node: Node
    level: Level = Level.PRIMARY

    @property
    def text(self) -> str:
        """The expression on one line."""
        return flat(self.node)

    def at_least(self, level: Level) -> Node:
        """The layout, in parentheses when it binds less tightly than ``level``."""
        return self.node if self.level >= level else Leaf(f"({self.text})")


class Naming(Protocol):
    """Says how Symbols and results are called in the file."""

    @property
    def in_coroutine(self) -> bool:
        """Does the code stand in a coroutine function, where it can await?"""

    def symbol(self, symbol: Symbol) -> str:
        """The expression that reaches ``symbol``."""

    def ref(self, index: int) -> Code:
        """The expression for the result of Call ``index``."""


def code(arg: Arg, naming: Naming) -> Code:
    """``arg`` as an expression.  Raises ValueError for a Source that is not one."""
    match arg:
        case Const(value):
            return atom(value)
        case Ref(index):
            return naming.ref(index)
        case Symbol():
            return Code(Leaf(naming.symbol(arg)))
        case Display():
            return _display(arg, naming)
        case Source(text):
            return source(text)
        case TempPath(name, _, is_text):
            return _path(name, is_text=is_text)
        case Build(callee, (left, right)) if callee == EITHER:
            sides = code(left, naming).at_least(Level.OR), code(right, naming).at_least(Level.XOR)
            return Code(Binary(sides[0], "|", sides[1]), Level.OR)
        case Build(callee, args, kwargs):
            return Code(call(naming.symbol(callee), arguments(args, kwargs, naming)))


#: The fixture of pytest that is a folder of the test's own.
FOLDER: Final = "tmp_path"


def _path(name: str, *, is_text: bool) -> Code:
    node: Node = Leaf(FOLDER)
    if name:
        node = Binary(node, "/", Leaf(quoted(name)))
    if is_text:
        return Code(call("str", [node]))
    return Code(node, Level.MULTIPLY if name else Level.PRIMARY)


def arguments(
    args: tuple[Arg, ...], kwargs: tuple[tuple[str, Arg], ...], naming: Naming
) -> list[Node]:
    """The layouts of call arguments, keywords last."""
    named: list[Node] = [Pair(Leaf(name), "=", code(value, naming).node) for name, value in kwargs]
    return [code(arg, naming).node for arg in args] + named


def _display(display: Display, naming: Naming) -> Code:
    items = tuple([_on_one_line(code(item, naming).node) for item in display.items])
    match display.kind:
        case "list":
            node = Bracket("", "[", items, "]", display=True)
        case "tuple":
            node = Bracket("", "(", items, ")", display=True, comma=len(items) == 1)
        case "dict":
            keys = [
                _key(arg, node) for arg, node in zip(display.items[::2], items[::2], strict=True)
            ]
            entries = dict(zip(keys, items[1::2], strict=True))
            pairs = tuple([Pair(key, ": ", value) for key, value in entries.items()])
            node = Bracket("", "{", pairs, "}", display=True)
        case "set" | "frozenset":
            braces = Bracket("", "{", _distinct(items), "}", display=True)
            if display.kind == "set" and items:
                node = braces
            else:
                node = call(display.kind, [braces] if items else [])
    return Code(node)


def _key(arg: Arg, node: Node) -> Node:
    """The layout of a key: a text as it is, of which no product is made."""
    return Leaf(quoted(arg.value)) if isinstance(arg, Const) and type(arg.value) is str else node


def _on_one_line(node: Node) -> Node:
    """``node``, a text of several lines as one literal: linters ask for a comma between lines."""
    return Leaf(node.whole) if isinstance(node, Text) else node


def _distinct(items: tuple[Node, ...]) -> tuple[Node, ...]:
    return tuple(dict.fromkeys(items))


def atom(value: Atom) -> Code:
    """A literal atom."""
    if isinstance(value, bytes) and ZEROS.search(value):
        return _bytes_with_zeros(value)
    if isinstance(value, str) and len(value) >= MIN_REPEATED and (found := _REPEATED(value)):
        times = len(value) // len(found[1])
        return Code(Binary(Leaf(quoted(found[1])), "*", Leaf(str(times))), Level.MULTIPLY)
    if isinstance(value, str | bytes):
        return Code(text_literal(value))
    if isinstance(value, bool) or value is None:
        return Code(Leaf(repr(value)))
    if value is ...:
        return Code(Leaf("..."))
    if isinstance(value, complex):
        return _complex(value)
    if isinstance(value, float) and not math.isfinite(value):
        return Code(call("float", [Leaf(f'"{value!r}"')]))
    text = number(value)
    return Code(Leaf(text), Level.UNARY if text.startswith("-") else Level.PRIMARY)


def _bytes_with_zeros(value: bytes) -> Code:
    """Bytes of which many in a row are zero: ``b"abc" + bytes(40)``."""
    parts = [part for part in re.split(b"(%b)" % ZEROS.pattern, value) if part]
    nodes: list[Node] = [
        call("bytes", [Leaf(str(len(part)))]) if ZEROS.fullmatch(part) else Leaf(quoted(part))
        for part in parts
    ]
    node = nodes[0]
    for other in nodes[1:]:
        node = Binary(node, "+", other)
    return Code(node, Level.ADD if len(nodes) > 1 else Level.PRIMARY)


def number(value: int | float) -> str:  # noqa: PYI041 - both are printed, and differently
    """An int or a finite float: ``1e16`` without the plus sign."""
    if isinstance(value, int):
        if abs(value) < _MAX_DECIMAL:
            return str(value)
        return f"{'-' if value < 0 else ''}0x{abs(value):X}"
    return repr(value).replace("e+", "e")


#: Characters from which on a text that is one word again and again is written as a product.
MIN_REPEATED: Final = 40
#: A text that is one short word again and again.
_REPEATED: Final = re.compile(r"(.{1,12}?)\1{4,}", re.DOTALL).fullmatch

#: Integers from here on are written in hexadecimal: ``str`` refuses more than 4300 digits.
_MAX_DECIMAL: Final = 10**4000


def _complex(value: complex) -> Code:
    plain = math.copysign(1.0, value.real) > 0 and value.real == 0
    if plain and math.isfinite(value.imag) and math.copysign(1.0, value.imag) > 0:
        return Code(Leaf(repr(value).replace("e+", "e")))
    return Code(call("complex", [atom(value.real).node, atom(value.imag).node]))


def text_literal(value: str | bytes) -> Node:
    """The layout of a text: of several lines, a literal for each where one does not fit."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", value) if isinstance(value, str) else []
    if len(lines) < MIN_LINES:
        return Leaf(quoted(value))
    return Text(quoted(value), tuple(map(quoted, lines)))


def quoted(value: str | bytes) -> str:
    """``value`` in double quotes, unless single quotes need fewer escapes."""
    prefix, body = ("b", _bytes_body(value)) if isinstance(value, bytes) else ("", _body(value))
    mark = "'" if body.count('"') > body.count("'") else '"'
    return prefix + mark + body.replace(mark, "\\" + mark) + mark


def _body(value: str) -> str:
    """The characters between the quotes, the quotes themselves not yet escaped."""
    if value.isprintable() and "\\" not in value:
        return value
    return "".join([char if char in "'\"" else repr(char)[1:-1] for char in value])


def _bytes_body(value: bytes) -> str:
    return "".join([chr(byte) if byte in b"'\"" else repr(bytes([byte]))[2:-1] for byte in value])


def source(text: str) -> Code:
    """A self-contained expression, printed canonically.  Raises ValueError for other text."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        message = f"not an expression: {text!r:.80}"
        raise ValueError(message) from error
    return Code(_source_node(tree.body), _level(tree.body))


def _source_node(node: ast.expr) -> Node:
    """The layout of a parsed expression: calls and displays may break, all else may not."""
    match node:
        case ast.Call(func, args, keywords) if all(item.arg for item in keywords):
            named: list[Node] = [
                Pair(Leaf(item.arg or ""), "=", _source_node(item.value)) for item in keywords
            ]
            return call(_source_text(func), [*map(_source_node, args), *named])
        case ast.List(items):
            return Bracket("", "[", tuple(map(_source_node, items)), "]", display=True)
        case ast.Set(items):
            return Bracket("", "{", tuple(map(_source_node, items)), "}", display=True)
        case ast.Tuple(items):
            return Bracket(
                "", "(", tuple(map(_source_node, items)), ")", display=True, comma=len(items) == 1
            )
        case ast.Lambda(_, ast.Call(ast.Attribute(ast.Dict(keys, values), name), args, [])) if all(
            keys
        ):
            return _lookup(node.args, [*filter(None, keys)], values, name, args)
        case ast.Attribute(ast.Dict(keys, values), name) if all(keys):
            return _table("", [*filter(None, keys)], values, f"}}.{name}")
        case _:
            return Leaf(_source_text(node))


def _lookup(
    parameters: ast.arguments,
    keys: list[ast.expr],
    values: list[ast.expr],
    name: str,
    args: list[ast.expr],
) -> MethodCall:
    """``lambda parameters: {...}.name(args)``."""
    head, _, _ = _source_text(ast.Lambda(parameters, ast.Constant(0))).rpartition("0")
    table = _table(head, keys, values, "}")
    return MethodCall(table, call(f".{name}", [*map(_source_node, args)]))


def _table(head: str, keys: list[ast.expr], values: list[ast.expr], close: str) -> Bracket:
    pairs = [
        Pair(_source_node(key), ": ", _source_node(value))
        for key, value in zip(keys, values, strict=True)
    ]
    return Bracket(head, "{", tuple(pairs), close, display=True)


def _source_text(node: ast.expr) -> str:
    return _double_quoted(ast.unparse(node))


def _level(node: ast.expr) -> Level:
    match node:
        case ast.Lambda() | ast.IfExp() | ast.BoolOp() | ast.NamedExpr() | ast.Await():
            return Level.LAMBDA
        case ast.Compare():
            return Level.COMPARE
        case ast.UnaryOp(op=ast.Not()):
            return Level.NOT
        case ast.UnaryOp():
            return Level.UNARY
        case ast.BinOp():
            return Level.OR
        case _:
            return Level.PRIMARY


def _double_quoted(text: str) -> str:
    """``text`` with plain string literals requoted and simple powers written tight."""
    pieces: list[str] = []
    end = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.start[0] != 1:
            break
        if token.type == tokenize.STRING and token.string[0] in "'\"bB":
            before = _F_STRING.sub(r'f"\1"', text[end : token.start[1]])
            pieces += [before, quoted(ast.literal_eval(token.string))]
            end = token.end[1]
    joined = "".join([*pieces, _F_STRING.sub(r'f"\1"', text[end:])])
    return _POWER.sub(r"\1**\2", joined)


#: An f-string without other quotes in it.
_F_STRING: Final = re.compile(r"(?<!\w)f'([^'\"\\]*)'")
#: A power of plain names and numbers, which the formatter writes without spaces.
_POWER: Final = re.compile(
    r"(?<![\w.)\]'\"])([A-Za-z_]\w*|\d+) \*\* (-?(?:[A-Za-z_]\w*|\d+))(?![\w.(\[])"
)
