"""The first answers of stand-ins, shaped by what the code does with them.

Where ``rc, out, err`` is unpacked from an answer, ``rc`` is compared with 0 and a number read from
the third word of ``out``, the answer is ``(0, "1 2 3", "")``.

Invariant: an answer is made of atoms and containers, so that every part of it can be varied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import count
from string import ascii_lowercase
from typing import Final

from unitcraft.core.sequences import Arg, Const, Display, arg_key
from unitcraft.core.types import TypeExpr
from unitcraft.subject.ducktypes.nested_structure import (
    Structure,
    nested_values,
    structure_of,
)
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.ducktypes.type_inference import guess_types
from unitcraft.subject.known_types import STR
from unitcraft.subject.model import Regex
from unitcraft.subject.reading.answer_uses import AnswerUse, PartUse
from unitcraft.subject.reading.node_operations import Callee
from unitcraft.subject.reading.parameter_uses import walk_function

#: Answers of one function that are tried first: those that fit most of its calls.
MAX_SHAPES: Final = 4
#: Parts of a text that are made: people write few.
MAX_PARTS: Final = 8
#: Values for the types that the use of an answer suggests.
_OF_TYPE: Final[Mapping[str, Arg]] = {
    "str": Const("a"), "int": Const(1), "float": Const(1.5), "bool": Const(value=True),
    "bytes": Const(b"a"), "dict": Display("dict", ()),
}  # fmt: skip
_LISTS: Final = frozenset(("list", "set", "vartuple", "iterable", "iterator"))
#: Texts that a regex matches.
Drawing = Callable[[Regex], Iterable[str | bytes]]
#: A part at which nothing looks.
_UNUSED: Final = Const("")


class AnswerShapes:
    """The first answers of the functions that one module calls (mutable: a cache).

    ``uses`` are all calls, by the function that they call; shapes are made when asked for.  What a
    regex looks up is a text that ``draw`` has for it.
    """

    def __init__(self, uses: Iterable[AnswerUse] = (), draw: Drawing = lambda _: ()) -> None:
        self.uses: dict[str, list[AnswerUse]] = {}
        self._on_line: dict[int, set[str]] = {}
        for use in uses:
            self.uses.setdefault(use.name, []).append(use)
            for line in use.lines:
                self._on_line.setdefault(line, set()).add(use.name)
        self._parts: dict[int, tuple[Arg | None, ...]] = {}
        self._draw = draw

    def used_on(self, lines: Collection[int]) -> dict[str, list[AnswerUse]]:
        """The calls whose answers the code uses on one of ``lines``, by the function."""
        names = {name for line in lines for name in self._on_line.get(line, ())}
        return {
            name: [use for use in self.uses[name] if not use.lines.isdisjoint(lines)]
            for name in names
        }

    def of(self, name: str, owner: str = "") -> tuple[Arg, ...]:
        """The first answers of ``name``: those that most of its calls can go through, first.

        Answers in which something is looked up come before them, with all that the calls of one
        function ask for.  The calls are those in the class ``owner``, if it has any.
        """
        known = self.uses.get(name, ())
        uses = [use for use in known if use.scope.startswith(f"{owner}.")] or known
        scopes = dict.fromkeys([use.scope for use in uses])
        nested = [one for scope in scopes for one in self._nested_in(scope, name)]
        shapes = [shape for use in uses if (shape := self.shape_of(use)) is not None]
        counts = Counter(map(arg_key, shapes))
        shapes.sort(key=lambda one: -counts[arg_key(one)])
        return tuple({arg_key(one): one for one in (*nested, *shapes)}.values())[:MAX_SHAPES]

    def _nested_in(self, scope: str, name: str) -> tuple[Arg, ...]:
        """Answers with what all calls of ``name`` in ``scope`` look up: each gets the same one."""
        whole = Structure()
        for use in self.uses.get(name, ()):
            if use.scope == scope and not use.is_unpacked:
                whole.add(structure_of(use.function.node, use.parts[0].name))
        return nested_values(whole)

    def shape_of(self, use: AnswerUse) -> Arg | None:
        """The plainest answer that ``use`` can go through; None where its use tells nothing.

        A part at which it does not look is as other calls of the same function have it.
        """
        parts = self._parts_of(use)
        if not use.is_unpacked:
            return parts[0]
        others = [self._parts_of(one) for one in self.uses.get(use.name, ()) if _is_alike(one, use)]
        filled = [
            next((one[at] for one in (parts, *others) if one[at] is not None), _UNUSED)
            for at in range(len(parts))
        ]
        return Display("tuple", tuple([_UNUSED if one is None else one for one in filled]))

    def _parts_of(self, use: AnswerUse) -> tuple[Arg | None, ...]:
        if id(use) not in self._parts:
            flow = walk_function(use.function, lambda *_: Callee())
            operations = tuple(
                [
                    ProbeOperation(row.path, row.operation, row.operand, row.arity)
                    for row in flow.rows
                ]
            )
            self._parts[id(use)] = tuple(
                [
                    self._matching(part) or _nested(use, part) or _value_of(part, operations)
                    for part in use.parts
                ]
            )
        return self._parts[id(use)]

    def _matching(self, part: PartUse) -> Arg | None:
        """A text that a regex of ``part`` matches: one with a digit where a number is read."""
        drawn = [text for regex in part.regexes for text in self._draw(regex)]
        if part.is_number:
            drawn = sorted(drawn, key=lambda text: not any(map(str.isdigit, str(text))))
        return Const(drawn[0]) if drawn else None


def _nested(use: AnswerUse, part: PartUse) -> Arg | None:
    """What has the keys that the code needs; None where it looks nothing up."""
    found = nested_values(structure_of(use.function.node, part.name))
    return found[-1] if found and not part.separators else None


def _is_alike(one: AnswerUse, other: AnswerUse) -> bool:
    """Do both unpack as many parts?"""
    return one.is_unpacked and len(one.parts) == len(other.parts)


def _value_of(part: PartUse, operations: tuple[ProbeOperation, ...]) -> Arg | None:
    if not part.lines:
        return None
    types = guess_types(operations, part.name)
    if part.compared and types[:1] not in ((TypeExpr("str"),), (TypeExpr("bool"),)):
        return Const(part.compared[0])
    if part.separators or part.is_number:
        text = Const(_text_with_parts(part))
        is_list = bool(types) and types[0].name in _LISTS
        return Display("list", (text,)) if is_list else text
    for type_ in types[:1]:
        if type_.name in _LISTS:
            (of_items,) = type_.args[:1] or (STR,)
            return Display("list", (_of_type(of_items) or _OF_TYPE["str"],))
        return _of_type(type_)
    return None


def _of_type(type_: TypeExpr) -> Arg | None:
    """A value of the type; a tuple has a text for each of its parts."""
    if type_.name == "tuple":
        return Display("tuple", tuple(map(Const, ascii_lowercase[: len(type_.args)])))
    return _OF_TYPE.get(type_.name)


def _text_with_parts(part: PartUse) -> str:
    """A text with all parts that are asked for, digits where numbers are read."""
    leaves = map(str, count(1)) if part.is_number else iter(ascii_lowercase)
    sizes = [
        (separator, min(max(size, 2), MAX_PARTS)) for separator, size in part.separators.items()
    ]
    return _join(sizes[:2], leaves)


def _join(sizes: list[tuple[str, int]], leaves: Iterator[str]) -> str:
    if not sizes:
        return next(leaves)
    (separator, size), *inner = sizes
    return separator.join([_join(inner, leaves) for _ in range(size)])
