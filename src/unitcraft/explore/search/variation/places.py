"""The places of a Sequence where another Arg may stand.

Invariant: putting an Arg into a place changes nothing else of the Sequence.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Sequence,
    Source,
    Symbol,
    TempPath,
)
from unitcraft.subject.literal_args import literal_in, literal_text
from unitcraft.subject.values.texts.document_texts import container_in, text_of

#: The class of functions whose result is no literal.
MOCK: Final = Symbol("unittest.mock", "Mock")
#: What it is told to answer, and to raise.
ANSWER: Final = "return_value"
SIDE_EFFECT: Final = "side_effect"
_ANY_ARGUMENTS: Final = "lambda *args, **kwargs: "
#: Beginning of functions that answer by their first argument.
_BY_KEY: Final = "lambda key, *args, **kwargs: "

#: Texts of such functions that are read again and again while their run is varied.  A bound of
#: memory: it changes times, no results.
MAX_PARSED: Final = 2048

#: What stands around the lines of a function of ``reading``.
_READER: Final = ("iter(", ").__next__")

#: An Arg of a Sequence, and the function that puts another in its place.
Place = tuple[Arg, Callable[[Arg], Sequence]]

#: Sequences whose places are kept: all kinds of variation look at the run that is learnt from.  A
#: bound of memory: it changes times, no results.
MAX_KNOWN: Final = 64
#: Identity of a Sequence -> it, so that no other has that identity, and its places.
_KNOWN: Final[dict[int, tuple[Sequence, tuple[Place, ...]]]] = {}


def returning(result: Arg) -> Arg:
    """A function of any arguments that returns ``result``."""
    return (
        Source(_ANY_ARGUMENTS + literal_text(result)) if is_literal(result) else recording(result)
    )


def recording(result: Arg) -> Build:
    """The same, which knows afterwards what it was called with."""
    return Build(MOCK, (), ((ANSWER, result),))


def refusing(error: Arg) -> Build:
    """A function of any arguments that raises ``error``."""
    return Build(MOCK, (), ((SIDE_EFFECT, error),))


class Answers(NamedTuple):
    """What a function of a stand-in answers: by its first argument, and to all others.

    ``records``: it knows afterwards what it was called with.
    """

    by_key: Display
    default: Arg
    records: bool = False

    def of(self, key: str) -> Arg:
        """The answer to ``key``."""
        pairs = zip(self.by_key.items[::2], self.by_key.items[1::2], strict=True)
        return next((answer for one, answer in pairs if one == Const(key)), self.default)

    def all(self) -> tuple[Arg, ...]:
        """Every answer, the one to all other arguments last."""
        return (*self.by_key.items[1::2], self.default)

    def with_answer(self, key: str, answer: Arg) -> Answers:
        """The same, but for its answer to ``key``."""
        items = self.by_key.items
        at = items[::2].index(Const(key)) if Const(key) in items[::2] else len(items) // 2
        items = (*items[: 2 * at], Const(key), answer, *items[2 * at + 2 :])
        return self._replace(by_key=Display("dict", items))


def answering(answers: Answers) -> Arg:
    """The function that gives ``answers``; an answer by key that is no literal is left out."""
    if not answers.by_key.items or not (is_literal(answers.by_key) and is_literal(answers.default)):
        return (recording if answers.records else returning)(answers.default)
    missing = "" if answers.default == Const(None) else f", {literal_text(answers.default)}"
    made = Source(f"{_BY_KEY}{literal_text(answers.by_key)}.get(key{missing})")
    return Build(MOCK, (), ((SIDE_EFFECT, made),)) if answers.records else made


def answers_of(arg: Arg) -> Answers | None:
    """What a function of ``returning``, ``recording`` or ``answering`` answers; else None."""
    is_mock = isinstance(arg, Build) and arg.callee == MOCK
    made = dict(arg.kwargs).get(SIDE_EFFECT) if isinstance(arg, Build) and is_mock else arg
    if isinstance(made, Source) and made.text.startswith(_BY_KEY):
        found = _parsed_answers(made.text)
        return found and found._replace(records=is_mock)
    result = result_of(arg)
    return None if result is None else Answers(Display("dict", ()), result, is_mock)


@lru_cache(maxsize=MAX_PARSED)
def _parsed_answers(text: str) -> Answers | None:
    match ast.parse(text, mode="eval").body:
        case ast.Lambda(body=ast.Call(func=ast.Attribute(value=table), args=[_, *rest])):
            by_key = literal_in(table)
            default = literal_in(rest[0]) if rest else Const(None)
            if isinstance(by_key, Display) and default is not None:
                return Answers(by_key, default)
    return None


def result_of(arg: Arg) -> Arg | None:
    """The result of a function of ``returning``; None for any other Arg."""
    if isinstance(arg, Build) and arg.callee == MOCK:
        return dict(arg.kwargs).get(ANSWER)
    if not isinstance(arg, Source) or not arg.text.startswith(_ANY_ARGUMENTS):
        return None
    return literal_in(ast.parse(arg.text.removeprefix(_ANY_ARGUMENTS), mode="eval").body)


def reading(lines: Arg) -> Source:
    """A function that answers one item of ``lines``, a literal or code, after the other."""
    text = lines.text if isinstance(lines, Source) else literal_text(lines)
    return Source(f"{_READER[0]}{text}{_READER[1]}")


def lines_of(arg: Arg) -> Arg | None:
    """The lines of a function of ``reading``; None for any other Arg."""
    start, end = _READER
    if not isinstance(arg, Source) or not arg.text.startswith(start + "["):
        return None
    text = arg.text.removeprefix(start).removesuffix(end)
    try:
        return literal_in(ast.parse(text, mode="eval").body)
    except SyntaxError:
        return None


def is_literal(arg: Arg) -> bool:
    """Is ``arg`` made of atoms and containers alone, so that it may be a function's result?"""
    return isinstance(arg, Const) or (
        isinstance(arg, Display)
        and arg.kind in ("list", "tuple", "dict")
        and all(map(is_literal, arg.items))
    )


