"""Command lines in a row: what one leaves in a file, the next one finds there.

``done 1`` has something to do only behind ``add title``.

Invariant: the calls of one Sequence name the same files, and each has the words of one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unitcraft.core.sequences import Arg, Const, Display, Sequence, TempPath
from unitcraft.explore.execution import Execution


def lines_behind(run: Execution, lines: Iterable[tuple[str, ...]]) -> Iterator[Sequence]:
    """The one call of ``run`` and behind it each of ``lines`` that names a file of that call."""
    call = run.sequence.calls[-1]
    if len(run.sequence) > 1 or len(call.args) != 1 or not run.returned:
        return
    words = call.args[0].items if isinstance(call.args[0], Display) else ()
    files: dict[str, Arg] = {one.name: one for one in words if isinstance(one, TempPath)}
    for line in lines:
        if not files.keys().isdisjoint(line):
            items = tuple([files.get(word) or Const(word) for word in line])
            yield Sequence((call, replace(call, args=(Display("list", items),))))
