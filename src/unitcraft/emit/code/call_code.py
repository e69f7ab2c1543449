"""Calls as Python: an expression where there is a value, else a statement.

Invariant: operands are evaluated in the order in which the Call lists them, except
where the statement form itself says otherwise (``a[b] = c``).
"""

from __future__ import annotations

import ast
import functools
import re
from typing import Final

from unitcraft.core.call_text import path_text
from unitcraft.core.operators import OPERATORS
from unitcraft.core.sequences import (
    EACH,
    ENTERED,
    LEAVING,
    Arg,
    Build,
    Call,
    Const,
    Display,
    Source,
    Symbol,
    class_name,
    expected_error,
)
from unitcraft.emit.code.formatter import (
    Binary,
    Bracket,
    Leaf,
    Node,
    Pair,
    assignment,
    call,
    flat,
    prefixed,
    render,
)
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.literal_code import Code, Level, Naming, arguments, code
from unitcraft.emit.code.plain_functions import plain_function
from unitcraft.execute.guest.continuations import MAX_ITEMS_DRAINED

#: Items that the explorer takes from a generator (``drain``).
MAX_DRAINED: Final = MAX_ITEMS_DRAINED

#: Items that the explorer takes from an iterable (``list``).
MAX_LISTED: Final = MAX_ITEMS_DRAINED + 1

#: Binary operator -> how tightly it binds.
_LEVELS: Final = {
    "==": Level.COMPARE, "!=": Level.COMPARE, "<": Level.COMPARE, "<=": Level.COMPARE,
    ">": Level.COMPARE, ">=": Level.COMPARE, "in": Level.COMPARE, "|": Level.OR,
    "^": Level.XOR, "&": Level.AND, "<<": Level.SHIFT, ">>": Level.SHIFT, "+": Level.ADD,
    "-": Level.ADD, "*": Level.MULTIPLY, "/": Level.MULTIPLY, "//": Level.MULTIPLY,
    "%": Level.MULTIPLY, "@": Level.MULTIPLY, "**": Level.POWER,
}  # fmt: skip

#: Operators that compare; none of them has an augmented form.
COMPARISONS: Final = frozenset(("==", "!=", "<", "<=", ">", ">=", "in"))

_SIGNS: Final = {"neg": "-", "pos": "+", "invert": "~"}

#: An operand of a power that the formatter writes without spaces.
_SIMPLE: Final = re.compile(r"[-+~]?(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d[\w.]*(?:e-\d+)?)\Z")


#: The fixture of pytest that sets surroundings and puts them back.
PATCHES: Final = "monkeypatch"
#: The fixture of pytest that holds what a test printed.
CAPTURE: Final = "capsys"
#: What runs commands of click.
RUNNER: Final = Symbol("click.testing", "CliRunner")
#: The fixture that has what was logged, and its method that sets a level and puts it back.
LOG: Final = "caplog"
SET_LEVEL: Final = "set_level"


def opens_block(step: Call) -> bool:
    """Is ``step`` the head of a ``with`` statement in which all that follows stands?"""
    return step.kind == "method" and step.name in LEAVING


def is_statement(step: Call) -> bool:
    """Can ``step`` be written as a statement only?"""
    if step.kind in ("set", "arrange", "define") or step.then in ENTERED or opens_block(step):
        return True
    if expected_error(step):
        return True
    return step.kind == "operator" and (
        step.name.startswith(("del", "with"))
        or is_augmented(step)
        or step.name in ("[]=", "setattr")
    )


def has_no_value(step: Call) -> bool:
    """Is ``step`` a statement whose result no name can hold?"""
    has_value = is_augmented(step) or step.name == "with" or step.then in ENTERED
    has_value = has_value or step.kind == "define" or opens_block(step)
    return is_statement(step) and not has_value


def is_augmented(step: Call) -> bool:
    """Is it ``a += b`` or the like?"""
    return (
        step.kind == "operator"
        and step.name.endswith("=")
        and step.name[:-1] in _LEVELS
        and (step.name not in COMPARISONS)
    )


def expression(step: Call, naming: Naming, imports: Imports, *, endless: bool = False) -> Code:
    """The expression of ``step``; ``endless``: take only as many items as were observed."""
    inner = _without_continuation(step, naming, imports, endless=endless)
    if step.then == "await" and naming.in_coroutine:
        return Code(prefixed(inner.at_least(Level.PRIMARY), "await "), Level.POWER)
    if step.then == "await":
        imports.module("asyncio")
        return Code(call("asyncio.run", [inner.node]))
    if step.then == "drain":
        return _drain(inner, imports, MAX_DRAINED if endless else 0)
    return inner


