"""Command lines of click, and in a row: what one leaves in a file, the next one finds there.

``done 1`` has something to do only behind ``add title``.

Invariant: the calls of one Sequence name the same files, and each has the words of one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unitcraft.core.sequences import Arg, Call, Const, Display, Sequence, TempPath
from unitcraft.explore.execution import Execution
from unitcraft.subject.model import Command, Subject
from unitcraft.subject.reading.command_lines import lines_of_command, refused_line


def command_calls(command: Command) -> Iterator[Call]:
    """Calls that run a command of click, on lines that it declares."""
    for line, typed in lines_of_command(command):
        given = (("input", Const(typed)),) if typed else ()
        yield Call("invoke", command.root, (_words(line),), given)


def refused_lines(subject: Subject) -> frozenset[str]:
    """The keys of the Sequences of one line each that a command of ``subject`` refuses."""
    commands = [one.command for one in subject.invocables if one.command is not None]
    lines = [(one.root, refused_line(one)) for one in commands]
    return frozenset(
        Sequence((Call("invoke", root, (_words(line),)),)).key for root, line in lines if line
    )


def lines_behind(run: Execution, lines: Iterable[tuple[str, ...]]) -> Iterator[Sequence]:
    """The one call of ``run`` and behind it each of ``lines`` that names a file of that call."""
    call = run.sequence.calls[-1]
    if call.kind == "function" and len(call.args) == 1:
        yield from calls_behind(run, [replace(call, args=(_words(line),)) for line in lines])


def calls_behind(run: Execution, others: Iterable[Call]) -> Iterator[Sequence]:
    """The same of ``others``, calls on the words of a line each."""
    call = run.sequence.calls[-1]
    if len(run.sequence) > 1 or not run.returned or not call.args:
        return
    words = call.args[0].items if isinstance(call.args[0], Display) else ()
    files: dict[str, Arg] = {one.name: one for one in words if isinstance(one, TempPath)}
    for other in others:
        line = other.args[0].items if isinstance(other.args[0], Display) else ()
        texts = [one.value for one in line if isinstance(one, Const) and isinstance(one.value, str)]
        if not files.keys().isdisjoint(texts):
            items = tuple([files.get(text) or Const(text) for text in texts])
            yield Sequence((call, replace(other, args=(Display("list", items),))))


def _words(line: tuple[str, ...]) -> Display:
    return Display("list", tuple(map(Const, line)))
