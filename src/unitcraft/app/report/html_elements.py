"""HTML elements as text.

Invariant: a plain string is escaped wherever it is put; only what ``element`` made is markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from unitcraft.app.terminal_text import escape_control

#: Elements that have no end tag.
_VOID: Final = frozenset({"meta", "br", "col"})


class Html(str):
    """Markup, of which nothing is escaped again."""

    __slots__ = ()


def element(name: str, /, *children: str, **attributes: str) -> Html:
    """An element; of an attribute's name a last ``_`` is dropped, any other is a hyphen."""
    given = "".join(
        f' {key.removesuffix("_").replace("_", "-")}="{escape(_printable(value))}"'
        for key, value in attributes.items()
    )
    if name in _VOID:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{join(children)}</{name}>")


def join(parts: Iterable[str]) -> Html:
    """Several pieces of markup and text in a row."""
    return Html(
        "".join(
            part if isinstance(part, Html) else escape(_printable(part), quote=False)
            for part in parts
        )
    )


def _printable(text: str) -> str:
    """``text`` with what HTML cannot hold spelled out; tabs and line breaks stay."""
    return "\t".join(map(escape_control, text.split("\t")))


def table(caption: str, head: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "") -> Html:
    """A table in a frame that scrolls by itself, reachable by the keyboard."""
    body = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", *(element("th", one, scope="col") for one in head))),
        element("tbody", *(_row(row) for row in rows)),
        class_=kind or "plain",
    )
    return element("div", body, class_="frame", tabindex="0", role="region", aria_label=caption)


def _row(cells: Iterable[str]) -> Html:
    first, *others = cells
    rest = (element("td", one) for one in others)
    return element("tr", element("th", first, scope="row"), *rest)


def hidden_text(text: str) -> Html:
    """Words for a screen reader, where a sign or a colour speaks to the eye."""
    return element("span", text, class_="spoken")


def folded(title: str, *children: str, **attributes: str) -> Html:
    """Content that a click on its title shows."""
    return element("details", element("summary", title), *children, **attributes)


def link(target: str, text: str) -> Html:
    """A link to a place of the same page."""
    return element("a", text, href=f"#{target}")
