"""The files that a test needs: the lines that make them, and variables for their paths.

Invariant: what stands at a path before the first Call is what the first TempPath of that name
says; a path that is written once, without content, has no variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace

from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Sequence, Source, TempPath
from unitcraft.emit.arrange.fixtures import paths_of
from unitcraft.emit.code.formatter import Leaf, Node, Pair, assignment, call, render
from unitcraft.emit.code.literal_code import FOLDER, quoted, text_literal
from unitcraft.suite.tests import Test


@dataclass(frozen=True, slots=True)
class FileSetup:
    """A Test whose paths have ``names``, and the ``lines`` of each statement that makes files."""

    test: Test
    names: tuple[str, ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()


def set_up_files(test: Test, taken: Container[str], indent: str) -> FileSetup:
    """``test`` with variables in place of paths that are arranged or used twice."""
    paths = list(paths_of(test))
    uses = Counter(path.name for path in paths)
    arranged: dict[str, TempPath] = {}
    for path in paths:
        arranged.setdefault(path.name, path)
    wanted = [one for one in arranged.values() if one.content is not None or uses[one.name] > 1]
    names = dict(zip([one.name for one in wanted if one.name], _free(taken), strict=False))
    lines = [line for one in wanted for line in _statements(one, names, indent)]
    return FileSetup(_with_names(test, names), tuple(names.values()), tuple(lines))


def _free(taken: Container[str]) -> Iterator[str]:
    options = ("path", "other_path", *[f"path_{number}" for number in range(3, 20)])
    return (name for name in options if name not in taken)


def _statements(path: TempPath, names: dict[str, str], indent: str) -> Iterator[tuple[str, ...]]:
    name = names.get(path.name, FOLDER)
    if path.name:
        place = Leaf(f"{FOLDER} / {quoted(path.name)}")
        yield tuple(assignment(name, place, indent))
    if isinstance(path.content, Display):
        if path.name:
            yield tuple(render(call(f"{name}.mkdir", []), indent))
        for line in _entries(path.content, name, ""):
            yield tuple(render(line, indent))
    elif isinstance(path.content, Const):
        yield tuple(render(_write(name, path.content.value), indent))


def _entries(folder: Display, name: str, above: str) -> Iterator[Node]:
    for key, content in zip(folder.items[::2], folder.items[1::2], strict=True):
        inner = above + str(key.value) if isinstance(key, Const) else above
        place = f"({name} / {quoted(inner)})"
        if isinstance(content, Display):
            yield call(f"{place}.mkdir", [])
            yield from _entries(content, name, f"{inner}/")
        elif isinstance(content, Const):
            yield _write(place, content.value)


def _write(place: str, value: object) -> Node:
    if isinstance(value, bytes):
        return call(f"{place}.write_bytes", [Leaf(quoted(value))])
    text = str(value)
    named: list[Node] = [] if text.isascii() else [Pair(Leaf("encoding"), "=", Leaf('"utf-8"'))]
    return call(f"{place}.write_text", [text_literal(text), *named])


def _with_names(test: Test, names: dict[str, str]) -> Test:
    def named(arg: Arg) -> Arg:
        match arg:
            case TempPath(name, _, is_text) if name in names:
                return Source(f"str({names[name]})" if is_text else names[name])
            case Display(kind, items):
                return Display(kind, tuple([named(item) for item in items]))
            case Build(callee, args, kwargs):
                pairs = tuple([(key, named(value)) for key, value in kwargs])
                return Build(callee, tuple([named(item) for item in args]), pairs)
            case _:
                return arg

    return _map_args(test, named) if names else test


def _map_args(test: Test, change: Callable[[Arg], Arg]) -> Test:
    def changed(step: Call) -> Call:
        kwargs = tuple([(name, change(value)) for name, value in step.kwargs])
        return replace(step, args=tuple([change(arg) for arg in step.args]), kwargs=kwargs)

    checks = [
        replace(
            check,
            observed=changed(check.observed)
            if isinstance(check.observed, Call)
            else check.observed,
            expected=change(check.expected),
        )
        for check in test.checks
    ]
    sequence = Sequence(tuple([changed(step) for step in test.sequence.calls]))
    return replace(test, sequence=sequence, checks=tuple(checks))
