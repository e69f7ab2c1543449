"""Nodes of syntax trees as a person gets them: a piece of code is parsed, and the node picked out.

Code that looks for nodes in a tree names their classes, so pieces with such nodes come first.

Invariant: a way depends on the class's id and the names of other classes alone, and the code is
text that is only parsed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.subject.reading.replaceable_calls import tree_of

#: Modules of node classes -> the module with their ``parse``.
_PARSERS: Final = MappingProxyType(
    {"ast": "ast", "_ast": "ast", "typed_ast._ast3": "typed_ast.ast3"}
)
#: The functions that parse the pieces.
PARSE_FUNCTIONS: Final = frozenset(f"{module}:parse" for module in _PARSERS.values())
#: Pieces of code in which the usual nodes occur, the plainest first.
_PIECES: Final = (
    "total = count",
    "print(total)",
    "import os",
    "from os import path",
    "item.price",
    "def total(count):\n    return count",
    "class Cart(Base):\n    pass",
    "if ready:\n    start()",
    "for item in items:\n    print(item)",
    "while ready:\n    wait()",
    "try:\n    start()\nexcept ValueError as error:\n    stop()",
    "with opened() as file:\n    read(file)",
    "total: int = 1",
    "name = 'pear'",
    "total += 1",
    "first + second",
    "first < second",
    "first and second",
    "not ready",
    "rows[first]",
    "rows[first:second]",
    "[first, second]",
    "(first, second)",
    "{first: second}",
    "{first, second}",
    "[item for item in items]",
    "lambda count: count",
    "f'{name}'",
    "first if ready else second",
    "call(*items, key=value)",
    "assert ready",
    "raise error",
    "del total",
    "global total",
    "async def total(count):\n    await count",
    "def items():\n    yield first",
    "class Cart:\n    def total(self):\n        return self.price",
    "class Cart(Base, metaclass=Meta):\n    pass",
    "def items():\n    total = yield from rows",
    "{**first, second: rows}",
)
#: The names of the classes of nodes.
_NODES: Final = frozenset(
    name for name, cls in vars(ast).items() if isinstance(cls, type) and issubclass(cls, ast.AST)
)
#: Attributes and indexes on the way to a node, at most: a longer way says too little.
MAX_WAY: Final = 6
#: Different pieces of code for one class, where there are as many, and those that are chosen for
#: the classes of nodes that the code names.
MIN_PIECES: Final = 3
MAX_CHOSEN: Final = 6
#: Names that classes of constants had, which code that runs on old versions asks for.
_OLD_NAMES: Final = MappingProxyType({str: "Str", int: "Num", bytes: "Bytes"})


def ways_to_node(cls: str, named: tuple[str, ...] = ()) -> tuple[tuple[Sequence, int], ...]:
    """(Calls, number of the one whose result is a node of the class ``cls``); () if none is known.

    ``cls`` is ``module:qualname``; ``named`` are classes of nodes (``named_nodes``): nodes with one
    of these inside them come first.  Three different pieces of code where there are as many.
    """
    module, _, name = cls.partition(":")
    parser = _PARSERS.get(module)
    return () if parser is None else tuple([_calls(parser, *way) for way in _ways(name, named)])


def named_nodes(source: str) -> tuple[str, ...]:
    """The names of classes of nodes that ``source`` mentions, those of outer expressions first."""
    found: dict[str, None] = {}
    for node in ast.walk(tree_of(source)):
        name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
        if name in _NODES or name in _OLD_NAMES.values():
            found[name] = None
    return tuple(found)


def class_of_node(sequence: Sequence, index: int) -> str:
    """The class (``module:qualname``) of a node that Call ``index`` picks out; '' for none."""
    steps: list[str | int] = []
    call = sequence.calls[index]
    while call.kind == "get" or (call.kind == "operator" and call.name == "[]"):
        origin, *rest = call.args
        step = rest[0] if rest else Const(call.name)
        if not isinstance(origin, Ref) or not isinstance(step, Const):
            return ""
        if not isinstance(step.value, (str, int)) or (call.kind == "get") == bool(rest):
            return ""
        steps.append(step.value)
        call = sequence.calls[origin.index]
    text = call.args[0] if call.args else None
    if call.name not in PARSE_FUNCTIONS or not isinstance(text, Const):
        return ""
    node = _picked(text.value, steps[::-1])
    module = next(one for one, parser in _PARSERS.items() if call.name == f"{parser}:parse")
    return f"{module}:{type(node).__name__}" if isinstance(node, ast.AST) else ""


def _picked(text: object, steps: list[str | int]) -> object:
    """What the steps lead to in the tree of the piece of code ``text``; None if they do not."""
    try:
        found: object = ast.parse(text) if isinstance(text, str) else None
        for step in steps:
            if isinstance(step, int):
                found = found[step] if isinstance(found, list) else None
            else:
                found = getattr(found, step, None)
    except (SyntaxError, ValueError, IndexError):
        return None
    return found


def is_node_of(made: str, cls: str) -> bool | None:
    """Are nodes of class ``made`` instances of the class ``cls`` of nodes?  None: not two such."""
    (module, _, name), (other, _, wanted) = made.partition(":"), cls.partition(":")
    node, base = getattr(ast, name, None), getattr(ast, wanted, None)
    if _PARSERS.get(module) != _PARSERS.get(other, ""):
        return None
    if not isinstance(node, type) or not isinstance(base, type):
        return None
    return issubclass(node, base)


def is_bare_node(home: str) -> bool:
    """Is ``home``, called without arguments, the class of a node that lacks what nodes of it have?

    No parser makes such a node.
    """
    module, _, name = home.partition(":")
    cls = getattr(ast, name, None) if module in _PARSERS and name in _NODES else None
    return cls is not None and bool(cls._fields or cls.__subclasses__())


def _calls(parser: str, piece: str, steps: tuple[str | int, ...]) -> tuple[Sequence, int]:
    calls = [Call("function", f"{parser}:parse", (Const(piece),))]
    for step in steps:
        last = Ref(len(calls) - 1)
        if isinstance(step, str):
            calls.append(Call("get", step, (last,)))
        else:
            calls.append(Call("operator", "[]", (last, Const(step))))
    return Sequence(tuple(calls)), len(calls) - 1


@cache
def _ways(name: str, named: tuple[str, ...]) -> tuple[tuple[str, tuple[str | int, ...]], ...]:
    """(piece of code, attributes and indexes that lead to a node of the class).

    For each of the classes ``named`` that no node so far has inside it the plainest that has.
    """
    inside: dict[tuple[str, tuple[str | int, ...]], set[str]] = {}
    for piece in _PIECES:
        steps, node = next(_steps_to(ast.parse(piece), name, ()), ((), None))
        if node is not None and len(steps) <= MAX_WAY:
            inside[piece, steps] = set(_names_inside(node))
    chosen: list[tuple[str, tuple[str | int, ...]]] = []
    for wanted in named:
        if len(chosen) < MAX_CHOSEN and not any(wanted in inside[way] for way in chosen):
            chosen += [way for way, names in inside.items() if wanted in names][:1]
    rest = [way for way in inside if way not in chosen]
    return (*chosen, *rest[: max(0, MIN_PIECES - len(chosen))])


def _names_inside(node: ast.AST) -> Iterator[str]:
    """The names of the classes of ``node`` and of all nodes inside it, old ones too."""
    for one in ast.walk(node):
        yield type(one).__name__
        if isinstance(one, ast.Constant) and type(one.value) in _OLD_NAMES:
            yield _OLD_NAMES[type(one.value)]


def _steps_to(
    node: ast.AST, name: str, steps: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], ast.AST]]:
    """The ways to nodes of the class in ``node``, with these, depth first."""
    if name in [base.__name__ for base in type(node).__mro__]:
        yield steps, node
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield from _steps_to(value, name, (*steps, field))
        elif isinstance(value, list):
            for at, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from _steps_to(item, name, (*steps, field, at))
