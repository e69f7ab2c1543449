"""Tables as text, with fifteen options for how they look."""


class Table:
    """Rows of cells under headers."""

    def __init__(
        self,
        headers=(),
        *,
        border=True,
        padding=1,
        align="left",
        number_align="right",
        max_width=None,
        missing="",
        precision=2,
        thousands=False,
        sort_by=None,
        descending=False,
        title=None,
        footer=False,
        index=False,
        truncate="...",
        separator="|",
    ):
        if align not in ("left", "right", "center"):
            raise ValueError(f"unknown alignment {align!r}")
        if padding < 0:
            raise ValueError("padding must not be negative")
        if sort_by is not None and sort_by not in headers:
            raise ValueError(f"no column {sort_by!r}")
        self.headers = list(headers)
        self.border = border
        self.padding = padding
        self.align = align
        self.number_align = number_align
        self.max_width = max_width
        self.missing = missing
        self.precision = precision
        self.thousands = thousands
        self.sort_by = sort_by
        self.descending = descending
        self.title = title
        self.footer = footer
        self.index = index
        self.truncate = truncate
        self.separator = separator
        self.rows = []

    def add(self, *cells):
        """Add a row; short rows are filled."""
        if len(cells) > len(self.headers):
            raise ValueError("more cells than headers")
        self.rows.append([*cells, *[None] * (len(self.headers) - len(cells))])

    def _text(self, cell):
        if cell is None:
            return self.missing
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if isinstance(cell, float):
            form = ",.{}f" if self.thousands else ".{}f"
            return format(cell, form.format(self.precision))
        if isinstance(cell, int) and self.thousands:
            return f"{cell:,}"
        text = str(cell)
        if self.max_width is not None and len(text) > self.max_width:
            text = text[: max(self.max_width - len(self.truncate), 0)] + self.truncate
        return text

    def _place(self, text, width, cell):
        number = isinstance(cell, (int, float)) and not isinstance(cell, bool)
        align = self.number_align if number else self.align
        if align == "right":
            return text.rjust(width)
        if align == "center":
            return text.center(width)
        return text.ljust(width)

    def _sorted(self):
        if self.sort_by is None:
            return list(self.rows)
        place = self.headers.index(self.sort_by)
        filled = [row for row in self.rows if row[place] is not None]
        empty = [row for row in self.rows if row[place] is None]
        filled.sort(key=lambda row: row[place], reverse=self.descending)
        return filled + empty

    def render(self):
        """The table as lines of text."""
        if not self.headers:
            return self.title or ""
        rows = self._sorted()
        headers = self.headers
        if self.index:
            headers = ["#", *headers]
            rows = [[number, *row] for number, row in enumerate(rows, start=1)]
        texts = [[self._text(cell) for cell in row] for row in rows]
        widths = [len(header) for header in headers]
        for line in texts:
            widths = [max(width, len(text)) for width, text in zip(widths, line, strict=True)]
        space = " " * self.padding
        lines = []
        if self.title is not None:
            lines.append(self.title.center(sum(widths) + len(widths) + 1).rstrip())
        rule = "+" + "+".join("-" * (width + 2 * self.padding) for width in widths) + "+"
        if self.border:
            lines.append(rule)
        lines.append(self._line(headers, headers, widths, space))
        lines.append(rule if self.border else "-" * len(lines[-1]))
        for row, line in zip(rows, texts, strict=True):
            lines.append(self._line(row, line, widths, space))
        if self.footer:
            if self.border:
                lines.append(rule)
            lines.append(f"{len(rows)} row" + ("" if len(rows) == 1 else "s"))
        elif self.border:
            lines.append(rule)
        return "\n".join(lines)

    def _line(self, cells, texts, widths, space):
        placed = [
            space + self._place(text, width, cell) + space
            for cell, text, width in zip(cells, texts, widths, strict=True)
        ]
        line = self.separator.join(placed)
        return f"{self.separator}{line}{self.separator}" if self.border else line.rstrip()
