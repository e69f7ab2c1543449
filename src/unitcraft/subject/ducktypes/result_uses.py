"""What the code asks of the results of calls, by the last names of functions.

Invariant: nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from unitcraft.subject.ducktypes.switches import asked_for_truth, asked_names, switches
from unitcraft.subject.reading.answer_uses import answer_uses
from unitcraft.subject.scopes import callee_name, word_set

#: Names of numbers, whatever the code does with them: of 287 comparisons of such with a text or a
#: number in the packages of 111 modules of real projects, 286 are with a number.
_STATUSES: Final = word_set("errno rc returncode status_code")


class UnpackedItem(NamedTuple):
    """One of several names that the result of a call is unpacked into; is it a number?"""

    name: str
    is_number: bool


def _unpacked(tree: ast.Module) -> dict[str, tuple[UnpackedItem, ...]]:
    """Last name of a function -> what its result is first unpacked into, as ``rc, out, err``."""
    found: dict[str, tuple[str, ...]] = {}
    numbers = {*_STATUSES}
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Tuple(parts)], ast.Call(func)):
                names = [part.id for part in parts if isinstance(part, ast.Name)]
                called = func.attr if isinstance(func, ast.Attribute) else ""
                called = func.id if isinstance(func, ast.Name) else called
                if len(names) == len(parts):
                    found.setdefault(called, tuple(names))
            case ast.Compare(ast.Name(name), _, [ast.Constant(int())]):
                numbers.add(name)
    return {
        called: tuple([UnpackedItem(name, name in numbers) for name in names])
        for called, names in found.items()
    }


class ResultUses(NamedTuple):
    """What the code does with the results of calls, by the last names of functions.

    ``unpacked``: the names that a result is unpacked into.  ``flags``: functions of whose results
    nothing is asked but whether they are true.  ``keys``: texts that the code asks a ``get`` for.
    ``asked``: those that each function is given first, as far as the source tells them.
    ``numbers``: attributes that the code compares with integers.  ``switches``: attributes and keys
    of which nothing is asked but whether they are true.  ``binary``: functions whose results the
    code compares with bytes, or asks for some.  ``questions``: attributes and keys that the code
    asks whether they are true, whatever else it does with them.
    """

    unpacked: Mapping[str, tuple[UnpackedItem, ...]] = MappingProxyType({})
    flags: frozenset[str] = frozenset()
    keys: tuple[str, ...] = ()
    asked: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    numbers: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    binary: frozenset[str] = frozenset()
    questions: frozenset[str] = frozenset()


def result_uses(tree: ast.Module) -> ResultUses:
    """The ``ResultUses`` of a module."""
    asked = asked_for_truth(tree)
    is_flag: dict[str, bool] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = callee_name(node)
            is_flag[name] = is_flag.get(name, True) and id(node) in asked
    flags = frozenset(name for name, holds in is_flag.items() if name and holds)
    keys, numbers = tuple(dict.fromkeys(_looked_up(tree))), frozenset(_numbers(tree))
    binary = frozenset(name for node in ast.walk(tree) for name in _binary(node))
    return ResultUses(
        _unpacked(tree), flags, keys, _asked(tree), numbers, switches(tree, asked), binary,
        asked_names(tree, asked),
    )  # fmt: skip


def _binary(function: ast.AST) -> Iterator[str]:
    """The functions that a function calls and whose results stand beside bytes."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    made: dict[str, str] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(name)], ast.Call() as call):
                made[name] = callee_name(call)
    for node in ast.walk(function):
        for one in _beside_bytes(node):
            whole = one.value if isinstance(one, ast.Subscript) else one
            if isinstance(whole, ast.Name) and whole.id in made:
                yield made[whole.id]
            elif isinstance(whole, ast.Call):
                yield callee_name(whole)


def _beside_bytes(node: ast.AST) -> list[ast.expr]:
    """What is compared with, joined to or asked for bytes that the code states."""
    match node:
        case ast.Compare(left, _, others):
            parts = [left, *others]
        case ast.BinOp(left, ast.Add(), right):
            parts = [left, right]
        case ast.Call(ast.Attribute(value), [first, *_]):
            parts = [value, first]
        case _:
            return []
    stated = [isinstance(one, ast.Constant) and isinstance(one.value, bytes) for one in parts]
    is_asked = not isinstance(node, ast.Call) or stated[1]
    return parts if any(stated) and is_asked else []


def _numbers(tree: ast.Module) -> Iterator[str]:
    """Attributes that are compared with an integer: ``done.returncode != 0``."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ast.Attribute(attr=name), [_], [ast.Constant(int() as number)]):
                if not isinstance(number, bool):
                    yield name


def _asked(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """Last name of a function -> the texts that its calls give it first, in their order."""
    found: dict[str, dict[str, None]] = {}
    for use in answer_uses(tree):
        found.setdefault(use.name, {}).update(dict.fromkeys(use.keys))
    return {name: tuple(keys) for name, keys in found.items()}


def _looked_up(tree: ast.Module) -> Iterator[str]:
    """The texts with which ``get`` is called."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(attr="get"), [ast.Constant(str() as key), *_]):
                yield key
