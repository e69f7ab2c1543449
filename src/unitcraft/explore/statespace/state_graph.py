"""The state graph as an SVG picture: one row for each depth, the initial state on top.

Invariant: the text depends on the exploration alone, byte for byte; a picture that leaves
something out says how much.

Source: ROSTRA, "Example" (of the generation algorithm): boxes with the fields of the state, solid
edges to new states, dashed ones for executions that reach a known state.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from unitcraft.core.call_text import arguments_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from unitcraft.explore.statespace.concrete_exploration import ConcreteState, Exploration

#: States of a picture that a person can still read.
MAX_STATES: Final = 60
#: Edges of a picture that a person can still read.
MAX_EDGES: Final = 600

#: Sizes in pixels; a character of the 11 px monospace font is about 6.7 wide.
_CHAR, _LINE, _PAD, _GAP, _RISE, _MARGIN = 6.7, 15, 8, 36, 110, 24

#: Width of a character of a label.
_SMALL_CHAR: Final = 6.1

#: Width of a row in pixels.
_PAGE: Final = 2400

#: How far down its edge a label stands.
_LABEL_AT: Final = 0.55

#: Characters of one line of a box.
LINE_WIDTH: Final = 44
#: Characters of one edge label.
_LABEL_WIDTH: Final = 40

#: The style sheet of the picture.
_STYLE: Final = (
    "text{font:11px monospace;fill:#222}.box{fill:#f6f8fa;stroke:#57606a}"
    ".new{stroke:#1a7f37;fill:none}.old{stroke:#8c959f;fill:none;stroke-dasharray:4 3}"
    ".label{fill:#57606a;font-size:10px}.note{fill:#9a6700}"
)


@dataclass(frozen=True, slots=True)
class Box:
    """A drawn state: its lines and where it stands."""

    lines: tuple[str, ...]
    x: float
    y: float
    width: float

    @property
    def height(self) -> float:
        """Room for all lines."""
        return _LINE * max(len(self.lines), 1) + _PAD

    @property
    def middle(self) -> float:
        """The abscissa of the centre."""
        return self.x + self.width / 2


def states_to_draw(exploration: Exploration, limit: int = MAX_STATES) -> tuple[ConcreteState, ...]:
    """The first ``limit`` states in the order of discovery, the initial one first."""
    found: dict[bytes, ConcreteState] = {}
    for step in exploration.edges:
        for state in (step.source, step.target):
            if state is not None and len(found) < limit:
                found.setdefault(state.digest, state)
    return tuple(found.values())


def draw(exploration: Exploration) -> str:
    """The SVG text of ``exploration``: the states of which it has ``lines``."""
    lines = exploration.lines
    states = [state for state in states_to_draw(exploration) if state.digest in lines]
    boxes = _place(states, lines)
    edges, hidden = _edges(exploration, boxes)
    body = [part for edge in edges for part in _edge(edge, boxes)]
    body += [part for box in boxes.values() for part in _box(box)]
    note = _note(exploration, len(states), hidden)
    ends = [box.x + box.width for box in boxes.values()]
    ends += [_path(edge, boxes)[1] + _SMALL_CHAR * len(edge.label) for edge in edges]
    width = max(*ends, _MARGIN + _CHAR * len(note), 0) + _MARGIN
    height = max((box.y + box.height for box in boxes.values()), default=0) + 2 * _MARGIN
    body.append(f'<text class="note" x="{_MARGIN}" y="{height:.0f}">{escape(note)}</text>')
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" '
        f'height="{height + _LINE:.0f}" viewBox="0 0 {width:.0f} {height + _LINE:.0f}">'
        f"<title>{escape(exploration.task.target)}</title><style>{_STYLE}</style>"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#57606a"/></marker></defs>'
    )
    return "\n".join([head, *body, "</svg>", ""])


def _note(exploration: Exploration, drawn: int, hidden: int) -> str:
    last = exploration.iterations[-1] if exploration.iterations else None
    total = last.states if last is not None else drawn
    note = f"{exploration.task.target}: {total} states"
    note += f", {last.tests} tests, {last.iteration} iterations" if last is not None else ""
    if drawn < total:
        note += f"; the first {drawn} states are drawn"
    return note + (f"; {hidden} of the executions lead elsewhere" if hidden else "")


def _place(states: list[ConcreteState], lines: Mapping[bytes, tuple[str, ...]]) -> dict[bytes, Box]:
    """Boxes by digest: a row (or several) for each depth, centred."""
    widths = {
        state.digest: _CHAR * max([len(line) for line in lines[state.digest]] or [0]) + 2 * _PAD
        for state in states
    }
    rows = [
        row
        for _, layer in groupby(states, key=lambda state: len(state.path))
        for row in _wrap(list(layer), widths)
    ]
    row_width = [sum(widths[state.digest] + _GAP for state in row) - _GAP for row in rows]
    boxes: dict[bytes, Box] = {}
    y: float = _MARGIN
    for row, width in zip(rows, row_width, strict=True):
        x = _MARGIN + (max(row_width) - width) / 2
        for state in row:
            boxes[state.digest] = Box(lines[state.digest], x, y, widths[state.digest])
            x += widths[state.digest] + _GAP
        y += max(boxes[state.digest].height for state in row) + _RISE
    return boxes


def _wrap(layer: list[ConcreteState], widths: Mapping[bytes, float]) -> list[list[ConcreteState]]:
    """``layer`` cut into rows that fit the page."""
    rows: list[list[ConcreteState]] = [[]]
    room: float = _PAGE
    for state in layer:
        room -= widths[state.digest] + _GAP
        if room < 0 and rows[-1]:
            rows.append([])
            room = _PAGE - widths[state.digest] - _GAP
        rows[-1].append(state)
    return rows


@dataclass(frozen=True, slots=True)
class _Edge:
    source: bytes
    target: bytes
    label: str
    new: bool


def _edges(exploration: Exploration, boxes: Mapping[bytes, Box]) -> tuple[list[_Edge], int]:
    """One edge for each pair of states, and how many executions could not be drawn."""
    labels: dict[tuple[bytes, bytes, bool], list[str]] = {}
    known = {exploration.edges[0].source.digest} if exploration.edges else set()
    hidden = 0
    for step in exploration.edges:
        target = step.target.digest if step.target is not None else b""
        new = target not in known
        known.add(target)
        pair = (step.source.digest, target, new)
        if step.source.digest not in boxes or target not in boxes:
            hidden += 1
            continue
        outcome = f" raises {step.outcome.rpartition(':')[2]}" if step.outcome else ""
        call = exploration.task.actions[step.action]
        text = f"{call.name}({arguments_text(call.args[1:], call.kwargs)})"
        labels.setdefault(pair, []).append(text + outcome)
    total = exploration.iterations[-1].tests if exploration.iterations else 0
    hidden += total - len(exploration.edges)
    return [_Edge(*pair[:2], _label(texts), pair[2]) for pair, texts in labels.items()], hidden


def _label(texts: list[str]) -> str:
    label = ", ".join(texts)
    return label if len(label) <= _LABEL_WIDTH else label[: _LABEL_WIDTH - 3] + "..."


def _box(box: Box) -> Iterable[str]:
    yield (
        f'<rect class="box" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="4"/>'
    )
    for number, line in enumerate(box.lines, 1):
        y = box.y + _LINE * number
        yield f'<text x="{box.x + _PAD:.1f}" y="{y:.1f}">{escape(line)}</text>'


def _edge(edge: _Edge, boxes: Mapping[bytes, Box]) -> Iterable[str]:
    path, x, y = _path(edge, boxes)
    kind = "new" if edge.new else "old"
    yield f'<path class="{kind}" d="{path}" marker-end="url(#tip)"/>'
    yield f'<text class="label" x="{x:.1f}" y="{y:.1f}">{escape(edge.label)}</text>'


def _path(edge: _Edge, boxes: Mapping[bytes, Box]) -> tuple[str, float, float]:
    """The curve of an edge, and where its label begins."""
    source, target = boxes[edge.source], boxes[edge.target]
    if edge.source == edge.target:
        return _loop(source)
    return _down(source, target) if target.y > source.y else _back(source, target)


def _down(source: Box, target: Box) -> tuple[str, float, float]:
    top = source.y + source.height
    bend = (target.y - top) / 2
    path = (
        f"M{source.middle:.1f} {top:.1f}C{source.middle:.1f} {top + bend:.1f} "
        f"{target.middle:.1f} {target.y - bend:.1f} {target.middle:.1f} {target.y:.1f}"
    )
    across = target.middle - source.middle
    return path, source.middle + across * _LABEL_AT + 4, top + 2 * bend * _LABEL_AT


def _back(source: Box, target: Box) -> tuple[str, float, float]:
    """From the right of ``source`` to the right of ``target``, above or in the same row."""
    start, end = source.x + source.width, target.x + target.width
    y, to = source.y + source.height / 2, target.y + target.height / 2
    bulge = max(start, end) + _GAP * 0.6
    path = f"M{start:.1f} {y:.1f}C{bulge:.1f} {y:.1f} {bulge:.1f} {to:.1f} {end:.1f} {to:.1f}"
    return path, start + 4, y + 10


def _loop(box: Box) -> tuple[str, float, float]:
    x, y = box.x + box.width, box.y + box.height
    path = (
        f"M{x - 12:.1f} {y:.1f}C{x - 12:.1f} {y + 22:.1f} {x + 16:.1f} {y + 22:.1f} "
        f"{x:.1f} {y - 4:.1f}"
    )
    return path, x - 20, y + 26
