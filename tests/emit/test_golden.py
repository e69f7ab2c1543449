"""The golden cases of ``tests/cases/emit*.md``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dsl import subject_of, suite_of

from unitcraft.emit.write.writer import write

CASES = Path(__file__).parent.parent / "cases"


def cases():
    for path in sorted(CASES.glob("emit*.md")):
        for part in path.read_text(encoding="utf-8").split("\n## ")[1:]:
            title = part.partition("\n")[0]
            blocks = dict(re.findall(r"```(\w+)\n(.*?)```", part, re.DOTALL))
            yield pytest.param(blocks, id=f"{path.stem}: {title}")


def without_frame(text: str) -> str:
    """The imports and the tests: no docstring, no note, no table of digests."""
    lines = [line for line in text.splitlines() if not line.startswith("# ")]
    return "\n".join(lines[1:]).strip() + "\n"


@pytest.mark.parametrize("blocks", list(cases()))
def test_written_as_the_case_says(blocks):
    subject = subject_of(blocks["subject"], "shop")
    assert without_frame(write(subject, suite_of(blocks["tests"], subject)).text) == blocks["text"]