def _drain(inner: Code, imports: Imports, limit: int) -> Code:
    if not limit:
        return Code(call("list", [inner.node]))
    imports.module("itertools")
    return Code(call("list", [call("itertools.islice", [inner.node, Leaf(str(limit))])]))


def _without_continuation(step: Call, naming: Naming, imports: Imports, *, endless: bool) -> Code:
    if step.kind == "function":
        module, _, qualname = step.name.partition(":")
        head = naming.symbol(Symbol(module, qualname))
        return Code(call(head, arguments(step.args, step.kwargs, naming)))
    if step.kind == "invoke":
        runner = naming.symbol(RUNNER)
        command = Leaf(naming.symbol(Symbol(*step.name.split(":"))))
        return Code(
            call(f"{runner}().invoke", [command, *arguments(step.args, step.kwargs, naming)])
        )
    if step.kind == "method":
        head = f"{_receiver(step, naming)}.{step.name}"
        return Code(call(head, arguments(step.args[1:], step.kwargs, naming)))
    if step.kind == "output" and step.name == "messages":
        return Code(Leaf(f"{LOG}.{step.name}"))
    if step.kind == "output":
        printed = f"{CAPTURE}.readouterr()"
        return Code(Leaf(printed if step.name == "both" else f"{printed}.{step.name}"))
    if step.kind == "get":
        receiver = _receiver(step, naming)
        looped = _unlisted(receiver) if step.name.startswith(EACH) else receiver
        return Code(Leaf(path_text(looped, step.name)))
    if step.name in ("list", "each") and endless:
        return _drain(code(step.args[0], naming), imports, MAX_LISTED)
    if step.name == "each":
        return Code(Leaf(f"[item for item in {flat(code(step.args[0], naming).node)}]"))
    return _operator(step, naming, imports)


def _unlisted(text: str) -> str:
    """The iterable alone of a whole ``list(...)``: a loop over it asks for no list."""
    match ast.parse(text, mode="eval").body:
        case ast.Call(ast.Name("list"), [ast.expr() as iterable]):
            return ast.get_source_segment(text, iterable) or text
    return text


def _receiver(step: Call, naming: Naming) -> str:
    receiver = code(step.args[0], naming)
    text = flat(receiver.at_least(Level.PRIMARY))
    return f"({text})" if text[:1].isdigit() else text


def _operator(step: Call, naming: Naming, imports: Imports) -> Code:
    operands = [code(arg, naming) for arg in step.args]
    if step.name in ("itself", "async with", "async for"):
        return operands[0]
    if step.name in _LEVELS:
        left, right = operands[::-1] if step.name == "in" else operands
        return _binary(step.name, left, right)
    if step.name in _SIGNS:
        node = operands[0].at_least(Level.UNARY)
        return Code(prefixed(node, _SIGNS[step.name]), Level.UNARY)
    first = flat(operands[0].at_least(Level.PRIMARY)) if operands else ""
    if step.name == "[]":
        return Code(Bracket(first, "[", (_index(step.args[1], naming),), "]"))
    if step.name == "getattr":
        return Code(Leaf(f"{_receiver(step, naming)}.{_attribute(step.args[1])}"))
    if step.name == "call":
        return Code(call(first, arguments(step.args[1:], step.kwargs, naming)))
    if step.name == "items":
        return Code(call("list", [call(f"{first}.items", [])]))
    *outer, _ = OPERATORS[step.name].split("(")
    module, dot, _ = outer[-1].partition(".")
    if dot:
        imports.module(module)
    node = call(outer[-1], [operand.node for operand in operands])
    for function in reversed(outer[:-1]):
        node = call(function, [node])
    return Code(node)


def _binary(op: str, left: Code, right: Code) -> Code:
    level = _LEVELS[op]
    if op == "**":
        base, power = left.at_least(Level.PRIMARY), right.at_least(Level.UNARY)
        if _SIMPLE.match(flat(base)) and _SIMPLE.match(flat(power)):
            return Code(Leaf(f"{flat(base)}**{flat(power)}"), level)
        return Code(Binary(base, op, power), level)
    loose = Level(level + 1) if level == Level.COMPARE else level
    node = Binary(left.at_least(loose), op, right.at_least(Level(level + 1)))
    return Code(node, level)


