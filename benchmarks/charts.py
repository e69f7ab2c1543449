"""Line charts on a logarithmic scale as SVG, without a drawing library.

A chart is a row of panels; a panel has a title and Lines over whole numbers.  The text is the same
for the same figures, and readable on a light and on a dark page.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: Pixels: a panel's plotting area, and the margins around it.
WIDTH, HEIGHT = 280, 200
LEFT, TOP, RIGHT, BOTTOM = 56, 58, 92, 44
COLOURS = ("#c2571a", "#2f6fb3", "#3c8a4b", "#8a5aa8")

_STYLE = (
    "text{font:12px sans-serif;fill:#444}.title{font-weight:bold}.grid{stroke:#8885;stroke-width:1}"
    ".line{fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}}"
)


class Line(NamedTuple):
    """A name and positive values by whole number."""

    name: str
    points: Mapping[int, float]


def chart(title: str, across: str, panels: Sequence[tuple[str, Sequence[Line]]]) -> str:
    """The SVG of ``panels`` side by side; ``across`` names the numbers below."""
    step = LEFT + WIDTH + RIGHT
    width, height = step * len(panels), TOP + HEIGHT + BOTTOM
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="20">{escape(title)}</text>',
    ]
    for place, (name, lines) in enumerate(panels):
        parts.append(f'<g transform="translate({place * step + LEFT} {TOP})">')
        parts += _panel(name, across, lines)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _panel(name: str, across: str, lines: Sequence[Line]) -> Iterator[str]:
    numbers = sorted({number for line in lines for number in line.points})
    values = [value for line in lines for value in line.points.values()]
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    high = max(high, low + 1)
    wide = WIDTH / max(len(numbers) - 1, 1)

    def x(number: int) -> float:
        return (number - numbers[0]) * wide

    def y(value: float) -> float:
        return HEIGHT * (high - log10(value)) / (high - low)

    yield f'<text x="0" y="-10">{escape(name)}</text>'
    for power in range(low, high + 1):
        level = y(10**power)
        yield f'<line class="grid" x1="0" x2="{WIDTH}" y1="{level:.1f}" y2="{level:.1f}"/>'
        yield f'<text x="-8" y="{level + 4:.1f}" text-anchor="end">{10**power:g}</text>'
    for number in numbers:
        yield f'<text x="{x(number):.1f}" y="{HEIGHT + 18}" text-anchor="middle">{number}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT + 36}" text-anchor="middle">{escape(across)}</text>'
    for line, colour in zip(lines, COLOURS, strict=False):
        yield from _curve(line, colour, [(x(n), y(v)) for n, v in sorted(line.points.items())])


def _curve(line: Line, colour: str, points: list[tuple[float, float]]) -> Iterator[str]:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<polyline class="line" stroke="{colour}" points="{path}"/>'
    for (x, y), value in zip(points, (line.points[n] for n in sorted(line.points)), strict=True):
        tip = f"<title>{escape(line.name)}: {value:g}</title>"
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}">{tip}</circle>'
    x, y = points[-1]
    yield f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{escape(line.name)}</text>'
