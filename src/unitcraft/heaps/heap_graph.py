"""Heaps as an SVG picture: a panel for each heap, objects by their distance from the receiver.

Invariant: the text depends on the heaps alone, byte for byte; a picture that leaves heaps out says
how many.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from unitcraft.heaps.field_kind import is_object, member_text

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.heap_scope import HeapModel

#: Heaps of a picture that a person can still read.
MAX_HEAPS: Final = 60
#: Sizes in pixels: a character, a line, the padding of a box, gaps, the distance of levels.
_CHAR, _LINE, _PAD, _GAP, _RISE, _MARGIN = 6.7, 15, 6, 26, 78, 20
#: Width of a row of panels in pixels.
_PAGE: Final = 1600
#: The style sheet of the picture.
_STYLE: Final = (
    "text{font:11px monospace;fill:#222}.box{fill:#f6f8fa;stroke:#57606a}"
    ".panel{fill:none;stroke:#d0d7de}.edge{stroke:#1a7f37;fill:none}"
    ".label{fill:#57606a;font-size:10px}.note{fill:#9a6700}"
)


@dataclass(frozen=True, slots=True)
class HeapNode:
    """A drawn object: its lines, where it stands in its panel, and the fields that lead on."""

    lines: tuple[str, ...]
    x: float
    y: float
    width: float
    edges: tuple[tuple[str, int], ...]

    @property
    def height(self) -> float:
        """The height of the box."""
        return len(self.lines) * _LINE + 2 * _PAD


def draw_heaps(forms: Sequence[Plain], model: HeapModel) -> str:
    """The picture of the first heaps of ``forms``."""
    parts: list[str] = []
    x = y = float(_MARGIN)
    row = width = 0.0
    for form in forms[:MAX_HEAPS]:
        nodes = _lay_out(form, model)
        wide = max(node.x + node.width for node in nodes) + _GAP
        high = max(node.y + node.height for node in nodes) + _GAP / 2
        if x > _MARGIN and x + wide > _PAGE:
            x, y, row = float(_MARGIN), y + row + _GAP, 0.0
        parts.append(f'<g transform="translate({x:.0f} {y:.0f})">')
        parts.append(f'<rect class="panel" width="{wide:.0f}" height="{high:.0f}" rx="4"/>')
        parts += _panel(nodes)
        parts.append("</g>")
        row, x = max(row, high), x + wide + _GAP
        width = max(width, x)
    if len(forms) > MAX_HEAPS:
        y, row = y + row + _GAP, float(_LINE)
        text = f"{len(forms) - MAX_HEAPS} more heaps are not drawn"
        parts.append(f'<text class="note" x="{_MARGIN}" y="{y + _LINE:.0f}">{text}</text>')
    size = f'width="{max(width, 300):.0f}" height="{y + row + _MARGIN:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_STYLE}</style>'
    return "\n".join([head, *parts, "</svg>", ""])


def _lay_out(form: Plain, model: HeapModel) -> list[HeapNode]:
    """The objects of a heap in rows by distance from the receiver."""
    numbers: list[tuple[int, int]] = []
    for kind, _ in form:
        numbers.append((kind, sum(1 for other, _ in numbers if other == kind)))
    places = {number: place for place, number in enumerate(numbers)}
    levels = {0: 0}
    ends = [0.0]
    nodes: list[HeapNode] = []
    for place, (kind, cells) in enumerate(form):
        one = model.classes[kind]
        edges: list[tuple[str, int]] = []
        lines = [f"{one.short}{numbers[place][1]}"]
        for info, cell in zip(one.fields, cells, strict=True):
            linked = [places[item] for item in _objects_in(cell)]
            edges += [(info.name, target) for target in linked]
            if not linked and cell is not None:
                text = member_text(cell) if type(cell) is tuple else repr(cell)
                lines.append(f"{info.name} = {text}")
        for _, target in edges:
            levels.setdefault(target, levels[place] + 1)
        level = levels[place]
        ends += [0.0] * (level + 1 - len(ends))
        width = max(map(len, lines)) * _CHAR + 2 * _PAD
        x = ends[level] + _GAP / 2
        ends[level] = x + width + _GAP / 2
        nodes.append(HeapNode(tuple(lines), x, level * _RISE + _GAP / 2, width, tuple(edges)))
    return nodes


def _objects_in(cell: Plain) -> list[Plain]:
    if type(cell) is list:
        return [item for inner in cell for item in _objects_in(inner)]
    if type(cell) is dict:
        return [item for inner in cell.values() for item in _objects_in(inner)]
    return [cell] if cell and is_object(cell) else []


def _panel(nodes: Sequence[HeapNode]) -> Iterator[str]:
    for node in nodes:
        for count, (label, target) in enumerate(node.edges):
            yield from _edge(node, label, nodes[target], count)
    for node in nodes:
        yield (
            f'<rect class="box" x="{node.x:.0f}" y="{node.y:.0f}" '
            f'width="{node.width:.0f}" height="{node.height:.0f}" rx="3"/>'
        )
        for place, line in enumerate(node.lines, 1):
            x, y = node.x + _PAD, node.y + _PAD + place * _LINE - 4
            yield f'<text x="{x:.0f}" y="{y:.0f}">{escape(line, quote=False)}</text>'


def _edge(node: HeapNode, label: str, target: HeapNode, count: int) -> Iterator[str]:
    """A line from the bottom of ``node`` to ``target``, the label beside its beginning."""
    x = node.x + node.width * (count + 1) / (len(node.edges) + 1)
    y = node.y + node.height
    to_x = target.x + target.width / 2
    to_y = target.y if target.y > node.y else target.y + target.height
    yield f'<line class="edge" x1="{x:.0f}" y1="{y:.0f}" x2="{to_x:.0f}" y2="{to_y:.0f}"/>'
    yield (
        f'<text class="label" x="{x + (to_x - x) * 0.4:.0f}" y="{y + (to_y - y) * 0.4:.0f}">'
        f"{escape(label, quote=False)}</text>"
    )