def statement(step: Call, naming: Naming, indent: str, result: str = "") -> list[str]:
    """The lines of a Call that is a statement; ``result`` is the variable it binds, or ''."""
    if step.kind == "set":
        target = f"{_receiver(step, naming)}.{step.name}"
        return assignment(target, code(step.args[1], naming).node, indent)
    if step.kind == "arrange":
        operands = [code(arg, naming) for arg in _arranged(step, naming)]
        given = [operand.node for operand in operands]
        given += [Pair(Leaf("raising"), "=", Leaf("False"))] if step.name == "delenv" else []
        fixture = LOG if step.name == SET_LEVEL else PATCHES
        return render(call(f"{fixture}.{step.name}", given), indent)
    operands = [code(arg, naming) for arg in step.args]
    if step.kind == "define":
        return _class_lines(step, [operand.text for operand in operands], indent, result)
    first = flat(operands[0].at_least(Level.PRIMARY))
    if opens_block(step):
        head = "async with" if step.then else "with"
        return [f"{indent}{head} {first}{f' as {result}' if result else ''}:"]
    if step.name == "[]=":
        target = f"{first}[{flat(_index(step.args[1], naming))}]"
        return assignment(target, operands[2].node, indent)
    if step.name == "del[]":
        return [f"{indent}del {first}[{flat(_index(step.args[1], naming))}]"]
    if step.name == "setattr":
        return assignment(f"{first}.{_attribute(step.args[1])}", operands[2].node, indent)
    if step.name == "del.":
        return [f"{indent}del {first}.{_attribute(step.args[1])}"]
    if step.name.startswith("with"):
        target = f" as {result}" if result else ""
        return [f"{indent}with {operands[0].text}{target}:", *with_body(step, naming, indent)]
    return assignment(result or first, operands[1].node, indent, step.name)


def _arranged(step: Call, naming: Naming) -> tuple[Arg, ...]:
    """The arguments of a setting; a function that it puts somewhere is written plainly."""
    target, *rest = step.args
    if step.name != "setattr" or not isinstance(target, Const) or not rest:
        return step.args
    write = functools.partial(_text_of, naming=naming)
    return (target, *[plain_function(str(target.value), one, write) for one in rest])


def _text_of(arg: Arg, naming: Naming) -> str:
    return code(arg, naming).text


def _class_lines(step: Call, given: list[str], indent: str, name: str) -> list[str]:
    """The lines of a class that the test writes, called ``name`` or as it says."""
    old = class_name(step)
    text = step.name.format(*given).replace(f"class {old}", f"class {name or old}", 1)
    return [f"{indent}{line}" if line else "" for line in text.splitlines()]


def _index(arg: Arg, naming: Naming) -> Node:
    """The text between the brackets of a subscript: ``1:3`` for a slice of plain numbers.

    A tuple of several items has no parentheses there.
    """
    if isinstance(arg, Display) and arg.kind == "tuple" and len(arg.items) > 1:
        return Leaf(", ".join([flat(code(item, naming).node) for item in arg.items]))
    bounds = _bounds(arg)
    if bounds is None:
        return code(arg, naming).node
    start, stop, step = ["" if bound is None else str(bound) for bound in bounds]
    return Leaf(f"{start}:{stop}:{step}" if step else f"{start}:{stop}")


def _bounds(arg: Arg) -> tuple[int | None, ...] | None:
    """(start, stop, step) of a slice of plain numbers."""
    if isinstance(arg, Build) and arg.callee == Symbol("builtins", "slice"):
        values = [item.value if isinstance(item, Const) else "" for item in arg.args]
    elif isinstance(arg, Source) and _SLICE.match(arg.text):
        values = list(ast.literal_eval(arg.text.removeprefix("slice")))
    else:
        return None
    bounds = [value for value in values if value is None or type(value) is int]
    if len(bounds) < len(values):
        return None
    whole = {1: [None, *bounds, None], 2: [*bounds, None]}.get(len(bounds), bounds)
    return tuple(whole)


_SLICE: Final = re.compile(r"slice\((?:None|-?\d+)(?:, (?:None|-?\d+)){1,2}\)\Z")


def _attribute(arg: Arg) -> str:
    """The name behind a dot.  Raises ValueError when it is not text."""
    if isinstance(arg, Const) and isinstance(arg.value, str):
        return arg.value
    message = f"not the name of an attribute: {arg!r:.80}"
    raise ValueError(message)


def with_body(step: Call, naming: Naming, indent: str) -> list[str]:
    """The body of a ``with`` Call."""
    if step.name == "with" or opens_block(step):
        return [f"{indent}    pass"]
    return [f"{indent}    raise {code(step.args[1], naming).text}"]