def arguments_of(
    sequence: Sequence,
) -> Iterator[tuple[Call, int, Arg, Callable[[Arg], Sequence]]]:
    """(Call, number, argument, function that puts another in its place), the last Call first."""
    for position in range(len(sequence.calls) - 1, -1, -1):
        call = sequence.calls[position]
        for index, arg in enumerate(call.args):
            yield call, index, arg, in_args(sequence, position, index)


def places(sequence: Sequence) -> tuple[Place, ...]:
    """Every Arg in ``sequence``, at any depth, with the function that puts another in its place.

    The last Call comes first; those inside a document follow its text.
    """
    known = _KNOWN.get(id(sequence))
    if known is not None:
        return known[1]
    if len(_KNOWN) >= MAX_KNOWN:
        _KNOWN.clear()
    found = tuple(_places(sequence))
    _KNOWN[id(sequence)] = (sequence, found)
    return found


def _places(sequence: Sequence) -> Iterator[Place]:
    for position in range(len(sequence.calls) - 1, -1, -1):
        call = sequence.calls[position]
        for index, arg in enumerate(call.args):
            if call.kind == "arrange" and index == 0:
                continue  # the name of what is arranged
            yield from inside(arg, in_args(sequence, position, index))
        for index, (_, arg) in enumerate(call.kwargs):
            yield from inside(arg, _in_kwargs(sequence, position, index))


def made_in_order(sequence: Sequence) -> Iterator[Place]:
    """The nested Calls and containers of ``sequence``, in the order of a run's evaluation.

    Those inside classes that the test writes are left out: a run evaluates them when asked.
    """
    for position, call in enumerate(sequence.calls):
        if call.kind == "define":
            continue
        for index, arg in enumerate(call.args):
            yield from _nested(arg, in_args(sequence, position, index))
        for index, (_, arg) in enumerate(call.kwargs):
            yield from _nested(arg, _in_kwargs(sequence, position, index))


