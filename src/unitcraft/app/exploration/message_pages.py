"""The explanation of a code or slug, as the page of messages has it.

Invariant: every code of ``core.rule_codes.TITLES`` has an answer, with or without the documents.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Final

from unitcraft.app.json_document import render_document
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.rule_codes import TITLES

#: Files that may hold the page: beside the package when it was installed with it, else in the
#: sources.
PLACES: Final = (
    Path(__file__).resolve().parents[2] / "messages.md",
    Path(__file__).resolve().parents[4] / "docs" / "messages.md",
)


def page(code: str, form: str = "text") -> str:
    """The section of ``code`` as text or JSON.  Raises UnitcraftError ``unknown-code``."""
    sections = _sections()
    title = TITLES.get(code, "")
    if code not in sections and not title:
        close = difflib.get_close_matches(code, [*TITLES, *sections], 1)
        raise UnitcraftError(
            "unknown-code",
            f"there is no message with the code {code}",
            advice=f"did you mean {close[0]}?" if close else "codes stand in reports and errors",
        )
    text = sections.get(code, "")
    if form == "json":
        return render_document("message", {"code": code, "title": title, "text": text})
    return "\n".join([f"{code}: {title}" if title else code, *(["", text] if text else [])])


def _sections() -> dict[str, str]:
    found = next((place for place in PLACES if place.is_file()), None)
    if found is None:
        return {}
    parts = re.split(r"^#+ `?([\w-]+)`?.*$", found.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], [text.strip() for text in parts[2::2]], strict=True))
