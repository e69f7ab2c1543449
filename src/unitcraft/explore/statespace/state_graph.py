"""The state graph as an SVG picture: one row for each depth, the initial state on top.

A box has the number of a state, its fields, and the calls on it with the state that each leads to;
so no text stands on an edge, where others would cross it.

Invariant: the text depends on the exploration alone, byte for byte; a picture that leaves
something out says how much.

Source: ROSTRA, "Example" (of the generation algorithm): boxes with the fields of the state, solid
edges to new states, dashed ones for executions that reach a known state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
_CHAR, _LINE, _PAD, _GAP, _RISE, _MARGIN = 6.7, 15, 8, 28, 56, 24

#: Width of a row in pixels: a picture fits a window of 1280 without scrolling.
_PAGE: Final = 1180

#: Characters of one line of a box.
LINE_WIDTH: Final = 44

#: Lines of one box that name calls.
_MAX_MOVES: Final = 8

#: The style sheet of the picture; a page that shows it sets other colours for a dark background.
_STYLE: Final = (
    ".states text{font:11px monospace;fill:#222}"
    ".states .box{fill:#f6f8fa;stroke:#57606a}.states .tip{fill:#57606a}"
    ".states .new{stroke:#1a7f37;fill:none}"
    ".states .old{stroke:#8c959f;fill:none;stroke-dasharray:4 3}"
    ".states .title{font-weight:bold}.states .label{fill:#57606a}.states .note{fill:#9a6700}"
)


@dataclass(frozen=True, slots=True)
class Box:
    """A drawn state: its number, the lines of its fields and of its calls, and where it stands."""

    number: int
    fields: tuple[str, ...]
    moves: tuple[str, ...]
    x: float = 0
    y: float = 0

    @property
    def title(self) -> str:
        """The name by which other boxes refer to the state."""
        return f"state {self.number}"

    @property
    def width(self) -> float:
        """Room for the longest line."""
        return _CHAR * max(map(len, (self.title, *self.fields, *self.moves))) + 2 * _PAD

    @property
    def height(self) -> float:
        """Room for all lines."""
        return _LINE * (1 + len(self.fields) + len(self.moves)) + _PAD

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
    states = [one for one in states_to_draw(exploration) if one.digest in exploration.lines]
    numbers = {state.digest: number for number, state in enumerate(states)}
    edges, hidden = _edges(exploration, numbers)
    boxes = _place(states, exploration.lines, _moves(edges, numbers))
    drawn = [edge for edge in edges if edge.source != edge.target]
    body = [part for edge in drawn for part in _edge(edge, boxes)]
    body += [part for box in boxes.values() for part in _box(box)]
    note = _note(exploration, len(states), hidden)
    ends = [box.x + box.width + _GAP for box in boxes.values()]
    width = max(*ends, _MARGIN + _CHAR * len(note), 0) + _MARGIN
    height = max((box.y + box.height for box in boxes.values()), default=0) + 2 * _MARGIN
    body.append(f'<text class="note" x="{_MARGIN}" y="{height:.0f}">{escape(note)}</text>')
    head = (
        f'<svg class="states" xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" '
        f'height="{height + _LINE:.0f}" viewBox="0 0 {width:.0f} {height + _LINE:.0f}">'
        f"<title>States of {escape(exploration.task.target)}</title><style>{_STYLE}</style>"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>'
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


def _place(
    states: list[ConcreteState],
    lines: Mapping[bytes, tuple[str, ...]],
    moves: Mapping[bytes, tuple[str, ...]],
) -> dict[bytes, Box]:
    """Boxes by digest: a row (or several) for each depth, centred."""
    boxes = {
        state.digest: Box(number, lines[state.digest], moves.get(state.digest, ()))
        for number, state in enumerate(states)
    }
    layers = groupby(states, key=lambda state: len(state.path))
    rows = [row for _, layer in layers for row in _wrap([boxes[one.digest] for one in layer])]
    widths = [sum(box.width + _GAP for box in row) - _GAP for row in rows]
    places: dict[int, tuple[float, float]] = {}
    y: float = _MARGIN
    for row, width in zip(rows, widths, strict=True):
        x = _MARGIN + (max(widths) - width) / 2
        for box in row:
            places[box.number] = (x, y)
            x += box.width + _GAP
        y += max(box.height for box in row) + _RISE
    return {
        digest: replace(box, x=places[box.number][0], y=places[box.number][1])
        for digest, box in boxes.items()
    }


def _wrap(layer: list[Box]) -> list[list[Box]]:
    """``layer`` cut into rows that fit the page."""
    rows: list[list[Box]] = [[]]
    room: float = _PAGE
    for box in layer:
        room -= box.width + _GAP
        if room < 0 and rows[-1]:
            rows.append([])
            room = _PAGE - box.width - _GAP
        rows[-1].append(box)
    return rows


@dataclass(frozen=True, slots=True)
class _Edge:
    source: bytes
    target: bytes
    label: str
    new: bool


def _edges(exploration: Exploration, drawn: Mapping[bytes, int]) -> tuple[list[_Edge], int]:
    """One edge for each pair of states, and how many executions could not be drawn."""
    labels: dict[tuple[bytes, bytes, bool], list[str]] = {}
    known = {exploration.edges[0].source.digest} if exploration.edges else set()
    hidden = 0
    for step in exploration.edges:
        target = step.target.digest if step.target is not None else b""
        new = target not in known
        known.add(target)
        pair = (step.source.digest, target, new)
        if step.source.digest not in drawn or target not in drawn:
            hidden += 1
            continue
        outcome = f" raises {step.outcome.rpartition(':')[2]}" if step.outcome else ""
        call = exploration.task.actions[step.action]
        text = f"{call.name}({arguments_text(call.args[1:], call.kwargs)})"
        labels.setdefault(pair, []).append(text + outcome)
    total = exploration.iterations[-1].tests if exploration.iterations else 0
    hidden += total - len(exploration.edges)
    return [_Edge(*pair[:2], ", ".join(texts), pair[2]) for pair, texts in labels.items()], hidden


def _moves(edges: Iterable[_Edge], numbers: Mapping[bytes, int]) -> dict[bytes, tuple[str, ...]]:
    """The lines of each state's box that name the calls on it and where they lead."""
    found: dict[bytes, list[str]] = {}
    for edge in edges:
        stays = edge.source == edge.target
        end = " (stays)" if stays else f" \N{RIGHTWARDS ARROW} {numbers[edge.target]}"
        room = LINE_WIDTH - len(end)
        label = edge.label if len(edge.label) <= room else f"{edge.label[: room - 3]}..."
        found.setdefault(edge.source, []).append(label + end)
    return {
        digest: tuple(texts)
        if len(texts) <= _MAX_MOVES
        else (*texts[: _MAX_MOVES - 1], f"and {len(texts) - _MAX_MOVES + 1} more")
        for digest, texts in found.items()
    }