def _nested(arg: Arg, put: Callable[[Arg], Sequence]) -> Iterator[Place]:
    if isinstance(arg, Display):
        for index, item in enumerate(arg.items):
            yield from _nested(item, through(put, _set_item(arg, index)))
        yield arg, put
    elif isinstance(arg, TempPath) and arg.content is not None:
        yield from _nested(arg.content, through(put, _set_content(arg)))
    elif isinstance(arg, Build):
        for index, item in enumerate(arg.args):
            yield from _nested(item, through(put, _set_argument(arg, index)))
        for index, (_, item) in enumerate(arg.kwargs):
            yield from _nested(item, through(put, set_keyword(arg, index)))
        yield arg, put


def inside(arg: Arg, put: Callable[[Arg], Sequence]) -> Iterator[Place]:
    """``arg`` itself, which ``put`` replaces, and every Arg in it, at any depth."""
    yield arg, put
    if isinstance(arg, Display):
        for index, item in enumerate(arg.items):
            yield from inside(item, through(put, _set_item(arg, index)))
    elif isinstance(arg, Source):
        yield from _inside_function(arg, put)
    elif isinstance(arg, Build):
        for index, item in enumerate(arg.args):
            yield from inside(item, through(put, _set_argument(arg, index)))
        for index, (name, item) in enumerate(arg.kwargs):
            found = inside(item, through(put, set_keyword(arg, index)))
            is_error = arg.callee == MOCK and name == SIDE_EFFECT
            yield from islice(found, 1, None) if is_error else found  # nothing else can be raised
    elif isinstance(arg, TempPath) and arg.content is not None:
        yield from inside(arg.content, through(put, _set_content(arg)))
    elif isinstance(arg, Const):
        yield from _inside_text(arg, put)


def _inside_function(arg: Source, put: Callable[[Arg], Sequence]) -> Iterator[Place]:
    """The answers of a function of a stand-in, and the lines of one of ``reading``."""
    answers = answers_of(arg) if arg.text.startswith(_BY_KEY) else None
    if answers is not None:
        yield from _inside_answers(answers, put)
    constant = _constant_function(arg.text) if arg.text.startswith("lambda ") else None
    if constant is not None:
        yield from inside(constant[1], through(put, _write_result(constant[0])))
    lines = lines_of(arg)
    if lines is not None:
        yield from inside(lines, through(put, lambda new: reading(new) if is_literal(new) else arg))


@lru_cache(maxsize=MAX_PARSED)
def _constant_function(text: str) -> tuple[str, Arg] | None:
    """What stands before the result of a function that always returns one literal, and that."""
    match ast.parse(text, mode="eval").body:
        case ast.Lambda(body=body):
            result = literal_in(body)
            return None if result is None else (text[: body.col_offset], result)
    return None


def _write_result(before: str) -> Callable[[Arg], Arg]:
    """Write another result; what is no literal is recorded."""
    return lambda new: Source(before + literal_text(new)) if is_literal(new) else recording(new)


def _inside_answers(answers: Answers, put: Callable[[Arg], Sequence]) -> Iterator[Place]:
    """The answers by key, as a dictionary, and the one to all other arguments."""

    def put_table(new: Arg) -> Sequence:
        table = new if isinstance(new, Display) and new.kind == "dict" else answers.by_key
        return put(answering(answers._replace(by_key=table)))

    def put_default(new: Arg) -> Sequence:
        return put(answering(answers._replace(default=new) if is_literal(new) else answers))

    yield from inside(answers.by_key, put_table)
    yield from inside(answers.default, put_default)


def _inside_text(arg: Const, put: Callable[[Arg], Sequence]) -> Iterator[Place]:
    """The container that a document stands for, and what is in it."""
    document = container_in(arg.value)
    if document is not None:
        yield from inside(document, through(put, _write_document(arg)))


