"""Functions that answer nothing: their tests assert what they did.

That a procedure returned None says nothing about it, as no change of it would make that fail.

Invariant: a function is a procedure where no statement of its own returns or yields a value; a
member that the Subject inherits is one where all functions of its name are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from typing import Final

from unitcraft.core.encoding import decode, encode_call
from unitcraft.core.sequences import Const, Display, Sequence
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.suite.mutation.agents.kill_evidence import has_value

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


#: Rounds of finding out that a function answers what another procedure does: a chain of calls.
MAX_HOPS: Final = 3


class Answer(Enum):
    """What a function answers: nothing, on some path a value, or who knows."""

    NOTHING = 1
    VALUE = 2
    UNKNOWN = 3


def tells_result(
    sequence: Sequence, first: AfterAnswer | None, second: AfterAnswer | None, answer: Answer
) -> bool:
    """Does the result say all: a value, or None of what answers values elsewhere?

    Where something is arranged for the Call, what it did with that is told as well.
    """
    if first is None or second is None or first.outcome is not None:
        return False
    is_arranged = any(call.kind == "arrange" for call in sequence.calls)
    has_result = has_value(encode_call(sequence.calls[-1])) and first.shown == second.shown
    if is_arranged or not has_result:
        return False
    shown = decode(first.shown)
    return isinstance(shown, Const | Display) and (shown != Const(None) or answer is Answer.VALUE)


class Procedures:
    """The procedures of the module with this source text; none of a text without syntax."""

    def __init__(self, source: str) -> None:
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            tree = ast.Module([], [])
        found = dict(_functions(tree, ""))
        self._streams = {name: _stream_of(function) for name, function in found.items()}
        self._by_name = dict.fromkeys(found, False)
        for _ in range(MAX_HOPS):
            self._by_name = {name: self._is_mute(function) for name, function in found.items()}

    def answer_of(self, invocable: str) -> Answer:
        """What the Invocable with this id answers."""
        qualname = invocable.rpartition(":")[2]
        if qualname in self._by_name:
            return Answer.NOTHING if self._by_name[qualname] else Answer.VALUE
        inherits = "." in qualname and self._are_mute(qualname.rpartition(".")[2])
        return Answer.NOTHING if inherits else Answer.UNKNOWN

    def stream_of(self, invocable: str) -> str:
        """The stream on which the Invocable prints, ``out`` or ``err``; '' where it never does."""
        return self._streams.get(invocable.rpartition(":")[2], "")

    def _are_mute(self, name: str) -> bool:
        """Are all functions called ``name`` procedures, and is there one?"""
        found = [mute for known, mute in self._by_name.items() if known.rpartition(".")[2] == name]
        return bool(found) and all(found)

    def _is_mute(self, function: _Function) -> bool:
        own = list(_own_nodes(function))
        if isinstance(function.returns, ast.Constant) and function.returns.value is None:
            return True
        return not any(map(self._answers, own))

    def _answers(self, node: ast.AST) -> bool:
        """Does the statement or expression answer a value that is not a procedure's?"""
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Call):
            called = node.value.func
            name = called.attr if isinstance(called, ast.Attribute) else ""
            name = called.id if isinstance(called, ast.Name) else name
            return not self._are_mute(name)
        if isinstance(node, (ast.Return, ast.Yield)):
            value = node.value
            is_none = isinstance(value, ast.Constant) and value.value is None
            return value is not None and not is_none
        return isinstance(node, ast.YieldFrom)


def _stream_of(function: _Function) -> str:
    """The stream of the one ``print`` that the function calls; ''."""
    found = [
        [one.value for one in node.keywords if one.arg == "file"]
        for node in _own_nodes(function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    names = {ast.unparse(file[0]) if file else "sys.stdout" for file in found}
    name = names.pop() if len(names) == 1 else ""
    return {"sys.stdout": "out", "sys.stderr": "err"}.get(name, "")


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, _Function]]:
    """(qualname, tree) of each function that a caller can name."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            yield prefix + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")
        elif isinstance(child, (ast.If, ast.Try, ast.ExceptHandler, ast.With)):
            yield from _functions(child, prefix)


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of ``function`` without those of functions and classes inside it."""
    for child in ast.iter_child_nodes(function):
        yield child
        if not isinstance(child, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            yield from _own_nodes(child)