def _box(box: Box) -> Iterable[str]:
    yield (
        f'<rect class="box" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="4"/>'
    )
    kinds = ["title", *["field"] * len(box.fields), *["label"] * len(box.moves)]
    lines = (box.title, *box.fields, *box.moves)
    for number, (kind, line) in enumerate(zip(kinds, lines, strict=True), 1):
        y = box.y + _LINE * number
        yield f'<text class="{kind}" x="{box.x + _PAD:.1f}" y="{y:.1f}">{escape(line)}</text>'


def _edge(edge: _Edge, boxes: Mapping[bytes, Box]) -> Iterable[str]:
    kind = "new" if edge.new else "old"
    path = _path(boxes[edge.source], boxes[edge.target])
    yield f'<path class="{kind}" d="{path}" marker-end="url(#tip)"/>'


def _path(source: Box, target: Box) -> str:
    """The curve of an edge: down to a later row, or else along the right sides."""
    if target.y > source.y:
        top = source.y + source.height
        bend = (target.y - top) / 2
        return (
            f"M{source.middle:.1f} {top:.1f}C{source.middle:.1f} {top + bend:.1f} "
            f"{target.middle:.1f} {target.y - bend:.1f} {target.middle:.1f} {target.y:.1f}"
        )
    start, end = source.x + source.width, target.x + target.width
    y, to = source.y + source.height / 2, target.y + target.height / 2
    bulge = max(start, end) + _GAP * 0.9
    return f"M{start:.1f} {y:.1f}C{bulge:.1f} {y:.1f} {bulge:.1f} {to:.1f} {end:.1f} {to:.1f}"