def through(
    put: Callable[[Arg], Sequence], make: Callable[[Arg], Arg]
) -> Callable[[Arg], Sequence]:
    """What puts the Arg that ``make`` makes of another."""
    return lambda new: put(make(new))


def _set_item(arg: Display, index: int) -> Callable[[Arg], Arg]:
    """Put another item in place; what cannot be hashed changes no key, and no item of a set."""
    hashed = arg.kind in ("set", "frozenset") or (arg.kind == "dict" and index % 2 == 0)

    def put(new: Arg) -> Arg:
        if hashed and isinstance(new, Display) and new.kind in ("list", "dict", "set"):
            return arg
        return Display(arg.kind, (*arg.items[:index], new, *arg.items[index + 1 :]))

    return put


def _set_content(arg: TempPath) -> Callable[[Arg], Arg]:
    """Put another content in place; what is none of a file or a folder changes nothing."""

    def put(new: Arg) -> Arg:
        return TempPath(arg.name, new, arg.is_text) if _may_stand(new) else arg

    return put


def _may_stand(content: Arg) -> bool:
    """Can a file hold it, or is it a folder of such by name?"""
    if isinstance(content, Display) and content.kind == "dict":
        names, inside = content.items[::2], content.items[1::2]
        return all(map(_is_file_name, names)) and all(map(_may_stand, inside))
    return isinstance(content, Const) and type(content.value) in (str, bytes)


def _is_file_name(name: Arg) -> bool:
    """Is it a name that a person gives a file: no control characters, no blanks at its ends?"""
    text = name.value if isinstance(name, Const) else None
    return isinstance(text, str) and text.isprintable() and text == text.strip()


def _write_document(arg: Const) -> Callable[[Arg], Arg]:
    """Write a container as the text that stands for it; what has no such text changes nothing."""

    def write(new: Arg) -> Arg:
        text = text_of(new)
        if text is None:
            return arg
        return Const(text.encode() if isinstance(arg.value, bytes) else text)

    return write


def _set_argument(arg: Build, index: int) -> Callable[[Arg], Arg]:
    return lambda new: Build(
        arg.callee, (*arg.args[:index], new, *arg.args[index + 1 :]), arg.kwargs
    )


def set_keyword(arg: Build, index: int) -> Callable[[Arg], Arg]:
    """What puts another Arg in place of keyword argument ``index`` of a nested Call."""
    name = arg.kwargs[index][0]
    return lambda new: Build(
        arg.callee, arg.args, (*arg.kwargs[:index], (name, new), *arg.kwargs[index + 1 :])
    )


def in_args(sequence: Sequence, position: int, index: int) -> Callable[[Arg], Sequence]:
    """What puts another Arg in place of argument ``index`` of Call ``position``."""
    call = sequence.calls[position]
    return lambda new: _with_call(
        sequence, position, (*call.args[:index], new, *call.args[index + 1 :]), call.kwargs
    )


def _in_kwargs(sequence: Sequence, position: int, index: int) -> Callable[[Arg], Sequence]:
    call = sequence.calls[position]
    name = call.kwargs[index][0]
    return lambda new: _with_call(
        sequence,
        position,
        call.args,
        (*call.kwargs[:index], (name, new), *call.kwargs[index + 1 :]),
    )


def _with_call(
    sequence: Sequence,
    position: int,
    args: tuple[Arg, ...],
    kwargs: tuple[tuple[str, Arg], ...],
) -> Sequence:
    old = sequence.calls[position]
    return put_call(sequence, position, Call(old.kind, old.name, args, kwargs, old.then))


def put_call(sequence: Sequence, position: int, call: Call) -> Sequence:
    """``sequence`` with ``call`` in place of its Call number ``position``."""
    return Sequence((*sequence.calls[:position], call, *sequence.calls[position + 1 :]))
